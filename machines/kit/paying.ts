import { assign } from 'xstate';
import type { Confirmation } from '../../src/payments/payment.ts';
import { type ConfirmedOrder, methodOf, orderValues, type PaymentKind } from '../../src/payments/payments.ts';
import {
  type Ask,
  costsSame,
  type LookedAgain,
  QUOTE_FRESH_MS,
  type Quote,
} from '../../src/payments/quote.ts';
import { receipt } from '../../src/payments/receipt.ts';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Authenticating, authentication } from './authentication.ts';
import { calls } from './call.ts';
import { type Change, changesOf, changing } from './change.ts';
import {
  conversation,
  known,
  last,
  type Offer,
  type Remembered,
  type Stopped,
  screen,
  states,
} from './conversation.ts';
import { type Held, heldBack, WHERE_HELD } from './held-back.ts';
import type { Learnt, MachineEvent } from './input.ts';
import { type Failure, isRefusal, problem } from './problem.ts';
import type { Choice, Screen, Sentence } from './screen.ts';
import type { FilesWith, SentenceKey } from './sentence-key.ts';
import { type Short, short, WHERE_SHORT } from './short.ts';
import { BUSY, CHECK_OR_MENU, stopped } from './stopped.ts';

/** After this long without an outcome the customer reads "not confirmed yet" (docs/safety.md: what the customer reads). */
const PROCESSING_MS = 10_000;

/** Refusals of the preview that another number to pay can mend. */
export const ABOUT_RECIPIENT: readonly RefusalName[] = [
  'phoneInvalid',
  'customerNotFound',
  'selfTransfer',
  'recipientUnknown',
  'recipientUnavailable',
];

/** The sentences that each way to pay has in its own file. */
type OfEveryPayment = 'processing' | 'notConfirmed' | 'refused' | 'cancelled' | 'notSent' | 'waits';

/** The context of a paying conversation. `order` is complete when the tail begins. */
export interface Paying extends Authenticating, Held, Short, Partial<Learnt> {
  order?: ConfirmedOrder | undefined;
  quote?: Quote | undefined;
  /** Messages with buttons are shown here, which hold more than a page. */
  isChat?: boolean | undefined;
  /** The customer said yes to this quote, which was too old by then. */
  agreed?: true | undefined;
  /** Operations that were listed before the money was sent. */
  before?: readonly number[];
  /** The recipient is not saved. */
  canSave?: true | undefined;
  /** The customer goes on at their bank's page, once the wallet has it. */
  link?: string | undefined;
}

/** A paying machine goes on here when the tail cannot. Each is the name of a state. */
interface PayingExits<Context> {
  /** The customer changes the order here, after "back" at the confirmation. */
  readonly amend: string;
  /** Refusals that another state can correct. All other refusals of the preview go to `amend`. */
  readonly amends?: {
    readonly refusals: readonly RefusalName[];
    readonly state: string;
    /** It leads here after the PIN, which lets more be said. */
    readonly afterPin?: string;
    /** How that PIN is asked for where it pays nothing. Absent: for what is left of the balance. */
    readonly asksPin?: SentenceKey;
  };
  /**
   * The customer's balance pays it, which may be too low. `typed`: another amount can be typed then. Absent: an agent's float pays, or
   * money comes in.
   */
  readonly fromBalance?: 'typed' | 'fixed';
  /** How the way to another order is called where its amount is none that is typed. */
  readonly asAmend?: SentenceKey;
  /** Items that can be left out where the balance is too low, or what else can be paid. */
  readonly leavesOut?: readonly Change<Context>[];
  /** The final state of a service that the wallet does not have (see `notEnabled`). */
  readonly notEnabled?: string;
  /** Its outcome takes days: once the wallet has it, the customer reads `accepted` of its way to pay, and waits for nothing. */
  readonly takesDays?: true;
  /** The questions between the PIN and the last look. They lead to `lookingAgain`. */
  readonly afterPin?: string;
  /** How the screen of the PIN names the payment, where no screen has named all of it before. */
  readonly named?: (context: Context) => Sentence | undefined;
  /** How a page names what the balance is too low for, where no screen has named it before. Absent: by its amount. */
  readonly due?: (context: Context) => Sentence | undefined;
  /** The name under which the customer has saved whom they pay. */
  readonly calls?: (context: Context) => string | undefined;
  /** How the warning calls whoever was never paid before. Absent: a recipient. */
  readonly newPayee?: SentenceKey;
  /** How a payee who is not saved is offered to be. Absent: as a recipient. */
  readonly saves?: SentenceKey;
  /** Values that the customer can change at once, on the screens that ask for a yes and for the PIN. */
  readonly changes?: readonly Change<Context>[];
  /** The conversation that the receipt offers, where the recipient is not one to save. */
  readonly keeps?: (context: Context) => Further | undefined;
}

