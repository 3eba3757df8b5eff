import { afterAll, describe, expect, test } from 'vitest';
import { createSmpp, type Smpp } from '../../src/channels/smpp/open.ts';
import { type BindSettings, readBind } from '../../src/channels/smpp/settings.ts';
import type { Reply } from '../../src/conversation/incoming.ts';
import { OWN } from '../../src/conversation/lease.ts';
import type { Customer } from '../kit/customer.ts';
import { createCustomer } from '../kit/customer.ts';
import { USSD_SHAPES } from '../kit/ussd-shapes.ts';
import { theWorld } from '../kit/world.ts';
import { fakeLog } from './fakes.ts';
import { listeningTo, SHAPES, shapeWay, smppWay, takeOf } from './shape-way.ts';
import { type Smsc, startSmsc } from './smpp/smsc.ts';

const PATIENCE_MS = 15_000;
const world = theWorld();
let smsc: Smsc | undefined;
let smpp: Smpp | undefined;
let last: { reply?: Reply };

afterAll(async () => {
  await smpp?.close();
  await smsc?.kill();
});

/** Wasl's own end of SMPP, before the engine of this world. */
async function bind(): Promise<Smsc> {
  await smpp?.close();
  smsc ??= await startSmsc();
  const { log } = fakeLog();
  const heard = listeningTo(world, { ms: PATIENCE_MS });
  last = heard.last;
  const settings = readBind(`smpp://wasl:pass@127.0.0.1:${smsc.port}?for=ussd`) as BindSettings;
  smpp = createSmpp({ binds: [settings], lease: () => OWN, log });
  smpp.open({
    ussd: { ...takeOf(world, heard.conversations), log },
    sms: async () => {},
    receipt: async () => {},
  });
  await smsc.next('bind');
  return smsc;
}

/** A customer of the world at a phone of this shape. */
async function customerAt(
  shape: string,
  language: 'fr' | 'ar' = 'fr',
): Promise<{ fatima: Customer; bound?: Smsc }> {
  const { phone } = world.customer({ language });
  if (shape !== 'smpp')
    return { fatima: createCustomer(world, phone, language, shapeWay(world, phone, shape)) };
  const bound = await bind();
  const way = smppWay(world, phone, () => smsc ?? bound, last);
  return { fatima: createCustomer(world, phone, language, way), bound };
}

const operationsOf = async ({ phone }: Customer) => {
  const answer = await world.api.operations(phone, {});
  return 'value' in answer ? answer.value.operations.length : undefined;
};

test('every gateway has its turn among the transcripts', () => {
  expect(SHAPES).toEqual(USSD_SHAPES);
});

describe.each([...SHAPES, 'smpp'])('over %s', (shape) => {
  test('a customer sends money once, and reads the outcome at the next dial', async () => {
    const { fatima } = await customerAt(shape);
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    await fatima.enters().sees('transfer.processing');
    await world.passes(2_000);
    await fatima.dials().sees('menu.choose').isTold('transfer.done');
  });

  test('a wrong PIN, the way back and an amount of zero read as on any other phone', async () => {
    const { fatima } = await customerAt(shape);
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('0');
    await fatima.sees('transfer.askRecipient').says('0655000000').says('100');
    await fatima.enters('9999').sees('transfer.askPinOpenLoop').isTold('pin.wrongWithTries');
  });

  test('a deep dial in Arabic stands at its amount', async () => {
    const { fatima } = await customerAt(shape, 'ar');
    await fatima.isAtMenu().dials('1', '0655000000').sees('transfer.askAmount');
  });
});

test('an SMSC that is killed after the PIN costs no second payment, and the next dial tells the truth', async () => {
  const { fatima, bound } = await customerAt('smpp');
  await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
  const before = bound?.told.length ?? 0;
  // The page of this turn never comes.
  const pays = fatima.enters().then(
    () => {},
    () => {},
  );
  await bound?.next('answered', (told) => (bound?.told.indexOf(told) ?? 0) >= before);
  await bound?.kill();
  smsc = await startSmsc(bound?.port);
  await smsc.next('bind');
  await world.passes(3_000);
  const again = world.dialer(fatima);
  await again.dials().sees('menu.choose').isTold('transfer.done');
  expect(await operationsOf(fatima)).toBe(1);
  void pays;
});
