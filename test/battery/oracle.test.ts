import { expect, test } from 'vitest';
import { SETTINGS_DEFAULT } from '../../src/sandbox/core/settings.ts';
import { theWorld, UNSENT } from '../kit/world.ts';
import { errandsIn, runs } from './town/doers.ts';
import { faultsOf, judge } from './town/oracle.ts';

const world = theWorld({ form: true });

test('a reservation that runs out is no release that was never sent', async () => {
  const { begins, executions } = errandsIn(world, (who) => world.customer(who));
  const { customer, errand } = await begins('card-reverse');
  world.wallet.next('reverseCard', UNSENT);
  await runs(world, customer, errand);
  await customer.sees('card-reverse.notSent');
  await world.passes(SETTINGS_DEFAULT.authorizationValidMs + 1_000);
  const sandbox = { executions, checkLedger: () => world.sandbox.checkLedger() };
  const verdict = await judge({ sandbox, store: world.store, wallets: [customer.phone] });
  expect(verdict.states).toMatchObject({ unsent: 1 });
  expect(faultsOf(verdict)).toEqual([]);
});