/** A conversation that a receipt offers, and its choice there. */
interface Further extends Omit<Offer, 'choice'> {
  readonly choice: Choice;
}

/** True where all saved recipients were read and this one is not among them. */
type IsUnsaved<Context> = (context: Context) => boolean;

/**
 * The one way to move money: preview → PIN → login → pay → outcome. The screen that takes the PIN names amount,
 * recipient, fee and total, and the PIN confirms them. Anything unexpected is asked about on a screen of its own
 * before. A paying machine fills `order`, goes to `previewing`, and adds these states to its own.
 */
export function payingTail<Context extends Paying>(
  exits: PayingExits<Context>,
  isUnsaved: IsUnsaved<Context> = () => false,
) {
  return {
    previewing: previewing<Context>(exits),
    confirming: confirming<Context>(exits),
    ...enteringPin<Context>(exits),
    lookingAgain: lookingAgain<Context>(exits, isUnsaved),
    paying: paying<Context>(exits),
    ...(exits.takesDays
      ? { accepted: accepted<Context>() }
      : { processing: following<Context>('processing', { [PROCESSING_MS]: 'notConfirmed' }) }),
    notConfirmed: following<Context>('notConfirmed'),
    settled: settled<Context>(exits),
    ...notPaid<Context>(),
    ...heldBack<Context>({ back: exits.amend, amend: exits.asAmend, cancel: 'notSent', stops }),
    ...(exits.fromBalance &&
      short<Context>({
        named: called,
        ...(exits.due && { due: exits.due }),
        back: exits.amend,
        asksAmount: exits.fromBalance === 'typed',
        ...(exits.leavesOut && { leavesOut: exits.leavesOut }),
        cancel: 'notSent',
      })),
    unavailable: stoppedBefore<Context>('pay.unavailable', exits),
    busy: stoppedBefore<Context>(BUSY, exits, CHECK_OR_MENU),
  };
}

/**
 * The recipient was wrong: nothing stays of the order but its amount, and `target` asks whom to pay. It is a transition of the whole
 * machine.
 * @param kept comes with an amount that stays
 */
export function renumbering<Context extends Paying>(target: string, kept: { readonly isFilled?: true } = {}) {
  return {
    renumbered: {
      target: `.${target}`,
      actions: assign<Context, Renumbered, undefined, MachineEvent, never>(({ context, event }) => {
        const amount = event.keepsAmount ? amountIn(context) : undefined;
        const notice: Sentence | undefined = amount && {
          key: 'mobile.kept',
          values: { amount: { money: amount } },
        };
        return know<Context>({
          order: undefined,
          quote: undefined,
          notice,
          ...(amount && { ...kept, amount }),
        });
      }),
    },
  };
}

type Renumbered = Extract<MachineEvent, { type: 'renumbered' }>;

/** The amount that was given last: an order may be older. A merchant's code has an amount of its own. */
function amountIn({
  order,
  ...more
}: Paying & { readonly amount?: Centimes | undefined }): Centimes | undefined {
  if (order && (!('amount' in order) || 'qr' in order)) return undefined;
  return more.amount ?? order?.amount;
}

