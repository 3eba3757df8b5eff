import { setTimeout as sleep } from 'node:timers/promises';
import { connect, PDU, type Pdu, type Session } from 'smpp';
import type { BindSettings } from './settings.ts';

/** The head of a PDU: its length, command, status and number. */
const HEAD_BYTES = 16;
const CONNECT_MS = 10_000;
/** An answer that has not come by then does not come. */
const ANSWER_MS = 10_000;
const ENQUIRE_EVERY_MS = 30_000;
const UNBIND_MS = 2_000;
/** Waits after "throttled". The last is repeated. */
const THROTTLED_MS = [250, 500, 1_000, 2_000] as const;
/** More than a second of the busiest bind. Above it nothing is sent late. */
const QUEUE_MAX = 2_000;

/** SMPP 3.4, 5.1.3. */
const STATUS = { ok: 0, systemError: 0x08, queueFull: 0x14, throttled: 0x58, tryAgain: 0x64 } as const;
/** Nobody is there under this number, or never will be: source, destination, its TON or NPI, and refusal for ever. */
const REFUSED: ReadonlySet<number> = new Set([0x0b, 0x33, 0x50, 0x51, 0x65, 0x66]);

/** `unknown`: it may have been taken, but its answer was lost. `later`: nobody has taken it. */
export type Submitted =
  | { readonly status: 'taken'; readonly id: string }
  | { readonly status: 'refused' | 'later'; readonly code: number }
  | { readonly status: 'unknown' };

export interface LinkEvents {
  /**
   * A message has come. An error means that nothing could be kept: the SMSC is asked to bring it again.
   * `busy`: too much is under way, and the SMSC is told so.
   */
  readonly came: (pdu: Pdu, link: Link) => Promise<'busy' | undefined>;
  /** True where the SMSC has its answer at once, as nothing can be brought again. */
  readonly isAnsweredAtOnce: (pdu: Pdu) => boolean;
  /** It cannot be read, or is no PDU of an SMSC. */
  readonly odd: (command: string) => void;
}

/** The SMSC does not let us in. `code` is its `command_status`, and 0 where it has said nothing. */
export class NotBound extends Error {
  override name = 'NotBound';
  readonly code: number;

  constructor(code: number) {
    super(code === 0 ? 'no answer' : `status ${code}`);
    this.code = code;
  }
}

/** One TCP session that is bound. It ends once, and is never bound again. */
export class Link {
  readonly #session: Session;
  readonly #events: LinkEvents;
  readonly #window: number;
  readonly #waiting: (() => void)[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  /** The questions that wait for their answers. */
  readonly #asked = new Set<(answer?: undefined) => void>();
  #unanswered = 0;
  #throttledUntil = 0;
  #throttles = 0;
  #isClosing = false;

