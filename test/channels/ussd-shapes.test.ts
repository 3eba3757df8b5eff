import { describe, expect, test } from 'vitest';
import { createCustomer } from '../kit/customer.ts';
import { USSD_SHAPES } from '../kit/ussd-shapes.ts';
import { type Customer, theWorld } from '../kit/world.ts';
import { HANDSETS } from './handsets.ts';
import { boundTo, shapeWay, smppWay } from './shape-way.ts';
import { startSmsc } from './smpp/smsc.ts';

const world = theWorld();

/** A customer of the world at a phone of this shape. */
function customerAt(shape: string, language: 'fr' | 'ar' = 'fr'): Customer {
  const { phone } = world.customer({ language });
  return createCustomer(world, phone, language, shapeWay(world, phone, shape));
}

const operationsOf = async ({ phone }: Customer) => {
  const answer = await world.api.operations(phone, {});
  return 'value' in answer ? answer.value.operations.length : undefined;
};

test('every gateway has its turn among the transcripts', () => {
  expect([...HANDSETS.map(({ name }) => name), 'smpp']).toEqual(USSD_SHAPES);
});

describe.each(USSD_SHAPES)('over %s', (shape) => {
  test('a customer sends money once, and reads the outcome at the next dial', async () => {
    const fatima = customerAt(shape);
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    await fatima.enters().sees('transfer.processing');
    await fatima.after(2_000).dials().sees('menu.choose').isTold('transfer.done');
  });

  test('a wrong PIN, the way back and an amount of zero read as on any other phone', async () => {
    const fatima = customerAt(shape);
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('0');
    await fatima.sees('transfer.askRecipient').says('0655000000').says('100');
    await fatima.enters('9999').sees('transfer.askPinOpenLoop').isTold('pin.wrongWithTries');
  });

  test('a deep dial in Arabic stands at its amount', async () => {
    const fatima = customerAt(shape, 'ar');
    await fatima.isAtMenu().dials('1', '0655000000').sees('transfer.askAmount');
  });
});

test('an SMSC that is killed after the PIN costs no second payment, and the next dial tells the truth', async () => {
  const { phone } = world.customer({ language: 'fr' });
  let smsc = await startSmsc();
  const smpp = await boundTo(smsc);
  const fatima = createCustomer(
    world,
    phone,
    'fr',
    smppWay(world, phone, async () => smsc),
  );
  await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
  const before = smsc.told.length;
  // The page of this turn never comes.
  const pays = fatima.enters().then(
    () => {},
    () => {},
  );
  await smsc.next('answered', (told) => smsc.told.indexOf(told) >= before);
  await smsc.kill();
  smsc = await startSmsc(smsc.port);
  await smsc.next('bind');
  await world.passes(3_000);
  await world.dialer(fatima).dials().sees('menu.choose').isTold('transfer.done');
  expect(await operationsOf(fatima)).toBe(1);
  await smpp.close();
  await smsc.kill();
  void pays;
});
