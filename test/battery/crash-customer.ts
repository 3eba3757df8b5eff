import { randomUUID } from 'node:crypto';
import type { Incoming, Raw, Reply } from '../../src/conversation/incoming.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';

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

/** Says a payment is on its way or done, each in its own words: the customer who believes it does not pay again. */
const STANDINGS = new Set(
  ['processing', 'notConfirmed', 'done', 'failed', 'reversed', 'notFound', 'human'].map(
    (each) => `transfer.${each}`,
  ),
);

/**
 * A customer at a phone who wants one payment to be made, and answers whatever is asked until it seems to be: tireless,
 * and without any knowledge of what goes on behind the screen.
 */
export function createPayer(
  who: { readonly phone: Msisdn; readonly to: Msisdn; readonly amount: string } & Manners,
  receive: (incoming: Incoming) => Promise<Reply>,
) {
  const { phone, to, amount, repeats, insists } = who;
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
    const got = await receive(incoming);
    reply = got;
    const said = [...got.missed.map(({ screen }) => screen), got.screen.notice, got.screen].flatMap(
      (each) => each?.key ?? [],
    );
    seen.push(...said);
    // Someone who insists believes only what is said about the payment just made.
    const believed = insists ? (hasPaid ? [got.screen.key] : []) : said;
    if (believed.some((key) => STANDINGS.has(key))) content = true;
    return got;
  }

  const input = (inputs: Raw[]): Incoming => ({ address: `ussd:${phone}`, id: randomUUID(), dialog, inputs });
  const type = (text: string) => send(input([{ type: 'said', text }]));
  function dial(): Promise<Reply> {
    dialog = randomUUID();
    return send(input([]));
  }

  /** The answer to a screen; nothing where there is nothing to do but wait. */
  function answerTo({ screen }: Reply): string | undefined {
    const choose = (id: string) => String((screen.choices ?? []).findIndex((choice) => choice.id === id) + 1);
    switch (screen.key) {
      case 'language.choose':
        return choose('en');
      case 'menu.choose':
        return choose('transfer');
      case 'transfer.resume':
      case 'pin.lapsed':
        return choose('continue');
      case 'pay.unavailable':
        return choose('again');
      case 'transfer.askRecipient':
        return to;
      case 'transfer.askAmount':
        return amount;
      case 'transfer.confirm':
      case 'transfer.confirmOpenLoop':
        return choose('confirm');
      case 'transfer.confirmAgain':
        content = true;
        return choose('cancel');
      case 'transfer.askPin':
        hasPaid = true;
        return PIN;
      default:
        if (screen.notice?.key === 'pay.busy') content = true;
        return undefined;
    }
  }

  return {
    phone,
    to,
    amount: Number(amount) * 100,
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
      for (let i = 0; i < 3 && now.screen.key === 'transfer.resume'; i++) now = await type('2');
      return now.screen.key === 'menu.choose';
    },
  };
}
export type Payer = ReturnType<typeof createPayer>;
