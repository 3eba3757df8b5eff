import { expect, test } from 'vitest';
import { notesKey } from '../../../src/conversation/desk/people.ts';
import { intentKey } from '../../../src/conversation/intents/intent.ts';
import { intentWrite } from '../../../src/conversation/intents/pay.ts';
import type { TurnRecord } from '../../../src/conversation/record/record.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { alone } from '../../kit/alone.ts';
import { startPostgres } from '../../kit/postgres-server.ts';
import { createWorld, NADIA, STORES, type World } from '../../kit/world.ts';
import { said, turn } from '../../support/records.ts';

async function withWorld(
  options: Parameters<typeof createWorld>[0],
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await createWorld(options);
  try {
    await work(world);
    expect(world.errors).toEqual([]);
  } finally {
    await world.close();
  }
}

/** All pages of a customer's timeline in order, from now back to the beginning. */
async function read(world: World, phone: string, limit: number): Promise<TurnRecord[][]> {
  const pages: TurnRecord[][] = [];
  let before: number | undefined;
  do {
    const page = await world.engine.desk.timeline(phone as never, limit, before);
    expect(page.isWhole).toBe(true);
    pages.push([...page.records]);
    before = page.next;
  } while (before !== undefined);
  return pages;
}

test.each(STORES)('a customer is one person over all their channels, on %s', (store) =>
  withWorld({ store, records: 'sqlite' }, async (world) => {
    const { desk } = world.engine;
    const fatima = world.customer({ language: 'fr', firstName: 'Fatima', lastName: 'Zahra' });
    const chat = world.chatOf(fatima, 'ar');
    const other = world.customer({ language: 'en' });
    for (const each of [fatima, chat, other]) await each.isAtMenu();
    await chat.chooses('transfer').says('0655000000').says('200').enters();
    await world.passes(5_000);

    const person = await desk.person(fatima.phone);
    expect(person?.sessions.map(({ address, language }) => [address, language])).toEqual([
      [chat.address, 'ar'],
      [fatima.address, 'fr'],
    ]);
    expect(await desk.details(fatima.phone)).toEqual({ fullName: 'Fatima Zahra', level: 2, status: 3 });

    const live = (await read(world, fatima.phone, 1_000)).flat();
    expect(new Set(live.map(({ address }) => address))).toEqual(new Set([fatima.address, chat.address]));
    // Turns that left the store are read from the records, each once, in pages of any size.
    await world.recording.recorder.drain();
    await world.passes(120_000);
    await world.recording.recorder.drain();
    const whole = (await read(world, fatima.phone, 1_000)).flat();
    expect(whole.slice(-live.length)).toEqual(live);
    const pages = await read(world, fatima.phone, 3);
    expect(pages.flat()).toEqual(whole);
    expect(pages.length).toBeGreaterThan(2);
    const [theirs, wallets] = [
      [fatima.address, chat.address],
      [fatima.phone, undefined],
    ];
    expect(whole.every((each) => theirs.includes(each.address) && wallets.includes(each.wallet))).toBe(true);

    const [payment] = await desk.payments(fatima.phone, 1);
    const found = await desk.find(payment?.id ?? '');
    expect(found).toMatchObject([{ kind: 'payment', intent: { id: payment?.id } }]);
    const brought = whole.find(({ webhook, event }) => webhook !== undefined && event.kind === 'payment');
    expect(await desk.find(brought?.webhook ?? ''), 'by the webhook that brought its outcome').toEqual(found);
    const turn = whole.findLast(
      ({ address, wallet, ran }) => address === chat.address && wallet && ran.length > 0,
    );
    expect(await desk.find(turn?.ran[0]?.ref.toUpperCase() ?? '')).toMatchObject([
      { kind: 'call', record: { address: chat.address, wallet: fatima.phone } },
    ]);
    expect(await desk.person('+212699999999' as never)).toBeUndefined();
    expect(await desk.find('ffffffff-0000-4000-8000-000000000000')).toEqual([]);
  }),
);

test('turns of one moment are on one page, and none is missing or repeated', () =>
  withWorld({ records: 'sqlite' }, async (world) => {
    const { phone, address } = world.customer();
    const now = world.clock.now();
    for (let i = 0; i < 20; i++) {
      const record = turn({ address, wallet: phone, at: now + Math.floor(i / 3), event: said(`${i}`) });
      await world.store.commit(partitionOf(phone), { writes: [], turn: JSON.stringify(record) });
    }
    const pages = await read(world, phone, 4);
    expect(pages.flat()).toHaveLength(20);
    expect(new Set(pages.flat().map(({ event }) => JSON.stringify(event))).size).toBe(20);
    for (const [i, page] of pages.entries())
      expect(page.at(-1)?.at, `page ${i}`).not.toBe(pages[i + 1]?.[0]?.at);
  }));

