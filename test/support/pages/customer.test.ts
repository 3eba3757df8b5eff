import { expect, test } from 'vitest';
import { FATIMA, NOW } from '../records.ts';
import { DETAILS, ids, PAYMENT, person } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('earlier notes about a customer unfold, and the page says when there are more', async () => {
  const vera = as('vera', 'viewer');
  expect(await vera.text(person)).not.toContain('<summary>Earlier');
  const earlier = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ at: NOW - i, by: 'Omar', text: `note ${i}` }));
  stage.notes = earlier(30);
  const [open = '', folded = ''] = (await vera.text(person)).split('<summary>Earlier');
  expect([open.includes('note 8<'), open.includes('note 9<'), folded.includes('note 9<')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(folded).not.toContain('the newest 200');
  stage.notes = earlier(199);
  expect(await vera.text(person)).toContain('Only the newest 200 are shown');
});

test('the payments of a customer come page by page, beside the same part of the history', async () => {
  const idAt = (i: number) => `${String(10_000_000 + i)}-f011-4abc-8abc-0123456789ab`;
  stage.olderPayments = Array.from({ length: 24 }, (_, i) => ({
    ...PAYMENT,
    id: idAt(i),
    sentAt: NOW - (i + 1) * 1_000,
  }));
  const nadia = as('nadia');
  const pages: string[] = [];
  let path: string | undefined = `${person}?before=${NOW}`;
  while (path && pages.length < 5) {
    const page = await nadia.text(path);
    pages.push(page);
    path = /href="\/support([^"]+)#h-payments" rel="prev"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  const shown = pages.map((page) => [...page.matchAll(/id="payment-([\w-]+)"/g)].map(([, id]) => id));
  expect(shown.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(shown.flat()).toEqual([PAYMENT, ...stage.olderPayments].map(({ id }) => id));
  expect(pages[0]).not.toMatch(/#h-payments">/);
  expect(pages[2]).toContain(`?before=${NOW}#h-payments">Latest`);
});

test('the wallet is not asked about a stranger', async () => {
  const path = `/persons/${ids.idOf('ussd:+212699999999')}`;
  expect((await as('nadia').get(path)).status).toBe(404);
  expect(stage.askedWallets).toEqual([]);
});

test('the page of a customer masks data on all channels, and each look is in the audit first', async () => {
  const page = await as('nadia').text(person);
  expect(stage.done).toEqual([`audit nadia seePerson ${FATIMA}`]);
  for (const part of [
    '+212 6•• •• •• 78',
    'F••••',
    'active',
    '>USSD<',
    '>Web<',
    'called &lt;b&gt;back',
    `?before=${NOW - 60_000}`,
  ])
    expect(page).toContain(part);
  expect(page.indexOf('>Web<'), 'the earliest first').toBeLessThan(page.indexOf('class="badge">USSD<'));
  expect(page).not.toMatch(/612345678|600000002|Zahra|\/audit\?/);
  expect(await as('sara', 'supervisor').text(person)).toContain('/support/audit?about=');
  const earlier = await as('nadia').text(`${person}?before=${NOW - 60_000}`);
  expect([earlier.includes('rel="prev"'), earlier.includes('Latest')]).toEqual([false, true]);
  expect(await as('vera', 'viewer').text(person)).not.toMatch(/\/note"|\/reveal"/);
  stage.isAuditDown = true;
  expect((await as('nadia').get(person)).status).toBe(500);
});

test('of the wallet’s details only level and status are shown without a reveal', async () => {
  const { level: _public, status: _too, ...personal } = DETAILS;
  const page = await as('nadia').text(person);
  for (const [field, value] of Object.entries(personal)) expect(page, field).not.toContain(String(value));
});

test('a reason reveals a customer’s data on their page, and the audit names a note without its text', async () => {
  const nadia = as('nadia');
  await nadia.post(`${person}/reveal`, { why: 'the customer called about it' });
  const page = await nadia.text(person);
  for (const part of ['+212 612 34 56 78', 'Fatima Zahra']) expect(page).toContain(part);
  expect(await as('omar').text(person)).not.toContain('612 34 56 78');
  stage.done = [];
  const saved = await nadia.post(`${person}/note`, { text: 'calls back at noon' });
  expect(saved.headers.get('location')).toMatch(/\/persons\/[\w-]+\?said=done$/);
  expect(stage.done).toEqual([`audit nadia addNote ${FATIMA}`, `note ${FATIMA} calls back at noon`]);
});
