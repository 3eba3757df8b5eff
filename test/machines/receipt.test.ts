import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Address, Language } from '../../src/conversation/incoming.ts';
import { isActivePdf } from '../../src/pdf/active.ts';
import { PDF_TO_TEXT } from '../kit/needs.ts';
import { CHATS, type Customer, refused, testOn, theWorld } from '../kit/world.ts';
import { tops } from './top-up-orders.ts';

/** What other programs read in a PDF, line by line. Poppler adds marks of direction. */
const readIn = (pdf: Uint8Array) =>
  execFileSync(PDF_TO_TEXT, ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

describe('the receipt of a payment', () => {
  const world = theWorld({ bot: 'webhook' });
  const pays = (who: Customer) => who.isAtMenu().walks(tops('0655000001')).enters().sees('top-up.done');
  const fileAt = (address: Address, { reply }: Customer) => {
    const { document } = reply().screen;
    if (!document) throw new Error('no file is offered');
    return world.engine.document(address, document);
  };
  const asks = (who: Customer) => pays(who).chooses('receipt').sees('receipt.file');

  testOn(CHATS)('is to be had as a PDF by one choice, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '900' });
    await asks(fatima);
    const file = await fileAt(fatima.address, fatima);
    expect(file?.type).toBe('application/pdf');
    expect(isActivePdf(file?.bytes ?? new Uint8Array())).toBe(false);
  });

  test.each<[Language, (string | RegExp)[]]>([
    ['fr', ["Reçu d'opération · Wasl", '06 55 00 00 01 rechargé de 45,00 DH.', 'Montant 45,00 DH']],
    // The name stands at the right, and its value to the left of it.
    ['ar', ['وصل العملية · Wasl', /^تمت تعبئة 06 55 00 00 01/, /^45,00.*المبلغ$/]],
    ['en', ['Transaction receipt · Wasl', '06 55 00 00 01 topped up with MAD 45.00.', 'Amount MAD 45.00']],
  ])('says what its card says, in %s', async (language, begins) => {
    const fatima = world.customer({ channel: 'telegram', language, balance: '900' });
    await asks(fatima);
    const file = await fileAt(fatima.address, fatima);
    const lines = readIn(file?.bytes ?? new Uint8Array());
    expect(lines).toHaveLength(8);
    for (const [i, line] of begins.entries())
      expect(lines[i]).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });

  test('is nobody else’s, and not that of a chat that was unlinked', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    const karima = world.customer({ channel: 'web' });
    await asks(fatima);
    await karima.isAtMenu();
    expect(await fileAt(fatima.address, fatima)).toBeDefined();
    expect(await fileAt(karima.address, fatima)).toBeUndefined();
    const { document } = fatima.reply().screen;
    await fatima.goes('menu').says('/unlink').chooses('unlink');
    expect(document && (await world.engine.document(fatima.address, document))).toBeUndefined();
  });

  testOn(CHATS)('is not promised once the payment was taken back, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '900' });
    await fatima.isAtMenu().walks(tops('0655000001'));
    world.sandbox.faults.set({ name: 'reversal', operation: 'executeTopUp', count: 1 });
    await fatima.enters().sees('top-up.done');
    await world.passes(3 * 60_000);
    await fatima.hears('top-up.reversed').chooses('receipt').sees('receipt.over');
    expect(fatima.reply().screen.document).toBeUndefined();
  });

  test('is drawn forty times in an hour, and no more', async () => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await asks(fatima);
    for (let drawn = 0; drawn < 40; drawn++) expect(await fileAt(fatima.address, fatima)).toBeDefined();
    expect(await fileAt(fatima.address, fatima)).toBeUndefined();
    await world.passes(3_600_000);
    expect(await fileAt(fatima.address, fatima)).toBeDefined();
  });

  test('is not offered on USSD, nor after a payment that was refused', async () => {
    const fatima = world.customer({ balance: '900' });
    await pays(fatima);
    await fatima.offersNo('receipt');
    const karima = world.customer({ channel: 'web', balance: '900' });
    world.wallet.next('topUp', refused('20005'));
    await karima.isAtMenu().walks(tops('0655000001')).enters().sees('top-up.refused').offersNo('receipt');
  });
});
