import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { Wasl } from '../../src/program.ts';
import { type agentIn, invites } from './console-pages.ts';
import { atPhone, inWebChat } from './morning-customers.ts';

type Agent = Awaited<ReturnType<typeof agentIn>>;

/** The console's GETs that show no page of their own, and why. */
const NO_PAGE: ReadonlySet<string> = new Set([
  // Ways of the sign-in, that lead on.
  ...['GET /sign-in/oidc', 'GET /sign-in/oidc/callback', 'GET /demo/:token'],
  // Files to be saved.
  ...[
    'GET /audit/export',
    'GET /figures/csv/:table',
    'GET /inbox/csv',
    'GET /principal/payouts/:id/results.csv',
    'GET /sessions/:id/files/:file',
  ],
  // Streams and pieces of other pages. The work of a case leads to its session, payment or webhook.
  ...[
    'GET /live',
    'GET /inbox/live',
    'GET /inbox/news',
    'GET /sessions/:id/live',
    'GET /machines/:machine/live',
    'GET /persons/:id/pane',
    'GET /back',
    'GET /away',
  ],
  'GET /cases/:id/work',
]);

/** Whether an endpoint (`GET /persons/:id`) shows a page, which is to be looked at. */
export function isPage(endpoint: string): boolean {
  return endpoint.startsWith('GET /') && !endpoint.startsWith('GET /public/') && !NO_PAGE.has(endpoint);
}

/** Customers who are in the middle of something, a payment and a webhook that wait for people. */
export async function busyDay({ url }: Wasl, { webhookKeys: [key = ''] }: Config): Promise<void> {
  const payer = atPhone(url, '+212600000001', '3');
  await payer.comes();
  // A number whose operations stay open.
  await payer.types('1', '0699000117', '20', '1234');
  await inWebChat(url, 'fr').asks();
  const now = new Date().toISOString();
  const data = {
    EventId: 'transfer.received',
    WebhookId: 'nobody-knows-this-one',
    CRequestId: randomUUID(),
    OperationId: 4_217,
    OperationType: 3,
    OperationStatus: 2,
    CreatedAt: now,
    ExecutedAt: now,
    Amount: 20,
    FeeAmount: 0,
    PrimaryAccountNumber: '+212600000001',
    SecondaryAccountNumber: '+212699000117',
  };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/webhooks/wallet`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ data }),
  });
  expect(answer.status).toBe(200);
}

/** How an administrator comes to each page, by its endpoint. */
export function tourOf(admin: Agent, language: string): Readonly<Record<string, () => Promise<unknown>>> {
  const { page, goes } = admin;
  const follows = async (links: string) => {
    await page.goto(new URL((await page.locator(links).first().getAttribute('href')) ?? '', page.url()).href);
  };
  const inbox = '/support/inbox?show=all';
  return {
    'GET /': () => goes('/support'),
    async 'GET /organisation'() {
      await goes('/support/organisation');
      const team = page.locator('form[action$="/organisation/teams"]').last();
      await page.locator('details.entry', { has: team }).locator('summary').first().click();
      await team.locator('input[name="name"]').fill(`Paiements ${language} ${randomUUID().slice(0, 4)}`);
      await team.locator('input[name="member"]').first().check();
      await team.locator('button').click();
      await page.waitForURL(/said=done/);
      const label = page.locator('form[action$="/organisation/labels"]').last();
      await page.locator('details.entry', { has: label }).locator('summary').first().click();
      const name = `Libellé ${randomUUID().slice(0, 4)}`;
      for (const field of await label.locator('input[name^="name-"]').all()) await field.fill(name);
      await label.locator('input[value="violet"]').check();
      await label.locator('button').click();
      await page.locator('.label.violet bdi', { hasText: name }).waitFor();
      const macro = page.locator('form[action$="/organisation/macros"]').last();
      await page.locator('details.entry', { has: macro }).locator('summary').first().click();
      await macro.locator('input[name="name"]').fill(`Macro ${name}`);
      await macro.locator('select[name="label"]').selectOption({ label: name });
      await macro.locator('select[name="answer"]').selectOption({ index: 1 });
      await macro.locator('button').click();
      await page.locator('details.entry b', { hasText: `Macro ${name}` }).waitFor();
      for (const summary of await page.locator('details.entry > summary').all()) await summary.click();
    },
    'GET /inbox': () => goes(inbox),
    'GET /today': () => goes('/support/today'),
    'GET /accounts': () => goes('/support/accounts'),
    'GET /principal': () => goes('/support/principal'),
    'GET /principal/card': () => goes('/support/principal/card'),
    'GET /principal/payouts': () => goes('/support/principal/payouts'),
    async 'GET /principal/payouts/:id'() {
      await goes('/support/principal/payouts');
      const buffer = Buffer.from(`0600000002;Youssef;10;${language} ${randomUUID().slice(0, 8)}`);
      await page.setInputFiles('input[type=file]', { name: 'salaires.csv', mimeType: 'text/csv', buffer });
      await page.locator('form.file button, form[enctype] button').first().click();
      await page.waitForURL(/payouts\/[^/?]+/);
    },
    'GET /audit': () => goes('/support/audit?check=1'),
    'GET /me': () => goes('/support/me'),
    'GET /reports': () => goes('/support/reports'),
    'GET /machines': () => goes('/support/machines'),
    'GET /machines/:machine': () => goes('/support/machines/transfer'),
    async 'GET /figures'() {
      // As the recorder goes on.
      await expect
        .poll(async () => {
          await goes('/support/figures');
          return page.locator('.chart:not([hidden])').count();
        })
        .toBeGreaterThan(1);
      await page.locator('.chart canvas').first().waitFor();
      await page.locator('details.of-chart summary').first().click();
    },
    async 'GET /sessions/:id'() {
      await goes('/support');
      await follows('.queue a:has-text("Web")');
      await page.locator('form[action$="/take-over"] button').click();
      await page.locator('form.file').waitFor();
    },
    'GET /persons/:id': async () => {
      await goes('/support');
      await follows('.sessions a:has-text("01")');
      await page.locator('#person-facts .whole').waitFor();
      await follows('#person-facts .whole');
    },
    'GET /payments/:intent': async () => {
      await goes('/support');
      await follows('.sessions a:has-text("01")');
      await follows('a[href*="/support/payments/"]');
    },
    'GET /webhooks/:id': () => goes('/support/webhooks/nobody-knows-this-one'),
    'GET /cases/:id': async () => {
      await goes(inbox);
      const name = await page.locator('.cases code').first().textContent();
      await goes(`/support/cases/${name}`);
      await page.keyboard.press('l');
      await page.locator('details[open] input[name="label"]').first().check();
      await page.keyboard.press('Control+Enter');
      await page.locator('.labels button').waitFor();
      // The page that comes hears no key before its script has run.
      await page.waitForLoadState('load');
      await page.keyboard.press('r');
      await page.locator('details[open] .macro').first().waitFor();
    },
    'GET /set-up/:token': async () => {
      await page.goto(await invites(admin, `new-${language}-${randomUUID().slice(0, 4)}`, 'agent'));
    },
    'GET /sign-in': async () => {
      await page.context().clearCookies();
      await goes('/support/sign-in');
    },
  };
}
