import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { channelOf } from '../../src/conversation/channel.ts';
import type { Address, Delivery, ProviderStatus, Push } from '../../src/conversation/incoming.ts';
import { createSmsStops } from '../../src/conversation/sms-stops.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, loses, MINUTE_MS, STORES, theWorld, type WorldOptions } from '../kit/world.ts';

const RECIPIENT = '0655000000';
/** A chat like WhatsApp or Telegram: its messages reach a customer who looks at nothing. */
addTestChannel('chatty', { pushes: 'always', reachesAway: true });

/** A provider whose answers the test writes, for one chat after the other. */
function createProvider() {
  const handed: { readonly address: Address; readonly push: Push }[] = [];
  const answers = new Map<Address, Delivery>();
  return {
    handed,
    answers,
    deliver: async (address: Address, push: Push): Promise<Delivery> => {
      if (channelOf(address) === 'web') return 'held';
      handed.push({ address, push });
      return answers.get(address) ?? 'delivered';
    },
    /** The sentences that a chat was handed. */
    to: (chat: Customer) =>
      handed
        .filter(({ address, push }) => address === chat.address && push.money)
        .map(({ push }) => push.screen.key),
  };
}

/** A world with that provider, and people who go away. */
function theLinks(store: (typeof STORES)[number], settings: WorldOptions = {}) {
  const provider = createProvider();
  const world = theWorld({ store, language: 'fr', deliver: provider.deliver, ...settings });
  beforeEach(() => {
    provider.handed.length = 0;
    provider.answers.clear();
  });

  const chatty = (customer: Customer) => inTestChannel(world, customer, 'chatty');
  /** Pays, and goes away before anybody knows how that ended. */
  const paysAndGoes = async (chat: Customer, amount = '100') => {
    world.wallet.next('transfer', loses);
    await chat.chooses('transfer').says(RECIPIENT).says(amount).enters().sees('transfer.notConfirmed');
    provider.handed.length = 0;
  };
  /** The SMS of Wasl about money. */
  const texts = ({ phone }: Customer) => world.sms(phone).filter((text) => /Référence|Réf\./.test(text));
  /** Until the outcome is found, and then a minute, in steps. */
  const aMinuteLater = async () => {
    await world.passes(MINUTE_MS);
    for (let i = 0; i < 6; i++) await world.passes(10_000);
  };
  const getsMoney = async ({ phone }: Customer, amount = '20') => {
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(phone).says(amount).enters();
    await world.rests();
    for (let i = 0; i < 6; i++) await world.passes(10_000);
  };
  afterEach(() => expect(world.errors).toEqual([]));
  return { world, provider, chatty, paysAndGoes, texts, aMinuteLater, getsMoney };
}

describe.each(STORES)('an outcome that cannot be delivered goes to the next link, on %s', (store) => {
  const { world, provider, chatty, paysAndGoes, texts, aMinuteLater } = theLinks(store);

  test('a sender who closes the page reads the outcome by SMS within a minute, once', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await paysAndGoes(fatima.isAtMenu());
    await aMinuteLater();
    expect(texts(fatima)).toEqual([expect.stringContaining('envoi de 100,00 DH')]);
    await world.passes(3_600_000);
    expect(texts(fatima)).toHaveLength(1);
    await fatima.hears('transfer.done');
  });

  test('processes that die between the steps lose and repeat nothing', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await paysAndGoes(fatima.isAtMenu());
    await world.crashes();
    await world.passes(MINUTE_MS);
    for (let i = 0; i < 6; i++) {
      await world.crashes();
      await world.passes(10_000);
    }
    expect(texts(fatima)).toHaveLength(1);
    await fatima.hears('transfer.done').hearsNothing();
  });

  test('a page that has shown it in time leaves no SMS', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await paysAndGoes(fatima.isAtMenu());
    await fatima.after(MINUTE_MS).hears('transfer.done');
    await aMinuteLater();
    expect(texts(fatima)).toEqual([]);
    await world.dialer(fatima).isAtMenu().isToldNothing();
  });

  test('a sender who blocks the chat reads it by SMS at once', async () => {
    const fatima = chatty(world.customer({ language: 'fr' }));
    await paysAndGoes(fatima.isAtMenu());
    provider.answers.set(fatima.address, 'gone');
    await world.passes(MINUTE_MS);
    await world.rests();
    expect(texts(fatima)).toEqual([expect.stringContaining('envoi de 100,00 DH')]);
  });

  test('another chat comes before an SMS', async () => {
    const fatima = chatty(world.customer({ language: 'fr' }));
    const other = chatty(fatima);
    await other.isAtMenu();
    await paysAndGoes(fatima.isAtMenu());
    provider.answers.set(fatima.address, 'held');
    await aMinuteLater();
    expect(provider.to(other)).toEqual(['pay.debited']);
    expect(texts(fatima)).toEqual([]);
  });

  test('a payment by USSD is told in the chat that reaches its customer, and by SMS only where that fails', async () => {
    const dialer = world.customer({ language: 'fr' });
    const chat = chatty(dialer);
    await chat.isAtMenu();
    await dialer.isAtMenu();
    await paysAndGoes(dialer);
    await aMinuteLater();
    expect([provider.to(chat), texts(dialer)]).toEqual([['transfer.done'], []]);
    provider.answers.set(chat.address, 'later');
    await paysAndGoes(dialer.dials(), '200');
    await aMinuteLater();
    expect(texts(dialer)).toHaveLength(1);
  });

  test('a chat that was unlinked says nothing of the wallet anywhere else', async () => {
    const fatima = world.customer({ channel: 'web', language: 'fr' });
    await paysAndGoes(fatima.isAtMenu());
    await world.passes(MINUTE_MS);
    await fatima.goes('menu').chooses('account').chooses('unlink').chooses('unlink').sees('linking.askPhone');
    await aMinuteLater();
    expect(texts(fatima)).toEqual([]);
  });
});

