import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { septets } from '../../src/screen/gsm7.ts';
import {
  type Content,
  checkedLimits,
  cutPage,
  type KnownPages,
  measured,
  type Page,
  USSD_LIMITS,
  type UssdLimits,
} from '../../src/screen/pages.ts';

const way = measured;
const NAV = { more: way('98 Suite'), hints: [way('0 Retour'), way('00 Menu'), way('99 Aide')] };
const ARABIC_NAV = { more: way('98 >'), hints: [way('0 <'), way('00 القائمة')] };
const screenOf = (body: string, choices: string[] = [], nav = NAV) => ({ body, choices, ...nav });

function allPages(content: Content, limits: UssdLimits = USSD_LIMITS): Page[] {
  const first = cutPage(content, 0, limits);
  return Array.from({ length: first.pages }, (_, i) => cutPage(content, i, limits));
}

describe('one page', () => {
  test.each([
    ['all hints where there is room', 150 - 28, '0 Retour\n00 Menu\n99 Aide'],
    ['two', 160 - 17, '0 Retour\n00 Menu'],
    ['one', 160 - 9, '0 Retour'],
    ['the shorter one, where only that fits', 160 - 8, '00 Menu'],
    ['none, and still one page', 160, ''],
  ])('hints: %s', (_, length, hints) => {
    const page = cutPage(screenOf('a'.repeat(length)), 0, USSD_LIMITS);
    expect(page.pages).toBe(1);
    expect(page.text).toBe('a'.repeat(length) + (hints && `\n${hints}`));
    expect(page).toMatchObject({ encoding: 'gsm7', max: 160, units: page.text.length });
  });

  test('exactly 70 Arabic letters are one page, 71 are two', () => {
    const word = 'س'.repeat(34);
    expect(allPages(screenOf(`${word} ${word}س`, [], ARABIC_NAV))).toHaveLength(1);
    expect(allPages(screenOf(`${word} ${word}سس`, [], ARABIC_NAV))).toHaveLength(2);
  });

  test('an extension character counts twice', () => {
    expect(allPages(screenOf(`${'a'.repeat(78)} ${'€'.repeat(40)}`))).toHaveLength(1);
    expect(allPages(screenOf(`${'a'.repeat(80)} ${'€'.repeat(40)}`))).toHaveLength(2);
  });

  test('limits are configurable, up to those of USSD', () => {
    expect(checkedLimits({ septets: 182, ucs2: 80 })).toEqual({ septets: 182, ucs2: 80 });
    expect(checkedLimits({ septets: 500, ucs2: 500 })).toEqual({ septets: 182, ucs2: 80 });
    expect(() => checkedLimits({ septets: 20, ucs2: 70 })).toThrow('too small');
    expect(() => checkedLimits({ septets: 160, ucs2: Number.NaN })).toThrow('too small');
  });
});

describe('several pages', () => {
  test('choices are numbered through, nine to a page at most', () => {
    const choices = Array.from({ length: 20 }, (_, i) => `${i + 1} x`);
    const pages = allPages(screenOf('Choix', choices));
    expect(pages.map(({ text }) => text.split('\n').filter((line) => line.endsWith(' x')).length)).toEqual([
      9, 9, 2,
    ]);
    expect(pages[0]?.text).toMatch(/^Choix\n1 x\n.*9 x\n98 Suite\n0 Retour\n00 Menu\n99 Aide$/s);
    expect(pages[2]?.text).toMatch(/^19 x\n20 x\n0 Retour/);
  });

  test('the last words come without the line that leads on, so they may fill the page', () => {
    const pages = allPages(screenOf(`${'a'.repeat(150)} ${'b'.repeat(160)}`));
    expect(pages.map(({ text }) => text)).toEqual([`${'a'.repeat(150)}\n98 Suite`, 'b'.repeat(160)]);
  });

  test('any page number wraps round', () => {
    const content = screenOf(`${'a'.repeat(150)} ${'b'.repeat(100)}`);
    expect([0, 1, 2, 3, -1, 7.5].map((wanted) => cutPage(content, wanted, USSD_LIMITS).page)).toEqual([
      0, 1, 0, 1, 1, 1,
    ]);
  });

  test('a known screen is cut like a new one, with any difference', () => {
    const known: KnownPages = new Map();
    const whole = ({ parts, endsInside, ...page }: Page) => ({
      ...page,
      ...parts(),
      shown: page.choices,
      isParted: endsInside(),
    });
    const [body, choices] = ['a'.repeat(150), ['1 b', '2 c']];
    const contents = [
      screenOf(body, choices),
      // The same letters, with no choice that keeps its line.
      screenOf([body, ...choices].join('\n')),
      screenOf(body, choices, ARABIC_NAV),
      screenOf(body, choices.toReversed()),
    ];
    const cuts = [USSD_LIMITS, { septets: 60, ucs2: 40 }].flatMap((limits) =>
      contents.map((content) => [content, limits] as const),
    );
    for (const _again of [1, 2])
      for (const [content, limits] of cuts)
        for (const page of [0, 1, 2])
          expect(whole(cutPage(content, page, limits, known))).toEqual(whole(cutPage(content, page, limits)));
    expect(known.size).toBe(cuts.length);
  });
});