test('a timeline skips entries that are no turns, once the records alone have it', () =>
  withWorld({ records: 'sqlite' }, async (world) => {
    const { phone, address } = world.customer();
    const partition = partitionOf(phone);
    const now = world.clock.now();
    const other = (at: number, kind: string) => ({ v: 1, at, address, wallet: phone, event: { kind } });
    for (let i = 0; i < 40; i++) {
      const record = turn({ address, wallet: phone, at: now + i * 10, event: said(`${i}`) });
      await world.store.commit(partition, { writes: [], turn: JSON.stringify(record) });
    }
    // A delivery and a closed case in the first page, and more deliveries in a row than a page has turns.
    for (const [at, kind] of [
      [395, 'case'],
      [385, 'delivery'],
      ...Array.from({ length: 9 }, (_, i) => [201 + i, 'delivery'] as const),
    ] as const)
      await world.store.commit(partition, { writes: [], turn: JSON.stringify(other(now + at, kind)) });
    await world.recording.recorder.drain();
    const live = await world.store.turns(partition, 1_000);
    await world.store.eraseTurns(
      partition,
      live.map(({ id }) => id),
    );
    const pages = await read(world, phone, 4);
    expect(pages.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 4));
    expect(new Set(pages.flat().map(({ at }) => at)).size).toBe(40);
  }));

test('the turns of a chat before it was linked are in its customer’s timeline, those for another wallet are not', () =>
  withWorld({ records: 'sqlite' }, async (world) => {
    const fatima = world.customer({ language: 'fr' });
    const other = world.customer({ language: 'fr' });
    const chat = world.chatOf(fatima);
    for (const each of [fatima, chat, other]) await each.isAtMenu();
    const { address } = chat;
    const now = world.clock.now();
    const wrote = (wallet: Msisdn | undefined, at: number, text: string) => {
      const { wallet: _fatimas, ...stranger } = turn({ address, at, event: said(text) });
      const record = wallet ? { ...stranger, wallet } : stranger;
      const partition = partitionOf(wallet ?? address);
      return world.store.commit(partition, { writes: [], turn: JSON.stringify(record) });
    };
    await wrote(undefined, now - 3_000, 'before it was linked');
    await wrote(other.phone, now - 2_000, 'in the other wallet');
    await wrote(fatima.phone, now - 1_000, 'in this wallet');
    const texts = async ({ phone }: { readonly phone: Msisdn }) => {
      const records = (await read(world, phone, 2)).flat();
      return records.flatMap(({ event }) =>
        event.kind === 'input' && event.input.type === 'said' ? (event.input.text ?? []) : [],
      );
    };
    const theirs = ['in this wallet', 'before it was linked'];
    expect((await texts(fatima)).filter((text) => /wallet|linked/.test(text))).toEqual(theirs);
    await world.recording.recorder.drain();
    for (const place of [address, fatima.phone]) {
      const live = await world.store.turns(partitionOf(place), 1_000);
      await world.store.eraseTurns(
        partitionOf(place),
        live.map(({ id }) => id),
      );
    }
    expect((await texts(fatima)).filter((text) => /wallet|linked/.test(text))).toEqual(theirs);
    expect(await texts(other)).toContain('in the other wallet');
  }));

test('a closed case is found, and not opened again after a month', () =>
  withWorld({ records: 'sqlite' }, async (world) => {
    const { desk } = world.engine;
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().asksForAdviser().sees('help.asked');
    const [it] = await desk.cases.list();
    const id = it?.id ?? '';
    await desk.cases.close(id, 'solved', { id: 'nadia' }, 'shown');
    await desk.cases.reopen(id, 'nadia');
    await desk.cases.close(id, 'solved', { id: 'nadia' }, 'shown again');
    const kept = { id, wallet: fatima.phone, state: 'closed' };
    expect(await desk.find(id.toUpperCase())).toMatchObject([{ kind: 'case', it: kept }]);
    expect((await desk.cases.find(id))?.steps).toMatchObject([
      {},
      {},
      {},
      { what: 'closed', note: 'shown again' },
    ]);
    world.clock.ahead += 31 * 24 * 3_600_000;
    expect(await desk.cases.reopen(id, 'nadia')).toBe('notNow');
    expect(await desk.cases.find('c-2222222')).toBeUndefined();
  }));

