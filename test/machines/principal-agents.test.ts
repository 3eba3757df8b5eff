import { describe, expect, test } from 'vitest';
import { msisdn } from '../../src/wallet/phone.ts';
import { CHATS, LOST, refused, testOn, theWorld } from '../kit/world.ts';
import { agentIn } from './agent-orders.ts';
import { boundAtMenu, unbound } from './principal-orders.ts';

const world = theWorld({ bot: 'webhook' });
const atList = (channel: (typeof CHATS)[number] = 'web') =>
  boundAtMenu(world, channel).chooses('principal').chooses('principal-agents').sees('principal-agents.list');
/** Two administrators agree on the last request. Returns the code of the agent who has that number afterwards. */
const agreed = async (phone: string) => {
  const { principal } = world.engine.desk;
  const at = async () => (await principal?.proposedAgents())?.at(-1)?.at ?? 0;
  await principal?.takeUpAgent(await at(), { id: 'aicha', name: 'Aicha' }, 'ouvre à Rabat');
  await principal?.approveAgent(await at(), { id: 'badr', name: 'Badr' });
  const listed = await principal?.agents(1);
  const entries = listed?.kind === 'ok' ? listed.value.entries : [];
  return entries.find((each) => each.phone === msisdn(phone))?.code ?? 'nobody';
};
const described = (phone: string, channel?: (typeof CHATS)[number]) =>
  atList(channel)
    .chooses('open')
    .says('12')
    .isTold('mobile.notANumber')
    .says(phone)
    .says('K')
    .isTold('principal-agents.notAName')
    .says('Kiosque Atlas')
    .says('Amal')
    .says('Sefrioui')
    .says('CD320032')
    .says('3, avenue Hassan II, Rabat')
    .sees('principal-agents.review', { name: 'Kiosque Atlas', cin: 'CD320032' });

describe('the retail agents of a principal agent', () => {
  testOn(CHATS)('are listed, opened and changed, %s', async (channel) => {
    const phone = channel === 'web' ? '0677000011' : '0677000031';
    const salma = described(phone, channel).chooses('open');
    await salma.sees('principal-agents.askPinOpen', { name: 'Kiosque Atlas' });
    await salma.enters().sees('principal-agents.asked');
    const code = await agreed(phone);
    await salma.hears('principal-agents.opened', { name: 'Kiosque Atlas', code });
    await salma.goes('menu').chooses('principal').chooses('principal-agents').chooses(code);
    await salma.sees('principal-agents.shown', { code, name: 'Kiosque Atlas' });
    await salma.chooses('address');
    await salma.says('9, rue Oukaimeden, Rabat').isTold('principal-agents.changed', { code });
    expect(await world.api.retailAgent(code)).toMatchObject({
      value: { name: 'Kiosque Atlas', phone: `+212${phone.slice(1)}`, address: '9, rue Oukaimeden, Rabat' },
    });
  });

  test('a request counts only after two administrators agree, as its owner may spend the float', async () => {
    const { code } = await agentIn(world);
    const { principal } = world.engine.desk;
    const numberOf = async () => (await world.api.retailAgent(code)) as { value: { phone: string } };
    const before = (await numberOf()).value.phone;
    const thief = world.customer();
    const salma = atList().chooses(code).chooses('phone').says(thief.phone);
    await salma.sees('principal-agents.askPin', { code, phone: thief.phone });
    await salma.enters('0000').sees('principal-agents.askPin').isTold('pin.wrongWithTries');
    expect(await principal?.proposedAgents()).toEqual([]);
    await salma.enters().sees('principal-agents.asked');
    const [asked] = (await principal?.proposedAgents()) ?? [];
    expect(asked).toMatchObject({ from: salma.phone, wish: { code, phone: thief.phone } });
    expect((await numberOf()).value.phone).toBe(before);
    // One administrator alone, who may hold that phone, approves nothing.
    const [nadia, omar] = [
      { id: 'nadia', name: 'Nadia' },
      { id: 'omar', name: 'Omar' },
    ];
    const at = asked?.at ?? 0;
    expect(await principal?.approveAgent(at, nadia)).toBe('notNow');
    expect(await principal?.takeUpAgent(at, nadia, 'a changé de téléphone')).toBe('done');
    expect(await principal?.takeUpAgent(at, omar, 'a changé de téléphone')).toBe('notNow');
    const [taken] = (await principal?.proposedAgents()) ?? [];
    expect(taken).toMatchObject({ by: 'nadia', from: salma.phone });
    expect(await principal?.approveAgent(taken?.at ?? 0, nadia)).toBe('sameAgent');
    expect((await numberOf()).value.phone).toBe(before);
    expect(await principal?.approveAgent(taken?.at ?? 0, omar)).toMatchObject({ kind: 'ok' });
    await salma.hears('principal-agents.changed', { code });
    expect((await numberOf()).value.phone).toBe(thief.phone);
  });
});

