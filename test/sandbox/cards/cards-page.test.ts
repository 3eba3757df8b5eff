import { describe, expect, test } from 'vitest';
import { TEST_CARDS, THREE_DS_CODE } from '../../../src/sandbox/cards/test-cards.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { balanceOf, call, FATIMA, sandbox, wallet } from '../kit.ts';
import { answers, CAFE, card, ledgerOf } from './cards-kit.ts';

const URLS = { acceptUrl: 'https://shop.example.com/ok', declineUrl: 'https://shop.example.com/no' };
const begun = async (of: Sandbox, more: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await call(of, 'executeCardPayment', { phoneNumber: CAFE, ...card(1234.5, more) });
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.redirectionURL;
};
async function page(of: Sandbox, url: string, headers: Record<string, string> = {}) {
  const answer = await of.app.request(url, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe('the 3D Secure page', () => {
  test('names the payee and the amount, and only the last digits of the card', async () => {
    const { status, text } = await page(wallet, await begun(wallet, { feesPercent: 2 }));
    expect(status).toBe(200);
    for (const shown of [
      'Café Atlas (test)',
      '1\u202f234,50 DH',
      '24,69 DH',
      '1\u202f259,19 DH',
      '•••• 4242',
      'VISA',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/42424242|731/);
  });

  test('lets nothing in and tells nobody its address', async () => {
    const { headers, text } = await page(wallet, await begun(wallet));
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; base-uri 'none'; style-src 'sha256-/,
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<script|https?:/);
  });

  test('a name with markup in it is text', async () => {
    const phone = '+212611111111';
    const who = {
      phone,
      firstName: '<b>Ali',
      lastName: 'x',
      level: 4,
      status: 3,
      balance: 0,
      walletType: 'C',
    };
    wallet.addCustomer(who as never);
    const { text } = await page(wallet, await begun(wallet, { phoneNumber: phone }));
    expect(text).toContain('&lt;b&gt;Ali');
  });

  test.each([
    ['French without a wish', '', {}, 'fr', 'ltr', 'Confirmez votre paiement'],
    [
      'by the browser',
      '',
      { 'accept-language': 'ar-MA,ar;q=0.9,fr;q=0.5' },
      'ar',
      'rtl',
      'المرجو تأكيد الأداء',
    ],
    [
      'by its second wish',
      '',
      { 'accept-language': 'de,en;q=0.8,fr;q=0.5' },
      'en',
      'ltr',
      'Confirm your payment',
    ],
    ['by the address', '?lang=en', { 'accept-language': 'fr' }, 'en', 'ltr', 'Confirm your payment'],
    ['not one there is not', '?lang=xx', {}, 'fr', 'ltr', 'Confirmez votre paiement'],
    ['not one that is none', '?lang=__proto__', {}, 'fr', 'ltr', 'Confirmez votre paiement'],
  ] as const)('speaks %s', async (_, query, headers, lang, dir, title) => {
    const { text } = await page(wallet, (await begun(wallet)) + query, headers);
    expect(text).toContain(`<html lang="${lang}" dir="${dir}">`);
    expect(text).toContain(title);
  });

  test('a cash-in is called one', async () => {
    const { body } = await call(wallet, 'executeCardCashIn', { phoneNumber: FATIMA, ...card(50) });
    const { text } = await page(wallet, `${body.data.redirectionURL}?lang=en`);
    expect(text).toContain('Confirm your deposit');
    expect(text).toContain('Fatima Zahra El Amrani');
  });

  test.each(['/3ds/', '/3ds/1', '/3ds/00000000-0000-4000-8000-000000000000'])(
    'there is none at %s',
    async (path) => {
      expect((await page(sandbox(), path)).status).toBe(404);
    },
  );
});

describe('the code', () => {
  test.each([
    ['with spaces', ` ${THREE_DS_CODE.slice(0, 3)} ${THREE_DS_CODE.slice(3)} `],
    ['in Arabic digits', '١٢٣٤٥٦'],
    ['in Persian digits', '۱۲۳ ۴۵۶'],
  ])('may be written %s', async (_, code) => {
    expect(await answers(wallet, await begun(wallet, URLS), { code })).toMatchObject({
      REASON_CODE: 'SUCCESS',
    });
  });

  test('wrong three times ends the payment, and is asked for again before that', async () => {
    const url = await begun(wallet, URLS);
    for (const left of [2, 1]) {
      expect((await answers(wallet, url, { code: '000000' })).to).toBe(url);
      expect((await page(wallet, url)).text).toContain(`Essais restants : ${left}.`);
    }
    expect(await answers(wallet, url, { code: '' })).toMatchObject({
      to: URLS.declineUrl,
      RESPONSE_CODE: '63',
      REASON_CODE: 'AUTHENTICATION_FAILED',
    });
    expect(ledgerOf(wallet).gateway).toBe(0);
  });

  test('right after a wrong one is right', async () => {
    const url = await begun(wallet, URLS);
    await answers(wallet, url, { code: '111111' });
    expect(await answers(wallet, url, 'confirm')).toMatchObject({ to: URLS.acceptUrl });
  });
});

describe('an answered page', () => {
  test('shows the outcome, and charges nothing twice', async () => {
    const url = await begun(wallet);
    expect((await answers(wallet, url, 'confirm')).to).toBe(url);
    for (const how of ['confirm', 'decline'] as const) await answers(wallet, url, how);
    expect((await page(wallet, `${url}?lang=en`)).text).toContain('You can close this page.');
    expect(await balanceOf(wallet, CAFE)).toBe(2450 + 1234.5);
    expect(wallet.executions()).toHaveLength(1);
  });

  test('leads on to the address that the browser was sent to', async () => {
    const url = await begun(wallet, URLS);
    await answers(wallet, url, 'decline');
    expect((await page(wallet, url)).text).toContain(
      'https://shop.example.com/no?RESPONSE_CODE=17&amp;REASON_CODE=CANCELED',
    );
  });

  test('without declineUrl says that the card was not debited', async () => {
    const url = await begun(wallet, { pan: TEST_CARDS.declined.pan });
    await answers(wallet, url, 'confirm');
    expect((await page(wallet, `${url}?lang=en`)).text).toContain('Your card was not debited.');
  });
});

test('a page that nobody answers expires, and confirms nothing any more', async () => {
  const wallet = sandbox({ settings: { threeDsValidMs: 60_000 } });
  const url = await begun(wallet, URLS);
  await wallet.clock.advance(60_000);
  const { text } = await page(wallet, `${url}?lang=en`);
  expect(text).toContain('This page has expired');
  expect(text).toContain('REASON_CODE=SESSION_EXPIRED');
  expect((await answers(wallet, url, 'confirm')).to).toBe(url);
  expect(wallet.executions()).toEqual([]);
});

test('the same seed gives the same ids, another seed others', async () => {
  const [one, two, other] = [sandbox(), sandbox(), sandbox({ seed: 'other' })];
  const path = async (of: Sandbox) => new URL(await begun(of)).pathname;
  expect(await path(one)).toBe(await path(two));
  expect(await path(other)).not.toBe(await path(one));
});
