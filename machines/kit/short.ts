import { assign } from 'xstate';
import type { Centimes } from '../../src/wallet/money.ts';
import { conversation, type Remembered, states } from './conversation.ts';
import { type Failure, isRefusal } from './problem.ts';

/** The context of a conversation that the balance may stop. */
export interface Short extends Remembered {
  /** The balance, where the PIN has just opened it. */
  has?: Centimes | undefined;
  /** The customer types the PIN to read what is left, and for nothing else. */
  looks?: true | undefined;
}

/** The case of a call that was refused because the balance is too low. */
export const WHERE_SHORT = {
  if: (refusal: Failure) => isRefusal(refusal, 'insufficientFunds'),
  target: 'tooLow',
  know: (refusal: Failure): Short => ({ has: refusal.kind === 'refused' ? refusal.has : undefined }),
};

/**
 * The balance does not hold the amount: the customer deposits money, types another amount, or reads what is left. That is the balance, so it
 * takes the PIN (docs/safety.md, "The balance stays behind the PIN").
 * @param amend the state that asks for the amount
 */
export function short<Context extends Short>(amend: string) {
  const know = (facts: Short) => facts as Partial<Context>;
  const isChoice =
    (id: string) =>
    ({ event }: { event: { readonly choice: string } }) =>
      event.choice === id;
  return {
    tooLow: states<Context>()({
      tags: 'private',
      entry: assign(() => know({ notice: undefined, looks: undefined })),
      shows: ({ has }) => ({
        ...(has === undefined
          ? { key: 'pay.short' }
          : { key: 'pay.shortOf', values: { left: { money: has } } }),
        choices: [
          { id: 'load', key: 'balance.load' },
          { id: 'amend', key: 'pay.otherAmount' },
          ...(has === undefined ? [{ id: 'left', key: 'pay.seeLeft' } as const] : []),
        ],
        expects: 'choice',
        takesAmount: true,
      }),
      chose: [
        { guard: isChoice('load'), target: 'toCashIn' },
        { guard: isChoice('left'), target: 'askingPin', actions: assign(() => know({ looks: true })) },
        { target: amend },
      ],
      back: amend,
    }),
    toCashIn: conversation<Context>().createStateConfig({ type: 'final', output: { next: 'cash-in' } }),
  };
}
