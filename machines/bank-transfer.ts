import { assign } from 'xstate';
import { accountOf } from '../src/payments/bank-transfer.ts';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import { LATIN } from '../src/wallet/contract/fields.ts';
import { BANK_REASON_LENGTH_MAX } from '../src/wallet/contract/limits.ts';
import type { Centimes } from '../src/wallet/money.ts';
import { type Rib, ribEnd } from '../src/wallet/rib.ts';
import { calls } from './kit/call.ts';
import { known, machine, type Start } from './kit/conversation.ts';
import { readBeneficiary } from './kit/name.ts';
import { parts } from './kit/parts.ts';
import {
  accountsOf,
  chosen,
  chosenAgain,
  isUnsaved,
  type Offering,
  offered,
  payees,
  savedWith,
  TO_OTHERS,
} from './kit/payees.ts';
import { notEnabled, type Paying, payingTail, renumbering } from './kit/paying.ts';
import type { Values } from './kit/screen.ts';
import { amountIn, orTell, type Reading, ribTyped } from './kit/typed.ts';

/** Refusals of the preview that another RIB can mend. */
const ABOUT_ACCOUNT: readonly RefusalName[] = [
  'bankUnreachable',
  'selfTransfer',
  'recipientUnavailable',
  'beneficiaryUnknown',
  'beneficiaryOther',
];
/** v2.3, "Limits": latin characters. We count digits and ASCII punctuation among them. */
const REASON = new RegExp(`^[ -~${LATIN}]{1,${BANK_REASON_LENGTH_MAX}}$`);

interface ToBank extends Paying, Offering {
  rib?: Rib | undefined;
  bank?: string | undefined;
  holder?: string | undefined;
  beneficiaryId?: number | undefined;
  amount?: Centimes | undefined;
  reason?: string | undefined;
}

const { typed, decide, state } = parts<ToBank>();
const EXITS = { ask: 'askingRib', taken: 'taking' } as const;

