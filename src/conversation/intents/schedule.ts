import { methodOf } from '../../payments/payments.ts';
import { type Intent, isOpen, needsPerson } from './intent.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After this time without a trace the customer reads that no operation was found. The intent is still watched. */
export const HORIZON_MS = 72 * HOUR_MS;
/** When an open intent is looked for, counted from the send: first in seconds, then every 5 min, then hourly, then daily. */
const FIRST_MS: readonly number[] = [5, 15, 30, 60, 120].map((seconds) => seconds * SECOND_MS);
const OFTEN = { everyMs: 5 * MINUTE_MS, untilMs: HOUR_MS } as const;
const SELDOM = { everyMs: HOUR_MS, untilMs: HORIZON_MS } as const;
/** The step for an outcome that takes days. */
const DAILY_MS = 24 * HOUR_MS;
/** A question that the wallet did not answer is asked again after these waits. The last wait is repeated. */
const ASKED_AGAIN_MS: readonly number[] = [5, 10, 20, 30, 60].map((seconds) => seconds * SECOND_MS);

/** So long after a success the list is read once more: the network may have carried the payment out twice. */
const LOOKED_AGAIN_MS = MINUTE_MS;
/** When a success is read again after the send, where no event tells that the wallet has taken it back. The second look reads it, too. */
const READ_AGAIN_MS: readonly number[] = [HOUR_MS, 24 * HOUR_MS];
/** How often people are reminded of a payment that only they can settle. */
const REMIND_MS = 24 * HOUR_MS;
/**
 * If the answer with the link to the bank's page was lost, nobody can continue. The call itself may reach the wallet
 * 15 minutes late (`match.ts`). By then the list shows operations that were made without that page.
 */
const LINK_LOST_MS = 20 * MINUTE_MS;
/**
 * A transaction that is said to have ended without money ends here sooner. Nobody has signed that, so the list has this
 * long to show the opposite, and a later event still corrects it.
 */
const DECLINED_MS = 2 * MINUTE_MS;

/**
 * The time of the next look for an intent, or of the next alert that it needs a person, in ms since 1970. Undefined
 * once nothing more is to be learnt about it. Only an answered question is a look. Until there is an answer, it is
 * asked again after a short wait, and the schedule goes on from there.
 */
export function nextCheck(intent: Intent, now: number): number | undefined {
  const isSecondLook = isLookedAgain(intent, now);
  const mayGoBack = mayBeTakenBack(intent);
  const isAsked = isSecondLook || isOpen(intent) || mayGoBack;
  if (isAsked && intent.unanswered) return now + askedAgainMs(intent.unanswered);
  if (isSecondLook) return Math.max(lookedAgainAt(intent), now + SECOND_MS);
  const age = now - intent.sentAt;
  const readAgain = mayGoBack && READ_AGAIN_MS.find((after) => after > age);
  if (readAgain) return intent.sentAt + readAgain;
  if (needsPerson(intent)) return now + REMIND_MS;
  if (!isOpen(intent)) return undefined;
  const { firstLooksMs = FIRST_MS } = methodOf(intent.order).followed;
  const first = firstLooksMs.find((after) => after > age);
  if (first !== undefined) return intent.sentAt + first;
  const { everyMs, untilMs } = pace(intent, age);
  const next = (Math.floor(age / everyMs) + 1) * everyMs;
  const ends = [untilMs, horizonMs(intent)].filter((end) => end > age);
  return intent.sentAt + Math.min(next, ...ends);
}

/** For how long the outcome of an intent is looked for, in ms since its send. */
export function horizonMs(intent: Pick<Intent, 'order' | 'state' | 'sentAt' | 'evidence'>): number {
  const { order, state, sentAt, evidence } = intent;
  const { followed, waitsFor } = methodOf(order);
  const { forMs = HORIZON_MS } = followed;
  if (waitsFor === 'customer' && state === 'unknown') return LINK_LOST_MS;
  const declined =
    state === 'accepted' && evidence.find((each) => each.kind === 'unfinished' && each.declined);
  return declined ? Math.min(forMs, declined.at - sentAt + DECLINED_MS) : forMs;
}

function pace(intent: Intent, ageMs: number): { readonly everyMs: number; readonly untilMs: number } {
  if (ageMs < OFTEN.untilMs) return OFTEN;
  const untilMs = horizonMs(intent);
  return ageMs < SELDOM.untilMs || untilMs <= SELDOM.untilMs ? SELDOM : { everyMs: DAILY_MS, untilMs };
}

/** True when the list is still to be read once more after a success that people have not settled. */
export function isLookedAgain(intent: Intent, now: number): boolean {
  const { state, evidence, sentAt, order } = intent;
  return (
    state === 'succeeded' &&
    !methodOf(order).listed.changesAnother &&
    now - sentAt < horizonMs(intent) &&
    !evidence.some(({ kind }) => kind === 'look-alikes' || kind === 'settled' || kind === 'earlier')
  );
}

/** True for a success that people have not settled, and of which no event tells that the wallet has taken it back. */
export function mayBeTakenBack({ state, evidence, order }: Intent): boolean {
  return (
    state === 'succeeded' &&
    methodOf(order).followed.takenBack === 'read' &&
    !evidence.some(({ kind }) => kind === 'settled' || kind === 'earlier')
  );
}

/** The moment of it, in ms since 1970: when a doubled request has had the time to be listed. */
export function lookedAgainAt({ evidence, sentAt }: Intent): number {
  return (evidence.at(-1)?.at ?? sentAt) + LOOKED_AGAIN_MS;
}

function askedAgainMs(unanswered: number): number {
  return ASKED_AGAIN_MS[Math.min(unanswered, ASKED_AGAIN_MS.length) - 1] ?? 0;
}
