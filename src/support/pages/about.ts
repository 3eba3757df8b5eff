import type { Desk } from '../../conversation/desk/desk.ts';
import type { Address } from '../../conversation/incoming.ts';

/** The customer of a session, as the audit has them. Nothing where the customer is not known. */
export async function aboutWhom(
  { desk }: { readonly desk: Pick<Desk, 'session'> },
  address: Address,
): Promise<{ readonly about?: string }> {
  const wallet = (await desk.session(address))?.wallet;
  return wallet ? { about: wallet } : {};
}
