import { assign } from 'xstate';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { Rib } from '../src/wallet/rib.ts';
import { known, machine, type Start } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import {
  accountsOf,
  chosen,
  chosenAgain,
  isUnsaved,
  lastPaidIn,
  listedPayees,
  matchingPayee,
  type Offering,
  offered,
  payees,
  savedName,
  savedWith,
  TO_OTHERS,
} from './kit/payees.ts';
import { ABOUT_RECIPIENT, type Paying, payingTail, renumbering } from './kit/paying.ts';
import { amountIn, isName, payeeOrRibIn } from './kit/typed.ts';

interface Transferring extends Paying, Offering {
  to?: Msisdn | undefined;
  /** Of a bank account. The conversation `bank-transfer` takes it over. */
  rib?: Rib | undefined;
  /** The name of that account's holder. */
  holder?: string | undefined;
  /** The saved recipient whose number `to` is. */
  beneficiaryId?: number | undefined;
  /** True for an order to the recipient of the last payment. */
  toLast?: true | undefined;
  /** Given with the order, before it was asked for. */
  amount?: Centimes | undefined;
}

/** Refusals of the preview after which another recipient can be chosen. */
const ABOUT_BENEFICIARY: readonly RefusalName[] = [
  ...ABOUT_RECIPIENT,
  'beneficiaryUnknown',
  'beneficiaryOther',
];
const { typed, choose, decide, state } = parts<Transferring>();
const PAID_SO = ['transfer', 'bank-transfer'] as const;
const EXITS = { ask: 'askingRecipient', taken: 'taking' } as const;

/**
 * The customer sends money to a mobile number, or to an account of a bank: typed, or that of somebody who is saved. The
 * preview, not a look-up, says who can be paid.
 */
