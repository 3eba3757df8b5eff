import { describe, expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { createScribe as telegramScribe } from '../../src/channels/telegram/write.ts';
import { pageScreen } from '../../src/channels/web/page-screen.ts';
import { createScribe as whatsAppScribe } from '../../src/channels/whatsapp/write.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import type { Order } from '../../src/payments/payments.ts';
import { receipt } from '../../src/payments/receipt.ts';
import { BOLD, NBSP, PLAIN, plain } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';

const renderer = createRenderer();
const [from, to] = [msisdn('0600000001'), msisdn('0612345678')];
const sentAt = Date.UTC(2026, 10, 20, 13, 5);
const quote = { fees: centimes(2_00), total: centimes(202_00), openLoop: false, at: 0, alike: [] };
const amount = centimes(200_00);
const transfer: Order = { kind: 'transfer', from, to, amount };
const voucher = {
  ...{ kind: 'voucher', from, to, amount, beneficiary: 'Youssef', brand: 'Souk' },
  article: { sku: 'A-1', providerId: 41, name: 'Souk Frais 50' },
} as Order;
const ended = (
  order: Order = transfer,
  outcome: 'succeeded' | 'failed' | 'human' | 'reversed' = 'succeeded',
) => receipt({ order, quote, outcome, reference: '9348', sentAt });
const read = (text: string) => plain(text).replaceAll(NBSP, ' ');
const card = (language: Language, screen = ended()) => renderer.chat(screen, language).receipt;

describe('the card of a payment that was made', () => {
  test.each<[Language, string, string, string[]]>([
    [
      'fr',
      'Envoi de 200,00 DH au 06 12 34 56 78 effectué.',
      '200,00 DH',
      [
        'Destinataire 06 12 34 56 78',
        'Frais 2,00 DH',
        'Total 202,00 DH',
        'Date 20/11/2026 13:05',
        'Référence Wasl 9348',
      ],
    ],
    [
      'ar',
      'تم إرسال 200,00 درهم إلى 06 12 34 56 78.',
      '200,00 درهم',
      [
        'المستفيد 06 12 34 56 78',
        'الرسوم 2,00 درهم',
        'المجموع 202,00 درهم',
        'التاريخ 20/11/2026 13:05',
        'مرجع Wasl 9348',
      ],
    ],
    [
      'en',
      'MAD 200.00 sent to 06 12 34 56 78.',
      'MAD 200.00',
      [
        'To 06 12 34 56 78',
        'Fee MAD 2.00',
        'Total MAD 202.00',
        'Date 20/11/2026 13:05',
        'Wasl reference 9348',
      ],
    ],
  ])('names amount, recipient, fee, total, time and reference in %s', (language, text, large, rows) => {
    const shown = card(language);
    expect([read(shown?.text ?? ''), read(shown?.amount ?? '')]).toEqual([text, large]);
    expect(shown?.rows.map(({ label, value }) => `${label} ${read(value)}`)).toEqual(rows);
  });

  test.each(LANGUAGES)('keeps what only the text says, in %s', (language) => {
    const whole = renderer.chat(ended(voucher), language).text.split('\n');
    const kept = card(language, ended(voucher))?.text.split('\n') ?? [];
    expect(whole).toEqual(expect.arrayContaining(kept));
    expect(kept.length).toBeLessThan(whole.length);
    expect(kept.join()).toContain('Souk Frais 50');
    expect(kept.join()).not.toContain('9348');
  });

  test.each(['failed', 'human', 'reversed'] as const)('there is none for a payment that is %s', (outcome) => {
    expect(ended(transfer, outcome).receipt).toBeUndefined();
  });

  test.each(['payout', 'b2b-top-up', 'card-capture', 'agent-cash-in', 'float-card'] as const)(
    'there is none for the kind %s, which is no payment of the wallet’s own',
    (kind) => {
      const order = {
        ...transfer,
        kind,
        code: 'PA-1',
        number: { code: '1' },
        payment: { amount },
        operator: 1,
      };
      expect(
        receipt({ order: order as unknown as Order, quote, outcome: 'succeeded', reference: '1' }).receipt,
      ).toBeUndefined();
    },
  );

  test.each(LANGUAGES)('an old message without one is shown as its text, in %s', (language) => {
    const { receipt: _none, ...old } = ended();
    expect(renderer.chat(old, language)).not.toHaveProperty('receipt');
  });
});

describe('the amount on the page of a PIN', () => {
  const values = { amount: { money: centimes(2_00) }, to: { phone: to }, fees: { money: centimes(0) } };
  const total = { money: centimes(2_00) };
  const asked: Screen = { key: 'transfer.askPin', values: { ...values, total }, expects: 'pin' };
  // Another payment above it has an amount that ends in the same figures.
  const first = [
    { key: 'transfer.called', values: { ...values, amount: { money: centimes(12_00) } } },
  ] as const;
  const screen = { ...asked, first };

  test.each<[Language, string, string]>([
    ['fr', 'Envoi de ', '2,00 DH'],
    ['ar', 'إرسال ', '2,00 درهم'],
    ['en', 'Sending ', 'MAD 2.00'],
  ])('is bold once in its sentence, in %s', async (language, before, amount) => {
    const [html = ''] = telegramScribe(renderer).write({ screen, language }).parts;
    expect(read(html)).toContain(`${before}<b>${amount}</b>`);
    const openForm = (_: unknown, body: string) => body as never;
    const [message] = whatsAppScribe({ renderer, openForm }).write({
      screen,
      language,
      screenId: 1,
      form: 'f',
    });
    expect(read(String(message))).toContain(`${before}*${amount}*`);
    const page = await pageScreen(renderer, () => undefined, { screen, language });
    expect(read(page.text)).toContain(`${before}${BOLD}${amount}${PLAIN}`);
  });
});

describe('each channel shows it by what it can', () => {
  const shown = (language: Language) => ({ screen: ended(), language });

  test('Telegram makes the amount stand out, and quotes the rows', () => {
    const [html = ''] = telegramScribe(renderer).write(shown('fr')).parts;
    expect(read(html)).toBe(
      '<b><u>200,00 DH</u></b>\n\nEnvoi de 200,00 DH au 06 12 34 56 78 effectué.\n' +
        '<blockquote>Frais : 2,00 DH. Total débité : 202,00 DH.\nRéférence : 9348\nDate : 20/11/2026 13:05</blockquote>',
    );
  });

  test('Telegram gets no markup from a name', () => {
    const bank = { kind: 'bank-transfer', from, amount, rib: '0'.repeat(24), holder: '<b>A & B</b>' };
    const screen = ended(bank as unknown as Order);
    const [html = ''] = telegramScribe(renderer).write({ screen, language: 'fr' }).parts;
    expect(read(html)).toContain('&lt;b&gt;A &amp; B&lt;/b&gt;');
  });

  test('WhatsApp has a bold amount above the text, and its moment below', () => {
    const openForm = () => ({}) as never;
    const [message] = whatsAppScribe({ renderer, openForm }).write(shown('en'));
    const { body } = (message as unknown as { text: { body: string } }).text;
    expect(read(body)).toBe(
      '*MAD 200.00*\n\nMAD 200.00 sent to 06 12 34 56 78.\nFee: MAD 2.00. Total debited: MAD 202.00.\n' +
        'Reference: 9348\nDate: 20/11/2026 13:05',
    );
  });

  test('the web page gets the card beside the text that says the same', async () => {
    const page = await pageScreen(renderer, () => undefined, shown('ar'));
    expect(page.text).toBe(renderer.chat(ended(), 'ar').text);
    expect(page.receipt).toEqual(card('ar'));
  });

  test.each(LANGUAGES)('on USSD it is one line, in %s', (language) => {
    const { text, pages } = renderer.ussd(ended(), language, 0);
    expect(pages).toBe(1);
    if (language !== 'ar') expect(text.split('\n')).toHaveLength(1);
  });
});
