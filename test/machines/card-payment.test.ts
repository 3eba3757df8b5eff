import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { copyableIn } from '../../src/channels/copy.ts';
import { TEST_CARDS } from '../../src/sandbox/cards/test-cards.ts';
import { centimes } from '../../src/wallet/money.ts';
import { CHANNELS, type Customer, describeOn, LOST, loses, refused, theWorld, UNSENT } from '../kit/world.ts';
import { atBank, authorized, CARD, makesLink, pageShown, payPageOf, sends, typedCard } from './card-forms.ts';
import { merchantIn } from './merchant-orders.ts';

const HOUR_MS = 3_600_000;
const OTHER_CARD = {
  pan: CARD,
  expiry: '3008',
  cvv: '737',
  firstName: 'Karim',
  lastName: 'Alaoui',
  keep: false,
};
const world = theWorld({ form: true, bot: 'webhook' });

afterEach(() => {
  expect(world.errors).toEqual([]);
  expect(world.formLog.lines).toEqual([]);
});

/** A merchant with a link, and its page. */
async function linked(channel: (typeof CHANNELS)[number] = 'web', way: 'collect' | 'reserve' = 'collect') {
  const shop = merchantIn(world, channel);
  await shop.isAtMenu().walks(makesLink('80', way));
  await world.rests();
  return { shop, page: payPageOf(world, shop) };
}
const cards = ({ phone }: Customer) => world.wallet.calls(phone, 'payByCard').length;

describeOn(CHANNELS)('a link for a payment by card, made on %s', (channel) => {
  test('names merchant and amount, is paid once by anybody, and is told when the wallet confirms it', async () => {
    const { shop, page } = await linked(channel);
    await (channel === 'ussd'
      ? shop.sees('card-payment.linkSent')
      : shop.sees('card-payment.link', { amount: 80_00 }));
    const asked = await pageShown(page);
    expect(asked.status).toBe(200);
    expect(asked.html).toContain('Payer 80,00 DH par carte à Épicerie Bâ');
    expect(asked.html).not.toContain('name="keep"');
    const { status, bank } = await sends(page, typedCard(CARD, { keep: 'yes' }));
    expect(status).toBe(200);
    const back = await atBank(bank);
    expect(back.html).toContain('Le commerçant est prévenu');
    await shop.after(2_000).hears('card-payment.done', { amount: 80_00 });
    expect((await sends(page, typedCard())).status).toBe(410);
    expect((await pageShown(page)).html).toContain('déjà été payé');
    expect(cards(shop)).toBe(1);
    const kept = await world.api.savedCards(shop.phone);
    expect(kept).toEqual({ kind: 'ok', value: [] });
  });
});

/** On another terminal of theirs the merchant is paid the same. */
async function paidElsewhere({ phone: merchant }: Customer) {
  const reference = randomUUID();
  const order = { merchant, amount: centimes(80_00), card: OTHER_CARD, isReserved: false, reference };
  const answer = await world.api.payByCard(order, { requestId: reference });
  await atBank(answer.kind === 'ok' ? answer.value.redirect : undefined);
  await world.passes(30_000);
}

describe('the course of a payment by link', () => {
  test('a reservation says that the merchant has no money yet', async () => {
    const { shop, page } = await linked('web', 'reserve');
    expect((await pageShown(page)).html).toContain('Réserver 80,00 DH sur votre carte');
    await atBank((await sends(page, typedCard())).bank);
    await shop.after(2_000).hears('card-payment.reserved', { amount: 80_00 });
    await shop.after(2 * HOUR_MS).hearsNothing();
  });

  test('after a declined card, payer and merchant read within minutes that another link is needed', async () => {
    const { shop, page } = await linked();
    const { html } = await atBank((await sends(page, typedCard())).bank, 'decline');
    expect(html).toContain('n&#39;a pas été accepté');
    expect(html).toContain('demandez-lui un autre lien');
    expect(html).not.toContain('Merci');
    // A stranger has paid, who may have no wallet.
    expect(html).not.toContain('votre portefeuille');
    expect((await pageShown(page)).html).toContain('Ne payez pas une seconde fois');
    await shop.after(3 * 60_000).hears('card-payment.notFound', { amount: 80_00 });
    expect((await pageShown(page)).html).toContain('Demandez-en un autre au commerçant');
  });

  test('while the outcome is unknown, the link says the same each time it is opened', async () => {
    const { shop, page } = await linked();
    world.wallet.next('payByCard', LOST);
    expect((await sends(page, typedCard())).html).toContain('Ne payez pas une seconde fois');
    expect((await pageShown(page)).html).toContain('Ne payez pas une seconde fois');
    await shop.after(HOUR_MS + 60_000).hears('card-payment.notFound');
    expect((await pageShown(page)).html).toContain('Demandez-en un autre au commerçant');
  });

  test.each([
    ['just before is not taken for it', true, 'card-payment.notFound'],
    [
      'just before, where the list could not be read, is a person’s to tell apart',
      false,
      'card-payment.human',
    ],
  ] as const)('a payment made elsewhere %s', async (_, isRead, heard) => {
    const { shop, page } = await linked();
    await paidElsewhere(shop);
    if (!isRead) world.wallet.next('operations', LOST);
    await atBank((await sends(page, typedCard())).bank, 'decline');
    await shop.after(HOUR_MS + 60_000).hears(heard, { amount: 80_00 });
  });

  test('a payment made elsewhere just after does not count either, and the own event counts at any time', async () => {
    const { shop, page } = await linked();
    world.sandbox.faults.set({ name: 'webhookNever', operation: 'executeCardPayment', count: 1 });
    await atBank((await sends(page, typedCard())).bank);
    await paidElsewhere(shop);
    await shop.hearsNothing();
    await shop.after(HOUR_MS).hears('card-payment.human', { amount: 80_00 });
    await authorized(world, shop);
    await shop.hears('card-payment.done', { amount: 80_00 });
  });
});

