import type { Sentence } from '../../../machines/kit/screen.ts';
import { methodOf, orderValues } from '../../payments/payments.ts';
import { readDocs } from '../../store/update.ts';
import { type Intent, intentCodec, intentKey } from '../intents/intent.ts';
import { endedReceipt, openSentence, referenceOf } from '../intents/notification.ts';
import { type EffectOf, read } from './effect.ts';

/** Who wants a payment back speaks of one that was made not longer ago. */
const LATELY_MS = 24 * 3_600_000;

/** Only a payment that was made at the same address is named: what it was has been read there. */
export const readLastPayment: EffectOf<'readLastPayment'> = read(
  async (_, { store, partition, isLinked, walletDoc: { entries }, address, at }) => {
    const last = [entries.at(-1), entries.findLast(({ state }) => state !== 'void')];
    if (!isLinked) return { kind: 'ok' };
    const intents = await Promise.all(
      last.map(async (entry) => {
        if (!entry || entry.at < at - LATELY_MS) return undefined;
        const [doc] = await readDocs(store, partition, [intentKey(entry.id)]);
        const intent = intentCodec.read(doc);
        return intent?.address === address ? intent : undefined;
      }),
    );
    const [latest, made] = intents;
    const stands = latest && (openSentence(latest) ?? endedReceipt(latest));
    return {
      kind: 'ok',
      ...(stands && { stands: { key: stands.key, ...(stands.values && { values: stands.values }) } }),
      ...(made && { payment: { called: calledIn(made), reference: referenceOf(made) } }),
    };
  },
);

function calledIn({ order, quote }: Intent): Sentence {
  return { key: methodOf(order).said.called, values: orderValues(order, quote) };
}
