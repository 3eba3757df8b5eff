import { INVISIBLE } from '../../src/wallet/invisible.ts';
import { PICTURES } from '../../src/wallet/letters.ts';

/**
 * A person's name in any script: one line of 2 to 50 characters with at least two letters (Partner API v2.3, "Limits",
 * beneficiary name). We take the same limit for a voucher's name, which is not shown in v2.3. Pictures are left out of it:
 * a receipt and a bank's list would carry them.
 */
export function readBeneficiary(text: string): string | undefined {
  const visible = text.normalize('NFC').replace(/\s+/g, ' ').replace(INVISIBLE, '').replace(PICTURES, '');
  const name = visible.replace(/ {2,}/g, ' ').trim();
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  return letters >= 2 && [...name].length <= 50 ? name : undefined;
}
