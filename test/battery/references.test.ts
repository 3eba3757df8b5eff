import { afterEach, describe, expect, test } from 'vitest';
import type { ReferenceEntry } from '../../machines/kit/effects.ts';
import { hasWindow } from '../../src/conversation/channel.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../src/store/partition.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/durations.ts';
import { CHATS, type Customer, describeOn, STORES, theWorld, type World } from '../kit/world.ts';
import { executes, numberOf, referencesOf } from '../machines/cash-orders.ts';
import { report } from './town/oracle.ts';
import { createDoors, type Doors } from './truth-doors.ts';

const CALLS = { 'cash-in': 'requestCashIn', 'cash-out': 'requestCashOut' } as const;
const KINDS: readonly CashKind[] = ['cash-in', 'cash-out'];
const BOTH_BY: readonly (readonly [CashKind, 'agent' | 'network'])[] = KINDS.flatMap((kind) => [
  [kind, 'agent'] as const,
  [kind, 'network'] as const,
]);

/** Goes as far as the call that asks for the reference. With `cash-out` the PIN is still to be entered. */
function asks(customer: Customer, kind: CashKind, amount = '40'): Customer {
  return customer.isAtMenu().says(`/${kind} ${amount}`);
}
/** The reference is asked for and given. */
function given(world: World, kind: CashKind, customer = world.customer({ channel: 'web' })): Customer {
  const asked = asks(customer, kind);
  return (kind === 'cash-out' ? asked.enters() : asked).sees(`${kind}.shown`);
}

async function states(world: World, { phone }: Customer): Promise<string[]> {
  const [doc] = await world.store.read(partitionOf(phone), [walletKey(phone)]);
  const { references = [] } = JSON.parse(doc?.value ?? '{}') as { references?: ReferenceEntry[] };
  return references.map(({ state }) => state);
}

/** An event that says that a reference was executed, whatever of it is so. */
async function executedEvent(
  world: World,
  kind: CashKind,
  { phone }: Customer,
  said: { readonly reference: string; readonly operationId: number | undefined; readonly amount: number },
): Promise<void> {
  const at = new Date(world.clock.now()).toISOString();
  const body = JSON.stringify({
    data: {
      EventId: kind === 'cash-in' ? 'cashin.network.executed' : 'cashout.network.executed',
      WebhookId: `said of ${said.reference}`,
      CRequestId: 'x',
      OperationId: said.operationId,
      OperationType: kind === 'cash-in' ? 1 : 2,
      OperationStatus: 2,
      ...{ CreatedAt: at, ExecutedAt: at },
      ...{ Amount: said.amount, FeeAmount: 0, PrimaryAccountNumber: phone },
      Reference: said.reference,
    },
  });
  const headers = { 'x-api-key': world.webhookKey };
  expect((await fetch(world.webhookUrl, { method: 'POST', body, headers })).status).toBe(200);
  await world.settles();
}