describe('the end of a page in Arabic', () => {
  test.each([
    ['a sentence', 'أعيد المبلغ إليكم كاملا اليوم. لم يخصم أي مبلغ آخر من رصيدكم بعد ذلك أبدا.', /اليوم\.\n/],
    [
      'the words before a bracket',
      'الرمز السري مكون من 4 أرقام.\nإرسال 100 إلى 0600000021 (مؤسسة أخرى)\nرسوم 2 مجموع 102 درهم\nالرمز السري؟',
      /21\n98/,
    ],
    [
      'an amount that ends a sentence',
      'تمت تعبئة 0600000021 بمبلغ\u00a0200\u00a0درهم. يمكنكم الاطلاع على العملية في الكشف متى شئتم ذلك',
      /200 درهم\.\n/,
    ],
    ['a clause', 'رمز سري جديد في هذه الساعة، يمكنكم إرسال المال غدا ابتداء من الساعة نفسها', /الساعة،\n/],
  ])('it ends behind %s if that takes no more pages', (_, body, end) => {
    const pages = allPages(screenOf(body, [], ARABIC_NAV));
    expect(pages).toHaveLength(2);
    expect(pages[0]?.text).toMatch(end);
  });

  test.each([
    ['word', `${'كلمة '.repeat(13)}آخر كلماتنا`, [], /.+ .+\n0 </],
    [
      'choice',
      'محفظتكم موقوفة',
      ['1 إرسال المال', '2 أداء فاتورة', '3 تعبئة الهاتف', '4 كشف العمليات', '5 مساعدة'],
      /^4 .+\n5 /,
    ],
  ])('the last page is not one %s', (_, body, choices, end) => {
    const last = allPages(screenOf(body, choices, ARABIC_NAV)).at(-1);
    expect(last).toMatchObject({ page: 1, text: expect.stringMatching(end) });
  });
});

describe('a page that asks for a PIN', () => {
  test('the question for a PIN stands on no page without the line above it', () => {
    const body = 'SRM Rabat-Salé-Kénitra...\nفاتورتان\nرسوم 5 مجموع 2005,50 درهم\nالرمز السري؟';
    const firsts = (content: Content) => allPages(content).map(({ text }) => text.split('\n')[0]);
    expect(firsts({ ...screenOf(body, [], ARABIC_NAV), asksPin: 4 })[1]).toBe('رسوم 5 مجموع 2005,50 درهم');
    expect(firsts(screenOf(body, [], ARABIC_NAV))[1]).toBe('الرمز السري؟');
  });

  test('all that a PIN confirms stands on the page of its question, where it has room there', () => {
    const payment = 'إرسال 200 إلى 0600000002؟\nرسوم 2 مجموع 202 درهم\nالرمز السري؟';
    const body = `مستفيد جديد. إن استعجلكم أحد فارفضوا.\n${payment}`;
    const pages = allPages({ ...screenOf(body, [], ARABIC_NAV), asksPin: 3 });
    expect(pages.map(({ text, confirmsWhole }) => [text.split('\n')[0], confirmsWhole])).toEqual([
      ['مستفيد جديد. إن استعجلكم أحد فارفضوا.', true],
      ['إرسال 200 إلى 0600000002؟', true],
    ]);
    // A name of two words is not parted, also before a bracket.
    const named = `تاجر جديد. إن استعجلكم أحد فارفضوا.\n45,50 لـCafé Atlas (test)، 0600000011؟\n${payment}`;
    expect(allPages({ ...screenOf(named, [], ARABIC_NAV), asksPin: 3 })[1]?.text).toContain('Atlas (test)');
  });
});

