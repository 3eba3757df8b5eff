import { describe, expect, test } from 'vitest';
import { PLAIN_FAULT_NAMES, type PlainFaultName } from '../../../src/sandbox/faults/faults.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import { type Msisdn, nationalNumber } from '../../../src/wallet/phone.ts';
import { call, sandbox } from '../kit.ts';
import { receiver } from '../receiver.ts';
import { ORANGE, orderFor, REDAL } from './bill-kit.ts';

const HOUR_MS = 60 * 60_000;

const once = { executed: [2], events: ['confirmed 2'] };
/** The effect of every fault on a bill, each struck once. A forgotten row does not compile. */
const FAULTY: Record<PlainFaultName, { executed: readonly number[]; events: readonly string[] }> = {
  resetBefore: { executed: [], events: [] },
  serverErrorBefore: { executed: [], events: [] },
  tooManyRequests: { executed: [], events: [] },
  answerLost: once,
  resetAfter: once,
  serverErrorAfter: once,
  malformedBody: once,
  slowAnswer: once,
  webhookTwice: { executed: [2], events: ['confirmed 2', 'confirmed 2'] },
  webhookLate: once,
  webhookEarly: once,
  webhookOutOfOrder: { executed: [2], events: ['confirmed 2', 'confirmed 1'] },
  webhookForgedKey: { executed: [2], events: ['confirmed 2 of a forger', 'confirmed 2'] },
  webhookForgedAmount: { executed: [2], events: ['confirmed 2 of a forger', 'confirmed 2'] },
  webhookNever: { executed: [2], events: [] },
  listLag: once,
  staysOpen: { executed: [1], events: [] },
  reversal: { executed: [4], events: ['confirmed 2', 'refunded 4'] },
};

/** Set by a test, or asked for by typing the magic number as the contract. */
describe.each(['set', 'typed'])('a fault that is %s', (way) => {
  test.each(PLAIN_FAULT_NAMES)('%s', async (name) => {
    const partner = await receiver();
    const settings = { faultDelaysMs: { slowAnswer: 5 } };
    const wallet = sandbox({ webhookUrl: partner.url, webhookKey: 'ours', settings });
    const contract = way === 'set' ? '1234567' : nationalNumber(MAGIC[name] as Msisdn);
    const where = way === 'set' ? REDAL : ORANGE;
    const all = await orderFor(wallet, where, contract);
    if (way === 'set') wallet.faults.set({ name, count: 1 });
    const said = await call(wallet, 'executeBill', all, { 'C-Request-Id': 'our-request' });
    // A payment that stays open was not answered as paid.
    if (name === 'staysOpen') expect(said.body).toMatchObject({ codeRetour: '908' });
    await wallet.clock.advance(2 * HOUR_MS);
    const events = partner.received.map(({ data, headers }) => {
      const isOurs = headers['x-api-key'] === 'ours' && data.Amount === all.total;
      return `${data.EventId.slice('payment.'.length)} ${data.OperationStatus}${isOurs ? '' : ' of a forger'}`;
    });
    // The forger is ahead, however fast the two are on their way.
    const [forged, truth] = wallet.deliveries();
    if (name.startsWith('webhookForged')) expect(forged?.dueAt).toBeLessThan(truth?.dueAt ?? 0);
    const executed = wallet.executions('our-request').map(({ status }) => status);
    expect({ executed, events }).toEqual(FAULTY[name]);
    expect(wallet.checkLedger()).toMatchObject({ balanced: true, faults: [] });
  });
});
