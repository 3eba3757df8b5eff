import { z } from 'zod';
import { type BindSettings, readBind } from '../channels/smpp/settings.ts';
import { readHttpSms } from '../channels/sms/http.ts';
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

/** Binds to SMSCs: `smpp://name:password@host:2775?for=ussd`. A refusal quotes none, as each has a password. */
export const smppBinds = list.transform((all, context): readonly BindSettings[] =>
  all.map(readBind).flatMap((bind, i) => {
    if (typeof bind !== 'string') return [bind];
    context.addIssue({
      code: 'custom',
      message: all.length > 1 ? `(${i + 1} of ${all.length}) ${bind}` : bind,
    });
    return [];
  }),
);

/** How a provider of SMS is asked over HTTP, as JSON. A refusal names its parts, and quotes none. */
export const httpSms = z
  .string()
  .transform((text, context) => {
    const read = readHttpSms(text);
    if (!('parts' in read)) return read;
    const look = [...new Set(read.parts)].join(', ');
    context.addIssue({
      code: 'custom',
      message: `must be JSON as docs/operator/sms.md has it (look at ${look})`,
    });
    return z.NEVER;
  })
  .optional();
