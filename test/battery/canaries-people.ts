import { type Centimes, centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import { createPerson as createChatter } from '../channels/cloud-api/person.ts';
import { linkOf } from '../channels/cloud-api/rules.ts';
import { textFields, typedAt } from '../channels/smpp/smsc.ts';
import type { Town } from './canaries-town.ts';

/** One customer and their secrets. Everything that they type by mistake is theirs, too. */
export interface Person {
  readonly phone: Msisdn;
  readonly pin: string;
  /** A wrong one, or the first of two that differ. */
  readonly otherPin: string;
  readonly pan: string;
  /** Passwords of bill forms: digits, and letters. */
  readonly billCode: string;
  readonly billPassword: string;
  /** One-time codes, ours and the wallet's, as they come to be known. */
  readonly codes: string[];
  /** Voucher codes that were shown in the chat. */
  readonly shown: string[];
  /** Everything that was answered over HTTP. */
  readonly answers: string[];
  /** The gateway's session of each dial, and what was typed in it. */
  readonly dials: { session: string; text: string }[];
}

export function createPerson(i: number, pins: readonly [string, string]): Person {
  const phone = msisdn(`+2126${String(20_000_000 + i)}`);
  const [pin, otherPin] = pins;
  const bill = { billCode: String(90_000_000 + i * 7_919), billPassword: `Sesame${i * 7_919}Canari` };
  return { phone, pin, otherPin, ...bill, pan: panOf(i), codes: [], shown: [], answers: [], dials: [] };
}

export type Way = (town: Town, person: Person) => Promise<void>;

/** The deeds of customers. Each way meets other doors. */
export const WAYS: readonly Way[] = [
  looksAtBalance,
  paysByUssd,
  linksAndPays,
  opensWallet,
  typesEverythingEverywhere,
  paysByWhatsApp,
  paysOverSmpp,
];

async function looksAtBalance(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  await dials(town, person, ['1', '2', person.otherPin, person.pin]);
}

async function paysByUssd(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  await dials(town, person, ['1', '1', '0612345678', '25', `${person.pin}9`, person.otherPin, person.pin]);
}

/** A wallet, and a chat that is linked to it: by a code, at the second try, and by the PIN, at the second try. */
export async function linksChat(town: Town, person: Person, balance?: Centimes) {
  hasWallet(town, person, balance);
  const chat = await opensChat(town, person);
  await chat({ opened: true, guess: 'fr' });
  await chat({ text: nationalNumber(person.phone) });
  const code = codeIn(town.inbox.of(person.phone).at(-1)?.text);
  person.codes.push(code);
  await chat({ text: '111-111' });
  await chat({ text: code.replace('-', ' ') });
  await chat({ text: person.otherPin });
  await chat({ text: person.pin });
  return chat;
}

/** False after a turn that was lost: there nobody asks for a secret, and what is typed is an answer like any other. */
export function isAskedPin({ answers }: Person): boolean {
  return answers.at(-1)?.includes('"expects":"pin"') === true;
}

async function linksAndPays(town: Town, person: Person): Promise<void> {
  const chat = await linksChat(town, person);
  await chat({ choice: 'transfer' });
  await chat({ text: '0612345678' });
  await chat({ text: '30' });
  if (isAskedPin(person)) await chat({ text: person.pin });
}

async function opensWallet(town: Town, person: Person): Promise<void> {
  const typed = ['1', '1', '1', 'Salma', 'Idrissi', 'AB123456', '1'];
  await dials(town, person, typed);
  const code = codeIn(town.sandbox.sms(person.phone).at(-1)?.text);
  person.codes.push(code);
  await dials(town, person, [
    person.pan,
    '222-222',
    code,
    person.pin,
    person.otherPin,
    person.pin,
    person.pin,
  ]);
}

/** Secrets where none is asked: at the menu, for a number, for an amount, with words around, in Arabic digits. */
async function typesEverythingEverywhere(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  const { pin, pan } = person;
  const spaced = pan.replace(/(\d{4})(?=\d)/g, '$1 ');
  await dials(town, person, [
    '1',
    pin,
    `my pin is ${pin}`,
    pan,
    '1',
    pin,
    pan,
    '0612345678',
    pan,
    spaced,
    '25',
  ]);
  await dials(town, person, ['1', pan, pin]);
  const chat = await opensChat(town, person);
  await chat({ opened: true, guess: 'fr' });
  for (const text of [pin, pan, spaced, `PIN: ${pin}`, arabic(pin)]) await chat({ text });
  await chat({ choice: pin });
  await chat({ text: pin, pin });
  await town.sandbox.settle();
}

/** Links a chat of WhatsApp and pays. Each secret is typed in the chat first, where it is refused, and then given on its page. */
async function paysByWhatsApp(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  const { whatsapp } = town;
  const chat = createChatter(whatsapp);
  const { pin, otherPin, pan, phone } = person;
  const hears = async (done: Promise<unknown>) => {
    // The store was down, so WhatsApp posts it again.
    await done.catch(() => chat.again().catch(() => {}));
    person.answers.push(...chat.chat().map(({ shown }) => JSON.stringify(shown)));
  };
  const gives = async (secret: string) => {
    const link = linkOf(chat.screen());
    if (!link?.startsWith(town.url)) return;
    const page = await fetch(link);
    person.answers.push(await page.text());
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const headers = { origin: town.url, cookie };
    const answer = await fetch(link, { method: 'POST', headers, body: new URLSearchParams({ secret }) });
    person.answers.push(await answer.text());
  };
  await hears(chat.says('/menu'));
  await hears(chat.says('1'));
  await hears(chat.sharesContact(phone.slice(1)));
  for (const secret of [otherPin, pin]) {
    for (const text of [secret, `PIN: ${secret}`, arabic(secret), pan]) await hears(chat.says(text));
    await gives(secret);
  }
  for (const text of ['/transfer 0612345678 30', pin, arabic(pin)]) await hears(chat.says(text));
  await gives(pin);
  await hears(chat.says('/menu'));
}

/** Over SMPP. The PIN also stands in an SMS, and in PDUs that cannot be read. */
async function paysOverSmpp(town: Town, person: Person): Promise<void> {
  hasWallet(town, person);
  const { smsc } = town;
  const { pin, otherPin, pan, phone } = person;
  const at = { number: phone.slice(1), info: phone.slice(-4) };
  const types = async (text: string, isDial = false) => {
    person.answers.push(await typedAt(smsc, { ...at, text, isDial }));
  };
  await types('*123#', true);
  for (const text of ['1', '1', '0612345678', '35', pan, otherPin, pin]) await types(text);
  await types(`*123*1*${pin}#`, true);
  for (const text of [pin, `PIN ${pin}`, arabic(pin), `SOLDE ${pan}`])
    smsc.tell({ do: 'deliver', source_addr: at.number, destination_addr: '1234', ...textFields(text) });
  // Its text is the PIN, and its last TLV has no value.
  const hex = `${'00'.repeat(16)}04${Buffer.from(pin).toString('hex')}05010001`;
  const frame = [16 + hex.length / 2, 5, 0, 99].map((each) => each.toString(16).padStart(8, '0')).join('');
  smsc.tell({ do: 'raw', hex: `${frame}${hex}` });
  await types(`*123*1*${pin}#`, true);
}

/**
 * One USSD session. As with Africa's Talking, every request carries all that was typed so far, and some requests come
 * twice.
 * @param until ends the session there, as the gateway does. Later text would be for another screen
 */
export async function dials(
  town: Town,
  person: Person,
  answers: readonly string[],
  until?: RegExp,
): Promise<void> {
  const session = `ATUid_${person.phone.slice(-8)}_${person.dials.length}`;
  for (let typed = 0; typed <= answers.length; typed++) {
    const text = answers.slice(0, typed).join('*');
    const form = new URLSearchParams({
      sessionId: session,
      phoneNumber: person.phone,
      networkCode: '60400',
      serviceCode: '*123#',
      text,
    });
    if (typed === answers.length) person.dials.push({ session, text });
    for (let times = typed % 4 === 3 ? 2 : 1; times > 0; times--) {
      const response = await fetch(`${town.url}/ussd/africastalking`, { method: 'POST', body: form });
      person.answers.push(await response.text());
    }
    const shown = person.answers.at(-1) ?? '';
    const isPinNext = [person.pin, person.otherPin].includes(answers[typed] ?? '');
    // After a turn that was lost nobody asks for a PIN, and it would be an answer like any other.
    if (until?.test(shown) || (until && isPinNext && !shown.includes('PIN'))) break;
  }
  const end = new URLSearchParams({
    status: 'Success',
    hopsCount: '3',
    durationInMillis: '100',
    input: answers.join('*'),
  });
  await fetch(`${town.url}/ussd/africastalking/end`, { method: 'POST', body: end });
  const broken = `sessionId=${session}&text=${answers.join('*')}&text=${person.pin}&phoneNumber=${person.phone}`;
  const refused = await fetch(`${town.url}/ussd/africastalking`, { method: 'POST', body: broken });
  person.answers.push(await refused.text());
}

async function opensChat(town: Town, person: Person) {
  const page = await fetch(`${town.url}/chat`);
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  let id = 0;
  const say = async (message: object) => {
    const body = JSON.stringify({ id: `message-${person.phone.slice(-8)}-${id++}`, ...message });
    const headers = { cookie, 'content-type': 'application/json', origin: town.url };
    for (let tries = 0; tries < 3; tries++) {
      const response = await fetch(`${town.url}/chat/messages`, { method: 'POST', headers, body });
      person.answers.push(await response.text());
      // A failed message is sent again, as the page does. Otherwise a PIN would be taken for an amount.
      if (response.status < 500) return;
    }
  };
  /** Looks at what waits for this chat until there is a secret, and says that it was seen. */
  const looksAtSecret = async (): Promise<string | undefined> => {
    const stopped = new AbortController();
    const events = await fetch(`${town.url}/chat/events`, { headers: { cookie }, signal: stopped.signal });
    const giveUp = setTimeout(() => stopped.abort(), LOOK_MS);
    let text = '';
    try {
      for await (const part of events.body ?? []) {
        text += Buffer.from(part).toString();
        if (/"isSecret":true.*\n\n/.test(text)) break;
      }
    } catch {
      // Nothing came.
    }
    clearTimeout(giveUp);
    stopped.abort();
    const ids = [...text.matchAll(/"id":"(code-[^"]+)"/g)].map(([, each]) => each);
    const headers = { cookie, 'content-type': 'application/json', origin: town.url };
    await fetch(`${town.url}/chat/seen`, { method: 'POST', headers, body: JSON.stringify({ ids }) });
    return VOUCHER_CODE.exec(text)?.[0];
  };
  return Object.assign(say, { looksAtSecret });
}
const LOOK_MS = 3_000;
/** A UUID may hold the like of it. */
const VOUCHER_CODE = /(?<![\w-])[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}(?![\w-])/;

export function hasWallet(town: Town, { phone, pin }: Person, balance = centimes(400_000)): void {
  town.sandbox.addCustomer({
    phone,
    firstName: 'Test',
    lastName: 'Customer',
    level: 2,
    status: 3,
    pin,
    balance,
  });
}

export function codeIn(text: string | undefined): string {
  const code = /\d{3}-\d{3}/.exec(text ?? '')?.[0];
  // The store was down when it was to be sent.
  return code ?? '000-000';
}

export function arabic(digits: string): string {
  return digits.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
}

/** A card number that a bank could have given (Luhn). */
function panOf(i: number): string {
  const body = `53${String(7_290_000_000_000 + i * 7_919)}`;
  for (let check = 0; check < 10; check++) if (isLuhn(`${body}${check}`)) return `${body}${check}`;
  throw new Error('no check digit fits');
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (const [i, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (i % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
