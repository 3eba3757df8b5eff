import { Hono } from 'hono';
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FormOptions } from '../../src/channels/form/routes.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import { listening } from '../../src/http/listening.ts';
import { THREE_DS_CODE } from '../../src/sandbox/cards/test-cards.ts';
import { type BotCustomer, createBotCustomer } from '../channels/bot-api/customer.ts';
import { launchOf, telegramOpener, theFormStage, tokenOf } from '../channels/form-kit.ts';
import { theWorld } from '../kit/world.ts';
import { atForm, CARD, formOf } from '../machines/card-forms.ts';
import { axeFinds, newPage } from './pages.ts';

const { stage, routes } = theFormStage();
const PIN = '7391';

/** A customer at a PIN's prompt, and a browser that shows the form in it. */
async function opened(
  language: Language,
  { by, ...options }: BrowserContextOptions & { readonly by: 'telegram' | 'link' },
): Promise<{ readonly fatima: BotCustomer; readonly page: Page }> {
  const fatima = createBotCustomer(stage, stage.world.customer({ pin: PIN }).phone, language);
  await fatima.arrives().enters(PIN).sees('menu.choose').chooses('balance').sees('balance.askPin');
  const openers: FormOptions['openers'] = by === 'telegram' ? telegramOpener(stage) : {};
  const url = await served(new Hono().route('/form', routes(openers)));
  const viewport = { width: 390, height: 844 };
  const page = await newPage({ viewport, ...options }, (message) => /4(10|22)/.test(message.text()));
  const launch = launchOf(stage.api.token, fatima.person.id, Date.now());
  const fragment =
    by === 'telegram' ? `#${new URLSearchParams({ tgWebAppData: launch, tgWebAppVersion: '9.1' })}` : '';
  await page.goto(`${url}/form/${tokenOf(fatima)}${fragment}`);
  return { fatima, page };
}

async function served(app: Hono): Promise<string> {
  const server = await listening(app, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return server.url;
}

async function taps(page: Page, digits: string): Promise<void> {
  for (const digit of digits)
    await page.locator('.keypad').getByRole('button', { name: digit, exact: true }).click();
}

/** An error is announced, red, about the field, and where the next key goes. */
async function isAlerted(page: Page, what: string): Promise<void> {
  await page.getByRole('alert').filter({ hasText: what }).waitFor();
  expect(await page.locator('#secret').getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#secret').getAttribute('aria-describedby')).toContain('wrong');
  expect(await page.locator('.question').textContent()).not.toContain(what);
  expect(await page.evaluate('document.activeElement.id')).toMatch(/^(wrong|secret)$/);
  expect(await axeFinds(page)).toEqual([]);
}

/** What Telegram says of its colours. */
const themed = (theme: object) =>
  `#${new URLSearchParams({ tgWebAppThemeParams: JSON.stringify(theme), tgWebAppVersion: '9.1' })}`;
const NIGHT = {
  bg_color: '#17212b',
  text_color: '#f5f5f5',
  secondary_bg_color: '#232e3c',
  button_color: '#5288c1',
  button_text_color: '#ffffff',
};

describe('the form in a browser', () => {
  test('a third wrong PIN is not thanked for: the page says that the wallet is blocked', async () => {
    const { page } = await opened('fr', { by: 'link' });
    for (const tries of ['essais', 'un seul essai']) {
      await page.getByLabel('Code PIN', { exact: true }).fill('1111');
      await page.keyboard.press('Enter');
      await isAlerted(page, tries);
    }
    await page.getByLabel('Code PIN', { exact: true }).fill('1111');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'bloqué temporairement' }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('Merci');
    expect(await axeFinds(page)).toEqual([]);
  });

  test.each([
    ['fr', 'Annuler', "C'est annulé"],
    ['ar', 'إلغاء', 'تم الإلغاء'],
    ['en', 'Cancel', 'Cancelled'],
  ] as const)('in %s it can be cancelled, and the conversation goes on', async (language, button, said) => {
    const { fatima, page } = await opened(language, { by: 'link' });
    const before = page.url();
    await page.getByRole('button', { name: button }).click();
    await page.getByText(said).waitFor();
    await fatima.hears('menu.choose');
    expect((await page.goto(before))?.status()).toBe(410);
  });

  test('it counts down, and then says by itself that it is no longer valid', async () => {
    const { page } = await opened('fr', { by: 'link' });
    expect(await page.getByRole('timer').textContent()).toMatch(/valable\s+[12]:\d\d/);
    await page.clock.install();
    await page.reload();
    const left = page.locator('#left');
    const first = await left.textContent();
    await page.clock.runFor(5_000);
    expect(await left.textContent()).not.toBe(first);
    stage.world.clock.ahead += 121_000;
    await page.clock.runFor(121_000);
    await page.getByText("Cette page n'est plus valable.").waitFor();
  });

  test('Telegram’s colours are taken, kept after an answer, and not where nobody could read them', async () => {
    const { page } = await opened('fr', { by: 'telegram', locale: 'fr-MA' });
    const surface = () => page.evaluate('getComputedStyle(document.querySelector("main")).backgroundColor');
    const own = await surface();
    const address = page.url();
    const shows = async (theme: object) => {
      await page.goto('about:blank');
      await page.goto(`${address}&${themed(theme).slice(1)}`);
    };
    await shows({ ...NIGHT, text_color: '#17212c' });
    expect(await surface()).toBe(own);
    await shows(NIGHT);
    expect(await surface()).toBe('rgb(23, 33, 43)');
    expect(await axeFinds(page)).toEqual([]);
    await taps(page, '1111');
    await isAlerted(page, 'Code PIN incorrect');
    expect(await surface()).toBe('rgb(23, 33, 43)');
  });

  test('in Telegram: the PIN is tapped, a wrong one is asked again, and the page says that it can be closed', async () => {
    const { fatima, page } = await opened('fr', { by: 'telegram', locale: 'fr-MA' });
    await page.getByLabel('Code PIN').waitFor();
    const first = page.url();
    await taps(page, '1111');
    await isAlerted(page, 'Code PIN incorrect');
    await taps(page, '97');
    await page.getByRole('button', { name: 'Effacer' }).click();
    await page.getByRole('button', { name: 'Effacer' }).click();
    await taps(page, PIN);
    await page.getByText("Merci, c'est reçu.").waitFor();
    await fatima.hears('balance.shown');
    const again = await page.goto(first);
    expect(again?.status()).toBe(410);
    await page.getByText("Cette page n'est plus valable.").waitFor();
  });

  test('without JavaScript it is a field and a button', async () => {
    const { fatima, page } = await opened('en', { by: 'link', javaScriptEnabled: false });
    expect(await page.locator('.keypad').isVisible()).toBe(false);
    await page.getByLabel('PIN', { exact: true }).fill('1111');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Wrong PIN').waitFor();
    await page.getByLabel('PIN', { exact: true }).fill(PIN);
    await page.keyboard.press('Enter');
    await page.getByText('Thank you, we have it.').waitFor();
    await fatima.hears('balance.shown');
  });

  test('without JavaScript Telegram’s customer is sent back to the keypad, which works', async () => {
    const { fatima, page } = await opened('ar', { by: 'telegram', javaScriptEnabled: false });
    await page.locator('noscript p').waitFor();
    await fatima.enters(PIN).sees('balance.shown');
  });

  test.each(['fr', 'ar', 'en'] as const)(
    'in %s nobody is kept out (axe), on a phone and on a desk',
    async (language) => {
      const { page } = await opened(language, { by: 'link' });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await axeFinds(page)).toEqual([]);
        const size =
          'const { scrollWidth, scrollHeight } = document.documentElement; [scrollWidth, scrollHeight]';
        expect(await page.evaluate(size), 'it fits the screen with its keypad').toEqual([width, 844]);
      }
      expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
      await page.locator('#secret').fill('12');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      expect(await axeFinds(page)).toEqual([]);
    },
  );
});

