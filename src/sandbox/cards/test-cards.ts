import { passesLuhn } from '../../wallet/bank-cards.ts';
import { refuse } from '../core/refusal.ts';

/** Why a card payment ended as it did (`REASON_CODE`), and the `RESPONSE_CODE` it has: those of ISO 8583, field 39. */
export const RESPONSE_CODES = {
  SUCCESS: 0,
  DECLINED: 5,
  CANCELED: 17,
  INSUFFICIENT_FUNDS: 51,
  EXPIRED_CARD: 54,
  LIMIT_EXCEEDED: 61,
  AUTHENTICATION_FAILED: 63,
  SESSION_EXPIRED: 68,
  INVALID_CVV: 82,
} as const;
export type Reason = keyof typeof RESPONSE_CODES;

/** The code of 3D Secure. Any other code is wrong. */
export const THREE_DS_CODE = '123456';
/** The one CVV that the issuer of every card refuses. */
export const WRONG_CVV = '000';

interface TestCard {
  readonly pan: string;
  readonly means: string;
  /** The issuer's answer. Absent: SUCCESS. */
  readonly says?: Reason;
}

const card = (pan: string, means: string, says?: Reason): TestCard => ({ pan, means, ...(says && { says }) });

/**
 * Card numbers that make something happen. All are test numbers that no bank issues. Any other number that passes the Luhn
 * check is a Moroccan card that is accepted. The real sandbox's card is not shown in v2.3 ("Sandbox onboarding rules" 5).
 */
export const TEST_CARDS = {
  accepted: card('4242424242424242', 'accepted'),
  declined: card('4000000000000002', 'declined by its issuer', 'DECLINED'),
  insufficientFunds: card('4000000000009995', 'declined: not enough money on it', 'INSUFFICIENT_FUNDS'),
  expired: card('4000000000000069', 'declined: its issuer says that it has expired', 'EXPIRED_CARD'),
  forgedReturn: card(
    '4000000000003220',
    'declined, but the browser comes back to acceptUrl and says SUCCESS, as a forged return does',
    'DECLINED',
  ),
  threeDsFails: card('4000008400001629', '3D Secure fails, even with the right code'),
  international: card(
    '4000008260000000',
    'an international card: only accepted with allowInternationalCards',
  ),
  settlementRefused: card(
    '4000000000000259',
    'accepted, but the gateway refuses its capture, reversal and refund (unless SkipGatewayCall)',
  ),
  withoutCvv: card('4000000000000077', 'accepted; saved by an agent, it needs no CVV again'),
} satisfies Record<string, TestCard>;
type CardKind = keyof typeof TEST_CARDS;

const KINDS: ReadonlyMap<string, CardKind> = new Map(
  Object.entries(TEST_CARDS).map(([kind, { pan }]) => [pan, kind as CardKind]),
);

/** The sandbox's note of a card. It holds neither the number nor a digest of it, which would be guessed in seconds. */
export interface Card {
  readonly last4: string;
  readonly scheme: string;
  readonly issuer: string;
  readonly kind: CardKind;
  /** YYMM. */
  readonly expiryDate: string;
}

/** Reads the number and expiry of a card: 90200 for what is no card's number, 90201 for one whose month has passed. */
export function readCard(pan: string, expiryDate: string, now: number): Card {
  if (!passesLuhn(pan)) refuse('cardNumberInvalid');
  if (hasExpired(expiryDate, now)) refuse('cardExpired');
  const kind = KINDS.get(pan) ?? 'accepted';
  const issuer = kind === 'international' ? 'Bank of Elsewhere (test)' : 'Banque Zellige (test)';
  return { last4: pan.slice(-4), scheme: schemeOf(pan), issuer, kind, expiryDate };
}

/** True once the month of a YYMM is over. */
export function hasExpired(expiryDate: string, now: number): boolean {
  const [year, month] = [Number(expiryDate.slice(0, 2)), Number(expiryDate.slice(2))];
  return Date.UTC(2000 + year, month) <= now;
}

/** The issuer's answer when it is asked, whatever 3D Secure said before. */
export function verdictOn({ kind }: Pick<Card, 'kind'>, cvv: string): Reason {
  if (cvv === WRONG_CVV) return 'INVALID_CVV';
  const { says = 'SUCCESS' }: TestCard = TEST_CARDS[kind];
  return says;
}

export function maskedPan(last4: string): string {
  return `**** ${last4}`;
}

function schemeOf(pan: string): string {
  if (pan.startsWith('4')) return 'VISA';
  return /^(?:5[1-5]|2[2-7])/.test(pan) ? 'MASTERCARD' : 'CMI';
}
