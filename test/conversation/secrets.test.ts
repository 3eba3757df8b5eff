import { createHash, createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOurRef, newRef } from '../../src/conversation/record/ref.ts';
import { createSecrets, SEALED_MS } from '../../src/conversation/secrets.ts';
import type { Partition } from '../../src/store/store.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { type Customer, STORES, theWorld, type World } from '../kit/world.ts';

const KEY = 'a key of the tests, longer than 32 characters';
const ADDRESS = 'ussd:+212612345678';
const NOW = Date.UTC(2026, 10, 20);

describe('a sealed secret', () => {
  const secrets = createSecrets(KEY);
  const sealed = secrets.seal('1234', ADDRESS, NOW);

  test('opens in its own place', () => {
    expect(secrets.open(sealed, ADDRESS, NOW)).toBe('1234');
    expect(createSecrets(KEY).open(sealed, ADDRESS, NOW + SEALED_MS)).toBe('1234');
  });

  test.each([
    ['at another address', () => secrets.open(sealed, 'ussd:+212612345679', NOW)],
    ['at no address', () => secrets.open(sealed, '', NOW)],
    ['after two minutes', () => secrets.open(sealed, ADDRESS, NOW + SEALED_MS + 1)],
    ['long before it was sealed', () => secrets.open(sealed, ADDRESS, NOW - SEALED_MS - 1)],
    ['under another key', () => createSecrets(`${KEY}!`).open(sealed, ADDRESS, NOW)],
    ['cut short', () => secrets.open(sealed.slice(0, 20) as never, ADDRESS, NOW)],
    ['empty', () => secrets.open('' as never, ADDRESS, NOW)],
    ['that is something else', () => secrets.open('{"pin":"1234"}' as never, ADDRESS, NOW)],
  ])('does not open %s', (_, open) => {
    expect(open()).toBeUndefined();
  });

  test('does not open with any byte changed, in its time or its text', () => {
    const bytes = Buffer.from(sealed, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(secrets.open(changed.toString('base64url') as never, ADDRESS, NOW), `byte ${i}`).toBeUndefined();
    }
  });

  test('looks different every time, and reveals nothing', () => {
    const many = Array.from({ length: 50 }, () => secrets.seal('1234', ADDRESS, NOW));
    expect(new Set(many).size).toBe(50);
    for (const each of many) expect(Buffer.from(each, 'base64url').toString('latin1')).not.toContain('1234');
  });

  test('any text goes in and out', () => {
    for (const text of ['', '0', '١٢٣٤', '🙂', 'x'.repeat(10_000)]) {
      expect(secrets.open(secrets.seal(text, ADDRESS, NOW), ADDRESS, NOW)).toBe(text);
    }
  });
});

describe('while one key replaces another', () => {
  const OTHER = 'another key of the tests, also longer than 32';
  const [before, after] = [createSecrets(KEY, OTHER), createSecrets(OTHER, KEY)];

  test('both open the seals of either, but not without the key', () => {
    for (const [one, two] of [
      [before, after],
      [after, before],
    ] as const)
      expect(one.open(two.seal('1234', ADDRESS, NOW), ADDRESS, NOW)).toBe('1234');
    const sealed = after.seal('1234', ADDRESS, NOW);
    expect(createSecrets(KEY).open(sealed, ADDRESS, NOW)).toBeUndefined();
    expect(createSecrets(OTHER).open(sealed, ADDRESS, NOW)).toBe('1234');
  });

  test('each digests under its first key, and recognises digests of the other', () => {
    expect(after.digest('x')).toBe(createSecrets(OTHER).digest('x'));
    expect(after.digests('x')).toEqual([after.digest('x'), before.digest('x')]);
    expect(createSecrets(OTHER).digests('x')).not.toContain(before.digest('x'));
  });

  test('an id of a call is ours under both keys, and under no other', () => {
    const ref = newRef(7 as Partition, createSecrets(KEY));
    expect([isOurRef(ref, after), isOurRef(ref, createSecrets(OTHER))]).toEqual([true, false]);
  });
});

describe('a digest', () => {
  test('is HMAC-SHA-256 under a key of its own, for any text', () => {
    const own = hkdfSync('sha256', KEY, 'wasl', 'digest', 32);
    const node = (text: string) =>
      createHmac('sha256', Buffer.from(own)).update(text).digest('base64url').slice(0, 16);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(secrets.digest(text)).toBe(node(text));
      }),
    );
    // A lone half of a character is written as Node writes it.
    for (const text of ['', '1234', 'é'.repeat(500), '\ud800', 'سلام'])
      expect(secrets.digest(text)).toBe(node(text));
  });

  const secrets = createSecrets(KEY);

  test('is the same for the same text, and only under the same key', () => {
    expect(secrets.digest('1234')).toBe(createSecrets(KEY).digest('1234'));
    expect(secrets.digest('1234')).not.toBe(secrets.digest('1235'));
    expect(secrets.digest('1234')).not.toBe(createSecrets(`${KEY}!`).digest('1234'));
  });

  test('is no plain hash, nor one under a guessable key', () => {
    const guesses = ['', 'wasl', '1234', ADDRESS].map((key) => createHmac('sha256', key).update('1234'));
    for (const hash of [createHash('sha256').update('1234'), createHash('md5').update('1234'), ...guesses]) {
      expect(hash.digest('base64url')).not.toContain(secrets.digest('1234'));
    }
  });
});