describe('the form for a card in a browser', () => {
  const world = theWorld({ form: true });

  async function at(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    // The browser names each refused card.
    const isRefusal = (message: ConsoleMessage) => /4\d\d/.test(message.text());
    const viewport = { width: 390, height: 844 };
    const page = await newPage({ viewport, locale: 'fr-MA', ...options }, isRefusal);
    await page.goto(url);
    return page;
  }
  async function fillsIn(page: Page, pan: string): Promise<void> {
    for (const [id, text] of [
      ['pan', pan],
      ['expiry', '08/30'],
      ['cvv', '737'],
      ['holder', 'Fatima Alaoui'],
    ] as const)
      await page.locator(`#${id}`).fill(text);
  }

  test.each([true, false])(
    'JavaScript %s: it leads to the bank and back, and the wallet says that money has come',
    async (javaScriptEnabled) => {
      const { fatima, form } = await atForm(world);
      const page = await at(form, { javaScriptEnabled });
      await fillsIn(page, CARD);
      await page.getByRole('checkbox').check();
      await page.locator('button.submit').click();
      await page.waitForURL(/\/3ds\//);
      await page.locator('#code').fill(THREE_DS_CODE);
      await page.locator('button[value="confirm"]').click();
      await page.waitForURL(/\/form\/back\//);
      await page.locator('h2').waitFor();
      await fatima.after(2_000).hears('card-cash-in.done');
    },
  );

  test('a number with one digit wrong is told as it is typed, and is not sent', async () => {
    const { fatima, form } = await atForm(world);
    const page = await at(form);
    await page.locator('#pan').pressSequentially('4242424242424241');
    await page.locator('#pan-wrong').waitFor();
    expect(await page.locator('#pan').inputValue()).toBe('4242 4242 4242 4241');
    await fillsIn(page, '4242 4242 4242 4241');
    await page.locator('button.submit').click();
    expect(await page.evaluate('document.activeElement.id')).toBe('pan');
    await page.locator('#pan').fill(CARD);
    expect(await page.locator('#pan-wrong').isVisible()).toBe(false);
    expect(world.wallet.calls(fatima.phone, 'cashInByCard')).toEqual([]);
  });

  test.each(['fr', 'ar', 'en'] as const)(
    'in %s the form is accessible (axe), also with errors everywhere',
    async (language) => {
      const fatima = world.customer({ channel: 'web', language });
      await fatima.isAtMenu().says('/card-cash-in 100').enters().sees('card-cash-in.askCard');
      const page = await at(formOf(world, fatima), { javaScriptEnabled: true });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await axeFinds(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      await page.evaluate('document.querySelector("form").noValidate = true');
      await page.locator('button.submit').click();
      await page.locator('#holder-wrong').waitFor();
      expect(await axeFinds(page)).toEqual([]);
    },
  );
});
