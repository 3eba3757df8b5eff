import { Hono } from 'hono';

/** How long an answer is given again without a new look: anybody may ask as often as they like. */
const ANSWER_KEPT_MS = 1_000;
/** A part that has not answered after this time is not well. Balancers wait 2 s and more. */
const LOOK_MAX_MS = 1_500;

/** A part of the process that `/ready` looks at. */
export interface ReadinessCheck {
  /** As `/ready` calls it. */
  readonly name: string;
  /**
   * True where a process must get no requests before this part was well for the first time. A later loss is shown and no more:
   * another process would do no better, and a customer reads a true sentence of ours instead of a balancer's error.
   */
  readonly isNeeded: boolean;
  isWell(): boolean | Promise<boolean>;
}

/** Whether this process wants to be sent requests. Liveness is another question (`/health`). */
export interface Readiness {
  /** `GET /`: 200 while the process wants requests, else 503, with the parts as JSON either way. */
  readonly routes: Hono;
  /** From now on it does not: the process is about to end. */
  drain(): void;
  isDraining(): boolean;
}

interface Answer {
  readonly status: 'ready' | 'not ready' | 'draining';
  readonly parts: Readonly<Record<string, boolean>>;
}

export function createReadiness(checks: readonly ReadinessCheck[]): Readiness {
  let isDraining = false;
  let looking: Promise<Answer> | undefined;
  const reached = new Set<ReadinessCheck>();
  const answer = () => {
    looking ??= look(checks, reached).finally(() => {
      setTimeout(() => {
        looking = undefined;
      }, ANSWER_KEPT_MS).unref();
    });
    return looking;
  };
  const routes = new Hono().get('/', async (c) => {
    // A process that ends does not wait for a store that hangs to say so.
    const { status, parts } = isDraining ? { status: 'draining', parts: {} } : await answer();
    return c.json({ status, ...parts }, status === 'ready' ? 200 : 503);
  });
  return {
    routes,
    drain() {
      isDraining = true;
    },
    isDraining: () => isDraining,
  };
}

/** @param reached parts that were well before: those that are well now are added */
async function look(checks: readonly ReadinessCheck[], reached: Set<ReadinessCheck>): Promise<Answer> {
  const looks = await Promise.all(
    checks.map(async (check) => {
      const isWell = await inTime(async () => check.isWell());
      if (isWell) reached.add(check);
      return [check.name, isWell] as const;
    }),
  );
  const isReady = checks.every((check) => reached.has(check) || !check.isNeeded);
  return { status: isReady ? 'ready' : 'not ready', parts: Object.fromEntries(looks) };
}

async function inTime(ask: () => Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), LOOK_MAX_MS);
  const asked = ask().catch(() => false);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
