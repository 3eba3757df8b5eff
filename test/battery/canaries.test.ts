import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecord } from '../../src/conversation/record/record.ts';
import { Seeded } from '../../src/sandbox/core/random.ts';
import { OPERATION_TYPES } from '../../src/wallet/contract/fields.ts';
import { arabic, createPerson, type Person, WAYS } from './canaries-people.ts';
import { type Canaries, canariesIn, canariesInJson, crackedBy, digestsIn } from './canaries-search.ts';
import { SERVICE_WAYS } from './canaries-services.ts';
import { createTown, SANDBOX_SEED, type Town } from './canaries-town.ts';
import { report } from './town/oracle.ts';
import { randomOf } from './town/random.ts';

const LONG = process.env.LONG === '1';
const PEOPLE = LONG ? 1_800 : 132;
/** All these people live for a quarter of an hour on a machine that does nothing else. */
const LONGEST_MS = LONG ? 3_600_000 : 600_000;
const ALL_WAYS = [...WAYS, ...SERVICE_WAYS];
const AT_ONCE = 4;
/** So many people's sessions are tried with all 10,000 PINs each. */
const CRACKED_DIALS = LONG ? 20 : 2;

/** Everybody lives in a town, and everything that is left of it afterwards. */
async function livesIn(kind: 'sqlite' | 'redis') {
  const town = await createTown(kind);
  const people = everybody();
  const queue = [...people.entries()];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [i, person] = next;
        await ALL_WAYS[i % ALL_WAYS.length]?.(town, person);
      }
    }),
  );
  await town.sandbox.settle();
  const vouchers = vouchersOf(town);
  const references = referencesOf(town);
  const canaries = canariesOf(people, [...vouchers, ...references]);
  const files = town.files();
  const documents = await town.documents();
  const keys = await town.keys();
  report(`T9 canaries on ${kind}`, {
    secrets: canaries.pins.size + canaries.long.length,
    'voucher codes': vouchers.length,
    'references to draw cash with': references.length,
    documents: documents.length,
    'log lines': town.logged.length,
    'bytes of files': files.reduce((sum, text) => sum + text.length, 0),
  });
  return { town, people, vouchers, references, canaries, files, documents, keys };
}

