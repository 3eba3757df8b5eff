import { expect, test } from 'vitest';
import { CASES } from '../../src/conversation/cases/case.ts';
import { inHand } from '../../src/conversation/incoming.ts';
import { walletKey, walletStateOf } from '../../src/conversation/session/wallet-doc.ts';
import { createWebPush } from '../../src/push/web-push.ts';
import { eraseCustomer, exportCustomer } from '../../src/records/customer.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { readDocs } from '../../src/store/update.ts';
import { handout } from '../../src/support/handout.ts';
import { type Customer, createWorld, DAY_MS, NADIA, OMAR, STORES, type World } from '../kit/world.ts';
import { makesLink } from '../machines/card-forms.ts';
import { merchantIn } from '../machines/merchant-orders.ts';
import { createBrowser } from '../push/push-service.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 7);

async function pays(world: World, from: Customer): Promise<void> {
  await from.isAtMenu();
  await from.chooses('transfer').says('0655000000').says('200').enters();
  await world.passes(5_000);
}

/** An export has the stored data, in words that its customer understands. */
function isReadable(handed: object, fatima: Customer, chat: Customer): void {
  const text = JSON.stringify(handed);
  expect(text, 'a moment as a number').not.toMatch(/:\d{13}\b/);
  expect(handed).toMatchObject({
    number: fatima.phone,
    channels: expect.arrayContaining([
      expect.objectContaining({ channel: 'ussd', language: 'fr', lastHere: expect.stringMatching(/Z$/) }),
    ]),
    payments: [{ amount: '200.00 MAD', outcome: 'done', order: { to: '+212655000000' } }],
    requests: [{ kind: 'asked' }],
    notes: [{ by: 'Nadia', text: 'called back' }],
    lookedAt: [{ what: 'Session looked at' }],
  });
  for (const read of [
    'Tapez votre code PIN',
    fatima.address,
    chat.address,
    '"said":"200"',
    '"did":"PIN entered"',
  ])
    expect(text).toContain(read);
}

test.each(STORES)(
  'a customer’s data is exported whole, and erased except what the law keeps, on %s',
  async (store) => {
    const world = await createWorld({ store, records: 'sqlite' });
    try {
      const { records, clock } = world;
      const deps = {
        store: world.store,
        records,
        drain: () => world.recording.recorder.drain(),
        now: clock.now,
      };
      const fatima = world.customer({ language: 'fr' });
      const chat = world.chatOf(fatima);
      const other = world.customer({ language: 'fr' });
      await pays(world, fatima);
      await chat.isAtMenu();
      await pays(world, other);
      await records.audit.add(
        [{ n: 1, at: 5, who: 'agent', act: 'seeSession', on: fatima.address, link: '{}' }],
        undefined,
      );

      const nadia = { id: 'nadia', name: 'Nadia' };
      await world.engine.desk.takeOver(chat.address, nadia);
      await world.engine.receive(
        { address: chat.address, id: 'file-1', inputs: [{ type: 'photo' }], document: inHand([PNG]) },
        20_000,
      );
      await world.engine.desk.handBack(chat.address, nadia);
      await chat.opens().asksForAdviser().sees('help.asked');
      await world.engine.desk.note(fatima.phone, { id: 'nadia', name: 'Nadia' }, 'called back');
      await world.passes(120_000);
      const kept = await exportCustomer(deps, fatima.phone);
      expect(kept.addresses.toSorted()).toEqual([fatima.address, chat.address].toSorted());
      expect(Object.keys(kept.sessions).toSorted()).toEqual([fatima.address, chat.address].toSorted());
      expect(kept.payments.map(({ state, wallet }) => [state, wallet])).toEqual([
        ['succeeded', fatima.phone],
      ]);
      expect(kept.notes).toMatchObject([{ by: 'Nadia', text: 'called back' }]);
      expect(kept.files).toMatchObject([{ address: chat.address, type: 'image/png', bytes: PNG.length }]);
      const file = kept.files[0]?.id ?? '';
      expect(kept.looks).toEqual([{ at: 5, act: 'seeSession' }]);
      const addresses = kept.turns.map((turn) => (turn as { address: string }).address);
      expect(new Set(addresses)).toEqual(new Set(kept.addresses));
      expect(JSON.stringify(kept)).not.toContain(other.phone);
      expect(kept.cases).toMatchObject([{ kind: 'asked', wallet: fatima.phone }]);
      const handed = handout(kept, world.renderer, clock.now());
      isReadable(handed, fatima, chat);
      expect(JSON.stringify(handed).split('called back'), 'the note, once').toHaveLength(2);

      // A refund may still come.
      const tooEarly = await eraseCustomer(deps, fatima.phone, 'erased:x');
      expect(tooEarly).toMatchObject({ kind: 'tooEarly', from: expect.any(Number) });
      expect((await exportCustomer(deps, fatima.phone)).turns).toHaveLength(kept.turns.length);

      // The worker reads the payment again after a minute, an hour and a day. It leaves the store after that.
      await world.passes(4 * DAY_MS - 60_000);
      clock.ahead += 2 * 60_000;
      await world.recording.upkeep.run('payments');
      // Conversations that were left behind end by themselves, which is a turn as well.
      await world.rests();
      // A case that the release before has left in the store.
      const old = {
        id: 'c-old',
        kind: 'payment',
        subject: 'p-1',
        wallet: fatima.phone,
        state: 'open',
      } as const;
      const value = JSON.stringify({ ...old, openedAt: 1, due: 1, steps: [] });
      await world.store.commit(CASES, { writes: [{ key: 'case:c-old', version: 0, value, dueAt: 1 }] });
      const all = (await exportCustomer(deps, fatima.phone)).turns.length;
      const erased = await eraseCustomer(deps, fatima.phone, 'erased:x');
      expect(erased).toEqual({ kind: 'erased', events: all, payments: 1 });
      expect(await eraseCustomer(deps, fatima.phone, 'erased:x')).toEqual({
        kind: 'erased',
        events: 0,
        payments: 0,
      });
      const after = await exportCustomer(deps, fatima.phone);
      expect(after).toMatchObject({ sessions: {}, payments: [], turns: [], notes: [], files: [] });
      expect(await world.engine.desk.sentFile(chat.address, file)).toBeUndefined();
      const [payment] = await records.paymentsOf('erased:x', 10);
      expect(payment).toMatchObject({ state: 'succeeded' });
      expect(payment?.document).not.toContain(fatima.phone.slice(1));
      expect(payment?.document).toContain('+212655000000');
      for (const place of [fatima.phone, chat.address]) {
        const { entries } = await world.store.turnsAfter(partitionOf(place), undefined, 10_000);
        expect(entries.filter(({ record }) => record.includes(fatima.phone.slice(1)))).toEqual([]);
      }
      expect(await world.engine.desk.cases.list(), 'nor a case').toEqual([]);
      expect(await world.store.read(CASES, ['case:c-old'])).toEqual([undefined]);
      expect(await world.engine.desk.cases.about('asked', chat.address)).toBeUndefined();
      expect((await exportCustomer(deps, other.phone)).payments).toHaveLength(1);

      // An erased customer can come again as a new one.
      const again = world.dialer(fatima);
      await again.isAtMenu();

      // But nobody gets around a freeze of support's by it.
      await world.engine.desk.freeze(fatima.phone, { id: 'nadia', name: 'Nadia' });
      await world.rests();
      expect(await eraseCustomer(deps, fatima.phone, 'erased:x')).toMatchObject({ kind: 'erased' });
      const [held] = await readDocs(world.store, partitionOf(fatima.phone), [walletKey(fatima.phone)]);
      expect(walletStateOf(held).value).toMatchObject({ entries: [], safety: { frozen: { by: 'nadia' } } });

      const bytes = await world.everythingLeft();
      // The records had the one, the embedded store the other.
      const said = [`"address":"${chat.address}"`, 'called back'];
      expect(bytes).toContain(`"address":"${other.address}"`);
      expect(
        said.filter((each) => bytes.includes(each)),
        'nor where a file has room again',
      ).toEqual([]);
    } finally {
      await world.close();
    }
  },
);

