import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createSmsStops } from '../../src/conversation/sms-stops.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { type Customer, createCustomer } from '../kit/customer.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { LOST, theWorld } from '../kit/world.ts';
import { CREDITORS, goesTo } from '../machines/bill-orders.ts';
import { fakeLog } from './fakes.ts';
import { boundTo, smppWay } from './shape-way.ts';
import { startSmsc } from './smpp/smsc.ts';

/** Far longer than a test: a page that waits is answered because the outcome has come. */
const world = theWorld({ outcomeWaitMs: 60_000 });
/** A payment takes as long as no machine stands still. */
const SETTLES_MS = 30_000;
/** Looks once, and gives up. */
const hasty = theWorld({ outcomeWaitMs: 300, settings: { settleAfterMs: SETTLES_MS } });
/** The same, with an operator who pays for no SMS. */
const unpaid = theWorld({ outcomeWaitMs: 300, settings: { settleAfterMs: SETTLES_MS }, smsFor: [] });
/** The same, with a chat that reaches its customer. */
const heard: string[] = [];
const told = theWorld({
  outcomeWaitMs: 300,
  settings: { settleAfterMs: SETTLES_MS },
  deliver: async (_to, { screen }) => {
    heard.push(screen.key);
    return 'delivered';
  },
});
addTestChannel('chatter', { name: 'Bavard', pushes: 'always', reachesAway: true });
const ENDS = {
  'by SMS': /^END .*est en cours.*\nLe résultat arrive par SMS\.$/s,
  'at the next dial': /^END .*est en cours.*\nPour le résultat, composez de nouveau notre code\.$/s,
  'in the chat': /^END .*est en cours.*\nLe résultat arrive dans votre conversation Bavard\.$/s,
};
/** Waits, and a payment is under way until the test says so. */
const slow = theWorld({ outcomeWaitMs: 60_000, settings: { settleAfterMs: SETTLES_MS } });

/** One call on a phone, through the gateway's own routes. */
function handset({ engine, renderer }: typeof world, phone: Msisdn) {
  const app = ussdRoutes({
    conversations: engine,
    renderer,
    secrets: createSecrets('a secrets key of the tests, 32 characters'),
    door: () => ({ secrets: [], addresses: [], proxies: [] }),
    serviceCode: '*123#',
    language: 'fr',
    log: fakeLog().log,
  });
  const posts = async (path: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ sessionId: 'one', phoneNumber: phone, ...fields });
    return (await app.request(`/africastalking${path}`, { method: 'POST', body })).text();
  };
  const types = (...answers: string[]) => posts('', { text: answers.join('*') });
  const ends = (status: 'Success' | 'Incomplete' | 'Failed') => posts('/end', { status });
  return Object.assign(types, { ends, hangsUp: () => ends('Incomplete') });
}

const PAYS = ['1', '0655000000', '100'];

/** A customer who is asked for the PIN of a transfer, and the call they make. */
async function atPin(here: typeof world, to = '0655000000') {
  const fatima = here.customer({ language: 'fr' });
  await fatima.isAtMenu();
  const types = handset(here, fatima.phone);
  const [menu = '', , amount = ''] = PAYS;
  expect(await types(menu, to, amount)).toContain('Tapez votre code PIN');
  return { fatima, pays: () => types(menu, to, amount, '1234') };
}

/** Until the wallet has taken the payment, and the page waits. */
const isSent = (fatima: Customer, here = world) =>
  expect
    .poll(async () => {
      const { intent, underway } = await here.session(fatima);
      return intent !== undefined && !underway;
    })
    .toBe(true);

test('the last page shows the outcome of the payment, and no SMS repeats it', async () => {
  const { fatima, pays } = await atPin(world);
  const page = pays();
  await isSent(fatima);
  await world.passes(1_500);
  expect(await page).toMatch(/^CON Envoi de 100,00 DH au 0655000000 effectué/);
  await world.rests();
  expect(world.sms(fatima.phone)).toEqual([]);
  await fatima.dials().sees('menu.choose').isTold('transfer.done');
  // The page may have been lost, so its message comes again, marked as such.
  expect(fatima.reply().missed[0]?.screen.notice).toEqual({ key: 'nav.again' });
});

