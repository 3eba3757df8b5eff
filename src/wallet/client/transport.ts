import { type Dispatcher, Pool } from 'undici';

/**
 * The most connections to the wallet, by kind of call. Further calls wait for one, and slow files hold up no payment.
 * Background work (looking up payments, webhooks) has connections of its own.
 */
const CONNECTIONS_MAX = {
  customers: { read: 128, act: 256, file: 16 },
  background: { read: 32, act: 8, file: 2 },
} as const;
/** For each connection so many calls may wait. Further ones would wait longer than customers do. */
const WAITING_PER_CONNECTION_MAX = 8;
/** No answer is larger: a receipt has at most 5 MB (`FILE_BYTES_MAX`). */
const ANSWER_BYTES_MAX = 6_000_000;

/**
 * The share of a call's time that it may wait for a connection. A call that is sent with little time left gets an
 * unknown result from a slow wallet. A call given up before that was never sent, and its caller learns so sooner.
 */
const WAIT_SHARE_MAX = 0.5;
/** The longest use of a connection: the wallet's name may lead elsewhere by then. Running calls finish. */
const CONNECTION_MAX_MS = 60_000;

const NO_BYTES = Buffer.alloc(0);

/** The kind of call: it reads something, does something, or fetches a file. */
export type CallKind = keyof (typeof CONNECTIONS_MAX)['customers'];
const CALL_KINDS: readonly CallKind[] = ['read', 'act', 'file'];
/** The caller: customers, who wait for the answer, or the work in the background. */
export type Compartment = keyof typeof CONNECTIONS_MAX;

/** How long a call may take, from the first byte out to the last byte in, and who may end it sooner. */
interface Patience {
  readonly kind: CallKind;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The time was up, or the caller has given up. `isSent` false: the request was still waiting for a connection, and is
 * never sent. True: its result is not known.
 */
export class GivenUp extends Error {
  override name = 'GivenUp';
  readonly isSent: boolean;
  /** `busy`: too many calls were waiting. `circuitOpen`: the circuit breaker turned it away (`breaker.ts`). */
  readonly why: 'timeout' | 'busy' | 'circuitOpen';
  constructor(isSent: boolean, why: GivenUp['why'] = 'timeout') {
    super('the call was given up');
    this.isSent = isSent;
    this.why = why;
  }
}

/** The body of a request: text, the bytes of a form, or nothing. */
export type Body = string | Buffer | null;

/** An answer, whole. */
export interface WalletResponse {
  readonly status: number;
  /** Its media type as the wallet gives it. Undefined where it gives none. */
  readonly type: string | undefined;
  readonly date?: string | undefined;
  readonly bytes: Buffer;
}

export interface ConnectionUse {
  readonly calls: CallKind;
  readonly busy: number;
  readonly waiting: number;
  readonly max: number;
}

/** Takes one request to the wallet, once, and brings its answer whole. Rejects with `GivenUp` or with the connection's error. */
export type Transport = (
  request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  },
  body: Body,
  patience: Patience,
) => Promise<WalletResponse>;

/**
 * Over connections that stay open, without `fetch`: its streams, its signals and what makes it able to send again (after 421)
 * cost several times what the request itself costs. Over HTTP/1.1 the dispatcher writes a request to one connection, and never again.
 * Bodies are no `Request`'s or `Response`'s, which would make streams of them.
 * @param onOpen given what says how full the connections are
 */
export function openTransport(
  url: string,
  compartment: Compartment = 'customers',
  onOpen: (use: () => readonly ConnectionUse[]) => void = () => {},
): Transport {
  const { origin } = new URL(url);
  const connections = CONNECTIONS_MAX[compartment];
  const pools: Record<CallKind, Pool> = {
    read: openPool(origin, connections.read),
    act: openPool(origin, connections.act),
    file: openPool(origin, connections.file),
  };
  onOpen(() =>
    CALL_KINDS.map((calls) => {
      const { running: busy, queued: waiting } = pools[calls].stats;
      return { calls, busy, waiting, max: connections[calls] };
    }),
  );
  // We count ourselves: a pool counts its own figures anew each time, over all of its connections.
  const waiting: Record<CallKind, number> = { read: 0, act: 0, file: 0 };
  return ({ method, url, headers }, body, patience) =>
    new Promise((resolve, reject) => {
      const { kind } = patience;
      if (waiting[kind] >= connections[kind] * WAITING_PER_CONNECTION_MAX) throw new GivenUp(false, 'busy');
      waiting[kind]++;
      const waits = () => void waiting[kind]--;
      const options: Dispatcher.DispatchOptions = {
        method: method as Dispatcher.HttpMethod,
        path: url.slice(origin.length),
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
      };
      pools[kind].dispatch(options, new Collecting(patience, waits, resolve, reject));
    });
}

