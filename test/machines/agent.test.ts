import { describe, expect, test } from 'vitest';
import { partitionOf } from '../../src/store/partition.ts';
import { type Msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import { CHANNELS, HOUR_MS, LOST, refused, testOn, theWorld } from '../kit/world.ts';
import { agentAtMenu, agentIn, becomes, referenceOf } from './agent-orders.ts';

describe('an agent writes about cash', () => {
  const world = theWorld();
  const references = (phone: Msisdn) =>
    (['requestCashIn', 'requestCashOut'] as const).flatMap((call) => world.wallet.calls(phone, call)).length;

  test.each([
    ['dépôt 06… 300 dh', 'agent-cash-in.askPin'],
    ['deposit 06… 300', 'agent-cash-in.askPin'],
    ['إيداع 300 06…', 'agent-cash-in.askPin'],
    ['dépôt 06…', 'agent-cash-in.askAmount'],
    ['dépôt client 06… 300', 'agent-cash-in.askPin'],
    ['customer deposit 300 06…', 'agent-cash-in.askPin'],
    ['إيداع لزبون 06… 300', 'agent-cash-in.askPin'],
    ['dépôt 300', 'agent-cash-in.ask'],
    ['dépôt 0522123456 300', 'agent-cash-in.ask'],
    ['dépôt 06… 1.500', 'agent-cash-in.askAmount'],
    ['dépôt 06… 0655000001 300', 'agent-cash-in.ask'],
    ['retrait', 'agent-cash-out.ask'],
    ['retrait client', 'agent-cash-out.ask'],
    ['customer cash in 06… 300', 'agent-cash-in.askPin'],
    ['customer cash out', 'agent-cash-out.ask'],
    ['retrait client 300', 'agent-cash-out.ask'],
    ['سحب لزبون', 'agent-cash-out.ask'],
    ['vérifier une référence', 'agent-check.ask'],
    ['check reference', 'agent-check.ask'],
    ['التحقق من مرجع', 'agent-check.ask'],
    ['withdraw 300', 'agent-cash-out.ask'],
    ['سحب 300', 'agent-cash-out.ask'],
    ['références', 'agent-check.ask'],
    ['my references', 'agent-check.ask'],
    ['مراجعي', 'agent-check.ask'],
    ['/cash-out 5000', 'agent-cash-out.ask'],
  ])('%s is a request for a customer: %s', async (words, sees) => {
    const { agent } = await agentAtMenu(world, 'web');
    const fatima = world.customer();
    await agent.says(words.replace('06…', nationalNumber(fatima.phone))).sees(sees);
    expect(references(agent.phone)).toBe(0);
  });

  test.each([
    ['cash-in', 'dépôt client …', 'agent-cash-in.askPin'],
    ['cash-in', 'deposit …', 'agent-cash-in.askPin'],
    ['cash-in', 'إيداع لزبون …', 'agent-cash-in.askPin'],
    ['cash-out', 'retrait client …', 'agent-cash-out.askPin'],
    ['cash-out', 'customer withdrawal …', 'agent-cash-out.askPin'],
    ['cash-out', 'سحب لزبون …', 'agent-cash-out.askPin'],
    ['cash-out', 'vérifier la référence …', 'agent-check.withdrawal'],
    ['cash-in', 'check reference …', 'agent-check.deposit'],
    ['cash-in', 'تحقق من المرجع …', 'agent-check.deposit'],
    // Of the other kind: said, and nothing is executed.
    ['cash-in', 'retrait client …', 'agent-cash-out.ask'],
  ] as const)('the reference of a %s is filled in, and stored nowhere: %s', async (kind, words, sees) => {
    const { agent } = await agentAtMenu(world, 'web');
    const reference = await referenceOf(world, kind, world.customer({ balance: '900' }).phone, 300);
    await agent.says(words.replace('…', reference)).sees(sees);
    const turns = await world.store.turns(partitionOf(agent.phone), 100);
    const written = turns.map(({ record }) => record).join();
    expect(written).not.toContain(reference);
    expect(written).toContain('"secret":"reference"');
  });

  test.each(['retrait client 0655000000', 'سحب زبون 0655000000'])(
    'a withdrawal by number is refused, as there is none: %s',
    async (words) => {
      const { agent } = await agentAtMenu(world, 'web');
      await agent.says(words).sees('agent-cash-out.ask').isTold('agent-cash-out.byReferenceOnly');
    },
  );

  test('a customer who is no agent works with their own references', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('retrait client 215500000005').sees('cash-out.askAmount');
    await fatima.goes('menu').says('dépôt 936100000001').sees('cash-in.askAmountWithin');
  });

  test('in the menu of their own wallet the agent works for themselves', async () => {
    const { agent } = await agentAtMenu(world, 'web');
    await agent.chooses('own-wallet').sees('menu.choose').says('dépôt 300').sees('cash-in.chooseWay');
    await agent.goes('menu').sees('menu.chooseAgent').chooses('own-wallet');
    await agent.says('retrait 300').sees('cash-out.askPin');
  });

  test.each([
    ['dépôt 0655000000 300', 'cash-in.askAmount'],
    ['deposit 300 0655000000', 'cash-in.askAmount'],
    ['إيداع 300 0655000000', 'cash-in.askAmount'],
  ])('a customer who is no agent makes nothing with another number: %s', async (words) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(words).isTold('cash-in.ownOnly');
    expect(fatima.reply().screen.expects).toBe('amount');
    expect(references(fatima.phone)).toBe(0);
    await fatima.goes('menu').says('dépôt 300').sees('cash-in.chooseWay');
  });
});

