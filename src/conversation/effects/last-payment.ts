import { methodOf, orderValues } from '../../payments/payments.ts';
import { readDocs } from '../../store/update.ts';
import { intentCodec, intentKey } from '../intents/intent.ts';
import { referenceOf } from '../intents/notification.ts';
import { type EffectOf, read } from './effect.ts';

/** Who wants a payment back speaks of one that was made not longer ago. */
const LATELY_MS = 24 * 3_600_000;

/** Only a payment that was made at the same address is named: what it was has been read there. */
export const readLastPayment: EffectOf<'readLastPayment'> = read(
  async (_, { store, partition, isLinked, walletDoc, address, at }) => {
    const last = walletDoc.entries.findLast(({ state }) => state !== 'void');
    if (!isLinked || !last || last.at < at - LATELY_MS) return { kind: 'ok' };
    const [doc] = await readDocs(store, partition, [intentKey(last.id)]);
    const intent = intentCodec.read(doc);
    if (intent?.address !== address) return { kind: 'ok' };
    const { order, quote } = intent;
    const called = { key: methodOf(order).said.called, values: orderValues(order, quote) };
    return { kind: 'ok', payment: { called, reference: referenceOf(intent) } };
  },
);
