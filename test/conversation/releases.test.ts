import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptIn } from '../../src/conversation/chart/release-files.ts';
import { hasWords, keep, loadRelease, OWN_RELEASE } from '../../src/conversation/chart/releases.ts';
import { enqueue } from '../../src/conversation/session/session.ts';
import { createSessions, sessionWrite } from '../../src/conversation/session/sessions.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { nextRelease, release, thisRelease } from '../kit/release-trees.ts';
import { CHANNELS, createWorld, RECIPIENT, STORES, testOn, type World } from '../kit/world.ts';

/** A release that only another process knows. */
const ELSEWHERE = 'elsewhere';
/** A release whose transfers ask for a reason, kept as the release command keeps it. */
let other: string;
const directory = newDirectory('releases');
beforeAll(() => {
  const tree = nextRelease(thisRelease(join(directory, 'own')), join(directory, 'other'), { kept: false });
  release(tree);
  const [kept] = keptIn(tree);
  if (!kept) throw new Error('nothing was kept');
  other = kept.release;
  keep(kept);
});

describe.each(STORES)('two releases, on %s', (store) => {
  /** The charts that conversations begin on, which change with the other processes while a customer is served. */
  let begins: string;
  let world: World;
  beforeAll(async () => {
    begins = OWN_RELEASE;
    const fleet = { begins: () => begins, isKnownElsewhere: (release?: string) => release === ELSEWHERE };
    world = await createWorld({ store, bot: 'webhook', fleet });
  });
  afterAll(() => world.close());

  const on = async (release: string): Promise<void> => {
    await loadRelease(release);
    begins = release;
  };

  testOn(CHANNELS)('a conversation ends on the charts that it began with, on %s', async (channel) => {
    await on(OWN_RELEASE);
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await on(other);
    await fatima.says(RECIPIENT).sees('transfer.askAmount').says('100').sees('transfer.askPinOpenLoop');
    await fatima.enters().sees('transfer.processing');
    await fatima.after(1_500).hears('transfer.done', { amount: 10_000 });
    expect(world.errors).toEqual([]);
  });

  testOn(CHANNELS)('also on those of the other release, on %s', async (channel) => {
    await on(other);
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.howMuch');
    await on(OWN_RELEASE);
    await fatima.says('200').sees('transfer.askReason').goes('help').sees('help.help');
    await fatima.goes('back').sees('transfer.askReason').says('loyer').sees('transfer.askPinOpenLoop');
    await fatima.sees('transfer.askPinOpenLoop').enters().sees('transfer.processing');
    await fatima.after(1_500).hears('transfer.sent', { amount: 20_000 });
    expect(world.errors).toEqual([]);
  });

  test('an interrupted dial is offered on its own charts', async () => {
    await on(other);
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askReason');
    await on(OWN_RELEASE);
    await fatima.dials().sees('transfer.resume').chooses('continue').sees('transfer.askReason');
  });

  test('timers fire on the charts that have set them', async () => {
    await on(other);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').says('loyer');
    await on(OWN_RELEASE);
    await fatima.after(121_000).hears('pin.lapsed').opens().sees('pin.lapsed');
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop');
    expect(world.errors).toEqual([]);
  });

  test('a login whose process dies is asked again on the same charts', async () => {
    await on(other);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').says('loyer');
    await on(OWN_RELEASE);
    await world.crashesDuring('login', fatima.enters());
    await world.passes(60_000);
    await world
      .again(fatima)
      .opens()
      .sees('transfer.askPinOpenLoop')
      .isTold('pay.pinLost')
      .enters()
      .sees('transfer.processing');
  });

  test('the worker leaves a conversation that only another process can continue', async () => {
    await on(OWN_RELEASE);
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
    const loaded = await createSessions(world.store).load(fatima.address, world.clock.now());
    const begun = loaded.session.conversation;
    if (!begun) throw new Error('there is no conversation');
    const conversation = { ...begun, version: '999', release: ELSEWHERE };
    const write = sessionWrite({ ...loaded, session: { ...loaded.session, conversation } });
    expect(await world.store.commit(loaded.partition, { writes: [write] })).toBe(true);
    await world.passes(121_000);
    expect((await world.session(fatima)).conversation).toEqual(conversation);
    // A customer who is here all the same gets an answer.
    await fatima.says('bonjour').sees('menu.choose').isTold('nav.expired');
    expect(world.errors).toEqual([]);
  });

  test('a message is told in the words of the release that wrote it', async () => {
    await loadRelease(other);
    const fatima = world.customer();
    await fatima.isAtMenu();
    const loaded = await createSessions(world.store).load(fatima.address, world.clock.now());
    const screen = { key: 'transfer.askReason', expects: 'nothing', release: other } as never;
    const message = { id: 'left', screen, money: true, tries: 0 };
    const session = enqueue(loaded.session, message);
    expect(
      await world.store.commit(loaded.partition, { writes: [sessionWrite({ ...loaded, session })] }),
    ).toBe(true);
    await fatima.dials().isTold('transfer.askReason');
  });

  test('a message without a release of its own names the one that wrote it', () => {
    const screen = { key: 'nav.busy', expects: 'nothing' } as const;
    const { outbox } = enqueue(
      { seen: [], screen: 0, page: 0, at: 0 },
      { id: 'new', screen, money: false, tries: 0 },
    );
    expect(outbox?.[0]?.screen.release).toBe(OWN_RELEASE);
  });
});

test('the words of a release are learnt with its charts', () => {
  expect(hasWords(other)).toBe(true);
});
