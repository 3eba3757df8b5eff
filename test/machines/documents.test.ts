import { expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { inHand } from '../../src/conversation/incoming.ts';
import { currentScreen } from '../../src/conversation/session/current-screen.ts';
import { DOC_TYPES } from '../../src/wallet/contract/kyc.ts';
import { CHATS, type Customer, DAY_MS, LOST, refused, testOn, theWorld } from '../kit/world.ts';
import { formOf, PDF, PNG, sendsFiles } from './card-forms.ts';
import { merchantIn } from './merchant-orders.ts';

const world = theWorld({ form: true, bot: 'webhook' });

/** From the menu to a company's list. */
const lists = (shop: Customer): Customer =>
  shop
    .chooses('account')
    .chooses('documents')
    .sees('documents.askClient')
    .chooses('company')
    .sees('documents.choose');
/** The documents that the wallet received, without their bytes. */
const sent = ({ phone }: Customer) =>
  world.wallet.told(phone, 'sendMerchantDocument').map(([order]) => {
    const { docType, front, back } = order as Record<string, { type: string } | undefined> & {
      docType: number;
    };
    return [docType, front?.type, back?.type];
  });
/** The documents that a list shows as sent. */
const markedIn = (list: Screen | undefined) =>
  list?.choices?.flatMap(({ id, key }) => (key === 'documents.sentOn' ? [id] : []));
const dayBefore = (days: number) =>
  new Date(world.clock.now() - days * DAY_MS).toISOString().slice(0, 10).split('-').reverse().join('/');

testOn(CHATS)('a merchant sends documents one at a time and reads the list, on %s', async (channel) => {
  const shop = merchantIn(world, channel);
  await shop.isAtMenu().walks(lists).chooses('STATUTES').sees('documents.askFile');
  expect(await sendsFiles(formOf(world, shop), { front: PDF })).toBe(200);
  await shop.hears('documents.choose');
  expect(markedIn(currentScreen(await world.session(shop)))).toEqual(['STATUTES']);
  await shop.goes('menu').chooses('account').chooses('documents').sees('documents.choose');
  expect(markedIn(shop.reply().screen)).toEqual(['STATUTES']);
  // Two sides, in one request: neither waits anywhere for the other.
  await shop.chooses('IDENTITY_CARD').sees('documents.askBothSides');
  expect(await sendsFiles(formOf(world, shop), { front: PNG })).toBe(422);
  expect(await sendsFiles(formOf(world, shop), { front: PNG, back: PNG })).toBe(200);
  await shop.hears('documents.choose');
  expect(sent(shop)).toEqual([
    [DOC_TYPES.STATUTES, 'application/pdf', undefined],
    [DOC_TYPES.IDENTITY_CARD, 'image/png', 'image/png'],
  ]);
  expect(await world.everythingStored()).not.toContain('%PDF-1.7');
});

test('a certificate of the commercial register is less than 90 days old', async () => {
  const shop = merchantIn(world);
  await shop.isAtMenu().walks(lists).chooses('COMMERCIAL_REGISTER').sees('documents.askDate');
  for (const [text, why] of [
    ['hier', 'documents.notADate'],
    ['31/02/2026', 'documents.notADate'],
    [dayBefore(91), 'documents.tooOld'],
    [dayBefore(-2), 'documents.notYet'],
  ] as const)
    await shop.says(text).sees('documents.askDate').isTold(why);
  const easternDay = dayBefore(10).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '');
  await shop.says(easternDay).sees('documents.askFile');
});

test.each([
  ['no file', {}],
  ['an empty one', { front: new File([], 'x.pdf', { type: 'application/pdf' }) }],
  ['what only says that it is one', { front: new File(['<html>'], 'x.pdf', { type: 'application/pdf' }) }],
  ['more than 5 MB', { front: new File(['%PDF-', new Uint8Array(5_000_000)], 'x.pdf') }],
])('%s is asked for again, and nothing is sent', async (_, files: Record<string, File>) => {
  const shop = merchantIn(world);
  await shop.isAtMenu().walks(lists).chooses('STATUTES').sees('documents.askFile');
  expect(await sendsFiles(formOf(world, shop), files)).toBe(422);
  expect(sent(shop)).toEqual([]);
});

