import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { abilitiesOf } from '../../src/conversation/channel.ts';
import {
  type Address,
  type ChannelName,
  type Input,
  LANGUAGES,
  type Language,
  type Origin,
  type Push,
  type Reply,
} from '../../src/conversation/incoming.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { typed } from './engine-way.ts';
import { numberOf } from './number.ts';
import { PIN, type World } from './world.ts';

/**
 * A person at a phone or a chat, who says things and sees things. Calls are queued: `await fatima.says('1').sees('…')`
 * does one after the other. Every screen and message seen is also rendered for the channel in all languages, so
 * that a missing sentence or value fails in whichever language the test runs.
 */
export interface Customer extends PromiseLike<void> {
  readonly phone: Msisdn;
  readonly address: Address;
  /** Chosen on arrival. */
  readonly language: Language;
  /** On USSD: `dials('1', '0612345678')` is a deep dial, `*123*1*0612345678#`. */
  dials(...answers: string[]): Customer;
  /** `payload`: of a deep link to the bot. */
  opens(payload?: string): Customer;
  says(text: string): Customer;
  /** A choice by its id, or its place from 0, as a button in a chat or as its number on USSD. */
  chooses(id: string | number): Customer;
  enters(pin?: string): Customer;
  /** Sends a photo, of which the channel could read this QR code, or none. */
  photographs(qr?: string): Customer;
  /** Sends lines of a table, where its channel can. */
  sendsTable(): Customer;
  /** Sends a file, which the channel keeps and calls so. */
  sendsFile(name: string): Customer;
  /** Picks a language outside the conversation, on the page. */
  speaks(language: Language): Customer;
  goes(to: 'back' | 'menu' | 'cancel' | 'help' | 'language' | 'more'): Customer;
  /** The last input once more, as a gateway repeats it: it changes nothing and shows where the customer is. */
  repeats(): Customer;
  /** Lets something happen before everything that this customer does, from now on. */
  findsBeforeEachTurn(happening: () => Promise<void>): Customer;
  /** Writes from this network address, or through this gateway, from now on. */
  comesFrom(name: string, kind?: Origin['kind']): Customer;
  /**
   * Sets the time that this customer waits for an answer from now on. `sendingMs` is the limit while a payment is being
   * sent.
   */
  hasPatience(ms: number, sendingMs?: number): Customer;
  /** The screen on show, with some of its values: amounts in centimes, phones, texts. */
  sees(key: string, values?: Readonly<Record<string, unknown>>): Customer;
  /** The sentence above the screen, or what was missed. */
  isTold(key: string, values?: Readonly<Record<string, unknown>>): Customer;
  isToldNothing(): Customer;
  /** The choices on show, by their ids: these and no others. */
  offers(...ids: readonly string[]): Customer;
  offersNo(id: string): Customer;
  /** A message that Wasl sends on its own. */
  hears(key: string, values?: Readonly<Record<string, unknown>>): Customer;
  hearsNothing(): Customer;
  /** The one-time code of the newest SMS: as the SMS writes it, in a chat with all of the SMS around it. */
  entersCodeFromSms(): Customer;
  /** On Telegram: the button that shares the customer's own number. */
  sharesNumber(): Customer;
  /**
   * Has chosen the language and, in a chat, proven the number by our code or by sharing it. The next screen depends on
   * the wallet.
   */
  arrives(): Customer;
  /** Has arrived and, in a chat, linked the wallet by its PIN: stands at the menu. */
  isAtMenu(): Customer;
  /** Asks for an adviser, and gives no reason. */
  asksForAdviser(): Customer;
  /** Lets so much time pass, and all that is due in it happens. */
  after(ms: number): Customer;
  /** Any action of the test in between. */
  meanwhile(work: () => unknown): Customer;
  /** Does what a path says, and is the customer again: for paths that tests share. */
  walks(path: (customer: Customer) => unknown): Customer;
  readonly reply: () => Reply;
}

/**
 * How a customer reaches Wasl: straight to the engine as its channel would (`engine-way.ts`), or through the real bot and a
 * Bot API server (`test/channels/bot-api/way.ts`).
 */
export interface Way {
  readonly channel: ChannelName;
  readonly address: Address;
  /** Does it, and waits for what comes of it. `dialog`: the call on the phone. */
  does(inputs: readonly Input[], dialog?: string): Promise<void>;
  /** Brings the last input once more. */
  repeats(): Promise<void>;
  /** The current screen, once there is one. */
  reply(): Reply | undefined;
  /** The origin of every input from now on. Absent where the channel does not know it. */
  comesFrom?(origin: Origin): void;
  /** Sets the time to wait for an answer from now on. `sendingMs` is the limit while a payment is being sent. */
  waits(ms: number, sendingMs?: number): void;
  /** The unread messages that Wasl has sent on its own. */
  waiting(): Promise<readonly Push[]>;
  saw(push: Push): Promise<void>;
  /** Fails where the customer could not be shown this in a language. */
  fits(shown: Reply | Push, language: Language): void;
  /** Fails unless it can be seen there now. */
  shows(shown: Reply | Push): void;
}