/** The order is quoted. Only a quote that the customer may not expect is asked about before the PIN. */
function previewing<Context extends Paying>(exits: PayingExits<Context>) {
  return {
    tags: 'resumable' as const,
    ...calls<Context>()('preview', {
      says: (c) => ({ key: 'pay.previewing', values: summary(c) }),
      input: ({ order }) => ({ order: placed(order) }),
      ok: [
        {
          if: asksBefore,
          target: 'confirming',
          know: (quote, context) => know<Context>(quoted(context, quote)),
        },
        { target: 'askingPin', know: (quote, context) => know<Context>(quoted(context, quote)) },
      ],
      ...(exits.notEnabled && { notEnabled: exits.notEnabled }),
      refused: [
        // Without a quote the PIN leads back here.
        {
          if: (refusal) => isRefusal(refusal, 'pinFirst'),
          target: 'askingPin',
          know: () => know<Context>({ quote: undefined }),
        },
        whereHeld<Context>(),
        ...whereShort<Context>(exits),
        amendable<Context>(exits),
        { target: exits.amend, know: toAmend<Context> },
      ],
      busy: 'busy',
      failed: UNAVAILABLE,
    }),
    exit: assign<Context, MachineEvent, undefined, MachineEvent, never>(() =>
      know<Context>({ agreed: undefined, looks: undefined }),
    ),
  };
}

/**
 * The customer agrees to something unexpected. A quote that has become too old is made again, and the answer is kept
 * for it. So is a quote that names a payment without an outcome: it may be known by now.
 */
function confirming<Context extends Paying>({ amend, changes = [], fromBalance }: PayingExits<Context>) {
  const amends: Change<Context> = {
    choice: { id: 'amend', key: 'pay.otherAmount' },
    state: amend,
    // A slip is the likeliest reason. On a page the way back leads there.
    if: (c) => fromBalance === 'typed' && c.isChat === true && isDoubted(c.quote),
    know: () => know<Context>({ quote: undefined }),
  };
  const all = [...changes, amends];
  return states<Context>()({
    tags: 'resumable',
    shows: (c) => ({
      key: confirmation(c),
      values: { ...summary(c), ...payee(c) },
      choices: [...yesOrNo(c), ...changesOf(all, c)],
      expects: 'choice',
      ...(amends.if(c) && { takesAmount: true }),
    }),
    chose: [
      { guard: ({ event }) => event.choice === 'cancel', target: 'cancelled' },
      ...changing(all),
      {
        guard: ({ event, context }) => isOpen(context) || event.at - since(context) > QUOTE_FRESH_MS,
        target: 'previewing',
        actions: assign(() => know<Context>({ agreed: true })),
      },
      { target: 'askingPin' },
    ],
    back: { target: amend, actions: assign(() => know<Context>({ quote: undefined })) },
    resumed: 'previewing',
  });
}

/**
 * The PIN confirms the payment that its screen names. If nothing is quoted yet, it is asked for before the preview and confirms
 * nothing: too many amounts were tried without it (docs/safety.md, "The balance stays behind the PIN").
 */
function enteringPin<Context extends Paying>({
  amend,
  amends,
  afterPin = 'lookingAgain',
  changes = [],
  named,
  calls: savedAs,
  newPayee,
}: PayingExits<Context>) {
  return authentication<Context>(
    (c) => ({
      ...(isQuoted(c)
        ? (named?.(c) ?? asksPin(withName(c, savedAs?.(c)), newPayee))
        : c.looks
          ? { key: amends?.asksPin ?? 'pay.askLeft', values: summary(c) }
          : asksPinForCost(c)),
      choices: withCancel(isQuoted(c) ? changesOf(changes, c) : []),
      expects: 'pin',
    }),
    {
      next: [
        ...(amends?.afterPin === undefined
          ? []
          : [{ if: (_: unknown, c: Context) => !isQuoted(c) && c.looks === true, target: amends.afterPin }]),
        { if: (_, c) => !isQuoted(c), target: 'previewing' },
        afterPin,
      ],
      back: { target: amend, know: () => know<Context>({ quote: undefined }) },
      checkpoint: 'previewing',
      cancel: 'cancelled',
      also: changes.map(({ choice, ...to }) => ({ choice: choice.id, ...to })),
    },
    {
      // If the session ends here, the payment may be made all the same.
      checking: (c) => ({ key: isQuoted(c) ? 'pay.checkingPin' : 'pin.checking', values: summary(c) }),
      lost: { key: 'pay.pinLost' },
      waits: (c) => (isQuoted(c) ? { key: keyOf(c, 'waits'), values: summary(c) } : undefined),
      refused: (c) => ({ key: keyOf(c, 'notSent'), values: summary(c) }),
    },
  );
}

