import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { Rib } from '../src/wallet/rib.ts';
import type { Beneficiary } from '../src/wallet/services.ts';
import { known, last, machine, type Start } from './kit/conversation.ts';
import { readBeneficiary } from './kit/name.ts';
import { parts } from './kit/parts.ts';
import { accountsOf, chosen, further, listed, type Offering, searching } from './kit/payees.ts';
import type { Choice, Values } from './kit/screen.ts';
import { orTell, payeeOrRibIn } from './kit/typed.ts';

interface Keeping extends Offering {
  /** Somebody new: their number or RIB, and how they are called. */
  to?: Msisdn | undefined;
  rib?: Rib | undefined;
  name?: string | undefined;
}

const { call, typed, choose, decide, question, state } = parts<Keeping>();
const ADD: Choice = { id: 'add', key: 'beneficiaries.add' };
const nameIn = (text: string) => orTell(readBeneficiary(text), { key: 'beneficiaries.notAName' });
/** Nobody knows whether the wallet has done it: what it lists now says so. */
const LOOKED_UP = { target: 'reading', know: () => ({ notice: { key: 'beneficiaries.notKnown' } as const }) };

/** The saved recipients: the customer lists, pays, renames, deletes and adds them. */
export const beneficiaries = machine<Keeping>({
  id: 'beneficiaries',
  context: ({ input }) => started(input),
  initial: 'beginning',
  states: {
    beginning: decide(
      { if: ({ to, rib }) => (to ?? rib) === undefined, target: 'reading' },
      { if: ({ name }) => name === undefined, target: 'askingName' },
      'saving',
    ),
    reading: call('readBeneficiaries', {
      says: 'beneficiaries.moment',
      input: ({ wallet }) => ({ wallet }),
      ok: {
        target: 'listing',
        know: ({ entries, isAll }) => ({
          saved: entries,
          isAll,
          found: undefined,
          from: 0,
          chosen: undefined,
        }),
      },
      failed: 'unavailable',
    }),
    listing: state({
      shows: (c) => {
        const list = listed(c, 'beneficiaries.list');
        const isNone = (list.choices ?? []).length === 0;
        return {
          ...list,
          ...(isNone && { key: 'beneficiaries.none', expects: 'choice' }),
          choices: [...(list.choices ?? []), ADD],
        };
      },
      chose: [
        { guard: ({ event }) => event.choice === 'add', target: 'askingAccount' },
        {
          guard: ({ event }) => event.choice === 'more',
          actions: assign(({ context }) => further<Keeping>(context)),
        },
        chosen<Keeping>({ taken: 'showing' }),
      ],
      said: { target: 'searching', actions: assign(({ event }) => ({ search: event.text })) },
      back: [
        {
          guard: ({ context: { found, from = 0 } }) => found !== undefined || from > 0,
          actions: assign({ found: undefined, from: 0 }),
        },
        { target: 'left' },
      ],
    }),
    searching: searching<Keeping>('listing'),
    showing: state({
      shows: ({ chosen }) => beneficiaryScreen(known(chosen)),
      chose: choose(
        { if: 'rename', target: 'askingNewName' },
        { if: 'delete', target: 'confirming' },
        {
          target: 'paying',
          know: (choice, { chosen }) => {
            const { to, rib } = accountsOf(known(chosen));
            return choice === 'payRib' ? { rib } : { to };
          },
        },
      ),
      back: 'listing',
    }),
    askingNewName: state({
      shows: ({ chosen }) => ({
        key: 'beneficiaries.askNewName',
        values: { name: { name: known(chosen).name } },
        expects: 'name',
      }),
      said: typed(nameIn, { target: 'renaming', know: (name) => ({ name }) }),
      back: 'showing',
    }),
    /** All of it is said again: what is left out may be removed (open question 42). */
    renaming: call('changeBeneficiary', {
      says: 'beneficiaries.moment',
      input: ({ wallet, chosen, name }) => ({
        wallet,
        beneficiary: { ...known(chosen), name: known(name) },
      }),
      ok: {
        target: 'reading',
        know: ({ name }) => ({ notice: { key: 'beneficiaries.renamed', values: { name: { name } } } }),
      },
      unknown: LOOKED_UP,
      failed: 'reading',
      lost: LOOKED_UP,
    }),
    confirming: question(
      ({ chosen }) => ({ key: 'beneficiaries.confirm', values: { name: { name: known(chosen).name } } }),
      [
        { id: 'delete', key: 'beneficiaries.delete', target: 'deleting' },
        { id: 'keep', key: 'beneficiaries.keep', target: 'showing' },
      ],
      { back: 'showing' },
    ),
    deleting: call('deleteBeneficiary', {
      says: 'beneficiaries.moment',
      input: ({ wallet, chosen }) => ({ wallet, beneficiary: known(chosen) }),
      ok: {
        target: 'reading',
        know: (name) => ({ notice: { key: 'beneficiaries.deleted', values: { name: { name } } } }),
      },
      unknown: LOOKED_UP,
      failed: 'reading',
      lost: LOOKED_UP,
    }),
    askingAccount: state({
      entry: assign({ to: undefined, rib: undefined, name: undefined }),
      shows: () => ({ key: 'beneficiaries.askAccount', expects: 'account' }),
      said: typed((text, { wallet }) => payeeOrRibIn(text, wallet, 'transfer.toYourself'), {
        target: 'askingName',
        know: (payee) => payee,
      }),
      back: 'reading',
    }),
    askingName: state({
      shows: (c) => ({ key: 'beneficiaries.askName', values: newcomer(c), expects: 'name' }),
      said: typed(nameIn, { target: 'saving', know: (name) => ({ name }) }),
      back: 'askingAccount',
    }),
    saving: call('saveBeneficiary', {
      says: 'beneficiaries.moment',
      input: ({ wallet, to, rib, name }) => ({
        wallet,
        beneficiary: { name: known(name), ...(to && { phoneNumber: to }), ...(rib && { rib }) },
      }),
      ok: 'saved',
      same: 'there',
      unknown: LOOKED_UP,
      failed: 'unavailable',
      lost: LOOKED_UP,
    }),
    saved: last<Keeping>(({ name }) => ({
      key: 'beneficiaries.done',
      values: { name: { name: known(name) } },
    })),
    there: last('beneficiaries.there'),
    unavailable: last('beneficiaries.unavailable'),
    paying: {
      type: 'final',
      output: ({ context: { chosen, to, rib } }) => {
        const { id: beneficiaryId, name: holder } = known(chosen);
        return rib
          ? { next: 'bank-transfer', filled: { rib, holder, beneficiaryId } }
          : { next: 'transfer', filled: { to: known(to), beneficiaryId } };
      },
    },
    left: { type: 'final' },
  },
});

function started({ wallet, filled = {} }: Start): Keeping {
  const { to, rib, holder } = filled;
  return {
    wallet: known(wallet),
    ...(to && { to }),
    ...(rib && { rib }),
    ...(holder !== undefined && { name: holder }),
  };
}

/** A saved recipient with its actions. Data that nobody can pay to is hidden. */
function beneficiaryScreen(beneficiary: Beneficiary) {
  const { to, rib } = accountsOf(beneficiary);
  return {
    key: 'beneficiaries.shown',
    values: { name: { name: beneficiary.name } },
    choices: [
      ...(to ? [{ id: 'pay', key: 'beneficiaries.toNumber', values: { to: { phone: to } } } as const] : []),
      ...(rib
        ? [{ id: 'payRib', key: 'beneficiaries.toAccount', values: { account: { account: rib } } } as const]
        : []),
      { id: 'rename', key: 'beneficiaries.rename' } as const,
      { id: 'delete', key: 'beneficiaries.delete' } as const,
    ],
    expects: 'choice',
  } as const;
}

function newcomer({ to, rib }: Keeping): Values {
  return { account: to ? { phone: to } : { account: known(rib) } };
}
