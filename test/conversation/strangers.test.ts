import { expect, test } from 'vitest';
import { keptUntil, newSession, type Session } from '../../src/conversation/session/session.ts';
import { HOUR_MS, theWorld } from '../kit/world.ts';

const world = theWorld({ budgets: { strangersCases: 2 } });
const SESSION_BYTES_MAX = 2_000;

test.each<[string, Partial<Session>, number]>([
  ['a stranger', {}, 24],
  ['a stranger to whom a message is on its way', { outbox: [message({})] }, 24],
  ['a stranger to whom a person has written', { outbox: [message({ byAgent: true })] }, 90 * 24],
  [
    'a stranger to whom a person talks',
    { owner: { id: 'nadia', name: 'Nadia', since: 0, until: 1 } },
    90 * 24,
  ],
  ['a customer who has proven their number', { wallet: '+212612345678' as never }, 90 * 24],
])('the chat of %s is stored for some hours after their last message', (_, known, hours) => {
  expect(keptUntil({ ...newSession(5), ...known })).toBe(5 + hours * HOUR_MS);
});

test('a chat without a proven number stores little, after any number of messages', async () => {
  const stranger = world.stranger({ channel: 'web' });
  await stranger.opens();
  const long = (text: string) => `${text} ${'a'.repeat(1_000 - text.length - 1)}`;
  const texts = [
    '',
    'envoyer 200 à',
    'facture',
    'aide',
    'geler',
    'virement 40',
    '0612345678',
    'bon',
    'solde',
  ];
  let largest = 0;
  for (const input of [...texts, ...texts.map(long), ...texts.map((text) => long(text).slice(0, 199))]) {
    await stranger.says(input);
    largest = Math.max(largest, JSON.stringify(await world.session(stranger)).length);
    await stranger.goes('help');
  }
  expect(largest).toBeGreaterThan(200);
  expect(largest).toBeLessThan(SESSION_BYTES_MAX);
});

test('strangers of one network address open a limited number of cases in an hour', async () => {
  const listed = async () => (await world.engine.desk.cases.list()).map(({ subject }) => subject).sort();
  const before = new Set(await listed());
  const opened = async () => (await listed()).filter((subject) => !before.has(subject));
  const stranger = () => world.stranger({ channel: 'web' }).comesFrom('192.0.2.1').opens();
  const [first, second, third, fourth] = [stranger(), stranger(), stranger(), stranger()];
  await first.asksForAdviser().sees('help.asked');
  for (const text of ['?', '?', '?']) await second.says(text);
  await world.rests();
  const both = [first.address, second.address].sort();
  expect(await opened()).toEqual(both);

  await third.asksForAdviser().sees('help.help').isTold('help.tooMany');
  for (const text of ['?', '?', '?']) await fourth.says(text);
  await world.rests();
  expect(await opened()).toEqual(both);

  const elsewhere = world.stranger({ channel: 'web' }).comesFrom('192.0.2.2').opens();
  await elsewhere.asksForAdviser().sees('help.asked');
  const fatima = world.customer({ channel: 'web' }).comesFrom('192.0.2.1');
  await fatima.isAtMenu().asksForAdviser().sees('help.asked');
  await world.passes(HOUR_MS);
  await third.asksForAdviser().sees('help.asked');
});

test('a turn that is tried again, as another one was faster, charges one case', async () => {
  const stranger = () => world.stranger({ channel: 'web' }).comesFrom('192.0.2.3').opens();
  const [first, second] = [stranger(), stranger()];
  world.weather.overtakes = ['"misses":3', '"misses":3'];
  for (const text of ['?', '?', '?']) await first.says(text);
  expect(world.weather.overtakes).toEqual([]);
  for (const text of ['?', '?', '?']) await second.says(text);
  await world.rests();
  const subjects = (await world.engine.desk.cases.list()).map(({ subject }) => subject);
  expect(subjects).toContain(first.address);
  expect(subjects).toContain(second.address);
});

function message(more: object) {
  return {
    id: 'm',
    screen: { key: 'menu.choose', expects: 'nothing' },
    money: false,
    tries: 0,
    ...more,
  } as const;
}
