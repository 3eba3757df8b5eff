import { test } from 'vitest';
import { StoreDown } from '../../src/store/store.ts';
import { theWorld } from '../kit/world.ts';

const world = theWorld();

test('an outcome is told even if the names of its payment cannot be stored', async () => {
  const fatima = world.customer({ channel: 'web' });
  await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100').enters();
  await fatima.sees('transfer.processing');
  const { store } = world;
  const { read, commit } = store;
  const isName = (key: string) => key.startsWith('operation:');
  const down = () => Promise.reject(new StoreDown('the partition of the name is down'));
  store.read = (partition, keys) => (keys.some(isName) ? down() : read(partition, keys));
  store.commit = (partition, each) =>
    each.writes.some(({ key }) => isName(key)) ? down() : commit(partition, each);
  await world.passes(1_500);
  Object.assign(store, { read, commit });
  await fatima.hears('transfer.done');
});
