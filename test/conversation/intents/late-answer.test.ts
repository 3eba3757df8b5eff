import { describe, expect, test } from 'vitest';
import type { Payment } from '../../../machines/kit/effects.ts';
import { NO_ARCHIVE } from '../../../src/conversation/intents/archive.ts';
import { createOutcomes, type Outcomes } from '../../../src/conversation/intents/outcomes.ts';
import { SERVED_DEFAULTS } from '../../../src/conversation/served.ts';
import { createSessions } from '../../../src/conversation/session/sessions.ts';
import { sealVoucherCode } from '../../../src/conversation/session/unseal.ts';
import { type Customer, loses, refused, STORES, theWorld } from '../../kit/world.ts';
import { buys } from '../../machines/voucher-orders.ts';

const LONG_ENOUGH_MS = 50_000;

/** A process stalls with the wallet's answer in hand. Another process has declared it lost meanwhile. */
describe.each(STORES)('an answer arrives after it counted as lost, on %s', (store) => {
  const world = theWorld({ store });
  const outcomes = (): Outcomes =>
    createOutcomes({
      archive: NO_ARCHIVE,
      store: world.store,
      sessions: createSessions(world.store),
      served: SERVED_DEFAULTS,
      pays: () => false,
      pushed: () => {},
      alert: () => {},
      now: world.clock.now,
    });
  const paymentOf = async ({ phone }: Customer) => {
    const [intent] = await world.engine.desk.payments(phone, 1);
    if (!intent) throw new Error('nothing was paid');
    return intent;
  };

  /** A transfer whose process dies while it waits for the answer. */
  async function lost(): Promise<{ readonly fatima: Customer }> {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    await world.crashesDuring('transfer', fatima.enters());
    const again = world.again(fatima);
    await world.passes(LONG_ENOUGH_MS);
    await again.hears('transfer.notConfirmed', { amount: 10_000 }).opens().sees('transfer.notConfirmed');
    return { fatima: again };
  }

  test('a refusal is told once, and the wallet is free for the next payment', async () => {
    const { fatima } = await lost();
    const { id, state } = await paymentOf(fatima);
    expect(state).toBe('unknown');
    const answer: Payment = { kind: 'rejected', failure: refused('90010') };
    await outcomes().answered(id, answer);
    await outcomes().answered(id, answer);
    expect((await paymentOf(fatima)).state).toBe('rejected');
    await fatima.hears('transfer.refused', { amount: 10_000 }).hearsNothing();
    await fatima.opens().sees('transfer.refused');
    await fatima.says('/menu').chooses('transfer').says('0655000000');
    await fatima.says('100').sees('transfer.askPinOpenLoop');
  });

  test('the proof of an unsent payment is told as well', async () => {
    const { fatima } = await lost();
    const { id } = await paymentOf(fatima);
    await outcomes().answered(id, { kind: 'unsent' });
    expect((await paymentOf(fatima)).state).toBe('unsent');
    await fatima.hears('transfer.notSent', { amount: 10_000 }).hearsNothing();
  });

  test('an answer without news changes nothing', async () => {
    const { fatima } = await lost();
    const before = await paymentOf(fatima);
    await outcomes().answered(before.id, { kind: 'unknown' });
    expect(await paymentOf(fatima)).toEqual(before);
    await fatima.hearsNothing();
  });

  test('a refusal of a moved payment is a contradiction for a person', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100').enters();
    await fatima.after(1_500).hears('transfer.done');
    const { id } = await paymentOf(fatima);
    await outcomes().answered(id, { kind: 'rejected', failure: refused('90010') });
    expect(await paymentOf(fatima)).toMatchObject({ state: 'human', trouble: { kind: 'conflict' } });
    await fatima.hears('transfer.human');
  });

  describe('with a voucher’s code', () => {
    /** A voucher that was bought: the operation is found, and its code is not. */
    async function bought() {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu().walks(buys(fatima.phone));
      await fatima.meanwhile(() => world.wallet.next('buyVoucher', loses)).enters();
      await fatima.after(LONG_ENOUGH_MS).hears('voucher.doneWithoutCode');
      const { id, operationId } = await paymentOf(fatima);
      const answer: Payment = {
        kind: 'accepted',
        isFinal: true,
        ...(operationId !== undefined && { operationId }),
        facts: { codeSent: 'yes' },
        voucherCode: sealVoucherCode(world.secrets, 'ABCD-EFGH', fatima.address, world.clock.now()),
      };
      return { fatima, id, answer };
    }
    const isWaiting = async (id: string) =>
      (await world.engine.desk.unsettled()).some((intent) => intent.id === id);

    test('it is handed on once, and needs no person any more', async () => {
      const { fatima, id, answer } = await bought();
      expect(await isWaiting(id)).toBe(true);
      await outcomes().answered(id, answer);
      await outcomes().answered(id, answer);
      await fatima.hears('voucher.code', { code: 'ABCD-EFGH' }).hearsNothing();
      expect(await isWaiting(id)).toBe(false);
    });

    test('a chat that no longer belongs to the customer does not get it, and a person hands it over', async () => {
      const { fatima, id, answer } = await bought();
      await fatima.says('/menu').chooses('account').chooses('unlink').chooses('unlink');
      await outcomes().answered(id, answer);
      await fatima.hearsNothing();
      expect(await isWaiting(id)).toBe(true);
    });
  });
});
