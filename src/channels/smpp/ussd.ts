import type { Pdu } from 'smpp';
import { thrown } from '../../log/thrown.ts';
import { latestAnswer, type UssdEnd, type UssdGateway } from '../ussd/dialect.ts';
import { type Dialect, OP, SMPP } from './dialects.ts';
import type { Link } from './link.ts';
import { coded, textIn, whole } from './text.ts';

/** A page that could not leave by then has no reader. */
const PAGE_MS = 8_000;
/** Turns under way on one process. The engine has a limit of its own: this one keeps a flood out of its queue. */
const TURNS_MAX = 1_000;
/** A session lasts at most 180 s (facts of every gateway). */
const DIALOGUE_MS = 180_000;
const DIALOGUES_MAX = 50_000;

interface Dialogue {
  readonly phoneNumber: string;
  readonly session: string;
}

/** USSD over SMPP: a dialogue is answered on the link that it came in on, and is over when that link is. */
export class UssdOverSmpp {
  readonly #gateway: UssdGateway;
  /** The open dialogues of each link, the oldest first, with the time of their last request. */
  readonly #open = new WeakMap<Link, Map<string, Dialogue & { readonly at: number }>>();
  #turns = 0;

  constructor(gateway: UssdGateway) {
    this.#gateway = gateway;
  }

  /** Serves one request. Never rejects: the SMSC has its answer already. `busy`: too many are under way. */
  async serve(pdu: Pdu, link: Link, dialect: Dialect): Promise<'busy' | undefined> {
    if (this.#turns >= TURNS_MAX) return 'busy';
    link.acknowledge(pdu);
    this.#turns++;
    try {
      await this.#turn(pdu, link, dialect);
    } catch (error) {
      this.#gateway.log.say('An error ended turns', { channel: 'ussd', gateway: SMPP, ...thrown(error) });
    } finally {
      this.#turns--;
    }
    return undefined;
  }

  /** Says of every dialogue of a link that it is over: what its page had to say goes another way. */
  async lost(link: Link): Promise<void> {
    const since = Date.now() - DIALOGUE_MS;
    const open = [...(this.#open.get(link)?.values() ?? [])];
    this.#open.delete(link);
    for (const { at, ...contact } of open) {
      if (at > since) await this.#gateway.take({ ...contact, over: 'abort' });
    }
  }

  async #turn(pdu: Pdu, link: Link, dialect: Dialect): Promise<void> {
    const { source_addr: phoneNumber = '', ussd_service_op: op } = pdu;
    const contact = { phoneNumber, session: dialect.session(pdu) ?? 'none' };
    if (op === OP.noticeShown) return;
    const isDial = op === OP.dialled || op === OP.dialledNotice;
    if (dialect.isOver?.(pdu) || (!isDial && op !== OP.answered)) return this.#over(contact, link);
    // An SMSC uses the names of its sessions again, and soon.
    if (isDial) await this.#over(contact, link);
    this.#note(contact, link);
    const { serviceCode } = this.#gateway;
    const { answers } = latestAnswer(textIn(pdu), { isDial, serviceCode });
    const repeatKey = isDial ? undefined : dialect.repeatKey?.(pdu);
    const page = await this.#gateway.take({ ...contact, answers, repeatKey });
    if (page.refused !== undefined) return this.#over(contact, link);
    const sent = await link.submit(
      {
        service_type: pdu.service_type || 'USSD',
        source_addr: pdu.destination_addr,
        source_addr_ton: pdu.dest_addr_ton,
        source_addr_npi: pdu.dest_addr_npi,
        destination_addr: phoneNumber,
        dest_addr_ton: pdu.source_addr_ton,
        dest_addr_npi: pdu.source_addr_npi,
        ...whole(coded(page.text)),
        ussd_service_op: page.ends ? dialect.endOp : OP.ask,
        ...dialect.tlvs(pdu, page.ends),
      },
      PAGE_MS,
    );
    if (page.ends) this.#open.get(link)?.delete(keyOf(contact));
    if (sent.status === 'taken') return;
    this.#gateway.log.say('A USSD page could not be sent', { gateway: SMPP, ...sent });
    // A page whose answer is lost may have been shown.
    await this.#over(contact, link, sent.status === 'unknown' ? {} : { unseen: true });
  }

  async #over(contact: Dialogue, link: Link, page: Pick<UssdEnd, 'unseen'> = {}): Promise<void> {
    this.#open.get(link)?.delete(keyOf(contact));
    await this.#gateway.take({ ...contact, ...page, over: 'abort' });
  }

  #note(contact: Dialogue, link: Link): void {
    const open = this.#open.get(link) ?? new Map();
    this.#open.set(link, open);
    open.delete(keyOf(contact));
    open.set(keyOf(contact), { ...contact, at: Date.now() });
    const [oldest] = open.keys();
    if (open.size > DIALOGUES_MAX) open.delete(oldest);
  }
}

function keyOf({ phoneNumber, session }: Dialogue): string {
  return `${phoneNumber} ${session}`;
}

/** True for a request of a USSD session, and not an SMS. */
export function isUssd({ ussd_service_op, service_type }: Pdu): boolean {
  return ussd_service_op !== undefined || service_type === 'USSD';
}
