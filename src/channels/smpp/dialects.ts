import type { Pdu } from 'smpp';

/** The gateway's name, in `USSD_PAGES` and in logs. */
export const SMPP = 'smpp';

/** `ussd_service_op` (SMPP 3.4, 5.3.2.44). PSSR: the handset asks. USSR: we ask. */
export const OP = {
  dialledNotice: 0,
  dialled: 1,
  ask: 2,
  end: 17,
  answered: 18,
  noticeShown: 19,
} as const;
/** Gateways in whose manual 17 was read as hexadecimal. */
const END_HEX = 0x17;

/** An SMSC's place for the session of a dialogue, and its way to end it by the last page. */
export interface Dialect {
  /** The SMSC's name of the session. Undefined where the PDU has none. */
  readonly session: (pdu: Pdu) => string | undefined;
  /** The other side says that the session is over. */
  readonly isOver?: (pdu: Pdu) => boolean;
  /** The same for every repeat of this answer, where its SMSC counts them. */
  readonly repeatKey?: (pdu: Pdu) => readonly string[];
  readonly endOp: number;
  readonly tlvs: (pdu: Pdu, ends: boolean) => Readonly<Record<string, unknown>>;
}

export type DialectName = 'plain' | 'counted' | '6d' | 'mica';

const info = ({ its_session_info: bytes }: Pdu) =>
  Buffer.isBuffer(bytes) && bytes.length === 2 ? bytes.readUInt16BE() : undefined;
const textOf = (number: number | undefined) => (number === undefined ? undefined : String(number));

/**
 * `plain`: `its_session_info` names the session, and comes back as it was. `counted`: as SMPP 3.4 has it in 5.3.2.43, a byte
 * for the session, seven bits that count its messages, and a bit that ends it. `6d`: fifteen bits, and the bit that ends
 * it. `mica`: `user_message_reference`. The last two are as other people's clients have them.
 */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  plain: {
    session: (pdu) => textOf(info(pdu)),
    endOp: OP.end,
    tlvs: ({ its_session_info }) => ({ its_session_info }),
  },
  counted: {
    session: (pdu) => textOf(info(pdu) === undefined ? undefined : (info(pdu) ?? 0) >> 8),
    isOver: (pdu) => ((info(pdu) ?? 0) & 1) === 1,
    repeatKey: (pdu) => ['counted', String(((info(pdu) ?? 0) & 0xff) >> 1)],
    endOp: OP.end,
    tlvs(pdu, ends) {
      const [session = 0, counted = 0] = pdu.its_session_info ?? [];
      return { its_session_info: Buffer.from([session, ((counted + 2) & 0xfe) | Number(ends)]) };
    },
  },
  '6d': {
    session: (pdu) => textOf(info(pdu) === undefined ? undefined : (info(pdu) ?? 0) >> 1),
    isOver: (pdu) => ((info(pdu) ?? 0) & 1) === 1,
    endOp: END_HEX,
    tlvs(pdu, ends) {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(((info(pdu) ?? 0) & 0xfffe) | Number(ends));
      return { its_session_info: bytes };
    },
  },
  mica: {
    session: ({ user_message_reference: id }) => textOf(id),
    endOp: END_HEX,
    tlvs: ({ user_message_reference }) => ({ user_message_reference }),
  },
};
