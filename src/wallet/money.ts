/** Money inside Wasl: whole centimes of a dirham. Decimals exist only at the API's edge. */
export type Centimes = number & { readonly unit: 'centimes' };

/** The largest amount a customer can type: far above every wallet limit, far below lost precision. */
export const AMOUNT_MAX_CENTIMES = 100_000_000 as Centimes;

/** Brands a whole number of centimes. Throws on fractions: that is a bug, never a customer's mistake. */
export function centimes(whole: number): Centimes {
  if (!Number.isSafeInteger(whole)) throw new Error(`not a whole number of centimes: ${whole}`);
  return whole as Centimes;
}

/** Reads the API's decimal dirhams (`200.5`) as centimes. More than two decimals are rounded half up. */
export function fromDecimal(dirhams: number): Centimes {
  return centimes(Math.round(Number(`${dirhams}e2`)));
}

/** An amount in JSON with more than two decimals, or written with an exponent. */
const FINE_AMOUNT = /"\w*(?:amount|balance|price|prix|montant)\w*"\s*:\s*-?[\d.]*(?:\.\d{3}|\de-)/i;
const AMOUNT_NAME = /amount|balance|price|prix|montant/i;
/** Sums of binary fractions miss the centime by far less than this. */
const DUST_CENTIMES = 1e-6;

/**
 * Parses JSON of the wallet, and throws where it is none. Dust of floating point (`1.4e-14`) is rounded to the centime.
 * An amount with a real part of a centime becomes text: no reader takes it for an amount.
 */
export function parseAmounts(json: string): unknown {
  if (!FINE_AMOUNT.test(json)) return JSON.parse(json);
  return JSON.parse(json, (name, value) => {
    if (typeof value !== 'number' || !AMOUNT_NAME.test(name)) return value;
    const whole = Math.round(value * 100);
    // Zero may be left negative, which would be shown.
    return Math.abs(value * 100 - whole) < DUST_CENTIMES ? whole / 100 + 0 : String(value);
  });
}

/** Writes centimes as the API's decimal dirhams. */
export function toDecimal(amount: Centimes): number {
  return amount / 100;
}
