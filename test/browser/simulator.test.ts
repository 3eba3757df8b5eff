import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { alone } from '../kit/alone.ts';
import { readText } from '../kit/tree.ts';
import { axeFinds, chatPhone, keypadPhone } from './pages.ts';
import { theStage } from './stage.ts';

/** How a sentence begins in the chat, by its key: the first words of it that stand beside no value. */
function wordsOf(language: Language): (key: string) => string {
  return (key) => {
    const [file, name = ''] = key.split('.');
    const sentences = JSON.parse(readText(`locales/${language}/${file}.json`)) as Record<string, string>;
    const words = sentences[name]?.split(/\{\{.*?\}\}|\n/).find((each) => each.trim().length >= WORDS_MIN);
    return (words ?? sentences[name] ?? key).slice(0, WORDS_MAX).trim();
  };
}
const WORDS_MIN = 6;
/** Variants of a sentence differ after this part. Deposits and withdrawals are asked for in different words before it. */
const WORDS_MAX = 40;

const FATIMA = '+212600000001';
const YOUSSEF = '+212600000002';

/** However slow the machine is, the page of a payment waits for its outcome. */
const stage = theStage({ settings: { OUTCOME_WAIT_MS: '8000', NEW_RECIPIENT_ASKS_FROM: '0' } });
/** It is meant to be read along: on a busy machine each of its steps waits for the one before. */
const TOUR_MAX_MS = 600_000;
let page: Page;

/** Opens the simulator page. Complaints of the browser fail the test. */
async function open(options: { locale?: string; width?: number } = {}) {
  page = await stage.page(options);
  await page.goto(stage.wasl.url);
  return { keypad: keypadPhone(page), chat: chatPhone(page) };
}

test('money sent on the keypad phone arrives in the chat, and its sender reads so on the page that waits for it', async () => {
  const { keypad, chat } = await open();
  await chat.links();

  await keypad.dials();
  await keypad.sees('العربية');
  await keypad.presses('1');
  await keypad.sees('2 Solde');
  expect(await page.locator('#units').textContent()).toMatch(/^\d+ sur 160$/);
  await keypad.presses('1');
  await keypad.sees('destinataire');
  await keypad.presses('0600000002');
  await keypad.sees('Montant');
  await keypad.presses('50');
  await keypad.sees('Envoi de 50,00 DH à Youssef Benali, 0600000002');
  await keypad.sees('Tapez votre code PIN');
  await keypad.presses('1234');

  await chat.sees('Vous avez reçu 50,00 DH');
  await keypad.sees('Envoi de 50,00 DH à Youssef Benali');
});

test.each(LANGUAGES)(
  'a newcomer opens a wallet, is paid, loads it, pays and withdraws in one sitting, in %s',
  async (language) => {
    const { keypad, chat } = await open({ locale: `${language}-MA` });
    const says = wordsOf(language);
    await chat.sees(says('linking.askPhone'));
    await chat.belongsTo('');
    const number = ((await page.locator('#chat-number').textContent()) ?? '').replace(/\D/g, '');
    await chat.sees(says('linking.askPhone'));
    const answers = async (
      ...steps: readonly (readonly [asked: string, answer: () => Promise<unknown>])[]
    ) => {
      for (const [asked, answer] of steps) {
        await chat.sees(says(asked));
        await answer();
      }
    };
    const writes = (text: string) => () => chat.writes(text);
    const chooses = (key: string) => () => chat.chooses(new RegExp(`^${says(key)}$`));
    const code = () => chat.takes(/\d{3}-\d{3}/);
    await answers(
      ['linking.askPhone', writes(number)],
      ['linking.askCode', code],
      ['consent.ask', chooses('consent.agree')],
      ['onboarding.askFirstName', writes('Amina')],
      ['onboarding.askLastName', writes('Tazi')],
      ['onboarding.askCin', writes('AB123456')],
      ['onboarding.review', chooses('onboarding.confirm')],
      ['onboarding.askCode', code],
      ['onboarding.askNewPin', writes('2590')],
      ['onboarding.repeatPin', writes('2590')],
      ['onboarding.opened', chooses('web.toMenu')],
    );
    // All answers in one dial: send money, to this number, 20 dirhams.
    await keypad.dials();
    await keypad.presses('1');
    await keypad.sees('2 Solde');
    await keypad.hangsUp();
    await keypad.types(`*123*1*${number}*20#`);
    await keypad.sees('Nouveau destinataire');
    await keypad.presses('2');
    await keypad.sees('code PIN');
    await keypad.types('1234');
    await chat.sees(/20[.,]00/);
    await answers(
      ['menu.choose', chooses('menu.cash')],
      ['cash.choose', chooses('cash.cash-in')],
      ['cash-in.askAmountWithin', writes('300')],
    );
    // The counter where a reference is used is played beside the phone.
    await chat.plays(/300\W+(?:DH|درهم)|MAD\W+300/);
    await answers(
      ['cash-in.executed', chooses('web.toMenu')],
      ['menu.choose', chooses('menu.transfer')],
      ['transfer.askRecipient', writes('0600000001')],
      ['transfer.askAmount', writes('50')],
      ['pay.askNew', writes('2590')],
      ['transfer.done', chooses('web.toMenu')],
      ['menu.choose', chooses('menu.cash')],
      ['cash.choose', chooses('cash.cash-out')],
      ['cash-out.askAmount', writes('100')],
      ['cash-out.askPinPriced', writes('2590')],
    );
    await chat.plays(/100\W+(?:DH|درهم)|MAD\W+100/);
    await answers(
      ['cash-out.executedPriced', chooses('web.toMenu')],
      ['menu.choose', chooses('menu.balance')],
      ['balance.askPin', writes('2590')],
    );
    await chat.sees(/\b170[.,]00/);
    expect((await chat.bubbles()).join('\n')).not.toMatch(alone('2590'));
  },
);

