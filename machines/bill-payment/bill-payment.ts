import { assign } from 'xstate';
import { billed } from '../../src/payments/bill-labels.ts';
import { type RefusalName, refusalCode } from '../../src/wallet/contract/errors.ts';
import type { Creditor, Unpaid } from '../../src/wallet/services.ts';
import { known, last, machine } from '../kit/conversation.ts';
import { parts } from '../kit/parts.ts';
import { notEnabled, payingTail } from '../kit/paying.ts';
import { problem } from '../kit/problem.ts';
import type { Sentence } from '../kit/screen.ts';
import { stopped } from '../kit/stopped.ts';
import {
  about,
  findCreditors,
  forget,
  keptDue,
  namedAtPin,
  onlyCreditor,
  type PayingBills,
  placeOrder,
  sought,
} from './bill.ts';
import {
  ANOTHER,
  BESIDE_PIN,
  contractStates,
  FEWER_BILLS,
  fits,
  isContract,
  keptWith,
  nothingKept,
  ofContract,
  takeContract,
  toKeep,
  withContracts,
} from './contracts.ts';
import { creditorChoices } from './creditors.ts';
import { askPasswords, asks, BEGINNING, EMPTY_FORM, fillingIn, reopen } from './filling.ts';
import { answeredBy, questionsOf } from './form.ts';
import { billHistory } from './history.ts';
import { isPlain, review, SOME, select, severalIn, toggled } from './items.ts';

/** `seulement septembre`: nothing else shall be ticked. */
const ONLY = /(?<!\p{L})(?:seulement|uniquement|juste|only|just|فقط)(?!\p{L})/iu;
/** Refusals of a payment that are mended before its confirmation, each in its own place. */
const MENDED: readonly RefusalName[] = [
  'expired',
  'billChanged',
  'billExpired',
  'creditorClosed',
  'nothingToPay',
  'fieldMissing',
];

const { call, choose, decide, state } = parts<PayingBills>();
const tail = payingTail<PayingBills>({
  amend: 'reviewing',
  fromBalance: 'fixed',
  asAmend: 'bill-payment.otherBills',
  amends: { refusals: MENDED, state: 'mending' },
  named: namedAtPin,
  due: keptDue,
  changes: BESIDE_PIN,
  leavesOut: FEWER_BILLS,
  keeps: toKeep,
  notEnabled: 'notEnabled',
});

