import { assign } from 'xstate';
import type { PaymentKind } from '../../src/payments/payments.ts';
import { isNamesake, isNearly, normalised } from '../../src/wallet/letters.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../../src/wallet/phone.ts';
import { type Rib, ribEnd, ribIn } from '../../src/wallet/rib.ts';
import type { Beneficiary } from '../../src/wallet/services.ts';
import { calls } from './call.ts';
import { type Decision, decisions } from './choosing.ts';
import { known, type Remembered, states } from './conversation.ts';
import type { PaidRecipient } from './effects.ts';
import type { MachineEvent } from './input.ts';
import type { Paying } from './paying.ts';
import type { Choice, Screen, Sentence, Values } from './screen.ts';
import { matching } from './search.ts';

/** Saved recipients that a question offers by themselves. */
const OFFERED_MAX = 4;
/** The recipients who were paid and are not saved, offered beside saved ones. */
const UNSAVED_MAX = 2;
/** Of the whole list, on one screen. */
const LISTED_MAX = 8;
const SAVED = 'saved-';
const PAID = 'paid-';

/** The context of a conversation that offers saved recipients. */
export interface Offering extends Remembered {
  wallet: Msisdn;
  /** The saved recipients. Absent where the wallet has not answered. */
  saved?: readonly Beneficiary[] | undefined;
  isAll?: boolean | undefined;
  /** The recipients paid through Wasl, newest first. */
  recipients?: readonly PaidRecipient[] | undefined;
  /** Those whom a search has found, and the first of the list that is on show. */
  found?: readonly Beneficiary[] | undefined;
  from?: number | undefined;
  search?: string | undefined;
  chosen?: Beneficiary | undefined;
  /** How the customer has called whom they pay. */
  payee?: string | undefined;
}

/** The number or account by which a saved recipient can be paid. */
interface Accounts {
  readonly to?: Msisdn;
  readonly rib?: Rib;
}

/** A number or RIB that the wallet keeps and nobody can pay is none. */
export function accountsOf({ phoneNumber = '', rib: kept = '' }: Beneficiary): Accounts {
  const to = readPhone(phoneNumber);
  const rib = ribIn(kept);
  return { ...(to && { to }), ...(rib && { rib }) };
}

export function savedWith({ saved = [] }: Offering, { to, rib }: Accounts): Beneficiary | undefined {
  return saved.find((each) => {
    const kept = accountsOf(each);
    return (to !== undefined && kept.to === to) || (rib !== undefined && kept.rib === rib);
  });
}

/** True where all who are saved are known, and nobody of them has this number or RIB. */
export function isUnsaved(
  context: Offering & { readonly to?: Msisdn | undefined; readonly rib?: Rib | undefined },
): boolean {
  const { isAll, saved, to, rib } = context;
  return (
    isAll === true && saved !== undefined && !savedWith(context, { ...(to && { to }), ...(rib && { rib }) })
  );
}

/**
 * Somebody who was called by a name (`payee`): a single match is taken, several are asked about, and the wallet looks for those that
 * were not read here.
 * @param kept the amount that was said with the name, and stays
 * @param first what leads elsewhere
 */
export function matchingPayee<Context extends Offering>(
  { ask, taken }: Exits,
  fits: Fits,
  kept: (context: Context) => Centimes | undefined,
  ...first: readonly Decision<Context>[]
) {
  const among = (find: typeof called, { saved = [], payee = '' }: Context) =>
    find(saved, payee).filter((each) => fits(accountsOf(each)));
  const named = ({ payee = '' }: Context) => ({ name: { name: payee } });
  return decisions<Context>()(
    ...first,
    { if: ({ payee }) => payee === undefined, target: ask },
    {
      if: (context) => among(called, context).length === 1,
      target: taken,
      know: (context) => know<Context>({ chosen: among(called, context)[0], payee: undefined }),
    },
    {
      if: (context) => among(called, context).length > 1,
      target: 'listingPayees',
      know: (context) => know<Context>({ found: among(called, context), from: 0, payee: undefined }),
    },
    {
      if: ({ saved }) => saved === undefined,
      target: ask,
      know: () => know<Context>({ notice: { key: 'beneficiaries.unavailable' }, payee: undefined }),
    },
    {
      if: (context) => among(nearlyCalled, context).length > 0,
      target: ask,
      know: (context) =>
        know<Context>({
          notice: ofNone(true, named(context), kept(context)),
          found: among(nearlyCalled, context),
          payee: undefined,
        }),
    },
    {
      if: ({ isAll }) => isAll === false,
      target: 'searchingPayees',
      know: ({ payee }) => know<Context>({ search: payee, payee: undefined }),
    },
    {
      target: ask,
      know: (context) =>
        know<Context>({
          notice: ofNone(false, named(context), kept(context)),
          payee: undefined,
        }),
    },
  );
}

