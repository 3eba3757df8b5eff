import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { intentKey } from '../../../src/conversation/intents/intent.ts';
import { readBatch, readLines } from '../../../src/conversation/payouts/batch.ts';
import { partitionOfRef } from '../../../src/conversation/record/ref.ts';
import { BANK_MAGIC } from '../../../src/sandbox/transfers/bank-magic.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, nationalNumber } from '../../../src/wallet/phone.ts';
import { LOST, loses, MINUTE_MS, NADIA, refused, theWorld, UNSENT } from '../../kit/world.ts';
import { boundAtMenu, PRINCIPAL, principalDesk, unbound } from '../../machines/principal-orders.ts';

const world = theWorld();
const principal = () => principalDesk(world);
let files = 0;
/** Gives a file at the console with these lines. */
const gives = async (...lines: readonly string[]) => {
  const text = lines.map((line) => `${line};n${files++}`).join('\n');
  const given = await principal().giveFile(new TextEncoder().encode(text), 'salaires.csv', NADIA);
  if (given.kind !== 'given') throw new Error(given.kind);
  await world.passes(1_000);
  return given.id;
};
const batch = async (id: string) => (await principal().file(id))?.batch;
/** @param dying is to come while the first lines are paid, and kills the process */
const releases = (id: string, dying?: () => Promise<void>) => {
  const aicha = boundAtMenu(world)
    .chooses('principal')
    .chooses('payouts')
    .chooses(id)
    .chooses('release')
    .sees('payouts.askPin');
  if (!dying) return aicha.enters();
  let dies: Promise<void>;
  return aicha
    .meanwhile(() => {
      dies = dying();
    })
    .enters()
    .sees('payouts.released')
    .meanwhile(() => dies.then(() => world.crashes()));
};
const results = async (id: string) => {
  const all = [];
  for await (const { line, intent, refused: why } of principal().results(id))
    all.push(`${line} ${why ?? intent?.state}`);
  return all;
};
const paidTo = (...phones: readonly string[]) =>
  phones.map(
    (phone) =>
      world.sandbox.executions().filter(({ sender, receiver }) => sender === PRINCIPAL && receiver === phone)
        .length,
  );
const someone = () => world.customer().phone;
/**
 * The store after a failover that lost its last writes: the file and its payments are as at this call.
 * @returns puts them back
 */
const remembers = async (id: string) => {
  const keys = [`payout:${id}`, `payout-lines:${id}:0`];
  const before = await world.store.read(partitionOf(`payout:${id}`), keys);
  return async () => {
    const known = await readBatch(world.store, id);
    const lines = known ? await readLines(world.store, known) : [];
    for (const ref of lines.flatMap((line) => line.ref ?? [])) {
      const partition = partitionOfRef(ref) ?? 0;
      const [doc] = await world.store.read(partition, [intentKey(ref)]);
      const { version = 0 } = doc ?? {};
      await world.store.commit(partition, { writes: [{ key: intentKey(ref), version, value: null }] });
    }
    const now = await world.store.read(partitionOf(`payout:${id}`), keys);
    const writes = keys.map((key, i) => ({
      ...{ key, version: now[i]?.version ?? 0, value: before[i]?.value ?? null },
      ...(i === 0 && { dueAt: world.clock.now() }),
    }));
    expect(await world.store.commit(partitionOf(`payout:${id}`), { writes })).toBe(true);
  };
};
/** The process is killed while this call is on its way, or once the wallet has done what it asks. */
const kills = (
  call: 'customerStatus' | 'requestCashIn' | 'agentCashIn' | 'agentTransfer',
  isDone: boolean,
) => {
  const reached = Promise.withResolvers<void>();
  world.wallet.next(call, (async (ask: () => Promise<unknown>) => {
    if (isDone) await ask();
    reached.resolve();
    return new Promise<never>(() => {});
  }) as never);
  return reached.promise;
};