/** Choices with a digit come first: they are all that a page shows. */
function withCancel(changes: readonly Choice[]): Choice[] {
  const [numbered, others] = [true, false].map((has) =>
    changes.filter(({ digit }) => (digit !== undefined) === has),
  ) as [Choice[], Choice[]];
  return [...numbered, { id: 'cancel', key: 'pay.cancel' }, ...others];
}

/** The PIN was right. Changes since the confirmation are asked about before anything is sent. */
function lookingAgain<Context extends Paying>(exits: PayingExits<Context>, isUnsaved: IsUnsaved<Context>) {
  return calls<Context>()('lookAgain', {
    says: (c) => ({ key: 'pay.previewing', values: summary(c) }),
    input: (c) => ({
      order: placed(c.order),
      quote: confirmed(c.quote),
      ...(isUnsaved(c) && { isUnsaved: true }),
    }),
    ok: [
      {
        if: isNothingNew,
        target: 'paying',
        know: ({ before, canSave }) => know<Context>({ before, canSave }),
      },
      { target: 'confirming', know: (found, context) => know<Context>(asksAgain(context, found)) },
    ],
    refused: [
      whereHeld<Context>(),
      ...whereShort<Context>(exits),
      amendable<Context>(exits, exits.amends?.afterPin),
    ],
    failed: UNAVAILABLE,
  });
}

function paying<Context extends Paying>({ takesDays, calls: called }: PayingExits<Context>) {
  return {
    tags: 'sent' as const,
    ...calls<Context>()('pay', {
      says: (c) => ({ key: keyOf(c, 'processing'), values: summary(c) }),
      // The receipt calls whom was paid as the customer does, wherever it is read.
      input: (c) => ({
        order: placed(c.order),
        quote: confirmed(calledBy(c, called?.(c)).quote),
        before: c.before ?? [],
      }),
      settled: { target: 'settled', know: (payment) => know<Context>(learnt(payment)) },
      accepted: {
        target: takesDays ? 'accepted' : 'processing',
        know: ({ redirect: link }) => know<Context>(link === undefined ? {} : { link }),
      },
      unknown: 'notConfirmed',
      busy: 'busy',
      rejected: {
        target: 'refused',
        know: ({ failure }, context) => know<Context>({ notice: whyRefused(context, failure) }),
      },
      // Proven unsent: nobody has refused it.
      failed: 'notSent',
    }),
  };
}

/** The wallet has it, and its outcome takes days, or the customer must go on elsewhere first. */
function accepted<Context extends Paying>() {
  return states<Context>()({
    tags: 'sent',
    shows: (c) => ({
      key: known(methodOf(placed(c.order)).said.accepted),
      values: summary(c),
      expects: 'nothing',
      ...(c.link !== undefined && { link: c.link }),
    }),
    outcome: { target: 'settled', actions: assign(({ event }) => know<Context>(learnt(event))) },
  });
}

/** Sent, and its outcome is not known yet. */
function following<Context extends Paying>(
  name: 'processing' | 'notConfirmed',
  after: Readonly<Record<number, string>> = {},
) {
  return states<Context>()({
    tags: 'sent',
    shows: (c) => ({ key: keyOf(c, name), values: summary(c), expects: 'nothing' }),
    after,
    outcome: { target: 'settled', actions: assign(({ event }) => know<Context>(learnt(event))) },
  });
}

/**
 * A recipient who was paid and is not saved can be saved with one answer. So can a contract. In a chat the receipt is to be had
 * as a file.
 */
function settled<Context extends Paying>({
  keeps = () => undefined,
  saves,
  calls: called,
}: PayingExits<Context>) {
  const further = (c: Context) =>
    [toSave(c, saves) ?? keeps(c), toReceipt(c)].filter((each) => each !== undefined);
  return conversation<Context>().createStateConfig({
    type: 'final',
    meta: screen((c) => {
      const choices = further(c).map(({ choice }) => choice);
      return { ...ended(calledBy(c, called?.(c))), ...(choices.length > 0 && { choices }) };
    }),
    output: ({ context }) => {
      const offer = further(context).map(({ choice, ...next }) => ({ ...next, choice: choice.id }));
      return offer.length > 0 ? { offer } : {};
    },
  });
}