test('a customer who hangs up before the answer can dial at once, and the answer is not shown', async () => {
  const { keypad } = await open();
  await keypad.dials();
  await keypad.sees('العربية');
  const { promise: late, resolve: comes } = Promise.withResolvers<void>();
  const isLate = (route: Route) => late.then(() => route.continue());
  await page.route('**/ussd/africastalking', isLate, { times: 1 });
  await keypad.presses('9');
  await keypad.hangsUp();
  await keypad.dials();
  await keypad.sees('العربية');
  const shown = await keypad.text();
  const answered = page.waitForResponse('**/ussd/africastalking');
  comes();
  await (await answered).finished();
  await page.evaluate('new Promise(requestAnimationFrame)');
  expect(await keypad.text()).toBe(shown);
});

test('the page is Arabic from right to left, fits a narrow phone, and works by keyboard', async () => {
  const { keypad } = await open({ locale: 'ar-MA', width: 360 });
  await page.getByRole('heading', { name: 'وصل', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  const tooWide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(await tooWide()).toBe(0);

  await page.locator('#typed').focus();
  await page.keyboard.press('Enter');
  await keypad.sees('العربية');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await keypad.sees('رصيد');
  expect(await page.locator('#page').getAttribute('dir')).toBe('rtl');
  expect(await page.locator('#units').textContent()).toMatch(/من 70/);

  await page.locator('#tab-ussd').focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('#chat-frame').waitFor();
  const frame = page.frameLocator('#chat-frame');
  await frame.locator('.bubble').first().waitFor();
  expect(await frame.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await tooWide()).toBe(0);
});

test('a reloaded chat keeps its place, and never shows a secret', async () => {
  const { chat } = await open();
  await chat.sees('numéro de mobile');
  await chat.takes('Youssef');
  await chat.sees('code par SMS');
  expect(await chat.field.getAttribute('autocomplete')).toBe('one-time-code');
  await chat.takes('Code');
  await chat.sees('code PIN');
  expect(await chat.field.getAttribute('type')).toBe('password');
  await page.reload();
  await chat.sees('code PIN');
  expect(await chat.bubbles()).toHaveLength(1);
});

/** Numbers in a text of the page, in its order. */
async function moneyIn(place: string, number = /(\d[\d\s]*,\d\d)/g): Promise<number[]> {
  const text = (await page.locator(place).textContent()) ?? '';
  return [...text.matchAll(number)].map(([, found = '']) =>
    Number(found.replaceAll(/\s/g, '').replace(',', '.')),
  );
}

test('the page says what Wasl is, has one switch for both phones, and leads to the console', async () => {
  const { keypad, chat } = await open({ width: 390 });
  expect(await page.locator('.name p').isVisible()).toBe(true);
  await page.getByText('Le portefeuille mobile en conversation').waitFor();
  for (const owner of ['Fatima', 'Youssef']) await page.getByRole('tab', { name: owner }).waitFor();
  await keypad.dials();
  await keypad.sees('العربية');
  await page.locator('#languages [value="en"]').click();
  // A small window gives its place to the page of the phone.
  await page.getByText('The mobile wallet in a conversation').waitFor({ state: 'attached' });
  await keypad.sees('Balance');
  await page.getByRole('tab', { name: 'Youssef' }).click();
  await chat.sees('mobile number');
  expect(await page.frameLocator('#chat-frame').locator('#languages').isVisible()).toBe(false);
  expect(await page.locator('.languages:visible').count()).toBe(1);
  const [console] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open the console' }).click(),
  ]);
  await console.getByText('Demo').first().waitFor();
});

