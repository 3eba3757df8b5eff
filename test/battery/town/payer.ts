import { randomUUID } from 'node:crypto';
import { abilitiesOf, ownAddress } from '../../../src/conversation/channel.ts';
import type { Address, Incoming, Input, Reply } from '../../../src/conversation/incoming.ts';
import type { PaymentKind } from '../../../src/payments/payments.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { numberOf } from '../../kit/number.ts';
import { CARD, type Deed, deedOn, type Errand } from './kinds.ts';
import type { Listener } from './listener.ts';
import { PIN } from './wallet.ts';

/** No conversation needs more answers. With more, the bot goes round in circles. */
const ANSWERS_MAX = 30;

/** The behaviour of a customer after a silence. */
export interface Manners {
  /** The gateway sends the last input again. Otherwise the customer dials anew. */
  readonly repeats: boolean;
  /** The customer pays again, whatever Wasl says about the first payment. Only a warning before the second one stops them. */
  readonly insists: boolean;
}

/** A customer and their errand, at a linked chat or at their phone. */
export interface Who<Kind extends string = PaymentKind> {
  readonly phone: Msisdn;
  /** Absent: the phone. */
  readonly address?: Address;
  readonly errand: Errand<Kind>;
}

/** An input, with the card that is typed. The process that gets the input takes the card into its hands. */
export interface Carded extends Omit<Incoming, 'card'> {
  readonly typedCard?: typeof CARD;
}

/** On these screens the payment is made, or about to be. */
const NOTHING_LEFT: ReadonlySet<string> = new Set([
  'bill-payment.nothingToPay',
  'card-payments.noneReserved',
  'card-payments.noneCaptured',
  'card-payment.linkSent',
  'payouts.released',
  'payouts.shown-running',
  'payouts.shown-done',
  'cash-in.shown',
  'cash-out.shown',
  'principal-float.given',
  'pay.busy',
]);
/** These sentences say that a payment is under way or has ended. A customer who believes them does not pay again. */
const STANDINGS =
  /\.(processing|accepted|atBank|notConfirmed|done|doneSettled|doneStamped|doneWithoutCode|failed|reversed|notFound|human|reference|executed|executedPriced|expired)$/;
const REFERENCE_ENDED = /\.(executed|executedPriced|expired)$/;

/** The ears around a payer, and the browser that goes on at a bank. */
interface Around {
  receive(incoming: Carded): Promise<Reply>;
  readonly listener?: Listener | undefined;
  bank?(link: string): Promise<void>;
  /** The time that a customer takes after reading that the service does not respond. Absent: none. */
  pauses?(): Promise<void>;
}

/** A tireless customer with one errand, who answers every screen until it seems done, and knows nothing of Wasl's inside. */
export class Payer {
  readonly phone: Msisdn;
  readonly address: Address;
  readonly errand: Errand<string>;
  /** Everything that was typed. */
  readonly typed: string[] = [];
  /** The key of every sentence on this customer's screen, oldest first. */
  readonly seen: string[] = [];
  content = false;
  readonly #manners: Manners;
  readonly #around: Around;
  readonly #isChat: boolean;
  #dialog = '';
  #last: Carded | undefined;
  #reply: Reply | undefined;
  /** The customer has given the PIN, and got an answer since. */
  #hasPaid = false;

  constructor(
    { phone, address = ownAddress(phone), errand, ...manners }: Who<string> & Manners,
    around: Around,
  ) {
    this.phone = phone;
    this.address = address;
    this.errand = errand;
    this.#manners = manners;
    this.#around = around;
    this.#isChat = abilitiesOf(address).shows === 'messages';
  }

  /** Answers until the payment seems made, or until there is nothing to answer. */
  pays = async (): Promise<void> => {
    if (this.content) return;
    const shown = this.#reply;
    let now = shown && shown.screen.expects !== 'nothing' ? shown : await this.#dial();
    for (let i = 0; i < ANSWERS_MAX; i++) {
      const deed = this.#answerTo(now);
      if (deed === undefined) return;
      now = await this.#follow(await this.#do(deed, now));
      if (this.content) return;
    }
    throw new Error(`the customer goes round in circles: ${this.seen.slice(-10).join(' ')}`);
  };

  /** Dials to see how the payment stands, and hangs up. */
  looksIn = async (): Promise<void> => {
    await this.#dial();
    this.#reply = undefined;
  };

  /** The next input is a new dial. */
  hangsUp(): void {
    this.#reply = undefined;
  }

