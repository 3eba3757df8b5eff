import { expect } from 'vitest';
import type { Address, Language, Push, Reply } from '../../../src/conversation/incoming.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { PIN } from '../../kit/world.ts';
import type { Message } from './chats.ts';
import { buttonsOf, createPerson, type Person } from './person.ts';
import type { BotStage } from './stage.ts';

type Values = Readonly<Record<string, unknown>>;
type Screen = Reply['screen'];

/**
 * A customer in a chat of the real bot, with the words of `test/kit/customer.ts`. What they see is what stands in the
 * chat: `sees` compares it with the sentence that the screen has in their language.
 */
export interface BotCustomer extends PromiseLike<void> {
  readonly phone: Msisdn;
  readonly address: Address;
  readonly person: Person;
  opens(payload?: string): BotCustomer;
  says(text: string): BotCustomer;
  chooses(id: string): BotCustomer;
  /** Taps the PIN on the keypad on show. */
  enters(pin?: string): BotCustomer;
  goes(to: 'back' | 'menu' | 'help'): BotCustomer;
  sharesNumber(): BotCustomer;
  sees(key: string, values?: Values): BotCustomer;
  isTold(key: string): BotCustomer;
  hears(key: string, values?: Values): BotCustomer;
  entersCodeFromSms(): BotCustomer;
  isAtMenu(): BotCustomer;
  repeats(): BotCustomer;
  meanwhile(work: () => unknown): BotCustomer;
}

export function createBotCustomer(
  { api, world, replies, pushes }: BotStage,
  phone: Msisdn,
  language: Language = 'fr',
): BotCustomer {
  const person = createPerson(api, { language });
  const address: Address = `telegram:${person.id}`;
  let queue: Promise<void> = Promise.resolve();
  const reply = () => replies.get(address) ?? fail('the customer has not seen anything yet');
  const written = (screen: Screen, spoken: Language) =>
    world.renderer.chat(screen, spoken).text.replace(/[\ue000\ue001]/g, '');
  const shows = (screen: Screen, spoken: Language, message: Message) =>
    message.text.includes(written(screen, spoken));

  const then = (work: () => unknown) => {
    const { stack } = new Error('said here');
    queue = queue.then(async () => {
      try {
        await work();
      } catch (error) {
        if (error instanceof Error && stack)
          error.stack = `${error.message}\n${stack.split('\n').slice(2).join('\n')}`;
        throw error;
      }
    });
    return customer;
  };

  const label = (id: string) => {
    const { screen, language: spoken } = reply();
    const index = screen.choices?.findIndex((choice) => choice.id === id) ?? -1;
    return (
      world.renderer.chat(screen, spoken).choices[index]?.label ?? fail(`no choice ${id} on ${screen.key}`)
    );
  };

  async function presses(text: string): Promise<void> {
    // A long list: the choice may be on a later page.
    while (!buttonsOf(person.screen()).some((button) => button.text === text)) {
      await person.presses(({ callback_data: data }) => data?.startsWith('p:') ?? false);
    }
    await person.presses(text, person.screen());
  }

  async function taps(pin: string): Promise<void> {
    for (const digit of pin) {
      const keypad = person.menus().at(-1) ?? fail('no keypad');
      await person.presses(
        ({ text, callback_data: data }) => text === digit && data?.startsWith('k:') === true,
        keypad,
      );
    }
  }

  const customer: BotCustomer = {
    phone,
    address,
    person,
    opens: (payload) => then(() => person.says(payload ? `/start ${payload}` : '/start')),
    says: (text) => then(() => person.says(text)),
    chooses: (id) => then(() => presses(label(id))),
    enters: (pin = PIN) => then(() => taps(pin)),
    goes: (to) => then(() => person.presses(world.renderer.chat(nav(to), reply().language).text)),
    sharesNumber: () => then(() => person.sharesContact(phone.slice(1))),
    sees: (key, values) =>
      then(() => {
        const { screen, language: spoken } = reply();
        expect(screen.key).toBe(key);
        if (values) expect(flat(screen.values)).toMatchObject(values);
        const { text } = screenOf(person);
        expect(text).toContain(written(screen, spoken));
        expect(person.menus().length, 'chats have one menu').toBeLessThanOrEqual(1);
      }),
    isTold: (key) =>
      then(() => {
        const { screen } = reply();
        expect(screen.notice?.key).toBe(key);
      }),
    hears: (key, values) =>
      then(async () => {
        await world.rests();
        const all: readonly Push[] = pushes.get(address) ?? [];
        const push = all.findLast(({ screen }) => screen.key === key);
        expect(push ? key : all.map(({ screen }) => screen.key)).toBe(key);
        if (!push) return;
        if (values) expect(flat(push.screen.values)).toMatchObject(values);
        expect(person.visible().some((message) => shows(push.screen, push.language, message))).toBe(true);
      }),
    entersCodeFromSms: () =>
      then(async () => {
        const code = /\d{3}-\d{3}/.exec(world.sms(phone).at(-1) ?? '')?.[0];
        expect(code, 'a code in the newest SMS').toBeDefined();
        await person.says(code ?? '');
      }),
    isAtMenu: () =>
      customer
        .opens()
        .sees('linking.askPhone')
        .sharesNumber()
        .sees('unlocking.askPin', { phone })
        .enters()
        .sees('menu.choose'),
    repeats: () => then(() => person.repeats()),
    meanwhile: (work) => then(work),
    // biome-ignore lint/suspicious/noThenProperty: awaiting the customer waits until everything said was answered.
    then: (resolve, reject) => queue.then(resolve, reject),
  };
  return customer;
}

function nav(to: string): Screen {
  return { key: `nav.${to}`, expects: 'nothing' };
}

/** The message that shows the screen: the one with buttons, else the newest. */
function screenOf(person: Person): Message {
  return person.menus().at(-1) ?? person.screen();
}

function flat(values: Readonly<Record<string, object>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Object.values(value)[0]]));
}

function fail(why: string): never {
  throw new Error(why);
}
