import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const HISTORY = new URL('../../src/channels/web/public/history.js', import.meta.url).href;
const { keptText, remember, remembered } = await import(HISTORY);

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['an answer at rest stands below what it answers', { moved: true }, ['bonjour', 'effectué']],
  ['what comes by itself stays where it stood', { inPlace: true }, ['effectué', 'bonjour']],
])('%s, and only there', (_, how, texts) => {
  const outcome = { kind: '', text: 'effectué', screenId: 7, ids: [] };
  remember('reader', outcome);
  remember('reader', { kind: 'mine', text: 'bonjour' });
  remember('reader', outcome, how);
  expect(remembered('reader').map(({ text }: { text: string }) => text)).toEqual(texts);
});

test('a code that comes again until it was looked at is kept in a long chat, where it stood', () => {
  const text = keptText({ text: 'Code : \ue0001234\ue001' });
  remember('reader', { kind: 'news', text: 'reçu', ids: ['other'] });
  remember('reader', { kind: 'news', text, ids: ['voucher'] });
  for (let place = 0; place < 220; place++) remember('reader', { kind: 'mine', text: 'solde', ids: [] });
  const kept = remembered('reader');
  expect(kept).toHaveLength(201);
  expect(kept[0]).toMatchObject({ text: 'Code : ••••', ids: ['voucher'] });
});
