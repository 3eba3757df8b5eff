import type { Pdu } from 'smpp';
import { type Lease, OWN } from '../../conversation/lease.ts';
import type { Log } from '../../log/lines.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { SmsEvents } from '../sms/routes.ts';
import type { SmsSender } from '../sms/sms.ts';
import type { UssdGateway } from '../ussd/dialect.ts';
import { Bind } from './bind.ts';
import type { Link } from './link.ts';
import { isReceipt, receiptIn, SentIds } from './receipt.ts';
import { type BindSettings, nameOf } from './settings.ts';
import { smsOverSmpp } from './sms.ts';
import { isFirstPart, textIn } from './text.ts';
import { isUssd, UssdOverSmpp } from './ussd.ts';

/** The messages that come over SMPP, and where they go. */
interface SmppEvents extends SmsEvents {
  readonly ussd: UssdGateway;
}

/** The binds of a process. It sends SMS from the first moment on, and listens once it is opened. */
export interface Smpp {
  /** Absent where no bind is for SMS. */
  readonly send: SmsSender | undefined;
  open(events: SmppEvents): void;
  close(): Promise<void>;
}

interface SmppOptions {
  readonly binds: readonly BindSettings[];
  /** The lease of a bind that one process of all holds. */
  readonly lease: (name: string) => Lease;
  readonly log: Log;
}

/** Binds to the SMSCs of the settings. */
export function createSmpp({ binds: all, lease, log }: SmppOptions): Smpp {
  const binds: Bind[] = [];
  const sent = new SentIds();
  return {
    send: all.some(({ use }) => use.sendsSms) ? smsOverSmpp(binds, sent, log) : undefined,
    open(events) {
      const ussd = new UssdOverSmpp(events.ussd);
      for (const settings of all) {
        binds.push(
          new Bind(settings, {
            lease: settings.heldBy === 'one' ? lease(`smpp ${nameOf(settings)}`) : OWN,
            log,
            events: {
              came: (pdu, link) => handOn(pdu, link, { settings, ussd, sent, events }),
              isAnsweredAtOnce: isUssd,
              odd: (command) => log.say('An SMSC sent a PDU that cannot be read', { command }),
              lost: (link) => void ussd.lost(link),
            },
          }),
        );
      }
    },
    async close() {
      await Promise.all(binds.map((bind) => bind.close()));
    },
  };
}

interface Parts {
  readonly settings: BindSettings;
  readonly ussd: UssdOverSmpp;
  readonly sent: SentIds;
  readonly events: SmppEvents;
}

async function handOn(
  pdu: Pdu,
  link: Link,
  { settings, ussd, sent, events }: Parts,
): Promise<'busy' | undefined> {
  if (isUssd(pdu)) return ussd.serve(pdu, link, settings.ussd);
  const from = readPhone(pdu.source_addr ?? '');
  if (!from) return undefined;
  if (isReceipt(pdu)) {
    const receipt = receiptIn(pdu);
    if (receipt) await events.receipt(from, { ...receipt, id: sent.named(receipt.id) });
  } else if (isFirstPart(pdu)) await events.sms(from, textIn(pdu));
  return undefined;
}
