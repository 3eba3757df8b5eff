import { assign } from 'xstate';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Change, changesOf, changing } from './change.ts';
import { conversation, type Remembered, states } from './conversation.ts';
import { type Failure, isRefusal } from './problem.ts';
import type { Choice, Sentence } from './screen.ts';

/** The context of a conversation that the balance may stop. */
export interface Short extends Remembered {
  /** The balance, where the PIN has just opened it. */
  has?: Centimes | undefined;
  /** The most that the wallet may hold, where the amount is above that. */
  holds?: Centimes | undefined;
  /** The customer types the PIN to read what is left, and for nothing else. */
  looks?: true | undefined;
}

/** The case of a call that was refused because the balance is too low. */
export const WHERE_SHORT = {
  if: (refusal: Failure) => isRefusal(refusal, 'insufficientFunds'),
  target: 'tooLow',
  know: (refusal: Failure): Short => {
    const { has, holds } = refusal.kind === 'refused' ? refusal : { has: undefined, holds: undefined };
    return { has, holds };
  },
};

/** The customer's ways on. Each is the name of a state. */
interface WaysOn<Context> {
  /** The payment that is not made: its amount, and for whom. */
  readonly named: (context: Context) => Sentence;
  /** The same on a page, where the amount alone would not do. */
  readonly due?: (context: Context) => Sentence | undefined;
  /** The payment is changed here. */
  readonly back: string;
  /** An amount is typed there. */
  readonly asksAmount: boolean;
  /** Items that can be left out, so that the payment costs less, or another payment. */
  readonly leavesOut?: readonly Change<Context>[];
  readonly cancel: string;
}

const LOAD: Choice = { id: 'load', key: 'balance.load' };
const AMEND: Choice = { id: 'amend', key: 'pay.otherAmount' };
const LEFT: Choice = { id: 'left', key: 'pay.seeLeft' };
const UPGRADE: Choice = { id: 'upgrade', key: 'account.upgrade' };
const CANCEL: Choice = { id: 'cancel', key: 'pay.cancel' };

/**
 * The balance does not hold the amount: the customer deposits money, types another amount, leaves something out, or reads what is left. This figure is the balance, so
 * it takes the PIN (docs/safety.md, "The balance stays behind the PIN"). No deposit helps where the wallet may never hold that much.
 */
export function short<Context extends Short>({
  named,
  due = () => undefined,
  back,
  asksAmount,
  leavesOut = [],
  cancel,
}: WaysOn<Context>) {
  const { createStateConfig } = conversation<Context>();
  const know = (facts: Short) => facts as Partial<Context>;
  const isChoice =
    ({ id }: Choice) =>
    ({ event }: { event: { readonly choice: string } }) =>
      event.choice === id;
  const amendsOf = (context: Context) => [...(asksAmount ? [AMEND] : []), ...changesOf(leavesOut, context)];
  return {
    tooLow: states<Context>()({
      tags: 'private',
      entry: assign(() => know({ notice: undefined, looks: undefined })),
      shows: (c) => ({
        ...whyShort(c, named(c), due(c)),
        choices: [
          ...(c.holds === undefined ? [LOAD] : []),
          ...amendsOf(c),
          ...(c.has === undefined ? [LEFT] : []),
          ...(c.holds === undefined ? [] : [UPGRADE]),
          CANCEL,
        ],
        expects: 'choice',
        ...(asksAmount && { takesAmount: true }),
      }),
      chose: [
        { guard: isChoice(LOAD), target: 'toCashIn' },
        { guard: isChoice(LEFT), target: 'askingPin', actions: assign(() => know({ looks: true })) },
        { guard: isChoice(UPGRADE), target: 'toUpgrade' },
        { guard: isChoice(CANCEL), target: cancel },
        ...changing(leavesOut),
        { target: back },
      ],
      back,
    }),
    toCashIn: createStateConfig({ type: 'final', output: { next: 'cash-in' } }),
    toUpgrade: createStateConfig({ type: 'final', output: { next: 'upgrade' } }),
  };
}

function whyShort(
  { has, holds }: Pick<Short, 'has' | 'holds'>,
  named: Sentence,
  due: Sentence | undefined,
): Sentence {
  const sum = due ? { lines: [due] } : named.values?.amount;
  const values = { ...named.values, ...(sum && { due: sum }), payment: { lines: [named] } };
  if (has !== undefined) return { key: 'pay.shortOf', values: { ...values, left: { money: has } } };
  return holds === undefined
    ? { key: 'pay.short', values }
    : { key: 'pay.aboveLimit', values: { ...values, limit: { money: holds } } };
}