/** The customer pays bills: which creditor, what for, whose contract, which bills. The creditor's own form asks. */
export const billPayment = machine<PayingBills>({
  id: 'bill-payment',
  context: ({ input }) => ({
    wallet: known(input.wallet),
    ...sought(input.filled?.search),
    ...(input.filled?.contract && { keeps: input.filled.contract }),
    ...(input.filled?.looksBack && { looksBack: true }),
    // A bill that is paid again need not be of the contract that is kept.
    ...((input.isFollowed || input.filled?.toLast) && { isFollowed: true }),
    notice: input.notice,
    ...(input.isChat && { isChat: true }),
  }),
  initial: 'beginning',
  states: {
    ...contractStates,
    finding: call('readCreditors', {
      says: 'bill-payment.finding',
      input: () => ({}),
      notEnabled: 'notEnabled',
      ok: [
        {
          if: (creditors, { kept }) => creditors.some(({ id }) => id === kept?.creditor.id),
          target: 'readingForm',
          know: (creditors, c) => ({
            ...findCreditors({ ...c, search: undefined }, creditors),
            search: undefined,
            ...ofContract(known(c.kept)),
          }),
        },
        {
          if: (creditors, context) => onlyCreditor(context, creditors) !== undefined,
          target: 'readingReceivables',
          know: (creditors, context) => ({
            ...findCreditors({ ...context, search: undefined }, creditors),
            creditor: onlyCreditor(context, creditors),
            search: undefined,
            isOnly: true,
          }),
        },
        {
          if: (creditors) => creditors.length > 0,
          target: 'choosingCreditor',
          know: (creditors, context) => findCreditors(context, creditors),
        },
        { target: 'closed', know: () => ({ notice: undefined }) },
      ],
      failed: 'closed',
    }),
    choosingCreditor: {
      // Everything is asked from here on.
      entry: assign({ kept: undefined, isOnly: undefined }),
      ...state({
        shows: ({ creditors = [], contracts = [], search, isFirst }) => ({
          key: search === undefined ? 'bill-payment.chooseCreditor' : 'bill-payment.found',
          ...(search !== undefined && { values: { search: { text: search } } }),
          choices: withContracts(search === undefined ? contracts : [], creditorChoices(creditors, isFirst)),
          expects: 'search',
          takesUnseen: true,
        }),
        said: [
          {
            guard: ({ event, context }) => keptWith(event.text, context) !== undefined,
            target: 'readingForm',
            actions: assign(({ event, context }) =>
              takeContract(known(keptWith(event.text, context)), context),
            ),
          },
          {
            guard: ({ event }) => sought(event.text).search !== undefined,
            target: 'finding',
            actions: assign(({ event, context }) => ({ number: context.number, ...sought(event.text) })),
          },
          {
            actions: assign(({ event }) => ({
              number: sought(event.text).number,
              notice: { key: 'bill-payment.creditorFirst' } as const,
            })),
          },
        ],
        chose: choose(
          { if: 'history', target: 'readingHistory', know: () => ({ page: 1 }) },
          { if: 'forget', target: 'forgetting' },
          { if: isContract, target: 'readingForm', know: takeContract },
          {
            target: 'readingReceivables',
            know: (choice, { creditors = [] }) => ({ creditor: creditors.find(({ id }) => id === choice) }),
          },
        ),
        back: [
          {
            guard: ({ context }) => context.search !== undefined,
            target: 'finding',
            actions: assign({ search: undefined }),
          },
          { target: 'left' },
        ],
      }),
    },

    readingReceivables: call('readReceivables', {
      says: reading,
      input: ({ creditor }) => ({ creditor: creditor?.id ?? '' }),
      notEnabled: 'notEnabled',
      ok: [
        {
          if: ({ length }) => length > 1,
          target: 'choosingReceivable',
          know: (receivables) => ({ receivables }),
        },
        {
          if: ({ length }) => length === 1,
          target: 'readingForm',
          know: (receivables, { creditor, isOnly, notice }) => ({
            receivables,
            receivable: receivables[0],
            // The question of its form does not name it.
            ...(isOnly && { notice: notice ?? found(known(creditor)) }),
          }),
        },
        { target: 'choosingCreditor', know: () => ({ notice: { key: 'problem.bill104' } }) },
      ],
      failed: 'choosingCreditor',
    }),
    // A creditor alone is nothing to go on with: the name of another one leads to that.
    choosingReceivable: state({
      shows: (c) => ({
        key: 'bill-payment.chooseReceivable',
        values: about(c),
        choices: (c.receivables ?? []).map(({ id, name }) => ({
          id,
          key: 'bill-payment.option',
          values: { option: billed(name) },
          varies: true as const,
        })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'readingForm',
        know: (choice, { receivables = [] }) => ({
          receivable: receivables.find(({ id }) => id === choice),
        }),
      }),
      back: 'choosingCreditor',
    }),
    readingForm: call('readBillForm', {
      says: reading,
      input: ({ creditor, receivable }) => ({
        creditor: creditor?.id ?? '',
        receivable: receivable?.id ?? '',
      }),
      notEnabled: 'notEnabled',
      ok: [
        {
          if: (form, { kept }) => kept !== undefined && fits(form, kept),
          target: 'fillingIn',
          know: (form, { kept }) => ({
            ...EMPTY_FORM,
            form,
            answers: known(kept).answers,
            at: questionsOf(form).length,
          }),
        },
        {
          target: 'fillingIn',
          know: (form, { number }) => ({
            ...EMPTY_FORM,
            form,
            kept: undefined,
            number: undefined,
            ...(number !== undefined && answeredBy(form, number)),
          }),
        },
      ],
      failed: 'choosingCreditor',
    }),

    ...fillingIn({ before: 'choosingCreditor', left: 'left' }),

    readingUnpaid: call('readUnpaid', {
      says: reading,
      input: ({ wallet, creditor, receivable, answers = [] }) => ({
        wallet,
        creditor: creditor?.id ?? '',
        receivable: receivable?.id ?? '',
        answers,
      }),
      notEnabled: 'notEnabled',
      ok: [
        // On pages the PIN's own names all of it. Bills that were refused are shown first, with the reason.
        {
          if: (unpaid, { isChat, notice }) =>
            !isChat && !notice && unpaid.items.length > 0 && isPlain(unpaid),
          target: 'previewing',
          know: (unpaid, context) => ({ unpaid, chosen: [], ...placeOrder({ ...context, unpaid }) }),
        },
        {
          if: ({ items }) => items.length > 0,
          target: 'reviewing',
          know: (unpaid) => ({ unpaid, chosen: [] }),
        },
        // There are some, but none that can be read.
        { if: ({ isPartial }) => isPartial === true, target: 'unreached', know: () => ({}) },
        'nothingToPay',
      ],
      refused: { target: 'mending', know: (refusal) => ({ notice: problem(refusal) }) },
      failed: { target: 'unreached', know: () => ({}) },
    }),
    /** Refusals of the wallet or the bill network that the customer can correct. */
    mending: decide(
      { if: (context) => isSaid(context, 'expired'), target: 'fillingIn', know: askPasswords },
      // The bills are not what they were: they are read again.
      {
        if: (context) => isSaid(context, 'billChanged', 'billExpired'),
        target: 'readingUnpaid',
        know: () => ({ order: undefined }),
      },
      // Its screen says it by itself.
      {
        if: (context) => isSaid(context, 'nothingToPay'),
        target: 'nothingToPay',
        know: () => ({ notice: undefined }),
      },
      { if: (context) => isSaid(context, 'creditorClosed') || !asks(context), target: 'choosingCreditor' },
      { target: 'fillingIn', know: () => ({ ...BEGINNING, kept: undefined }) },
    ),
    nothingToPay: state({
      shows: (c) =>
        c.kept
          ? nothingKept(c.kept)
          : {
              key: 'bill-payment.nothingToPay',
              values: about(c),
              choices: [
                { id: 'change', key: 'bill-payment.changeAnswers' },
                { id: 'another', key: 'bill-payment.anotherCreditor' },
              ],
              expects: 'choice',
            },
      chose: choose(
        { if: 'history', target: 'readingHistory', know: () => ({ page: 1 }) },
        { if: (_, { kept }) => kept !== undefined, target: 'choosingCreditor' },
        {
          if: (choice, context) => choice === 'change' && asks(context),
          target: 'fillingIn',
          know: () => BEGINNING,
        },
        { target: 'finding', know: () => ({ search: undefined }) },
      ),
      back: { target: 'fillingIn', actions: assign(({ context }) => reopen(context)) },
    }),
    unreached: stopped((c) => ({ key: 'problem.unavailable', values: about(c) }), {
      again: 'readingUnpaid',
      cancel: 'left',
      back: { target: 'fillingIn', know: reopen },
    }),

    reviewing: state({
      tags: 'resumable',
      shows: (c) => review(unpaidOf(c), about(c), { isChat: c.isChat, others: c.kept ? [ANOTHER] : [] }),
      chose: choose(
        { if: ANOTHER.id, target: 'choosingCreditor' },
        { if: SOME.id, target: 'selecting' },
        { if: 'all', target: 'previewing', know: (_, context) => placeOrder(context) },
        { target: 'previewing', know: (bill, context) => placeOrder(context, [Number(bill)]) },
      ),
      said: [
        {
          guard: ({ event, context }) => severalIn(unpaidOf(context), event.text) !== undefined,
          target: 'previewing',
          actions: assign(({ event, context }) =>
            placeOrder(context, severalIn(unpaidOf(context), event.text)),
          ),
        },
        { actions: assign({ notice: { key: 'bill-payment.notSeveral' } as const }) },
      ],
      back: { target: 'fillingIn', actions: assign(({ context }) => reopen(context)) },
    }),
    selecting: state({
      tags: 'resumable',
      shows: (c) => select(unpaidOf(c), c.chosen ?? [], about(c)),
      chose: choose(
        {
          if: (choice) => choice !== 'pay',
          know: (choice, { chosen = [] }) => ({ chosen: toggled(chosen, Number(choice)) }),
        },
        { target: 'previewing', know: (_, context) => placeOrder(context, context.chosen) },
      ),
      said: {
        // As a tap on a row does, they add to what is ticked.
        actions: assign(({ event, context: { chosen = [], ...context } }) => {
          const named = severalIn(unpaidOf(context), event.text);
          return named
            ? { chosen: [...new Set([...(ONLY.test(event.text) ? [] : chosen), ...named])] }
            : { notice: { key: 'bill-payment.notSeveral' } as const };
        }),
      },
      back: 'reviewing',
    }),

    ...tail,
    paying: { ...tail.paying, exit: assign(({ context }) => forget(context)) },

    ...billHistory({ back: 'finding', notEnabled: 'notEnabled' }),

    notEnabled: notEnabled<PayingBills>('bill-payment'),
    closed: last('bill-payment.closed'),
    left: { type: 'final' },
  },
});

function found({ name }: Creditor): Sentence {
  return { key: 'bill-payment.foundOnly', values: { creditor: { name } } };
}

function reading(context: PayingBills): Sentence {
  return { key: 'bill-payment.reading', values: about(context) };
}

function unpaidOf({ unpaid }: PayingBills): Unpaid {
  if (!unpaid) throw new Error('bills were shown before they were found');
  return unpaid;
}

/** True where one of these refusals is what the customer is about to read. */
function isSaid({ notice }: PayingBills, ...refusals: readonly RefusalName[]): boolean {
  return refusals.some((name) => notice?.key === `problem.${refusalCode(name)}`);
}
