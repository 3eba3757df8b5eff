import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { THREE_DS_CODE } from '../../src/sandbox/cards/test-cards.ts';
import type { CHANNELS, Customer, World } from '../kit/world.ts';

export const CARD = '4242424242424242';
type CardFields = Readonly<Record<string, string>>;
/** As people type it. */
export const typedCard = (pan = CARD, more: CardFields = {}): CardFields => ({
  pan: pan.replace(/(\d{4})(?=\d)/g, '$1 '),
  expiry: '08 / 30',
  cvv: '737',
  holder: 'Fatima Zahra Alaoui',
  ...more,
});

/** The form that the customer's chat leads to: on a phone its link is in the newest SMS. */
export function formOf(world: World, customer: Customer): string {
  if (!customer.address.startsWith('ussd:')) return `${world.formAt}/${customer.reply().form}`;
  return /https?:\S+\/form\/\S+/.exec(world.sms(customer.phone).at(-1) ?? '')?.[0] ?? '';
}

/** A page of ours, as a French browser shows it to anybody. */
export async function pageShown(page: string) {
  const response = await fetch(page, { headers: { 'accept-language': 'fr' } });
  const text = (await response.text()).replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u2066-\u2069]/g, '');
  return { status: response.status, html: text };
}

interface Sent {
  readonly status: number;
  readonly html: string;
  /** The bank's page that the browser is sent to. */
  readonly bank: string | undefined;
}

/** Fills the form in, as a browser without JavaScript sends it. */
export async function sends(form: string, fields: CardFields): Promise<Sent> {
  const response = await fetch(form, {
    method: 'POST',
    headers: { origin: new URL(form).origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  const html = await response.text();
  return { status: response.status, html, bank: /content="0; url=([^"]+)"/.exec(html)?.[1] };
}

/** Confirms or declines at the bank, and returns the page of ours that the browser comes back to. */
export async function atBank(bank: string | undefined, answer: 'confirm' | 'decline' = 'confirm') {
  expect(bank, 'the browser is sent to the bank').toBeDefined();
  const response = await fetch(bank ?? '', {
    method: 'POST',
    body: new URLSearchParams({ answer, code: THREE_DS_CODE }),
    redirect: 'manual',
  });
  const back = response.headers.get('location') ?? '';
  const page = back.startsWith('http') ? await fetch(back) : undefined;
  return { back, status: page?.status, html: (await page?.text()) ?? '' };
}

/** Says yes to a deposit, with the PIN: the form, or the choice of a card, is next. */
export const agrees = (customer: Customer): Customer => customer.sees('card-cash-in.askPin').enters();

/** A customer who has agreed to a deposit, and the form that waits for a card. */
export async function atForm(world: World, channel: (typeof CHANNELS)[number] = 'web', amount = '100') {
  const fatima = world.customer({ channel, balance: '500' });
  await fatima.isAtMenu().says(`/card-cash-in ${amount}`).walks(agrees).sees('card-cash-in.askCard');
  await world.rests();
  return { fatima, form: formOf(world, fatima) };
}

/** The page of the link that a merchant has been given: shown in a chat, in the newest SMS of a phone. */
export function payPageOf(world: World, shop: Customer): string {
  const { link } = shop.reply().screen.values ?? {};
  if (link && 'code' in link) return link.code;
  return /https?:\S+\/form\/pay\/\S+/.exec(world.sms(shop.phone).at(-1) ?? '')?.[0] ?? '';
}

/** From the menu to the link. */
export const makesLink =
  (amount = '80', way: 'collect' | 'reserve' = 'collect') =>
  (shop: Customer): Customer =>
    shop
      .chooses('card-payments')
      .sees('card-payments.choose')
      .chooses('card-payment')
      .sees('card-payment.askAmount')
      .says(amount)
      .sees('card-payment.chooseWay', { amount: Number(amount) * 100 })
      .chooses(way);

/** Somebody pays by the new link of a merchant who stands at the menu, and confirms it at their bank. */
export async function paidByCard(
  world: World,
  shop: Customer,
  amount = '80',
  way: 'collect' | 'reserve' = 'collect',
): Promise<void> {
  await shop.walks(makesLink(amount, way));
  await world.rests();
  const { bank } = await sends(payPageOf(world, shop), typedCard());
  await atBank(bank);
  await world.passes(2_000);
  await shop.hears(way === 'collect' ? 'card-payment.done' : 'card-payment.reserved').goes('menu');
}

/** The wallet tells of the first payment by card that a merchant was made, as late or as often as a test likes. */
export async function authorized(world: World, { phone }: Customer): Promise<void> {
  const made = world.sandbox.executions().find(({ receiver }) => receiver === phone);
  const at = new Date(world.clock.now()).toISOString();
  const event = {
    ...{ EventId: 'payment.card.authorized', WebhookId: randomUUID(), CRequestId: made?.requestId },
    ...{ OperationId: made?.operationId, OperationType: made?.type, OperationStatus: 2 },
    ...{ CreatedAt: at, ExecutedAt: at, Amount: (made?.amount ?? 0) / 100, FeeAmount: 0 },
    ...{ PrimaryAccountNumber: '424242******4242', SecondaryAccountNumber: phone },
  };
  const headers = { 'x-api-key': world.webhookKey };
  const body = JSON.stringify({ data: event });
  expect((await fetch(world.webhookUrl, { method: 'POST', body, headers })).status).toBe(200);
  await world.rests();
}

export const PDF = new File(['%PDF-1.7 statutes'], 'statuts.pdf', { type: 'application/pdf' });
export const PNG = new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1)], 'x.png');

/** Uploads files on the form, as a browser does, and returns the HTTP status. */
export async function sendsFiles(form: string, files: Readonly<Record<string, File>>): Promise<number> {
  const body = new FormData();
  body.append('launch', '');
  for (const [name, file] of Object.entries(files)) body.append(name, file);
  const headers = { origin: new URL(form).origin };
  return (await fetch(form, { method: 'POST', headers, body })).status;
}
