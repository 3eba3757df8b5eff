import {
  type CircuitBreakerPolicy,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  isBrokenCircuitError,
} from 'cockatiel';
import { type CallKind, GivenUp, type Transport, type WalletResponse } from './transport.ts';

/** So many of the last calls are looked at … */
const CALLS_LOOKED_AT = 40;
/** … once there are this many of them … */
const CALLS_MIN = 20;
/** … and when more than this share of them has failed, the circuit opens. */
const FAILURES_MAX = 0.5;
/** After this time one call tests the wallet again. If it fails, the next wait is longer. */
const TRY_AFTER_MS = 1_000;
const TRY_AFTER_MAX_MS = 15_000;
/** The answers of a server that is down or overloaded. Its other errors are about one request. */
const DOWN: ReadonlySet<number> = new Set([502, 503, 504]);

export interface BreakerOptions {
  /** Told when calls of a kind are turned away from now on, and when they are not any more. */
  readonly onChange?: ((kind: CallKind, isOpen: boolean) => void) | undefined;
}

/**
 * A circuit breaker for each kind of call. A wallet that is down or hangs makes every caller wait for its deadline.
 * Once most calls have failed, the next ones are turned away at once with `GivenUp`, and it is certain that they were
 * not sent. From time to time one call is let through, and when that is answered, all are. Nothing here sends anything
 * again.
 */
export function guarded(transport: Transport, { onChange = () => {} }: BreakerOptions = {}): Transport {
  const circuits: Readonly<Record<CallKind, CircuitBreakerPolicy>> = {
    read: circuitOf((isOpen) => onChange('read', isOpen)),
    act: circuitOf((isOpen) => onChange('act', isOpen)),
    file: circuitOf((isOpen) => onChange('file', isOpen)),
  };
  return async (request, body, patience) => {
    const circuit = circuits[patience.kind];
    // While one call tries, the library would keep the others waiting for what becomes of it.
    if (circuit.state === CircuitState.HalfOpen) throw new GivenUp(false, 'circuitOpen');
    try {
      return await circuit.execute(() => transport(request, body, patience));
    } catch (error) {
      throw isBrokenCircuitError(error) ? new GivenUp(false, 'circuitOpen') : error;
    }
  };
}

function circuitOf(onChange: (isOpen: boolean) => void): CircuitBreakerPolicy {
  const failures = handleAll.orWhenResult((answer) => DOWN.has((answer as WalletResponse).status));
  const circuit = circuitBreaker(failures, {
    halfOpenAfter: new ExponentialBackoff({ initialDelay: TRY_AFTER_MS, maxDelay: TRY_AFTER_MAX_MS }),
    breaker: new CountBreaker({
      threshold: FAILURES_MAX,
      size: CALLS_LOOKED_AT,
      minimumNumberOfCalls: CALLS_MIN,
    }),
  });
  let isOpen = false;
  const turn = (to: boolean) => {
    // A failed trial call opens a circuit that is open already. This is no change.
    if (isOpen !== to) onChange(to);
    isOpen = to;
  };
  circuit.onBreak(() => turn(true));
  circuit.onReset(() => turn(false));
  return circuit;
}