describe.each(STORES)('money received that cannot be delivered goes to the next link, on %s', (store) => {
  const { world, provider, chatty, texts, getsMoney } = theLinks(store);

  test.each<[Delivery, number]>([
    ['delivered', 0],
    ['held', 1],
    ['gone', 1],
    ['later', 1],
    // The provider may still deliver it, and money received is not said twice.
    [{ status: 'accepted', as: 'p1' }, 0],
    ['unknown', 0],
  ])('money received, of which the chat’s provider says %j, costs %i SMS', async (answer, sms) => {
    const omar = chatty(world.customer({ language: 'fr' }));
    await omar.isAtMenu();
    provider.answers.set(omar.address, answer);
    await getsMoney(omar);
    expect(texts(omar)).toHaveLength(sms);
    for (const text of texts(omar)) expect(text).not.toContain('Rappel');
  });

  test('a report of failure that comes later moves it on, and one that follows the reading does not', async () => {
    for (const [first, sms] of [
      ['failed', 1],
      ['read', 0],
    ] as const) {
      const omar = chatty(world.customer({ language: 'fr' }));
      await omar.isAtMenu();
      provider.answers.set(omar.address, { status: 'accepted', as: 'p2' });
      await getsMoney(omar);
      await world.engine.statusCame(omar.address, 'p2', first);
      await world.engine.statusCame(omar.address, 'p2', 'failed');
      await world.rests();
      expect(texts(omar)).toHaveLength(sms);
    }
  });

  test('money received that a closed page has not shown comes by SMS as a reminder', async () => {
    const omar = world.customer({ channel: 'web', language: 'fr' });
    await omar.isAtMenu();
    await getsMoney(omar);
    expect(texts(omar)).toEqual([expect.stringMatching(/^Rappel :\nWasl : vous avez recu 20,00 DH/)]);
  });

  test('of several chats one that has read it is enough', async () => {
    const omar = chatty(world.customer({ language: 'fr' }));
    const other = chatty(omar);
    await omar.isAtMenu();
    await other.isAtMenu();
    provider.answers.set(omar.address, 'held');
    await getsMoney(omar);
    expect([provider.to(other), texts(omar)]).toEqual([['received.from'], []]);
    provider.answers.set(other.address, 'held');
    await getsMoney(omar, '30');
    expect(texts(omar)).toEqual([expect.stringContaining('30,00 DH')]);
  });
});