describe('a file of payouts', () => {
  // The first of these, so that nobody else reads a recipient's list meanwhile.
  test('a line is not paid while the wallet does not show its list, and is paid once it does', async () => {
    const salma = someone();
    const id = await gives(`${nationalNumber(salma)};Salma;104`);
    /** The payments made before each look at the list. A sign of life of the wallet may bring the second look at once. */
    const atLooks: number[][] = [];
    const looks = () => atLooks.push(paidTo(salma));
    world.wallet.next('requestCashIn', (ask) => {
      world.wallet.next('operations', async () => {
        looks();
        return LOST;
      });
      world.wallet.next('operations', (again) => {
        looks();
        return again();
      });
      return ask();
    });
    await releases(id).sees('payouts.released');
    for (let seconds = 0; seconds < 60 && atLooks.length < 2; seconds++) await world.passes(1_000);
    expect(atLooks).toEqual([[0], [0]]);
    expect(paidTo(salma)).toEqual([1]);
  });

  test('is checked, released by another person with the PIN, and paid line by line, to wallets and to a bank', async () => {
    const [salma, karim] = [someone(), someone()];
    const rib = ribWith('007780', 91);
    const id = await gives(
      `${nationalNumber(salma)};Salma Idrissi;100`,
      '0699999991;Personne;50',
      `${rib};Karim Alami;200`,
      `${nationalNumber(karim)};Karim Alami;70`,
    );
    expect(await batch(id)).toMatchObject({ state: 'ready', count: 4, payable: { count: 3, sum: 37_000 } });
    const aicha = releases(id);
    await aicha.sees('payouts.released');
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done', next: 4 });
    expect(paidTo(salma, karim)).toEqual([1, 1]);
    expect(world.sandbox.executions().filter(({ receiver }) => receiver === rib)).toHaveLength(1);
    // The bank answers when it does.
    await aicha.hears('payouts.doneNow', { lines: 4, paid: 2, sum: 17_000, open: 1, unpaid: 1 });
    await aicha.hearsNothing();
    const stored = async () => (await readBatch(world.store, id))?.tally;
    expect(await stored()).toEqual({ paid: { count: 2, sum: 17_000 }, open: { count: 1, sum: 20_000 } });
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    expect(await results(id)).toEqual(['1 succeeded', '2 20005', '3 succeeded', '4 succeeded']);
    const all = { paid: { count: 3, sum: 37_000 }, open: { count: 0, sum: 0 } };
    expect(await stored(), 'nobody has looked, and it is counted').toEqual(all);
    expect((await principal().files()).find((each) => each.id === id)?.tally).toEqual(all);
    await aicha.goes('menu').chooses('principal').chooses('payouts').chooses(id);
    await aicha.sees('payouts.went-done', { paid: 3, sum: 37_000, open: 0, unpaid: 1 });
    const again = await principal().giveFile(new TextEncoder().encode('x'), 'x', NADIA);
    expect(again).toMatchObject({ kind: 'wrong' });
  });

  test('is not accepted twice under any name, but again after it was withdrawn', async () => {
    const bytes = new TextEncoder().encode(`${nationalNumber(someone())};Salma;10;n${files++}`);
    const first = await principal().giveFile(bytes, 'a.csv', NADIA);
    expect(await principal().giveFile(bytes, 'b.csv', NADIA)).toMatchObject({ kind: 'twice' });
    const id = first.kind === 'given' ? first.id : '';
    expect(await principal().withdrawFile(id)).toBe('done');
    expect(await principal().withdrawFile(id)).toBe('notNow');
    expect(await principal().giveFile(bytes, 'b.csv', NADIA)).toEqual({ kind: 'given', id });
  });

  test('stops at the end of the float, and continues from that line on request', async () => {
    const [salma, karim] = [someone(), someone()];
    const id = await gives(`${nationalNumber(salma)};Salma;100`, `${nationalNumber(karim)};Karim;100`);
    const aicha = releases(id);
    world.wallet.next('agentCashIn', async (ask) => {
      world.wallet.next('agentCashIn', refused('90010'));
      return ask();
    });
    await aicha.sees('payouts.released');
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'stopped', why: 'float', next: 1 });
    await aicha.hears('payouts.stoppedNow', { line: 1, lines: 2, paid: 1, sum: 10_000 });
    await aicha.goes('menu').chooses('principal').chooses('payouts');
    await aicha.chooses(id).sees('payouts.went-stopped', { paid: 1, sum: 10_000, open: 0, unpaid: 0 });
    expect(await principal().file(id)).toMatchObject({ needs: 10_000 });
    await aicha.chooses('release').sees('payouts.askPinGoOn').enters().sees('payouts.released');
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done' });
    expect(paidTo(salma, karim)).toEqual([1, 1]);
  });

  test('a lost answer is looked up by its reference, an unsent line is sent anew, and a lost reference harms nobody', async () => {
    const phones = [someone(), someone(), someone()];
    const id = await gives(...phones.map((phone) => `${nationalNumber(phone)};Salma;100`));
    world.wallet.next('requestCashIn', loses);
    world.wallet.next('agentCashIn', loses);
    world.wallet.next('agentCashIn', UNSENT);
    await releases(id).sees('payouts.released');
    for (let i = 0; i < 6; i++) await world.passes(20_000);
    expect(await batch(id)).toMatchObject({ state: 'done' });
    expect(paidTo(...phones)).toEqual([1, 1, 1]);
    expect(await results(id)).toEqual(['1 succeeded', '2 succeeded', '3 succeeded']);
  });
});