function ended(c: Paying): Screen {
  return receipt({
    order: placed(c.order),
    quote: confirmed(c.quote),
    outcome: c.outcome ?? 'human',
    reference: c.reference ?? '',
    facts: c.facts,
    operationId: c.operationId,
    sentAt: c.sentAt,
  });
}

/** The receipt of a bill is the wallet's own file, which comes with it. */
function toReceipt(c: Paying): Further | undefined {
  const { receipt: card, document } = ended(c);
  if (!c.isChat || !card || document || c.payment === undefined) return undefined;
  return { choice: { id: 'receipt', key: 'receipt.get' }, next: 'receipt', filled: { payment: c.payment } };
}

function toSave(
  { order, outcome, canSave }: Paying,
  key: SentenceKey = 'beneficiaries.save',
): Further | undefined {
  const filled =
    canSave && outcome === 'succeeded' ? methodOf(placed(order)).payee?.again?.(placed(order)) : undefined;
  return filled && { choice: { id: 'save', key }, next: 'beneficiaries', filled };
}

/** Ends of a payment that has moved nothing. */
function notPaid<Context extends Paying>() {
  const end = (name: 'refused' | 'cancelled' | 'notSent') =>
    last<Context>((c) => ({ key: ofThis(c, name), values: summary(c) }));
  return {
    /** Proven not to have moved anything. The notice says why. */
    refused: end('refused'),
    // It names what was not paid: it must not seem to speak of another payment, whose outcome its reader does not know.
    cancelled: end('cancelled'),
    /** Given up before it was sent, or proven never to have left. */
    notSent: end('notSent'),
  };
}

/** A stop before anything was sent: the customer tries again, changes the order or leaves it. */
function stoppedBefore<Context extends Paying>(
  key: SentenceKey,
  { amend }: PayingExits<Context>,
  choices?: readonly Choice[],
) {
  return stopped<Context>((c) => ({ key, values: summary(c) }), {
    again: 'previewing',
    cancel: 'notSent',
    ...(choices && { choices }),
    back: { target: amend, know: () => know<Context>({ quote: undefined }) },
    resumed: 'previewing',
  });
}

/** The screen of `unavailable` says why by itself: no notice is put above it. */
const UNAVAILABLE = { target: 'unavailable', know: () => ({}) };

/** Held back for the customer's safety. */
function whereHeld<Context extends Paying>() {
  return { ...WHERE_HELD, know: (refusal: Failure) => know<Context>(WHERE_HELD.know(refusal)) };
}

function whereShort<Context extends Paying>({ fromBalance }: PayingExits<Context>) {
  const know = (refusal: Failure): Partial<Paying> => ({ ...WHERE_SHORT.know(refusal), quote: undefined });
  return fromBalance
    ? [{ ...WHERE_SHORT, know: (refusal: Failure) => know(refusal) as Partial<Context> }]
    : [];
}

function amendable<Context extends Paying>({ amend, amends }: PayingExits<Context>, state = amends?.state) {
  return {
    if: (refusal: Failure) => isRefusal(refusal, ...(amends?.refusals ?? [])),
    target: state ?? amend,
    know: toAmend<Context>,
  };
}

function toAmend<Context extends Paying>(failure: Failure, context: Context): Partial<Context> {
  return know<Context>({ notice: noFloat(failure) ?? whyRefused(context, failure), quote: undefined });
}

/** The partner's float is empty. The customer cannot change that. Nothing was sent, and the screen says so. */
function noFloat(failure: Failure): Sentence | undefined {
  return isRefusal(failure, 'agentNotFunded') ? { key: 'pay.noFloat' } : undefined;
}

function whyRefused({ order }: Paying, failure: Failure): Sentence | undefined {
  const own = Object.entries(methodOf(placed(order)).said.refusals ?? {});
  const said = own.find(([name]) => isRefusal(failure, name as RefusalName));
  return said ? { key: said[1] } : problem(failure);
}

/** Facts of the tail are facts of every machine that pays, which the compiler cannot see. */
function know<Context extends Paying>(facts: Partial<Paying>): Partial<Context> {
  return facts as Partial<Context>;
}

