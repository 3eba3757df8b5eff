import { expect } from 'vitest';
import type { Address, Input, Language, Navigation } from '../../../src/conversation/incoming.ts';
import type { Way } from '../../kit/customer.ts';
import type { World } from '../../kit/world.ts';
import { photoOf } from '../watched-chats.ts';
import { fitsTelegram } from './fits.ts';
import { buttonsOf, createPerson, type Person } from './person.ts';
import type { Button } from './rules.ts';
import type { WorldBot } from './stage.ts';

/** As many choices are shown on one page. */
const WHOLE_MAX = 10;

/** A way through the real bot. The customer sees the text of the chat, in the words of the renderer. */
interface BotWay extends Way {
  readonly person: Person;
}

export function botWay(
  world: Pick<World, 'renderer'>,
  bot: Pick<WorldBot, 'api' | 'wayOf'>,
  language: Language,
  at?: Address,
): BotWay {
  const person = createPerson(bot.api, { language, ...(at && { id: Number(at.slice('telegram:'.length)) }) });
  const address: Address = at ?? `telegram:${person.id}`;
  const { renderer } = world;
  const seen = bot.wayOf(address);
  const { reply } = seen;
  const menu = () => person.menus().at(-1) ?? person.screen();

  const hasButton = (is: (button: Button) => boolean) => buttonsOf(menu()).some(is);

  async function does(raw: Input | undefined): Promise<void> {
    switch (raw?.type) {
      case 'said':
        return person.says(raw.text);
      case 'opened':
        return person.says('/start');
      case 'picked':
        return picks(raw.position);
      case 'tapped':
        return taps(raw.position);
      case 'went':
        return goes(raw.to);
      case 'contact':
        return person.sharesContact(raw.phone.slice(1));
      case 'photo':
        return person.sendsPhoto(await photoOf(raw.qr));
      default:
        throw new Error(`nobody can do that in a chat with the bot: ${raw?.type}`);
    }
  }

  async function picks(position: number): Promise<void> {
    const { screen, screenId = 0, language: spoken = language } = reply() ?? {};
    const is = carries(`c:${screenId}:${position}`);
    // A long list: the choice may be on a later page.
    for (let page = 1; !hasButton(is); page++) await person.presses(carries(`p:${screenId}:${page}`), menu());
    const label = screen && renderer.chat(screen, spoken).choices[position]?.label;
    expect(buttonsOf(menu()).find(is)?.text).toBe(label);
    await person.presses(is, menu());
  }

  /** The key that reads so, wherever it stands. */
  async function taps(position: number | 'erase'): Promise<void> {
    const label = position === 'erase' ? '⌫' : String(reply()?.keypad?.keys[position]);
    await person.presses((button) => isKey(button) && button.text === label, menu());
  }

  /** By its button, where there is one. */
  async function goes(to: Navigation): Promise<void> {
    // These have a command and no button.
    if (to === 'language' || to === 'cancel') return person.says(`/${to}`);
    const label = renderer.chat({ key: `nav.${to}`, expects: 'nothing' }, reply()?.language ?? language).text;
    const is = ({ text, callback_data: data }: Button) => /^[nr]:/.test(data ?? '') && text === label;
    if (hasButton(is)) await person.presses(is, menu());
    else await person.says(`/${to}`);
  }

  return {
    ...seen,
    channel: 'telegram',
    person,
    does: ([raw]) => does(raw),
    repeats: () => person.repeats(),
    fits: ({ screen }, spoken) => fitsTelegram(renderer, screen, spoken),
    shows(shown) {
      expect(person.menus().length, 'a chat has one menu').toBeLessThanOrEqual(1);
      const { text, choices } = renderer.chat(shown.screen, shown.language);
      const written = text.replace(/[\ue000\ue001]/g, '');
      if (!('page' in shown)) {
        const texts = person.visible().map((message) => message.text);
        expect(texts).toContainEqual(expect.stringContaining(written));
        return;
      }
      expect(menu().text).toContain(written);
      expect(hasButton(isKey), 'a keypad').toBe(shown.keypad !== undefined);
      if (choices.length > WHOLE_MAX) return;
      const labels = buttonsOf(menu()).map((button) => button.text);
      expect(labels).toEqual(expect.arrayContaining(choices.map(({ label }) => label)));
    },
  };
}

/** The Bot API refused nothing, every press was answered, and nothing was worth a line in the log. */
export function expectNoTrouble({ api, log }: Pick<WorldBot, 'api' | 'log'>): void {
  expect(api.broken(), 'requests that the Bot API refuses').toEqual([]);
  expect(api.unanswered(), 'presses without an answer').toEqual([]);
  expect(log.lines).toEqual([]);
}

const carries = (data: string) => (button: Button) => button.callback_data === data;
const isKey = (button: Button) => button.callback_data?.startsWith('k:') === true;
