import { isSameContract, type KeptContract } from '../../src/payments/bill-payment.ts';
import { latinDigits } from '../../src/wallet/digits.ts';
import type { BillField } from '../../src/wallet/services.ts';
import type { Change } from '../kit/change.ts';
import { known, last } from '../kit/conversation.ts';
import { parts } from '../kit/parts.ts';
import type { Choice, Screen, Values } from '../kit/screen.ts';
import { isCalled } from '../kit/search.ts';
import type { PayingBills } from './bill.ts';
import { questionsOf } from './form.ts';
import { isSeveral, SOME } from './items.ts';

const { call, decide } = parts<PayingBills>();
const KEPT = 'kept';

/** The way from the bills of a kept contract to the list of contracts and creditors. */
export const ANOTHER: Choice = { id: 'another', key: 'bill-payment.another' };
const listsBills = ({ isChat, unpaid }: PayingBills) => !isChat && unpaid !== undefined && isSeveral(unpaid);
/** On the page of the PIN digits lead away: to the list of several bills, and from a kept contract to the others. */
export const BESIDE_PIN: readonly Change<PayingBills>[] = [
  { choice: { ...SOME, digit: 1 }, state: 'reviewing', if: listsBills, know: afresh },
  another(1, (context) => !listsBills(context)),
  another(2, listsBills),
];
/**
 * If the balance is too low for all of them, some may do. A chat marks them. A kept contract was taken without a question, so others can be
 * chosen.
 */
const WHICH: Choice = { id: SOME.id, key: 'bill-payment.whichBills' };
export const FEWER_BILLS = [
  {
    choice: ANOTHER,
    state: 'choosingCreditor',
    if: ({ kept }: PayingBills) => kept !== undefined,
    know: afresh,
  },
  { choice: WHICH, state: 'reviewing', if: listsBills, know: afresh },
  {
    choice: WHICH,
    state: 'selecting',
    if: ({ isChat, unpaid }: PayingBills) => isChat === true && unpaid !== undefined && isSeveral(unpaid),
    know: afresh,
  },
];

/**
 * Begins with the contracts that the customer has agreed to keep, or keeps one more. The one paid last is taken without a question, or the
 * only one that the customer's words mean, unless they dial on. `finding` goes on.
 */
export const contractStates = {
  beginning: decide(
    { if: ({ keeps }) => keeps !== undefined, target: 'saving' },
    { if: ({ looksBack }) => looksBack === true, target: 'readingHistory' },
    'recalling',
  ),
  recalling: call('readContracts', {
    says: 'bill-payment.finding',
    input: ({ wallet }) => ({ wallet }),
    ok: {
      target: 'finding',
      know: (contracts, context) => ({
        contracts,
        ...(!context.isFollowed && { kept: taken(contracts, context) }),
      }),
    },
  }),
  saving: call('keepContract', {
    says: 'bill-payment.finding',
    input: ({ wallet, keeps }) => ({ wallet, contract: known(keeps) }),
    ok: 'saved',
    // The claim has written it.
    lost: 'saved',
  }),
  saved: last<PayingBills>(({ keeps }) => ({
    key: 'bill-payment.kept',
    values: valuesOf(known(keeps)),
  })),
  forgetting: call('keepContract', {
    says: 'bill-payment.finding',
    input: ({ wallet }) => ({ wallet }),
    ok: { target: 'choosingCreditor', know: forgotten },
    lost: { target: 'choosingCreditor', know: forgotten },
  }),
};

function another(digit: number, fits: (context: PayingBills) => boolean): Change<PayingBills> {
  return {
    choice: { ...ANOTHER, digit },
    state: 'choosingCreditor',
    if: (context) => context.kept !== undefined && fits(context),
    know: afresh,
  };
}

function afresh(): Partial<PayingBills> {
  return { order: undefined, quote: undefined };
}

