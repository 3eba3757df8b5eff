/** Answers that are shown as dots (`machines/kit/screen.ts`). */
export const SECRETS = new Set(['pin', 'newPin', 'otp', 'password', 'reference']);

/** How the field for each kind of answer behaves. */
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