const PIN = '7391';
const WRONG_PIN = '8264';
const NEW_PIN = '5937';
const SEALED_LENGTH = /"first":"[\w-]{40,}"/;

describe.each(STORES)('no secret stays, on %s', (store) => {
  const world = theWorld({ store });

  test('PINs and codes leave no trace from any screen', async () => {
    const people = [
      await opens(world, 'ussd'),
      await opens(world, 'web'),
      await pays(world, 'ussd'),
      await pays(world, 'web'),
      await typesItAnywhere(world, 'ussd'),
      await typesItAnywhere(world, 'web'),
    ];
    const stored = await world.everythingStored();
    for (const phone of people) expect(stored).toContain(phone);
    const codes = people.flatMap((phone) =>
      world.sms(phone).flatMap((sms) => sms.match(/\d{3}-\d{3}/g) ?? []),
    );
    expect(codes).toHaveLength(5);
    for (const secret of [
      PIN,
      '٧٣٩١',
      WRONG_PIN,
      NEW_PIN,
      ...codes,
      ...codes.map((code) => code.replace('-', '')),
    ]) {
      const alone = new RegExp(`(?<![\\w+-])${secret}(?![\\w-])`);
      expect(excerpt(stored, alone), secret).toBeUndefined();
    }
    expect(JSON.stringify(world.errors)).toBe('[]');
  });

  test('secrets that outlive a turn are sealed, and gone after their use', async () => {
    const salma = world.stranger();
    await salma.walks(registers).enters(NEW_PIN).sees('onboarding.repeatPin');
    expect(JSON.stringify(await world.session(salma))).toMatch(SEALED_LENGTH);
    await salma.enters(NEW_PIN).sees('onboarding.opened');
    expect(JSON.stringify(await world.session(salma))).not.toMatch(SEALED_LENGTH);
  });
});

/** The place of a secret in a text, with its surroundings. */
function excerpt(text: string, secret: RegExp): string | undefined {
  const found = secret.exec(text);
  return found ? text.slice(Math.max(0, found.index - 120), found.index + 120) : undefined;
}

const registers = (salma: Customer) =>
  salma
    .arrives()
    .chooses('agree')
    .says('Salma')
    .says('Idrissi')
    .says('AB123456')
    .chooses('confirm')
    .sees('onboarding.askCode')
    .entersCodeFromSms()
    .sees('onboarding.askNewPin');

async function opens(world: World, channel: 'ussd' | 'web'): Promise<Msisdn> {
  const salma = world.stranger({ channel });
  await salma.walks(registers).enters(NEW_PIN).enters(WRONG_PIN).sees('onboarding.askNewPin').enters(NEW_PIN);
  await salma.repeats().enters(NEW_PIN).sees('onboarding.opened').enters(NEW_PIN).sees('menu.choose');
  return salma.phone;
}

async function pays(world: World, channel: 'ussd' | 'web'): Promise<Msisdn> {
  const fatima = world.customer({ channel, pin: PIN });
  await fatima.arrives();
  await fatima.walks((it) => (channel === 'web' ? it.enters(PIN) : it)).sees('menu.choose');
  await fatima.chooses('balance').enters(WRONG_PIN).enters(PIN).sees('balance.shown').goes('menu');
  await fatima.chooses('transfer').says('0655000000').says('100');
  await fatima.enters(WRONG_PIN).isTold('pin.wrongWithTries').repeats();
  await fatima.enters(PIN).sees('transfer.processing').enters(PIN).sees('menu.choose');
  await world.passes(1_500);
  return fatima.phone;
}

/** A PIN and a code where none is asked: too early, too late, in a deep dial. */
async function typesItAnywhere(world: World, channel: 'ussd' | 'web'): Promise<Msisdn> {
  const fatima = world.customer({ channel, pin: PIN });
  await fatima.arrives().enters(PIN);
  for (const path of [
    (it: Customer) => it.goes('menu'),
    (it: Customer) => it.goes('menu').chooses('transfer'),
    (it: Customer) => it.goes('menu').chooses('transfer').says('0655000000').says('100'),
    (it: Customer) => it.goes('menu').chooses('balance').goes('help'),
    (it: Customer) => it.goes('menu').goes('language'),
    (it: Customer) => it.goes('menu').after(31 * 60_000),
  ]) {
    for (const text of [
      PIN,
      `PIN ${PIN}`,
      `${PIN}#`,
      '٧٣٩١',
      world.sms(fatima.phone).at(-1)?.slice(-7) ?? PIN,
    ]) {
      await fatima.walks(path).says(text);
    }
  }
  if (channel === 'ussd') await fatima.dials('2', PIN).dials('1', '0655000000', '100', PIN).dials(PIN);
  return fatima.phone;
}

describe('an unexpected secret', () => {
  const world = theWorld();

  test.each(['48151623', 'solde bitaka'])('is neither read nor written down: %s', async (secret) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const given = { address: fatima.address, id: 'late', inputs: [{ type: 'secret', secret }] } as const;
    const { screen } = await world.engine.receive(given, 5_000);
    expect([screen.key, screen.notice?.key]).toEqual(['menu.choose', 'nav.stale']);
    expect(await world.everythingStored()).not.toContain(secret);
  });
});
