import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const HISTORY = new URL('../../src/channels/web/public/history.js', import.meta.url).href;
const { remember, remembered } = await import(HISTORY);

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
