import type { Payment } from '../../../machines/kit/effects.ts';
import type { Order, Quote } from '../../../machines/kit/order.ts';
import type { Write } from '../../store/store.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Execution, Wallet } from '../../wallet/wallet.ts';
import {
  hasEnded,
  INTENT_KEPT_MS,
  type Intent,
  type IntentState,
  intentKey,
  moved,
  slotKey,
} from '../intent.ts';
import { type Effect, type EffectDoc, type EffectEnv, parsed } from './effect.ts';

/** A slot nobody has released stops holding other payments back after this long (docs/safety.md, rule 8). */
export const SLOT_MS = 120_000;
/** What the recipient's bank or wallet sees where the customer was not asked for a reason. */
const REASON = 'Wasl';

interface Slot {
  readonly intent: string;
}

/**
 * Moves money, once. The claim writes the intent as `sent` and takes the wallet's slot before the first byte goes out;
 * after that nothing is ever sent again for this intent, whatever the answer or the lack of one.
 */
export const pay: Effect<{ order: Order; quote: Quote }, Payment> = {
  kind: 'money',
  keys: ({ wallet, ref }) => [slotKey(known(wallet)), intentKey(ref)],

  claim([slot, intent], { order, quote }, { wallet, ref, address, now }) {
    if (parsed<Slot>(slot)) return { instead: { kind: 'busy' } };
    const sent: Intent = {
      id: ref,
      wallet: known(wallet),
      address,
      order,
      quote,
      state: 'sent',
      audit: [[now(), 'sent', 'claimed']],
    };
    return {
      writes: [
        put(slot, JSON.stringify({ intent: ref } satisfies Slot), now() + SLOT_MS),
        put(intent, JSON.stringify(sent), now() + INTENT_KEPT_MS),
      ],
    };
  },

  run: async ({ order }, { api, call }) => sorted(await ORDERS[order.kind].execute(api, order, call)),

  settle([slot, doc], output, { ref, now }) {
    const intent = parsed<Intent>(doc);
    if (!intent) throw new Error(`intent ${ref} is gone`);
    // A webhook may have been faster than the answer; what it proved stands.
    const settled = hasEnded(intent)
      ? intent
      : moved(intent, stateOf(output), now(), `answer: ${output.kind}`);
    const writes: Write[] = [];
    if (settled !== intent) writes.push(put(doc, JSON.stringify(settled), now() + INTENT_KEPT_MS));
    if (hasEnded(settled) && parsed<Slot>(slot)?.intent === ref) writes.push(put(slot, null, now()));
    return { writes, output: hasEnded(intent) ? paymentOf(intent) : output };
  },

  lost: { kind: 'unknown' },
};

/** How each kind of order is previewed and executed. A new way to pay adds a row. */
export const ORDERS: {
  readonly [Kind in Order['kind']]: {
    preview(api: Wallet, order: Order, call: EffectEnv['call']): ReturnType<Wallet['previewTransfer']>;
    execute(api: Wallet, order: Order, call: EffectEnv['call']): Promise<Answer<Execution>>;
  };
} = {
  transfer: {
    preview: (api, { from, to, amount }, call) =>
      api.previewTransfer({ from, to, amount, reason: REASON }, call),
    execute: (api, { from, to, amount }, call) => api.transfer({ from, to, amount, reason: REASON }, call),
  },
};

/** Sorts the wallet's answer to an execution (docs/safety.md, rule 6). The final status is never read from here. */
function sorted(answer: Answer<Execution>): Payment {
  if (answer.kind === 'ok') return { kind: 'accepted' };
  if (answer.kind === 'refused') return { kind: 'rejected', failure: answer };
  return { kind: answer.kind };
}

function stateOf(payment: Payment): IntentState {
  return payment.kind === 'busy' ? 'unsent' : payment.kind;
}

function paymentOf({ state, operationId }: Intent): Payment {
  return state === 'succeeded'
    ? { kind: 'succeeded', operationId: operationId ?? 0 }
    : { kind: 'failed', operationId: operationId ?? 0 };
}

function put(doc: EffectDoc | undefined, value: string | null, keepUntil: number): Write {
  if (!doc) throw new Error('a payment is claimed and settled with its documents');
  return { key: doc.key, version: doc.version, value, keepUntil };
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('only a proven wallet pays');
  return value;
}