export const transfer = machine<Transferring>({
  id: 'transfer',
  context: ({ input }) => started(input),
  initial: 'beginning',
  on: renumbering<Transferring>('recallingPayees'),
  states: {
    beginning: decide(
      { if: (context) => context.rib !== undefined, target: 'toBank' },
      {
        if: ({ to, amount }) => to !== undefined && amount !== undefined,
        target: 'previewing',
        know: placeOrder,
      },
      { if: ({ to }) => to !== undefined, target: 'askingAmount' },
      'recallingPayees',
    ),
    ...payees<Transferring>({ ...EXITS, read: 'matching' }),
    matching: matchingPayee<Transferring>(EXITS, isPayable, ({ amount }) => amount, {
      if: (context) => lastPaid(context) !== undefined,
      target: 'beginning',
      know: (context) => ({ ...lastPaid(context), toLast: undefined, payee: undefined }),
    }),
    askingRecipient: state({
      entry: assign({
        ...{ to: undefined, rib: undefined, holder: undefined },
        ...{ chosen: undefined, beneficiaryId: undefined },
      }),
      shows: (c) => ({
        key: 'transfer.askRecipient',
        choices: [
          ...(c.found ? listedPayees(c) : offered(c, isPayable, PAID_SO)),
          { id: 'merchant', key: 'transfer.merchant' },
        ],
        expects: 'account',
      }),
      chose: [
        chosen<Transferring>(EXITS),
        chosenAgain<Transferring>('beginning'),
        TO_OTHERS,
        { target: 'toMerchant' },
      ],
      said: [
        {
          guard: ({ event }) => isName(event.text),
          target: 'matching',
          actions: assign(({ event }) => ({ payee: event.text, found: undefined })),
        },
        ...typed((text, { wallet }) => payeeOrRibIn(text, wallet, 'transfer.toYourself'), {
          target: 'beginning',
          know: (payee) => payee,
        }),
      ],
      back: 'left',
    }),
    taking: decide(
      {
        if: ({ chosen }) => {
          const { to, rib } = accountsOf(known(chosen));
          return to !== undefined && rib !== undefined;
        },
        target: 'choosingAccount',
      },
      {
        if: ({ chosen }) => isPayable(accountsOf(known(chosen))),
        target: 'beginning',
        know: ({ chosen }) => accountsOf(known(chosen)),
      },
      { target: 'askingRecipient', know: () => ({ notice: { key: 'beneficiaries.notPayable' } }) },
    ),
    choosingAccount: state({
      shows: ({ chosen }) => {
        const { name, ...kept } = known(chosen);
        const { to, rib } = accountsOf({ name, ...kept });
        return {
          key: 'beneficiaries.chooseAccount',
          values: { name: { name } },
          choices: [
            { id: 'to', key: 'beneficiaries.toNumber', values: { to: { phone: known(to) } } },
            { id: 'rib', key: 'beneficiaries.toAccount', values: { account: { account: known(rib) } } },
          ],
          expects: 'choice',
        };
      },
      chose: choose({
        target: 'beginning',
        know: (choice, { chosen }) => {
          const { to, rib } = accountsOf(known(chosen));
          return choice === 'rib' ? { rib } : { to };
        },
      }),
      back: 'askingRecipient',
    }),
    askingAmount: state({
      tags: 'resumable',
      entry: assign({ amount: undefined }),
      shows: (c) => {
        const values = { to: { phone: known(c.to) } };
        const name = savedName(c);
        return name === undefined
          ? { key: 'transfer.askAmount', values, expects: 'amount' }
          : { key: 'transfer.askAmountSaved', values: { ...values, name: { name } }, expects: 'amount' };
      },
      said: typed(amountIn, {
        target: 'previewing',
        know: (amount, context) => placeOrder({ ...context, amount }),
      }),
      back: 'askingRecipient',
    }),
    ...payingTail<Transferring>(
      {
        amend: 'askingAmount',
        fromBalance: 'typed',
        amends: { refusals: ABOUT_BENEFICIARY, state: 'askingRecipient' },
        calls: savedName,
      },
      isUnsaved,
    ),
    toMerchant: {
      type: 'final',
      output: ({ context: { amount } }) => ({
        next: 'merchant-payment',
        ...(amount && { filled: { amount } }),
      }),
    },
    toBank: {
      type: 'final',
      output: ({ context }) => {
        const { rib, amount } = context;
        const saved = savedWith(context, { ...(rib && { rib }) });
        const holder = saved?.name ?? context.holder;
        return {
          next: 'bank-transfer',
          filled: {
            ...(rib && { rib }),
            ...(amount && { amount }),
            ...(holder !== undefined && { holder }),
            ...(saved && { beneficiaryId: saved.id }),
          },
        };
      },
    },
    left: { type: 'final' },
  },
});

/** Takes the values of the one line. A value that the questions would not accept is asked for. */
function started({ wallet, isChat, filled = {} }: Start): Transferring {
  const { to, rib, payee, toLast, amount, beneficiaryId } = filled;
  const toYourself = to !== undefined && to === wallet;
  return {
    wallet: known(wallet),
    ...(isChat && { isChat }),
    ...(to && !toYourself && { to, ...(beneficiaryId !== undefined && { beneficiaryId }) }),
    ...(rib && { rib }),
    ...(payee !== undefined && { payee }),
    ...(toLast && { toLast }),
    ...(amount && { amount }),
    ...(toYourself && { notice: { key: 'transfer.toYourself' } }),
  };
}

function isPayable({ to, rib }: ReturnType<typeof accountsOf>): boolean {
  return to !== undefined || rib !== undefined;
}

/** The recipient of the last payment, if they are meant, or the account whose holder was named. */
function lastPaid(context: Transferring) {
  const { toLast, payee } = context;
  return toLast || payee !== undefined ? lastPaidIn(context, PAID_SO, toLast ? undefined : payee) : undefined;
}

/** The id goes with its own number only (open question 63). */
function placeOrder(context: Transferring): Partial<Transferring> {
  const { wallet, to, amount } = context;
  const beneficiaryId = context.beneficiaryId ?? savedWith(context, { to: known(to) })?.id;
  return {
    order: {
      kind: 'transfer',
      from: wallet,
      to: known(to),
      amount: known(amount),
      ...(beneficiaryId !== undefined && { beneficiaryId }),
    },
  };
}