test.each(['08:06:00', '08:06:20'])(
  'the guided run sends no amount that is a key of the phone, at %s',
  async (time) => {
    page = await stage.page();
    await page.clock.setFixedTime(`2026-11-30T${time}Z`);
    await page.goto(stage.wasl.url);
    const sent = async () => (await moneyIn('#steps li >> nth=1', /\u2066(\d\d)\u2069/g))[0] ?? 99;
    await expect.poll(sent).toBeLessThan(98);
  },
);

/** Waits for the end of the guided run. A run that has stopped early fails the test with what both phones show. */
async function seesTourEnd(says: RegExp) {
  await page.locator('#tour[hidden]').waitFor({ state: 'attached' });
  await page.locator('#tour').waitFor({ timeout: TOUR_MAX_MS });
  const [said, keypad] = await Promise.all(
    ['#tour-now', '#page'].map((part) => page.locator(part).innerText()),
  );
  const chat = (await chatPhone(page).bubbles()).slice(-3).join('\n');
  expect(said, `the phone shows:\n${keypad}\nthe chat says:\n${chat}`).toMatch(says);
}

test(
  'the guided run sends money by itself unless paused, and shows the outcome on a phone, too',
  async () => {
    const { chat } = await open({ locale: 'ar-MA', width: 390 });
    const frame = page.frameLocator('#chat-frame');
    await frame.locator('.bubble').first().waitFor({ state: 'attached' });
    await page.locator('#tour').click();
    await page.locator('#tour-pause').click();
    expect(await page.locator('#tour-pause').getAttribute('aria-pressed')).toBe('true');
    await page.locator('#tour-pause').click();
    await seesTourEnd(/المحادثة/);
    await frame.locator('.bubble.news').waitFor();
    await chat.sees(/[5-9]\d,00/);
    // Both balances, before and after, by the amount that the steps name.
    const [before = 0, after = 0] = await moneyIn('#balances .changed >> nth=0');
    const [had = 0, has = 0] = await moneyIn('#balances .changed >> nth=1');
    const [sent] = await moneyIn('#steps li >> nth=1', /\u2066(\d\d)\u2069/g);
    expect([before - after, has - had]).toEqual([sent, sent]);
    // It came while the chat was behind the other phone.
    const [news, view] = await Promise.all(
      ['.bubble.news', '#scroll'].map((part) => frame.locator(part).boundingBox()),
    );
    expect(news?.y).toBeLessThan((view?.y ?? 0) + (view?.height ?? 0));
  },
  TOUR_MAX_MS,
);

/** Youssef changes his PIN, and asks for as many codes as he may in an hour. */
async function spoils(keypad: ReturnType<typeof keypadPhone>, chat: ReturnType<typeof chatPhone>) {
  await stage.changesPin(YOUSSEF, '1234', '7391');
  for (let i = 0; i < 4; i++) {
    await chat.beginsAnew(() => page.locator('#new-chat').click());
    await chat.sees('numéro de mobile');
    await chat.takes('Youssef');
    await chat.sees(i < 3 ? 'code par SMS' : 'Trop de codes');
  }
  await keypad.dials();
  await keypad.sees('العربية');
}

