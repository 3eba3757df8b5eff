import { z } from 'zod';
import { codec } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { update } from '../store/update.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Address, Origin } from './incoming.ts';
import type { Secrets } from './secrets.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** So many in a window of time, which begins with the first of them. */
interface Budget {
  readonly max: number;
  readonly ms: number;
  /** The operator is told once in each window in which the budget was not enough. */
  readonly alarms?: true;
}

/** SMS of all customers together, where the settings say nothing else. */
const SMS_PER_HOUR_MAX = 1_000;
const SMS_PER_DAY_MAX = 10_000;
/** Refused cards of one merchant, where the settings say nothing else. */
const REFUSED_CARDS_PER_DAY_MAX = 50;
/** The share of them that strangers may use. The rest is for customers who have proven their number. */
const STRANGERS_SHARE = 0.7;

export function smsLimits(smsPerHour = SMS_PER_HOUR_MAX, smsPerDay = SMS_PER_DAY_MAX) {
  const share = (max: number) => Math.ceil(max * STRANGERS_SHARE);
  return {
    ...{ smsPerHour, smsPerDay },
    ...{ strangersPerHour: share(smsPerHour), strangersPerDay: share(smsPerDay) },
  };
}
const LIMITS = smsLimits();

/**
 * Limits what strangers may cost us or a customer: codes by SMS that they ask for before the wallet is theirs. Each
 * budget is counted over all processes, in a document of its own.
 */
export const BUDGETS = {
  /** The codes that one chat asks for, to any numbers. */
  codesPerChat: { max: 5, ms: HOUR_MS },
  /** The codes that one asker (a network address, or a chat where there is none) has sent to one number. */
  codesPerAsker: { max: 3, ms: HOUR_MS },
  /** Codes that a network address asks for and nobody answers: an operator has thousands behind one. */
  codesPerNetwork: { max: 30, ms: HOUR_MS, alarms: true },
  /** Codes of the wallet that one customer has sent to open theirs, by registering or asking again. */
  registrationCodes: { max: 5, ms: HOUR_MS },
  /** Codes of the wallet that the callers of one USSD gateway ask for: a gateway that invents its callers is stopped there. */
  codesPerGateway: { max: 3_000, ms: HOUR_MS, alarms: true },
  /** Codes that strangers together have sent to one number. */
  codesPerNumber: { max: 12, ms: HOUR_MS },
  /** Guesses of one asker at a code that one number was shown on USSD. */
  shownCodeTries: { max: 5, ms: HOUR_MS },
  /** The SMS with codes that strangers have sent, to any numbers. */
  strangersPerHour: { max: LIMITS.strangersPerHour, ms: HOUR_MS, alarms: true },
  strangersPerDay: { max: LIMITS.strangersPerDay, ms: DAY_MS, alarms: true },
  /** Different cards refused on one merchant's links: a tester of stolen cards has many. */
  refusedCards: { max: REFUSED_CARDS_PER_DAY_MAX, ms: DAY_MS },
  /** Cases that chats without a proven number open at one network address: each lies with the cases of customers. */
  strangersCases: { max: 30, ms: HOUR_MS },
  /** The same card again is not counted again. */
  refusedCard: { max: 1, ms: DAY_MS },
  /** The files that one wallet fetches: a receipt is drawn each time, or comes from the wallet API. */
  files: { max: 40, ms: HOUR_MS },
  smsAnswers: { max: 5, ms: HOUR_MS },
  /** Every SMS that Wasl sends, as the provider charges for each. */
  smsPerHour: { max: SMS_PER_HOUR_MAX, ms: HOUR_MS, alarms: true },
  smsPerDay: { max: SMS_PER_DAY_MAX, ms: DAY_MS, alarms: true },
  /** SMS with messages about money: of one number, and of all. Above it they wait for the next dial. */
  messagesPerNumber: { max: 20, ms: DAY_MS },
  messagesPerDay: { max: SMS_PER_DAY_MAX, ms: DAY_MS, alarms: true },
} as const satisfies Readonly<Record<string, Budget>>;

export type BudgetName = keyof typeof BUDGETS;

/** One more of a budget. `of`: its owner, such as a network address. Absent: there is one budget for all. */
export interface Charge {
  readonly budget: BudgetName;
  readonly of?: string;
}

/** A budget that had too little room: told once in each window of it. */
export interface Alarm {
  readonly budget: BudgetName;
  readonly max: number;
  /** When there is room again, in ms since 1970. */
  readonly until: number;
}

