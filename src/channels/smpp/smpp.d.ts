/** The part of npm `smpp` 0.5 that Wasl uses. The package has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';

  /** A PDU as it was read, or as it is sent. Numbers, strings and TLVs stand side by side. */
  export interface Pdu {
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly message_id?: string;
    readonly service_type?: string;
    readonly source_addr?: string;
    readonly source_addr_ton?: number;
    readonly source_addr_npi?: number;
    readonly destination_addr?: string;
    readonly dest_addr_ton?: number;
    readonly dest_addr_npi?: number;
    readonly esm_class?: number;
    readonly data_coding?: number;
    readonly short_message?: unknown;
    readonly message_payload?: unknown;
    readonly ussd_service_op?: number;
    readonly its_session_info?: Buffer;
    readonly user_message_reference?: number;
    readonly receipted_message_id?: string;
    readonly message_state?: number;
    readonly sar_segment_seqnum?: number;
    response(fields?: Readonly<Record<string, unknown>>): Pdu;
    isResponse(): boolean;
  }

  /** One TCP connection. It emits `pdu`, the name of each command, `connect`, `secureConnect`, `close` and `error`. */
  export interface Session extends EventEmitter {
    /** Sends a request with a number of its own, or an answer. False: the connection is gone. */
    send(pdu: Pdu, answered?: (answer: Pdu) => void): boolean;
    close(): void;
    destroy(): void;
    /** Reading stops at a PDU that cannot be read, until both are put back. Undocumented: read in the package's source. */
    _busy: boolean;
    /** False and null: the next frame has not begun. */
    _command_length: number | null | false;
    readonly socket: import('node:net').Socket;
    _extractPDUs(): void;
  }

  export const PDU: new (command: string, fields?: Readonly<Record<string, unknown>>) => Pdu;
  export function connect(options: {
    readonly host: string;
    readonly port: number;
    readonly tls?: boolean;
    readonly servername?: string;
  }): Session;
  /** An SMSC, for the bench. */
  export function createServer(came: (session: Session) => void): import('node:net').Server;
}
