import type { Reply } from '../../conversation/incoming.ts';
import { latinDigits } from '../../wallet/digits.ts';
import { oneTimeCodeIn } from '../../wallet/sent-codes.ts';
import type { Labels } from './page.ts';

/** Far above any password. */
const PASSWORD_MAX_CHARS = 200;
/** A whole SMS that was pasted. */
const SMS_MAX_CHARS = 320;

/** How one kind of secret is asked for on the page, and read from it. */
export interface Field {
  readonly label: (labels: Labels) => string;
  /** Digits have a keypad, and are sent when they are complete. */
  readonly digits?: number;
  readonly maxChars: number;
  readonly autocomplete: 'one-time-code' | 'off';
  /** The sentence for an entry of the wrong kind. Such an entry does not use up the form. */
  readonly wrong: (labels: Labels) => string;
  /** The value for the conversation. Undefined where the text is not of this kind. */
  readonly read: (typed: string) => string | undefined;
}

const pin = {
  digits: 4,
  maxChars: 4,
  autocomplete: 'off',
  wrong: (labels) => labels.pinFormat,
  read: (typed) => digitsIn(typed, 4),
} satisfies Partial<Field>;

/** The fields by the kind that the screen expects (Partner API v2.3, Limits: a PIN has 4 digits, a code is `xxx-xxx`). */
const FIELDS: Partial<Readonly<Record<Reply['screen']['expects'], Field>>> = {
  pin: { ...pin, label: (labels) => labels.askPin },
  newPin: { ...pin, label: (labels) => labels.askNewPin },
  otp: {
    digits: 6,
    maxChars: SMS_MAX_CHARS,
    autocomplete: 'one-time-code',
    label: (labels) => labels.askOtp,
    wrong: (labels) => labels.otpFormat,
    read: oneTimeCodeIn,
  },
  password: {
    maxChars: PASSWORD_MAX_CHARS,
    autocomplete: 'off',
    label: (labels) => labels.askPassword,
    wrong: (labels) => labels.passwordFormat,
    read: (typed) => (typed !== '' && typed.length <= PASSWORD_MAX_CHARS ? typed : undefined),
  },
};

export function fieldOf({ expects }: Reply['screen']): Field | undefined {
  return FIELDS[expects];
}

/** The text of a field that was sent. */
export function textIn(given: Pick<FormData | URLSearchParams, 'get'>, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value : '';
}

/** So many digits, in any script, however they are grouped. */
function digitsIn(typed: string, count: number): string | undefined {
  const digits = latinDigits(typed).replaceAll(/[\s-]/g, '');
  return /^\d+$/.test(digits) && digits.length === count ? digits : undefined;
}
