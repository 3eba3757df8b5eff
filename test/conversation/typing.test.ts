import { describe, expect, test } from 'vitest';
import { abilitiesOf, CHANNEL_NAMES, type ChannelName } from '../../src/conversation/channel.ts';
import { theWorld } from '../kit/world.ts';

const signs = CHANNEL_NAMES.filter((name) => abilitiesOf(`${name}:`).typingMs !== undefined);

describe('“typing…”', () => {
  const world = theWorld({ bot: 'webhook' });
  /** How often it was shown, in all chats of a channel. */
  const shown = (channel: ChannelName) =>
    channel === 'telegram'
      ? world.bot.api.calls.filter(({ method }) => method === 'sendChatAction').length
      : world.whatsapp.api.typing.length;

  test.each(signs)('is shown while the wallet is slow, wherever the PIN is given, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const before = shown(channel);
    const call = world.wallet.holds('login');
    const entered = fatima.enters();
    await call.reached;
    await expect.poll(() => shown(channel)).toBeGreaterThan(before);
    call.go();
    await entered.sees('balance.shown');
  });
});
