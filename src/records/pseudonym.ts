/**
 * A payment's document in which its customer is not to be recognised: their number, their addresses and their names give way
 * to the pseudonym; what was paid, to whom, when and how it ended stays.
 * @param document an intent, as JSON
 */
export function pseudonymous(
  document: string,
  wallet: string,
  addresses: readonly string[],
  pseudonym: string,
): string {
  // The number is also a part of addresses, which come first.
  const hidden = [...addresses, wallet, wallet.replace('+', '')];
  return hidden.reduce((text, name) => text.replaceAll(inJson(name), inJson(pseudonym)), document);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
