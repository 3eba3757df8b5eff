/** Answers that are shown as dots (`machines/kit/screen.ts`). */
export const SECRETS = new Set(['pin', 'newPin', 'otp', 'password', 'reference']);

/** Four digits are an answer like any other here. Anywhere else they may be a PIN that nobody has asked for. */
const TAKES_NUMBERS = new Set(['amount', 'field']);

/** True for what is shown as dots at once. The server says of anything else whether it was a secret. */
export function isHidden(text, { expects }) {
  // A word that is typed where a PIN or a code is asked for, such as `annuler`, is none of them.
  if (SECRETS.has(expects)) return expects === 'password' || /\p{Nd}/u.test(text);
  return /^\p{Nd}{4}$/u.test(text) && !TAKES_NUMBERS.has(expects);
}

export const FIELDS = {
  amount: { inputMode: 'decimal' },
  account: { inputMode: 'numeric' },
  phone: { inputMode: 'tel', autocomplete: 'tel' },
  name: { autocomplete: 'name', autocapitalize: 'words' },
  nationalId: { autocapitalize: 'characters' },
  pin: { type: 'password', inputMode: 'numeric' },
  newPin: { type: 'password', inputMode: 'numeric' },
  otp: { inputMode: 'numeric', autocomplete: 'one-time-code' },
  password: { type: 'password' },
  reference: { inputMode: 'numeric', autocomplete: 'off' },
  field: { autocapitalize: 'off' },
};

/** How many files each of these takes, side by side. */
export const FILES = { document: 1, twoSided: 2 };
