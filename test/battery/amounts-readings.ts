/**
 * Every way in which a person could read a written amount, in centimes. It is an independent second opinion, from the
 * marks alone. A mark separates decimals or thousands. A space separates thousands only.
 */
export function humanReadings(text: string): number[] {
  const digits = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));
  const groups = digits.split(/[ .,]/);
  const marks = digits.replace(/[0-9]/g, '');
  if (/[^0-9 .,]/.test(digits) || groups.includes('')) return [];
  const readings = new Set<number>();
  if (isGrouped(groups, marks)) readings.add(Number(groups.join('')) * 100);
  const last = marks.at(-1);
  const whole = groups.slice(0, -1);
  if (last && last !== ' ' && !marks.slice(0, -1).includes(last) && isGrouped(whole, marks.slice(0, -1))) {
    readings.add(Math.round(Number(`${whole.join('')}.${groups.at(-1)}e2`) * 1e6) / 1e6);
  }
  return [...readings];
}

/** One group, or groups of three after the first, all separated by the same mark. */
function isGrouped(groups: readonly string[], marks: string): boolean {
  if (groups.length === 1) return true;
  const [first = '', ...rest] = groups;
  const isSame = new Set(marks).size === 1;
  return isSame && first.length <= 3 && rest.every((group) => group.length === 3);
}