test(
  'the guided run has codes of its own, and knows the PIN after any change',
  async () => {
    const { keypad, chat } = await open();
    await spoils(keypad, chat);
    await page.locator('#tour').click();
    await seesTourEnd(/l'apprend dans la conversation/);
    await page.frameLocator('#chat-frame').locator('.bubble.news').waitFor();
  },
  TOUR_MAX_MS,
);

test('starting over resets both phones, their codes and PINs', async () => {
  const { keypad, chat } = await open();
  await spoils(keypad, chat);
  await chat.beginsAnew(() => page.getByRole('button', { name: 'Recommencer à zéro' }).click());
  await page.locator('#ussd-chips button').first().waitFor();
  await chat.sees('numéro de mobile');
  expect(await keypad.text()).not.toContain('العربية');
  await chat.links();
});

test('the guided run can be left, and both phones are one’s own again', async () => {
  const { keypad } = await open();
  await page.frameLocator('#chat-frame').locator('.bubble').first().waitFor();
  await page.locator('#tour').click();
  await page.locator('#tour-stop').click();
  await page.locator('#tour').waitFor();
  await keypad.dials();
  await keypad.sees('العربية');
});

test.each([
  [1366, 768],
  [390, 844],
])('all of it fits %i × %i', async (width, height) => {
  for (const locale of ['fr-MA', 'ar-MA', 'en']) {
    page = await stage.page({ locale, width, height });
    await page.goto(stage.wasl.url);
    await page.frameLocator('#chat-frame').locator('.bubble').first().waitFor({ state: 'attached' });
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), locale).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), locale).toBe(0);
  }
});

test.each(['fr-MA', 'ar-MA', 'en'])('axe finds nothing on the page, in %s', async (locale) => {
  await open({ locale });
  await page.frameLocator('#chat-frame').locator('.bubble').first().waitFor();
  expect(await axeFinds(page)).toEqual([]);
});

test('the owner of a phone is one of the seeded customers, or a new number', async () => {
  await open();
  for (const phone of ['ussd', 'chat']) {
    // The page asks who they are once it is there.
    await expect
      .poll(() =>
        page
          .locator(`#${phone}-owner option`)
          .evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? '')),
      )
      .toEqual(expect.arrayContaining([FATIMA, YOUSSEF, '']));
  }
});

test.each([
  ['beside the phones', 1366, 768],
  ['behind a tab of its own', 390, 844],
] as const)(
  'the events behind the phones are shown %s: screen, call, webhook, and no secret',
  async (_, width, height) => {
    page = await stage.page({ width, height });
    await page.goto(stage.wasl.url);
    const keypad = keypadPhone(page);
    const list = page.locator('#behind-list');
    await page.locator(width > 859 ? '#behind-open' : '#tab-behind').click();
    await list.getByText('ouvre la conversation').waitFor();
    if (width < 860) await page.locator('#tab-ussd').click();
    await keypad.dials();
    await keypad.sees('العربية');
    await keypad.types('1');
    await keypad.sees('2 Solde');
    for (const [answer, seen] of [
      ['1', 'destinataire'],
      ['0600000002', 'Montant'],
      ['50', 'Tapez votre code PIN'],
      ['1234', /en cours|effectué/],
    ] as const) {
      await keypad.types(answer);
      await keypad.sees(seen);
    }
    if (width < 860) await page.locator('#tab-behind').click();
    await list.locator('.webhook').filter({ hasText: 'transfer.' }).first().waitFor();
    const lines = await list.locator('li').allInnerTexts();
    const at = (what: RegExp) => lines.findIndex((line) => what.test(line));
    // In the order in which it happened: the person, the call, the screen, the webhook.
    const order = [
      /Fatima.*écrit « .?50/s,
      /transfer\/preview\s200/,
      /Fatima.*code secret/s,
      /operations\/transfer\s200/,
      /transfer\.\w+\s200/,
    ];
    expect(order.map(at)).toEqual(order.map(at).sort((a, b) => a - b));
    expect(at(order[0] as RegExp)).toBeGreaterThan(0);
    await list.locator('.call summary').filter({ hasText: 'operations/transfer' }).first().click();
    expect(await list.locator('details[open] pre').textContent()).toContain('"Amount": 50');
    expect(await list.textContent()).not.toMatch(alone('1234'));
    expect(await axeFinds(page)).toEqual([]);
    const tooLarge = await page.evaluate(
      '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]',
    );
    expect(tooLarge).toEqual([0, 0]);
  },
);
