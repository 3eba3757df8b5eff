import { OPERATORS, type Operator } from '../../src/wallet/contract/telco.ts';
import { type Msisdn, readPhone } from '../../src/wallet/phone.ts';
import type { TopUp, TopUpProduct } from '../../src/wallet/services.ts';
import type { Choice, Sentence } from '../kit/screen.ts';
import type { SentenceKey } from '../kit/sentence-key.ts';

/** A number that was topped up before, and its operator then. */
export interface Recent {
  readonly to: Msisdn;
  readonly operator?: Operator;
}

/** Every number of a history once, in its order: the newest first. */
export function recentOf(history: readonly TopUp[]): readonly Recent[] {
  const recent = new Map<Msisdn, Recent>();
  for (const { to: text, operator } of history) {
    const to = readPhone(text);
    if (to && !recent.has(to)) recent.set(to, { to, ...(isOperator(operator) && { operator }) });
  }
  return [...recent.values()];
}

function isOperator(id: number): id is Operator {
  return id in OPERATORS;
}

/** Numbers that are offered in addition to the customer's own. */
const RECENT_SHOWN = 3;

/** Whose phone it may be: the customer's own (`me`), or one of the numbers topped up before, each by its number. */
export function numberChoices(wallet: Msisdn, recent: readonly Recent[] = []): Choice[] {
  return [
    { id: 'me', key: 'top-up.me' },
    ...others(wallet, recent).map(
      ({ to }): Choice => ({
        id: to,
        key: 'top-up.recent',
        values: { to: { phone: to } },
      }),
    ),
    { id: 'history', key: 'top-up.openHistory' },
  ];
}

/** The number of a choice. */
export function chosenNumber(choice: string, wallet: Msisdn): Msisdn {
  return readPhone(choice) ?? wallet;
}

function others(wallet: Msisdn, recent: readonly Recent[]): readonly Recent[] {
  return recent.filter(({ to }) => to !== wallet).slice(0, RECENT_SHOWN);
}

/** All operators. That of the last top-up of this number comes first, and is only suggested: numbers move. */
export function operatorChoices(number: Msisdn | undefined, recent: readonly Recent[] = []): Choice[] {
  const last = recent.find(({ to }) => to === number)?.operator;
  const all = Object.keys(OPERATORS).map(Number).filter(isOperator);
  return [...all.filter((each) => each === last), ...all.filter((each) => each !== last)].map(
    (each): Choice => ({
      id: String(each),
      key: each === last ? 'top-up.sameOperator' : 'top-up.operator',
      values: { operator: { name: OPERATORS[each] } },
    }),
  );
}

/** The operator of a choice. */
export function chosenOperator(choice: string): Operator | undefined {
  const id = Number(choice);
  return isOperator(id) ? id : undefined;
}

export function productChoice({ code, name, arName }: TopUpProduct): Choice {
  return {
    id: String(code),
    key: 'top-up.product',
    values: { product: { text: name, ...(arName && { arText: arName }) } },
  };
}

/** Open question 30: what the numbers mean is not shown in v2.3. */
const STATES: Readonly<Record<number, SentenceKey>> = {
  0: 'top-up.created',
  1: 'top-up.open',
  2: 'top-up.completed',
  3: 'top-up.failedThen',
  4: 'top-up.cancelledThen',
};

/** One line of the history: day, amount, operator, number and how it ended. */
export function historyLine({ at, amount, operator, to, status }: TopUp): Sentence {
  const phone = readPhone(to);
  return {
    key: 'top-up.line',
    values: {
      day: { day: at },
      amount: { money: amount },
      operator: isOperator(operator) ? { name: OPERATORS[operator] } : { code: String(operator) },
      to: phone ? { phone } : { code: to },
      state: { say: STATES[status] ?? 'top-up.otherState' },
    },
  };
}