describe('a customer registers as an agent', () => {
  const world = theWorld({ bot: 'webhook' });
  const asked = async () => {
    const one = await agentIn(world);
    await one.agent.isAtMenu().chooses('account').chooses('agent').sees('agent.askCode');
    return one;
  };

  testOn(CHANNELS)('by the code of their own number, and has the agent’s menu, on %s', async (channel) => {
    const { agent, code } = await agentIn(world, channel);
    await agent.isAtMenu().walks(becomes(code));
    expect(agent.reply().screen.choices?.map(({ id, digit }) => [digit, id])).toEqual([
      [1, 'agent-cash-in'],
      [2, 'agent-cash-out'],
      [3, 'agent-check'],
      [6, 'agent-day'],
      [7, 'agent-account'],
      [8, 'own-wallet'],
      [9, 'help'],
    ]);
    await agent.chooses('own-wallet').sees('menu.choose').goes('back').sees('menu.chooseAgent');
  });

  test('in one line', async () => {
    const { agent, code } = await agentIn(world, 'web');
    await agent.isAtMenu().says(`je suis agent ${code}`).sees('agent.welcome', { code });
  });

  test('not by the code of another number, which is never another one’s menu', async () => {
    const { agent } = await asked();
    await agent.says('RA-2001').sees('agent.askCode').isTold('agent.notYours');
    await agent.goes('menu').sees('menu.choose');
  });

  test.each(['RA-9', 'ra 2001', '../2001', 'x'.repeat(21), '?'])(
    'not by %s, which is no code',
    async (text) => {
      const { agent } = await asked();
      await agent.says(text).sees('agent.askCode').isTold('problem.90140');
    },
  );

  test('five codes an hour, over all channels', async () => {
    const { agent, code } = await asked();
    for (let i = 0; i < 5; i++) await agent.says(`RA-9${i}`).sees('agent.askCode');
    await agent.says(code).sees('agent.tooMany');
    await agent.after(HOUR_MS).dials().walks(becomes(code));
  });

  test.each([
    [LOST, 'problem.unavailable'],
    [refused('47110'), 'problem.other'],
  ])('the code is asked for again after %o', async (instead, told) => {
    const { agent, code } = await asked();
    world.wallet.next('retailAgent', instead);
    await agent.says(code).sees('agent.askCode').isTold(told);
    await agent.says(code).sees('agent.welcome');
  });

  test('a wallet without agents', async () => {
    const { agent, code } = await asked();
    world.wallet.next('retailAgent', refused('http404'));
    await agent.says(code).sees('agent.notEnabled');
    await agent.goes('menu').chooses('account').sees('account.choose').offersNo('agent');
  });

  test('the wallet is asked once a day, and a former agent gets the usual menu', async () => {
    const { agent, code } = await agentAtMenu(world);
    const looks = () => world.wallet.calls(code, 'retailAgent').length;
    const before = looks();
    await agent.dials().sees('menu.chooseAgent');
    expect(looks()).toBe(before);
    await world.passes(25 * HOUR_MS);
    world.wallet.next('retailAgent', LOST);
    await agent.dials().sees('menu.chooseAgent');
    await world.passes(HOUR_MS);
    world.wallet.next('retailAgent', refused('90140'));
    await agent.dials().sees('menu.choose');
    await agent.dials('1', '0612345678').sees('transfer.askAmount');
  });
});