/** The PIN that a customer chooses for a new one, and types from then on. */
export const CHOSEN_PIN = '5937';

export function createCustomer(world: World, phone: Msisdn, language: Language, way: Way): Customer {
  let queue: Promise<void> = Promise.resolve();
  const then: Then = (work) => {
    // Its stack is written out only for a failure: that takes longer than most of what is said.
    const said = new Error('said here');
    queue = queue.then(async () => {
      try {
        await work();
      } catch (error) {
        // The place in the test is worth more than the place in this file.
        if (error instanceof Error)
          error.stack = `${error.message}\n${said.stack?.split('\n').slice(2).join('\n')}`;
        throw error;
      }
    });
    return customer;
  };
  const hand = handOf(world, way);
  const customer: Customer = {
    ...{ phone, address: way.address, language, reply: hand.seen },
    ...inputsOf(world, phone, way, hand, then),
    ...sightsOf(world, way, hand, then),
    after: (ms) => then(() => world.passes(ms)),
    walks: (path) => {
      path(customer);
      return customer;
    },
    arrives: () => {
      if (way.channel === 'ussd') return customer.dials().sees('language.choose').chooses(language);
      const asked = customer.opens().sees('linking.askPhone');
      return abilitiesOf(way.address).provesNumberBy.includes('contact')
        ? asked.sharesNumber()
        : asked.says(phone).sees('linking.askCode', { phone }).entersCodeFromSms();
    },
    isAtMenu: () => {
      const there = customer.arrives();
      const home = way.channel === 'ussd' ? there : there.sees('unlocking.askPin', { phone }).enters();
      // An agent has a menu of their own.
      return home.meanwhile(() => expect(hand.seen().screen.key).toMatch(/^menu\.choose(?:Agent)?$/));
    },
    asksForAdviser: () => customer.goes('help').chooses('adviser'),
    meanwhile: then,
    // biome-ignore lint/suspicious/noThenProperty: awaiting the customer waits until everything said was answered.
    then: (resolve, reject) => queue.then(resolve, reject),
  };
  return customer;
}

/** Queues some work of the customer, and returns the customer. */
type Then = (work: () => unknown) => Customer;
type Hand = ReturnType<typeof handOf>;

/** The hand on the phone or the chat: it sends inputs, turns pages and taps keys. */
function handOf(world: World, way: Way) {
  const { channel } = way;
  const call = { dialog: undefined as string | undefined, happening: async () => {} };
  const seen = () => {
    const reply = way.reply();
    if (!reply) throw new Error('the customer has not seen anything yet');
    return reply;
  };
  async function does(work: () => Promise<void>): Promise<void> {
    await call.happening();
    await work();
    for (const spoken of LANGUAGES) way.fits(seen(), spoken);
  }
  const send = (...inputs: readonly Input[]) => does(() => way.does(inputs, call.dialog));

  /** On USSD: turns pages until a choice is shown, or the last one for a PIN, as the customer must. */
  async function readsOn(id?: string): Promise<void> {
    if (channel !== 'ussd') return;
    for (;;) {
      const { page, pages, choices } = pageOf(world.renderer, seen());
      const place =
        id === undefined ? undefined : seen().screen.choices?.findIndex((choice) => choice.id === id);
      if (page === pages - 1 || (place !== undefined && place < choices)) return;
      await send({ type: 'said', text: '98' });
    }
  }
  async function presses(id: string): Promise<void> {
    await readsOn(id);
    const position = seen().screen.choices?.findIndex((choice) => choice.id === id) ?? -1;
    expect(position, `choice ${id} on ${seen().screen.key}`).toBeGreaterThanOrEqual(0);
    if (channel === 'ussd') return send({ type: 'said', text: numberOf(seen().screen.choices, id) });
    return send(channel === 'web' ? { type: 'chose', choice: id } : { type: 'picked', position });
  }
  /** Finds each digit of a PIN on this prompt's keypad. Other texts cannot be tapped, and are typed. */
  async function taps(pin: string): Promise<void> {
    if (!/^\d{4}$/.test(pin)) return send({ type: 'said', text: pin });
    const keys = seen().keypad?.keys ?? [];
    for (const digit of pin) await send({ type: 'tapped', position: keys.indexOf(Number(digit)) });
  }
  return { call, seen, does, send, readsOn, presses, taps };
}

type Inputs = 'dials' | 'opens' | 'says' | 'chooses' | 'enters' | 'photographs' | 'sendsTable' | 'sendsFile';
type Manners = 'speaks' | 'goes' | 'repeats' | 'findsBeforeEachTurn' | 'comesFrom' | 'hasPatience';
type Proofs = 'entersCodeFromSms' | 'sharesNumber';

