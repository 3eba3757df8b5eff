import type { Random } from '../town/random.ts';
import type { VirtualClock } from './clock.ts';
import type { Memory } from './memory-store.ts';
import type { Process } from './process.ts';
import type { Faults } from './weather.ts';

/** How long customers are active and faults happen. */
export const CHAOS_MS = 20 * 60_000;
/** A failover loses the writes of its last moments. */
const LOST_MS_MAX = 2_000;

/** The parts of a history share its clock, chance, faults and store. */
export interface Shared {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly faults: Faults;
  readonly memory: Memory;
  /** True until the history calms down. */
  inChaos: boolean;
  /** Adds a line to the timeline. */
  note(what: string): void;
  onError(error: unknown, where: string): void;
}

/** The processes of Wasl: they crash, freeze and come back, and their store forgets its last writes. */
export class Fleet {
  /** Moments of the failovers that lost writes. */
  readonly lostAt: number[] = [];
  /** How many acknowledged commits the store has forgotten. */
  losses = 0;
  readonly #shared: Shared;
  readonly #start: () => Process;
  readonly #processes: Process[] = [];
  /** What to do when a process dies before it has answered. */
  readonly #unanswered = new Map<Process, Set<() => void>>();

  constructor(shared: Shared, start: () => Process) {
    this.#shared = shared;
    this.#start = start;
    const { clock, random, memory, faults } = shared;
    memory.onDue = (at) => void clock.after(at - clock.now() + random.between(1, 500), this.#work, null);
    // The worst moment to freeze is between the commit of "sent" and the first byte.
    memory.onNew.push((key) => {
      const process = clock.current();
      if (process && key.startsWith('intent:') && faults.freezes > 0 && random.chance(0.2))
        this.#freeze(process);
    });
  }

  boot = (): void => {
    const process = this.#start();
    this.#processes.push(process);
    this.#unanswered.set(process, new Set());
  };

  /** Any process that lives. */
  any(isFit: (process: Process) => boolean = () => true): Process | undefined {
    const fit = this.#processes.filter((each) => !each.dead && isFit(each));
    return fit.length > 0 ? this.#shared.random.pick(fit) : undefined;
  }

  nameOf(process: Process): number {
    return this.#processes.indexOf(process);
  }

  /** Notes what to do when a process dies before it answers. The result is called once it has answered. */
  expects(process: Process, onLost: () => void): () => void {
    const all = this.#unanswered.get(process);
    const lost = () => {
      all?.delete(lost);
      onLost();
    };
    all?.add(lost);
    return () => void all?.delete(lost);
  }

  /** A webhook reaches some process. The wallet sends it again until a process acknowledges it. */
  deliver(raw: string, afterMs: number): void {
    const { clock, random, onError } = this.#shared;
    const again = () => this.deliver(raw, random.between(5_000, 60_000));
    const arrive = () => {
      const process = this.any();
      if (!process) return again();
      const isAnswered = this.expects(process, again);
      void clock
        .ask(process, () => process.inbox.save(raw))
        .then(isAnswered, (error) => {
          isAnswered();
          onError(error, 'webhook');
          again();
        });
    };
    clock.after(afterMs, arrive, null);
  }

  /** The worst moment to lose writes is just after the first byte of a payment. */
  paymentSent(): void {
    const { clock, random, faults } = this.#shared;
    if (faults.losses > 0 && random.chance(0.3))
      clock.after(random.between(0, LOST_MS_MAX), this.#failOver, null);
  }

  startChaos(): void {
    this.#shared.clock.after(1_000, this.#harm, null);
  }

  #harm = (): void => {
    const { clock, random, faults, inChaos } = this.#shared;
    if (!inChaos) return;
    const process = this.any();
    if (process && random.chance(faults.crashes)) this.#crash(process);
    else if (process && random.chance(faults.freezes)) this.#freeze(process);
    if (random.chance(faults.losses)) this.#failOver();
    clock.after(random.between(200, 8_000), this.#harm, null);
  };

  #crash(process: Process): void {
    const { clock, random, note } = this.#shared;
    process.dead = true;
    note(`CRASH of ${this.nameOf(process)}`);
    for (const lost of this.#unanswered.get(process) ?? []) lost();
    this.#unanswered.delete(process);
    clock.after(random.between(100, 20_000), this.boot, null);
  }

  #freeze(process: { frozenUntil: number }): void {
    const { clock, random, note } = this.#shared;
    process.frozenUntil = clock.now() + random.between(1_000, 90_000);
    note(`FREEZE until ${new Date(process.frozenUntil).toISOString()}`);
  }

  /** A failover: the store forgets its last writes, and tells nobody. */
  #failOver = (): void => {
    const { clock, random, memory, note } = this.#shared;
    const lost = memory.loseSince(clock.now() - random.between(1, LOST_MS_MAX));
    this.losses += lost;
    if (lost > 0) this.lostAt.push(clock.now());
    note(`LOST ${lost} commits`);
  };

  /** Some process looks for due work, as every process does all the time. */
  #work = (): void => {
    const { clock, memory, onError } = this.#shared;
    if (!memory.isDue()) return;
    const process = this.any(({ frozenUntil }) => frozenUntil <= clock.now());
    if (!process) return void clock.after(1_000, this.#work, null);
    void clock.ask(process, () => process.round()).catch((error) => onError(error, 'worker'));
  };
}
