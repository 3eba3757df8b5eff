import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAYMENT_KINDS } from '../../src/payments/payments.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Customer } from '../kit/customer.ts';
import { loses, refused } from '../kit/meddler.ts';
import { ERRANDS, NOT_PLAYED, PLAYED_KINDS, type PlayedKind } from './errands.ts';
import { errandsIn, type Run, runs } from './errands-world.ts';
import { faultsOf, intentsOf, judge, report } from './oracle.ts';
import { createDoors, type Doors } from './truth-doors.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** A card is charged once its customer has been at their bank, whose address was in the answer. */
const AT_BANK: readonly PlayedKind[] = ['card-cash-in', 'card-payment'];

describe('T10 and T11: every kind of payment', () => {
  let doors: Doors;
  const customers: Customer[] = [];
  beforeAll(async () => {
    doors = await createDoors({ form: true });
  });
  afterAll(async () => {
    const { texts, claims, lies } = await doors.heard();
    report('T10 and T11 of every kind', { texts, ...claims, false: lies.length });
    await doors.close();
  });

  test('is played', () => {
    expect([...PLAYED_KINDS, ...NOT_PLAYED].sort()).toEqual(PAYMENT_KINDS.toSorted());
  });

  /** Somebody pays. Whoever awaits a customer waits for what they do, so that this gives one in an object. */
  async function pays(kind: PlayedKind, meddles: () => void = () => {}): Promise<Pick<Run, 'customer'>> {
    const channel = PLAYED_KINDS.indexOf(kind) % 2 === 0 ? 'ussd' : 'web';
    const { begins } = errandsIn(doors.world, (who) => doors.customer(channel, who), doors.agents);
    const { customer, errand } = await begins(kind);
    customers.push(customer);
    if (!ERRANDS[kind].by) await customer.isAtMenu();
    meddles();
    await runs(doors.world, customer, errand);
    return { customer };
  }

  async function stateOf(kind: PlayedKind, { phone }: Customer): Promise<string[]> {
    const intents = await intentsOf(doors.world.store, phone);
    return intents.filter(({ order }) => order.kind === kind).map(({ state }) => state);
  }

  function setDown(isDown: boolean): void {
    const { faults } = doors.world.sandbox;
    faults.clear();
    faults.set({ name: 'webhookNever' });
    if (!isDown) return;
    for (const operation of Object.keys(API) as ApiName[])
      faults.set({ name: 'serverErrorBefore', operation });
  }

  test.each(PLAYED_KINDS)(
    '%s: goes well, is refused, and its answer is lost before the wallet goes down',
    async (kind) => {
      const { world } = doors;
      const { call } = ERRANDS[kind];
      const { customer: happy } = await pays(kind);
      const { customer: sad } = await pays(kind, () => world.wallet.next(call, refused('90010') as never));
      await world.passes(2 * SECOND_MS);
      for (const each of [happy, sad]) await comesBack(each);

      const { customer: unlucky } = await pays(kind, () => {
        setDown(false);
        world.wallet.next(call, loses);
      });
      setDown(true);
      for (let i = 0; i < 3; i++) {
        await world.passes(10 * MINUTE_MS);
        await comesBack(unlucky);
      }
      setDown(false);
      await comesBack(unlucky);
      await world.passes(MINUTE_MS);
      await world.passes(HOUR_MS);
      world.sandbox.faults.clear();
      for (const each of [happy, sad, unlucky]) await comesBack(each);

      const isAtBank = AT_BANK.includes(kind);
      expect.soft(await stateOf(kind, happy)).toEqual(['succeeded']);
      expect.soft(await stateOf(kind, sad)).toEqual(['rejected']);
      expect.soft(await stateOf(kind, unlucky)).toEqual([isAtBank ? 'not-found' : 'succeeded']);
      const wallets = customers.map(({ phone }) => phone);
      const { executions } = doors;
      const sandbox = { executions, checkLedger: () => world.sandbox.checkLedger() };
      expect.soft(faultsOf(await judge({ sandbox, store: world.store, wallets }))).toEqual([]);
      expect.soft((await doors.heard()).lies).toEqual([]);
    },
    60_000,
  );
});

/** A new dial, or the chat opened again, and its menu. */
function comesBack(customer: Customer): Customer {
  return customer.address.startsWith('ussd:') ? customer.dials() : customer.opens().goes('menu');
}