describe('a request of a principal agent', () => {
  test('the requester hears that it was withdrawn or refused, or that its outcome is unknown', async () => {
    const salma = described('0677000012').chooses('open').enters();
    await salma.sees('principal-agents.asked');
    const { principal } = world.engine.desk;
    const [asked] = (await principal?.proposedAgents()) ?? [];
    await principal?.withdrawAgent(asked?.at ?? 0);
    await salma.hears('principal-agents.declined');
    for (const [answer, said] of [
      [refused('90141'), 'principal-agents.refused'],
      [refused('90001'), 'principal-agents.declined'],
      [LOST, 'principal-agents.notKnown'],
    ] as const) {
      const other = described('0677000013').chooses('open').enters();
      await other.sees('principal-agents.asked');
      world.wallet.next('createRetailAgent', answer);
      await agreed('0677000013');
      await other.hears(said);
    }
  });

  testOn(CHATS)('a request that cannot succeed is not sent, on %s', async (channel) => {
    const { code, agent } = await agentIn(world);
    const free = world.customer().phone;
    const asks = (to: string) => atList(channel).chooses(code).chooses('phone').says(to).enters();
    await asks(agent.phone).sees('principal-agents.list').isTold('principal-agents.inVain-hasNumber');
    await asks(free).sees('principal-agents.asked');
    await asks(free).sees('principal-agents.list').isTold('principal-agents.inVain-waits');
    const opens = channel === 'web' ? '0677000041' : '0677000042';
    const taken = described(opens, channel).chooses('open');
    // Another one was given that number since.
    await taken.meanwhile(async () => {
      await world.api.changeRetailAgent(code, { phone: msisdn(opens) });
    });
    await taken.enters();
    await taken.sees('principal-agents.list').isTold('principal-agents.inVain-numberTaken');
    const { principal } = world.engine.desk;
    for (const { at } of (await principal?.proposedAgents()) ?? []) await principal?.withdrawAgent(at);
  });

  test('the number of waiting requests is limited, and an unbound number asks for nothing', async () => {
    const { principal } = world.engine.desk;
    const nadia = { id: 'nadia', name: 'Nadia' };
    let acted: string | undefined = 'done';
    for (let n = 0; acted === 'done' && n < 60; n++) {
      const phone = msisdn(`06770001${String(n).padStart(2, '0')}`);
      acted = await principal?.proposeAgent({ code: 'RA-2001', phone }, nadia, 'one of many');
    }
    expect(acted).toBe('notNow');
    const salma = described('0677000015').chooses('open').enters();
    await salma.sees('principal-agents.list').isTold('principal-agents.tooMany');
    for (const { at } of (await principal?.proposedAgents()) ?? []) await principal?.withdrawAgent(at);
    const other = described('0677000016').chooses('open');
    await other.meanwhile(() => unbound(world, other.phone)).enters();
    expect(await principal?.proposedAgents()).toEqual([]);
  });
});
