import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { STATUSES } from '../wallet/contract/fields.ts';
import { type Msisdn, msisdn } from '../wallet/phone.ts';
import { PROVIDER_PAGE } from './kyc/provider-page.ts';
import { TARIFFS } from './ledger/fees.ts';
import { createSandbox, SEEDED } from './sandbox.ts';

/** The wallet that Wasl brings along, served on its own port as a partner would meet it; undefined where a partner's is the wallet. */
export async function open(config: Config) {
  if (config.wallet.kind !== 'sandbox') return undefined;
  mkdirSync(config.DATA_DIR, { recursive: true });
  const sandbox = createSandbox({
    file: join(config.DATA_DIR, 'sandbox.db'),
    past: true,
    webhookNetworks: config.SANDBOX_WEBHOOK_NETWORKS,
  });
  const server = await sandbox.listen(config.wallet.port, config.HOST, config.PUBLIC_URL);
  return {
    url: server.url,
    identityPage: server.url + PROVIDER_PAGE,
    apiKey: sandbox.apiKey,
    sms: (phone: Msisdn) => sandbox.sms(phone),
    customers: async () =>
      SEEDED.map(({ firstName, lastName, phone, pin, status }) => ({
        name: `${firstName} ${lastName}`,
        phone: msisdn(phone),
        status,
        ...(pin && { pin }),
      })),
    /** In dirhams. Undefined for a number without a wallet. */
    async balance(phone: Msisdn): Promise<number | undefined> {
      const answer = await sandbox.app.request(`/sandbox/wallets/${encodeURIComponent(phone)}`);
      return answer.ok ? ((await answer.json()) as { readonly balance: number }).balance : undefined;
    },
    restoreCustomer: sandbox.restoreCustomer,
    counter: {
      open: (phone: Msisdn) =>
        sandbox
          .references(phone)
          .filter(({ status }) => status === STATUSES.OPEN)
          .map(({ id, kind, amount }) => ({ id, kind, amount })),
      async execute(id: number) {
        const body = JSON.stringify({ at: 'network' });
        await sandbox.app.request(`/sandbox/references/${id}`, { method: 'POST', body });
      },
    },
    tariffs: TARIFFS,
    faults: sandbox.faults,
    requests: sandbox.requests,
    attempts: sandbox.attempts,
    setWebhook: (url: string) => sandbox.setWebhook(url, config.webhookKeys[0] as string),
    async close() {
      await server.close();
      await sandbox.close();
    },
  };
}
