import { randomUUID } from 'node:crypto';
import { abilitiesOf, ownAddress } from '../../../src/conversation/channel.ts';
import type { Address, Incoming, Input, Reply } from '../../../src/conversation/incoming.ts';
import type { PaymentKind } from '../../../src/payments/payments.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { numberOf } from '../../kit/number.ts';
import { CARD, type Deed, deedOn, type Errand } from './kinds.ts';
import type { Listener } from './listener.ts';

/** A customer of the sandbox has this PIN. */
export const PIN = '1234';
/** More answers than any conversation needs: the bot goes round in circles. */
const ANSWERS_MAX = 30;

/** What a customer does after a silence. */
export interface Manners {
  /** The gateway sends the last input again; else the customer dials anew. */
  readonly repeats: boolean;
  /** Pays again whatever is said about the first time, and stops only at a warning before the second one. */
  readonly insists: boolean;
}

/** Who pays what, and from where: a chat that is linked to the wallet, or a phone where nothing is said. */
export interface Who<Kind extends string = PaymentKind> {
  readonly phone: Msisdn;
  readonly address?: Address;
  readonly errand: Errand<Kind>;
}

/** An input, with the card that is typed where it is one: it is put into the hands of the process that gets it. */
export interface Carded extends Omit<Incoming, 'card'> {
  readonly typedCard?: typeof CARD;
}

/** What was to be paid is paid, or about to be. */
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
]);
/** Says a payment is on its way or done, each in its own words: the customer who believes it does not pay again. */
const STANDINGS =
  /\.(processing|accepted|atBank|notConfirmed|done|doneSettled|doneStamped|doneWithoutCode|failed|reversed|notFound|human|reference|executed|expired)$/;

const REFERENCE_ENDED = /\.(executed|expired)$/;

/**
 * A customer at a phone who wants one errand to be done, and answers whatever is asked until it seems to be: tireless,
 * and without any knowledge of what goes on behind the screen.
 */
