import { describe, expect, test } from 'vitest';
import { channelOf } from '../../src/conversation/channel.ts';
import type { Address, Delivery, Push } from '../../src/conversation/incoming.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, loses, theWorld } from '../kit/world.ts';

/*
 * The way that the last page of a payment names is the way in which its outcome comes: for each channel, with SMS and without, and with
 * another chat whose window is open or closed.
 */
const WINDOW_MS = 10 * 60_000;
const SETTLES_MS = 1_500;
addTestChannel('always', { reachesAway: true, pushes: 'always' });
addTestChannel('window', { reachesAway: true, pushes: { withinMs: WINDOW_MS } });

const PAYS_IN = ['ussd', 'web', 'always', 'window'] as const;
const OTHERS = ['none', 'web', 'always', 'window open', 'window closed'] as const;

describe.each([
  ['SMS that the operator pays for', undefined],
  ['no SMS', [] as const],
])('with %s', (_, smsFor) => {
  const heard: Address[] = [];
  const world = theWorld({
    language: 'fr',
    ...(smsFor && { smsFor }),
    deliver: async (address: Address, push: Push): Promise<Delivery> => {
      if (push.isClosed || channelOf(address) === 'ussd') return 'held';
      if (push.screen.key === 'transfer.done') heard.push(address);
      return 'delivered';
    },
  });
  const chatIn = async (name: string, of: Customer) => {
    const chat = name === 'ussd' ? of : name === 'web' ? world.chatOf(of) : inTestChannel(world, of, name);
    await chat.isAtMenu();
    return { chat };
  };

  /** The way in which the outcome has come, once every link had its time. */
  async function comes({ phone, address }: Customer): Promise<string> {
    const bySms = () => world.sms(phone).some((text) => text.includes('Référence'));
    await world.passes(SETTLES_MS);
    for (let i = 0; i < 7 && heard.length === 0 && !bySms(); i++) await world.passes(10_000);
    if (heard.includes(address)) return 'here';
    return heard.length > 0 ? 'chat' : bySms() ? 'sms' : 'dial';
  }

  const table = PAYS_IN.flatMap((place) => OTHERS.map((other) => [place, other] as const));
  test.each(table.filter(([place, other]) => !other.startsWith(place)))(
    'a payment by %s, with another chat: %s',
    async (place, other) => {
      const person = world.customer({ language: 'fr' });
      const [name = ''] = other.split(' ');
      if (name !== 'none') await chatIn(name, person);
      if (other === 'window closed') await world.passes(WINDOW_MS);
      const { chat } = await chatIn(place, person);
      await world.rests();
      heard.length = 0;
      world.wallet.next('transfer', loses);
      await chat.chooses('transfer').says('0655000000').says('100').enters().sees('transfer.notConfirmed');
      const promised = await world.engine.answerComes(chat.reply());
      expect(await comes(chat)).toBe(promised?.way);
    },
  );
});
