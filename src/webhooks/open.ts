import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../conversation/engine.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { createApply } from './apply.ts';
import { createInbox } from './inbox.ts';
import { createOutgoing } from './outgoing.ts';
import { webhookRoutes } from './routes.ts';

/** The webhooks that come in from the wallet, and those that tell the company's own tools of cases. */
export function open(
  { webhookKeys: keys, CASE_WEBHOOK_URL: url, CASE_WEBHOOK_KEY: key }: Config,
  base: Base,
  { engine, backgroundApi }: { readonly engine: Engine; readonly backgroundApi: Wallet },
) {
  const { store, measured, onOdd, clock, background, secrets, failures, log } = base;
  const alert = (webhook: string) => log.say('A person must look at this webhook', { id: webhook });
  const apply = createApply(engine, backgroundApi, { onOdd, skewMs: clock.skewMs });
  const { webhooks: concurrency } = base.concurrency;
  const webhooks = measured.inbox(
    createInbox({ store, secrets, apply, background, concurrency, now: Date.now, alert }),
  );
  return {
    webhooks,
    routes: webhookRoutes({ inbox: webhooks, keys, onError: failures.onError }),
    // Without an address what an earlier setting has left is not told any more.
    outgoing:
      url && key ? createOutgoing({ store: base.workerStore, url, key, log, now: Date.now }) : async () => {},
  };
}
