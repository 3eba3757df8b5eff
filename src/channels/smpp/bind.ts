import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '../../conversation/lease.ts';
import type { Log } from '../../log/lines.ts';
import { Link, type LinkEvents, NotBound } from './link.ts';
import { type BindSettings, nameOf } from './settings.ts';

/** Waits before the next try. The last is repeated. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 15_000, 30_000] as const;
/** A password that was refused is not right a second later, and some SMSCs lock an account that tries. */
const REFUSED_MS = 60_000;
/** A customer waits for no page longer than this. */
const CLOSE_MS = 5_000;

type BindEvents = LinkEvents & { readonly lost: (link: Link) => void };

/** One bind, which is bound again whenever it is lost. */
export class Bind {
  readonly settings: BindSettings;
  readonly #events: BindEvents;
  readonly #lease: Lease;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #link: Link | undefined;

  constructor(
    settings: BindSettings,
    { events, lease, log }: { readonly events: BindEvents; readonly lease: Lease; readonly log: Log },
  ) {
    this.settings = settings;
    this.#events = events;
    this.#lease = lease;
    this.#log = log;
    this.#running = this.#run();
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /** Unbinds in order, once what has come was answered. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#link?.close(CLOSE_MS);
    await this.#running;
    await this.#lease.give();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#lease.wait(signal);
        const link = await Link.open(this.settings, this.#events);
        failures = 0;
        await this.#hold(link);
      } catch (error) {
        if (signal.aborted) return;
        const code = error instanceof NotBound ? error.code : (error as NodeJS.ErrnoException).code;
        this.#say({ code });
        const isRefused = error instanceof NotBound && error.code > 0;
        await this.#pause(isRefused ? REFUSED_MS : backOff(failures++));
      }
    }
  }

  /** Holds a link until it ends, or until another process may hold the bind. */
  async #hold(link: Link): Promise<void> {
    this.#link = link;
    this.#log.over('An SMPP bind is not there', { bind: nameOf(this.settings) });
    this.#log.say('An SMPP bind is there', { bind: nameOf(this.settings) });
    const lost = this.#lease.lost();
    const give = () => void link.close(CLOSE_MS);
    lost.addEventListener('abort', give, { once: true });
    if (this.#stopping.signal.aborted) void link.close(CLOSE_MS);
    await new Promise<void>((resolve) => {
      if (link.ended.aborted) resolve();
      else link.ended.addEventListener('abort', () => resolve(), { once: true });
    });
    lost.removeEventListener('abort', give);
    this.#link = undefined;
    this.#events.lost(link);
    if (this.#stopping.signal.aborted) return;
    this.#say({});
    await this.#pause(backOff(0));
  }

  #say(fields: Readonly<Record<string, unknown>>): void {
    this.#log.say('An SMPP bind is not there', { bind: nameOf(this.settings), ...fields });
  }

  /** Spread, so that processes that lost one SMSC do not come back in one moment. */
  #pause(ms: number): Promise<void> {
    const spread = ms * (0.5 + Math.random() / 2);
    return sleep(spread, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
  }
}

function backOff(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0;
}
