import { afterEach, describe, expect, test } from 'vitest';
import type { Language } from '../../src/conversation/incoming.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import type { Customer } from '../kit/customer.ts';
import { PIN, theWorld } from '../kit/world.ts';
import { buttonsOf, linkOf, textOf } from './cloud-api/rules.ts';
import { createPerson } from './cloud-api/person.ts';
import { expectNoTrouble } from './cloud-api/way.ts';

const RECIPIENT = '0655000000';
const DAY_MS = 24 * 3_600_000;

describe('a chat of WhatsApp', () => {
  const world = theWorld({ whatsapp: true });
  const someone = (language: Language = 'fr', balance = '500') =>
    world.customer({ channel: 'whatsapp', language, balance });
  const chatOf = ({ address }: Customer) =>
    world.whatsapp.api.sent.filter(({ to }) => `whatsapp:${to}` === address);
  const lastOf = (customer: Customer) => {
    const last = chatOf(customer).at(-1);
    if (!last) throw new Error('nothing was sent');
    return last;
  };
  afterEach(() => expectNoTrouble(world.whatsapp));

  test.each(LANGUAGES)('a wallet is linked by the contact request, and the PIN is given on the page, in %s', async (language) => {
    const fatima = someone(language, '1234.50');
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    expect(linkOf(lastOf(fatima).shown)).toMatch(/\/form\/whatsapp\.secret\./);
    await fatima.enters().sees('balance.shown', { balance: 123_450 }).goes('menu').sees('menu.choose');
    expect(world.sms(fatima.phone)).toEqual([]);
  });

  test('a transfer, one message a screen, and its outcome as a message of its own', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const before = chatOf(fatima).length;
    await fatima.chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
    expect(chatOf(fatima)).toHaveLength(before + 3);
    await fatima.enters().sees('transfer.processing');
    await fatima.meanwhile(() => world.passes(1_500)).hears('transfer.done', { amount: 10_000 });
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('a typed PIN is refused, and the wallet is not asked', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const logins = world.wallet.calls(fatima.phone, 'login').length;
    const person = createPerson(world.whatsapp, { id: fatima.address.slice('whatsapp:'.length) });
    await person.says(PIN);
    expect(textOf(person.screen())).toMatch(/Supprimez|supprimez|Effacez|effacez/);
    expect(linkOf(person.screen())).toBeDefined();
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(logins);
  });
});
