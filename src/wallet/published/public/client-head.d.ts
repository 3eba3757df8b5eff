/** How a client is made. */
export interface PartnerClientOptions {
  /** The address of the API. Its paths are appended. */
  url: string;
  /** Your key. It is a secret. */
  apiKey: string;
  /** The time for a whole call, in milliseconds. 10,000 if it is left out. */
  timeoutMs?: number | undefined;
  /** A `fetch` of your own, such as one that logs. It must send nothing twice. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * True: once most of the last calls got no answer, further ones are not sent for a moment. They are `unsent`, with
   * `circuitOpen` as the reason. Off by default.
   */
  breaker?: boolean | undefined;
  /** Your secret for webhooks, or several of them while you change it. `webhooks` needs it. */
  webhookSecret?: string | readonly string[] | undefined;
}

/** The options of one call. */
export interface CallOptions {
  /** Its `C-Request-Id`. It comes back as `CRequestId` of the webhook. A new UUID if it is left out. */
  requestId?: string | undefined;
  /** A shorter time for this call, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Gives the call up. Whether it happened is then unknown, unless it was not sent yet. */
  signal?: AbortSignal | undefined;
}

/** The parts of a response beside its answer. */
export interface Exchange {
  /** The HTTP status. Undefined if no answer came. */
  readonly status: number | undefined;
  /** The `C-Request-Id` of the request. */
  readonly requestId: string;
  /** The words of the server about a refusal or failure, without what must stay secret. Else empty. */
  readonly said: string;
  /** The fields that are not as v2.3 shows them. They may be missing, or be a code that v2.3 does not list. */
  readonly surprises: readonly string[];
}

/** The wallet did it, or has what you asked for. */
export interface Ok<T> extends Exchange {
  /** Tells the four outcomes apart. */
  readonly kind: 'ok';
  /** The content of the answer, without its envelope. */
  readonly value: T;
}
/** The wallet said no. Nothing happened. */
export interface Refused extends Exchange {
  /** Tells the four outcomes apart. */
  readonly kind: 'refused';
  /** The `errorCode` as text, `http401`, `http403`, `http404`, or `bill107` and its like. */
  readonly code: string;
  /** The refusal in words. */
  readonly description: string;
  /** How often the PIN can still be tried. Not in v2.3. */
  readonly remainingAttempts?: number;
}
/** The request never left. Nothing happened. */
export interface Unsent extends Exchange {
  /** Tells the four outcomes apart. */
  readonly kind: 'unsent';
  /** An error code of the connection, `timeout`, `busy` or `circuitOpen`. */
  readonly why: string;
}
/** Nobody knows whether it happened. Look before you send it again. */
export interface Unknown extends Exchange {
  /** Tells the four outcomes apart. */
  readonly kind: 'unknown';
  /** An error code of the connection, `timeout`, `unreadable`, or `http500` and its like. */
  readonly why: string;
}
/** The outcome of a call. Only a bug throws. */
export type Answer<T> = Ok<T> | Refused | Unsent | Unknown;

/** An answer with a list: its first page, or with `for await` the entries of all pages. */
export interface Listing<T, Item> extends Promise<Answer<T>>, AsyncIterable<Item> {}

/** A page of a `for await` could not be read. */
export declare class ListError extends Error {
  /** Why it could not be read. */
  readonly answer: Answer<unknown>;
}

/** A file. */
export interface WalletFile {
  /** Its media type. */
  readonly type: string;
  /** Its content. */
  readonly bytes: Uint8Array;
}

/** A webhook as it came in. */
export interface Webhook {
  /** Its headers, as any server has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Its body: text, bytes or parsed JSON. */
  readonly body?: unknown;
}

/** The kind and content of a webhook. Answer it with `status` and an empty body. */
export type WebhookReading =
  /** Authentic. Save it before you answer. */
  | { readonly kind: 'event'; readonly status: 200; readonly event: WebhookEvent }
  /** Authentic, of a kind that v2.3 does not list. */
  | { readonly kind: 'unlisted'; readonly status: 200; readonly eventId: string; readonly data: unknown }
  /** Authentic, but these fields are missing or wrong. */
  | { readonly kind: 'unreadable'; readonly status: 400; readonly fields: readonly string[] }
  /** Without your secret. Believe nothing of it. */
  | { readonly kind: 'forged'; readonly status: 401 };

/** Webhooks that the wallet sends you. */
export interface Webhooks {
  /** Checks the secret in constant time, and reads the event. */
  read(webhook: Webhook): WebhookReading;
  /** A webhook as the wallet would send it, for your tests. Properties that you leave out are made up. */
  testEvent(
    kind: WebhookEvent['EventId'],
    properties?: Partial<Omit<TransferReceivedEvent, 'EventId'>> & Record<string, unknown>,
  ): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

/** Makes a client. Each call is sent once, at most: nothing is repeated, and no redirect is followed. */
export declare function createPartnerClient(options: PartnerClientOptions): PartnerClient;
