import { beforeAll, describe, expect, test } from 'vitest';
import { payFile } from '../../bench/payouts.ts';
import { createDriver } from '../../bench/transfers.ts';
import { createBackground } from '../../src/conversation/background.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import type { Commit, Store } from '../../src/store/store.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { createInbox } from '../../src/webhooks/inbox.ts';
import { createVirtualClock } from '../battery/simulation/clock.ts';
import { createMemory, storeOf } from '../battery/simulation/memory-store.ts';

const FATIMA = msisdn('0612345678');

/** One call to the store: a read, or the kinds of the documents in a commit. */
type Call = 'read' | { readonly writes: readonly string[]; readonly record: boolean };

/** A store that lists its calls. */
function counted(store: Store): { readonly store: Store; readonly calls: Call[] } {
  const calls: Call[] = [];
  const kindOf = ({ key }: Commit['writes'][number]) => key.slice(0, key.indexOf(':'));
  return {
    calls,
    store: {
      ...store,
      read: (partition, keys) => {
        calls.push('read');
        return store.read(partition, keys);
      },
      commit: (partition, commit) => {
        calls.push({ writes: commit.writes.map(kindOf).sort(), record: commit.turn !== undefined });
        return store.commit(partition, commit);
      },
    },
  };
}

function inMemory(): Store {
  const clock = createVirtualClock(Date.now());
  return storeOf(createMemory(Date.now), clock, () => ({ thereMs: 0, backMs: 0 }));
}

function textOf(call: Call): string {
  return call === 'read' ? call : `${call.writes.join(' + ')}${call.record ? ', record' : ''}`;
}

/** The calls to the store are the cost of a turn that does not depend on the machine. */
describe('the store calls of a transfer by USSD', () => {
  /** Of each turn, and of the outcome last. */
  const turns: string[][] = [];

  beforeAll(async () => {
    const { store, calls } = counted(inMemory());
    const driver = createDriver(store, createRenderer());
    const take = () => turns.push(calls.splice(0).map(textOf));
    await driver.conversation(FATIMA, take);
    await driver.rests();
    turns.at(-1)?.push(...calls.splice(0).map(textOf));
    await driver.outcome(FATIMA);
    take();
  });

  test('a turn without a PIN is one read and one commit', () => {
    // The first menu of a day also keeps whether the wallet is a merchant's.
    expect(turns[0], 'menu').toEqual(['read', 'session + wallet, record']);
    for (const [i, screen] of ['recipient', 'amount'].entries())
      expect(turns[i + 1], screen).toEqual(['read', 'session, record']);
    // The preview tells whether the wallet holds the amount: the wallet's document counts it, over all channels.
    expect(turns[3], 'PIN').toEqual(['read', 'session + wallet, record']);
  });

  test('the turn of the PIN claims the login, settles it with the claim of the payment, and settles that', () => {
    expect(turns[4]).toEqual([
      'read',
      'session + wallet, record',
      'intent + session + wallet, record',
      'intent + session + wallet, record',
    ]);
  });

  test('the outcome is one commit, and its delivery another, which reads nothing where no chat is linked', () => {
    const outcome = ['read', 'read', 'intent + session + wallet, record'];
    expect(turns[5]).toEqual([...outcome, 'session, record']);
  });

  test('a commit writes two documents at most, besides a payment and its reference', () => {
    const writes = turns.flat().filter((text) => text !== 'read');
    for (const text of writes) {
      const kinds = text.replace(', record', '').split(' + ');
      const own = kinds.filter((kind) => kind !== 'intent' && kind !== 'reference');
      expect(own.length, text).toBeLessThanOrEqual(2);
    }
  });
});

test('a webhook is two commits and no read, and one that comes again is known', async () => {
  const { store, calls } = counted(inMemory());
  const background = createBackground(() => {});
  const secrets = createSecrets('a secrets key for the tests, 32 characters');
  const applied: string[] = [];
  const apply = async (raw: string) => {
    applied.push(raw);
    return 'done' as const;
  };
  const inbox = createInbox({ store, secrets, apply, background, now: Date.now });
  const comes = async () => {
    await inbox.save('{"data":{"WebhookId":"one"}}');
    await background.done();
    return calls.splice(0).map(textOf);
  };
  expect(await comes()).toEqual(['webhook', 'webhook']);
  expect(await comes(), 'the same once more').toEqual(['webhook', 'read']);
  expect(applied).toHaveLength(1);
});

test('the documents written for a line of payouts do not grow with its file', async () => {
  const bytes = await Promise.all(
    [10, 300].map(async (lines) => (await payFile(inMemory(), lines)).bytes / lines),
  );
  const [few = 0, many = 0] = bytes;
  expect(many).toBeLessThan(few * 1.5);
});