describe('the end of a page', () => {
  test('the name of a list stands on the page of its first choice, if that takes no more pages', () => {
    const body = 'لم يؤكد بعد إرسال 200 درهم إلى 0655000000.\nلا تعيدوا العملية.\nوصل';
    const choices = ['1 إرسال', '2 رصيد', '3 تعبئة'];
    const first = (content: Content) => allPages(content).map(({ text }) => text.split('\n')[0]);
    expect(first({ ...screenOf(body, choices, ARABIC_NAV), isList: true })[1]).toBe('وصل');
    // A question that is answered by typing stays where it is.
    expect(first(screenOf(body, choices, ARABIC_NAV))[1]).toBe('1 إرسال');
  });

  test('a question keeps its yes and its no, though the last choice is alone on the next page then', () => {
    const body = 'أداء 2000 لـRedal، Redal؟\nرسوم 5 مجموع 2005 درهم';
    const content = { ...screenOf(body, ['1 نعم', '2 لا', '3 اختيار الفواتير'], ARABIC_NAV), answers: 2 };
    expect(allPages(content).map(({ text }) => text.split('\n').slice(0, 4))).toEqual([
      [...body.split('\n'), '1 نعم', '2 لا'],
      ['3 اختيار الفواتير', '0 <', '00 القائمة'],
    ]);
  });

  test('words behind a colon stand on its page, if those before it are a sentence', () => {
    const body = 'أقصى رصيد: 4000 درهم (مستوى 2)، 20000 في المستوى 3.\nالمطلوب: البطاقة وصورة شخصية';
    expect(allPages(screenOf(body, [], ARABIC_NAV)).map(({ text }) => text.split('\n')[0])).toEqual(
      body.split('\n'),
    );
  });

  test('a line that announces the next one stands on its page, if that takes no more pages', () => {
    const body = 'أقصى رصيد: 1000 درهم (مستوى 1)، 4000 في المستوى 2.\nالمطلوب:\nبطاقة وطنية وصورة';
    expect(allPages(screenOf(body, [], ARABIC_NAV)).map(({ text }) => text.split('\n').slice(0, 2))).toEqual([
      ['أقصى رصيد: 1000 درهم (مستوى 1)، 4000 في المستوى 2.', '98 >'],
      ['المطلوب:', 'بطاقة وطنية وصورة'],
    ]);
  });

  test('a page ends at the end of a line if that takes no more pages', () => {
    const [line, last] = ['a'.repeat(100), 'b'.repeat(60)];
    const pages = allPages(screenOf(`${line}\nTotal 1 234,50 DH et ${last}`));
    expect(pages.map(({ text }) => text)).toEqual([
      `${line}\n98 Suite\n0 Retour\n00 Menu\n99 Aide`,
      `Total 1 234,50 DH et ${last}\n0 Retour\n00 Menu\n99 Aide`,
    ]);
  });

  test('it ends between words if a line end would take one more page', () => {
    const line = `${'mot '.repeat(74)}fin`;
    const pages = allPages(screenOf(`Titre\n${line}`));
    expect(pages).toHaveLength(2);
    expect(pages[0]?.text).toMatch(/^Titre\nmot (mot )+mot\n98 Suite/);
  });

  test('no value is parted from its label, which a no-break space holds', () => {
    const lines = [
      'أداء الفاتورة',
      'الرسوم\u00a00,00\u00a0درهم',
      'المجموع\u00a01202,00\u00a0درهم',
      'المرجع\u00a0123456789012',
    ];
    const pages = allPages(screenOf(lines.join('\n'), ['1 تأكيد', '2 إلغاء'], ARABIC_NAV));
    const shown = pages
      .map(({ text }) => text)
      .join('\n')
      .split('\n');
    for (const line of lines) expect(shown).toContain(line.replaceAll('\u00a0', ' '));
  });

  test.each([
    ['ar', 'لا تعيدوا العملية'],
    ['ar', 'ولا الوكلاء أيضا'],
    ['ar', 'عدم إعادة العملية'],
    ['en', 'not send'],
    ['en', 'never pay'],
  ])('no page ends between “do not” and its verb, in %s: %s', (_, forbidden) => {
    for (let words = 1; words < 60; words++) {
      const body = `${'a '.repeat(words)}${forbidden} ${'b '.repeat(60)}`.trim();
      const texts = allPages(screenOf(body)).map(({ text }) => text);
      expect(texts.filter((text) => text.includes(forbidden))).toHaveLength(1);
    }
  });

  test.each([
    ['mot ', '98 Suite', '0 Retour', 160],
    ['كلمة ', '98 >', '0 <', 70],
  ])(
    'every full page has the way back if that takes no more pages, in words like %s',
    (word, on, away, max) => {
      const nav = { more: way(on), hints: [way(away)] };
      const back = `\n${away}`.length;
      let shown = 0;
      for (let words = 20; words < 120; words++) {
        const body = `${word.repeat(words)}fin`;
        const pages = allPages(screenOf(body, [], nav));
        const least = allPages(screenOf(body, [], { ...nav, hints: [] }));
        expect(pages.length, 'it never makes another page').toBe(least.length);
        const smaller = { septets: max - back, ucs2: max - back };
        if (
          pages.length === 1 ||
          allPages(screenOf(body, [], { ...nav, hints: [] }), smaller).length > pages.length
        )
          continue;
        shown += 1;
        for (const { text } of pages) expect(text.endsWith(`\n${away}`)).toBe(true);
      }
      expect(shown).toBeGreaterThan(50);
    },
  );
});