describe('a line of a file of payouts', () => {
  test('a lost answer without a trace holds the file for two minutes, and the file says until when', async () => {
    const [salma, karim] = [someone(), someone()];
    const id = await gives(`${nationalNumber(salma)};Salma;100`, `${nationalNumber(karim)};Karim;100`);
    // Neither sent nor answered, as far as anybody can see.
    world.wallet.next('agentCashIn', LOST);
    const aicha = releases(id);
    await aicha.sees('payouts.released');
    await world.passes(30_000);
    const { current, next } = (await batch(id)) ?? {};
    const sentAt = (await world.engine.intentOf(current?.ref ?? ''))?.sentAt ?? 0;
    expect([next, current?.waitsUntil]).toEqual([0, sentAt + 2 * MINUTE_MS]);
    await aicha.goes('menu').chooses('principal').chooses('payouts').chooses(id);
    await aicha.sees('payouts.shownWaiting', { line: 0, until: sentAt + 2 * MINUTE_MS });
    for (let i = 0; i < 4; i++) await world.passes(31_000);
    expect(await batch(id)).toMatchObject({
      state: 'done',
      tally: { paid: { count: 1 }, open: { count: 1, sum: 10_000 } },
    });
    await aicha.hears('payouts.doneNow', { paid: 1, open: 1, unpaid: 0 });
  });

  test('refusals during the payment and before it are told apart, and a returned line is not paid again', async () => {
    const salma = someone();
    const ribs = [ribWith('007780', 93), BANK_MAGIC.returnedLater.rib];
    const id = await gives(
      `${nationalNumber(salma)};Salma;100`,
      '0699999992;Personne;50',
      ...ribs.map((rib) => `${rib};Karim Alami;200`),
    );
    world.wallet.next('requestCashIn', refused('90014'));
    world.wallet.next('agentTransfer', refused('90102'));
    await releases(id).sees('payouts.released');
    for (let i = 0; i < 4; i++) await world.passes(MINUTE_MS);
    const { lines = [] } = (await principal().file(id)) ?? {};
    expect(lines.map(({ refused: no, isLate, code, state }) => [no ?? code, isLate, state])).toEqual([
      ['90014', true, undefined],
      ['20005', undefined, undefined],
      ['90102', undefined, 'rejected'],
      [undefined, undefined, 'succeeded'],
    ]);
    const stored = async () => (await readBatch(world.store, id))?.tally?.paid;
    expect(await stored()).toEqual({ count: 1, sum: 20_000 });
    for (let i = 0; i < 27; i++) await world.passes(60 * MINUTE_MS);
    expect(await stored()).toEqual({ count: 0, sum: 0 });
  });

  test('a line to a bank is never sent again, and its event or a person ends it', async () => {
    const rib = ribWith('007780', 92);
    const id = await gives(`${rib};Karim Alami;200`, `${BANK_MAGIC.rejected.rib};Karim Alami;300`);
    world.wallet.next('agentTransfer', loses);
    await releases(id).sees('payouts.released');
    for (let i = 0; i < 10; i++) await world.passes(20_000);
    expect(await batch(id)).toMatchObject({ state: 'done' });
    expect(world.sandbox.executions().filter(({ receiver }) => receiver === rib)).toHaveLength(1);
    expect(await results(id)).toEqual(['1 succeeded', '2 failed']);
  });

  test('a former representative of the agent neither releases nor continues a file', async () => {
    const salma = someone();
    const id = await gives(`${nationalNumber(salma)};Salma;100`);
    const aicha = boundAtMenu(world).chooses('principal').chooses('payouts').chooses(id).chooses('release');
    await aicha.sees('payouts.askPin').meanwhile(() => unbound(world, aicha.phone));
    await aicha.enters();
    await aicha.sees('payouts.unavailable');
    expect(await batch(id)).toMatchObject({ state: 'ready' });
    const badr = releases(id);
    world.wallet.next('requestCashIn', LOST);
    await badr.sees('payouts.released').meanwhile(() => unbound(world, badr.phone));
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'stopped', why: 'notAllowed', next: 0 });
    expect(paidTo(salma)).toEqual([0]);
  });

  test('a line above the limit of a new chat is paid, as two people have looked at the file', async () => {
    const salma = someone();
    // The chat that releases it was linked a moment ago.
    const id = await gives(`${nationalNumber(salma)};Salma;1500`);
    const aicha = releases(id);
    await aicha.sees('payouts.released');
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done', next: 1 });
    await aicha.hears('payouts.doneNow', { paid: 1, sum: 150_000 });
    expect(paidTo(salma)).toEqual([1]);
  });

  test('stops when its releaser freezes their payments, and says so', async () => {
    const [salma, karim] = [someone(), someone()];
    const id = await gives(`${nationalNumber(salma)};Salma;100`, `${nationalNumber(karim)};Karim;100`);
    world.wallet.next('requestCashIn', LOST);
    const aicha = releases(id);
    await aicha.sees('payouts.released').says('/geler').sees('freeze.frozen');
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'stopped', why: 'frozen', next: 0 });
    await aicha.hears('payouts.stoppedNow', { why: 'payouts.why-frozen', paid: 0 });
    expect(paidTo(salma, karim)).toEqual([0, 0]);
    // Another one whose payments are not frozen lets it go on.
    const badr = boundAtMenu(world).chooses('principal').chooses('payouts').chooses(id);
    await badr.sees('payouts.went-stopped', { why: 'payouts.why-frozen' }).chooses('release').enters();
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done', next: 2 });
    expect(paidTo(salma, karim)).toEqual([1, 1]);
  });
});

