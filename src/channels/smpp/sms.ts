import { randomInt } from 'node:crypto';
import type { Log } from '../../log/lines.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { SmsAnswer, SmsSender } from '../sms/sms.ts';
import type { Bind } from './bind.ts';
import type { Link, Submitted } from './link.ts';
import type { SentIds } from './receipt.ts';
import type { BindSettings } from './settings.ts';
import { coded, partsOf, whole } from './text.ts';

const SMS_MS = 10_000;
/** TON and NPI (SMPP 3.4, 5.2.5 and 5.2.6). */
const INTERNATIONAL = { ton: 1, npi: 1 } as const;
const SHORT_CODE = { ton: 3, npi: 0 } as const;
const LETTERS = { ton: 5, npi: 0 } as const;
const SHORT_CODE_MAX_DIGITS = 8;
/** Bit 6 of `esm_class`: the message begins with a header. */
const HAS_HEADER = 0x40;

/** Sends SMS by the first bind that is there, beginning with another one each time. */
export function smsOverSmpp(binds: readonly Bind[], sent: SentIds, log: Log): SmsSender {
  let turn = 0;
  return async (to, text, taken) => {
    const there = binds.filter(({ link, settings }) => link && settings.use.sendsSms);
    const bind = there[turn++ % Math.max(1, there.length)];
    if (!bind?.link) return 'later';
    const result = await send(bind.link, bind.settings, to, text);
    if (result.status === 'taken') {
      sent.add(result.id);
      taken?.(result.id);
      return 'accepted';
    }
    const meaning: SmsAnswer = result.status === 'refused' ? 'refused' : 'later';
    log.say('An SMS was not taken', { code: 'code' in result ? `${result.code}` : 'none', meaning });
    return meaning;
  };
}

/** Sends all parts, and gives what has become of the last: a receipt is asked for with that one only. */
async function send(link: Link, settings: BindSettings, to: Msisdn, text: string): Promise<Submitted> {
  const parts = fieldsOf(settings, text);
  let result: Submitted = { status: 'unknown' };
  for (const [i, part] of parts.entries()) {
    result = await link.submit(
      {
        ...senderOf(settings.from),
        destination_addr: to.slice(1),
        dest_addr_ton: INTERNATIONAL.ton,
        dest_addr_npi: INTERNATIONAL.npi,
        registered_delivery: i === parts.length - 1 ? 1 : 0,
        ...part,
      },
      SMS_MS,
    );
    if (result.status !== 'taken') return result;
  }
  return result;
}

function senderOf(from: string) {
  const digits = from.replace(/^\+/, '');
  const isShort = digits.length <= SHORT_CODE_MAX_DIGITS;
  const { ton, npi } = /^\d+$/.test(digits) ? (isShort ? SHORT_CODE : INTERNATIONAL) : LETTERS;
  return { source_addr: digits, source_addr_ton: ton, source_addr_npi: npi };
}

function fieldsOf({ long }: BindSettings, text: string): Readonly<Record<string, unknown>>[] {
  const message = coded(text);
  const parts = partsOf(message);
  if (parts.length === 1 || long === 'payload') return [whole(message)];
  const { data_coding } = message;
  const reference = randomInt(256);
  return parts.map((part, i) =>
    long === 'sar'
      ? {
          ...{ data_coding, short_message: part },
          ...{ sar_msg_ref_num: reference, sar_total_segments: parts.length, sar_segment_seqnum: i + 1 },
        }
      : {
          data_coding,
          esm_class: HAS_HEADER,
          short_message: Buffer.concat([Buffer.from([5, 0, 3, reference, parts.length, i + 1]), part]),
        },
  );
}
