import { z } from 'zod';
import type { ApiName } from '../../wallet/contract/api.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Seeded } from '../core/random.ts';
import {
  FAULT_NAMES,
  FAULTS,
  type FaultName,
  type FaultOrder,
  faultOrder,
  MONEY,
  MONEY_OPERATIONS,
  PLAIN_FAULT_NAMES,
  type Struck,
  struckOperation,
} from './faults.ts';
import { magicFault, magicOfAmount } from './magic.ts';

export const setFault = z
  .object({
    name: z.enum(FAULT_NAMES),
    operation: struckOperation.optional(),
    probability: z.number(),
    /** How many times it will still strike. Absent: until it is cleared. */
    count: z.number().optional(),
    delayMs: z.number(),
    /** Of `refused`: the error code. */
    code: z.number().optional(),
    /** How many requests it could have struck, and how many it did. */
    met: z.number(),
    struck: z.number(),
  })
  .readonly();
type SetFault = z.output<typeof setFault>;

type Which = Pick<SetFault, 'name' | 'operation'>;
const NONE: Struck = {};

/**
 * The faults that are set, in memory only: a sandbox that starts again works well. The seed and the running number of
 * the requests that a fault has met decide whether it strikes, so the same requests meet the same faults.
 */
export class Faults {
  /** Those that can be set by their name alone. */
  readonly names = PLAIN_FAULT_NAMES;
  readonly #random: Seeded;
  readonly #delaysMs: Struck;
  /** In the order of the closed list, where what strikes the request itself comes first. */
  #set: readonly SetFault[] = [];

  /** @param delaysMs other delays than those of the closed list */
  constructor(random: Seeded, delaysMs: Struck) {
    this.#random = random;
    this.#delaysMs = delaysMs;
  }

  /** Sets a fault, in place of one of the same name and operation. Throws for an order that makes no sense. */
  set(order: FaultOrder): void {
    const { delayMs = this.#delayOf(order.name), ...asked } = faultOrder.parse(order);
    const fault = { ...asked, delayMs, met: 0, struck: 0 };
    this.#set = [...this.#set.filter((each) => !isSame(each, fault)), fault].sort(
      (a, b) => FAULT_NAMES.indexOf(a.name) - FAULT_NAMES.indexOf(b.name),
    );
  }

  clear(name?: FaultName): void {
    this.#set = name ? this.#set.filter((each) => each.name !== name) : [];
  }

  list(): readonly SetFault[] {
    return this.#set;
  }

  /** Those that were set at another time, with what they have met. */
  restore(set: readonly SetFault[]): void {
    this.#set = set;
  }

  /**
   * The faults that strike a request that has just arrived: that of its magic number, and those that are set. They strike
   * together. A fault that keeps the request from being carried out leaves the others for the next one.
   * @param cash the amount of the reference for cash that it is about
   */
  strike(operation: ApiName, body: Readonly<Record<string, unknown>>, cash?: Centimes): Struck {
    const money = MONEY_OPERATIONS.includes(operation);
    const asked = cash === undefined ? undefined : magicOfAmount(operation, cash);
    const magic = asked ?? (money ? magicFault(body) : undefined);
    if (this.#set.length === 0 && !magic) return NONE;
    const struck: Partial<Record<FaultName, number>> = magic ? { [magic]: this.#delayOf(magic) } : {};
    const meets = ({ name, operation: on }: SetFault) =>
      on === undefined || on === MONEY
        ? money || (on === undefined && FAULTS[name].strikes !== 'operation')
        : on === operation;
    for (const fault of this.#set.filter(meets)) {
      if (!this.#strikes(fault)) continue;
      struck[fault.name] = fault.code ?? fault.delayMs;
      if (FAULTS[fault.name].strikes === 'request') break;
    }
    return struck;
  }

  /** Counts a request that a fault meets. True when the fault strikes it. */
  #strikes(fault: SetFault): boolean {
    const { name, operation = '', probability, met, count, struck } = fault;
    const does = this.#random.share(`fault:${name}:${operation}`, met) < probability;
    const left = does && count !== undefined ? count - 1 : count;
    const next = { ...fault, met: met + 1, struck: struck + Number(does), count: left };
    this.#set = this.#set.flatMap((each) => (each !== fault ? [each] : left === 0 ? [] : [next]));
    return does;
  }

  #delayOf(name: FaultName): number {
    return this.#delaysMs[name] ?? FAULTS[name].delayMs ?? 0;
  }
}

function isSame(a: Which, b: Which): boolean {
  return a.name === b.name && a.operation === b.operation;
}
