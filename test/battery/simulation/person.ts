import type { Screen } from '../../../machines/kit/screen.ts';
import {
  type Address,
  type Incoming,
  type Input,
  inHand,
  type Reply,
} from '../../../src/conversation/incoming.ts';
import { PAYMENT_KINDS } from '../../../src/payments/payments.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import { type Msisdn, nationalNumber } from '../../../src/wallet/phone.ts';
import { numberOf } from '../../kit/number.ts';
import { CARD, type ReferenceKind } from '../town/kinds.ts';
import type { Random } from '../town/random.ts';
import { codeShown, MERCHANTS, RECEIVED } from './merchants.ts';
import { referencesAt } from './model-services.ts';
import { isOfPrincipal, type PaidKind, type Wish, whatIn } from './paid.ts';

const AMOUNTS = ['100', '200'];
const WRONG_PINS = ['0007', '12', '٠٠٠٧'];
/** The bill of a contract comes to the contract's number. */
const CONTRACTS = ['10000', '20000'];
/** The form of a bill asks for it. Nothing else says it. */
export const BILL_PASSWORD = 'passe-partout';
const PAID = PAYMENT_KINDS.join('|');
const CONFIRMATION = new RegExp(`^(${PAID})\\.confirm`);
/** Of a new recipient a warning stands where the PIN is asked for. */
const PAYING_PIN = new RegExp(`^(?:(${PAID})\\.askPin|pay\\.askNew$)`);
const WARNING = /\.(confirmAgain|confirmUnconfirmed)$/;

/** True when a screen asks whether to pay the same once more. */
export function isWarning(key: string): boolean {
  return CONFIRMATION.test(key) && WARNING.test(key);
}

/**
 * The customer gave the right PIN for this. `warned`: a screen before had said that a payment like this one was made before,
 * and they went on.
 */
interface Confirmed {
  readonly at: number;
  readonly warned: boolean;
  /** See `Paid`. */
  readonly what: string | undefined;
}

/** A reference that the customer has asked for: typed how much, chosen where, or given the PIN. */
interface Asked {
  readonly at: number;
  readonly input: string;
  readonly kind: ReferenceKind;
  readonly amount: number | undefined;
  /** When the customer turned to such references last, which offers an open one. Unknown after a resumed conversation. */
  readonly since: number;
  /** They have read of one just like it, or of one that is lost, and want one all the same. */
  readonly knows: boolean;
}

/** One customer at one address, and what went through their head. */
export interface Line {
  readonly address: Address;
  readonly phone: Msisdn;
  readonly channel: 'ussd' | 'web';
  readonly confirmed: Confirmed[];
  /** The payment that was gone on with after a warning. */
  warnedOf: string | undefined;
  /** How often the right PIN was typed for a payment. Each may send once. */
  pins: number;
  /** References that were asked for, and not answered with another question. */
  asked: Asked[];
  asksSince: number;
  knowsOfAlike: boolean;
  /** The PIN was given for a withdrawal here, so that its number may be shown. */
  drewAt: number | undefined;
  reply: Reply | undefined;
  dialog: string | undefined;
  inputs: number;
  /** The last choice in the menu. Merchants are paid from another conversation, or by a photo. */
  wants: string | undefined;
  /** A chat: the PIN was entered, and the menu has been seen since. */
  isLinked?: boolean;
  /** Typed text names the screen that it answers, as the web page does. */
  namesScreens?: boolean;
}

export function lineOf(phone: Msisdn, channel: 'ussd' | 'web'): Line {
  const address: Address = channel === 'ussd' ? `ussd:${phone}` : `web:chat-of-${phone}`;
  return {
    address,
    phone,
    channel,
    confirmed: [],
    warnedOf: undefined,
    pins: 0,
    asked: [],
    asksSince: 0,
    knowsOfAlike: false,
    drewAt: undefined,
    reply: undefined,
    dialog: undefined,
    inputs: 0,
    wants: undefined,
  };
}