/** Nobody is called so. The amount or other words beside the name are kept. */
function ofNone(isNear: boolean, named: Values, amount: Centimes | undefined): Sentence {
  if (amount === undefined)
    return { key: isNear ? 'beneficiaries.meant' : 'beneficiaries.noneCalled', values: named };
  const values = { ...named, amount: { money: amount } };
  return { key: isNear ? 'beneficiaries.meantKept' : 'beneficiaries.noneCalledKept', values };
}

/** True for whom a question can be answered with. */
type Fits = (accounts: Accounts) => boolean;

/** Up to four saved recipients, and the way to all. Up to two give way to paid ones who are not saved. */
export function offered(context: Offering, fits: Fits, kinds: readonly PaymentKind[]): Choice[] {
  const { saved = [], isAll = true } = context;
  const fitting = saved.filter((each) => fits(accountsOf(each)));
  const unsaved = paidBefore(context, kinds).filter((each) => !savedWith(context, each));
  const shown = fitting.slice(0, OFFERED_MAX - Math.min(unsaved.length, UNSAVED_MAX));
  const hasMore = fitting.length > shown.length || !isAll;
  return [
    ...shown.map(choiceOf),
    ...unsaved.slice(0, OFFERED_MAX - shown.length).map(paidChoice),
    ...(hasMore ? [{ id: 'others', key: 'beneficiaries.others', listed: true } as const] : []),
  ];
}

/** The recipients paid in one of these ways, newest first: each number and RIB once. */
function paidBefore(
  { recipients = [], wallet }: Offering,
  kinds: readonly PaymentKind[],
): readonly PaidRecipient[] {
  const those = recipients.filter(({ kind, to }) => kinds.includes(kind) && to !== wallet);
  return those.filter(
    ({ to, rib }, i) => i === those.findIndex((each) => each.to === to && each.rib === rib),
  );
}

/**
 * The number or account that was paid last in one of these ways.
 * @param name the only account of a holder of this name, if nobody who is saved has it
 */
export function lastPaidIn(
  context: Offering,
  kinds: readonly PaymentKind[],
  name?: string,
): Omit<PaidRecipient, 'kind'> | undefined {
  const isCalled = ({ holder }: PaidRecipient) =>
    name === undefined || (holder !== undefined && matching([{ name: holder }], name).length > 0);
  const [last, ...more] = paidBefore(context, kinds).filter(isCalled);
  const isUnsure = name !== undefined && (more.length > 0 || called(context.saved ?? [], name).length > 0);
  if (!last || isUnsure) return undefined;
  const { kind: _as, ...whom } = last;
  return whom;
}

/** The choices of a question for a number: who was paid so. */
export function paidChoices(context: Offering, kinds: readonly PaymentKind[]): Choice[] {
  return paidBefore(context, kinds).slice(0, UNSAVED_MAX).map(paidChoice);
}

/** How somebody who was paid is offered. */
function paidChoice({ to, rib, holder }: PaidRecipient): Choice {
  const id = `${PAID}${to ?? rib}`;
  if (to) return { id, key: 'beneficiaries.paidNumber', values: { to: { phone: to } }, listed: true };
  const end = { code: ribEnd(known(rib)) };
  return holder === undefined
    ? { id, key: 'beneficiaries.paidAccount', values: { end }, listed: true }
    : { id, key: 'beneficiaries.paidHolder', values: { name: { name: holder }, end }, listed: true };
}

/** Somebody who was paid before is chosen on a question: `taken` finds their number or RIB, and how its holder is called. */
export function chosenAgain<Context extends Offering>(taken: string) {
  return {
    guard: ({ event }: { event: Chose }) => event.choice.startsWith(PAID),
    target: taken,
    actions: assign<Context, Chose, undefined, MachineEvent, never>(
      ({ context: { recipients = [] }, event }) => {
        const { kind: _as, ...whom } = known(
          recipients.find(({ to, rib }) => event.choice === `${PAID}${to ?? rib}`),
        );
        return { ...know<Context>({ chosen: undefined }), holder: undefined, ...whom };
      },
    ),
  };
}

