import { describe, expect, test } from 'vitest';
import type { Expected, Screen, Sentence, Value } from '../../machines/kit/screen.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { plain } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { invented } from '../kit/invented.ts';
import { alone, money, phone, renderer } from './sample.ts';

const CONFIRM: Screen = {
  key: invented('sample.confirm'),
  values: { amount: money(123450), to: phone('0612345678'), fee: money(200) },
  expects: 'pin',
};
const choose = (...names: string[]): Screen => ({
  key: invented('sample.welcome'),
  choices: names.map((name) => ({ id: name, key: invented(`sample.${name}`) })),
  expects: 'choice',
});
const chat = (sentence: Sentence, language: Language) => renderer.chat(alone(sentence), language).text;
const ussd = (sentence: Sentence, language: Language) => renderer.ussd(alone(sentence), language, 0).text;

describe('a chat', () => {
  test('French: amounts do not break', () => {
    expect(renderer.chat(CONFIRM, 'fr')).toMatchObject({
      text: 'Envoyer 1\u00a0234,50\u00a0DH au 06\u00a012\u00a034\u00a056\u00a078\u00a0?\nFrais 2,00\u00a0DH.',
      choices: [],
      direction: 'ltr',
    });
  });

  test('Arabic: everything that reads from the left is isolated', () => {
    expect(renderer.chat(CONFIRM, 'ar')).toMatchObject({
      text: 'إرسال \u20661\u00a0234,50\u2069\u00a0درهم إلى \u206606\u00a012\u00a034\u00a056\u00a078\u2069\nالرسوم \u20662,00\u2069\u00a0درهم',
      choices: [],
      direction: 'rtl',
    });
  });

  test('choices keep their ids, and a Latin label in Arabic starts from the right', () => {
    const { choices } = renderer.chat(choose('balance', 'french'), 'ar');
    expect(choices).toEqual([
      { id: 'balance', label: 'الرصيد' },
      { id: 'french', label: '\u200fFrançais' },
    ]);
  });

  test('an Arabic line that begins with a value begins with a right-to-left mark', () => {
    const text = chat(
      { key: invented('sample.receipt'), values: { code: { code: 'TX-1' }, at: { date: 0 } } },
      'ar',
    );
    expect(text).toMatch(/^المرجع \u2066TX-1\u2069\n\u200f\u206601\/01\/1970\u00a0\d\d:\d\d\u2069\n✅ تمت$/);
  });

  test('a notice stands above the sentence', () => {
    const screen: Screen = {
      ...choose(),
      notice: { key: invented('sample.tries'), values: { count: { count: 2 } } },
    };
    expect(renderer.chat(screen, 'en').text).toBe(
      'You have 2 tries left.\n\nWelcome. Choose what you would like to do.',
    );
  });

  test('a sentence inside a sentence', () => {
    const refused = { key: invented('sample.refused'), values: { why: { say: invented('sample.why') } } };
    expect(chat(refused, 'fr')).toBe('Refusé\u00a0: solde insuffisant');
    expect(chat(refused, 'ar')).toBe('مرفوضة: الرصيد غير كاف');
  });

  test.each([
    ['a right-to-left override', 'Ali\u202eDH 00,5'],
    ['an isolate never closed', '\u2066Ali\u2067'],
    ['a closing isolate', 'Ali\u2069\u2069 reçu'],
    ['an embedding', '\u202aAli\u202b\u202c'],
    ['marks', '\u200fAli\u200e\u061c'],
  ])('isolates stay balanced around a name with %s', (_, name) => {
    for (const language of LANGUAGES) {
      const text = chat(
        { key: invented('sample.received'), values: { from: { name }, amount: money(500) } },
        language,
      );
      expect(text.match(/[\u202a-\u202e\u2067\u200e\u061c]/)).toBeNull();
      expect(text.match(/[\u2066\u2068]/g)?.length).toBe(text.match(/\u2069/g)?.length);
      expect(text.replace(/[\u2066\u2068][^\u2066-\u2069]*\u2069/g, '')).not.toMatch(/[\u2066-\u2069]/);
    }
  });

  test('text in a name is never a placeholder', () => {
    const from = { name: '{{amount}}' };
    expect(
      plain(chat({ key: invented('sample.received'), values: { from, amount: money(500) } }, 'en')),
    ).toBe('{{amount}} sent you MAD 5.00.');
  });
});