/** The charge for a case that this chat would open. None where its customer has proven their number. */
export function caseOfStranger(
  address: Address,
  { wallet, origin }: { readonly wallet: Msisdn | undefined; readonly origin: Origin | undefined },
): readonly Charge[] {
  const of = origin?.kind === 'network' ? origin.name : address;
  return wallet === undefined ? [{ budget: 'strangersCases', of }] : [];
}

export interface Budgets {
  /**
   * Charges one budget after the other until one has no room, and gives its name. Undefined where all had room. The
   * charges before the refusal stay. So name the narrowest budget first: a stranger who is refused there costs nobody
   * else. Rejects with `StoreDown`.
   */
  charge(charges: readonly Charge[]): Promise<BudgetName | undefined>;
  /** True while a budget has room for one more. Rejects with `StoreDown`. */
  hasRoom(charge: Charge): Promise<boolean>;
  /** Takes a charge back, which turned out to be an honest one. Rejects with `StoreDown`. */
  giveBack(charge: Charge): Promise<void>;
  /** Counts an SMS that is sent in any case, such as the outcome of a payment. Rejects with `StoreDown`. */
  countSms(): Promise<void>;
}

export interface BudgetsDeps {
  readonly store: Store;
  /** Keys the digests under which the documents lie: no address or number is stored. */
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly now?: () => number;
  /** Other limits than those of `BUDGETS`. */
  readonly max?: Partial<Readonly<Record<BudgetName, number>>>;
  readonly alarm?: (alarm: Alarm) => void;
}

/** Budgets that all processes on one store share. */
export function createBudgets(options: BudgetsDeps): Budgets {
  const deps = { now: Date.now, alarm: () => {}, max: {}, ...options };
  return {
    charge: (charges) => chargeAll(deps, charges),
    async hasRoom(charge) {
      const [{ count }] = await change(deps, charge, (window) => window);
      return count < maxOf(deps, charge);
    },
    async giveBack(charge) {
      await change(deps, charge, ({ count, ...window }) => ({ ...window, count: Math.max(0, count - 1) }));
    },
    async countSms() {
      for (const charge of ALL_SMS) await spend(deps, charge, 'in any case');
    },
  };
}

export const ALL_SMS: readonly Charge[] = [{ budget: 'smsPerHour' }, { budget: 'smsPerDay' }];

/** How much of a budget was used in the window that is running. */
const window = z.object({
  /** When it began, in ms since 1970. */
  since: z.number(),
  count: z.number(),
  alarmed: z.literal(true).exactOptional(),
});
type Window = z.infer<typeof window>;
const windowCodec = codec('budget', window);

async function chargeAll(
  deps: Required<BudgetsDeps>,
  charges: readonly Charge[],
): Promise<BudgetName | undefined> {
  for (const charge of charges) if (!(await spend(deps, charge))) return charge.budget;
  return undefined;
}

function maxOf({ max }: Required<BudgetsDeps>, { budget }: Charge): number {
  return max[budget] ?? BUDGETS[budget].max;
}

/** Uses one of a budget, and gives whether there was room for it. */
async function spend(deps: Required<BudgetsDeps>, charge: Charge, always?: 'in any case'): Promise<boolean> {
  const { budget } = charge;
  const { ms, alarms }: Budget = BUDGETS[budget];
  const max = maxOf(deps, charge);
  const [before, after] = await change(deps, charge, (window) => {
    const hasRoom = window.count < max;
    const count = hasRoom || always ? window.count + 1 : window.count;
    return { ...window, count, ...(!hasRoom && alarms && { alarmed: true }) };
  });
  if (after.alarmed && !before.alarmed) deps.alarm({ budget, max, until: after.since + ms });
  return before.count < max;
}

/** Changes the window that is running, or a new one. Gives it as it was and as it is then. */
function change(
  { store, secrets, now }: Required<BudgetsDeps>,
  { budget, of = '' }: Charge,
  next: (window: Window) => Window,
): Promise<readonly [before: Window, after: Window]> {
  const { ms } = BUDGETS[budget];
  const key = `budget:${budget}:${secrets.digest(`budget ${budget} ${of}`)}`;
  return update(store, partitionOf(key), [key], (doc) => {
    const at = now();
    // One that is damaged begins again, and so does one that a clock far ahead has begun.
    const stored = windowCodec.readable(doc);
    const before = stored && Math.abs(at - stored.since) < ms ? stored : { since: at, count: 0 };
    const after = next(before);
    const isSame = after.count === before.count && after.alarmed === before.alarmed;
    const writes = isSame ? [] : [windowCodec.write(doc, after, { keepUntil: after.since + ms })];
    return { writes, result: [before, after] as const };
  });
}
