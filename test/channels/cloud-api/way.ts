import { expect } from 'vitest';
import { SECRETS } from '../../../machines/kit/screen.ts';
import { createScribe, urlButton } from '../../../src/channels/whatsapp/write.ts';
import type {
  Address,
  Expected,
  Input,
  Language,
  Navigation,
  Push,
} from '../../../src/conversation/incoming.ts';
import type { Way } from '../../kit/customer.ts';
import type { World } from '../../kit/world.ts';
import { photoOf } from '../watched-chats.ts';
import { createPerson, type Person } from './person.ts';
import { buttonsOf, linkOf, readShown, textOf } from './rules.ts';
import type { WorldWhatsApp } from './stage.ts';

/** The longest id that a screen will ever have. */
const SCREEN_ID = 999_999_999;

/** A way through the real channel. The customer sees the messages that the Cloud API was sent. */
interface WhatsAppWay extends Way {
  readonly person: Person;
}

export function whatsAppWay(
  world: Pick<World, 'renderer' | 'engine' | 'formsAt'>,
  whatsapp: WorldWhatsApp,
  language: Language,
  at?: Address,
): WhatsAppWay {
  const person = createPerson(whatsapp, at && { id: at.slice('whatsapp:'.length) });
  const address: Address = at ?? `whatsapp:${person.id}`;
  const { renderer } = world;
  const seen = whatsapp.wayOf(address);
  const { reply } = seen;

  async function does(raw: Input | undefined): Promise<unknown> {
    const { form, screen } = reply() ?? {};
    switch (raw?.type) {
      case 'said':
        // A secret is given on the page that the chat leads to. A code may be typed.
        if (form !== undefined && screen && isSecret(screen.expects, raw.text)) return fills(form, raw.text);
        return person.says(raw.text);
      case 'opened':
        return opens();
      case 'picked':
        return picks(raw.position);
      case 'went':
        return goes(raw.to);
      case 'contact':
        return person.sharesContact(raw.phone.slice(1));
      case 'photo':
        return person.sendsPhoto(await photoOf(raw.qr));
      case 'speaks':
        return person.says('/language');
      default:
        throw new Error(`nobody can do that in a chat of WhatsApp: ${raw?.type}`);
    }
  }

  /** WhatsApp tells no language: a new customer is asked first. */
  async function opens(): Promise<void> {
    await person.says('/menu');
    const { key, choices = [] } = reply()?.screen ?? {};
    if (key === 'language.choose') await picks(choices.findIndex(({ id }) => id === language));
  }

  async function fills(token: string, secret: string): Promise<void> {
    expect(linkOf(person.screen()), 'the link of the form').toContain(token);
    const answer = await fetch(`${world.formsAt}/${token}`, {
      method: 'POST',
      headers: { origin: new URL(world.formsAt).origin },
      body: new URLSearchParams({ secret }),
    });
    expect(answer.status, await answer.text()).toBe(200);
    // The next screen comes into the chat by itself.
    await world.engine.close();
    const isNext = ({ screenId, money }: Push) => screenId === reply()?.screenId && !money;
    const heard = (whatsapp.pushes.get(address) ?? []).filter((push) => !isNext(push));
    whatsapp.pushes.set(address, heard);
  }

  const has = (id: string) => buttonsOf(person.screen()).some((button) => button.id === id);
  const press = (id: string) => person.presses((button) => button.id === id);

  async function picks(position: number): Promise<void> {
    const { screenId = 0, screen, language: spoken = language } = reply() ?? {};
    const id = `c:${screenId}:${position}`;
    // A long list: the choice may be on a later page.
    for (let page = 1; !has(id) && has(`p:${screenId}:${page}`); page++) await press(`p:${screenId}:${page}`);
    if (has(id)) return press(id);
    // Beside the button of a form there is no other one.
    const label = screen && renderer.chat(screen, spoken).choices[position]?.label;
    await person.says(label ?? '');
  }

  async function goes(to: Navigation): Promise<void> {
    const at = ['back', 'menu', 'help'].indexOf(to);
    const id = `n:${reply()?.screenId}:${at}`;
    if (has(id)) return press(id);
    await person.says(`/${to}`);
  }

  return {
    ...seen,
    channel: 'whatsapp',
    person,
    does: async ([raw]) => void (await does(raw)),
    repeats: async () => void (await person.again()),
    saw: async (push) => {
      await seen.saw(push);
      const told = person.chat().findLast(({ about }) => about !== undefined);
      if (told) await whatsapp.api.status(told, 'read');
    },
    fits: ({ screen }, spoken) => fitsWhatsApp(renderer, screen, spoken),
    shows(shown) {
      const { text, marked = text } = renderer.chat(shown.screen, shown.language);
      const written = marked
        .replace(/[\ue000\ue001]/g, '')
        .replace(/[\ue002\ue003]/g, '*')
        .trim();
      const texts = person.chat().map((message) => textOf(message.shown));
      // A long text comes in several messages.
      expect(texts.join('\n').replaceAll(/\s+/g, ' ')).toContain(written.replaceAll(/\s+/g, ' '));
    },
  };
}

/** Other words than a PIN are written in the chat. */
function isSecret(expects: Expected, text: string): boolean {
  return SECRETS.has(expects) && expects !== 'otp' && (expects === 'password' || /^[\d٠-٩]{4}$/.test(text));
}

/** Holds every page of a screen to the rules of the Cloud API: throws what it would answer. */
function fitsWhatsApp(
  renderer: World['renderer'],
  screen: Parameters<World['renderer']['chat']>[0],
  language: Language,
): void {
  const scribe = createScribe({
    renderer,
    openForm: ({ form }, text) => urlButton(text, 'Page', `https://wasl.test/form/${form}`),
  });
  const pages = Math.ceil((screen.choices?.length ?? 0) / 4) || 1;
  const form = SECRETS.has(screen.expects) && { form: 'token' };
  for (let page = 0; page < pages; page++)
    for (const message of scribe.write({ screen, language, screenId: SCREEN_ID, page, ...form }))
      readShown(message);
  for (const message of scribe.write({ screen, language })) readShown(message);
}

/** The Cloud API refused nothing for its form, and nothing was worth a line in the log. */
export function expectNoTrouble({ api, log }: WorldWhatsApp): void {
  expect(api.broken, 'messages that the Cloud API refuses').toEqual([]);
  expect(log.lines).toEqual([]);
}