/** The customer's next input on the screen they see. Undefined: the customer puts the phone away for a while. */
export function nextInput(
  line: Line,
  around: {
    random: Random;
    now: number;
    pin: string;
    others: readonly Msisdn[];
    code: () => string | undefined;
    /** The usual choices in the menu. A kind that stands there twice is chosen twice as often. */
    kinds: readonly Wish[];
  },
): Incoming {
  const { reply } = line;
  if (reply?.screen.expects === 'card' && around.random.chance(0.75)) return onForm(line, reply);
  const isOver = !reply || (line.channel === 'ussd' && (reply.rests || reply.screen.expects === 'nothing'));
  if (isOver) return begins(line);
  const { random } = around;
  if (random.chance(0.04))
    return input(line, went(random.pick(['back', 'menu', 'help', 'language', 'cancel'])));
  return input(line, answerTo(line, reply.screen, around));
}

/** A new dial, or the chat opened again. */
export function begins(line: Line): Incoming {
  if (line.channel === 'web') return input(line, { type: 'opened' });
  line.dialog = `dial-${line.inputs}`;
  const { inputs: _none, ...incoming } = input(line, went('menu'));
  return { ...incoming, inputs: [] };
}

/** The form is sent: another page than the chat, which brings a card with each request. */
function onForm(line: Line, { screenId }: Reply): Incoming {
  return {
    address: line.address,
    id: `${line.inputs++}`,
    inputs: [{ type: 'carded' }],
    screenId,
    elsewhere: true,
    get card() {
      return inHand(CARD);
    },
  };
}

function answerTo(line: Line, screen: Screen, around: Parameters<typeof nextInput>[1]): Input {
  const { random, pin } = around;
  const { key, expects } = screen;
  if (expects === 'pin') {
    const typed = random.chance(0.92) ? pin : random.pick(WRONG_PINS);
    if (typed === pin && PAYING_PIN.test(key)) confirms(line, screen, around.now);
    if (typed === pin && key.startsWith('cash-out.')) {
      line.drewAt ??= around.now;
      asks(line, 'cash-out', moneyIn(screen), around.now);
    }
    return said(typed);
  }
  const answers: Partial<Record<Screen['expects'], () => Input>> = {
    phone: () => numberOn(line, screen, around),
    account: () => numberOn(line, screen, around),
    amount: () => amountOn(line, screen, around),
    otp: () => said(around.code() ?? '000-000'),
    nothing: () => went('menu'),
    choice: () => choose(line, screen, around),
    search: () => choose(line, screen, around),
    field: () => said(key === 'agent.askCode' ? `RA-${line.phone.slice(-2)}` : random.pick(CONTRACTS)),
    reference: () => said(random.pick(atCounter(line, screen, around))),
    password: () => said(BILL_PASSWORD),
    name: () => said('Salma'),
  };
  return answers[expects]?.() ?? went('menu');
}

function amountOn(line: Line, { key }: Screen, { random, now }: Parameters<typeof nextInput>[1]): Input {
  if (key === 'card-payments.askAmount') return said('50');
  const amount = random.pick(AMOUNTS);
  line.knowsOfAlike = false;
  // A withdrawal is asked for by the PIN.
  const kind = key.split('.')[0] ?? '';
  if (kind === 'cash-in' || kind === 'principal-float') asks(line, kind, Number(amount) * 100, now);
  return said(amount);
}

/** Notes what the input that comes next asks for. */
function asks(line: Line, kind: ReferenceKind, amount: number | undefined, at: number): void {
  const { asksSince: since, knowsOfAlike: knows } = line;
  line.asked.push({ at, input: `${line.inputs}`, kind, amount, since, knows });
}

/** Drops requests whose answer was no reference and no wait for one. */
export function noteAnswer(line: Line, { id }: Incoming, { key }: Screen): void {
  if (ASKS_BACK.test(key)) line.asked = line.asked.filter(({ input }) => input !== id);
}
const ASKS_BACK = /^(cash-in\.(alike|chooseWay)|cash-out\.(alike|askPin|askPinAgain))$/;

function moneyIn({ values }: Screen): number | undefined {
  return values?.amount && 'money' in values.amount ? values.amount.money : undefined;
}

function confirms(line: Line, screen: Screen, at: number): void {
  const what = whatIn(screen);
  line.pins++;
  line.confirmed.push({ at, warned: what !== undefined && line.warnedOf === what, what });
}