/** The payment as sentences about it call it. */
function called(context: Paying): Sentence {
  return { key: methodOf(placed(context.order)).said.called, values: summary(context) };
}

/** The order as a request that can be made again by the number or account of whom it pays. */
function stops(context: Paying): Stopped | undefined {
  const order = placed(context.order);
  const { kind: next, amount } = order;
  // An article is chosen anew, whoever it is for.
  const payee = next === 'voucher' ? undefined : methodOf(order).payee?.again?.(order);
  return (
    payee && {
      next,
      filled: { ...payee, amount },
      called: { key: `${next}.goOnWith`, values: summary(context) },
    }
  );
}

function summary({ order, quote }: Paying): NonNullable<Sentence['values']> {
  return orderValues(placed(order), quote);
}

/** The key of a payment's own sentence. */
function keyOf({ order }: Paying, name: OfEveryPayment): `${ConfirmedOrder['kind']}.${OfEveryPayment}` {
  return `${placed(order).kind}.${name}`;
}

/** Said of a payment that was not made. If there is another one just like it, it must not seem to speak of that one. */
function ofThis(context: Paying, name: 'refused' | 'cancelled' | 'notSent'): SentenceKey {
  return hasAlike(context) ? 'pay.noSecond' : keyOf(context, name);
}

function hasAlike({ quote }: Paying): boolean {
  return quote !== undefined && quote.alike.length > 0;
}

/**
 * The final state for a service that the wallet does not have. It says so with `<kind>.notEnabled`, and the menu hides
 * the entry for the rest of the visit. Its machine needs `output: ending`.
 */
export function notEnabled<Context extends Remembered>(kind: FilesWith<'notEnabled'> & PaymentKind) {
  return last<Context>(() => ({ key: `${kind}.notEnabled` }), { output: { notEnabled: kind } });
}

function learnt({ outcome, reference, facts, operationId, sentAt, payment }: Learnt): Partial<Paying> {
  const known = {
    ...(facts && { facts }),
    ...(operationId && { operationId }),
    ...(sentAt && { sentAt }),
    ...(payment && { payment }),
  };
  return { outcome, reference, ...known };
}

/** A payment just like it comes first: paying twice is the mistake that hurts most. */
function confirmation(context: Paying): SentenceKey {
  const { order, quote } = context;
  const { kind } = placed(order);
  if (isOpen(context)) return `${kind}.confirmUnconfirmed`;
  if (quote && quote.alike.length > 0) return `${kind}.confirmAgain`;
  if (isDoubted(quote)) return askedAs(quote.asks);
  return sentences(context).confirm;
}

/** True where nobody knew what became of a payment just like it when it was looked for. */
function isOpen({ quote }: Paying): boolean {
  return quote?.alike.some(({ open }) => open) ?? false;
}

/** The amount that the customer may not expect, and perhaps the recipient. */
function askedAs(asks: readonly Ask[]): SentenceKey {
  return asks.length > 1 ? 'pay.askBoth' : 'pay.askUnusual';
}

/** A payment just like it is the greater doubt, and was to somebody who is not new. */
function isDoubted(quote: Quote | undefined): quote is Quote & { readonly asks: readonly Ask[] } {
  return quote?.asks?.includes('unusual') === true && quote.alike.length === 0;
}

/** The name that the wallet gives comes first: it proves more than one that the customer has given. */
function withName(context: Paying, recipientName: string | undefined): Paying {
  return context.quote?.maskedName === undefined ? calledBy(context, recipientName) : context;
}

/** With the customer's own name for whom they pay, unless the preview has given one. */
function calledBy(context: Paying, recipientName: string | undefined): Paying {
  const { quote } = context;
  return !quote || quote.recipientName !== undefined || recipientName === undefined
    ? context
    : { ...context, quote: { ...quote, recipientName } };
}

/**
 * Names the payment. Of a new recipient it warns first, and says there that another institution pays out: the PIN is taken once this
 * screen was shown up to its question.
 */
