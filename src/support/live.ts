import type { Desk } from '../conversation/desk/desk.ts';
import type { Address } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record/record.ts';
import { CONVERSATION_IDLE_MS } from '../conversation/session/session.ts';
import { type Board, createBoard } from './board.ts';
import { createRate } from './rate.ts';

/** The records that the board reads when the first agent comes. No session idles for so long. */
const BACKLOG_MS = 4 * CONVERSATION_IDLE_MS;
/** Clocks of the processes that take turns differ by less. */
const APART_MS = 60_000;

/** Called with each turn of one address. `undefined`: some may have been missed, so everything is to be read again. */
type Listener = (record: TurnRecord | undefined) => void;

/**
 * This process's knowledge of all turns, as they happen: one subscription to the desk for all agents, opened by the first. The board
 * is made of the records alone. After missed turns, the last records are read again.
 */
export class Live {
  readonly board: Board;
  readonly rate = createRate();
  readonly #desk: Pick<Desk, 'watch' | 'backlog'>;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<Address, Set<Listener>>();
  readonly #onlookers = new Set<() => void>();
  #newestAt = 0;
  /** Records that come while the past is being read, to be taken after it. Undefined once it is known. */
  #meanwhile: TurnRecord[] | undefined;
  #started: Promise<() => Promise<void>> | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    desk: Pick<Desk, 'watch' | 'backlog'>,
    idOf: (address: Address) => string,
    onError: (error: unknown) => void,
  ) {
    this.#desk = desk;
    this.board = createBoard(idOf, CONVERSATION_IDLE_MS);
    this.#onError = onError;
  }

  /** Begins to watch, if it has not begun yet. Resolves once every turn from now on is seen. */
  async watching(): Promise<void> {
    this.#started ??= this.#begin();
    try {
      await this.#started;
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  /** … and done when the board knows what happened before, as far as it is to know it. No page waits for that. */
  async ready(): Promise<void> {
    await this.watching();
    await this.#reading;
  }

  /** True while earlier records are being read: the board is still filling. */
  get isFilling(): boolean {
    return this.#meanwhile !== undefined;
  }

  /** Calls with the turns of one address until the function that it gives is called. */
  follow(address: Address, listener: Listener): () => void {
    const others = this.#listeners.get(address) ?? new Set();
    this.#listeners.set(address, others.add(listener));
    return () => {
      others.delete(listener);
      if (others.size === 0 && this.#listeners.get(address) === others) this.#listeners.delete(address);
    };
  }

  /** Called after every turn of any customer. */
  onChange(listener: () => void): () => void {
    this.#onlookers.add(listener);
    return () => this.#onlookers.delete(listener);
  }

  async close(): Promise<void> {
    await (await this.#started?.catch(() => undefined))?.();
  }

  async #begin(): Promise<() => Promise<void>> {
    const stop = await this.#desk.watch({
      turn: (record) => {
        if (this.#meanwhile) this.#meanwhile.push(record);
        else this.#take(record);
        for (const listener of this.#listeners.get(record.address) ?? []) listener(record);
        for (const onlooker of this.#onlookers) onlooker();
      },
      missed: () => {
        this.#read();
        for (const each of this.#listeners.values()) for (const listener of each) listener(undefined);
      },
    });
    this.#read();
    return stop;
  }

  /**
   * Reads the past, or the missed part of it, once at a time. A process that cannot read it now goes on with the turns
   * that come.
   */
  #read(): void {
    this.#reading = this.#reading
      .then(() => this.#readBacklog())
      .catch(this.#onError)
      .finally(() => {
        const records = this.#meanwhile ?? [];
        this.#meanwhile = undefined;
        // Some of these were in the backlog already.
        for (const record of records.filter((each) => each.at > this.#lastOf(each))) this.#take(record);
        for (const onlooker of this.#onlookers) onlooker();
      });
  }

  /** After an interruption, records that are known already are neither read nor counted again. */
  async #readBacklog(): Promise<void> {
    this.#meanwhile ??= [];
    const [isFirst, knownTo] = [this.#newestAt === 0, this.#newestAt - APART_MS];
    for await (const { records, leftOutBefore } of this.#desk.backlog(BACKLOG_MS)) {
      if (leftOutBefore !== undefined && leftOutBefore > knownTo) {
        this.board.leaveOut(leftOutBefore);
      }
      // A record that comes too late to be put in its order is left out.
      const isUnread = (record: TurnRecord) =>
        isFirst ? record.at >= this.#lastOf(record) : record.at > Math.max(knownTo, this.#lastOf(record));
      for (const record of records.filter(isUnread)) this.#take(record);
    }
  }

  /** When the last record of its address was, in ms since 1970. */
  #lastOf({ address }: TurnRecord): number {
    return this.board.row(address)?.at ?? 0;
  }

  #take(record: TurnRecord): void {
    this.#newestAt = Math.max(this.#newestAt, record.at);
    this.board.add(record);
    this.rate.add(record.at);
  }
}
