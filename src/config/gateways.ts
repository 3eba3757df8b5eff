import type { ForGateway } from '../channels/ussd/door.ts';
import { GATEWAYS } from '../channels/ussd/gateways.ts';
import { list } from './list.ts';

/** A list whose entries may begin with a gateway's name. */
export const gatewayList = list.transform((all) => all.map(read));

function read(entry: string): ForGateway {
  const gateway = GATEWAYS.find(({ name }) => entry.startsWith(`${name}=`))?.name;
  return gateway ? { gateway, value: entry.slice(gateway.length + 1).trim() } : { value: entry };
}

/** The values of a list, whichever gateways they are for. */
export function valuesOf(entries: readonly (string | ForGateway)[]): readonly string[] {
  return entries.map((entry) => (typeof entry === 'string' ? entry : entry.value));
}

/** The SHA-256 fingerprint of a certificate, as `openssl x509 -fingerprint -sha256` prints it, or without colons. */
export const certificates = gatewayList
  .refine(
    (all) => all.every(({ value }) => /^[\dA-Fa-f]{64}$/.test(value.replaceAll(':', ''))),
    'must be SHA-256 fingerprints of certificates: 64 hexadecimal digits',
  )
  .transform((all) =>
    all.map((entry) => ({ ...entry, value: entry.value.replaceAll(':', '').toLowerCase() })),
  );
