import type { CallOutcome } from './turn-event.ts';

/** True for an outcome that was of no use to the customer. */
const IS_FAILURE: Readonly<Record<CallOutcome['kind'], boolean>> = {
  ok: false,
  refused: true,
  unfit: true,
  unsent: true,
  unknown: true,
  accepted: false,
  rejected: true,
  settled: false,
  busy: false,
  sent: false,
  later: true,
  noSms: false,
  tooMany: false,
  unchecked: false,
  right: false,
  wrong: false,
  expired: false,
  differ: false,
  same: false,
  number: false,
  either: false,
  billNetwork: false,
  inVain: false,
  notYours: false,
  notNow: false,
  own: false,
  stopped: false,
  none: false,
  twice: false,
};

/** True for a call to the wallet that did not do what it was for. One with an outcome of a later release has not. */
export function hasFailed({ outcome }: { readonly outcome: Pick<CallOutcome, 'kind'> }): boolean {
  return IS_FAILURE[outcome.kind] === true;
}

/** An outcome for readers of code and logs: `refused 20005`. */
export function outcomeCode({ kind, code }: CallOutcome): string {
  return [kind, code].filter(Boolean).join(' ');
}
