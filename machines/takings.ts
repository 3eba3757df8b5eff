import { OPERATION_TYPES } from '../src/wallet/contract/fields.ts';
import { readPhone } from '../src/wallet/phone.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import type { Period, TakenPayment, Takings } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
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

const { call, choose, state } = parts<LookingAtTakings>();

/** A merchant reads takings and refunds, added up from the wallet's list, and the payments, after the PIN. */
export const takings = machine<LookingAtTakings>({
  id: 'takings',
  context: ({ input: { wallet, filled } }) => ({
    wallet: known(wallet),
    period: filled?.period ?? 'today',
    page: 1,
  }),
  initial: 'askingPin',
  states: {
    ...authentication<LookingAtTakings>(() => ({ key: 'takings.askPin', expects: 'pin' }), {
      next: 'adding',
      back: 'left',
    }),
    adding: call('readTakings', {
      says: 'takings.adding',
      input: ({ wallet, period }) => ({ wallet, period }),
      ok: { target: 'shown', know: (takings) => ({ takings }) },
      failed: 'unavailable',
    }),
    shown: state({
      tags: 'private',
      shows: takingsScreen,
      chose: choose(
        { if: 'list', target: 'reading', know: () => ({ page: 1 }) },
        { target: 'adding', know: (choice) => ({ period: periodOf(choice) }) },
      ),
      back: 'left',
    }),
    reading: call('readPayments', {
      says: 'takings.adding',
      input: ({ wallet, period, page }) => ({ wallet, types: [MOBILE_PAYMENT, CARD_PAYMENT], page, period }),
      ok: { target: 'listing', know: (read) => read },
      failed: 'unavailable',
    }),
    listing: state({
      tags: 'private',
      shows: list,
      chose: choose(
        {
          if: (choice) => choice in OTHER_PAGES,
          target: 'reading',
          know: (choice, context) => ({ page: context.page + (OTHER_PAGES[choice] ?? 0) }),
        },
        { target: 'showing', know: (choice) => ({ chosen: Number(choice) }) },
      ),
      back: 'shown',
    }),
    showing: state({
      tags: 'private',
      shows: (c) => detail(known(chosen(c))),
      chose: choose({ if: 'refund', target: 'refunding' }, { target: 'listing' }),
      back: 'listing',
    }),
    refunding: {
      type: 'final',
      output: ({ context }) => ({
        next: 'merchant-refund',
        filled: { original: receivedPayment(known(chosen(context))) },
      }),
    },
    unavailable: last('takings.unavailable'),
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