test.each([
  ['says that it was delivered', 'Success', false],
  ['says that the caller left', 'Incomplete', true],
  ['says that it failed', 'Failed', true],
  ['says nothing', undefined, true],
] as const)('a last page with the outcome: the gateway %s', async (_, status, isTold) => {
  const { fatima, pays } = await atPin(world, MAGIC.failsLater.replace('+212', '0'));
  const page = pays();
  await isSent(fatima);
  await world.passes(1_500);
  expect(await page).toMatch(/^END .*n'a pas abouti/);
  if (status) await handset(world, fatima.phone).ends(status);
  if (isTold) await fatima.dials().isTold('transfer.failed').isTold('nav.again');
  else await fatima.dials().sees('menu.choose').isToldNothing();
  expect(world.sms(fatima.phone)).toEqual([]);
});

test('the customer saves the recipient with one answer on that page, which stays open for it', async () => {
  const { fatima, pays } = await atPin(world);
  const page = pays();
  await isSent(fatima);
  await world.passes(1_500);
  expect(await page).toMatch(
    /^CON Envoi de 100,00 DH au 0655000000 effectué.*\n1 Enregistrer ce bénéficiaire\n00 Menu$/s,
  );
  const types = handset(world, fatima.phone);
  const said = [...PAYS, '1234', '1'];
  expect(await types(...said)).toMatch(/^CON Sous quel nom enregistrer le numéro 0655000000 \?/);
  expect(await types(...said, 'Maman')).toBe('END Bénéficiaire enregistré : Maman.');
  await fatima.dials().sees('menu.choose').isToldNothing();
  const answer = await world.api.beneficiaries(fatima.phone);
  expect(answer).toMatchObject({ value: { entries: [{ name: 'Maman', phoneNumber: '+212655000000' }] } });
});

test('a payment that fails meanwhile is told there, too', async () => {
  const { fatima, pays } = await atPin(world, MAGIC.failsLater.replace('+212', '0'));
  const page = pays();
  await isSent(fatima);
  await world.passes(1_500);
  expect(await page).toMatch(/^END .*n'a pas abouti/);
  expect(world.sms(fatima.phone)).toEqual([]);
});

test.each([
  ['by SMS', hasty, 1],
  ['at the next dial', unpaid, 0],
] as const)(
  'the page says that the payment goes on when the outcome is late, and that it comes %s',
  async (way, here, sms) => {
    const { fatima, pays } = await atPin(here);
    expect(await pays()).toMatch(ENDS[way]);
    expect(here.sms(fatima.phone)).toEqual([]);
    await here.passes(SETTLES_MS + 3_000);
    expect(here.sms(fatima.phone)).toHaveLength(sms);
    await fatima.dials().isTold('transfer.done');
  },
);

test.each(LANGUAGES)('a page that waits for an outcome ends its session, in %s', async (language) => {
  const fatima = hasty.customer({ language });
  await fatima.isAtMenu();
  const types = handset(hasty, fatima.phone);
  await types('1', '0655000000', '100');
  const page = await types('1', '0655000000', '100', '1234');
  expect(page).toMatch(
    /^END .*(?:Ne le refaites pas|لا تعيدوه|Please don't make it again)\.\n.*(?:SMS|رسالة)/s,
  );
});

test('it names the chat that will say it', async () => {
  const dialer = told.customer({ language: 'fr' });
  const chat = inTestChannel(told, dialer, 'chatter');
  await chat.isAtMenu();
  await dialer.isAtMenu();
  const types = handset(told, dialer.phone);
  const [menu = '', to = '', amount = ''] = PAYS;
  await types(menu, to, amount);
  expect(await types(menu, to, amount, '1234')).toMatch(ENDS['in the chat']);
  await told.passes(SETTLES_MS + 3_000);
  expect(told.sms(dialer.phone).filter((text) => text.includes('100,00'))).toEqual([]);
  expect(heard).toContain('transfer.done');
});

test('after a STOP the page promises no SMS, none comes, and the next dial tells the outcome', async () => {
  const { fatima, pays } = await atPin(hasty);
  const stops = createSmsStops(hasty.store, hasty.secrets);
  await stops.set(fatima.phone, true);
  const page = await pays();
  expect(page).toMatch(/^END .*est en cours/);
  expect(page).not.toContain('SMS');
  await hasty.passes(SETTLES_MS + 3_000);
  await hasty.rests();
  expect(hasty.sms(fatima.phone)).toEqual([]);
  await fatima.dials().sees('menu.choose').isTold('transfer.done');
});

test('an answer that is lost is waited for like one that has come', async () => {
  const { fatima, pays } = await atPin(hasty);
  hasty.wallet.next('transfer', LOST);
  expect(await pays()).toMatch(/^END .*pas encore confirmé.*SMS/s);
  await fatima.dials().isTold('transfer.notConfirmed');
});

test('a caller who hangs up meanwhile gets the outcome by SMS, as soon as it is known', async () => {
  const { fatima, pays } = await atPin(world);
  const page = pays();
  await isSent(fatima);
  await handset(world, fatima.phone).hangsUp();
  expect(await page).toMatch(/^END .*est en cours/);
  await world.passes(1_500);
  await expect.poll(() => world.sms(fatima.phone).join()).toContain('100,00 DH');
});

test('an outcome whose page the SMSC refuses goes by SMS', async () => {
  const smsc = await startSmsc();
  const smpp = await boundTo(smsc);
  const { phone } = world.customer({ language: 'fr' });
  const way = smppWay(world, phone, async () => smsc);
  const fatima = createCustomer(world, phone, 'fr', way);
  await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
  smsc.tell({ do: 'set', status: 0x45, once: 1 });
  const page = fatima.enters();
  await isSent(fatima);
  await page.after(1_500).sees('transfer.done');
  await expect.poll(() => world.sms(phone).join()).toContain('100,00 DH');
  await smpp.close();
  await smsc.kill();
});

test('a new dial leaves that page', async () => {
  const { fatima, pays } = await atPin(slow);
  const page = pays();
  await isSent(fatima, slow);
  await fatima.dials().sees('menu.choose').isTold('transfer.notConfirmed');
  expect(await page).toMatch(/^END .*est en cours/);
});

/** An outcome of two pages, which came while the page waited. `turns` asks for the second one. */
async function hasOutcomeOfTwoPages(here: typeof world) {
  const fatima = here.customer({ language: 'ar' });
  await fatima.isAtMenu();
  const types = handset(here, fatima.phone);
  const dialled = ['1', '0655000000', '100', '98'];
  for (let i = 1; i <= dialled.length; i++) await types(...dialled.slice(0, i));
  const page = types(...dialled, '1234');
  await isSent(fatima, here);
  await here.passes(1_500);
  const first = await page;
  expect(first).toMatch(/^CON .*\n98 >/s);
  return { fatima, first, turns: () => types(...dialled, '1234', '98') };
}

test('98 on an outcome of two pages, which came while the page waited, turns to the second one', async () => {
  const { first, turns } = await hasOutcomeOfTwoPages(world);
  const second = await turns();
  expect(second).not.toBe(first);
  expect(second).toContain('مستفيد');
});

describe('the receipt of a bill, which an SMS has as well', () => {
  let last = 8_877_000;
  const atReceipt = (language: 'fr' | 'ar') => {
    const fatima = world.customer({ language, balance: '9000' });
    return fatima
      .isAtMenu()
      .walks(goesTo(CREDITORS.amendis))
      .chooses('01')
      .says(String(last++))
      .enters()
      .sees('bill-payment.doneSettled');
  };

  test('is answered by the first 1, and 98 turns it at once', async () => {
    await atReceipt('fr').says('1').sees('bill-payment.kept');
    const karima = atReceipt('ar');
    await karima.says('98').sees('bill-payment.doneSettled');
    expect(karima.reply().page).toBe(1);
  });

  test.each(['fr', 'ar'] as const)(
    'that was turned is no reminder at the next dial, in %s',
    async (language) => {
      const fatima = atReceipt(language);
      await fatima.says('98').dials().sees('menu.choose').isToldNothing();
      await expect.poll(() => world.sms(fatima.phone).join()).toContain('Amendis');
    },
  );

  test('that nobody has answered is a reminder until its end was turned', async () => {
    const fatima = atReceipt('ar');
    await fatima.dials().isTold('bill-payment.doneSettled').dials().isTold('bill-payment.doneSettled');
    const shown = () => pageOf(world.renderer, fatima.reply());
    while (shown().told < 1) await fatima.says('98').isTold('bill-payment.doneSettled');
    await fatima.says('98').isTold('bill-payment.doneSettled').dials().isToldNothing();
  });
});

describe('where no outcome may cost an SMS', () => {
  const world = theWorld({ outcomeWaitMs: 60_000, smsFor: [] });

  test('its first page was turned, and the second has not left: the next dial tells it', async () => {
    const { fatima, turns } = await hasOutcomeOfTwoPages(world);
    await turns();
    const { dialog = '' } = await world.session(fatima);
    await world.engine.left({ id: 'lost', address: fatima.address, dialog, unseen: true });
    await fatima.dials().isTold('transfer.done');
  });
});
