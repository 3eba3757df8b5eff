const BIRTH_YEAR_MIN = 1900;
const UPWARDS = '01234567890';
const DOWNWARDS = '09876543210';
/** The middle column of a keypad, which many choose. */
const COLUMN: ReadonlySet<string> = new Set(['2580', '0852']);

/**
 * True for a PIN that somebody who finds the phone tries first: digits in a row, up or down (1234), one digit or one pair repeated (0000, 1212), or
 * two of each (1122). So are the middle column of the keypad, and any year in which a customer may be born.
 * @param at the moment in ms since 1970
 */
export function isWeakPin(pin: string, at: number): boolean {
  const year = Number(pin);
  const isBirthYear = year >= BIRTH_YEAR_MIN && year <= new Date(at).getUTCFullYear();
  return (
    isBirthYear || UPWARDS.includes(pin) || DOWNWARDS.includes(pin) || REPEATED.test(pin) || COLUMN.has(pin)
  );
}

const REPEATED = /^(\d\d)\1$|^(\d)\2(\d)\3$/;
