import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { FATIMA, sandbox } from './kit.ts';
import { receiver } from './receiver.ts';

export const KEY = 'hook-key';

/** A sandbox and a listening partner, both over real HTTP. The sandbox's clock stands still. */
export async function served(options: Partial<SandboxOptions> = {}) {
  const partner = await receiver();
  const wallet = sandbox({ webhookUrl: partner.url, webhookKey: KEY, ...options });
  const server = await wallet.listen(0);
  onTestFinished(server.close);
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  const send = (to: string, timeoutMs = 10_000) =>
    createWallet({ url: server.url, apiKey: wallet.apiKey, timeoutMs }).transfer(
      { from: msisdn(FATIMA), to: msisdn(to), amount: centimes(200_00), reason: 'test' },
      { requestId: 'our-request' },
    );
  return { wallet, partner, post, send, url: server.url };
}
