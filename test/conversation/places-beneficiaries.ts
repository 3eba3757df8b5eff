import type { Beneficiary } from '../../src/wallet/services.ts';
import { type Customer, LOST, type World } from '../kit/world.ts';
import { KARIM } from '../machines/bank-orders.ts';
import { before, type Path, type Places, rest, when } from './place.ts';

export const MAMAN: Beneficiary = { id: 7, name: 'Maman', phoneNumber: '+212655000000' };

/** Saved recipients, for the next read of the list. */
export function knows(world: World, customer: Customer, ...entries: readonly Beneficiary[]): Customer {
  return customer.meanwhile(() =>
    world.wallet.next('beneficiaries', { kind: 'ok', value: { entries, count: entries.length } }),
  );
}

/** A customer at the menu who has saved somebody, with more of them where it matters. */
export function knowing(world: World, more: Partial<Beneficiary> = {}): Customer {
  return knows(world, world.customer().isAtMenu(), { ...MAMAN, ...more });
}

/** One who has saved two of the same name. */
export function several(world: World): Customer {
  return knows(world, world.customer().isAtMenu(), MAMAN, { ...MAMAN, id: 8 });
}

const opened: Path = (world) => knowing(world).chooses('account').chooses('beneficiaries');
const shown: Path = (world) => opened(world).chooses('saved-7');
const adding: Path = (world) => opened(world).chooses('add');

/** The list as the wallet has it, after a look at one that it never had. */
const NONE = 'beneficiaries.none';

export const BENEFICIARY_PLACES: Places = {
  'beneficiaries.listing': before('menu.choose', opened, 'account.choose'),
  'beneficiaries.showing': before('menu.choose', shown, 'beneficiaries.list'),
  'beneficiaries.askingNewName': before(
    'menu.choose',
    (world) => shown(world).chooses('rename'),
    'beneficiaries.shown',
  ),
  'beneficiaries.confirming': before(
    'menu.choose',
    (world) => shown(world).chooses('delete'),
    'beneficiaries.shown',
  ),
  'beneficiaries.askingAccount': before('menu.choose', adding, NONE),
  'beneficiaries.askingName': before(
    'menu.choose',
    (world) => adding(world).says(KARIM),
    'beneficiaries.askAccount',
  ),
  'beneficiaries.saved': rest((world) => adding(world).says('0655000001').says('Salma')),
  'beneficiaries.there': rest((world) => {
    const customer = adding(world).says('0655000000');
    return knows(world, customer, MAMAN).says('Maman');
  }),
  'beneficiaries.unavailable': rest(
    when(
      (world) => world.customer().isAtMenu().chooses('account'),
      'beneficiaries',
      LOST,
      (it) => it.chooses('beneficiaries'),
    ),
  ),
  'bank-transfer.listingPayees': before(
    'menu.choose',
    (world) => {
      const many = Array.from({ length: 5 }, (_, id) => ({ id, name: `Salma ${id}`, rib: KARIM }));
      return knows(world, world.customer().isAtMenu(), ...many)
        .says('virement')
        .chooses('others');
    },
    'bank-transfer.askRib',
  ),
};
