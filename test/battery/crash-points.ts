import type { Deliver } from '../../src/conversation/incoming.ts';
import type { Batch } from '../../src/conversation/payouts/batch.ts';
import type { Commit, Store, Write } from '../../src/store/store.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import type { Execution, Wallet } from '../../src/wallet/wallet.ts';
import { ERRANDS } from './town/kinds.ts';

/** Answers of docs/safety.md that can be taken away, to see that the battery notices. */
export type Broken =
  | 'resends on unknown'
  | 'takes silence for a no'
  | 'commits after the call'
  /** No slot, no fence, no claims: the unique key of payments is gone. */
  | 'keeps no book';

/** The life of a process that is to die at a named moment. */
export interface Life {
  /** Names a moment before or after something happens. The process ends here if this is its moment. */
  at(moment: string): void;
  arm(point: string | undefined): void;
  /** Every moment since the last time. */
  trace(): string[];
}

/** Matches every moment: `anything #17` is the 17th, whatever it is. */
const ANYTHING = 'anything';

/** `point` is a moment up to its first ` +`, or `moment #2` for the second time it comes. */
export function breaking(): Life {
  let armed: string | undefined;
  let left = 0;
  const past: string[] = [];
  return {
    at(moment) {
      past.push(moment);
      const here = armed === ANYTHING || moment === armed || moment.startsWith(`${armed} +`);
      if (here && --left === 0) dieNow();
    },
    arm(point) {
      const [moment, count] = point?.split(' #') ?? [];
      armed = moment;
      left = Number(count ?? 1);
    },
    trace: () => past.splice(0),
  };
}

/** As `kill -9` from outside: no handler, no flush, no further line of JavaScript. */
function dieNow(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** A store whose commits and leases are moments, named by what they write: `before commit of claim pay + intent sent + book`. */
export function watchedStore(store: Store, life: Life, broken?: Broken): Store {
  let putOff: (() => Promise<unknown>) | undefined;
  return {
    ...store,
    async commit(partition, it) {
      const name = nameOf(it.writes);
      life.at(`before commit of ${name}`);
      const commit = broken === 'keeps no book' ? withoutBook(it) : it;
      if (broken === 'commits after the call' && name.startsWith('claim pay')) {
        putOff = () => store.commit(partition, commit);
        return true;
      }
      await putOff?.();
      putOff = undefined;
      const done = await store.commit(partition, commit);
      life.at(`${done ? 'after' : 'lost'} commit of ${name}`);
      return done;
    },
    async due(...args) {
      const due = await store.due(...args);
      for (const { key } of due) life.at(`after lease of ${key.split(':', 1)}`);
      return due;
    },
  };
}

/** A wallet whose every call has two moments: before its first byte, and after its answer, which nobody has saved yet. */
export function watchedWallet(api: Wallet, life: Life): Wallet {
  const watched = Object.entries(api).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      life.at(`before ${name}`);
      const answer = await (call as (...args: unknown[]) => Promise<unknown>)(...args);
      life.at(`after ${name}`);
      return answer;
    },
  ]);
  return Object.fromEntries(watched) as Wallet;
}

export function watchedDeliver(deliver: Deliver, life: Life): Deliver {
  return async (address, push) => {
    life.at(`before delivery of ${push.screen.key}`);
    const delivery = await deliver(address, push);
    life.at(`after delivery of ${push.screen.key}`);
    return delivery;
  };
}

/** Two mistakes of many clients after a silence: they send once more, or take the payment for failed. */
export function brokenWallet(api: Wallet, broken?: Broken): Wallet {
  const again = broken === 'resends on unknown';
  if (!again && broken !== 'takes silence for a no') return api;
  type Pays = (...args: unknown[]) => Promise<Answer<Execution>>;
  const spoilt = Object.values(ERRANDS).map(({ call: name }) => {
    const call = api[name] as unknown as Pays;
    const spoiling: Pays = async (...args) => {
      const answer = await call(...args);
      if (answer.kind !== 'unknown') return answer;
      return again ? call(...args) : { kind: 'unsent', why: 'silence' };
    };
    return [name, spoiling];
  });
  return { ...api, ...Object.fromEntries(spoilt) };
}

function withoutBook(it: Commit): Commit {
  const empty = (write: Write) =>
    write.key.startsWith('wallet:') && write.value !== null
      ? { ...write, value: JSON.stringify({ ...JSON.parse(write.value), entries: [] }) }
      : write;
  return { ...it, writes: it.writes.map(empty) };
}

/** The writes of a commit, in a few words. */
export function nameOf(writes: readonly Write[]): string {
  return writes.map(nameOfWrite).join(' + ');
}

/** Kinds of documents that are named with how they stand. */
const STATED: ReadonlySet<string> = new Set(['intent', 'webhook', 'cash-reference']);

function nameOfWrite({ key, value }: Write): string {
  const [kind = ''] = key.split(':', 1);
  if (value === null) return `no ${kind}`;
  if (kind === 'session') return nameOfSession(JSON.parse(value));
  if (kind === 'payout') return nameOfFile(JSON.parse(value));
  const state = STATED.has(kind) ? JSON.parse(value).state : undefined;
  return state ? `${kind} ${state}` : kind;
}

/** The state of a file of payouts, its next line, and whether the payment of that line has a name already. */
function nameOfFile({ state, next, current }: Pick<Batch, 'state' | 'next' | 'current'>): string {
  return `payouts ${state} ${next}${current ? ' begun' : ''}`;
}

interface SessionSaid {
  readonly underway?: { readonly src: string };
  readonly conversation?: { readonly machine: string; readonly state: string };
  readonly outbox?: readonly { readonly tryAt?: number }[];
}

/** The call that it claims, or where the conversation stands, and whether a message waits or is held. */
function nameOfSession({ underway, conversation, outbox = [] }: SessionSaid): string {
  if (underway) return `claim ${underway.src}`;
  const place = conversation ? `${conversation.machine}.${conversation.state}` : 'session';
  if (outbox.length === 0) return place;
  return `${place} ${outbox.some(({ tryAt }) => tryAt !== undefined) ? 'to tell' : 'told'}`;
}
