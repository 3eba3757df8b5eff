import { DIALECTS, type Dialect, type DialectName } from './dialects.ts';

const PORT = 2775;
const TLS_PORT = 3550;
const WINDOW_DEFAULT = 10;
const WINDOW_MAX = 1_000;
/** SMPP 3.4, 5.2.1 and 5.2.2: a name has 15 characters, a password 8, each behind a zero. Many take longer passwords. */
const NAME_MAX_CHARS = 15;
const TYPE_MAX_CHARS = 12;

interface Use {
  /** An SMSC that knows no transceiver has one bind for SMS out, and one for SMS in. */
  readonly command: 'bind_transceiver' | 'bind_transmitter' | 'bind_receiver';
  readonly ussd: boolean;
  readonly sms: boolean;
  readonly sendsSms: boolean;
}

/** One bind to an SMSC, as a URL says it. */
export interface BindSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly use: Use;
  /** One process of all holds it, or each holds one of its own. */
  readonly heldBy: 'one' | 'each';
  /** Requests without an answer at one time. */
  readonly window: number;
  readonly ussd: Dialect;
  /** The sender of SMS. */
  readonly from: string;
  /** How a long SMS is sent: in parts with a header, in parts with `sar_…` TLVs, or as one. */
  readonly long: 'udh' | 'sar' | 'payload';
}

const BOTH: Use = { command: 'bind_transceiver', ussd: true, sms: true, sendsSms: true };
const USES: Readonly<Record<string, Use>> = {
  both: BOTH,
  ussd: { ...BOTH, sms: false, sendsSms: false },
  sms: { ...BOTH, ussd: false },
  'sms-out': { ...BOTH, ussd: false, command: 'bind_transmitter' },
  'sms-in': { ...BOTH, ussd: false, sendsSms: false, command: 'bind_receiver' },
};
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  for: Object.keys(USES),
  held: ['each', 'one'],
  ussd: Object.keys(DIALECTS),
  long: ['udh', 'sar', 'payload'],
};
const KNOWN = [...Object.keys(CHOICES), 'type', 'window', 'from'];

/**
 * Reads `smpp://name:password@host:2775?for=ussd`. Gives the bind, or the reason why it is none, which does not quote
 * it: it holds a password.
 */
export function readBind(text: string): BindSettings | string {
  if (!URL.canParse(text)) return 'must be addresses such as smpp://name:password@host:2775';
  const url = new URL(text);
  if (!/^s?smpp:$/.test(url.protocol) || !url.hostname) return 'must begin with smpp:// or ssmpp://';
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.includes(name));
  if (unknown) return `knows no ${unknown} behind the ? (there are ${KNOWN.join(', ')})`;
  const [systemId, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  if (!systemId || systemId.length > NAME_MAX_CHARS || !password)
    return `needs a name of at most ${NAME_MAX_CHARS} characters and a password`;
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = url.searchParams.get(name);
    if (value !== null && !allowed.includes(value))
      return `has ${name}=…, which must be ${allowed.join(' or ')}`;
  }
  const given = (name: string, otherwise: string) => url.searchParams.get(name) ?? otherwise;
  const [type, window, from] = [
    given('type', ''),
    Number(given('window', `${WINDOW_DEFAULT}`)),
    given('from', ''),
  ];
  if (type.length > TYPE_MAX_CHARS) return `has a type of more than ${TYPE_MAX_CHARS} characters`;
  if (!(Number.isInteger(window) && window >= 1 && window <= WINDOW_MAX))
    return `has window=…, which must be 1 to ${WINDOW_MAX}`;
  const use = USES[given('for', 'both')] ?? BOTH;
  if (use.sendsSms && !/^(?:\+?\d{3,15}|[\w .-]{1,11})$/.test(from))
    return 'needs from=…, the sender of SMS: a number, or at most 11 letters and digits (or for=ussd)';
  if (given('held', 'each') === 'one' && use.sendsSms)
    return 'with held=one needs for=ussd or for=sms-in, as every process sends SMS';
  const tls = url.protocol === 'ssmpp:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port ? Number(url.port) : tls ? TLS_PORT : PORT,
    ...{ tls, systemId, password, systemType: type, window, from },
    use,
    heldBy: given('held', 'each') as BindSettings['heldBy'],
    ussd: DIALECTS[given('ussd', 'plain') as DialectName],
    long: given('long', 'udh') as BindSettings['long'],
  };
}

/** The bind as logs and reports name it: without its password. */
export function nameOf({ systemId, host, port }: BindSettings): string {
  return `${systemId}@${host}:${port}`;
}
