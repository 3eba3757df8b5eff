import { expect, onTestFinished, test } from 'vitest';
import { SEARCHES_PER_HOUR } from '../../../src/support/reveals.ts';
import { FATIMA, YOUSSEF } from '../records.ts';
import { CALL, OTHER, PAYMENT, session, WEBHOOK } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('searches per hour are limited, as each one tells whether a number is a customer', async () => {
  const search = (by: string) => as(by, 'viewer').post('/search', { q: '0612345678' });
  for (let i = 0; i < SEARCHES_PER_HOUR; i++)
    expect((await search('vera')).headers.get('location')).toMatch(/persons/);
  expect((await search('vera')).headers.get('location')).toBe('/support?said=tooMany');
  expect((await search('omar')).headers.get('location')).toMatch(/persons/);
});

test.each([
  ['a phone number', '06 12 34 56 78', /^\/support\/persons\//],
  ['a reference as customers read it', '3B174C73', /^\/support\/payments\/3b174c73/],
  ['an operation', '4211', /^\/support\/payments\/3b174c73/],
  ['a request to the wallet', CALL, /^\/support\/persons\/[\w-]+\?before=\d+$/],
  ['a case', 'c-2345678', /^\/support\/cases\/c-2345678$/],
  ['a case without its beginning', '2345678', /^\/support\/cases\/c-2345678$/],
  ['a webhook', ' w1 ', /^\/support\/webhooks\/w1$/],
  ['what a webhook of any id has done', ` ${WEBHOOK} `, /^\/support\/payments\/3b174c73/],
])('the search finds %s, and no URL contains it', async (_name, q, location) => {
  const response = await as('nadia').post('/search', { q });
  expect(response.headers.get('location')).toMatch(location);
  expect(response.headers.get('location')).not.toContain('612345678');
  expect(stage.done[0]).toMatch(/^audit nadia search/);
  expect(stage.done[0], 'an id of any form may be something else').not.toContain('_4711');
});

test('a short reference of two payments lists both', async () => {
  const response = await as('sara', 'supervisor').post('/search', { q: '11111111' });
  const page = await response.text();
  for (const part of [`/payments/${PAYMENT.id}`, `/payments/${OTHER}`, '3B174C73', '44174C73', '250.00'])
    expect(page).toContain(part);
  expect(page).toContain('+212 6•• •• •• 78');
  expect(page).not.toMatch(/612345678|600000002/);
});

test('customers of one name are listed masked, and neither the audit nor a URL has the name', async () => {
  const nadia = as('nadia');
  stage.namesakes = [FATIMA];
  expect(await nadia.goesTo('/search', { q: ' Fatima   El Amrani ' })).toMatch(
    /^\/support\/persons\/[\w-]+$/,
  );
  expect(stage.done).toEqual(['audit nadia search name']);
  stage.namesakes = [FATIMA, YOUSSEF];
  const page = await (await nadia.post('/search', { q: 'العمراني' })).text();
  for (const part of [
    '•• •• •• 78',
    '•• •• •• 02',
    'F••••',
    'Account level 2',
    'USSD',
    'Français',
    'Last seen',
  ])
    expect(page).toContain(part);
  expect(page).not.toMatch(/612345678|600000002|Zahra|Only the first/);
  expect(stage.askedWallets).toEqual([FATIMA, YOUSSEF]);
  stage.namesakes = [FATIMA, ...Array.from({ length: 10 }, () => YOUSSEF)];
  const many = await (await nadia.post('/search', { q: 'fatima' })).text();
  expect(many).toContain('Only the first 10 are shown');
  expect(many.match(/Account level/g)).toHaveLength(10);
  stage.namesakes = [];
  expect((await nadia.post('/search', { q: 'Fatima' })).status, 'nothing was found').toBe(200);
  expect(stage.done.join(), 'nothing of what was typed').not.toMatch(/fatima|amrani|العمراني/i);
});

test('a search and a session say when the records are down, and show everything else', async () => {
  const nadia = as('nadia');
  stage.recordsAnswer = false;
  onTestFinished(() => {
    stage.recordsAnswer = true;
  });
  expect(await nadia.goesTo('/search', { q: '0612345678' })).toMatch(/\/persons\//);
  for (const q of ['Fatima', '+212699999999']) {
    const answer = await nadia.post('/search', { q });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('only what happened lately was searched'),
    ]);
  }
  expect(await nadia.text(session)).toContain('The history cannot be read at the moment');
  stage.recordsAnswer = true;
  expect(await nadia.text(session)).not.toContain('The history cannot be read at the moment');
});

test.each([
  '0611111111',
  'nonsense',
  '4242424242424242',
  '4242-4242-4242-4242',
  '12-34',
  'PIN 8264',
  'Tr0ub4dor',
  '',
])('the search for "%s" finds nothing, and the page says how to search', async (q) => {
  const response = await as('nadia').post('/search', { q });
  if (!/^0|ub/.test(q)) expect(stage.searched, 'a possible PIN or card is not looked for').toEqual([]);
  const page = await response.text();
  expect([response.status, page]).toEqual([
    200,
    expect.stringMatching(/class="note" role="status">Nothing found/),
  ]);
  expect(page, 'no page of the menu has found it').not.toContain('aria-current');
  expect(stage.done.join(), 'a possible secret is not in the audit').not.toMatch(/nonsense|4242|34|8264|ub4/);
});