function inputsOf(
  world: World,
  phone: Msisdn,
  way: Way,
  { call, seen, does, send, readsOn, presses, taps }: Hand,
  then: Then,
): Pick<Customer, Inputs | Manners | Proofs> {
  let own = PIN;
  return {
    dials: (...answers) =>
      then(() => {
        call.dialog = randomUUID();
        return send(...answers.map(typed));
      }),
    opens: (payload) =>
      then(() =>
        send(payload === undefined ? { type: 'opened' } : { type: 'said', text: `/start ${payload}` }),
      ),
    says: (text) => then(() => send(way.channel === 'ussd' ? typed(text) : { type: 'said', text })),
    chooses: (given) =>
      then(() => presses(typeof given === 'string' ? given : (seen().screen.choices?.[given]?.id ?? 'none'))),
    enters: (typed) =>
      then(async () => {
        if (seen().screen.expects === 'pin') await readsOn();
        // A demo PIN such as 1234 opens a wallet, and cannot be chosen for one.
        if (typed === undefined && seen().screen.expects === 'newPin') own = CHOSEN_PIN;
        const pin = typed ?? own;
        await (seen().keypad ? taps(pin) : send({ type: 'said', text: pin }));
      }),
    photographs: (qr) => then(() => send({ type: 'photo', ...(qr !== undefined && { qr }) })),
    sendsTable: () => then(() => send({ type: 'photo', table: true })),
    sendsFile: (file) => then(() => send({ type: 'photo', file })),
    speaks: (spoken) => then(() => send({ type: 'speaks', language: spoken })),
    goes: (to) => then(() => send({ type: 'went', to })),
    repeats: () => then(() => does(() => way.repeats())),
    findsBeforeEachTurn: (work) =>
      then(() => {
        call.happening = work;
      }),
    comesFrom: (name, kind = 'network') => then(() => way.comesFrom?.({ kind, name })),
    hasPatience: (ms, sendingMs) => then(() => way.waits(ms, sendingMs)),
    entersCodeFromSms: () =>
      then(async () => {
        const sms = world.sms(phone).at(-1) ?? '';
        const code = /\d{3}-\d{3}/.exec(sms)?.[0];
        expect(code, 'a code in the newest SMS').toBeDefined();
        // A phone types the code, while a chat pastes the whole SMS.
        await send({ type: 'said', text: way.channel === 'ussd' ? (code ?? '') : sms });
      }),
    sharesNumber: () => then(() => send({ type: 'contact', phone, own: true })),
  };
}

function sightsOf(
  world: World,
  way: Way,
  { seen }: Hand,
  then: Then,
): Pick<Customer, 'sees' | 'isTold' | 'isToldNothing' | 'offers' | 'offersNo' | 'hears' | 'hearsNothing'> {
  const offered = () => seen().screen.choices?.map(({ id }) => id) ?? [];
  return {
    sees: (key, values) =>
      then(() => {
        expect(seen().screen.key).toBe(key);
        if (values) expect(flat(seen().screen.values)).toMatchObject(values);
        way.shows(seen());
      }),
    isTold: (key, values) =>
      then(() => {
        const missed = seen().missed.flatMap(({ screen }) => [screen.notice, screen]);
        const told = [...(seen().screen.first ?? []), seen().screen.notice, ...missed].filter(
          (sentence) => sentence !== undefined,
        );
        const sentence = told.find((each) => each.key === key);
        expect(sentence ? key : told.map((each) => each.key)).toBe(key);
        if (values) expect(flat(sentence?.values)).toMatchObject(values);
        way.shows(seen());
      }),
    isToldNothing: () =>
      then(() => {
        const { screen, missed } = seen();
        const told = [...(screen.first ?? []), screen.notice, ...missed.map((notice) => notice.screen)];
        expect(told.map((sentence) => sentence?.key)).toEqual([undefined]);
      }),
    offers: (...ids) => then(() => expect(offered()).toEqual(ids)),
    offersNo: (id) => then(() => expect(offered()).not.toContain(id)),
    hears: (key, values) =>
      then(async () => {
        await world.rests();
        const waiting = await way.waiting();
        const push = waiting.find(({ screen }) => screen.key === key);
        expect(push ? key : waiting.map(({ screen }) => screen.key)).toBe(key);
        if (!push) return;
        if (values) expect(flat(push.screen.values)).toMatchObject(values);
        for (const spoken of LANGUAGES) way.fits(push, spoken);
        way.shows(push);
        await way.saw(push);
      }),
    hearsNothing: () =>
      then(async () => {
        await world.rests();
        expect((await way.waiting()).map(({ screen }) => screen.key)).toEqual([]);
      }),
  };
}

function flat(values: Readonly<Record<string, object>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Object.values(value)[0]]));
}