  /** Nobody answered the last input. */
  async isLeftAlone(): Promise<void> {
    if (this.#manners.repeats && this.#last) await this.#follow(await this.#send(this.#last));
    else this.#hasPaid = false;
  }

  /** The customer wants to make the same payment once more, whatever became of the first. */
  wantsAgain(): void {
    this.content = false;
    this.#hasPaid = false;
    this.#reply = undefined;
  }

  /** The gateway delivers the last PIN again, as a new input. The screen on show gets it. */
  async typesPinAgain(): Promise<void> {
    await this.#type(PIN);
  }

  /** True when a new dial leads to the menu. */
  async reachesMenu(): Promise<boolean> {
    let now = this.#isChat ? await this.#goToMenu() : await this.#dial();
    for (let i = 0; i < 3 && /\.resume(Payment)?$|^language\.choose$/.test(now.screen.key); i++)
      now = await this.#type('2');
    return /^menu\.choose(?:Agent)?$/.test(now.screen.key);
  }

  async #send(incoming: Carded): Promise<Reply> {
    const { receive, listener } = this.#around;
    this.#last = incoming;
    this.#reply = undefined;
    const askedAt = listener?.now() ?? 0;
    listener?.asks(incoming.address);
    const reply = await receive(incoming);
    this.#reply = reply;
    listener?.hearsReply(incoming, reply, askedAt, this.phone);
    const missed = reply.missed.map(({ screen }) => screen);
    const keys = [...missed, reply.screen.notice, reply.screen].flatMap((each) => each?.key ?? []);
    this.seen.push(...keys);
    if (this.#believed(keys).some((key) => key.startsWith(`${this.errand.kind}.`) && STANDINGS.test(key)))
      this.content = true;
    return reply;
  }

  /** A customer who insists believes only sentences about the payment just made. A reference that has ended can be no other one. */
  #believed(keys: readonly string[]): readonly string[] {
    if (!this.#manners.insists) return keys;
    return [...(this.#hasPaid ? keys.slice(-1) : []), ...keys.filter((key) => REFERENCE_ENDED.test(key))];
  }

  #input(inputs: Input[]): Incoming {
    const place = this.#isChat ? { language: 'en' as const } : { dialog: this.#dialog };
    return { address: this.address, id: randomUUID(), ...place, inputs };
  }

  #type(text: string): Promise<Reply> {
    this.typed.push(text);
    return this.#send(this.#input([{ type: 'said', text }]));
  }

  /** A new dial. A chat is opened, and goes to its menu when there is nothing left to do. */
  async #dial(): Promise<Reply> {
    this.#dialog = randomUUID();
    if (!this.#isChat) return this.#send(this.#input([]));
    const opened = await this.#send(this.#input([{ type: 'opened' }]));
    // A list that lacks it is read again.
    const lacksIt = isMissing(deedOn(this.errand, opened.screen), opened.screen);
    const isOver = opened.rests || opened.screen.expects === 'nothing' || lacksIt;
    return isOver && this.#answerTo(opened) === undefined && !this.content ? this.#goToMenu() : opened;
  }

  #goToMenu(): Promise<Reply> {
    return this.#send(this.#input([{ type: 'went', to: 'menu' }]));
  }

  /** The answer to a screen. Undefined: there is nothing to do but wait. */
  #answerTo({ screen }: Reply): Deed | undefined {
    const { key, notice } = screen;
    const { kind } = this.errand;
    // A reference is executed once.
    if (notice?.key === 'problem.90122' || notice?.key === 'agent-cash-out.used') {
      this.content = true;
      return undefined;
    }
    // USSD asks it only beside the same voucher. This customer meant that one.
    if (!this.#isChat && /^voucher\.chooseFor/.test(key)) return { choice: 'me' };
    const deed = deedOn(this.errand, screen);
    if (deed === 'pin') this.#hasPaid = true;
    // A list goes on, and one that could not be read whole does not offer it.
    if (isMissing(deed, screen)) return isMissing(MORE, screen) ? undefined : MORE;
    if (deed !== undefined) return deed;
    switch (key) {
      case `${kind}.resume`:
      case `${kind}.resumePayment`:
      case 'card-payments.resume':
      case 'pin.lapsed':
      case 'card-cash-in.resumeLink':
      case 'card-cash-in.lapsed':
        return { choice: 'continue' };
      case `${kind}.confirmAgain`:
        this.content = true;
        return { choice: 'cancel' };
      default:
        if (NOTHING_LEFT.has(key)) this.content = true;
        return undefined;
    }
  }

  /** Goes on at the bank, where an answer leads there. */
  async #follow(answer: Reply): Promise<Reply> {
    const { key, notice, link } = answer.screen;
    if (link !== undefined) await this.#around.bank?.(link);
    if (`${notice?.key} ${key}`.includes('.unavailable')) await this.#around.pauses?.();
    return answer;
  }

  #do(deed: Deed, { screen, screenId }: Reply): Promise<Reply> {
    if (deed === 'pin') return this.#type(PIN);
    if (deed === 'card')
      return this.#send({ ...this.#input([{ type: 'carded' }]), screenId, typedCard: CARD });
    if (typeof deed === 'string') return this.#type(deed);
    return this.#isChat
      ? this.#send({ ...this.#input([{ type: 'chose', choice: deed.choice }]), screenId })
      : this.#type(numberOf(screen.choices, deed.choice));
  }
}

const MORE = { choice: 'more' };

/** True where a choice is planned that is not offered. */
function isMissing(deed: Deed | undefined, { choices }: Reply['screen']): boolean {
  return typeof deed === 'object' && numberOf(choices, deed.choice) === '0';
}
