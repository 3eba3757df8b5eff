import { describe, expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { data, readButton } from '../../src/channels/button.ts';
import { pieces } from '../../src/channels/pieces.ts';
import { download } from '../../src/channels/telegram/files.ts';
import { html, TEXT_MAX_CHARS } from '../../src/channels/telegram/html.ts';
import { inputFromText } from '../../src/channels/telegram/input.ts';
import { createPhotos } from '../../src/channels/telegram/photo.ts';
import { readView, writeView } from '../../src/channels/telegram/view.ts';
import { createScribe } from '../../src/channels/telegram/write.ts';
import { HIDE, SHOW } from '../../src/screen/marks.ts';
import type { Renderer } from '../../src/screen/renderer.ts';
import { invented } from '../kit/invented.ts';
import { buttonsOf } from './bot-api/person.ts';
import { parseHtml, readMarkup, readText } from './bot-api/rules.ts';
import { keyRenderer } from './fakes.ts';

const choices = (count: number, label = (i: number) => `choice number ${i}, a long one`) =>
  Array.from({ length: count }, (_, i) => ({ id: `id ${i}`, key: invented(label(i)) }));
const screen = (more: Partial<Screen> = {}): Screen => ({
  key: invented('some.screen'),
  expects: 'choice',
  ...more,
});
const saying = (text: string): Pick<Renderer, 'chat'> => ({
  chat: ({ choices: offered = [] }) => ({
    text,
    choices: offered.map(({ id, key }) => ({ id, label: key })),
    direction: 'ltr',
    idle: [],
  }),
});

describe('a text', () => {
  test.each([
    ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
    ['a & b &amp; c', 'a &amp; b &amp;amp; c'],
    [`${HIDE}<CODE>${SHOW} kept`, '<tg-spoiler>&lt;CODE&gt;</tg-spoiler> kept'],
    [`${HIDE}one${SHOW}${HIDE}two${SHOW}`, '<tg-spoiler>one</tg-spoiler><tg-spoiler>two</tg-spoiler>'],
    ['</tg-spoiler>', '&lt;/tg-spoiler&gt;'],
    [`${HIDE}never shown again`, `${HIDE}never shown again`],
  ])('%j is %j', (text, written) => {
    expect(html(text)).toBe(written);
    expect(parseHtml(html(text)).text).toBe(
      text.replace(/[\ue000\ue001]/g, (mark) => (written.includes(mark) ? mark : '')),
    );
  });

  test('is cut between lines, and only then inside one', () => {
    const lines = Array.from({ length: 600 }, (_, i) => `line ${i} <&>`).join('\n');
    const cut = pieces(lines, TEXT_MAX_CHARS);
    expect(cut.length).toBe(2);
    expect(cut.join('\n')).toBe(lines);
    for (const text of cut) readText({ text: html(text), parse_mode: 'HTML' });
    const long = pieces('🙂'.repeat(5_000), TEXT_MAX_CHARS);
    expect(long.join('')).toBe('🙂'.repeat(5_000));
    for (const piece of long) {
      expect(piece.length).toBeLessThanOrEqual(TEXT_MAX_CHARS);
      expect(piece.isWellFormed()).toBe(true);
    }
  });

  test('is sent in parts, with the buttons on the last', () => {
    const written = createScribe(saying('a line\n'.repeat(1_000))).write({
      screen: screen({ choices: choices(2) }),
      language: 'fr',
      screenId: 1,
    });
    expect(written.parts).toHaveLength(2);
    expect(written.markup).toBeDefined();
  });
});

describe('a list', () => {
  const { write } = createScribe(keyRenderer);
  const rows = (count: number, page = 0, label?: (i: number) => string) => {
    const { markup } = write({
      screen: screen({ choices: choices(count, label) }),
      language: 'fr',
      screenId: 7,
      page,
    });
    readMarkup({ reply_markup: markup }, true);
    return (markup as { inline_keyboard: { text: string; callback_data: string }[][] }).inline_keyboard;
  };
  const places = (count: number, page = 0) =>
    rows(count, page)
      .flat()
      .flatMap(({ callback_data }) =>
        callback_data.startsWith('c:') ? [Number(callback_data.slice(4))] : [],
      );

  test.each([1, 8, 9, 10])('of %i is shown whole', (count) => {
    expect(places(count)).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  test.each([11, 16, 17, 300])('of %i is shown by eight, and each is on one page', (count) => {
    const pages = Math.ceil(count / 8);
    const all = Array.from({ length: pages }, (_, page) => places(count, page));
    for (const page of all) expect(page.length).toBeLessThanOrEqual(8);
    expect(all.flat()).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(places(count, pages)).toEqual(all[0]);
  });

  test('short labels stand two in a row', () => {
    expect(rows(4, 0, (i) => `n° ${i}`).map((row) => row.length)).toEqual([2, 2, 2]);
    expect(rows(4).map((row) => row.length)).toEqual([1, 1, 1, 1, 2]);
    const isolated = (i: number) => `\u2066\u206606 12 34 56 7${i}\u2069\u2069`;
    expect(
      rows(4, 0, isolated).map((row) => row.length),
      'isolates are not seen',
    ).toEqual([2, 2, 2]);
  });

  test('a button sends only the place of its choice', () => {
    for (const { callback_data } of rows(11).flat()) expect(callback_data).toMatch(/^[cpn]:7:\d+$/);
  });

  test('an older screen has no buttons', () => {
    const written = write({ screen: screen({ choices: choices(3) }), language: 'fr' });
    expect(written).toMatchObject({ has: 'nothing' });
    expect(buttonsOf({ markup: written.markup } as never)).toEqual([]);
  });
});

describe('a button', () => {
  test.each([
    [data.choice(12, 3), { screenId: 12, does: { type: 'picked', position: 3 } }],
    [data.page(12, 1), { screenId: 12, does: { type: 'page', page: 1 } }],
    [data.way(12, 'back'), { screenId: 12, does: { type: 'went', to: 'back' } }],
    [data.way(12, 'menu'), { screenId: 12, does: { type: 'went', to: 'menu' } }],
    [data.way(12, 'help'), { screenId: 12, does: { type: 'went', to: 'help' } }],
    [data.key(12, 9), { screenId: 12, does: { type: 'tapped', position: 9 } }],
    [data.key(12, 'erase'), { screenId: 12, does: { type: 'tapped', position: 'erase' } }],
  ])('%s is read as it was written', (written, read) => {
    expect(readButton(written)).toEqual(read);
    expect(Buffer.byteLength(written)).toBeLessThanOrEqual(64);
  });

  test.each([
    '',
    'c',
    'c:1',
    'c:1:2:3',
    'c:-1:2',
    'c:1:2.5',
    'c:1:e',
    'n:1:9',
    'x:1:2',
    'c:9999999999:1',
    ' c:1:2',
  ])('of another form is not read: %j', (text) => {
    expect(readButton(text)).toBeUndefined();
  });
});

describe('the note of a chat', () => {
  test.each(['nothing', 'buttons', 'keypad'] as const)('with %s comes back', (has) => {
    for (let flags = 0; flags < 16; flags++) {
      const [isPicture, isOvertaken, asksContact, isUnderway] = [1, 2, 4, 8].map(
        (flag) => (flags & flag) > 0,
      ) as [boolean, boolean, boolean, boolean];
      const view = { message: 4711, screenId: 12, has, isPicture, isOvertaken, asksContact, isUnderway };
      expect(readView(writeView(view))).toEqual(view);
    }
  });

  test.each([undefined, '', '12', 'x.y', '1.2z', '1.2b!', '{"message":1}'])('is not %j', (text) => {
    expect(readView(text)).toBeUndefined();
  });
});

test.each([
  ['found', { raw: { type: 'photo', qr: 'a code' } }],
  ['none', { raw: { type: 'photo' } }],
  ['notAPicture', { raw: { type: 'opened' }, say: 'telegram.photoKind' }],
  ['tooLarge', { raw: { type: 'opened' }, say: 'telegram.photoTooLarge' }],
  ['tooSlow', { raw: { type: 'opened' }, say: 'telegram.photoTooSlow' }],
  ['busy', { raw: { type: 'opened' }, say: 'telegram.photoNotNow' }],
] as const)('a picture of which the decoder says %j', async (kind, meant) => {
  const photos = createPhotos({
    api: { getFile: async () => ({ file_path: 'x' }) } as never,
    token: 'token',
    readQr: async () => (kind === 'found' ? { kind, texts: ['a code'] } : { kind }),
    fetch: async () => new Response('bytes'),
  });
  expect(await photos('file', 'telegram:42')).toEqual(meant);
});

test.each([
  ['/start', { type: 'went', to: 'menu' }],
  ['/start@wasl_bot', { type: 'went', to: 'menu' }],
  ['/start transfer', { type: 'said', text: '/transfer' }],
  ['/start transfer_0655000000_45-50', { type: 'said', text: '/transfer_0655000000_45,50' }],
  ['/start transfer_06-55-00-00-00', { type: 'said', text: '/transfer_06-55-00-00-00' }],
  ['/start bill-payment_2024-12', { type: 'said', text: '/bill-payment_2024-12' }],
  ['/start receive_45-50', { type: 'said', text: '/receive_45,50' }],
  ['/start  bill_redal ', { type: 'said', text: '/bill_redal' }],
  ['/start help', { type: 'said', text: '/help' }],
  ['/start menu', { type: 'went', to: 'menu' }],
  ['/start ../../etc', { type: 'said', text: '/start ../../etc' }],
  ['/start xstate-done-actor-login', { type: 'went', to: 'menu' }],
  ['/menu@wasl_bot', { type: 'said', text: '/menu' }],
  ['bonjour', { type: 'said', text: 'bonjour' }],
])('%s is heard as %j', (text, raw) => {
  expect(inputFromText(text)).toEqual(raw);
});

describe('the address of a file', () => {
  async function fetched(file_path: string | undefined) {
    const calls: [url: string, redirect: RequestInit['redirect']][] = [];
    const api = { getFile: async () => ({ file_id: 'f', file_unique_id: 'f', file_path }) } as never;
    const fetch = async (url: unknown, init?: RequestInit) => {
      calls.push([String(url), init?.redirect]);
      return new Response('x');
    };
    const came = await download({ api, token: 'T', apiRoot: 'http://bot.test', fetch }, 'f', 10);
    return { came: typeof came === 'string' ? came : 'bytes', calls };
  }

  test.each(['photos/file_1.jpg', 'documents/file_10.tar.gz', 'f-1_A'])(
    '%s is fetched, from there alone',
    async (path) => {
      const calls = [[`http://bot.test/file/botT/${path}`, 'error']];
      expect(await fetched(path)).toEqual({ came: 'bytes', calls });
    },
  );

  test.each([
    '../../bot123/getMe',
    'photos/../../x',
    'x?y=1',
    'x#y',
    '/etc/passwd',
    'a//b',
    '',
    '.',
    '..',
    'http://evil.test/x',
    undefined,
  ])('%s is not', async (path) => {
    expect(await fetched(path)).toEqual({ came: 'gone', calls: [] });
  });
});
