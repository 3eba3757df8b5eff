import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Filled } from '../../machines/kit/conversation.ts';
import { understand } from '../../src/conversation/shortcuts/understand.ts';
import { centimes } from '../../src/wallet/money.ts';

const FOLDER = join(import.meta.dirname, 'phrases');
/** Phrases that no word of the matcher was chosen for when they were written, measured once and kept as they are. */
const COLD = join(import.meta.dirname, 'phrases-cold');
/** The number of phrases that must reach their request. The others lead to a question. */
const RIGHT_MIN = 0.9;
/** How many different ones a table has, with the ways in which each may be written. */
const PHRASES_MIN = 1000;

interface Phrase {
  readonly asks: string;
  readonly text: string;
  /** The numbers that may be filled in, as digits: an amount in dirhams, or a mobile number. */
  readonly numbers: readonly string[];
}

/** One phrase a line under its request, as `# transfer`. Behind a `|` stand the numbers that may be filled in. */
function phrasesIn(folder: string, file: string): Phrase[] {
  let asks = '';
  const phrases: Phrase[] = [];
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    if (line.startsWith('# ')) asks = line.slice(2);
    else if (line !== '') {
      const [text = '', numbers = ''] = line.split(' | ');
      phrases.push({ asks, text, numbers: numbers.split(' ').filter(Boolean) });
    }
  }
  return phrases;
}

const ASKED_AS: Readonly<Record<string, string>> = { hello: 'greets', fees: 'fees', undo: 'undoes' };

/** The words that people write around their request, by table. */
const POLITELY: Readonly<Record<string, readonly [before: string, after: string]>> = {
  fr: ['Bonjour, ', ' svp'],
  en: ['Hello, ', ' please'],
  ar: ['السلام عليكم، ', ' من فضلك'],
  darija: ['salam ', ' 3afak'],
};

