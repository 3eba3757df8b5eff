const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * How someone is called, in any script: one line of 2 to 50 characters with at least two letters (Partner API v2.3,
 * "Limits", beneficiary name; that a voucher's may not be longer than 50 is not shown).
 */
export function readBeneficiary(text: string): string | undefined {
  const visible = text.normalize('NFC').replace(/\s+/g, ' ').replace(INVISIBLE, '');
  const name = visible.replace(/ {2,}/g, ' ').trim();
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  return letters >= 2 && [...name].length <= 50 ? name : undefined;
}
