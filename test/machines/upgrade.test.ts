import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/wallet/wallet.ts';
import { alone } from '../kit/alone.ts';
import type { Customer } from '../kit/customer.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS, IDENTITY_PAGE, STORES, testOn, theWorld, type World } from '../kit/world.ts';

const asks = (customer: Customer) => customer.isAtMenu().says('augmenter mon plafond');
const asksLink = (customer: Customer) => customer.walks(asks).chooses('link').sees('upgrade.linkSent');

/** The part after the `#` of the newest link, in the SMS or in the message of the chat. */
async function linkOf(world: World, customer: Customer): Promise<string> {
  await world.rests();
  const [message] = (await world.engine.waiting(customer.address)).filter(
    ({ screen }) => screen.key === 'upgrade.link',
  );
  const value = message?.screen.values?.link;
  const text = value && 'hidden' in value ? value.hidden : (world.sms(customer.phone).at(-1) ?? '');
  return new RegExp(`${IDENTITY_PAGE}#([\\w-]+)`).exec(text)?.[1] ?? `no link in ${text}`;
}

function identification() {
  const world = theWorld({ settings: { verifyAfterMs: 5_000 } });
  const linked = async (who: Parameters<World['customer']>[0] = {}) => {
    const fatima = world.customer({ level: 1, channel: 'web', ...who });
    await fatima.walks(asksLink);
    return { fatima, link: await linkOf(world, fatima) };
  };
  const scanned = async (who: Parameters<World['customer']>[0] = {}) => {
    const { fatima, link } = await linked(who);
    expect(await world.engine.beginIdentification(link)).toMatchObject({ kind: 'begun' });
    return { fatima, link };
  };
  return { world, linked, scanned };
}

