import type { CashInWay } from '../../../machines/kit/effects.ts';
import type { Language } from '../incoming.ts';

/** How this operator's customers pay cash in and take it out. */
export interface CashSettings {
  /** Where cash is paid in; with both the customer is asked. */
  readonly ways: readonly [CashInWay, ...CashInWay[]];
  /** What the counters of the bill network charge, in percent: who pays it is not shown (open question 71). */
  readonly feesPercent: number;
  /** How long a reference can be used; absent: not known (open question 28). */
  readonly validHours?: number;
  /** Where to go, one sentence in each language. */
  readonly points?: Readonly<Record<Language, string>>;
  /** Where `points` says nothing: the principal agent whose retail agents are named. */
  readonly principalAgent?: string;
  /** The operator's own principal agent, whom administrators act for; absent: nobody does here. */
  readonly ownAgent?: string;
  /** A reference is sent by SMS where its screen vanishes. */
  readonly sms: boolean;
}

/** References are paid in at agents, and nothing more is known of them. */
export const CASH_DEFAULTS: CashSettings = { ways: ['agents'], feesPercent: 0, sms: true };