function numberOn(line: Line, screen: Screen, { random, others }: Parameters<typeof nextInput>[1]): Input {
  if (screen.key === 'linking.askPhone') return said(line.phone);
  if (screen.key === 'bank-transfer.askRib') return said(random.pick(ACCOUNTS));
  if (screen.key === 'transfer.askRecipient' && line.wants === BANK) return said(random.pick(ACCOUNTS));
  if (screen.key === 'transfer.askRecipient' && line.wants === MERCHANT)
    return press(line, screen, 'merchant');
  if (screen.key !== 'merchant-payment.askMerchant') return said(nationalNumber(random.pick(others)));
  return photo(line, random) ?? said(nationalNumber(random.pick(MERCHANTS)));
}
const MERCHANT: PaidKind = 'merchant-payment';
const BANK: PaidKind = 'bank-transfer';
const VOUCHER: PaidKind = 'voucher';
const ACCOUNTS: readonly string[] = [ribWith('007780', 1), ribWith('007780', 2)];

/** A customer brings a reference to an agent, or for a deposit only a number. */
function atCounter(
  { phone }: Line,
  { key }: Screen,
  { others }: Parameters<typeof nextInput>[1],
): readonly string[] {
  if (key !== 'agent-cash-in.ask') return referencesAt('cash-out', phone);
  return [...referencesAt('cash-in', phone), ...others.map(nationalNumber)];
}

/** Half of the time, where pictures can be sent. */
function photo(line: Line, random: Random): Input | undefined {
  if (line.channel === 'ussd' || random.chance(0.5)) return undefined;
  return { type: 'photo', qr: codeShown(random, AMOUNTS, `${line.phone.slice(-1)}-${line.inputs}`) };
}

function choose(line: Line, screen: Screen, around: Parameters<typeof nextInput>[1]): Input {
  const { key, choices = [] } = screen;
  const wanted = choiceOn(key, around);
  if (key === 'menu.choose' || key === 'menu.chooseAgent')
    Object.assign(line, { wants: wanted, warnedOf: undefined });
  if (key === 'menu.choose' && wanted === MERCHANT)
    return photo(line, around.random) ?? press(line, screen, 'transfer');
  const entry = key === 'menu.choose' ? ENTRIES[wanted] : undefined;
  if (entry) return press(line, screen, entry);
  const next = CHOICES[key]?.[line.wants ?? ''];
  if (key === 'cash.choose') line.asksSince = around.now;
  if (next !== undefined) return press(line, screen, next);
  const id = choices.some((choice) => choice.id === wanted) ? wanted : choices[0]?.id;
  const isIdle = id === 'look' || id === 'list';
  if (id === undefined || (isIdle && around.random.chance(0.5))) return went('menu');
  notesChoice(line, screen, id, around.now);
  if (id === 'confirm' && isWarning(key)) line.warnedOf = whatIn(screen);
  return press(line, screen, id);
}

/** The customer wants one although there is an equal one, or one whose number is lost. */
function notesChoice(line: Line, screen: Screen, id: string, at: number): void {
  const [kind, name = ''] = screen.key.split('.');
  // Perhaps in the other chat, with what was read there.
  if (name === 'resume' && id === 'continue') line.asksSince = Number.NEGATIVE_INFINITY;
  if (kind !== 'cash-in' && kind !== 'cash-out') return;
  if (name === 'alike' || name === 'lost') line.knowsOfAlike = true;
  if (kind === 'cash-in' && ['alike', 'lost', 'chooseWay'].includes(name) && id !== 'list')
    asks(line, kind, moneyIn(screen), at);
}

function press({ channel }: Line, { choices = [] }: Screen, id: string): Input {
  return channel === 'web' ? { type: 'chose', choice: id } : said(numberOf(choices, id));
}