/** Reads who was paid, which leads to `read`. */
export function recalling<Context extends Offering>(read: string) {
  return calls<Context>()('readRecipients', {
    says: 'beneficiaries.moment',
    input: ({ wallet }) => ({ wallet }),
    ok: { target: read, know: (recipients) => know<Context>({ recipients }) },
  });
}

function choiceOf({ id, name }: Beneficiary): Choice {
  return { id: `${SAVED}${id}`, key: 'beneficiaries.saved', values: { name: { name } }, listed: true };
}

/** The recipients of exactly this name, or those whose name has all the words. */
function called(saved: readonly Beneficiary[], name: string): readonly Beneficiary[] {
  const having = matching(saved, name);
  const just = having.filter((each) => matching([{ name }], each.name).length > 0);
  return just.length > 0 ? just : having;
}

/** Those whose name has each of the words, or one like it with a wrong key, or in the other script: `Yousef` or `يوسف` for Youssef Benali. Nobody is paid by such a name. */
function nearlyCalled(saved: readonly Beneficiary[], name: string): readonly Beneficiary[] {
  const typed = wordsOf(name);
  return saved.filter((each) => {
    const own = wordsOf(each.name);
    return typed.every((word) =>
      own.some((wanted) => word === wanted || isNearly(word, wanted) || isNamesake(word, wanted)),
    );
  });
}

function wordsOf(name: string): string[] {
  return normalised(name)
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
}

interface Exits {
  /** The question. */
  readonly ask: string;
  /** The state that takes over somebody who was chosen (`chosen`). */
  readonly taken: string;
}

type Chose = Extract<MachineEvent, { type: 'chose' }>;

/** Somebody is chosen, on a question or in the list. */
export function chosen<Context extends Offering>({ taken }: Pick<Exits, 'taken'>) {
  return {
    guard: ({ event }: { event: Chose }) => event.choice.startsWith(SAVED),
    target: taken,
    actions: assign<Context, Chose, undefined, MachineEvent, never>(({ context, event }) =>
      know<Context>({ chosen: inList(context, event.choice) }),
    ),
  };
}

/** The way from a question to the whole list. */
export const TO_OTHERS = {
  guard: ({ event }: { event: Chose }) => event.choice === 'others',
  target: 'listingPayees',
} as const;

/**
 * Reads the paid and the saved recipients (`recallingPayees`, `readingPayees`), then goes to `read` whatever the wallet
 * answers. `listingPayees` is the whole list with its search.
 */
export function payees<Context extends Offering>(
  { ask, taken, read }: Exits & { readonly read: string },
  asks: ListKey = 'beneficiaries.choose',
) {
  return {
    recallingPayees: recalling<Context>('readingPayees'),
    readingPayees: readingSaved<Context>(read),
    listingPayees: states<Context>()({
      shows: (c) => listed(c, asks),
      chose: [
        {
          guard: ({ event }) => event.choice === 'more',
          actions: assign(({ context }) => further<Context>(context)),
        },
        chosen<Context>({ taken }),
      ],
      said: {
        target: 'searchingPayees',
        actions: assign(({ event }) => know<Context>({ search: event.text })),
      },
      back: { target: ask, actions: assign(() => know<Context>({ found: undefined, from: undefined })) },
    }),
    searchingPayees: searching<Context>('listingPayees'),
  };
}

const SAVED_ONES: Choice = { id: 'beneficiaries', key: 'beneficiaries.mine', varies: true };

/** Reads who is saved, which leads to `read` whatever the wallet answers. */
function readingSaved<Context extends Offering>(read: string) {
  return calls<Context>()('readBeneficiaries', {
    says: 'beneficiaries.moment',
    input: ({ wallet }) => ({ wallet }),
    ok: { target: read, know: ({ entries, isAll }) => know<Context>({ saved: entries, isAll }) },
    failed: { target: read, know: () => know<Context>({ saved: undefined }) },
  });
}

/** The way from a question for a number to the saved recipients. It leads nowhere if the wallet says that there are none. */
export function toSaved({ saved }: Offering): readonly Choice[] {
  return saved?.length === 0 ? [] : [SAVED_ONES];
}

/** Offers the saved recipients. Asks the wallet once more if it did not answer. */
export function wayToSaved<Context extends Offering>() {
  const isChosen = ({ event }: { event: Chose }) => event.choice === SAVED_ONES.id;
  const isKnown = ({ context }: { context: Context }) => context.saved !== undefined;
  return [
    {
      guard: (it: { event: Chose; context: Context }) => isChosen(it) && isKnown(it),
      target: 'offeringPayees',
    },
    { guard: isChosen, target: 'readingPayees' },
  ];
}

