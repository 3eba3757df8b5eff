import { expect, test } from 'vitest';
import { turn } from '../records.ts';
import { readUntil, session, wordsOf } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test.each(['', '/machines', '/machines/transfer'])(
  'a page opens before all earlier turns are read, and says so: %s',
  async (path) => {
    const read = Promise.withResolvers<void>();
    stage.past = (async function* () {
      yield { records: [turn({ at: Date.now(), to: 'transfer.askingAmount' })] };
      await read.promise;
    })();
    const filling = 'Earlier turns are still being read';
    expect(await as('nadia', 'admin').text(path)).toContain(filling);
    read.resolve();
    await expect.poll(() => as('nadia', 'admin').text(path)).not.toContain(filling);
  },
);

test('the page and its stream show figures above the rows', async () => {
  const at = Date.now();
  const places = ['transfer.askingAmount', 'transfer.askingPin', 'balance.shown'];
  const records = places.map((to, i) => turn({ address: `web:${i}`, at, to, language: i ? 'ar' : 'fr' }));
  stage.past = [{ records }];
  const figures = /Turns a second .* Under way now 3 .* Web 3 .* العربية 2 .* Money transfer 2/;
  await expect.poll(async () => wordsOf(await as('nadia').text(''))).toMatch(figures);
  expect(wordsOf(await readUntil(await as('nadia', 'admin').get('/live'), 'event: sessions'))).toMatch(
    figures,
  );
});

test('under heavy load the page shows fewer rows and says how often it redraws', async () => {
  const page = () => as('nadia').text('');
  expect(await page()).not.toContain('redrawn');
  const at = Date.now() - 2_000;
  for (let i = 0; i < 1_000; i++) stage.tellTurn(turn({ address: `web:${i}`, at, to: 'menu.choosing' }));
  await expect.poll(page).toContain('redrawn every 5 seconds');
  expect((await page()).match(/sessions\/[^"]+">/g)?.length).toBeLessThan(60);
});

test('counts say "at least" on every page when the past is too long to read', async () => {
  stage.past = [
    { records: [turn({ at: Date.now(), to: 'transfer.askingAmount' })], leftOutBefore: Date.now() },
  ];
  const admin = as('nadia', 'admin');
  await expect.poll(() => admin.text('')).toContain('Sessions: at least 1');
  expect(await admin.text('')).toContain('≥ 1');
  expect(await admin.text('/machines')).toContain('≥ 1');
  expect((await admin.text('/machines/transfer')).match(/≥ 1/g)).toHaveLength(2);
});

test('the home page lists customers who need a person first, with the acts of the agent’s role', async () => {
  const page = await as('nadia').text('?channel=ussd&minutes=0&place=%3Cscript%3E');
  expect(page.indexOf('Payments to check')).toBeLessThan(page.indexOf('Sessions under way'));
  for (const part of [
    'Payments to check',
    'Asked for help',
    'Call back',
    'Orphan webhooks',
    '/webhooks/w1/retry',
    'Sessions: 1',
  ])
    expect(page).toContain(part);
  const looked = await as('vera', 'viewer').text('');
  expect(looked).not.toContain('/webhooks/w1/retry');
  expect(await as('vera', 'viewer').text(session)).not.toMatch(/take-over|\/reveal"/);
});
