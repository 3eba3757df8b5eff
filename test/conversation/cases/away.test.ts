import { expect, onTestFinished, test } from 'vitest';
import { RecordsDown } from '../../../src/records/records.ts';
import { startPostgres } from '../../kit/postgres-server.ts';
import { createWorld, NADIA, theWorld } from '../../kit/world.ts';

test('while SQL is away a customer is helped, from the request to the rating, and no case is lost', async () => {
  const postgres = await startPostgres();
  const world = await createWorld({ records: { url: await postgres.place() } });
  onTestFinished(async () => {
    await world.close();
    await postgres.stop();
  });
  const { desk } = world.engine;
  const [fatima, youssef] = [world.customer({ channel: 'web' }), world.customer({ channel: 'web' })];
  await fatima.isAtMenu();
  await youssef.isAtMenu();
  expect(await desk.cases.list()).toEqual([]);

  await postgres.kill();
  const asks = () => fatima.asksForAdviser();
  await asks().sees('help.asked').chooses('continue');
  world.clock.ahead += 60_000;
  await asks().sees('help.askedBefore').chooses('continue');
  expect(await desk.takeOver(fatima.address, NADIA)).toBe('done');
  expect(await desk.write(fatima.address, NADIA, 'Bonjour')).toBe('done');
  await fatima.says('un souci');
  expect(await desk.handBack(fatima.address, NADIA)).toBe('done');
  await fatima.hears('rating.ask').opens().chooses('good').sees('menu.choose').isTold('rating.thanks');
  await youssef.asksForAdviser().sees('help.asked');
  expect(await desk.answered(youssef.address, NADIA), 'called back').toBe('done');
  await expect(desk.cases.list()).rejects.toThrow(RecordsDown);
  expect((await desk.person(fatima.phone))?.sessions, 'found by their number').toHaveLength(1);

  await postgres.starts();
  await expect.poll(() => world.records.isWell().catch(() => false)).toBe(true);
  const [it, other] = [fatima, youssef].map(({ phone }) => desk.cases.closedOf(phone, 10));
  const [of, others] = [await it, await other];
  expect(of).toMatchObject([{ kind: 'asked', end: 'byCustomer', owner: NADIA, rating: 1 }]);
  expect(of?.[0]?.steps.map(({ what }) => what)).toEqual([
    ...['opened', 'askedAgain', 'assigned', 'answered', 'customerWrote', 'rated', 'closed'],
  ]);
  expect(others).toMatchObject([{ end: 'solved' }]);
}, 60_000);

const world = theWorld({ turnsMax: 50, records: 'sqlite' });

test('a stream that is full loses turns, and no case', async () => {
  const fatima = world.customer({ channel: 'web' });
  await fatima.isAtMenu().asksForAdviser().sees('help.asked').chooses('continue');
  for (let i = 0; i < 80; i++) await fatima.goes('help').chooses('continue');
  await world.recording.recorder.drain();
  const recorded = await world.records.turnsOf({ wallet: fatima.phone }, 1_000);
  expect(recorded.length, 'not all of them').toBeLessThan(160);
  expect(await world.engine.desk.cases.ofCustomer({ wallet: fatima.phone })).toMatchObject([
    { kind: 'asked', address: fatima.address },
  ]);
}, 60_000);