export function createPayer(
  who: Who<string> & Manners,
  receive: (incoming: Carded) => Promise<Reply>,
  /** Hears everything that is answered. */
  listener?: Listener,
  /** What is done where the answer leads to a bank's page. */
  bank: (link: string) => Promise<void> = async () => {},
) {
  const { phone, address = ownAddress(phone), errand, repeats, insists } = who;
  const isChat = abilitiesOf(address).shows === 'messages';
  const { kind } = errand;
  const seen: string[] = [];
  let dialog = '';
  let last: Carded | undefined;
  let reply: Reply | undefined;
  let content = false;
  /** Has given the PIN, and was not left alone since. */
  let hasPaid = false;

  async function send(incoming: Carded): Promise<Reply> {
    last = incoming;
    reply = undefined;
    const askedAt = listener?.now() ?? 0;
    listener?.asks(incoming.address);
    const got = await receive(incoming);
    reply = got;
    listener?.hearsReply(incoming, got, askedAt, phone);
    const said = [...got.missed.map(({ screen }) => screen), got.screen.notice, got.screen].flatMap(
      (each) => each?.key ?? [],
    );
    seen.push(...said);
    // Someone who insists believes only what is said about the payment just made. A reference that has ended can be no other one.
    const ended = said.filter((key) => REFERENCE_ENDED.test(key));
    const believed = insists ? [...(hasPaid ? [got.screen.key] : []), ...ended] : said;
    if (believed.some((key) => key.startsWith(`${kind}.`) && STANDINGS.test(key))) content = true;
    return got;
  }

  const input = (inputs: Input[]): Incoming => ({
    address,
    id: randomUUID(),
    ...(isChat ? { language: 'en' } : { dialog }),
    inputs,
  });
  const typed: string[] = [];
  const type = (text: string) => {
    typed.push(text);
    return send(input([{ type: 'said', text }]));
  };
  /** A new dial; a chat is opened, and its menu where nothing is left to do on what it shows. */
  async function dial(): Promise<Reply> {
    dialog = randomUUID();
    if (!isChat) return send(input([]));
    const opened = await send(input([{ type: 'opened' }]));
    const isOver = opened.rests || opened.screen.expects === 'nothing';
    return isOver && answerTo(opened) === undefined && !content ? goesToMenu() : opened;
  }
  const goesToMenu = () => send(input([{ type: 'went', to: 'menu' }]));
  const choose = (choice: string, { screen, screenId }: Reply) =>
    isChat
      ? send({ ...input([{ type: 'chose', choice }]), answers: screenId })
      : type(numberOf(screen.choices, choice));

  /** The answer to a screen; nothing where there is nothing to do but wait. */
  function answerTo({ screen }: Reply): Deed | undefined {
    const { key, notice } = screen;
    // A reference is executed once.
    if (notice?.key === 'problem.90122' || notice?.key === 'agent-cash-out.used') {
      content = true;
      return undefined;
    }
    const deed = deedOn(errand, screen);
    if (deed === 'pin') hasPaid = true;
    if (deed !== undefined) return deed;
    switch (key) {
      case `${kind}.resume`:
      case `${kind}.resumePayment`:
      case 'card-payments.resume':
      case 'pin.lapsed':
      case 'card-cash-in.lapsed':
        return { choice: 'continue' };
      case `${kind}.confirmAgain`:
        content = true;
        return { choice: 'cancel' };
      default:
        if (NOTHING_LEFT.has(key) || notice?.key === 'pay.busy') content = true;
        return undefined;
    }
  }

  /** Goes on at their bank, where an answer leads there. */
  async function followed(answer: Reply): Promise<Reply> {
    if (answer.screen.link !== undefined) await bank(answer.screen.link);
    return answer;
  }

  function does(deed: Deed, now: Reply): Promise<Reply> {
    if (deed === 'pin') return type(PIN);
    if (deed === 'card')
      return send({ ...input([{ type: 'carded' }]), answers: now.screenId, typedCard: CARD });
    return typeof deed === 'string' ? type(deed) : choose(deed.choice, now);
  }

  return {
    phone,
    address,
    errand,
    /** Everything that was typed. */
    typed,
    /** Keys of everything that was said on this phone's screen, oldest first. */
    seen,
    get content() {
      return content;
    },

    /** Answers until the payment seems made, or until there is nothing to answer. */
    async pays(): Promise<void> {
      if (content) return;
      let now = reply && reply.screen.expects !== 'nothing' ? reply : await dial();
      for (let i = 0; i < ANSWERS_MAX; i++) {
        const deed = answerTo(now);
        if (deed === undefined) return;
        now = await followed(await does(deed, now));
        if (content) return;
      }
      throw new Error(`the customer goes round in circles: ${seen.slice(-10).join(' ')}`);
    },

    /** Dials to see how it stands, and hangs up. */
    async looksIn(): Promise<void> {
      await dial();
      reply = undefined;
    },

    /** Nobody answered the last input. */
    async isLeftAlone(): Promise<void> {
      if (repeats && last) await followed(await send(last));
      else hasPaid = false;
    },

    /** Wants to make the same payment once more, whatever became of the first. */
    wantsAgain(): void {
      content = false;
      hasPaid = false;
      reply = undefined;
    },

    /** The gateway delivers the last PIN again, as an input of its own: whatever stands on the screen now gets it. */
    async typesPinAgain(): Promise<void> {
      await type(PIN);
    },

    /** True when a new dial leads to the menu: the conversation goes on, or begins with the language. */
    async reachesMenu(): Promise<boolean> {
      let now = isChat ? await goesToMenu() : await dial();
      for (let i = 0; i < 3 && /\.resume(Payment)?$|^language\.choose$/.test(now.screen.key); i++)
        now = await type('2');
      return /^menu\.choose(?:Agent)?$/.test(now.screen.key);
    },
  };
}
export type Payer = ReturnType<typeof createPayer>;