describe('a higher level', () => {
  const { world, linked, scanned } = identification();

  test.each(['ussd', 'web'] as const)('by the page of the identity provider, on %s', async (channel) => {
    const fatima = world.customer({ level: 1, channel });
    await fatima.walks(asks).sees('upgrade.explain', {
      level: 1,
      limit: 100_000,
      next: 2,
      nextLimit: 400_000,
      needs: 'upgrade.needs2',
    });
    await fatima.chooses('link').sees('upgrade.linkSent');
    const link = await linkOf(world, fatima);
    const begun = await world.engine.beginIdentification(link);
    if (begun.kind !== 'begun') throw new Error(JSON.stringify(begun));
    const { token, applicantId } = begun.value;
    expect(token.split('.')).toHaveLength(3);
    expect(await world.engine.requestUpgrade(link)).toEqual({ kind: 'requested' });
    // Told in every chat of the wallet, once, though the wallet says it twice.
    const other = world.chatOf(fatima);
    await other.isAtMenu();
    await other.after(6_000).hears('upgrade.raised', { level: 2, limit: 400_000 });
    expect(await world.engine.tellLevel(fatima.phone, 'a second event')).toBe('told');
    await other.after(DAY_MS).hearsNothing();
    if (channel === 'web') await fatima.hears('upgrade.raised', { level: 2 });
    else await fatima.dials().isTold('upgrade.raised', { level: 2 });
    await fatima.says('plafond').sees('upgrade.explain', { level: 2, needs: 'upgrade.needs3' });
    const stored = await world.everythingStored();
    for (const secret of [token, applicantId, link]) expect(stored).not.toContain(secret);
  });

  test.each([
    ['opened before', async (link: string) => void (await world.engine.beginIdentification(link))],
    ['too old', () => world.passes(11 * MINUTE_MS)],
  ])('a link that is %s opens nothing', async (_, happens) => {
    const { link } = await linked();
    await happens(link);
    expect(await world.engine.beginIdentification(link)).toEqual({ kind: 'gone' });
  });

  test.each(['', 'x', 'A'.repeat(60), '../../etc/passwd'])('“%s” is no link', async (link) => {
    expect(await world.engine.beginIdentification(link)).toEqual({ kind: 'gone' });
    expect(await world.engine.requestUpgrade(link)).toEqual({ kind: 'gone' });
  });

  test('each opened link requests one upgrade, within the hour', async () => {
    const { fatima, link } = await linked();
    expect(await world.engine.requestUpgrade(link)).toEqual({ kind: 'gone' });
    await world.engine.beginIdentification(link);
    const both = await Promise.all([world.engine.requestUpgrade(link), world.engine.requestUpgrade(link)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['gone', 'requested']);
    expect(world.wallet.calls(fatima.phone, 'requestUpgrade')).toHaveLength(1);
    const late = await scanned();
    await world.passes(61 * MINUTE_MS);
    expect(await world.engine.requestUpgrade(late.link)).toEqual({ kind: 'gone' });
  });

  test.each([
    ['is being verified already', refused('90132'), 'problem.90132'],
    ['is a merchant’s', refused('90134'), 'problem.90134'],
    ['does not answer', LOST, 'problem.unavailable'],
    ['cannot be reached', UNSENT, 'problem.unavailable'],
    ['refuses in its own words', refused('47110'), 'problem.other'],
  ] as const)('the wallet %s: the page says so', async (_, instead, key) => {
    const { link } = await linked();
    world.wallet.next('startIdentification', instead);
    expect(await world.engine.beginIdentification(link)).toMatchObject({ kind: 'refused', why: { key } });
  });

  test.each([
    ['it has this level', refused('90130'), { kind: 'refused', why: { key: 'problem.90130' } }, false],
    ['nothing was scanned', refused('90131'), { kind: 'refused', why: { key: 'problem.90131' } }, false],
    ['it never left', UNSENT, { kind: 'refused', why: { key: 'problem.unavailable' } }, false],
    ['an earlier one has arrived', refused('90132'), { kind: 'requested' }, false],
    ['its answer is lost, and it was not made', LOST, { kind: 'notKnown' }, 'upgrade.noAnswer'],
    ['its answer is lost, and it was made', loses, { kind: 'notKnown' }, 'upgrade.raised'],
  ] as const)('the request: %s', async (_, instead, comes, tells) => {
    const { fatima, link } = await scanned();
    world.wallet.next('requestUpgrade', instead);
    expect(await world.engine.requestUpgrade(link)).toMatchObject(comes);
    await fatima.hears('upgrade.link');
    await world.passes(DAY_MS + MINUTE_MS);
    await (tells ? fatima.hears(tells).hearsNothing() : fatima.hearsNothing());
    expect(world.wallet.calls(fatima.phone, 'requestUpgrade')).toHaveLength(1);
  });
});

describe('the decision on a higher level', () => {
  const { world, scanned } = identification();

  test.each([
    ['refuses', 'XX123456'],
    ['never decides', 'ZZ123456'],
  ])('the provider %s, and after a day the customer is told once that there is no answer', async (_, cin) => {
    const { fatima, link } = await scanned({ cin });
    expect(await world.engine.requestUpgrade(link)).toEqual({ kind: 'requested' });
    await fatima.hears('upgrade.link');
    await fatima.after(23 * HOUR_MS).hearsNothing();
    world.wallet.next('profile', LOST);
    await fatima.after(HOUR_MS + MINUTE_MS).hearsNothing();
    await fatima.after(HOUR_MS).hears('upgrade.noAnswer');
    await fatima.after(DAY_MS).hearsNothing();
  });

  test('a wallet that still shows the old level is asked again before the customer hears of it', async () => {
    const { fatima, link } = await scanned();
    const old: Profile = {
      fullName: 'Test Customer',
      phone: fatima.phone,
      balance: 0 as never,
      level: 1,
      status: 3,
    };
    await world.engine.requestUpgrade(link);
    await fatima.hears('upgrade.link');
    world.wallet.next('profile', { kind: 'ok', value: old });
    await fatima.after(6_000).hearsNothing();
    await fatima.after(MINUTE_MS).hears('upgrade.raised', { level: 2 });
  });

  test('no more than five links in an hour', async () => {
    const fatima = world.customer({ level: 1 });
    await fatima.isAtMenu();
    for (let i = 0; i < 5; i++) await fatima.says('plafond').chooses('link').sees('upgrade.linkSent');
    await fatima.says('plafond').chooses('link').sees('upgrade.explain').isTold('upgrade.tooMany');
    await fatima.after(HOUR_MS).dials().says('plafond').chooses('link').sees('upgrade.linkSent');
  });

  test('a link by SMS exists once, and one that nobody fetched is called expired', async () => {
    const [fatima, chat] = [world.customer({ level: 1 }), world.customer({ level: 1, channel: 'web' })];
    await fatima.walks(asksLink);
    await world.rests();
    expect(world.sms(fatima.phone).filter((text) => text.includes(IDENTITY_PAGE))).toHaveLength(1);
    await fatima.dials().isToldNothing();
    await chat.walks(asksLink);
    await chat.after(11 * MINUTE_MS).hears('upgrade.linkExpired');
  });
});

describe('a link that cannot be sent at the moment', () => {
  const world = theWorld({ budgets: { codesPerGateway: 1 } });

  test('is called so, and not a spent limit of the customer', async () => {
    const another = () => world.customer({ level: 1 }).comesFrom('orange', 'gateway');
    await another().walks(asksLink).sees('upgrade.linkSent');
    await another().walks(asks).chooses('link').sees('upgrade.explain').isTold('problem.unavailable');
  });
});

describe('the limit of a level', () => {
  const world = theWorld({ bot: 'webhook' });

  testOn(CHANNELS)('is named, and the remaining room only after the PIN, on %s', async (channel) => {
    const fatima = world.customer({ level: 2, balance: '1500', channel });
    await fatima.walks(asks).sees('upgrade.explain', { level: 2, limit: 400_000 });
    expect(JSON.stringify(await world.session(fatima))).not.toMatch(alone('150000'));
    await fatima.chooses('room').sees('upgrade.askPin').enters('4321').isTold('pin.wrongWithTries').enters();
    await fatima.sees('upgrade.room', { limit: 400_000, balance: 150_000, left: 250_000 });
  });

  test('the highest level needs nothing more', async () => {
    const fatima = world.customer({ level: 4 });
    await fatima.walks(asks).sees('upgrade.highest', { level: 4, limit: 10_000_000 }).offers('room');
  });

  test('a merchant’s is in the contract', () =>
    world.customer({ walletType: 'C' }).walks(asks).sees('upgrade.merchant'));

  test.each([
    ['is not answered', LOST, 'problem.unavailable'],
    ['is refused', refused('20005'), 'problem.20005'],
  ] as const)('a level whose read %s', async (_, instead, told) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('profile', instead);
    await fatima.says('niveau').sees('upgrade.unavailable').isTold(told);
  });

  test('an unread balance leads back', async () => {
    const fatima = world.customer();
    await fatima.walks(asks).chooses('room');
    world.wallet.next('balance', LOST);
    await fatima.enters().sees('upgrade.explain').isTold('problem.unavailable');
  });
});

describe.each(STORES)('without a page of the identity provider, on %s', (store) => {
  const world = theWorld({ store, identityPage: false });

  test('the customer gets directions, and can ask for a person', async () => {
    const fatima = world.customer({ level: 1 });
    await fatima.walks(asks).sees('upgrade.explainElsewhere', { needs: 'upgrade.needs2' });
    await fatima.offers('adviser', 'room');
    await fatima.chooses('adviser').sees('help.written');
  });
});