function choiceOn(key: string, { random, kinds }: Parameters<typeof nextInput>[1]): string {
  // An agent says so first.
  if (key === 'menu.choose' && kinds.some((kind) => kind.startsWith('agent-'))) return 'account';
  if (key === 'menu.choose' && kinds.some(isOfPrincipal)) return 'principal';
  if (key === 'account.choose') return 'agent';
  if (key === 'menu.choose' || key === 'menu.chooseAgent') {
    if (!random.chance(0.9)) return random.pick(['balance', 'help', 'language']);
    return (kinds.length > 1 ? random.pick(kinds) : kinds[0]) ?? '';
  }
  if (isWarning(key)) return random.chance(0.5) ? 'confirm' : 'cancel';
  if (CONFIRMATION.test(key)) return random.chance(0.9) ? 'confirm' : 'cancel';
  if (key === 'pay.unavailable') return random.chance(0.8) ? 'again' : 'cancel';
  if (key === 'language.choose') return random.pick(['fr', 'ar', 'en']);
  const some = SOME[key];
  if (some) return random.pick(some);
  return random.chance(0.8) ? 'continue' : 'leave';
}

/** Entries of the menu that lead to other wishes. */
const ENTRIES: Readonly<Record<string, string>> = {
  ...{ [BANK]: 'transfer', [VOUCHER]: 'shopping' },
  ...{ 'card-cash-in': 'cash', 'cash-in': 'cash', 'cash-out': 'cash', references: 'cash' },
  ...{ 'card-payment': 'card-payments', 'card-capture': 'card-payments' },
  ...{ 'card-reverse': 'card-payments', 'card-refund': 'card-payments' },
};
/** Choices under an entry of the menu, by the wish. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cash.choose': {
    ...{ 'card-cash-in': 'card-cash-in', references: 'references' },
    ...{ 'cash-in': 'cash-in', 'cash-out': 'cash-out' },
  },
  'card-payments.choose': {
    'card-payment': 'card-payment',
    'card-capture': 'reservations',
    'card-reverse': 'reservations',
    'card-refund': 'card-refund',
  },
  'card-payments.reserved': { 'card-capture': 'capture', 'card-reverse': 'release' },
};

/** Screens on which one choice is as good as another. */
const SOME: Readonly<Record<string, readonly string[]>> = {
  'bill-payment.chooseCreditor': ['1001', '1002'],
  'shopping.choose': [VOUCHER],
  'voucher.chooseArticle': ['article0', 'article1'],
  'voucher.chooseFor': ['me', 'gift'],
  'principal.choose': ['b2b-top-up', 'payouts', 'principal-float'],
  'principal-float.shown': ['load'],
  'cash-in.alike': ['again', 'another'],
  'cash-out.alike': ['again', 'another'],
  'cash-in.chooseWay': ['agents', 'bill-network'],
  'references.list': ['reference0', 'reference0', 'reference1', 'reference2', 'reference3', 'reference4'],
  'references.withdrawalOpen': ['again', 'again', 'list'],
  'references.withdrawalAsKnown': ['again', 'list'],
  'payouts.shown-ready': ['release'],
  'payouts.shown-stopped': ['release'],
  'merchant-refund.list': RECEIVED.map(({ id }) => String(id)),
  'merchant-refund.howMuch': ['part', 'part', 'all'],
  'card-payment.chooseWay': ['collect', 'reserve'],
  'card-payments.howMuchCapture': ['all', 'part'],
  'card-payments.howMuchRefund': ['all', 'part'],
};

function input(line: Line, raw: Input): Incoming {
  const { address, channel, dialog, reply } = line;
  const named = raw.type === 'chose' || (line.namesScreens && raw.type === 'said');
  const screen = channel === 'web' && named && reply ? { screenId: reply.screenId } : {};
  return {
    address,
    id: `${line.inputs++}`,
    inputs: [raw],
    ...(dialog !== undefined && { dialog }),
    ...screen,
    ...(channel === 'web' && { language: 'fr' as const }),
  };
}

function went(to: 'back' | 'menu' | 'help' | 'language' | 'cancel'): Input {
  return { type: 'went', to };
}

function said(text: string): Input {
  return { type: 'said', text };
}

/** The wallet that this address may hear of. A chat hears of it only once it is linked. */
export function walletOf({ channel, phone, isLinked }: Line): Msisdn | undefined {
  return channel === 'ussd' || isLinked ? phone : undefined;
}

/** A chat is linked once its menu has been seen, until it asks for the number or the PIN again. */
export function noteLink(line: Line, { key }: Screen): void {
  if (key === 'menu.choose' || key === 'menu.chooseAgent') line.isLinked = true;
  if (/^(linking|unlocking)\./.test(key)) line.isLinked = false;
}
