/**
 * Makes a payment's document anonymous: the pseudonym replaces the customer's number, addresses and names. The order, the
 * payee, the moments and the end stay.
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