describe('a page with long or mixed words', () => {
  test('an Arabic name in a French screen makes its own page small, not the others', () => {
    const pages = allPages(screenOf(`${'mot '.repeat(30)}de فاطمة ${'mot '.repeat(30)}fin`));
    expect(pages.map(({ encoding }) => encoding)).toEqual(['gsm7', 'ucs2', 'gsm7']);
    for (const page of pages) expect(page.units).toBeLessThanOrEqual(page.max);
  });

  test.each([
    ['between words', 'mot '.repeat(60).trim()],
    ['inside a word as long as a page, its number with it', 'm'.repeat(300)],
  ])('a choice longer than a page is cut %s', (_, label) => {
    const pages = allPages(screenOf('Choix', [`1 ${label}`]));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.map(({ text }) => text).join('\n')).not.toMatch(/^1$|^1 m?o?$|\bmo?$/m);
  });

  test('a word longer than a page is cut wherever it must be, and not inside a surrogate pair', () => {
    const pages = allPages(screenOf(`س${'𐤀'.repeat(100)}`, [], ARABIC_NAV));
    const letters = pages.map(({ text }) => text.split('\n')[0]).join('');
    expect(letters).toBe(`س${'𐤀'.repeat(100)}`);
    for (const page of pages) {
      expect(page.units).toBeLessThanOrEqual(70);
      expect(page.text.isWellFormed()).toBe(true);
    }
  });
});

const latin = fc.string({ unit: fc.constantFrom(...'abcdeéèà€ùz,.'), minLength: 1, maxLength: 12 });
const arabic = fc.string({ unit: fc.constantFrom(...'ابتثجحخسشص'), minLength: 1, maxLength: 10 });
/** Amounts, phones and codes, their spaces holding as values write them. */
const value = fc.constantFrom(
  '1\u00a0234,50\u00a0DH',
  '0612345678',
  'TX-2026-000123',
  '20/11/2026\u00a014:05',
  '12\u00a0345,00\u00a0درهم',
);
const word = fc.oneof(
  { arbitrary: latin, weight: 6 },
  { arbitrary: value, weight: 2 },
  { arbitrary: arabic, weight: 1 },
);
const body = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '\n')), { minLength: 1, maxLength: 60 })
  .map((pairs) =>
    pairs
      .map(([text, gap]) => text + gap)
      .join('')
      .trim(),
  );
const choices = fc
  .array(fc.oneof(latin, arabic), { maxLength: 25 })
  .map((labels) => labels.map((label, i) => `${i + 1} [${label}]`));
const limits = fc.constantFrom(
  { septets: 160, ucs2: 70 },
  { septets: 182, ucs2: 80 },
  { septets: 91, ucs2: 40 },
);

