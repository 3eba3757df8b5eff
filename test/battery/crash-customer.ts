import { randomUUID } from 'node:crypto';
import type { Incoming, Input, Reply } from '../../src/conversation/incoming.ts';
import type { PaymentKind } from '../../src/payments/payments.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { numberOf } from '../kit/number.ts';
import type { Listener } from './truth-listener.ts';

/** A customer of the sandbox has this PIN. */
export const PIN = '1234';
/** Asked for by the form of a bill; found nowhere else. */
export const BILL_PASSWORD = '90817263';
/** More answers than any conversation needs: the bot goes round in circles. */
const ANSWERS_MAX = 30;

/** What a customer does after a silence. */
export interface Manners {
  /** The gateway sends the last input again; else the customer dials anew. */
  readonly repeats: boolean;
  /** Pays again whatever is said about the first time, and stops only at a warning before the second one. */
  readonly insists: boolean;
}

/** What a customer wants to be done, and the answer to each screen of that conversation up to the confirmation. */
export interface Errand {
  readonly kind: ErrandKind;
  /** By the screen's key in the conversation, or the label of a form's field: what is typed there, or what is chosen. */
  readonly answers: Readonly<Record<string, string | { readonly choice: string }>>;
}

const choice = (id: string) => ({ choice: id });

/** The errand of each kind: `to` is a number, or the contract of a bill. */
export const ERRANDS = {
  transfer: (to: string): Errand => ({ kind: 'transfer', answers: { askRecipient: to, askAmount: '100' } }),
  'top-up': (to: string): Errand => ({
    kind: 'top-up',
    answers: {
      askNumber: to,
      chooseOperator: choice('1'),
      askAmount: '50',
      chooseProduct: choice('classic'),
    },
  }),
  'bill-payment': (contract: string): Errand => ({
    kind: 'bill-payment',
    // A creditor whose form asks for a number and a password.
    answers: {
      chooseCreditor: choice('1301'),
      "Numéro d'affiliation": contract,
      "Code d'accès": BILL_PASSWORD,
      reviewFor: choice('all'),
    },
  }),
  voucher: (to: string): Errand => ({
    kind: 'voucher',
    answers: {
      chooseBrand: choice('1'),
      chooseArticle: choice('article0'),
      chooseForValid: choice('gift'),
      askNumber: to,
      askName: 'Salma',
    },
  }),
  'merchant-payment': (to: string): Errand => ({
    kind: 'merchant-payment',
    answers: { askMerchant: to, askAmount: '100' },
  }),
  // Of the one payment that the merchant has received.
  'merchant-refund': (_to: string): Errand => ({
    kind: 'merchant-refund',
    answers: { list: '1', howMuch: choice('part'), askAmount: '100' },
  }),
  'bank-transfer': (rib: string): Errand => ({
    kind: 'bank-transfer',
    answers: { askRecipient: rib, askHolder: 'Karim', askAmount: '100' },
  }),
  'agent-cash-in': (reference: string): Errand => ({ kind: 'agent-cash-in', answers: { ask: reference } }),
  'agent-cash-out': (reference: string): Errand => ({ kind: 'agent-cash-out', answers: { ask: reference } }),
} satisfies Partial<Record<PaymentKind, (to: string) => object>>;
export type ErrandKind = keyof typeof ERRANDS;

/** School fees: a contract that does something special has other bills for each pupil, so that it can be paid again. */
export function schoolErrand(contract: string, pupil: string): Errand {
  return {
    kind: 'bill-payment',
    answers: {
      chooseCreditor: choice('1401'),
      "Code de l'élève": contract,
      "Nom de l'élève": pupil,
      offer: choice('skip'),
      reviewFor: choice('all'),
    },
  };
}

/** Who is paid says what kind of payment it is; vouchers stand under another entry. */
const BEGINS_AT: Readonly<Record<string, string>> = {
  'merchant-payment': 'transfer',
  'bank-transfer': 'transfer',
  voucher: 'shopping',
};

