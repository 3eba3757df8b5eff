import type { Raw } from '../../conversation/incoming.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Digest } from '../digest.ts';

/** One request of a gateway, understood. */
export interface UssdTurn {
  readonly phone: Msisdn;
  /** The gateway's session, as the dialect names it. */
  readonly session: string;
  /** The same over every repeat of this request, and of no other, as far as the gateway lets us tell. */
  readonly id: string;
  /** What was typed: everything since the dial where the gateway says it all, else the latest. A bare dial: nothing. */
  readonly inputs: readonly Raw[];
  /** Fields the gateway wants back. */
  readonly echo?: Readonly<Record<string, string>>;
}

/** Why a request cannot be taken: `malformed` is the gateway's fault, `foreign` a number that no wallet can have. */
export type UssdReading =
  | { readonly kind: 'turn'; readonly turn: UssdTurn }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'foreign'; readonly echo?: Readonly<Record<string, string>> };

/** One page for the handset. */
export interface UssdPage {
  readonly text: string;
  /** True: the session is over and nothing can be answered. */
  readonly ends: boolean;
  /** The name of the step for the gateway's dashboard: a screen key, never data. */
  readonly step: string;
  readonly echo?: Readonly<Record<string, string>>;
}

/** How one gateway speaks. A dialect reads and writes; it knows no conversation. */
export interface UssdDialect {
  /** Its place in the URL: `POST /ussd/<name>`. */
  readonly name: string;
  /** @param serviceCode what customers dial, `*123#`. */
  read(body: string, serviceCode: string, digest: Digest): UssdReading;
  write(page: UssdPage): Response;
}

/** Far above what a handset can send in one answer (182 septets), far below what could hurt. */
const ANSWER_MAX_CHARS = 300;
/** A session lasts at most 180 s (facts of every gateway): nobody types more. */
const ANSWERS_MAX = 100;

/** True for answers as a handset can send them. */
export function plausible(answers: readonly string[]): boolean {
  return answers.length <= ANSWERS_MAX && answers.every((answer) => answer.length <= ANSWER_MAX_CHARS);
}

/**
 * A typed answer as an input. A lone `0` and `00` mean back and menu on every screen. `98` and `99` mean more and help
 * on choice screens only (design rule 11), and a channel does not know the screen: the engine reads them.
 */
export function typed(answer: string): Raw {
  const text = answer.trim();
  if (text === '0') return { type: 'went', to: 'back', typed: text };
  if (text === '00') return { type: 'went', to: 'menu', typed: text };
  return { type: 'said', text };
}