describe('USSD', () => {
  test('French, with the shorter sentence and a way back', () => {
    expect(renderer.ussd(CONFIRM, 'fr', 0)).toMatchObject({
      text: 'Envoyer 1 234,50 DH au 0612345678 ?\nFrais 2,00 DH. Code PIN ?\n0 Retour\n00 Menu',
      page: 0,
      pages: 1,
      choices: 0,
      encoding: 'gsm7',
      units: 78,
      max: 160,
    });
  });

  test('Arabic: no isolates, no marks, no no-break spaces', () => {
    const { text, encoding, pages, max } = renderer.ussd(CONFIRM, 'ar', 0);
    expect(text).toBe('إرسال 1234,50 درهم إلى 0612345678\nالرسوم 2 درهم\n0 رجوع\n00 القائمة');
    expect({ encoding, pages, max }).toEqual({ encoding: 'ucs2', pages: 1, max: 70 });
  });

  test('French letters outside GSM-7 are written inside it, emoji are dropped', () => {
    expect(renderer.ussd(alone({ key: invented('sample.accents') }), 'fr', 0)).toMatchObject({
      text: 'Etre recu à l\'hotel "Çà et là" : oeuvre achevée...',
      encoding: 'gsm7',
    });
  });

  test('an Arabic name turns a French page into UCS-2, and it still fits', () => {
    const values = { from: { name: 'فاطمة الزهراء بنعبد الله' }, amount: money(123450) };
    const page = renderer.ussd(alone({ key: invented('sample.received'), values }), 'fr', 0);
    expect(page).toMatchObject({ encoding: 'ucs2', max: 70, pages: 1 });
    expect(page.units).toBeLessThanOrEqual(70);
  });

  const NAVIGATION: [Expected, string[]][] = [
    ['nothing', []],
    ['pin', ['0 Back', '00 Menu']],
    ['amount', ['0 Back', '00 Menu']],
    ['choice', ['0 Back', '00 Menu', '99 Help']],
  ];
  test.each(NAVIGATION)('expecting %s, the ways to move are shown', (expects, lines) => {
    const { text } = renderer.ussd({ key: invented('sample.welcome'), expects }, 'en', 0);
    expect(text.split('\n').slice(1)).toEqual(lines);
  });

  test.each<[string, Screen]>([
    [
      'an entry leads there',
      { key: 'menu.choose', choices: [{ id: 'help', key: 'menu.help' }], expects: 'choice' },
    ],
    [
      'it is help',
      { key: 'help.help', choices: [{ id: 'continue', key: 'help.continue' }], expects: 'choice' },
    ],
  ])('help is not offered twice: %s', (_, screen) => {
    expect(createRenderer().ussd(screen, 'en', 0).text).not.toMatch(/^99/m);
  });

  test('the menu is home: there is nothing to go back to', () => {
    const home: Screen = { key: 'menu.choose', choices: choose('balance').choices ?? [], expects: 'choice' };
    expect(renderer.ussd(home, 'fr', 0).text).toBe('Menu\n1 Solde\n99 Aide');
    expect(renderer.ussd({ ...home, expects: 'name' }, 'fr', 0).text).not.toContain('0');
  });

  test('a French question mark stays with its word when a page is cut', () => {
    const small = { septets: 40, ucs2: 35 };
    const pages = [0, 1].map(
      (page) => renderer.ussd(alone({ key: invented('sample.asked') }), 'fr', page, small).text,
    );
    expect(pages).toEqual(['Voulez-vous bien continuer,\n98 Suite', 'sur ? Répondez oui ou non.']);
  });

  test('choices are numbered', () => {
    const { text } = renderer.ussd(choose('balance', 'send', 'topUp'), 'fr', 0);
    expect(text).toBe(
      "Bienvenue ! Choisissez ce que vous souhaitez faire.\n1 Solde\n2 Envoyer de l'argent\n3 Recharge téléphonique\n0 Retour\n00 Menu\n99 Aide",
    );
  });

  test('in Arabic a menu takes two pages, the second reached by 98', () => {
    const menu = choose('balance', 'send', 'topUp', 'bills', 'balance', 'send', 'topUp', 'bills');
    const [first, second] = [0, 1].map((page) => renderer.ussd(menu, 'ar', page));
    expect(first?.pages).toBe(2);
    expect(first?.text).toMatch(/\n98 التالي/);
    expect(second?.text).toMatch(/8 أداء الفواتير/);
    expect(renderer.ussd(menu, 'ar', 2)).toMatchObject({ text: first?.text, page: first?.page });
    expect(renderer.ussd(menu, 'ar', 0, { septets: 182, ucs2: 80 }).max).toBe(80);
  });
});