test.each<[string, readonly string[], SentenceKey]>([
  ['a front that is no picture, without its back', ['a list of words'], 'documents.otherType'],
  ['a front that is no picture', ['a list of words', '%PDF-1.7'], 'documents.otherType'],
  ['a back that is no picture', ['%PDF-1.7', '<html>'], 'documents.otherType'],
  ['an empty front', [''], 'documents.emptyFile'],
  ['a front without its back', ['%PDF-1.7'], 'documents.notThere'],
])('the web chat names %s, and sends nothing', async (_, sides, told) => {
  const shop = merchantIn(world);
  await shop.isAtMenu().walks(lists).chooses('IDENTITY_CARD').sees('documents.askBothSides');
  const document = inHand(sides.map((side) => new TextEncoder().encode(side)));
  const files = { address: shop.address, id: 'files', inputs: [{ type: 'photo' }], document } as const;
  const { screen } = await world.engine.receive(files, 5_000);
  expect([screen.key, screen.notice?.key]).toEqual(['documents.askBothSides', told]);
  expect(sent(shop)).toEqual([]);
});

test.each([
  ['90133', refused('90133'), 'documents.askFile', 'problem.90133'],
  ['a lost answer', LOST, 'documents.choose', 'documents.notKnown'],
])('after %s it can be sent once more', async (_, instead, seen, told) => {
  const shop = merchantIn(world);
  await shop.isAtMenu().walks(lists).chooses('STATUTES').sees('documents.askFile');
  world.wallet.next('sendMerchantDocument', instead);
  expect(await sendsFiles(formOf(world, shop), { front: PDF })).toBe(200);
  await shop.hears(seen);
  await shop.opens().sees(seen);
  expect([told, undefined]).toContain(shop.reply().screen.notice?.key);
});

test('a picture of which no file is there is asked for again, and after ten minutes the list comes', async () => {
  const shop = merchantIn(world);
  await shop.isAtMenu().walks(lists).photographs().isTold('documents.oneByOne');
  await shop.chooses('PASSPORT').sees('documents.askFile');
  const form = formOf(world, shop);
  await shop.photographs().sees('documents.askFile').isTold('documents.notThere');
  expect(await sendsFiles(form, { front: PDF })).toBe(410);
  await world.passes(11 * 60_000);
  await shop.opens().sees('documents.choose');
});

test('a phone gets directions, and only a merchant is offered it', async () => {
  await merchantIn(world, 'ussd').isAtMenu().dials('7', '3').sees('documents.elsewhere');
  await world.customer().isAtMenu().dials('7', '3').sees('upgrade.explain');
});

test('in words, a merchant sends documents, and anybody else raises the level', async () => {
  await merchantIn(world).isAtMenu().says('envoyer mes documents').sees('documents.askClient');
  await world.customer({ channel: 'web' }).isAtMenu().says('envoyer mes documents').sees('upgrade.explain');
});

test('a complete set raises the level, and the merchant hears of it', async () => {
  const shop = merchantIn(world);
  await shop.isAtMenu().walks(lists);
  for (const id of ['PASSPORT', 'BANK_PROOF', 'STATUTES', 'TAX_CERTIFICATE', 'COMMERCIAL_REGISTER']) {
    await shop.chooses(id);
    if (id === 'COMMERCIAL_REGISTER') await shop.says(dayBefore(1));
    expect(await sendsFiles(formOf(world, shop), { front: PDF })).toBe(200);
    await shop.hears('documents.choose').opens();
  }
  await shop.after(10_000).hears('upgrade.raisedOther');
});