/**
 * Chooses a saved recipient where only a number serves (`toSaved`, `wayToSaved`). The way to the question leads through
 * `recallingPayees`, which reads whether there are any. `taken` finds the recipient in
 * `chosen` and the number in `to`.
 */
export function savedNumbers<Context extends Offering & { to?: Msisdn | undefined }>(
  { ask, taken }: Exits,
  read = ask,
) {
  const decide = decisions<Context>();
  const numberOf = ({ chosen }: Context) => chosen && accountsOf(chosen).to;
  const tells = (key: 'beneficiaries.none' | 'beneficiaries.unavailable' | 'beneficiaries.notPayable') => ({
    target: ask,
    know: () => know<Context>({ notice: { key } }),
  });
  return {
    ...payees<Context>({ ask, taken: 'takingPayee', read: 'offeringPayees' }, 'beneficiaries.chooseNumber'),
    recallingPayees: readingSaved<Context>(read),
    offeringPayees: decide(
      { if: ({ saved }) => saved === undefined, ...tells('beneficiaries.unavailable') },
      { if: ({ saved }) => saved?.length === 0, ...tells('beneficiaries.none') },
      { target: 'listingPayees', know: () => know<Context>({ found: undefined, from: 0 }) },
    ),
    takingPayee: decide(
      { if: (context) => numberOf(context) === undefined, ...tells('beneficiaries.notPayable') },
      { target: taken, know: (context) => ({ to: numberOf(context) }) as Partial<Context> },
    ),
  };
}

/** Looks for what was typed: at the wallet, and in what it gives, as it may have looked elsewhere than in names. */
export function searching<Context extends Offering>(list: string) {
  return calls<Context>()('readBeneficiaries', {
    says: 'beneficiaries.moment',
    input: ({ wallet, search = '' }) => ({ wallet, search }),
    ok: [
      {
        if: ({ entries }) => entries.length === 0,
        target: list,
        know: (_, { search = '' }) =>
          know<Context>({ notice: { key: 'beneficiaries.noMatch', values: { search: { name: search } } } }),
      },
      { target: list, know: ({ entries }) => know<Context>({ found: entries, from: 0 }) },
    ],
    failed: list,
  });
}

type ListKey = `beneficiaries.${'choose' | 'chooseNumber' | 'list'}`;

export function listed(context: Offering, key: ListKey): Screen {
  const { found, saved, from = 0 } = context;
  const isLast = from + LISTED_MAX >= (found ?? saved ?? []).length;
  return {
    key,
    choices: [
      ...listedPayees(context),
      ...(isLast ? [] : [{ id: 'more', key: 'beneficiaries.more' } as const]),
    ],
    expects: 'search',
  };
}

/** Those on show: the found ones, or all. */
export function listedPayees({ found, saved, from = 0 }: Offering): Choice[] {
  return (found ?? saved ?? []).slice(from, from + LISTED_MAX).map(choiceOf);
}

/** The next screen of the list. */
export function further<Context extends Offering>({ from = 0 }: Offering): Partial<Context> {
  return know<Context>({ from: from + LISTED_MAX });
}

function inList({ saved = [], found = [] }: Offering, choice: string): Beneficiary | undefined {
  return [...found, ...saved].find(({ id }) => `${SAVED}${id}` === choice);
}

/** An Arabic page has room for so many characters of a name and of figures, beside the number and the words. */
const NAME_AND_FIGURES_CHARS = 22;

/** How the customer has called whom they pay. On pages a long name gives way to the figures. */
export function savedName(
  context: Pick<Paying, 'isChat' | 'order' | 'quote'> & Offering & { readonly to?: Msisdn | undefined },
): string | undefined {
  const { to, isChat, order, quote } = context;
  const name = to && savedWith(context, { to })?.name;
  const figures = order && quote ? [order.amount, quote.fees, quote.total] : [];
  const others = figures.reduce((chars, sum) => chars + String(sum / 100).replace(/\..*/, '.00').length, 0);
  return name !== undefined && (isChat || name.length + others <= NAME_AND_FIGURES_CHARS) ? name : undefined;
}

/** Facts of this part are facts of every machine that offers, which the compiler cannot see. */
function know<Context extends Offering>(facts: Partial<Offering>): Partial<Context> {
  return facts as Partial<Context>;
}
