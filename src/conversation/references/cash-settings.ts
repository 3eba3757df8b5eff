import type { CashInWay } from '../../../machines/kit/effects.ts';
import type { Language } from '../incoming.ts';

/** A step of the operator's tariff: the fee up to an amount. Without `upToDirhams`: of all above. */
export interface FeeStep {
  readonly feeDirhams: number;
  readonly upToDirhams?: number;
}

/** How this operator's customers pay cash in and take it out. */
export interface CashSettings {
  /** The places where cash is paid in. With both, the customer is asked. */
  readonly ways: readonly [CashInWay, ...CashInWay[]];
  /** The fee of the bill network's counters, in percent. v2.3 does not show who pays it (open question 71). */
  readonly feesPercent: number;
  /** The price of a withdrawal. v2.3 has no preview of one (open question 66). Empty: not known. */
  readonly outFees?: readonly FeeStep[];
  /** How long a reference can be used. Absent: not known (open question 28). */
  readonly validHours?: number;
  /** The places to go, one sentence in each language. */
  readonly points?: Readonly<Record<Language, string>>;
  /** Without `points`: the principal agent whose retail agents are named. */
  readonly principalAgent?: string;
  /** The operator's own principal agent, for whom administrators act. Absent: nobody acts for one here. */
  readonly ownAgent?: string;
  /** A reference is sent by SMS where its screen vanishes. */
  readonly sms: boolean;
}

/** References are paid in at agents, and nothing more is known of them. */
export const CASH_DEFAULTS: CashSettings = { ways: ['agents'], feesPercent: 0, sms: true };
