import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { coded, whole } from '../../../src/channels/smpp/text.ts';
import { gsm7Octets } from '../../../src/screen/gsm7.ts';
import { freePort } from '../../kit/free-port.ts';

/** What the SMSC says that has happened. */
export interface Told {
  readonly did: string;
  readonly link?: number;
  readonly [field: string]: unknown;
}

export interface Smsc {
  readonly port: number;
  /** Everything so far. */
  readonly told: readonly Told[];
  /** The first thing of this kind that no earlier `next` has given, once it has happened. */
  next(did: string, is?: (told: Told) => boolean): Promise<Told>;
  /** Drops what has happened. An SMSC that many tests share does so between them. */
  forget(): void;
  tell(order: Readonly<Record<string, unknown>>): void;
  /** It answers nothing, and its connections stay. */
  freeze(isFrozen: boolean): void;
  kill(): Promise<void>;
}

/** The text of a page or SMS, whatever its alphabet. */
export function textOf(told: Told): string {
  const octets = Buffer.from(`${told.payload || told.short}`, 'hex');
  if (told.coding === 8) return octets.swap16().toString('utf16le');
  return octets.toString('hex').replace(/1b..|../g, (code) => LETTERS.get(code) ?? '?');
}

interface Typed {
  /** Of the phone, without its plus. */
  readonly number: string;
  /** The session: four hexadecimal digits. */
  readonly info: string;
  /** What was typed. On a dial it is all of `*123*1#`. */
  readonly text: string;
  readonly isDial: boolean;
}

/** Sends what a phone behind the SMSC has typed, and gives the page that it then shows. */
export async function typedAt(smsc: Smsc, { number, info, text, isDial }: Typed): Promise<string> {
  smsc.tell({
    ...{ do: 'deliver', source_addr: number, source_addr_ton: 1, source_addr_npi: 1 },
    ...{ destination_addr: '123', service_type: 'USSD', its_session_info: info },
    ...{ ussd_service_op: isDial ? 1 : 18, ...textFields(text) },
  });
  return textOf(await smsc.next('submit', (told) => told.to === number && told.info === info));
}

/** The fields of a text for `tell`, in hexadecimal. */
export function textFields(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(whole(coded(text))).map(([name, each]) => [
      name,
      Buffer.isBuffer(each) ? each.toString('hex') : each,
    ]),
  );
}

/** The alphabet of GSM-7, by its octets. */
const LETTERS = new Map(
  Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code))
    .map((letter) => [letter, gsm7Octets(letter)] as const)
    .flatMap(([letter, octets]) => (octets ? [[Buffer.from(octets).toString('hex'), letter] as const] : [])),
);

/** What is waited for happens, on a machine however busy. */
const PATIENCE_MS = 60_000;

/** Starts an SMSC that others wrote: Perl's Net::SMPP (Debian: libnet-smpp-perl). */
export async function startSmsc(port?: number): Promise<Smsc> {
  const at = port ?? (await freePort());
  const child = spawn('perl', [fileURLToPath(new URL('./smsc.pl', import.meta.url)), `${at}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const told: Told[] = [];
  const given = new Set<Told>();
  const waiting = new Set<(each: Told) => boolean>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const happened: Told = JSON.parse(line);
    told.push(happened);
    for (const takes of waiting) if (takes(happened)) break;
  });
  const ended = once(child, 'exit');
  const smsc: Smsc = {
    port: at,
    told,
    next: (did, is = () => true) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(takes);
          reject(new Error(`the SMSC tells nothing of ${did}`));
        }, PATIENCE_MS);
        const takes = (each: Told) => {
          if (each.did !== did || given.has(each) || !is(each)) return false;
          given.add(each);
          waiting.delete(takes);
          clearTimeout(late);
          resolve(each);
          return true;
        };
        waiting.add(takes);
        told.some(takes);
      }),
    forget() {
      told.length = 0;
      given.clear();
    },
    tell: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    freeze: (isFrozen) => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  await Promise.race([
    smsc.next('listens'),
    ended.then(([code]) => {
      throw new Error(`Perl's Net::SMPP did not start (${code}): apt-get install libnet-smpp-perl`);
    }),
  ]);
  return smsc;
}
