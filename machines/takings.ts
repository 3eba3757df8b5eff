import { assign } from 'xstate';
import { OPERATION_TYPES } from '../src/wallet/contract/fields.ts';
import { readPhone } from '../src/wallet/phone.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import { conversation, ending, known, screen } from './kit/conversation.ts';
import type { Period, TakenPayment, Takings } from './kit/effects.ts';
import {
  isGivenBack,
  OTHER_PAGES,
  type PaymentsPage,
  paymentChoices,
  paymentValues,
  receivedPayment,
} from './kit/received-payment.ts';
import type { Choice, Screen } from './kit/screen.ts';

const PERIODS: readonly Period[] = ['today', 'yesterday', 'week'];
const { MOBILE_PAYMENT, CARD_PAYMENT } = OPERATION_TYPES;

interface LookingAtTakings extends Authenticating, PaymentsPage {
  period: Period;
  takings?: Takings;
  /** The payment that is looked at. */
  chosen?: number;
}

const call = calls<LookingAtTakings>();

/** A merchant reads takings and refunds, added up from the wallet's list, and the payments, after the PIN. */
export const takings = conversation<LookingAtTakings>().createMachine({
  id: 'takings',
  version: '1',
  context: ({ input: { wallet, filled } }) => ({
    wallet: known(wallet),
    period: filled?.period ?? 'today',
    page: 1,
  }),
  initial: 'askingPin',
  output: ending,
  states: {
    ...authentication<LookingAtTakings>(() => ({ key: 'takings.askPin', expects: 'pin' }), {
      next: 'adding',
      back: 'left',
    }),
    adding: call('readTakings', {
      says: 'takings.adding',
      input: ({ wallet, period }) => ({ wallet, period }),
      on: { ok: { target: 'shown', know: (takings) => ({ takings }) }, failed: 'unavailable' },
    }),
    shown: {
      tags: 'private',
      meta: screen(takingsScreen),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice === 'list',
            target: 'reading',
            actions: assign({ page: 1 }),
          },
          { target: 'adding', actions: assign(({ event }) => ({ period: periodOf(event.choice) })) },
        ],
        back: 'left',
      },
    },
    reading: call('readPayments', {
      says: 'takings.adding',
      input: ({ wallet, period, page }) => ({ wallet, types: [MOBILE_PAYMENT, CARD_PAYMENT], page, period }),
      on: { ok: { target: 'listing', know: (read) => read }, failed: 'unavailable' },
    }),
    listing: {
      tags: 'private',
      meta: screen(list),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice in OTHER_PAGES,
            target: 'reading',
            actions: assign(({ event, context }) => ({
              page: context.page + (OTHER_PAGES[event.choice] ?? 0),
            })),
          },
          { target: 'showing', actions: assign(({ event }) => ({ chosen: Number(event.choice) })) },
        ],
        back: 'shown',
      },
    },
    showing: {
      tags: 'private',
      meta: screen((c) => detail(known(chosen(c)))),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'refund', target: 'refunding' },
          { target: 'listing' },
        ],
        back: 'listing',
      },
    },
    refunding: {
      type: 'final',
      output: ({ context }) => ({
        next: 'merchant-refund',
        filled: { original: receivedPayment(known(chosen(context))) },
      }),
    },
    unavailable: { type: 'final', meta: screen(() => ({ key: 'takings.unavailable', expects: 'nothing' })) },
    left: { type: 'final' },
  },
});

function takingsScreen({ period, takings }: LookingAtTakings): Screen {
  const { count, total, givenBack, moreThan, leftOut } = known(takings);
  const choices: Choice[] = PERIODS.filter((each) => each !== period).map((id) => ({
    id,
    key: `takings.${id}`,
  }));
  const values = {
    period: { say: `takings.${period}` },
    payments: { count },
    total: { money: total },
    givenBack: { money: givenBack },
  } as const;
  if (moreThan !== undefined)
    return {
      key: 'takings.tooMany',
      values: { period: values.period, most: { count: moreThan } },
      choices,
      expects: 'choice',
    };
  const isNothing = count === 0 && givenBack === 0 && !leftOut;
  return {
    key: isNothing ? 'takings.none' : 'takings.shown',
    values,
    ...(leftOut && { notice: { key: 'takings.leftOut' } }),
    choices: count > 0 ? [...choices, { id: 'list', key: 'takings.list' }] : choices,
    expects: 'choice',
  };
}

function list(context: LookingAtTakings): Screen {
  const { payments = [], period } = context;
  return {
    key: payments.length > 0 ? 'takings.listed' : 'takings.none',
    values: { period: { say: `takings.${period}` } },
    choices: paymentChoices('takings', context),
    expects: 'choice',
  };
}

function detail(payment: TakenPayment): Screen {
  const isRefundable =
    payment.type === MOBILE_PAYMENT && receivedPayment(payment) !== undefined && !isGivenBack(payment);
  return {
    key: readPhone(payment.sender) ? 'takings.detail' : 'takings.detailOnly',
    values: {
      ...paymentValues(payment),
      fees: { money: payment.fees },
      reference: { code: String(payment.id) },
    },
    choices: [
      ...(isRefundable ? [{ id: 'refund', key: 'takings.refund' } as const] : []),
      { id: 'list', key: 'takings.backToList' },
    ],
    expects: 'choice',
  };
}

function chosen({ payments = [], chosen: id }: LookingAtTakings): TakenPayment | undefined {
  return payments.find((payment) => payment.id === id);
}

function periodOf(choice: string): Period {
  return PERIODS.find((period) => period === choice) ?? 'today';
}
