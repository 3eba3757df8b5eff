import { OPERATORS } from '../../src/wallet/contract/telco.ts';
import { type Msisdn, readPhone } from '../../src/wallet/phone.ts';
import type { TopUp } from '../../src/wallet/services.ts';
import { isOperator, type Recent } from '../kit/operators.ts';
import { type Offering, savedWith } from '../kit/payees.ts';
import type { Choice, Sentence } from '../kit/screen.ts';
import type { SentenceKey } from '../kit/sentence-key.ts';

/** Every number of a history once, in its order: the newest first. */
export function recentOf(history: readonly TopUp[]): readonly Recent[] {
  const recent = new Map<Msisdn, Recent>();
  for (const { to: text, operator, product, status } of history) {
    const to = readPhone(text);
    if (!to || recent.has(to)) continue;
    // The operator of one that failed may be the reason.
    const isKnown = isOperator(operator) && status !== FAILED && status !== CANCELLED;
    recent.set(to, { to, ...(isKnown && { operator, ...(product !== undefined && { product }) }) });
  }
  return [...recent.values()];
}

/** Open question 30. */
const [FAILED, CANCELLED] = [3, 4];
/** Numbers that are offered in addition to the customer's own. */
const RECENT_SHOWN = 3;

/**
 * The phones to choose from: the customer's own (`me`), and the numbers topped up before. Each has its number, and the name
 * under which the customer has saved it. The way to all of them stands only where there is one.
 */
export function numberChoices(
  context: Offering & { readonly recent?: readonly Recent[]; readonly isFirst?: boolean },
): Choice[] {
  const { wallet, recent, isFirst } = context;
  return [
    { id: 'me', key: 'top-up.me', digit: 1 },
    ...others(wallet, recent).map(({ to }): Choice => {
      const saved = savedWith(context, { to });
      const values = { to: { phone: to } };
      return saved
        ? {
            id: to,
            key: 'top-up.recentSaved',
            values: { ...values, name: { name: saved.name } },
            listed: true,
          }
        : { id: to, key: 'top-up.recent', values, listed: true };
    }),
    ...(isFirst ? [] : [{ id: 'history', key: 'top-up.openHistory', varies: true } as const]),
  ];
}

export function chosenNumber(choice: string, wallet: Msisdn): Msisdn {
  return readPhone(choice) ?? wallet;
}

function others(wallet: Msisdn, recent: readonly Recent[] = []): readonly Recent[] {
  return recent.filter(({ to }) => to !== wallet).slice(0, RECENT_SHOWN);
}

/** Open question 30: what the numbers mean is not shown in v2.3. */
const STATES: Readonly<Record<number, SentenceKey>> = {
  0: 'top-up.created',
  1: 'top-up.open',
  2: 'top-up.completed',
  3: 'top-up.failedThen',
  4: 'top-up.cancelledThen',
};

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
