import { type Intent, intentCodec } from '../conversation/intents/intent.ts';
import { namesOf } from '../conversation/intents/search-names.ts';
import type { KeyedDoc } from '../store/codec.ts';
import type { Row } from '../store/steps.ts';
import type { PaymentRow } from './records.ts';

/** How long after its last step a payment may be looked at in the live store: longer than it is reconciled, and webhooks come. */
export const LEAVES_AFTER_MS = 4 * 24 * 3_600_000;

/** Without a star, as a plan that is kept outlives no change of its columns. */
export const PAYMENT = 'SELECT id, wallet, "sentAt", state, steps, names, document, "lookAt" FROM payment';

/** The row of a payment, or undefined for no document or one that this release cannot read. */
export function paymentRowOf(doc: KeyedDoc): PaymentRow | undefined {
  const intent = intentCodec.readable(doc);
  if (!intent) return undefined;
  const { id, wallet, sentAt, state, audit } = intent;
  return {
    id,
    wallet,
    sentAt,
    state,
    steps: audit.length,
    names: namesOf(intent),
    document: doc.value,
    lookAt: lastStepOf(intent) + LEAVES_AFTER_MS,
  };
}

/** When something was last learnt of it, in ms since 1970. */
export function lastStepOf({ audit, sentAt }: Pick<Intent, 'audit' | 'sentAt'>): number {
  return Math.max(sentAt, audit.at(-1)?.[0] ?? 0);
}

/** A payment as it was kept. Throws `UnreadableDocument`. */
export function intentIn({ id, document }: PaymentRow): Intent {
  return intentCodec.parse(id, document);
}

/** Payments as a database gives them: SQLite keeps the names of a payment as JSON, and PostgreSQL writes large numbers as text. */
export function paymentsIn(rows: readonly Row[]): PaymentRow[] {
  return rows.map(({ names, sentAt, lookAt, ...row }) => {
    const list: unknown = typeof names === 'string' ? JSON.parse(names) : names;
    return {
      ...(row as Omit<PaymentRow, 'names' | 'sentAt' | 'lookAt'>),
      names: Array.isArray(list) ? list.map(String) : [],
      sentAt: Number(sentAt),
      lookAt: lookAt === null ? null : Number(lookAt),
    };
  });
}