/** Sends money to a bank account. The RIB's key is checked before the first question. */
export const bankTransfer = machine<ToBank>({
  id: 'bank-transfer',
  context: ({ input }) => started(input),
  initial: 'beginning',
  on: renumbering<ToBank>('recallingPayees'),
  states: {
    beginning: decide(
      { if: (context) => context.rib === undefined, target: 'recallingPayees' },
      'namingBank',
    ),
    ...payees<ToBank>({ ...EXITS, read: 'askingRib' }),
    /** The account of somebody who is saved. */
    taking: decide(
      {
        if: ({ chosen }) => accountsOf(known(chosen)).rib === undefined,
        target: 'askingRib',
        know: () => ({ notice: { key: 'beneficiaries.notPayable' } }),
      },
      {
        target: 'namingBank',
        know: ({ chosen }) => {
          const { id: beneficiaryId, name: holder } = known(chosen);
          return { rib: accountsOf(known(chosen)).rib, holder, beneficiaryId };
        },
      },
    ),
    /** Another account: who its holder is, is forgotten. */
    askingRib: state({
      entry: assign({
        ...{ rib: undefined, bank: undefined, holder: undefined },
        ...{ beneficiaryId: undefined, chosen: undefined },
      }),
      shows: (c) => ({
        key: 'bank-transfer.askRib',
        choices: offered(c, ({ rib }) => rib !== undefined, ['bank-transfer']),
        expects: 'account',
      }),
      chose: [chosen<ToBank>(EXITS), chosenAgain<ToBank>('namingBank'), TO_OTHERS],
      said: typed(ribTyped, { target: 'namingBank', know: (rib, context) => accountTyped(rib, context) }),
      back: 'left',
    }),
    namingBank: calls<ToBank>()('readBank', {
      says: 'bank-transfer.moment',
      input: ({ rib }) => ({ rib: known(rib) }),
      ok: { target: 'asking', know: ({ bank }) => ({ bank }) },
    }),
    asking: decide(
      { if: (context) => context.holder === undefined, target: 'askingHolder' },
      { if: (context) => context.amount === undefined, target: 'askingAmount' },
      { target: 'previewing', know: placeOrder },
    ),
    askingHolder: state({
      tags: 'resumable',
      entry: assign({ holder: undefined }),
      shows: (c) => ({
        ...(c.amount === undefined
          ? { key: 'bank-transfer.askHolder', values: account(c) }
          : { key: 'bank-transfer.askHolderFor', values: { ...account(c), sum: { money: c.amount } } }),
        expects: 'name',
      }),
      said: typed((text) => orTell(readBeneficiary(text), { key: 'bank-transfer.notAHolder' }), {
        target: 'asking',
        know: (holder) => ({ holder }),
      }),
      back: 'askingRib',
    }),
    askingAmount: state({
      tags: 'resumable',
      entry: assign({ amount: undefined }),
      shows: (c) => ({
        key: 'bank-transfer.askAmount',
        values: { ...account(c), to: { name: known(c.holder) } },
        expects: 'amount',
      }),
      said: typed(amountIn, {
        target: 'previewing',
        know: (amount, context) => placeOrder({ ...context, amount }),
      }),
      back: [
        { guard: ({ context }) => context.beneficiaryId !== undefined, target: 'askingRib' },
        { target: 'askingHolder' },
      ],
    }),
    askingReason: state({
      tags: 'resumable',
      shows: (c) => ({ key: 'bank-transfer.askReason', values: account(c), expects: 'field' }),
      said: typed(reasonIn, {
        target: 'previewing',
        know: (reason, context) => placeOrder({ ...context, reason }),
      }),
      back: 'previewing',
    }),
    ...payingTail<ToBank>(
      {
        amend: 'askingAmount',
        fromBalance: 'typed',
        amends: { refusals: ABOUT_ACCOUNT, state: 'askingRib' },
        notEnabled: 'notEnabled',
        takesDays: true,
        changes: [
          {
            choice: { id: 'reason', key: 'bank-transfer.reason' },
            state: 'askingReason',
            if: ({ isChat }) => isChat === true,
          },
        ],
      },
      isUnsaved,
    ),
    notEnabled: notEnabled<ToBank>('bank-transfer'),
    left: { type: 'final' },
  },
});

function started({ wallet, isChat, filled = {} }: Start): ToBank {
  const { rib, holder, amount, beneficiaryId } = filled;
  return {
    wallet: known(wallet),
    ...(isChat && { isChat }),
    ...(rib && { rib }),
    ...(rib && holder !== undefined && { holder }),
    ...(rib && beneficiaryId !== undefined && { beneficiaryId }),
    ...(amount && { amount }),
  };
}

/** An account whose holder is known: they are saved, or were paid before. */
function accountTyped(rib: Rib, context: ToBank): Partial<ToBank> {
  const saved = savedWith(context, { rib });
  if (saved) return { rib, holder: saved.name, beneficiaryId: saved.id };
  return { rib, holder: context.recipients?.find((each) => each.rib === rib)?.holder };
}

/** The account as its sentences name it. */
function account({ rib, bank }: ToBank): Values {
  const of = { rib: known(rib), ...(bank !== undefined && { bank }) };
  return { account: accountOf(of), end: { code: ribEnd(of.rib) } };
}

function reasonIn(text: string): Reading<string> {
  const reason = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return orTell(REASON.test(reason) ? reason : undefined, { key: 'bank-transfer.notAReason' });
}

function placeOrder(context: ToBank): Partial<ToBank> {
  const { wallet: from, rib, bank, holder, amount, reason, beneficiaryId } = context;
  return {
    amount,
    reason,
    order: {
      kind: 'bank-transfer',
      from,
      rib: known(rib),
      holder: known(holder),
      amount: known(amount),
      ...(bank !== undefined && { bank }),
      ...(reason !== undefined && { reason }),
      ...(beneficiaryId !== undefined && { beneficiaryId }),
    },
  };
}