describe.each(STORES)('references on %s', (store) => {
  const world = theWorld({ store, cash: CASH_DEFAULTS });

  test.each(KINDS)(
    'killed between the claim and its answer: it is lost, asked for once, and another one is made: %s',
    async (kind) => {
      const fatima = world.customer({ channel: 'web' });
      await asks(fatima, kind);
      // A deposit was given by then: the process dies with the next.
      const before = kind === 'cash-in' ? 1 : 0;
      const turn = kind === 'cash-in' ? fatima.says('/cash-in 41') : fatima.enters();
      await world.crashesDuring(CALLS[kind], turn);
      await world.passes(MINUTE_MS);
      const again = world.again(fatima);
      await again.opens().sees(`${kind}.lost`);
      expect((await states(world, fatima)).at(-1)).toBe('lost');
      expect(world.wallet.calls(fatima.phone, CALLS[kind])).toHaveLength(before + 1);
      await again.chooses('another');
      if (kind === 'cash-out') await again.enters();
      await again.sees(`${kind}.shown`);
      await world.passes(80 * HOUR_MS);
      expect(world.wallet.calls(fatima.phone, CALLS[kind])).toHaveLength(before + 2);
      expect((await states(world, fatima)).slice(-2)).toEqual(['lost', 'expired']);
    },
  );

  test.each(KINDS)('the answer is lost, and somebody knows the number: told once: %s', async (kind) => {
    const fatima = world.customer({ channel: 'web' });
    await asks(fatima, kind, '1.04');
    if (kind === 'cash-out') await fatima.enters();
    await fatima.sees(`${kind}.lost`);
    await executes(world, 'network', kind, await numberOf(world, fatima));
    await world.passes(2 * SECOND_MS);
    await fatima.hears(kind === 'cash-in' ? 'received.deposit' : 'received.withdrawalPriced', {
      amount: 104,
    });
    await fatima.after(80 * HOUR_MS).hearsNothing();
  });

  test.each(BOTH_BY)('executed while the answer is on its way: told once: %s, by %s', async (kind, by) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next(CALLS[kind], async (ask) => {
      const answer = await ask();
      await executes(world, by, kind, await numberOf(world, fatima));
      // The event is there before the answer.
      await world.sandbox.settle();
      await world.settles();
      return answer;
    });
    await fatima.says(`/${kind} 40`);
    if (kind === 'cash-out') await fatima.enters();
    await fatima.sees(`${kind}.shown`);
    await world.passes(MINUTE_MS + SECOND_MS);
    await fatima.hears(kind === 'cash-in' ? 'cash-in.executed' : 'cash-out.executedPriced', {
      amount: 4_000,
    });
    await fatima.after(2 * HOUR_MS).hearsNothing();
    expect(await states(world, fatima)).toEqual(['executed']);
  });

  test.each([...KINDS])(
    'executed while the answer is on its way, by an event with a wrong amount: told once: %s',
    async (kind) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.isAtMenu();
      world.sandbox.faults.set({ name: 'webhookNever' });
      world.wallet.next(CALLS[kind], async (ask) => {
        const answer = await ask();
        const reference = await numberOf(world, fatima);
        await executes(world, 'network', kind, reference);
        const { operationId } =
          world.sandbox
            .executions()
            .findLast((each) => [each.sender, each.receiver].includes(fatima.phone)) ?? {};
        await executedEvent(world, kind, fatima, { reference, operationId, amount: 41 });
        return answer;
      });
      await fatima.says(`/${kind} 40`);
      if (kind === 'cash-out') await fatima.enters();
      await fatima.sees(`${kind}.shown`);
      world.sandbox.faults.clear();
      await world.passes(MINUTE_MS + SECOND_MS);
      await fatima.hears(kind === 'cash-in' ? 'cash-in.executed' : 'cash-out.executedPriced', {
        amount: 4_000,
      });
      await fatima.after(2 * HOUR_MS).hearsNothing();
    },
  );

  test('two events and a look at once tell it once', async () => {
    const fatima = given(world, 'cash-in');
    await fatima;
    world.sandbox.faults.set({ name: 'webhookTwice', operation: 'executeNetworkCashIn', count: 1 });
    await executes(world, 'network', 'cash-in', await numberOf(world, fatima));
    world.clock.ahead += 61 * SECOND_MS;
    await Promise.all([world.sandbox.settle(), fatima.opens()]);
    await fatima.hears('cash-in.executed').hearsNothing();
  });

  test('all chats of the wallet are told, and a dial gets the number by SMS', async () => {
    const fatima = world.customer();
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await given(world, 'cash-in', fatima);
    await executes(world, 'network', 'cash-in', await numberOf(world, fatima));
    await world.passes(2 * SECOND_MS);
    await chat.hears('cash-in.executed', { amount: 4_000 }).hearsNothing();
    // One with the reference, one with the outcome, and the code that has linked the chat.
    expect(world.sms(fatima.phone)).toHaveLength(3);
    await fatima.dials().isTold('cash-in.executed', { amount: 4_000 });
  });
});

