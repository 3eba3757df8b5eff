import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChannelName } from '../../src/conversation/incoming.ts';
import type { IntentState } from '../../src/conversation/intents/intent.ts';
import { methodOf, PAYMENT_KINDS, type PaymentKind } from '../../src/payments/payments.ts';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import { type Customer, HOUR_MS, loses, MINUTE_MS, refused, SECOND_MS, type World } from '../kit/world.ts';
import { executes, numberOf } from '../machines/cash-orders.ts';
import { errandsIn, type Run, runs } from './town/doers.ts';
import { unheard } from './town/heard.ts';
import { ERRANDS, referenceErrand } from './town/kinds.ts';
import { toldIn } from './town/listener.ts';
import { faultsOf, intentsOf, judge, report } from './town/oracle.ts';
import { comesBack, createDoors, type Doors, type Who } from './truth-doors.ts';

/** A payout to a bank is followed for so long. */
const DAYS_FOLLOWED = 15;
/** The end of a payment whose answer was lost, if it is not success. */
const FOUND: Partial<Record<PaymentKind, IntentState>> = {
  // A card is charged once its customer has been at their bank, whose address was in the answer.
  'card-cash-in': 'not-found',
  'card-payment': 'not-found',
  'float-card': 'not-found',
  // Its event alone tells of it.
  'payout-transfer': 'human',
};

describe('T10 and T11: every kind of payment', () => {
  let doors: Doors;
  beforeAll(async () => {
    doors = await createDoors({ form: true });
  });
  afterAll(async () => {
    const { texts, claims, lies } = await doors.heard();
    report('T10 and T11 of every kind', { texts, ...claims, false: lies.length });
    await doors.close();
  });

  /** Somebody pays. A customer can be awaited, so the result is wrapped in an object. */
  async function pays(kind: PaymentKind, meddles: () => void = () => {}): Promise<Pick<Run, 'customer'>> {
    const either = PAYMENT_KINDS.indexOf(kind) % 2 === 0 ? 'ussd' : 'web';
    const customerOn = (who: Who, channel: ChannelName = either) => doors.customer(channel, who);
    const { begins } = errandsIn(doors.world, customerOn, doors.agents);
    const { customer, errand } = await begins(kind);
    if (!ERRANDS[kind].by) await customer.isAtMenu();
    meddles();
    await runs(doors.world, customer, errand);
    return { customer };
  }

  async function stateOf(kind: PaymentKind, { phone }: Customer): Promise<string[]> {
    const intents = await intentsOf(doors.world.store, phone);
    return intents.filter(({ order }) => order.kind === kind).map(({ state }) => state);
  }

  test.each(PAYMENT_KINDS)(
    '%s: goes well, is refused, and its answer is lost before the wallet goes down',
    async (kind) => {
      const { world } = doors;
      const { call } = ERRANDS[kind];
      const { customer: happy } = await pays(kind);
      // A float that has ended stops a file: here one line of it is refused.
      const why = refused(methodOf({ kind }).inBulk ? '90014' : '90010') as never;
      const { customer: sad } = await pays(kind, () => world.wallet.next(call, why));
      await world.passes(2 * SECOND_MS);
      for (const each of [happy, sad]) await comesBack(each);

      const { customer: unlucky } = await pays(kind, () => {
        setDown(doors.world, false);
        world.wallet.next(call, loses);
      });
      setDown(doors.world, true);
      for (let i = 0; i < 3; i++) {
        await world.passes(10 * MINUTE_MS);
        await comesBack(unlucky);
      }
      setDown(doors.world, false);
      await comesBack(unlucky);
      await world.passes(MINUTE_MS);
      await world.passes(HOUR_MS);
      if (kind === 'payout-transfer')
        for (let i = 0; i < DAYS_FOLLOWED; i++) await world.passes(24 * HOUR_MS);
      world.sandbox.faults.clear();
      for (const each of [happy, sad, unlucky]) await comesBack(each);

      // The first line of a file meets the fault. The second one is paid as well, once the wallet is back.
      const both = methodOf({ kind }).inBulk ? ['succeeded'] : [];
      const { [kind]: found = 'succeeded' } = FOUND;
      expect.soft(await stateOf(kind, happy)).toEqual(['succeeded', ...both]);
      expect.soft(await stateOf(kind, sad)).toEqual(['rejected', ...both]);
      expect.soft(await stateOf(kind, unlucky)).toEqual([found, ...both]);
      // Days later the reservation of a card of somebody else's is over by itself.
      const wallets = [happy, sad, unlucky].map(({ phone }) => phone);
      const { executions } = doors;
      const sandbox = { executions, checkLedger: () => world.sandbox.checkLedger() };
      const verdict = await judge({ sandbox, store: world.store, wallets });
      expect.soft(faultsOf(verdict)).toEqual([]);
      expect.soft((await doors.heard()).lies).toEqual([]);
      const told = [happy, sad, unlucky].map((each) => toldIn(doors.listener, world.engine, each));
      expect.soft(unheard((await Promise.all(told)).flat(), verdict.intents)).toEqual([]);
    },
    60_000,
  );
});