describe.each(STORES)('what the operator pays an SMS for, on %s', (store) => {
  describe('nothing', () => {
    const { world, texts, paysAndGoes, aMinuteLater } = theLinks(store, { smsFor: [] });

    test('a sender who has closed the page hears at the next dial', async () => {
      const fatima = world.customer({ channel: 'web', language: 'fr' });
      await paysAndGoes(fatima.isAtMenu());
      await aMinuteLater();
      expect(texts(fatima)).toEqual([]);
      await world.dialer(fatima).isAtMenu().isTold('transfer.done');
    });
  });

  describe('the usual messages, two a day', () => {
    const { world, texts, getsMoney } = theLinks(store, { budgets: { messagesPerDay: 2 } });

    test('a recipient who was never here hears by SMS until the budget is spent, and then at the next dial', async () => {
      const omar = world.customer({ language: 'fr' });
      await getsMoney(omar, '11');
      expect(texts(omar)).toEqual([expect.stringContaining('11,00 DH')]);
      // The sender's own outcome was the second one.
      await getsMoney(omar, '12');
      expect(texts(omar)).toHaveLength(1);
      expect(world.alarms.map(({ budget }) => budget)).toContain('messagesPerDay');
      await omar.isAtMenu().isTold('received.several', { count: 2 });
    });
  });

  describe('debits and receipts', () => {
    const { world, texts, chatty } = theLinks(store, {
      smsFor: ['outcome', 'received', 'debit', 'receipt'],
      smsReceipts: ['chatty:transfer', 'ussd'],
    });
    const pays = (customer: Customer) => customer.chooses('transfer').says(RECIPIENT).says('100').enters();

    test('after a STOP no receipt comes, and the warning of a debit does', async () => {
      const fatima = chatty(world.customer({ language: 'fr' }));
      await fatima.isAtMenu();
      await createSmsStops(world.store, world.secrets).set(fatima.phone, true);
      await pays(fatima);
      await world.passes(MINUTE_MS);
      await world.passes(MINUTE_MS);
      expect(texts(fatima)).toEqual([expect.stringMatching(/^Wasl : 10\d,00 DH débités le .*Pas vous/)]);
    });

    test('a payment in a chat is told to its number, with a receipt, once', async () => {
      const fatima = chatty(world.customer({ language: 'fr' }));
      await fatima.isAtMenu();
      await pays(fatima);
      await world.passes(MINUTE_MS);
      await world.passes(MINUTE_MS);
      expect(texts(fatima).sort()).toEqual([
        expect.stringMatching(/^Wasl : 10\d,00 DH débités le .*Pas vous/),
        expect.stringMatching(
          /^Wasl, recu : votre envoi de 100,00 DH au 0655000000\. Frais 2,00 DH, total débité 102,00 DH\. .*Réf\. \d+$/s,
        ),
      ]);
    });

    test('the receipt of a payment by USSD takes the place of the SMS with the outcome', async () => {
      const fatima = world.customer({ language: 'fr' });
      await fatima.isAtMenu();
      world.wallet.next('transfer', loses);
      await pays(fatima).sees('transfer.notConfirmed');
      await world.passes(MINUTE_MS);
      await world.passes(MINUTE_MS);
      expect(texts(fatima)).toEqual([expect.stringMatching(/^Wasl, recu : /)]);
      await fatima.dials().isTold('transfer.done');
    });
  });

  describe('a provider that reports on its SMS', () => {
    const { world, texts, paysAndGoes, aMinuteLater } = theLinks(store, { smsReports: true });

    test('an SMS that failed goes out again twice, and is news at the next dial', async () => {
      const fatima = world.customer({ language: 'fr' });
      await fatima.isAtMenu();
      world.wallet.next('transfer', loses);
      await fatima.chooses('transfer').says(RECIPIENT).says('100').enters().sees('transfer.notConfirmed');
      await world.passes(MINUTE_MS);
      await world.passes(MINUTE_MS);
      for (const count of [1, 2, 3, 3]) {
        expect(texts(fatima)).toHaveLength(count);
        const reports: readonly ProviderStatus[] = ['failed', 'failed'];
        for (const report of reports)
          await world.engine.statusCame(fatima.address, `sms-${texts(fatima).length}`, report);
        await world.passes(5 * MINUTE_MS);
      }
      await fatima.dials().isTold('transfer.done');
    });

    test.each([
      ['failed', 3, 'and is news at the next dial', undefined],
      ['delivered', 1, 'and no dial says it again', undefined],
      ['failed', 3, 'also after a dial', ''],
      ['failed', 3, 'also after a dial for something', '2'],
    ] as const)(
      'an SMS that stands in for a chat: %s, so %i go out, %s',
      async (report, count, _, dialled) => {
        const fatima = world.customer({ channel: 'web', language: 'fr' });
        await paysAndGoes(fatima.isAtMenu());
        await aMinuteLater();
        if (dialled !== undefined) await world.dialer(fatima).dials(dialled).isToldNothing();
        for (let i = 0; i < 4; i++) {
          // The first SMS has linked the chat.
          await world.engine.statusCame(`ussd:${fatima.phone}`, `sms-${texts(fatima).length + 1}`, report);
          await world.passes(5 * MINUTE_MS);
        }
        expect(texts(fatima)).toHaveLength(count);
        const phone = world.dialer(fatima).isAtMenu();
        await (report === 'failed' ? phone.isTold('transfer.done') : phone.isToldNothing());
      },
    );
  });
});
