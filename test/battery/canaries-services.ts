import { centimes } from '../../src/wallet/money.ts';
import { codeIn, dials, hasWallet, isAskedPin, linksChat, type Person, type Way } from './canaries-people.ts';
import type { Town } from './canaries-town.ts';

/** The answer to a turn that was lost: the gateway ends its session with it. */
const DOWN = /Le service ne répond pas/;

/** Customers use the secrets of bills, vouchers and their own wallet. */
export const SERVICE_WAYS: readonly Way[] = [
  paysBillByUssd,
  paysBillByChat,
  buysVoucherByUssd,
  buysVoucherByChat,
  changesPin,
  resetsPinAndLeaves,
  depositsByCard,
  drawsCash,
];

/** The form asks for a password. The customer types it twice, with a redial in between. */
async function paysBillByUssd(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  const { phone, pin, otherPin, billCode } = person;
  const found = ['factures', 'CNSS', '1', phone.slice(-8)];
  await dials(town, person, ['1', ...found, billCode, '1', otherPin], DOWN);
  await dials(town, person, ['1', pin], DOWN);
  await dials(town, person, [...found, billCode], DOWN);
}

async function paysBillByChat(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person);
  await chat({ choice: 'bill-payment' });
  await chat({ text: 'assurances' });
  await chat({ choice: '1501' });
  await chat({ choice: '01' });
  await chat({ text: `P${person.phone.slice(-8)}` });
  await chat({ choice: 'fill' });
  // After a turn that was lost it would be said where nobody asks for a secret.
  if (!person.answers.at(-1)?.includes('"expects":"password"')) return;
  await chat({ text: person.billPassword });
  await chat({ choice: 'all' });
  if (isAskedPin(person)) await chat({ text: person.pin });
}

async function buysVoucherByUssd(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  await dials(town, person, ['1', 'bons', '1', '1', person.otherPin, person.pin], DOWN);
}

/** As a gift. The chat shows the code. */
async function buysVoucherByChat(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person);
  await chat({ choice: 'shopping' });
  await chat({ choice: 'voucher' });
  await chat({ choice: '2' });
  await chat({ choice: 'article0' });
  await chat({ choice: 'gift' });
  await chat({ text: '0612345678' });
  await chat({ text: 'Salma' });
  if (isAskedPin(person)) await chat({ text: person.pin });
  const code = await chat.looksAtSecret();
  if (code) person.shown.push(code);
  await chat({ text: '/voucher-codes' });
  await chat({ text: person.pin });
  await chat({ choice: 'voucher0' });
}

/** A reference to draw cash with, on a handset and in a chat, where it is shown a second time. */
async function drawsCash(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person);
  await chat({ text: 'retrait 200' });
  await chat({ text: person.pin });
  await chat({ text: '/references' });
  await chat({ choice: 'reference0' });
  await chat({ choice: 'again' });
  await chat({ text: person.pin });
  await dials(town, person, ['1', 'retrait 70', person.otherPin, person.pin], DOWN);
}

/** To the other PIN and back again, with two that differ in between. */
async function changesPin(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person);
  const { pin, otherPin } = person;
  for (const [from, first, second] of [
    [pin, otherPin, pin],
    [pin, otherPin, otherPin],
    [otherPin, pin, pin],
  ] as const) {
    await chat({ text: '/menu' });
    await chat({ choice: 'account' });
    await chat({ choice: 'pin-change' });
    for (const text of [from, first, second]) await chat({ text });
  }
}

/** By a one-time code, at the second try. Then the empty wallet is closed with the new PIN. */
async function resetsPinAndLeaves(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person, centimes(0));
  await chat({ choice: 'account' });
  await chat({ choice: 'pin-reset' });
  await chat({ choice: 'send' });
  const code = codeIn(town.sandbox.sms(person.phone).at(-1)?.text);
  person.codes.push(code);
  for (const text of ['333-333', person.otherPin, person.otherPin]) await chat({ text });
  for (const text of [code, person.otherPin, person.otherPin]) await chat({ text });
  await chat({ text: '/menu' });
  await chat({ choice: 'account' });
  await chat({ choice: 'closing' });
  await chat({ choice: 'other' });
  await chat({ choice: 'continue' });
  await chat({ text: person.otherPin });
  await chat({ choice: 'close' });
}

/** The card is typed on the form: badly, then well, then once more. */
async function depositsByCard(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person, centimes(100_00));
  await chat({ text: '/card-cash-in 40' });
  // If no PIN is asked for, these digits are an amount.
  if (!person.answers.at(-1)?.includes('"expects":"pin"')) return;
  await chat({ text: person.pin });
  const form = /"form":"([^"]+)"/.exec(person.answers.at(-1) ?? '')?.[1];
  if (form === undefined) return;
  for (const cvv of ['1', '737', '737']) {
    const response = await fetch(`${town.url}${form}`, {
      method: 'POST',
      headers: { origin: town.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        pan: person.pan,
        expiry: '08/30',
        cvv,
        holder: 'Salma Idrissi',
      }).toString(),
    });
    person.answers.push(await response.text());
  }
}
