import { OPERATORS, type Operator } from '../../src/wallet/contract/telco.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { TopUpProduct } from '../../src/wallet/services.ts';
import type { Choice } from './screen.ts';

/** A number that was topped up before, and its operator then. */
export interface Recent {
  readonly to: Msisdn;
  readonly operator?: Operator;
  /** The product that was bought for it then. Absent: a classic top-up. */
  readonly product?: string;
}

export function isOperator(id: number): id is Operator {
  return id in OPERATORS;
}

/** By their digits. The last top-up's operator is only pointed out: a number can move to another one. */
export function operatorChoices(number: Msisdn | undefined, recent: readonly Recent[] = []): Choice[] {
  const last = recent.find(({ to }) => to === number)?.operator;
  return Object.keys(OPERATORS)
    .map(Number)
    .filter(isOperator)
    .map(
      (each): Choice => ({
        id: String(each),
        key: each === last ? 'top-up.sameOperator' : 'top-up.operator',
        values: { operator: { name: OPERATORS[each] } },
        digit: each,
      }),
    );
}

/** Undefined for a choice that is no operator. */
export function chosenOperator(choice: string): Operator | undefined {
  const id = Number(choice);
  return isOperator(id) ? id : undefined;
}

export function productChoice({ code, name, arName }: TopUpProduct): Choice {
  return {
    id: String(code),
    key: 'top-up.product',
    values: { product: { text: name, ...(arName && { arText: arName }) } },
    varies: true,
  };
}