  private constructor(session: Session, { window }: BindSettings, events: LinkEvents) {
    this.#session = session;
    this.#window = window;
    this.#events = events;
    session.on('pdu', (pdu: Pdu) => this.#read(pdu));
    session.on('error', (error: Error) => this.#failed(error));
    session.on('close', () => this.#end());
    session.socket.on('readable', () => this.#checkFrame());
  }

  /** Connects and binds. Rejects with `NotBound`, or with the error of the connection. */
  static async open(settings: BindSettings, events: LinkEvents): Promise<Link> {
    const { host, port, tls, use, systemId: system_id, password, systemType: system_type } = settings;
    const session = connect({ host, port, ...(tls && { tls, servername: host }) });
    const link = new Link(session, settings, events);
    try {
      await link.#connected(tls ? 'secureConnect' : 'connect');
      const fields = { system_id, password, system_type, interface_version: 0x34 };
      const answer = await link.#ask(use.command, fields);
      if (answer?.command_status !== STATUS.ok) throw new NotBound(answer?.command_status ?? 0);
      void link.#keepAlive();
      return link;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  /** Aborts when the connection has ended. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Sends a message, once there is room in the window. One that the SMSC turns away for now is sent again. One without
   * an answer is not. Never rejects.
   */
  async submit(fields: Readonly<Record<string, unknown>>, withinMs: number): Promise<Submitted> {
    const until = performance.now() + withinMs;
    if (this.#isClosing || !(await this.#room(until))) return { status: 'later', code: STATUS.ok };
    try {
      for (;;) {
        const pause = this.#throttledUntil - performance.now();
        if (pause > 0) await sleep(pause);
        if (this.ended.aborted || performance.now() > until)
          return { status: 'later', code: STATUS.throttled };
        const answer = await this.#ask('submit_sm', fields);
        if (!answer) return { status: 'unknown' };
        const { command_status: code, message_id: id = '' } = answer;
        if (code === STATUS.throttled || code === STATUS.queueFull) this.#throttle();
        else if (code !== STATUS.ok) return { status: REFUSED.has(code) ? 'refused' : 'later', code };
        else {
          this.#throttles = 0;
          return { status: 'taken', id };
        }
      }
    } finally {
      this.#unanswered--;
      this.#waiting.shift()?.();
    }
  }

  /** Finishes what has come, says goodbye and closes. */
  async close(withinMs: number): Promise<void> {
    const rested = Promise.allSettled([...this.#underWay]);
    await Promise.race([rested, sleep(withinMs, undefined, { ref: false })]);
    this.#isClosing = true;
    if (!this.ended.aborted)
      await Promise.race([this.#ask('unbind', {}), sleep(UNBIND_MS, undefined, { ref: false })]);
    this.#session.destroy();
  }

  cut(): void {
    this.#session.destroy();
  }

  #connected(event: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new NotBound(0)), CONNECT_MS);
      this.#session.once(event, () => resolve());
      this.#session.once('error', reject);
      this.#session.once('close', () => reject(new NotBound(0)));
      this.#ended.signal.addEventListener('abort', () => clearTimeout(late), { once: true });
      this.#session.once(event, () => clearTimeout(late));
    });
  }

  /** Waits for a place in the window. False: there is none in time. */
  async #room(until: number): Promise<boolean> {
    if (this.ended.aborted || this.#waiting.length >= QUEUE_MAX) return false;
    if (this.#unanswered >= this.#window) {
      const isLate = await new Promise<boolean>((resolve) => {
        const turn = () => {
          clearTimeout(late);
          resolve(false);
        };
        const late = setTimeout(() => {
          const place = this.#waiting.indexOf(turn);
          if (place >= 0) this.#waiting.splice(place, 1);
          resolve(true);
        }, until - performance.now());
        this.#waiting.push(turn);
      });
      if (isLate || this.ended.aborted) {
        if (!isLate) this.#waiting.shift()?.();
        return false;
      }
    }
    this.#unanswered++;
    return true;
  }

  #throttle(): void {
    const ms = THROTTLED_MS[Math.min(this.#throttles++, THROTTLED_MS.length - 1)] ?? 0;
    this.#throttledUntil = Math.max(this.#throttledUntil, performance.now() + ms);
  }

  /** One request and its answer. Undefined: none has come in time, or the connection is gone. */
  #ask(command: string, fields: Readonly<Record<string, unknown>>): Promise<Pdu | undefined> {
    return new Promise((resolve) => {
      const done = (answer?: Pdu) => {
        clearTimeout(late);
        this.#asked.delete(done);
        resolve(answer);
      };
      const late = setTimeout(done, ANSWER_MS);
      if (this.ended.aborted || !this.#session.send(new PDU(command, fields), done)) return done();
      this.#asked.add(done);
    });
  }

  /** A link without an answer is dead, whatever TCP says. */
  async #keepAlive(): Promise<void> {
    const { ended } = this;
    while (!ended.aborted) {
      await sleep(ENQUIRE_EVERY_MS, undefined, { signal: ended, ref: false }).catch(() => {});
      if (!ended.aborted && !(await this.#ask('enquire_link', {}))) this.#session.destroy();
    }
  }

  #read(pdu: Pdu): void {
    if (pdu.isResponse()) return;
    const { command } = pdu;
    if (command === 'enquire_link') this.#answer(pdu, STATUS.ok);
    else if (command === 'deliver_sm' || command === 'data_sm') this.#take(pdu);
    else if (command === 'unbind') {
      this.#answer(pdu, STATUS.ok);
      this.#session.close();
    } else if (command !== 'alert_notification') {
      this.#events.odd(command);
      this.#session.send(nack(pdu));
    }
  }

  #take(pdu: Pdu): void {
    if (this.#isClosing) {
      this.#answer(pdu, STATUS.tryAgain);
      return;
    }
    const isAtOnce = this.#events.isAnsweredAtOnce(pdu);
    const served = this.#events.came(pdu, this).then(
      (busy) => {
        if (busy) this.#answer(pdu, STATUS.throttled);
        else if (!isAtOnce) this.#answer(pdu, STATUS.ok);
      },
      () => {
        if (!isAtOnce) this.#answer(pdu, STATUS.tryAgain);
      },
    );
    this.#underWay.add(served);
    void served.finally(() => this.#underWay.delete(served));
  }

  acknowledge(pdu: Pdu): void {
    this.#answer(pdu, STATUS.ok);
  }

  #answer(pdu: Pdu, command_status: number): void {
    if (!this.ended.aborted) this.#session.send(pdu.response({ command_status }));
  }

  /**
   * A PDU whose frame is whole but whose content is not is passed over, and the link lives on. Behind any other error
   * nobody knows where the next PDU begins.
   */
  #failed(error: Error): void {
    const isFramed = (this.#session._command_length || 0) >= HEAD_BYTES && error instanceof RangeError;
    this.#events.odd(isFramed ? 'unreadable' : 'unframed');
    if (!isFramed) {
      this.#session.destroy();
      return;
    }
    this.#session._command_length = null;
    this.#session._busy = false;
    setImmediate(() => this.#session._extractPDUs());
  }

  /** No PDU is shorter than its head. The package would wait for the rest of one, and hear neither more PDUs nor the end. */
  #checkFrame(): void {
    const { _command_length: length, socket } = this.#session;
    if (!socket.destroyed && typeof length === 'number' && length < HEAD_BYTES)
      this.#failed(new Error('a frame that is shorter than the head of a PDU'));
  }

  #end(): void {
    this.#ended.abort();
    for (const done of this.#asked) done();
    for (const turn of this.#waiting.splice(0)) turn();
  }
}

function nack(pdu: Pdu): Pdu {
  return new PDU('generic_nack', { command_status: 0x03, sequence_number: pdu.sequence_number });
}
