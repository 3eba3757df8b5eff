import { describe, expect, test } from 'vitest';
import { TERMS_VERSION } from '../../machines/consent.ts';
import { createScribe, type TelegramScreen } from '../../src/channels/telegram/write.ts';
import { pageScreen } from '../../src/channels/web/page-screen.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import type { OperatorFacts } from '../../src/screen/operator-facts.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { STORES, theWorld } from '../kit/world.ts';

describe.each(STORES)('agreeing to the terms, on %s', (store) => {
  const world = theWorld({ store });

  test('a customer who declines is asked nothing, and may come back', async () => {
    const salma = world.stranger();
    await salma.arrives().sees('consent.ask').chooses('decline').sees('consent.declined');
    await salma.dials().sees('consent.ask').chooses('decline').says('Salma').sees('consent.ask');
    expect((await world.session(salma)).consent).toBeUndefined();
    expect(new Set(world.wallet.calls(salma.phone))).toEqual(new Set(['customerStatus']));
  });

  test.each(['oui je veux ouvrir un compte', 'I want to open an account'])(
    'who asks for a wallet before there is one is not told that it is open: %s',
    async (words) => {
      const salma = world.stranger({ channel: 'web' });
      await salma.arrives().sees('consent.ask').chooses('decline').sees('consent.declined');
      await salma.says(words).sees('consent.ask').isToldNothing();
    },
  );

  test('the accepted terms are recorded with the moment', async () => {
    const salma = world.stranger({ channel: 'web' });
    const before = world.clock.now();
    await salma.arrives().sees('consent.ask').chooses('agree').sees('onboarding.askFirstName');
    const { consent } = await world.session(salma);
    expect(consent?.version).toBe(TERMS_VERSION);
    expect(consent?.at).toBeGreaterThanOrEqual(before);
  });

  test('the language can be changed before the agreement, and is not asked for again', async () => {
    const salma = world.stranger({ language: 'fr' });
    await salma.arrives().sees('consent.ask').chooses('language').sees('language.choose').chooses('ar');
    await salma.sees('consent.ask');
    expect(salma.reply().language).toBe('ar');
    await salma.dials().sees('consent.ask').chooses('agree').sees('onboarding.askFirstName');
    expect(salma.reply().language).toBe('ar');
  });

  test('back leads to the languages, and the way to the menu asks again', async () => {
    const salma = world.stranger({ language: 'ar' }).arrives().sees('consent.ask').goes('menu');
    await salma.sees('consent.ask').goes('back').sees('language.choose').goes('back').sees('consent.ask');
  });

  test('a dial that was learnt for the menu does not agree', async () => {
    const salma = world.stranger({ language: 'ar' });
    await salma.arrives().sees('consent.ask').dials('1', '0655000000').sees('consent.ask');
    expect((await world.session(salma)).consent).toBeUndefined();
    await salma.dials('1').sees('consent.ask').dials('2').sees('consent.ask');
    await salma.chooses('agree');
  });

  test.each([
    ['ussd', ['ok', '4', '', 'j’acepte']],
    ['web', ['ok', 'OK !', 'oki', 'sure', 'safi', '4', 'j’acepte', 'je n accepte']],
  ] as const)('neither yes nor no is asked back, on %s', async (channel, answers) => {
    const salma = world.stranger({ channel });
    await salma.arrives().sees('consent.ask');
    for (const answer of answers) await salma.says(answer).sees('consent.ask').isTold('nav.chooseOne');
    expect((await world.session(salma)).consent).toBeUndefined();
  });

  test.each([
    ['كنوافق', 'web'],
    ['كنوافق', 'ussd'],
    ['نعم', 'ussd'],
  ] as const)('words that agree do: %s, on %s', async (words, channel) => {
    const salma = world.stranger({ channel, language: 'ar' });
    await salma.arrives().sees('consent.ask').says(words).sees('onboarding.askFirstName');
  });
});

describe('the link to the terms', () => {
  const world = theWorld();
  const [fr, ar] = ['https://wallet.example/conditions', 'https://wallet.example/ar'];
  const asked = async (language: Language) => {
    const salma = world.stranger({ channel: 'web', language });
    await salma.arrives().sees('consent.ask');
    return { screen: salma.reply().screen, language, screenId: 1 };
  };
  const buttons = (made: ReturnType<typeof createScribe>, shown: TelegramScreen) =>
    JSON.stringify(made.write(shown).markup);

  test.each<[Language, string, string | undefined]>([
    ['fr', "Lire les conditions d'utilisation", fr],
    ['ar', 'قراءة شروط الاستعمال', ar],
    ['en', 'Read the terms of use', undefined],
  ])(
    'is a button of the web chat and of Telegram in %s, where the operator has terms in it',
    async (language, label, url) => {
      const renderer = createRenderer(undefined, { terms: { fr, ar } });
      const shown = await asked(language);
      const page = await pageScreen(renderer, () => undefined, shown);
      expect(page.reads).toEqual(url && { label, url });
      const telegram = buttons(createScribe(renderer), shown);
      expect(telegram.includes(label)).toBe(url !== undefined);
      expect(telegram.includes('"url"')).toBe(url !== undefined);
      expect(page.choices).toHaveLength(3);
      // The address itself stands only where no button opens it.
      const texts = [page.text, ...createScribe(renderer).write(shown).parts];
      expect(texts.filter((text) => text.includes('https:'))).toEqual([]);
      if (url) expect(renderer.chat(shown.screen, language).text).toContain(url);
    },
  );

  test.each<[string, OperatorFacts, boolean]>([
    ['nothing is set', {}, false],
    ['the address is not https, which Telegram refuses', { terms: 'http://wallet.example/terms' }, true],
  ])('Telegram has none where %s', async (_, facts, isOnPage) => {
    const renderer = createRenderer(undefined, facts);
    const shown = await asked('fr');
    expect(buttons(createScribe(renderer), shown)).not.toContain('"url"');
    expect((await pageScreen(renderer, () => undefined, shown)).reads !== undefined).toBe(isOnPage);
  });

  test.each(LANGUAGES)('only the question for consent has it, in %s', (language) => {
    const renderer = createRenderer(undefined, { terms: fr });
    const screen = { key: 'consent.declined', expects: 'nothing' } as const;
    expect(renderer.chat(screen, language)).not.toHaveProperty('reads');
  });
});