/**
 * The time-outs of undici are off: the call's own deadline counts all of it. HTTP/2 is off too, which undici speaks
 * wherever the other side does. There it sends a request again after GOAWAY and after a refused stream. An API without
 * an idempotency key may have carried that request out.
 */
function openPool(origin: string, connections: number): Pool {
  return new Pool(origin, {
    connections,
    allowH2: false,
    clientTtl: CONNECTION_MAX_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** One answer as it comes in. The deadline runs from the moment that the request is handed over. */
class Collecting implements Dispatcher.DispatchHandler {
  readonly #patience: Patience;
  /** Called once it waits for a connection no longer. */
  #waits: (() => void) | undefined;
  readonly #resolve: (response: WalletResponse) => void;
  readonly #reject: (error: unknown) => void;
  #timer: NodeJS.Timeout;
  /**
   * The bytes so far: of most answers the one part that came. Else with room for more, as a list of the parts would cost a hundred
   * times their size where each is one byte.
   */
  #bytes: Buffer = NO_BYTES;
  #length = 0;
  #status = 0;
  #type: string | undefined;
  #date: string | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;

  constructor(
    patience: Patience,
    waits: () => void,
    resolve: (response: WalletResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#patience = patience;
    this.#waits = waits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(this.#stopWaiting, patience.timeoutMs * WAIT_SHARE_MAX);
    if (patience.signal?.aborted) this.#giveUp();
    else patience.signal?.addEventListener('abort', this.#giveUp, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#waitsNoLonger();
    // It was given up while it waited for a connection: it must not be sent after all.
    if (this.#isOver) controller.abort(new GivenUp(false));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#type = [headers['content-type']].flat()[0];
    this.#date = [headers.date].flat()[0];
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    const length = this.#length + part.length;
    if (this.#length === 0) {
      this.#bytes = part;
    } else {
      if (length > this.#bytes.length) {
        const roomier = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
        this.#bytes.copy(roomier, 0, 0, this.#length);
        this.#bytes = roomier;
      }
      part.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  onResponseEnd(): void {
    this.#end();
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#resolve({ status: this.#status, type: this.#type, date: this.#date, bytes });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#waitsNoLonger();
    this.#end();
    this.#reject(error);
  }

  /** Half of the time is over: a request that still waits for a connection is given up, any other has the other half. */
  readonly #stopWaiting = (): void => {
    if (this.#controller === undefined) this.#giveUp();
    else this.#timer = setTimeout(this.#giveUp, this.#patience.timeoutMs * (1 - WAIT_SHARE_MAX));
  };

  readonly #giveUp = (): void => {
    if (this.#isOver) return;
    this.#end();
    const error = new GivenUp(this.#controller !== undefined);
    this.#controller?.abort(error);
    this.#reject(error);
  };

  /** One that was given up keeps its place until its turn has come. */
  #waitsNoLonger(): void {
    this.#waits?.();
    this.#waits = undefined;
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#patience.signal?.removeEventListener('abort', this.#giveUp);
  }
}

/** The same over a `fetch` that somebody brings along. */
export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async ({ method, url, headers }, body, { timeoutMs, signal }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    try {
      const response = await fetch(url, {
        method,
        headers,
        body,
        signal: stop,
        // A redirect that is followed is a request that is sent twice.
        redirect: 'manual',
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const [type, date] = ['content-type', 'date'].map((name) => response.headers.get(name) ?? undefined);
      return { status: response.status, type, date, bytes };
    } catch (error) {
      throw stop.aborted ? new GivenUp(true) : error;
    }
  };
}
