import { Worker } from 'node:worker_threads';

/** A caller's use is counted anew after so long. */
const WINDOW_MS = 60_000;
/** A busy machine gives a thread its time late. By the clock a job may take so many times as long. */
const LATE_MAX = 5;
/** How often the processor's time is looked at. */
const LOOK_EVERY_MS = 100;

interface ThreadOptions {
  /** The program of the thread. It gets the bytes as `workerData` and posts its result once. */
  readonly program: URL;
  /** A job is ended after it has used so much of a processor. */
  readonly jobMaxMs: number;
  /** Jobs of all callers that wait at the same time. */
  readonly waitingMax: number;
  /** One caller may use so much in a minute: further jobs are turned away. */
  readonly callerMaxMs: number;
  readonly now?: () => number;
}

/** `busy`: not begun, try again later. `failed`: the program threw, or ended without a result. */
type JobResult<Result> = { readonly result: Result } | 'busy' | 'tooSlow' | 'failed';

/** @param caller whom the work is for, such as a network address */
type RunInThread<Result> = (bytes: Uint8Array, caller: string) => Promise<JobResult<Result>>;

interface Job<Result> {
  readonly bytes: Uint8Array;
  readonly caller: string;
  readonly resolve: (result: JobResult<Result>) => void;
}

/**
 * Runs a program on bytes that a stranger may have made, each time in a thread of its own. A thread can be ended while it
 * computes, and its memory goes with it. One job runs at a time, so that the program never takes more than one core.
 * The queue is fair: the caller who has used the least is next. If the queue is full, the caller with the most gives up a place.
 */
export function createFairThread<Result>(options: ThreadOptions): RunInThread<Result> {
  return new FairThread<Result>(options).run;
}

class FairThread<Result> {
  readonly #options: ThreadOptions;
  readonly #now: () => number;
  readonly #waiting: Job<Result>[] = [];
  readonly #used = new Map<string, number>();
  #windowEndsAt = 0;
  #isRunning = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  readonly run: RunInThread<Result> = (bytes, caller) => {
    const { promise, resolve } = Promise.withResolvers<JobResult<Result>>();
    if (this.#usedBy(caller) >= this.#options.callerMaxMs) return Promise.resolve('busy');
    this.#waiting.push({ bytes, caller, resolve });
    if (this.#waiting.length > this.#options.waitingMax) this.#turnOneAway();
    void this.#work();
    return promise;
  };

  #usedBy(caller: string): number {
    if (this.#now() >= this.#windowEndsAt) {
      this.#used.clear();
      this.#windowEndsAt = this.#now() + WINDOW_MS;
    }
    return this.#used.get(caller) ?? 0;
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let job = this.#next(); job; job = this.#next()) {
      const startedAt = this.#now();
      const result = await runOnce<Result>(this.#options, job.bytes);
      this.#used.set(job.caller, this.#usedBy(job.caller) + this.#now() - startedAt);
      job.resolve(result);
    }
    this.#isRunning = false;
  }

  #next(): Job<Result> | undefined {
    const [first, ...others] = this.#waiting;
    if (!first) return undefined;
    const next = others.reduce(
      (least, job) => (this.#usedBy(job.caller) < this.#usedBy(least.caller) ? job : least),
      first,
    );
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    return next;
  }

  /** Counts a job that waits as the longest that it can become. */
  #turnOneAway(): void {
    const load = (caller: string) =>
      this.#usedBy(caller) +
      this.#waiting.filter((job) => job.caller === caller).length * this.#options.jobMaxMs;
    const most = this.#waiting.reduce((most, job) => (load(job.caller) >= load(most.caller) ? job : most));
    this.#waiting.splice(this.#waiting.indexOf(most), 1);
    most.resolve('busy');
  }
}

/** Never rejects. */
function runOnce<Result>(
  { program, jobMaxMs }: ThreadOptions,
  bytes: Uint8Array,
): Promise<JobResult<Result>> {
  const { promise, resolve } = Promise.withResolvers<JobResult<Result>>();
  const thread = new Worker(program, { workerData: bytes });
  const timer = setTimeout(() => resolve('tooSlow'), jobMaxMs * LATE_MAX);
  const look = async () => {
    const { user, system } = await thread.cpuUsage();
    if (user + system >= jobMaxMs * 1_000) resolve('tooSlow');
  };
  // A thread that has ended tells nothing.
  const looking = setInterval(() => look().catch(() => {}), LOOK_EVERY_MS);
  thread
    .once('message', (result: Result) => resolve({ result }))
    .once('error', () => resolve('failed'))
    .once('exit', () => resolve('failed'));
  return promise.finally(() => {
    clearTimeout(timer);
    clearInterval(looking);
    return thread.terminate();
  });
}