describe.each(['sqlite', 'redis'] as const)('T9: canaries, on %s', (kind) => {
  let lived: Awaited<ReturnType<typeof livesIn>>;
  beforeAll(async () => {
    lived = await livesIn(kind);
  }, LONGEST_MS);
  afterAll(() => lived?.town.close());

  test('everybody typed their secrets, and went on', () => {
    const { town, people, vouchers, references, documents } = lived;
    const all = people.flatMap(({ answers }) => answers).join('\n');
    expect(documents.length).toBeGreaterThan(people.length);
    expect(all).toMatch(/Votre solde/);
    const paid = documents.filter((text) => /"address":"whatsapp:.*"kind":"transfer"/.test(text));
    expect(paid.length, 'payments by WhatsApp').toBeGreaterThan(0);
    expect(all).toMatch(/n'est pas correct|incorrect|Code PIN/i);
    expect(all, 'a payment over SMPP').toMatch(/35,00 DH/);
    for (const line of ['An error ended turns', 'An SMSC sent a PDU that cannot be read'])
      expect(
        town.logged.some((each) => each.includes(line)),
        line,
      ).toBe(true);
    expect(documents.some((text) => text.includes('"key":"onboarding.opened"'))).toBe(true);
    expect(documents.some((text) => text.includes('"key":"transfer.processing"'))).toBe(true);
    for (const key of [
      'bill-payment.doneSettled',
      'pin-change.changedUntil',
      'closing.closed',
      'card-cash-in.atBank',
    ])
      expect(documents.filter((text) => text.includes(`"key":"${key}"`)).length, key).toBeGreaterThan(0);
    expect(all).toMatch(/nouveau code PIN est enregistré/);
    const sent = people.flatMap(({ phone }) => town.inbox.of(phone).map(({ text }) => text));
    const came = vouchers.filter((code) => sent.some((text) => text.includes(code)));
    expect(came.length, 'voucher codes came by SMS').toBeGreaterThan(0);
    const shown = people.flatMap((person) => person.shown);
    expect(shown.length, 'voucher codes were shown in chats').toBeGreaterThan(0);
    expect(vouchers).toEqual(expect.arrayContaining(shown));
    expect(references.filter((each) => all.includes(each)).length, 'references were shown').toBeGreaterThan(
      0,
    );
    expect(town.sandbox.executions().filter(({ type }) => type === OPERATION_TYPES.BILL_PAYMENT)).not.toEqual(
      [],
    );
  });

  test('no document or turn record holds one', () => {
    const { documents, keys, canaries } = lived;
    expect(documents.flatMap((json) => canariesInJson(json, canaries))).toEqual([]);
    expect(keys.flatMap((key) => canariesIn(key, canaries))).toEqual([]);
  });

  test('every turn record can be read whole', () => {
    const { documents, people } = lived;
    const records = documents.filter((text) => text.includes('"ran":['));
    expect(records.length).toBeGreaterThan(people.length);
    for (const json of records) expect(readRecord(json)).toEqual(JSON.parse(json));
  });

  test('no byte of its files holds one', () => {
    const { files, canaries } = lived;
    expect(files.length).toBe(kind === 'sqlite' ? files.length : 0);
    expect(files.flatMap((text) => canariesIn(text, canaries))).toEqual([]);
  });

  test('no line of the log holds one', () => {
    const { town, people, canaries } = lived;
    expect(town.logged.length).toBeGreaterThan(people.length);
    expect(town.logged.flatMap((line) => canariesInJson(line, canaries))).toEqual([]);
  });

  test('no trace holds one, and neither a trace nor the log holds the number of a customer', async () => {
    const { town, people, canaries } = lived;
    const spans = await town.spans();
    expect(new Set(spans.map((span) => JSON.parse(span).name.split(' ')[0]))).toEqual(
      new Set(['turn', 'store', 'wallet']),
    );
    expect(spans.flatMap((span) => canariesInJson(span, canaries))).toEqual([]);
    const text = [...spans, ...town.logged].join('\n');
    expect(people.filter(({ phone }) => text.includes(phone.slice(-9)))).toEqual([]);
  });

  test('our SMS hold only our own codes, and no answer repeats a secret', () => {
    const { town, people, vouchers, references, canaries } = lived;
    const sent = people.flatMap(({ phone }) => town.inbox.of(phone).map(({ text }) => text));
    const codes = new Set([...people.flatMap((person) => person.codes), ...vouchers, ...references]);
    const others = { ...canaries, long: canaries.long.filter((each) => !codes.has(each)) };
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.flatMap((text) => canariesIn(text, others))).toEqual([]);
    // A reference is shown by the answer to its PIN, and by nothing else.
    const unsaid = { ...canaries, long: canaries.long.filter((each) => !references.includes(each)) };
    // So is a voucher's code where it is seen again: hidden, and the page is told what it hides.
    const showsAgain = (text: string) => text.includes('"hides":"code"');
    const answers = people.flatMap((person) => person.answers);
    expect(answers.filter((text) => !showsAgain(text)).flatMap((text) => canariesIn(text, unsaid))).toEqual(
      [],
    );
    const again = { ...unsaid, long: unsaid.long.filter((each) => !vouchers.includes(each)) };
    expect(answers.filter(showsAgain).flatMap((text) => canariesIn(text, again))).toEqual([]);
    expect(answers.filter(showsAgain).length).toBeGreaterThan(0);
  });

  test(
    'no stored digest gives a PIN away to someone who tries all of them',
    () => {
      const { documents, keys, people } = lived;
      const digests = digestsIn([...documents, ...keys].join('\n'));
      expect(digests.size).toBeGreaterThan(people.length);
      const dials = people.flatMap(({ phone, dials }) => dials.map((dial) => ({ phone, ...dial })));
      const secret = dials
        .filter(({ text }) => people.some(({ pin }) => text.endsWith(pin)))
        .slice(0, CRACKED_DIALS);
      const within = ['PIN', ...secret.flatMap(({ phone, session, text }) => inputsOf(phone, session, text))];
      expect(crackedBy(digests, within)).toEqual([]);
    },
    LONGEST_MS,
  );
});

/** Every code that the sandbox has made, also those that nobody here was told. */
function vouchersOf({ sandbox }: Town): string[] {
  const random = new Seeded(() => SANDBOX_SEED);
  const bought = sandbox.executions().filter(({ type }) => type === OPERATION_TYPES.VOUCHER);
  return bought.map(({ operationId }) => random.voucherCode(operationId));
}

/** The number of every reference to draw cash with. */
function referencesOf({ sandbox }: Town): string[] {
  return sandbox.references().flatMap(({ kind, reference }) => (kind === 'cash-out' ? [reference] : []));
}

describe('the search itself', () => {
  const long = ['5372-canary', '123-456', arabic('4711'), '90562249', 'ABCD-EFGH-2345'];
  const canaries: Canaries = { pins: new Set(['4711']), long };

  test.each<[string, string, boolean]>([
    ['a PIN said', 'said 4711', true],
    ['a PIN in a USSD text', '1*2*4711', true],
    ['a PIN in a form', 'pin=4711&x=1', true],
    ['a PIN in a text', '"4711"', true],
    ['a PIN in Arabic digits', `said ${arabic('4711')}`, true],
    ['a code', 'Wasl: 123-456', true],
    ['a password of digits', 'said 90562249', true],
    ['a voucher code', '"hidden":"ABCD-EFGH-2345"', true],
    ['the digits of a password in a moment', '1790562249000', false],
    ['the same digits in a longer number', '+212647110000', false],
    ['the same digits in an id', 'a4711b', false],
    ['the same digits in a UUID', '6db0-4711-8e11', false],
  ])('%s', (_case, text, isFound) => {
    expect(canariesIn(text, canaries).length > 0).toBe(isFound);
  });

  test.each<[string, unknown, boolean]>([
    ['a text', { event: { kind: 'input', input: { type: 'said', text: '4711' } } }, true],
    ['a number', { pin: 4711 }, true],
    ['deep within', { a: [{ b: { c: '4711' } }] }, true],
    ['a duration', { ms: 4711 }, false],
  ])('in JSON: %s', (_case, value, isFound) => {
    expect(canariesInJson(JSON.stringify(value), canaries).length > 0).toBe(isFound);
  });

  test.each(['md5', 'sha1', 'sha256'])('a plain %s of a session and a PIN is cracked', (hash) => {
    const [template = ''] = inputsOf('+212600000001', 'ATUid_1', '1*2*4711');
    const digest = createHash(hash)
      .update(template.replaceAll('PIN', '4711'))
      .digest('base64url')
      .slice(0, 16);
    const digests = digestsIn(JSON.stringify({ seen: [digest, 'aaaaaaaaaaaaaaaa'] }));
    expect(crackedBy(digests, [template]).length).toBeGreaterThan(0);
  });
});

/** An attacker may guess that an input's id is made of the session, the number of answers, and the text. */
function inputsOf(phone: string, session: string, text: string): string[] {
  const count = String(text.split('*').length);
  const withPin = text.replace(/\d{4}$/, 'PIN');
  const parts = ['africastalking', phone, session, count, withPin];
  return [
    JSON.stringify(parts),
    parts.join(' '),
    parts.join(':'),
    parts.join(''),
    withPin,
    `${session}${withPin}`,
    `${session}:${withPin}`,
    `${session}PIN`,
    `${session}${count}${withPin}`,
    `${session}:${count}:${withPin}`,
    `${phone}PIN`,
    `${phone}:PIN`,
  ];
}

/**
 * All other numbers of four digits that stand alone here: years, round amounts in centimes, creditors, and the
 * beginnings of phone numbers.
 */
const OF_THE_SCENE = /^(19|20)|00$|^1\d0\d$|^2126$/;

/** Two PINs for each that nobody else has, and that mean nothing else here. */
function everybody(): Person[] {
  const random = randomOf(4711);
  const free = Array.from({ length: 9_000 }, (_, i) => String(i + 1_000)).filter(
    (pin) => !OF_THE_SCENE.test(pin),
  );
  return Array.from({ length: PEOPLE }, (_, i) => {
    const take = () => free.splice(random.between(0, free.length), 1)[0] as string;
    return createPerson(i, [take(), take()]);
  });
}

function canariesOf(people: readonly Person[], vouchers: readonly string[]): Canaries {
  return {
    pins: new Set(people.flatMap(({ pin, otherPin }) => [pin, otherPin])),
    long: people
      .flatMap(({ pin, pan, codes, billCode, billPassword }) => [
        pan,
        billCode,
        billPassword,
        pan.replace(/(\d{4})(?=\d)/g, '$1 '),
        arabic(pin),
        ...codes,
        ...codes.map((code) => code.replace('-', ' ')),
      ])
      .concat(vouchers),
  };
}