test('an export has every look of the audit, also beyond one page', async () => {
  const world = await createWorld({ records: 'sqlite' });
  try {
    const { store, records, clock } = world;
    const deps = { store, records, drain: () => world.recording.recorder.drain(), now: clock.now };
    const fatima = world.customer({ channel: 'web' });
    const look = (n: number) => ({
      n,
      at: n,
      who: 'nadia',
      act: 'seeSession',
      about: fatima.phone,
      link: '{}',
    });
    await records.audit.add(
      Array.from({ length: 2_001 }, (_, i) => look(i + 1)),
      undefined,
    );
    const { looks } = await exportCustomer(deps, fatima.phone);
    expect(looks.map(({ at }) => at)).toEqual(Array.from({ length: 2_001 }, (_, i) => 2_001 - i));
  } finally {
    await world.close();
  }
});

test('no document, turn or record has the number or chat of an erased customer', async () => {
  const world = await createWorld({ store: 'redis', records: 'sqlite', form: true });
  try {
    const { store, records, clock, secrets } = world;
    const deps = {
      ...{ store, records, drain: () => world.recording.recorder.drain(), now: clock.now },
      principal: 'PA-1001',
    };
    const shop = merchantIn(world);
    await shop.isAtMenu().walks(makesLink());
    await shop.goes('menu').says('/cash-in').says('100');
    await shop.asksForAdviser().sees('help.asked');
    const { principal } = world.engine.desk;
    await principal?.proposeBinding(shop.phone, NADIA, 'acts for us');
    const [bound] = (await principal?.numbers()) ?? [];
    await principal?.approveBinding(shop.phone, OMAR, bound?.proposal?.at ?? 0);
    const webPush = createWebPush({
      ...{ store, secrets, contact: 'https://wasl.example', services: ['push.example'], now: clock.now },
      log: { say() {} },
    });
    expect(
      await webPush.subscribe(shop.address, {
        endpoint: 'https://push.example/1',
        keys: createBrowser().keys,
      }),
    ).toBe(true);
    const names = [shop.phone.slice(1), shop.address, 'push:web', 'card-link:'];
    const left = async () => {
      const all = (await world.everythingStored()).split('\n');
      // For a day the emptied document marks the wallet as known. Messages are kept until they can no longer be sent.
      const stored = all
        .filter((line) => !/wallet:\S+ \d+\|\{"entries":\[\]\}$|:told:/.test(line))
        .join('\n');
      const recorded = await world.everythingRecorded();
      return names.filter((name) => stored.includes(name) || recorded.includes(name));
    };
    await world.rests();
    expect(await left()).toEqual(names);
    clock.ahead += 5 * DAY_MS;
    await world.rests();
    expect(await eraseCustomer(deps, shop.phone, 'erased:x')).toMatchObject({ kind: 'erased' });
    expect(await left()).toEqual([]);
    expect(await principal?.numbers()).toEqual([]);
  } finally {
    await world.close();
  }
});
