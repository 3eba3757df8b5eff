import { type Store, StoreDown } from '../../src/store/store.ts';

/** The state of a store for its users. */
export interface StoreWeather {
  /** Nothing can be read or written. */
  isDown: boolean;
  /** Documents can be read, and none can be written: a disk without room. */
  isFull?: boolean;
  /** The next commit whose documents say this is refused in time, and written afterwards all the same. */
  writesLate?: string | undefined;
  /** For each of these texts a commit whose documents say it finds that another one was faster. */
  overtakes?: string[];
  /** It is a Redis none of whose replicas is awaited. */
  mayLoseWrites?: boolean;
}

/** Stands between Wasl and its store, and makes it do what a real one does on a bad day. */
export function fragile(store: Store, weather: StoreWeather): Store {
  const late: (() => Promise<unknown>)[] = [];
  function guard<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) {
    return async (...args: Args): Promise<Result> => {
      if (weather.isDown) throw new StoreDown('the store stands still');
      for (const write of late.splice(0)) await write();
      return call(...args);
    };
  }
  return {
    ...store,
    mayLoseWrites: () => weather.mayLoseWrites ?? store.mayLoseWrites(),
    read: guard(store.read),
    due: guard(store.due),
    turns: guard(store.turns),
    turnsAfter: guard(store.turnsAfter),
    recorded: guard(store.recorded),
    scheduled: guard(store.scheduled),
    commit: guard(async (partition, commit) => {
      const { writesLate } = weather;
      if (weather.isFull) throw new StoreDown('the store is full');
      if (writesLate !== undefined && commit.writes.some(({ value }) => value?.includes(writesLate))) {
        weather.writesLate = undefined;
        weather.isDown = true;
        late.push(() => store.commit(partition, commit));
        throw new StoreDown('no answer in time');
      }
      const [overtaken] = weather.overtakes ?? [];
      if (overtaken !== undefined && commit.writes.some(({ value }) => value?.includes(overtaken))) {
        weather.overtakes?.shift();
        return false;
      }
      return store.commit(partition, commit);
    }),
  };
}
