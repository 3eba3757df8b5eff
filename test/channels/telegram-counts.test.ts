import { afterEach, describe, expect, test } from 'vitest';
import { createBotCustomer, RECIPIENT } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';

/** The cost of one transfer, from the menu to "en cours", when the PIN comes in one update. */
const COMMITS_MAX = 8;
const CALLS_MAX = 7;
/** A posted update is stored before its answer, and erased once it is worked. */
const INBOX_COMMITS = 2;
const UPDATES = 4;
/**
 * Each further digit on the keypad is an update, a commit, a change of the message and an answer to the press. A typed
 * PIN is erased.
 */
const DIGITS = 4;
/** The payment is open for longer than a machine stands still. */
const SETTLES_MS = 5_000;
/** The outcome is a message of its own, since an edit does not notify. Then "en cours" is taken away. */
const OUTCOME_CALLS = ['sendMessage', 'deleteMessage'];

describe.each(['sqlite', 'redis'] as const)('a transfer in a chat, on %s', (store) => {
  const stage = theBotStage({ store, settings: { settleAfterMs: SETTLES_MS } });
  afterEach(() => expect(stage.api.broken()).toEqual([]));

  /** Commits of the store from now on. */
  function commits(): () => number {
    const { store: opened } = stage.world;
    const { commit } = opened;
    let count = 0;
    opened.commit = (...written) => {
      count++;
      return commit(...written);
    };
    return () => {
      opened.commit = commit;
      return count;
    };
  }

  test.each([
    ['typed', COMMITS_MAX + INBOX_COMMITS * UPDATES, CALLS_MAX],
    ['tapped', COMMITS_MAX + DIGITS - 1 + INBOX_COMMITS * (UPDATES + DIGITS - 1), CALLS_MAX - 2 + 2 * DIGITS],
  ] as const)('costs few commits and calls: PIN %s', async (way, commitsMax, callsMax) => {
    const fatima = createBotCustomer(stage, stage.world.customer().phone);
    await fatima.isAtMenu();
    const stop = commits();
    const callsBefore = stage.api.calls.length;
    await fatima.chooses('transfer').says(RECIPIENT).says('100');
    await (way === 'typed' ? fatima.says('1234') : fatima.enters());
    await fatima.sees('transfer.processing');
    // "typing…" is said where a turn takes long, which is the machine's matter.
    const calls = () =>
      stage.api.calls
        .slice(callsBefore)
        .map(({ method }) => method)
        .filter((method) => method !== 'sendChatAction');
    expect(calls().length).toBeLessThanOrEqual(callsMax);
    expect(stop()).toBeLessThanOrEqual(commitsMax);
    const callsSent = calls().length;
    await stage.world.passes(SETTLES_MS + 500);
    await fatima.hears('transfer.done');
    expect(calls().slice(callsSent)).toEqual(OUTCOME_CALLS);
  });
});