const REFERENCES = [
  ['cash-in', 'requestCashIn', {}],
  ['cash-in', 'requestBillNetworkCashIn', { way: 'bill-network' }],
  ['cash-out', 'requestCashOut', {}],
  ['principal-float', 'requestFloat', { amount: '500' }],
] as const;

describe.each(['ussd', 'web'] as const)('T10 and T11: references, on %s', (channel) => {
  let doors: Doors;
  beforeAll(async () => {
    doors = await createDoors();
  });
  afterAll(async () => {
    const { texts, claims, lies } = await doors.heard();
    report(`T10 and T11 of references, ${channel}`, { texts, ...claims, false: lies.length });
    await doors.close();
  });

  test.each(REFERENCES)(
    '%s, by %s: it is made, then its answer is lost before the wallet goes down: asked for once',
    async (kind, call, wish) => {
      const { world } = doors;
      const isFloat = kind === 'principal-float';
      const { asks } = errandsIn(world, (who, on: ChannelName = channel) => doors.customer(on, who));
      const errand = referenceErrand(kind, wish);
      const made = (of: Customer) => world.sandbox.references(isFloat ? '' : of.phone).length;
      const { customer: happy } = await asks(kind);
      const before = made(happy);
      await runs(world, happy, errand);
      await happy.sees(`${kind}.${isFloat ? 'given' : 'shown'}`);
      expect(made(happy)).toBe(before + 1);

      const { customer: unlucky } = await asks(kind);
      const first = made(unlucky);
      world.wallet.next(call, loses);
      if (isFloat) {
        // Nothing is kept of it: who reads that none was made types how much once more.
        await runs(world, unlucky, errand);
        await unlucky.sees('principal-float.given');
        expect(made(unlucky)).toBe(first + 2);
      } else {
        const { lost: _notYet, ...answers } = errand.answers;
        await runs(world, unlucky, { kind, answers });
        await unlucky.sees(`${kind}.lost`);
        setDown(world, true);
        for (let i = 0; i < 3; i++) {
          await world.passes(10 * MINUTE_MS);
          await comesBack(unlucky);
        }
        setDown(world, false);
        await comesBack(unlucky);
        await world.passes(HOUR_MS);
        expect(made(unlucky), 'it is asked for by its customer alone').toBe(first + 1);
        await comesBack(unlucky).goes('menu');
        await runs(world, unlucky, errand);
        await unlucky.sees(`${kind}.shown`);
        expect(made(unlucky)).toBe(first + 2);
        await executes(world, 'network', kind, await numberOf(world, unlucky));
        await world.passes(2 * SECOND_MS);
        world.sandbox.faults.clear();
      }
      for (const each of [happy, unlucky]) await comesBack(each);
      expect((await doors.heard()).lies).toEqual([]);
    },
  );
});

/** No webhook comes. When the wallet is down, no answer comes either. */
function setDown({ sandbox: { faults } }: World, isDown: boolean): void {
  faults.clear();
  faults.set({ name: 'webhookNever' });
  if (!isDown) return;
  for (const operation of Object.keys(API) as ApiName[]) faults.set({ name: 'serverErrorBefore', operation });
}