describe('a file of payouts after a failure', () => {
  test.each([
    ['wallets', (to: readonly Msisdn[]) => to.map((phone) => `${nationalNumber(phone)};Salma;101`)],
    [
      'one wallet, the same three times',
      ([to]: readonly Msisdn[]) =>
        Array.from({ length: 3 }, () => `${nationalNumber(to ?? someone())};Salma;101`),
    ],
    ['banks', () => [94, 95, 96].map((each) => `${ribWith('007780', each)};Karim Alami;101`)],
    [
      'one account, the same three times',
      () => Array.from({ length: 3 }, () => `${ribWith('007780', 97)};Karim Alami;101`),
    ],
  ])('a store that loses its last writes has no line to %s paid twice', async (name, linesTo) => {
    const phones = [someone(), someone(), someone()];
    const lines = linesTo(phones);
    const to = new Set<string>([...phones, ...lines.map((line) => line.slice(0, line.indexOf(';')))]);
    const id = await gives(...lines);
    // Once two lines are paid, the store goes back to the moment before the first one.
    const goesBack = { first: undefined as (() => Promise<void>) | undefined, at: 0 };
    const call = name.includes('wallet') ? 'requestCashIn' : 'previewAgentTransfer';
    world.wallet.next(call, async (ask) => {
      goesBack.first = await remembers(id);
      return ask();
    });
    world.wallet.next(call, async (ask) => ask());
    world.wallet.next(call, async (ask) => {
      await goesBack.first?.();
      return ask();
    });
    const aicha = releases(id);
    await aicha.sees('payouts.released');
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    const made = world.sandbox
      .executions()
      .filter(({ sender, receiver }) => sender === PRINCIPAL && to.has(receiver));
    expect(made).toHaveLength(3);
    expect(await results(id)).toEqual(['1 succeeded', '2 succeeded', '3 succeeded']);
    expect(await batch(id)).toMatchObject({ state: 'done', tally: { paid: { count: 3, sum: 30_300 } } });
  });

  test('a line that the wallet lists as paid already is not sent, and its releaser is told to check it', async () => {
    const [salma, nadia] = [someone(), someone()];
    const given = await world.api.requestCashIn({ phone: salma, amount: centimes(11_000) });
    const { reference } = given.kind === 'ok' ? given.value : { reference: '' };
    // Another system pays the same with the same float, a moment before the file comes.
    await world.api.agentCashIn({ code: PRINCIPAL, reference }, { requestId: randomUUID() });
    const id = await gives(`${nationalNumber(salma)};Salma;110`, `${nationalNumber(nadia)};Nadia;110`);
    const aicha = releases(id);
    await aicha.sees('payouts.released');
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    expect(paidTo(salma, nadia)).toEqual([1, 1]);
    await aicha.meanwhile(async () => {
      await world.rests();
      const waiting = await world.engine.waiting(aicha.address);
      const done = waiting.find(({ screen }) => screen.key === 'payouts.doneNow');
      expect(done?.screen.notice?.values).toEqual({ listed: { count: 1 } });
    });
    const { lines = [] } = (await principal().file(id)) ?? {};
    expect(lines.map(({ isListed }) => isListed)).toEqual([true, undefined]);
  });

  test('an unreadable row of the list stops the file, which is told once, and it continues once the row can be read', async () => {
    const salma = someone();
    const id = await gives(`${nationalNumber(salma)};Salma;106`, `${nationalNumber(salma)};Salma;107`);
    const isOdd = () =>
      world.wallet.next('operations', { kind: 'ok', value: { operations: [], count: 1, leftOut: [7] } });
    world.wallet.next('requestCashIn', (ask) => {
      isOdd();
      return ask();
    });
    const aicha = releases(id);
    await aicha.sees('payouts.released');
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'stopped', why: 'oddRow', next: 0 });
    await aicha.hears('payouts.stoppedNow', { why: 'payouts.why-oddRow', paid: 0 }).hearsNothing();
    // A person of the company has to look at the list.
    const cases = await world.engine.desk.cases.ofCustomer({ wallet: aicha.phone });
    expect(cases).toMatchObject([{ kind: 'asked', about: 'payouts.stoppedNow' }]);
    expect(paidTo(salma)).toEqual([0]);
    await aicha.goes('menu').chooses('principal').chooses('payouts').chooses(id);
    await aicha.sees('payouts.went-stopped', { why: 'payouts.why-oddRow' }).chooses('release').enters();
    for (let i = 0; i < 2; i++) await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done', next: 2 });
  });

  test('an unreadable row of a line known to be sent stops no other line', async () => {
    const [first, second] = [ribWith('007780', 89), ribWith('007780', 88)];
    const id = await gives(`${first};Karim Alami;108`, `${second};Karim Alami;109`);
    world.wallet.next('previewAgentTransfer', (ask) => ask());
    world.wallet.next('previewAgentTransfer', (ask) => {
      const made = world.sandbox.executions().find(({ receiver }) => receiver === first);
      const leftOut = [made?.operationId ?? 0];
      world.wallet.next('agentOperations', { kind: 'ok', value: { operations: [], count: 1, leftOut } });
      return ask();
    });
    await releases(id).sees('payouts.released');
    for (let i = 0; i < 3; i++) await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done', next: 2 });
    expect(world.sandbox.executions().filter(({ receiver }) => receiver === second)).toHaveLength(1);
  });
});