test('an ambiguous reference finds all payments', () =>
  withWorld({ records: 'sqlite' }, async (world) => {
    const { desk } = world.engine;
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('200').enters();
    await world.passes(5_000);
    await world.recording.recorder.drain();
    const [payment] = await desk.payments(fatima.phone, 1);
    if (!payment) throw new Error('nothing was paid');
    const reference = payment.id.slice(0, 8);
    for (const name of [reference, reference.toUpperCase(), String(payment.operationId), payment.id])
      expect(await desk.find(name), name).toMatchObject([{ kind: 'payment', intent: { id: payment.id } }]);
    // The wallet gives another one's operation the digits of a reference of ours, and a second one begins like it.
    const open = { ...payment, state: 'unknown' } as const;
    const [one, two] = ['12345678-aaaa-4abc-8abc-0123456789ab', '12345678-bbbb-4abc-8abc-0123456789ab'];
    for (const id of [one, two]) {
      const write = intentWrite(
        { key: intentKey(id), version: 0, value: '' },
        { ...open, id },
        world.clock.now(),
      );
      await world.store.commit(0x12, { writes: [write] });
    }
    const own = await world.records.payment(payment.id);
    if (!own) throw new Error('nothing was recorded');
    const named = { ...own, steps: own.steps + 1, names: [...own.names, '12345678'] };
    await world.records.record({ events: [], payments: [named], cursors: [] });
    const found = await desk.find('12345678');
    const ids = found.map((each) => each.kind === 'payment' && each.intent.id);
    expect(ids.toSorted()).toEqual([payment.id, one, two].toSorted());
  }));

test('the records keep all notes, including those that newer ones replaced', () =>
  withWorld({ records: 'sqlite' }, async (world) => {
    const { desk } = world.engine;
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const words = Array.from({ length: 60 }, (_, i) => `note ${'abcdefghij'[i % 10]}${'klmnop'[i % 6]}`);
    for (const [i, text] of words.entries()) {
      await desk.note(fatima.phone, NADIA, text);
      if (i === 20) await world.recording.recorder.drain();
      world.clock.ahead += 1_000;
    }
    const texts = async () => (await desk.person(fatima.phone))?.notes.map(({ text }) => text);
    await world.recording.recorder.drain();
    expect(await texts(), 'each once, the newest first').toEqual(words.toReversed());
    // The store has forgotten them.
    const partition = partitionOf(fatima.phone);
    const [doc] = await world.store.read(partition, [notesKey(fatima.phone)]);
    await world.store.commit(partition, {
      writes: [{ key: notesKey(fatima.phone), version: doc?.version ?? 0, value: null }],
    });
    expect(await texts()).toEqual(words.toReversed());
    const { records } = await desk.timeline(fatima.phone, 1_000);
    expect(JSON.stringify(records), 'no turn').not.toContain('note a');
  }));

test('notes are for agents: without secrets, the newest first, and limited in number', () =>
  withWorld({}, async (world) => {
    const { desk } = world.engine;
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const { phone } = fatima;
    expect(await desk.note(phone, NADIA, '  ')).toBe('notNow');
    expect(await desk.note(phone, NADIA, 'Rappeler demain. Son PIN est 4821.')).toBe('done');
    world.clock.ahead += 1_000;
    expect(await desk.note(phone, { id: 'omar', name: 'Omar' }, 'Rappelée.')).toBe('done');
    expect((await desk.person(phone))?.notes).toMatchObject([
      { by: 'Omar', text: 'Rappelée.' },
      { by: 'Nadia', text: 'Rappeler demain. Son PIN est ••••.' },
    ]);
    expect(await world.everythingStored()).not.toMatch(alone('4821'));
    for (let i = 0; i < 60; i++) {
      world.clock.ahead += 1;
      await world.engine.desk.note(phone, NADIA, `note ${'abc'[i % 3]}`);
    }
    // The notes that reached the records meanwhile are shown as well.
    const [doc] = await world.store.read(partitionOf(phone), [notesKey(phone)]);
    expect((JSON.parse(doc?.value ?? '{}') as { notes?: unknown }).notes).toHaveLength(50);
  }));

test('unavailable records hide only their own part, and nothing of the store', async () => {
  const server = await startPostgres();
  await withWorld({ records: { url: server.url } }, async (world) => {
    const { desk } = world.engine;
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('200').enters();
    await world.passes(5_000);
    const [payment] = await desk.payments(fatima.phone, 1);
    const { id = '' } = payment ?? {};
    await server.kill();
    expect((await desk.person(fatima.phone))?.sessions).toHaveLength(1);
    expect((await desk.payments(fatima.phone, 1)).map((each) => each.id)).toEqual([id]);
    expect(await desk.find(id)).toMatchObject([{ kind: 'payment', intent: { id } }]);
    expect((await desk.payment(id))?.id).toBe(id);
    expect((await desk.turns(fatima.address, 9)).length).toBeGreaterThan(0);
    expect((await desk.timeline(fatima.phone, 9)).isWhole).toBe(false);
    expect(await desk.find('nothing-here')).toEqual([]);
    expect(await desk.person('+212699999999' as Msisdn)).toBeUndefined();
  }).finally(() => server.stop());
});