/** The contract paid last, or the only one that all words and the number of the order mean (docs/safety.md, "Nothing is taken over unsaid"). */
function taken(all: readonly KeptContract[], { search, number }: PayingBills): KeptContract | undefined {
  const contracts = number === undefined ? all : all.filter((each) => isNumbered(each, number));
  if (search === undefined) return contracts[0];
  const [only, ...more] = contracts.filter(({ creditor, receivable }) =>
    isCalled(search, creditor.name, receivable.name),
  );
  return more.length === 0 ? only : undefined;
}

function isNumbered({ answers }: KeptContract, text: string): boolean {
  const bare = (number: string) => latinDigits(number).replace(/\s/g, '');
  return answers.some(({ value }) => bare(value) === bare(text));
}

function forgotten(): Partial<PayingBills> {
  return { contracts: [], notice: { key: 'bill-payment.forgotten' } };
}

/** The contract that was just paid, if it may be kept and is not. A form that asks for a password is never kept. */
export function toKeep({ order, outcome, form = [], contracts = [] }: PayingBills) {
  if (outcome !== 'succeeded' || order?.kind !== 'bill-payment' || hasPassword(form)) return undefined;
  const { creditor, receivable, answers: given } = order;
  const answers = given.flatMap((answer) => ('value' in answer ? [answer] : []));
  if (answers.length === 0 || contracts.some((each) => isSameContract(each, order))) return undefined;
  const choice: Choice = { id: 'keep', key: 'bill-payment.keep' };
  return { choice, next: 'bill-payment', filled: { contract: { creditor, receivable, answers } } };
}

function hasPassword(form: readonly BillField[]): boolean {
  return form.some(({ kind }) => kind === 'password');
}

/** True while the creditor asks what it asked when the contract was kept. */
export function fits(form: readonly BillField[], { answers }: KeptContract): boolean {
  const fields = questionsOf(form).map(({ field }) => field);
  const isAnswered = ({ name }: BillField) => answers.some((answer) => answer.name === name);
  return (
    !hasPassword(form) &&
    fields.every((field) => !field.required || isAnswered(field)) &&
    answers.every(({ name }) => fields.some((field) => field.name === name))
  );
}

/** The contracts above the creditors, and the way to forget them at the end. */
export function withContracts(
  contracts: readonly KeptContract[],
  others: readonly Choice[],
): readonly Choice[] {
  if (contracts.length === 0) return others;
  const kept = contracts.map(
    (each, i): Choice => ({
      id: `${KEPT}${i}`,
      key: 'bill-payment.contract',
      values: valuesOf(each),
      varies: true,
    }),
  );
  return [...kept, ...others, { id: 'forget', key: 'bill-payment.forget', varies: true }];
}

export function isContract(choice: string): boolean {
  return choice.startsWith(KEPT);
}

/** The choice of the only kept contract whose number was typed. */
export function keptWith(text: string, { contracts = [] }: PayingBills): string | undefined {
  const [found, ...others] = contracts.flatMap((each, i) => (isNumbered(each, text) ? [`${KEPT}${i}`] : []));
  return others.length === 0 ? found : undefined;
}

export function takeContract(choice: string, { contracts = [] }: PayingBills): Partial<PayingBills> {
  const kept = known(contracts[Number(choice.slice(KEPT.length))]);
  return { ...ofContract(kept), kept };
}

export function ofContract({ creditor, receivable }: KeptContract): Partial<PayingBills> {
  return { creditor, receivable, receivables: [] };
}

/** Nothing is due for a kept contract. Its paid bills can be looked at. */
export function nothingKept(kept: KeptContract): Screen {
  return {
    key: 'bill-payment.nothingKept',
    values: valuesOf(kept),
    choices: [ANOTHER, { id: 'history', key: 'bill-payment.history' }],
    expects: 'choice',
  };
}

function valuesOf({ creditor, receivable, answers: [first] }: KeptContract): Values {
  return { creditor: { name: creditor.name }, contract: { text: first?.value ?? receivable.name } };
}
