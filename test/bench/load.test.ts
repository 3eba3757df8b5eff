import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createPost, type Post } from '../../bench/gateway.ts';
import { type Load, play, printed } from '../../bench/load.ts';
import { listening } from '../../src/http/listening.ts';

/** A door that answers as told, and what it was asked. */
async function door(answer: (text: string, asked: number) => readonly [status: number, page: string]) {
  const asked: { phone: string; session: string; text: string }[] = [];
  const app = new Hono().post('/', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const text = form.get('text') ?? '';
    asked.push({ phone: form.get('phoneNumber') ?? '', session: form.get('sessionId') ?? '', text });
    const [status, page] = answer(text, asked.length);
    return c.text(page, status as 200);
  });
  const server = await listening(app, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return { url: server.url, asked };
}

const LOAD: Omit<Load, 'door'> = {
  first: '+212600000001',
  customers: 2,
  answers: ['1', '{n}'],
  seconds: 0.3,
  lanes: 2,
  thinksMs: 0,
};

test('customers dial, choose a language when they are asked, answer, and stop at the end', async () => {
  const { url, asked } = await door((text) => {
    if (text === '') return [200, 'CON 1 Francais\n2 العربية\n3 English'];
    return [200, text.split('*').length === 3 ? 'END Sent 10 DH' : 'CON Menu'];
  });
  const report = await play({ ...LOAD, door: url });
  expect(report.failures).toBe(0);
  expect(report.turns).toBe(asked.length);
  expect(new Set(asked.map(({ phone }) => phone))).toEqual(new Set(['+212600000001', '+212600000002']));
  const first = asked.filter(({ session }) => session === asked[0]?.session).map(({ text }) => text);
  expect(first).toEqual(['', '1', '1*1', '1*1*1']);
  expect(report.pages.get('END Sent # DH')).toBe(new Set(asked.map(({ session }) => session)).size);
});

test('at a rate, turns of customers who are asked for a language count as well', async () => {
  let begun = 0;
  const post: Post = async () => {
    begun++;
    return { status: 200, text: 'CON 2 العربية' };
  };
  const { turns } = await play({ ...LOAD, answers: [], customers: 1_000, rate: 100, door: 'nowhere' }, post);
  expect(turns).toBe(begun);
  // Of 30 turns the last conversations may be half-way, and a busy machine begins fewer. Turns that do not count would make 60.
  expect(turns).toBeGreaterThan(1);
  expect(turns).toBeLessThan(45);
});

test.each<[string, readonly [number, string], string]>([
  ['an error', [503, 'no process is ready'], '503: no process is ready'],
  ['no page', [200, 'hello'], '200: hello'],
])('%s is a failure, and ends the session', async (_, answer, line) => {
  const { url, asked } = await door(() => answer);
  const report = await play({ ...LOAD, door: url, rate: 50 });
  expect([...report.pages.keys()]).toEqual([line]);
  expect(report.failures).toBe(report.turns);
  expect(asked.every(({ text }) => text === '')).toBe(true);
});

test('a door that nobody opens is a failure', async () => {
  const report = await play({ ...LOAD, door: 'http://127.0.0.1:9', seconds: 0.05 });
  expect([...report.pages.keys()]).toEqual(['no answer: ECONNREFUSED']);
});

test('the report lists the screens, most often first', () => {
  const pages = new Map([
    ['CON Menu', 2],
    ['END Done', 3],
  ]);
  expect(printed({ turns: 5, turnsPerSecond: 2.5, ms: [1, 2, 3, 4, 100], pages, failures: 1 })).toBe(
    `5 turns, 2.5 a second, 1 without a page
ms: p50 3, p90 100, p99 100, p99.9 100, most 100
what customers read:
       3  END Done
       2  CON Menu`,
  );
});

test('a gateway hangs up on a door that does not answer', async () => {
  const app = new Hono().post('/', () => new Promise<Response>(() => {}));
  const server = await listening(app, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  await expect(createPost(50)(server.url, 'text=')).rejects.toThrow('no answer in time');
});
