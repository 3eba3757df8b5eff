import type { ApiName } from '../../wallet/contract/api.ts';
import type { Seeded } from '../core/random.ts';
import {
  FAULT_NAMES,
  FAULTS,
  type FaultName,
  type FaultOrder,
  faultOrder,
  MONEY_OPERATIONS,
  type Struck,
} from './faults.ts';
import { magicFault } from './magic.ts';

/** A fault that is set. */
export interface SetFault {
  readonly name: FaultName;
  readonly operation?: ApiName | undefined;
  /** Whose requests it strikes, by the partner's id; absent: everybody's. */
  readonly partner?: number | undefined;
  readonly probability: number;
  /** How many times it will still strike; absent: until it is cleared. */
  readonly count?: number | undefined;
  readonly delayMs: number;
  /** How many requests it could have struck, and how many it did. */
  readonly met: number;
  readonly struck: number;
}

/** The faults that strike every partner, and only those. */
export const SHARED = 'shared';

type Which = Pick<SetFault, 'name' | 'operation' | 'partner'>;
const NONE: Struck = {};

/**
 * The faults that are set, in memory only: a sandbox that starts again works well. The seed and the running number of
 * the requests that a fault has met decide whether it strikes, so the same requests meet the same faults.
 */
export function createFaults(random: Seeded, delaysMs: Struck) {
  // In the order of the closed list, where what strikes the request itself comes first.
  let faults: readonly SetFault[] = [];

  const delayOf = (name: FaultName): number => delaysMs[name] ?? FAULTS[name].delayMs ?? 0;
  const isSame = (a: Which, b: Which) =>
    a.name === b.name && a.operation === b.operation && a.partner === b.partner;

  /** Counts a request that a fault meets; true when the fault strikes it. */
  function strikes(fault: SetFault): boolean {
    const { name, operation = '', partner, probability, met, count, struck } = fault;
    const whose = partner === undefined ? '' : `:${partner}`;
    const does = random.share(`fault:${name}:${operation}${whose}`, met) < probability;
    const left = does && count !== undefined ? count - 1 : count;
    const next = { ...fault, met: met + 1, struck: struck + Number(does), count: left };
    faults = faults.flatMap((each) => (each !== fault ? [each] : left === 0 ? [] : [next]));
    return does;
  }

  return {
    /** The closed list. */
    names: FAULT_NAMES,

    /**
     * Sets a fault, in place of one of the same name, operation and partner. Throws for an order that makes no sense.
     * @param partner whose requests it strikes, by id; absent: everybody's
     */
    set(order: FaultOrder, partner?: number): void {
      const { delayMs = delayOf(order.name), ...asked } = faultOrder.parse(order);
      const fault = { ...asked, partner, delayMs, met: 0, struck: 0 };
      faults = [...faults.filter((each) => !isSame(each, fault)), fault].sort(
        (a, b) => FAULT_NAMES.indexOf(a.name) - FAULT_NAMES.indexOf(b.name),
      );
    },

    /** Unsets the faults of that name, or all: those of one partner, those that strike every partner, or whosever they are. */
    clear(name?: FaultName, whose?: number | typeof SHARED): void {
      const isMeant = ({ partner }: SetFault) =>
        whose === undefined || partner === (whose === SHARED ? undefined : whose);
      faults = faults.filter((each) => each.name !== (name ?? each.name) || !isMeant(each));
    },

    /** All that are set, or those that can strike a partner. */
    list: (partner?: number): readonly SetFault[] =>
      faults.filter((each) => (each.partner ?? partner) === (partner ?? each.partner)),
    /** Those that were set at another time, with what they have met. */
    restore(set: readonly SetFault[]): void {
      faults = set;
    },

    /**
     * What strikes a request of a partner that has just arrived: the fault of its magic number, and those that are set. They
     * strike together, but one that keeps the request from being carried out leaves the others for the next.
     */
    strike(partner: number, operation: ApiName, body: Readonly<Record<string, unknown>>): Struck {
      const money = MONEY_OPERATIONS.includes(operation);
      const magic = money ? magicFault(body) : undefined;
      if (faults.length === 0 && !magic) return NONE;
      const struck: Partial<Record<FaultName, number>> = magic ? { [magic]: delayOf(magic) } : {};
      const meets = (fault: SetFault) =>
        (fault.partner ?? partner) === partner && (fault.operation ? fault.operation === operation : money);
      for (const fault of faults.filter(meets)) {
        if (!strikes(fault)) continue;
        struck[fault.name] = fault.delayMs;
        if (FAULTS[fault.name].strikes === 'request') break;
      }
      return struck;
    },
  };
}
export type Faults = ReturnType<typeof createFaults>;
