import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import type { CardProgram } from '../../wallet/issued-cards.ts';
import type { Msisdn } from '../../wallet/phone.ts';

/** How long after it was asked for a request is looked at, and then again and again. */
const PENDING_LOOK_MS = 24 * 3_600_000;
/** The same for a card, which may be decided at once: after a quarter of an hour, then after twice as long each time. */
const CARD_LOOK_MS = 15 * 60_000;
/** A document that nobody has closed is deleted after this time, for whatever reason it is still there. */
const PENDING_KEPT_MS = 90 * 24 * 3_600_000;

/**
 * A request that the wallet decides in its own time: for a card, a higher account level, or money that a card has reserved for a merchant. It is
 * written in the commit that claims the call, so it is followed even where the answer is lost. It moves no money and holds back no payment.
 */
export type Pending = { readonly wallet: Msisdn /** In ms since 1970. */; readonly at: number } & (
  | {
      readonly kind: 'card-application';
      readonly program: CardProgram;
      /** The customer's applications that were there before. */
      readonly before: readonly number[];
    }
  | {
      readonly kind: 'upgrade';
      readonly level: number;
    }
  | {
      readonly kind: 'reservation';
      /** The payment that has reserved it, or was to. */
      readonly payment: string;
    }
);

/** A later release may follow other kinds of requests: those are left to it. */
export const pendingCodec = codec<Pending>(
  'pending request',
  (value) => isObject(value) && typeof value.kind === 'string' && typeof value.at === 'number',
);

const PREFIX = 'pending:';

/** @param ref the id of the call that has asked for it, which is also its `C-Request-Id` */
export function pendingKey(wallet: Msisdn, ref: string): string {
  return `${PREFIX}${wallet}:${ref}`;
}

/** How long an application for a card waits for its next look. */
export function cardLookMs(sinceMs: number): number {
  return Math.min(Math.max(sinceMs, CARD_LOOK_MS), PENDING_LOOK_MS);
}

/** How a request is written down, to be looked at so much later than `from`. */
export function pendingWrite(
  doc: KeyedDoc,
  pending: Pending,
  from: number,
  afterMs: number = PENDING_LOOK_MS,
): Write {
  const when = { dueAt: from + afterMs, keepUntil: pending.at + PENDING_KEPT_MS };
  return pendingCodec.write(doc, pending, when);
}

/** The writes after the answer to the request. A request that is proven not to have been made is not followed. */
export function settledWrites(docs: readonly KeyedDoc[], answer: { readonly kind: string }): Write[] {
  return answer.kind === 'refused' || answer.kind === 'unsent' ? docs.map(closed) : [];
}

/** Takes a request out of the store: there is nothing left to look at. */
export function closed({ key, version }: KeyedDoc): Write {
  return { key, version, value: null };
}
