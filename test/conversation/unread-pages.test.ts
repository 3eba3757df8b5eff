import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { theWorld } from '../kit/world.ts';

const world = theWorld();
/** A wallet of another provider: that is said as well, and takes an Arabic prompt to a second page. */
const ELSEWHERE = '0655000000';

test('a PIN confirms nothing before all pages that name the payment were shown', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').sees('transfer.askPinOpenLoop');
  expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page: 0, pages: 2 });
  await fatima.says('1234').sees('transfer.askPinOpenLoop');
  expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
  expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page: 1 });
  expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
  await fatima.says('1234').sees('transfer.processing');
});

test.each([
  ['the next page', '98', 'transfer.askPinOpenLoop'],
  ['the way back', '0', 'transfer.askAmount'],
  ['the menu', '00', 'menu.choose'],
  ['a command', '/help', 'help.help'],
])('%s is asked for on the first page as anywhere', async (_, text, key) => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').says(text).sees(key);
});

test('after a wrong PIN they are known', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').enters('4321');
  await fatima.isTold('pin.wrongWithTries', { count: 2 }).says('1234').sees('transfer.processing');
});

test('what is no PIN is called so on the first page', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().chooses('transfer').says(ELSEWHERE).says('100').says('12').isTold('pin.format');
  await fatima.says('1234').sees('transfer.askPinOpenLoop');
  expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
});

test('a second payment is not agreed to before its pages were shown either', async () => {
  const fatima = world.customer({ language: 'ar', balance: '1000' });
  await fatima
    .isAtMenu()
    .chooses('transfer')
    .says(ELSEWHERE)
    .says('100')
    .enters()
    .sees('transfer.processing');
  await world.passes(1_500);
  await fatima.dials().chooses('transfer').says(ELSEWHERE).says('100').sees('transfer.confirmAgain');
  const { pages } = pageOf(world.renderer, fatima.reply());
  expect(pages).toBeGreaterThan(1);
  for (let page = 1; page < pages; page++) await fatima.says('1').sees('transfer.confirmAgain');
  await fatima.says('1').sees('transfer.askPinOpenLoop');
});

describe('an adviser who talks to a customer on a handset', () => {
  const WORDS =
    'Bonjour, je regarde votre dossier. Dites-moi s’il vous plaît combien de fois vous avez payé, à qui, et vers quelle heure, pour que je retrouve ces paiements.';
  const NADIA = { id: 'nadia', name: 'Nadia' };

  test.each(['fr', 'ar'] as const)('is read to the end, in %s', async (language) => {
    const fatima = world.customer({ language });
    await fatima.isAtMenu();
    await world.engine.desk.takeOver(fatima.address, NADIA);
    await world.engine.desk.write(fatima.address, NADIA, WORDS);
    await fatima.dials().sees('support.talking');
    const { pages } = pageOf(world.renderer, fatima.reply());
    expect(pages).toBeGreaterThan(1);
    for (let page = 1; page < pages; page++) {
      await fatima.says('98').sees('support.talking');
      expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ page });
    }
    expect(fatima.reply().toPerson).toBeUndefined();
    await fatima.says('98').sees('support.sent');
    expect(fatima.reply().toPerson).toBe(true);
  });

  test.each(['1', '2'])('does not lose them by %s before it is shown what that does', async (digit) => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu();
    await world.engine.desk.takeOver(fatima.address, NADIA);
    await fatima.dials().sees('support.talking').says(digit).sees('support.talking');
    const { page, pages } = pageOf(world.renderer, fatima.reply());
    expect({ page, pages }).toEqual({ page: 1, pages: 2 });
    await fatima.says(digit).meanwhile(() => expect(fatima.reply().screen.key).not.toBe('support.talking'));
  });
});

test('no digit suspends the cards before the page that offers it was shown', async () => {
  const fatima = world.customer({ language: 'ar' });
  await fatima.isAtMenu().says('99').says('1').sees('freeze.frozen');
  const { pages } = pageOf(world.renderer, fatima.reply());
  expect(pages).toBeGreaterThan(1);
  for (let page = 1; page < pages; page++) await fatima.says('1').sees('freeze.frozen');
  expect(world.wallet.calls(fatima.phone, 'issuedCards')).toEqual([]);
});
