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
   * True where a process without this part must get no requests. False where another process would do no better, and the
   * customer is better served by a true sentence of ours than by a balancer's error: then it is shown and no more.
   */
  readonly isNeeded: boolean;
  isWell(): boolean | Promise<boolean>;
}

/** Whether this process wants to be sent requests. Liveness is another question (`/health`). */
interface Readiness {
  /** `GET /`: 200 while it does, 503 while it does not; the parts as JSON either way. */
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
  const answer = () => {
    looking ??= look(checks).finally(() => {
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

async function look(checks: readonly ReadinessCheck[]): Promise<Answer> {
  const looks = await Promise.all(
    checks.map(async (check) => ({ ...check, isWell: await inTime(async () => check.isWell()) })),
  );
  return {
    status: looks.every(({ isWell, isNeeded }) => isWell || !isNeeded) ? 'ready' : 'not ready',
    parts: Object.fromEntries(looks.map(({ name, isWell }) => [name, isWell])),
  };
}

async function inTime(ask: () => Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), LOOK_MAX_MS);
  const asked = ask().catch(() => false);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
