import type { Pdu } from 'smpp';
import type { SmsReceipt } from '../sms/sms.ts';
import { textIn } from './text.ts';

/** `esm_class` of a report: of a delivery, or of a step before one (SMPP 3.4, 5.2.12). */
const RECEIPT = 0x04;
const KIND = 0x3c;

/** `message_state` (5.2.28) and its word in a receipt. The others say that nothing is decided yet. */
const ENDS: Readonly<Record<string, SmsReceipt['status']>> = {
  ...{ 2: 'delivered', DELIVRD: 'delivered' },
  ...{ 3: 'failed', 4: 'failed', 5: 'failed', 8: 'failed' },
  ...{ EXPIRED: 'failed', DELETED: 'failed', UNDELIV: 'failed', REJECTD: 'failed' },
};

/** True for a report on an SMS of ours, and not a message of a customer. */
export function isReceipt({ esm_class = 0 }: Pdu): boolean {
  return (esm_class & KIND) === RECEIPT;
}

/** The status in a receipt. Undefined where nothing is decided, or where it cannot be read. TLVs count more than the text. */
export function receiptIn(pdu: Pdu): SmsReceipt | undefined {
  const text = textIn(pdu);
  const id = pdu.receipted_message_id?.trim() || /\bid:(\S+)/i.exec(text)?.[1];
  const state = pdu.message_state ?? /\bstat:(\w+)/i.exec(text)?.[1]?.toUpperCase();
  const status = ENDS[`${state}`];
  return id && status ? { id, status } : undefined;
}

/** An SMSC whose answers and receipts write ids in different bases writes them so for ever. */
const BASES = [
  (id: string) => id,
  // Its receipts are decimal, and its answers hexadecimal.
  (id: string) => (/^\d{1,30}$/.test(id) ? BigInt(id).toString(16) : undefined),
  // The other way round.
  (id: string) => (/^[\da-f]{1,30}$/i.test(id) ? BigInt(`0x${id}`).toString() : undefined),
] as const;
const KEPT_IDS_MAX = 5_000;

/**
 * The ids of sent SMS, to find the one that a receipt means: some SMSCs write them in hexadecimal in one direction and
 * in decimal in the other. It is learnt from the first receipt that fits in one way only.
 */
export class SentIds {
  readonly #sent = new Map<string, string>();
  #base: (typeof BASES)[number] = BASES[0];

  add(id: string): void {
    // Some SMSCs give none.
    if (id) this.#sent.set(plain(id), id);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > KEPT_IDS_MAX && oldest !== undefined) this.#sent.delete(oldest);
  }

  /** The id as the SMSC gave it when it took the SMS, as far as this process can know. */
  named(id: string): string {
    const fitting = BASES.filter((base) => this.#sent.has(plain(base(id) ?? '')));
    const [only] = fitting;
    if (fitting.length === 1 && only) this.#base = only;
    const name = this.#base(id) ?? id;
    return this.#sent.get(plain(name)) ?? name;
  }
}

function plain(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '');
}