test('a line above a page is no page of its own if words fit beside it', () => {
  const text = `${'a'.repeat(150)}\n${'word '.repeat(28).trim()}`;
  const content = {
    ...screenOf(text, ['1 Oui', '2 Non']),
    above: { line: 'Lisez la suite :', brief: 'Lisez la suite :', pages: [1] },
  };
  expect(allPages(screenOf(text, ['1 Oui', '2 Non']))).toHaveLength(2);
  expect(cutPage(content, 1, USSD_LIMITS).text).toMatch(/^Lisez la suite :\nword word/);
});

test('a question stays on the page of the mistake, though the way back has no room there then', () => {
  const [mistake, question] = ['هذا الرمز غير صحيح.', 'أدخلوا رمز التأكيد المتوصل به برسالة قصيرة'];
  const [first] = allPages(screenOf(`${mistake}\n${question}`, ['1 إعادة إرسال الرمز'], ARABIC_NAV));
  expect(first?.text).toBe(`${mistake}\n${question}\n98 >`);
});

test('a line above a page moves only the unread text down, and nothing is lost', () => {
  const line = 'Lisez la suite :';
  fc.assert(
    fc.property(body, choices, limits, fc.nat(), fc.nat(), (text, lines, limit, one, more) => {
      const before = allPages(screenOf(text, lines), limit);
      fc.pre(before.length > 1);
      const first = 1 + (one % (before.length - 1));
      const once = { ...screenOf(text, lines), above: { line, brief: line, pages: [first] } };
      const second = first + 1 + (more % 3);
      const known = allPages(once, limit).length > second ? [first, second] : [first];
      const pages = allPages({ ...once, above: { line, brief: line, pages: known } }, limit);
      expect(pages.slice(0, first).map(({ text }) => text)).toEqual(
        before.slice(0, first).map(({ text }) => text),
      );
      const said = (at: number) => pages[at]?.text.startsWith(line) === true;
      // Where nothing else fits beside it, it is a page of its own, and is not said again at once.
      for (const at of known) expect(said(at) || said(at - 1)).toBe(true);
      for (const { units, max } of pages) expect(units).toBeLessThanOrEqual(max);
      expect(pages.at(-1)?.choices).toBe(lines.length);
      const own = pages.map((page) => page.text.split(/\n(?:98 Suite|0 Retour|00 Menu|99 Aide)/)[0] ?? '');
      const read = own.join('\n').replaceAll(line, '').trim().split(/\s+/);
      expect(read).toEqual([text, ...lines].join('\n').split(/\s+/));
    }),
    { numRuns: 300 },
  );
});

test('the pages of every screen fit, lose nothing and cut no value', () => {
  fc.assert(
    fc.property(body, choices, limits, (text, lines, limit) => {
      const pages = allPages(screenOf(text, lines), limit);
      const contents = pages.map((page, i) => {
        expect(page).toMatchObject({ page: i, pages: pages.length });
        const count = septets(page.text);
        expect(page.encoding).toBe(count === undefined ? 'ucs2' : 'gsm7');
        expect(page.units).toBe(count ?? page.text.length);
        expect(page.max).toBe(count === undefined ? limit.ucs2 : limit.septets);
        expect(page.units).toBeLessThanOrEqual(page.max);
        expect(page.text).not.toContain('\u00a0');
        expect(page.text.includes('\n98 Suite')).toBe(i < pages.length - 1);
        const own = page.text.split(/\n(?:98 Suite|0 Retour|00 Menu|99 Aide)/)[0] ?? '';
        expect(own.trim()).not.toBe('');
        const shown = own.split('\n').filter((line) => /^\d+ \[/.test(line)).length;
        expect(shown).toBeLessThanOrEqual(9);
        expect(page.choices).toBe((pages[i - 1]?.choices ?? 0) + shown);
        return own;
      });
      const seen = contents.join('\n').split(/\s+/);
      expect(seen).toEqual([text, ...lines].join('\n').split(/\s+/));
      const whole = `\n${contents.join('\n')}\n`;
      for (const line of lines) expect(whole).toContain(`\n${line}\n`);
      const values = text.split(/[ \n]+/).map((token) => token.replaceAll('\u00a0', ' '));
      for (const token of values) expect(contents.some((own) => own.includes(token))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