/** The phrase as it may be written as well: politely, with one wrong key in its longest word, with Eastern digits. */
function variantsOf(phrase: Phrase, family: string): Phrase[] {
  const { text } = phrase;
  const [before, after] = POLITELY[family] ?? ['', ''];
  const longest = text.split(/[\s'’]/).reduce((a, b) => (b.length > a.length ? b : a), '');
  const hasWord = longest.length >= 6 && /^\p{L}+$/u.test(longest);
  const middle = longest.length / 2;
  const mistyped = text.replace(longest, longest.slice(0, middle) + longest.slice(middle + 1));
  return [
    { ...phrase, text: before + text + after },
    ...(hasWord ? [{ ...phrase, text: mistyped }] : []),
    ...(/\d/.test(text) && family === 'ar'
      ? [{ ...phrase, text: text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '') }]
      : []),
  ];
}

/** The result of a phrase: `right`, `asked` back, or the request that it was mistaken for. */
function judged({ asks, text, numbers }: Phrase): string {
  const understood = understand(text);
  if (!understood || understood.kind === 'either') return asks === 'none' ? 'right' : 'asked';
  // The payment begins, and shows its fee: what is filled in must be what was said.
  if (understood.kind === 'fees' && asks === 'fees')
    return inexactly(understood.pays?.filled ?? {}, numbers) ?? 'right';
  if (understood.kind !== 'wants') {
    // A kind word does nothing.
    const is = understood.kind === 'courtesy' ? understood.courtesy : understood.kind;
    if (understood.kind !== 'went') return is === (ASKED_AS[asks] ?? asks) ? 'right' : 'asked';
    return understood.to === asks ? 'right' : `taken for ${understood.to}`;
  }
  const { machine, filled } = understood.shortcut;
  // Another card is ordered where cards are shown, and a customer who asks for a card is offered one there.
  if (machine === 'cards' && asks === 'card-order') return 'asked';
  if (machine !== asks && !(asks === 'cards' && machine === 'card-order')) return `taken for ${machine}`;
  return inexactly(filled, numbers) ?? 'right';
}

/** What was filled in and is not there. */
function inexactly({ amount, to }: Filled, numbers: readonly string[]): string | undefined {
  const amounts = numbers
    .filter((number) => number.length < 9)
    .map((number) => centimes(Number(number) * 100));
  if (amount !== undefined && !amounts.includes(amount)) return `amount ${amount}`;
  if (to !== undefined && !numbers.includes(to.replace('+212', '0'))) return `number ${to}`;
  return undefined;
}

describe.each(readdirSync(FOLDER))('phrases of %s', (file) => {
  const [family = ''] = file.split('-');
  const all = phrasesIn(FOLDER, file)
    .flatMap((phrase) => [phrase, ...variantsOf(phrase, family)])
    .map((phrase) => ({ ...phrase, came: judged(phrase) }));

  test('none is read as another request, amount or number', () => {
    const wrong = all.filter(({ came }) => came !== 'right' && came !== 'asked');
    expect(wrong.map(({ text, asks, came }) => `${text} (${asks}): ${came}`)).toEqual([]);
  });

  test('nine of ten reach their request, and the others lead to a question', () => {
    const asked = all.filter(({ came }) => came === 'asked').map(({ text, asks }) => `${text} (${asks})`);
    if (asked.length > all.length * (1 - RIGHT_MIN)) expect(asked).toEqual([]);
    expect(new Set(all.map(({ text }) => text)).size).toBeGreaterThanOrEqual(PHRASES_MIN);
    console.info(
      `${file}: ${all.length} phrases, ${all.filter(({ came }) => came === 'right').length} right`,
    );
  });
});

/** The least share of right readings. docs/contributor/screen-figures.md has the whole table. */
const COLD_RIGHT_MIN = 0.65;

describe.each(readdirSync(COLD))('cold phrases of %s', (file) => {
  const all = phrasesIn(COLD, file).map((phrase) => ({ ...phrase, came: judged(phrase) }));

  test('none is read as another request, amount or number, and most reach their request', () => {
    const wrong = all.filter(({ came }) => came !== 'right' && came !== 'asked');
    expect(wrong.map(({ text, asks, came }) => `${text} (${asks}): ${came}`)).toEqual([]);
    const asked = all.filter(({ came }) => came === 'asked').map(({ text, asks }) => `${text} (${asks})`);
    if (asked.length > all.length * (1 - COLD_RIGHT_MIN)) expect(asked).toEqual([]);
    console.info(`${file}: ${all.length} phrases, ${all.length - asked.length} right`);
  });
});

/**
 * Written from how people in Morocco write, before anybody looked at what the matcher answers. More than half of them ask for nothing:
 * talk, payments that were made, money for the writer, a "not", two things at once.
 */
const PEOPLE = join(import.meta.dirname, 'phrases-people');
const PEOPLE_RIGHT_MIN = 0.92;

describe('phrases of people', () => {
  const tables = readdirSync(PEOPLE).map((file) => ({
    file,
    all: phrasesIn(PEOPLE, file).map((phrase) => ({ ...phrase, came: judged(phrase) })),
  }));

  test.each(tables)('none of $file is read as another request, amount or number', ({ all }) => {
    const wrong = all.filter(({ came }) => came !== 'right' && came !== 'asked');
    expect(wrong.map(({ text, asks, came }) => `${text} (${asks}): ${came}`)).toEqual([]);
  });

  test.each(tables)('at least 92 of 100 of $file are right, and the others are asked back', ({ all }) => {
    const asked = all.filter(({ came }) => came === 'asked').map(({ text, asks }) => `${text} (${asks})`);
    if (asked.length > all.length * (1 - PEOPLE_RIGHT_MIN)) expect(asked).toEqual([]);
  });

  test('are counted in the docs', () => {
    const all = tables.flatMap((table) => table.all);
    const share = (came: string) => {
      const part = all.filter((phrase) => phrase.came === came).length / all.length;
      return `${Math.round(part * 100)} %`;
    };
    const row = [all.length.toLocaleString('en'), share('right'), share('asked'), '0'].join(' | ');
    const docs = readFileSync(join(import.meta.dirname, '../../docs/contributor/screen-figures.md'), 'utf8');
    expect(docs).toContain(`| the same, with the tables of today | ${row} |`);
    const lines = [FOLDER, COLD, PEOPLE].flatMap((folder) =>
      readdirSync(folder).flatMap((file) => phrasesIn(folder, file)),
    );
    expect(new Set(lines.map(({ text }) => text)).size).toBeGreaterThanOrEqual(2_500);
  });
});
