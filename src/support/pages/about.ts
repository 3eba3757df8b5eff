import type { Desk } from '../../conversation/desk/desk.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { Msisdn } from '../../wallet/phone.ts';

/** The customer of a session, as the audit has them. Undefined where the customer is not known. */
export async function aboutWhom(
  { desk }: { readonly desk: Pick<Desk, 'session'> },
  address: Address,
): Promise<Msisdn | undefined> {
  return (await desk.session(address))?.wallet;
}