/** Says a payment is on its way or done, each in its own words: the customer who believes it does not pay again. */
const STANDINGS =
  /\.(processing|accepted|notConfirmed|done|doneSettled|doneStamped|doneWithoutCode|failed|reversed|notFound|human)$/;

/**
 * A customer at a phone who wants one errand to be done, and answers whatever is asked until it seems to be: tireless,
 * and without any knowledge of what goes on behind the screen.
 */
export function createPayer(
  who: { readonly phone: Msisdn; readonly errand: Errand } & Manners,
  receive: (incoming: Incoming) => Promise<Reply>,
  /** Hears everything that is answered. */
  listener?: Listener,
) {
  const { phone, errand, repeats, insists } = who;
  const { kind, answers } = errand;
  const seen: string[] = [];
  let dialog = '';
  let last: Incoming | undefined;
  let reply: Reply | undefined;
  let content = false;
  /** Has given the PIN, and was not left alone since. */
  let hasPaid = false;

  async function send(incoming: Incoming): Promise<Reply> {
    last = incoming;
    reply = undefined;
    const askedAt = listener?.now() ?? 0;
    const got = await receive(incoming);
    reply = got;
    listener?.hearsReply(incoming, got, askedAt, phone);
    const said = [...got.missed.map(({ screen }) => screen), got.screen.notice, got.screen].flatMap(
      (each) => each?.key ?? [],
    );
    seen.push(...said);
    // Someone who insists believes only what is said about the payment just made.
    const believed = insists ? (hasPaid ? [got.screen.key] : []) : said;
    if (believed.some((key) => STANDINGS.test(key))) content = true;
    return got;
  }

  const input = (inputs: Input[]): Incoming => ({
    address: `ussd:${phone}`,
    id: randomUUID(),
    dialog,
    inputs,
  });
  const type = (text: string) => send(input([{ type: 'said', text }]));
  function dial(): Promise<Reply> {
    dialog = randomUUID();
    return send(input([]));
  }

  /** The answer to a screen; nothing where there is nothing to do but wait. */
  function answerTo({ screen }: Reply): string | undefined {
    const choose = (id: string) => numberOf(screen.choices, id);
    const [conversation, name = ''] = screen.key.split('.');
    const label = screen.values?.label && 'text' in screen.values.label ? screen.values.label.text : name;
    // A reference is executed once.
    if (screen.notice?.key === 'problem.90122') {
      content = true;
      return undefined;
    }
    const planned = conversation === kind ? (answers[label] ?? answers[name]) : undefined;
    if (planned !== undefined) return typeof planned === 'string' ? planned : choose(planned.choice);
    switch (screen.key) {
      case 'language.choose':
        return choose('en');
      case 'menu.choose':
      case 'menu.chooseAgent':
        return choose(BEGINS_AT[kind] ?? kind);
      case 'shopping.choose':
        return choose(kind);
      case 'transfer.askRecipient':
        return kind === 'bank-transfer' ? String(answers.askRecipient) : choose('merchant');
      case `${kind}.resume`:
      case `${kind}.resumePayment`:
      case 'pin.lapsed':
        return choose('continue');
      case 'pay.unavailable':
        return choose('again');
      case `${kind}.confirmAgain`:
        content = true;
        return choose('cancel');
      // The bills of this contract are paid, or about to be.
      case 'bill-payment.nothingToPay':
        content = true;
        return undefined;
      case `${kind}.askPin`:
      case `${kind}.askPinOpenLoop`:
        hasPaid = true;
        return PIN;
      default:
        if (screen.notice?.key === 'pay.busy') content = true;
        return undefined;
    }
  }

  return {
    phone,
    errand,
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
        const answer = answerTo(now);
        if (answer === undefined) return;
        now = await type(answer);
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
      if (repeats && last) await send(last);
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

    /** True when a new dial leads to the menu: the conversation goes on. */
    async reachesMenu(): Promise<boolean> {
      let now = await dial();
      for (let i = 0; i < 3 && now.screen.key.startsWith(`${kind}.resume`); i++) now = await type('2');
      return /^menu\.choose(?:Agent)?$/.test(now.screen.key);
    },
  };
}
export type Payer = ReturnType<typeof createPayer>;
