import type { Core } from '../core/core.ts';
import { attempt, type Delivery, deliveriesDueAt, nextDeliveryAfter } from '../webhooks/webhooks.ts';

const DELIVERIES_AT_ONCE_MAX = 16;
/** How long the timer sleeps at least: what falls due at about the same time is done together. */
const NAP_MIN_MS = 5;
/** The longest the timer sleeps: the clock may be moved underneath it. */
const NAP_MAX_MS = 60_000;

/** Something that falls due, and is then done in the database. */
export interface Timed {
  /** Does some of what is due. False when there was nothing. Runs inside one transaction. */
  work(core: Core, now: number): boolean;
  nextAfter(core: Core, now: number): number | undefined;
}

/**
 * The events that time brings: operations settle, identities are verified, webhooks are sent. Time is the sandbox's own.
 * Either a timer looks after it (`start`), or a test moves the clock and waits until all that fell due has happened.
 */
export class DueWork {
  readonly #core: Core;
  readonly #timed: readonly Timed[];
  readonly #stopping = new AbortController();
  /** The deliveries under way, by their ids. */
  readonly #underway = new Map<number, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #awake = false;

  constructor(core: Core, timed: readonly Timed[]) {
    this.#core = core;
    this.#timed = timed;
  }

  /** Something may have fallen due: the timer looks soon, after the answer under way has left. */
  wake(): void {
    if (!this.#started || this.#awake) return;
    // Once only, or requests that come faster than the timer would put it off for ever.
    this.#awake = true;
    this.#sleep(NAP_MIN_MS);
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Does all that is due now, and what follows from it at once. */
  async settle(): Promise<void> {
    await this.#settle();
  }

  /** Goes through time as it would have passed: stops wherever something falls due, and lets it happen. */
  async advance(ms: number): Promise<void> {
    const { db, clock } = this.#core;
    const era = db.era();
    const target = clock.now() + ms;
    let next = this.#nextAfter(await this.#settle());
    while (next !== undefined && next <= target && db.era() === era) {
      clock.moveTo(next);
      next = this.#nextAfter(await this.#settle());
    }
    // A sandbox that was reset meanwhile has a time of its own.
    if (db.era() !== era) return;
    clock.moveTo(target);
    await this.#settle();
  }

  /** Ends the timer and the attempts under way. Those are made again after the next start. */
  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await Promise.all(this.#underway.values());
  }

  /** Gives the moment up to which everything is done. */
  async #settle(): Promise<number> {
    let looked: number;
    do {
      looked = this.#work();
      await Promise.all(this.#underway.values());
    } while (deliveriesDueAt(this.#core, this.#core.clock.now()).length > 0);
    return looked;
  }

  /** Settles what is due and starts the deliveries there is room for. Gives the moment up to which it did. */
  #work(): number {
    const core = this.#core;
    const now = core.clock.now();
    for (const each of this.#timed) while (core.db.transaction(() => each.work(core, now)));
    // A webhook tells only what is in the file.
    core.db.commit();
    const waiting = deliveriesDueAt(core, now).filter(({ id }) => !this.#underway.has(id));
    for (const each of waiting.slice(0, DELIVERIES_AT_ONCE_MAX - this.#underway.size)) this.#send(each);
    return now;
  }

  #send(delivery: Delivery): void {
    const sent = attempt(this.#core, delivery, this.#stopping.signal)
      .catch((error: unknown) => console.error('sandbox: a webhook could not be tried', error))
      .finally(() => {
        this.#underway.delete(delivery.id);
        this.wake();
      });
    this.#underway.set(delivery.id, sent);
  }

  /** When the next thing falls due. After the moment of the last look, not after now: nothing may slip in between. */
  #nextAfter(looked: number): number | undefined {
    const core = this.#core;
    const moments = [
      ...this.#timed.map((each) => each.nextAfter(core, looked)),
      nextDeliveryAfter(core, looked),
    ];
    return moments.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a));
  }

  #look(): void {
    this.#awake = false;
    const { clock } = this.#core;
    const next = this.#nextAfter(this.#work());
    const isFar = next === undefined || clock.isFrozen();
    if (this.#started) this.#sleep(Math.min(isFar ? NAP_MAX_MS : next - clock.now(), NAP_MAX_MS));
  }

  #sleep(forMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.max(forMs, NAP_MIN_MS));
    this.#timer.unref();
  }
}