describe('the line above a USSD screen', () => {
  const open: Sentence = {
    key: invented('sample.open'),
    values: { amount: money(200_00), to: phone('0612345678') },
  };
  const WHOLE = '200,00 DH envoyés au 0612345678 : pas encore confirmé. Ne refaites pas cet envoi.\n';
  const BRIEF = '200,00 DH au 0612345678 : pas confirmé.\n';
  const below = (times: number, more: Partial<Screen> = {}): Screen => ({
    ...alone({ key: invented('sample.refused'), values: { why: { name: 'x'.repeat(times) } } }),
    first: [open],
    ...more,
  });
  const text = (screen: Screen, before: readonly Screen[] = []) => {
    const { pages } = renderer.ussd(screen, 'fr', 0, undefined, before);
    return Array.from({ length: pages }, (_, i) => renderer.ussd(screen, 'fr', i, undefined, before).text);
  };
  const LINES: Screen = alone({ key: invented('sample.welcome') });

  test.each<[string, Screen, readonly Screen[], string, number]>([
    ['whole where all of it fits', below(20), [], WHOLE, 1],
    ['in fewer words where only they leave room', below(20), [LINES], BRIEF, 1],
    ['whole where fewer words make no fewer pages', below(20), [LINES, LINES, LINES], WHOLE, 2],
    ['whole above what invites to try again', below(20, { invitesAgain: true }), [LINES], WHOLE, 2],
    ['each of several', below(20, { first: [open, open] }), [], BRIEF + BRIEF, 1],
  ])('is said %s', (_, screen, before, words, pages) => {
    const shown = text(screen, before);
    expect(shown).toHaveLength(pages);
    expect(shown[0]?.startsWith(words.trimEnd())).toBe(true);
  });

  test('a sentence without a short form is used as it is, and a chat uses the whole one', () => {
    const many = { key: invented('sample.tries'), values: { count: { count: 2 } } };
    expect(text(below(20, { first: [open, many] }), [LINES])[0]).toContain(`${BRIEF}2 essais\n`);
    expect(plain(renderer.chat(below(20), 'fr').text)).toMatch(/Ne refaites pas/);
  });
});

describe('SMS', () => {
  test.each([
    ['fr', 'Refusé : solde insuffisant', 'gsm7'],
    ['en', 'Refused: not enough money', 'gsm7'],
    ['ar', 'مرفوضة: الرصيد غير كاف', 'ucs2'],
  ] as const)('%s', (language, text, encoding) => {
    const screen = alone({
      key: invented('sample.refused'),
      values: { why: { say: invented('sample.why') } },
    });
    expect(renderer.sms(screen, language)).toEqual({ text, encoding, segments: 1 });
  });

  test('its own short sentence comes before the common one', () => {
    const screen = alone({ key: invented('sample.only'), values: { amount: money(123450) } });
    expect(renderer.sms(screen, 'fr').text).toBe('1 234,50 DH recus.');
    expect(renderer.ussd(screen, 'fr', 0).text).toBe('Vous avez recu 1 234,50 DH.');
  });
});