describe('a link for payments', () => {
  test('after a refused card the link takes another one, five times', async () => {
    const { shop, page } = await linked();
    for (let i = 0; i < 5; i++) {
      const sent = await sends(page, typedCard(TEST_CARDS.international.pan));
      expect(sent.status).toBe(i < 4 ? 422 : 410);
      expect(sent.html).toContain('Les cartes étrangères ne sont pas acceptées');
      await shop.hears('card-payment.refused', { amount: 80_00 });
    }
    expect((await sends(page, typedCard())).status).toBe(410);
    expect(cards(shop)).toBe(5);
  });

  test('after a card that never reached the wallet the link takes another one, twenty times at most', async () => {
    const { shop, page } = await linked();
    for (let i = 0; i < 20; i++) {
      world.wallet.next('payByCard', UNSENT);
      expect((await sends(page, typedCard())).status).toBe(i < 19 ? 422 : 410);
      await shop.hears('card-payment.notSent', { amount: 80_00 });
    }
    expect((await sends(page, typedCard())).status).toBe(410);
    expect(cards(shop)).toBe(20);
  });

  test('a chat has a button that copies the link, as the payer is elsewhere', async () => {
    const { shop, page } = await linked();
    const { screen, language } = shop.reply();
    const { text } = world.renderer.chat(screen, language);
    expect(copyableIn(screen, text)).toEqual([{ what: 'link', text: page, isHidden: false }]);
  });

  test('on USSD the link goes out by SMS, and the next dial does not repeat it', async () => {
    const { shop } = await linked('ussd');
    expect(world.sms(shop.phone).join()).toContain('/form/pay/');
    await shop.dials().sees('menu.choose').isToldNothing();
  });

  test.each([
    ['lost, so that nobody knows', loses, 200, 'Nous ne savons pas encore', 1],
    ['lost on the way there', LOST, 200, 'Nous ne savons pas encore', 1],
    ['never sent, so that it can be tried once more', UNSENT, 422, 'pas été envoyé', 1],
  ])('the answer is %s', async (_, instead, status, says, made) => {
    const { shop, page } = await linked();
    world.wallet.next('payByCard', instead);
    const sent = await sends(page, typedCard());
    expect(sent.status).toBe(status);
    expect(sent.html).toContain(says);
    expect((await sends(page, typedCard())).status).toBe(status === 422 ? 200 : 410);
    expect(cards(shop)).toBe(made + (status === 422 ? 1 : 0));
  });

  test('of two payers at once one pays', async () => {
    const { shop, page } = await linked();
    const both = await Promise.all([sends(page, typedCard()), sends(page, typedCard())]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect(cards(shop)).toBe(1);
  });

  test('a day later nobody can pay, and a stranger’s address leads nowhere', async () => {
    const { page } = await linked();
    await world.passes(24 * HOUR_MS + 1);
    expect((await pageShown(page)).html).toContain('n&#39;est plus valable');
    expect((await sends(page, typedCard())).status).toBe(410);
    const other = page.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect((await pageShown(other)).status).toBe(410);
  });

  test('a mistyped card is asked for again, and a page of another site sends none', async () => {
    const { shop, page } = await linked();
    expect((await sends(page, typedCard('4242424242424241'))).status).toBe(422);
    const foreign = await fetch(page, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: '',
    });
    expect(foreign.status).toBe(403);
    expect(cards(shop)).toBe(0);
  });

  test('payments of the merchant and a second link do not wait for it, and a freeze closes it', async () => {
    const { shop, page } = await linked();
    await sends(page, typedCard());
    await shop.goes('menu').walks(makesLink('80')).sees('card-payment.link');
    const second = payPageOf(world, shop);
    await shop.goes('menu').says('/transfer').says('0655000009').says('5').sees('transfer.askPinOpenLoop');
    await shop.goes('menu').says('/freeze').sees('freeze.frozen');
    expect((await sends(second, typedCard())).status).toBe(410);
    await shop.goes('menu').says('/card-payment').sees('freeze.stopped');
  });

  test('a process that dies before the event leaves the payment to the next one', async () => {
    const { shop, page } = await linked('web', 'reserve');
    const { bank } = await sends(page, typedCard());
    await world.crashes();
    await atBank(bank);
    await world.passes(2_000);
    await world.again(shop).hears('card-payment.reserved');
  });
});

describe('a link is not made', () => {
  test.each([
    ['where the wallet takes no cards', refused('http404'), 'card-payment.notEnabled'],
    ['where the key may not', refused('http403'), 'card-payment.notEnabled'],
    ['for more than the merchant may hold', refused('90011'), 'card-payment.askAmount'],
    ['while the wallet does not answer', LOST, 'card-payment.askAmount'],
  ] as const)('%s', async (_, instead, seen) => {
    const shop = merchantIn(world);
    await shop.isAtMenu().meanwhile(() => world.wallet.next('previewCardPayment', instead));
    await shop.walks(makesLink()).sees(seen);
    if (seen !== 'card-payment.notEnabled') return;
    await shop.goes('menu').sees('menu.choose').offersNo('card-payments');
  });
});

test('no byte of a card is ever stored', async () => {
  const { shop, page } = await linked();
  await sends(page, typedCard(TEST_CARDS.international.pan));
  await sends(page, typedCard());
  const stored = await world.everythingStored();
  expect(stored).toContain(shop.phone);
  for (const secret of [CARD, TEST_CARDS.international.pan, 'Fatima Zahra Alaoui'])
    expect(stored).not.toContain(secret);
});