describe('references that Wasl no longer follows', () => {
  const world = theWorld({
    cash: CASH_DEFAULTS,
    settings: { referenceValidMs: 200 * HOUR_MS, settleAfterMs: SECOND_MS },
  });

  test.each(BOTH_BY)('executed after Wasl has stopped looking: %s, by %s', async (kind, by) => {
    const fatima = given(world, kind);
    await fatima;
    const reference = await numberOf(world, fatima);
    for (let hours = 0; hours < 80; hours += 10) await world.passes(10 * HOUR_MS);
    const looks = world.wallet.looks(reference);
    await world.passes(50 * HOUR_MS);
    expect(world.wallet.looks(reference)).toBe(looks);
    await executes(world, by, kind, reference);
    await world.passes(2 * SECOND_MS);
    // Of an agent's no event tells: it is found when the customer comes.
    if (by === 'agent') await fatima.hearsNothing().opens();
    await fatima.hears(kind === 'cash-in' ? 'cash-in.executed' : 'cash-out.executedPriced', {
      amount: 4_000,
    });
  });
});

describe('an open reference', () => {
  const world = theWorld({ cash: CASH_DEFAULTS });

  test('is looked up after 1, 5, 15 and 60 minutes, then hourly', async () => {
    const fatima = given(world, 'cash-in');
    await fatima;
    const reference = await numberOf(world, fatima);
    const met: number[] = [];
    for (let minute = 1; minute <= 181; minute++) {
      const before = world.wallet.looks(reference);
      await world.passes(MINUTE_MS);
      if (world.wallet.looks(reference) > before) met.push(minute);
    }
    expect(met).toEqual([1, 5, 15, 60, 120, 180]);
  });

  test('is looked up again a minute after the wallet gave no answer', async () => {
    const fatima = given(world, 'cash-in');
    await fatima;
    const reference = await numberOf(world, fatima);
    await executes(world, 'agent', 'cash-in', reference);
    world.wallet.next('cashReference', { kind: 'unknown', why: 'timeout' });
    await fatima.after(MINUTE_MS + SECOND_MS).hearsNothing();
    await fatima.after(MINUTE_MS + SECOND_MS).hears('cash-in.executed');
  });

  test('an event of another’s number, with a number that is nobody’s, changes nothing', async () => {
    const fatima = given(world, 'cash-in');
    await fatima;
    const reference = await numberOf(world, fatima);
    await executedEvent(world, 'cash-in', fatima, { reference, operationId: 999_999, amount: 40 });
    await fatima.hearsNothing();
    expect(await states(world, fatima)).toEqual(['open']);
  });
});

describeOn(['ussd', ...CHATS] as const)('T10: sentences about references, on %s', (channel) => {
  let doors: Doors;
  afterEach(() => doors?.close());

  test.each(KINDS)('are true at their moment: %s', async (kind) => {
    doors = await createDoors({
      cash: CASH_DEFAULTS,
      ...(channel === 'telegram' && { bot: 'webhook' }),
      ...(channel === 'whatsapp' && { whatsapp: true, form: true }),
    });
    const { world } = doors;
    const comesBack = (customer: Customer) =>
      channel === 'ussd' ? customer.dials() : customer.opens().goes('menu');
    const fatima = doors.customer(channel);
    await fatima.isAtMenu();
    // One is reversed, one expires.
    for (const amount of ['2.18', '40']) {
      comesBack(fatima).says(`/${kind} ${amount}`);
      await (kind === 'cash-out' ? fatima.enters() : fatima).sees(`${kind}.shown`);
    }
    const hears = (state: string) =>
      channel === 'ussd' ? comesBack(fatima) : fatima.hears(`${kind}.${state}`);
    const [first = ''] = await referencesOf(world, fatima.phone);
    await executes(world, 'network', kind, first);
    await world.passes(3 * SECOND_MS);
    await hears(kind === 'cash-out' ? 'executedPriced' : 'executed');
    await world.passes(2 * MINUTE_MS);
    await hears('reversed');
    await world.passes(49 * HOUR_MS);
    if (hasWindow(fatima.address)) await fatima.opens();
    await hears('expired');
    const { texts, claims, lies } = await doors.heard();
    report(`T10 ${kind}, ${channel}`, { texts, ...claims, false: lies.length });
    expect(lies).toEqual([]);
    expect(Object.keys(claims)).toEqual(
      expect.arrayContaining(
        kind === 'cash-in' ? ['received', 'notReceived'] : ['moved', 'returned', 'notMoved'],
      ),
    );
  });
});