describe('plural forms', () => {
  const tries = (count: number) => ({ key: invented('sample.tries'), values: { count: { count } } });

  test.each([
    [0, 'لم تبق لكم أي محاولة.'],
    [1, 'تبقت لكم محاولة واحدة.'],
    [2, 'تبقت لكم محاولتان.'],
    [3, 'تبقت لكم 3 محاولات.'],
    [11, 'تبقت لكم 11 محاولة.'],
    [100, 'تبقت لكم 100 محاولة إضافية.'],
    [103, 'تبقت لكم 103 محاولات.'],
  ])('Arabic %d', (count, text) => {
    // Twice: the second time the form comes from memory.
    for (let i = 0; i < 2; i++) expect(chat(tries(count), 'ar')).toBe(text);
  });

  test.each([
    ['fr', 0, 'Il vous reste 0 essai.', '0 essai'],
    ['fr', 1, 'Il vous reste 1 essai.', '1 essai'],
    ['fr', 2, 'Il vous reste 2 essais.', '2 essais'],
    ['fr', 1000000, "Il vous reste 1 000 000 d'essais.", "1 000 000 d'essais"],
    ['en', 2, 'You have 2 tries left.', 'You have 2 tries left.'],
    ['en', 0, 'You have no tries left.', 'You have no tries left.'],
    ['en', 1, 'You have 1 try left.', 'You have 1 try left.'],
  ] as const)('%s %d', (language, count, inChat, onUssd) => {
    expect(plain(chat(tries(count), language))).toBe(inChat);
    expect(ussd(tries(count), language)).toBe(onUssd);
  });
});

describe('a missing sentence is an error and never shown', () => {
  test.each([
    ['a key', { key: invented('sample.nowhere') }, 'no sentence sample.nowhere in language fr'],
    ['a conversation', { key: invented('nowhere.confirm') }, 'no sentence nowhere.confirm in language fr'],
    ['a key without conversation', { key: invented('confirm') }, 'no sentence confirm in language fr'],
    ['a name every object has', { key: invented('sample.constructor') }, 'no sentence sample.constructor'],
    [
      'a value',
      { key: invented('sample.receipt'), values: { code: { code: 'A' } } },
      'sample.receipt in language fr lacks its value at',
    ],
    ['all values', { key: invented('sample.receipt') }, 'lacks its value code'],
    ['the count of a plural', { key: invented('sample.tries') }, 'no sentence sample.tries'],
    [
      'a sentence inside',
      { key: invented('sample.refused'), values: { why: { say: invented('sample.nobody') } } },
      'no sentence sample.nobody',
    ],
    ['a format', { key: invented('sample.formatted'), values: { amount: money(1) } }, 'not a placeholder'],
    ['nesting', { key: invented('sample.nested') }, 'not a placeholder'],
  ] as [string, Sentence, string][])('%s', (_, sentence, why) => {
    for (let i = 0; i < 2; i++) {
      expect(() => chat(sentence, 'fr')).toThrow(why);
      expect(() => ussd(sentence, 'fr')).toThrow(why);
      expect(() => renderer.sms(alone(sentence), 'fr')).toThrow(why);
    }
  });

  test('a sentence that only another language has', () => {
    expect(() => chat({ key: invented('sample.accents') }, 'en')).toThrow(
      'no sentence sample.accents in language en',
    );
  });

  test('a value of a kind unknown', () => {
    const strange = { amount: { euros: 1 } } as unknown as Record<string, Value>;
    expect(() => chat({ key: invented('sample.only'), values: strange }, 'fr')).toThrow();
  });
});