describe('two files, and lines to banks', () => {
  test('two files that pay the same person the same amount are both paid', async () => {
    const salma = someone();
    const line = `${nationalNumber(salma)};Salma;103`;
    for (const paid of [1, 2]) {
      const id = await gives(line);
      await releases(id).sees('payouts.released');
      await world.passes(30_000);
      expect(await results(id)).toEqual(['1 succeeded']);
      expect(paidTo(salma)).toEqual([paid]);
    }
  });

  test('lines to banks missing in the wallet’s list are not released while a failover may lose payments', async () => {
    const lacksScope = () => world.wallet.next('agentOperations', refused('http403'));
    // Payments of other tests are not read again any more.
    await world.passes(25 * 60 * MINUTE_MS);
    const id = await gives(
      `${ribWith('007780', 98)};Karim Alami;105`,
      `${nationalNumber(someone())};Salma;105`,
    );
    world.weather.mayLoseWrites = true;
    lacksScope();
    expect(await principal().file(id)).toMatchObject({ isUnguarded: true });
    lacksScope();
    const aicha = releases(id);
    await aicha.sees('payouts.list').isTold('problem.unguarded');
    expect(await batch(id)).toMatchObject({ state: 'ready' });
    // The key has lost the scope since the release.
    world.wallet.next('agentOperations', (ask) => ask());
    lacksScope();
    await aicha.chooses(id).chooses('release').enters().sees('payouts.released');
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'stopped', why: 'unguarded', next: 0 });
    await aicha.hears('payouts.stoppedNow', { why: 'payouts.why-unguarded', paid: 0 });
    // Replicas are awaited from now on.
    world.weather.mayLoseWrites = false;
    lacksScope();
    await aicha.goes('menu').chooses('principal').chooses('payouts').chooses(id).chooses('release').enters();
    await world.passes(MINUTE_MS);
    await world.passes(MINUTE_MS);
    expect(await batch(id)).toMatchObject({ state: 'done', next: 2 });
    expect(await results(id)).toEqual(['1 succeeded', '2 succeeded']);
  });

  test.each([
    ['customerStatus', false],
    ['requestCashIn', false],
    ['requestCashIn', true],
    ['agentCashIn', false],
    ['agentCashIn', true],
    ['agentTransfer', false],
    ['agentTransfer', true],
  ] as const)(
    'a process that is killed in %s (done by then: %s): no line is paid twice, and none is lost',
    async (call, isDone) => {
      const [salma, karim] = [someone(), someone()];
      const rib = ribWith('007780', 100 + files);
      const checking = call === 'customerStatus' ? kills(call, isDone) : undefined;
      const text = [
        `${nationalNumber(salma)};Salma;100`,
        `${rib};Karim Alami;200`,
        `${nationalNumber(karim)};Karim;70`,
      ]
        .map((line) => `${line};n${files++}`)
        .join('\n');
      const given = await principal().giveFile(new TextEncoder().encode(text), 'salaires.csv', NADIA);
      const id = given.kind === 'given' ? given.id : '';
      if (checking) await checking.then(() => world.crashes());
      for (let i = 0; i < 3; i++) await world.passes(31_000);
      expect(await batch(id)).toMatchObject({ state: 'ready', payable: { count: 3 } });
      const aicha = releases(id, call === 'customerStatus' ? undefined : () => kills(call, isDone));
      await aicha;
      for (let i = 0; i < 12; i++) await world.passes(31_000);
      expect(await batch(id)).toMatchObject({ state: 'done', next: 3 });
      const atBank = world.sandbox.executions().filter(({ receiver }) => receiver === rib).length;
      const [first = 0, third = 0] = paidTo(salma, karim);
      // A claimed payment that was never sent is not sent again. It stays unknown until a person decides.
      const isUnsent = !isDone && (call === 'agentCashIn' || call === 'agentTransfer');
      const unpaid = isUnsent ? (call === 'agentCashIn' ? 0 : 1) : undefined;
      expect([first, atBank, third]).toEqual([0, 1, 2].map((i) => (i === unpaid ? 0 : 1)));
      expect(await results(id)).toEqual(
        [1, 2, 3].map((line) => `${line} ${line - 1 === unpaid ? 'unknown' : 'succeeded'}`),
      );
    },
  );
});
