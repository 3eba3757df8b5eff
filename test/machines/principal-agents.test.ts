import { describe, expect, test } from 'vitest';
import { LOST, loses } from '../kit/meddler.ts';
import { CHATS, theWorld } from '../kit/world.ts';
import { agentIn } from './agent-orders.ts';
import { boundAtMenu } from './principal-orders.ts';

describe('the retail agents of a principal agent', () => {
  const world = theWorld({ bot: 'webhook' });
  const atList = (channel: (typeof CHATS)[number] = 'web') =>
    boundAtMenu(world, channel)
      .chooses('principal')
      .chooses('principal-agents')
      .sees('principal-agents.list');
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

  test.each(CHATS)('are listed, opened and changed, %s', async (channel) => {
    const phone = channel === 'web' ? '0677000011' : '0677000031';
    const salma = described(phone, channel).chooses('open');
    await salma
      .sees('principal-agents.askPinOpen', { name: 'Kiosque Atlas' })
      .enters()
      .sees('principal-agents.opened', { name: 'Kiosque Atlas' });
    const { code: said } = salma.reply().screen.values ?? {};
    const code = said && 'code' in said ? said.code : '';
    await salma.goes('menu').chooses('principal').chooses('principal-agents').chooses(code);
    await salma.sees('principal-agents.shown', { code, name: 'Kiosque Atlas' });
    await salma
      .chooses('address')
      .says('9, rue Oukaimeden, Rabat')
      .isTold('principal-agents.changed', { code });
    expect(await world.api.retailAgent(code)).toMatchObject({
      value: { name: 'Kiosque Atlas', phone: `+212${phone.slice(1)}`, address: '9, rue Oukaimeden, Rabat' },
    });
  });

  test('one whose opening was not answered is looked for by its number; another one’s number is refused', async () => {
    const salma = described('0677000012').meanwhile(() => world.wallet.next('createRetailAgent', loses));
    await salma.chooses('open').enters().sees('principal-agents.opened', { name: 'Kiosque Atlas' });
    await described('0677000012')
      .chooses('open')
      .enters()
      .sees('principal-agents.review')
      .isTold('problem.90141');
    const lost = described('0677000021').meanwhile(() => world.wallet.next('createRetailAgent', LOST));
    await lost.chooses('open').enters().sees('principal-agents.list').isTold('principal-agents.notKnown');
  });

  test('a number is given to nobody without the PIN: whoever has it serves with the agent’s float', async () => {
    const { code } = await agentIn(world);
    const numberOf = async () => (await world.api.retailAgent(code)) as { value: { phone: string } };
    const before = (await numberOf()).value.phone;
    const thief = world.customer();
    const salma = atList().chooses(code).chooses('phone').says(thief.phone);
    await salma.sees('principal-agents.askPin', { code, phone: thief.phone });
    await salma.enters('0000').sees('principal-agents.askPin').isTold('pin.wrongWithTries');
    expect((await numberOf()).value.phone).toBe(before);
    await salma.goes('back').sees('principal-agents.list').chooses(code).chooses('phone').says(thief.phone);
    await salma.enters().sees('principal-agents.list').isTold('principal-agents.changed', { code });
    expect((await numberOf()).value.phone).toBe(thief.phone);
  });
});