function asksPin(context: Paying, newPayee: SentenceKey = 'pay.newRecipient'): Sentence {
  const { quote } = context;
  const { confirm, askPin } = sentences(context);
  const values = summary(context);
  const isNew = quote?.asks?.includes('newRecipient') === true && quote.alike.length === 0;
  if (!isNew || isDoubted(quote)) return { key: askPin, values };
  // The warning says that it is elsewhere: the payment need not say so again.
  const [recipient, key]: [SentenceKey, SentenceKey] = quote?.openLoop
    ? ['pay.newElsewhere', sentences({ ...context, quote: { ...quote, openLoop: false } }).confirm]
    : [newPayee, confirm];
  const payment = { lines: [{ key, values }] };
  return { key: 'pay.askNew', values: { ...values, recipient: { say: recipient }, payment } };
}

/** Names the payment whose cost the PIN shows. An offer to go on says the same values. */
function asksPinForCost(context: Paying): Sentence {
  return { key: 'pay.askCost', values: { ...summary(context), payment: { lines: [called(context)] } } };
}

/** A customer under pressure to pay a stranger reads first how to stop. */
function yesOrNo(context: Paying): Choice[] {
  const yes: Choice = { id: 'confirm', key: 'pay.confirm' };
  const no: Choice = { id: 'cancel', key: 'pay.no' };
  return isDoubted(context.quote)
    ? [
        { ...no, key: 'pay.cancel' },
        { ...yes, key: 'pay.goOn' },
      ]
    : [yes, no];
}

/** The recipient's name in the question about a new recipient and an unusual amount. */
function payee({ order, quote }: Paying): NonNullable<Sentence['values']> {
  const who = quote?.asks && methodOf(placed(order)).payee?.asked?.(placed(order));
  return who ? { payee: who } : {};
}

/** How the payment is named on the screens that ask for it. */
function sentences({ order, quote }: Paying): Confirmation {
  const { kind } = placed(order);
  const own = quote && methodOf({ kind }).said.confirmation?.(quote);
  return own ?? { confirm: `${kind}.confirm`, askPin: `${kind}.askPin` };
}

/** True for everything asked about on a screen of its own: a payment just like it, a changed price, or an unusual amount. */
function asksBefore(quote: Quote, { quote: before, agreed }: Paying): boolean {
  if (agreed && isSame(before, quote)) return false;
  return quote.alike.length > 0 || isChanged(before, quote) || isDoubted(quote);
}

function isChanged(before: Quote | undefined, quote: Quote): boolean {
  return before !== undefined && !costsSame(before, quote);
}

/** A new preview of an order that was quoted otherwise before is pointed out: who is paid was asked about with that one. */
function quoted({ quote: before }: Paying, quote: Quote): Partial<Paying> {
  if (!isChanged(before, quote)) return { quote, notice: undefined };
  const { asks: _asked, ...changed } = quote;
  return { quote: changed, notice: { key: 'pay.changed' } };
}

/** True when a new preview shows nothing that the customer has not agreed to already. */
function isSame(agreed: Quote | undefined, quote: Quote): boolean {
  return (
    agreed !== undefined &&
    costsSame(agreed, quote) &&
    quote.alike.every(({ id, open }) => agreed.alike.some((old) => old.id === id && old.open === open)) &&
    (quote.asks ?? []).every((ask) => agreed.asks?.includes(ask))
  );
}

function isNothingNew({ alike, requoted }: LookedAgain): boolean {
  return alike.length === 0 && requoted === undefined;
}

/** Another price, or look-alikes that appeared after the confirmation: the customer is asked again, knowing them. */
function asksAgain({ quote }: Paying, { alike, requoted }: LookedAgain): Partial<Paying> {
  if (requoted) return { quote: requoted, notice: { key: 'pay.changed' } };
  const before = confirmed(quote);
  return { quote: { ...before, alike: [...before.alike, ...alike] }, notice: { key: 'pay.alikeSince' } };
}

function isQuoted({ quote }: Paying): boolean {
  return quote !== undefined;
}

function since({ quote }: Paying): number {
  return quote?.at ?? 0;
}

function confirmed(quote: Quote | undefined): Quote {
  if (!quote) throw new Error('the paying tail went on without a quote');
  return quote;
}

function placed(order: ConfirmedOrder | undefined): ConfirmedOrder {
  if (!order) throw new Error('the paying tail began without an order');
  return order;
}
