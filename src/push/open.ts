import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import { createWebPush, type WebPush } from './web-push.ts';

/** Notifications of the web chat. Undefined where the operator has turned them off. */
export function open(
  { PUSH_SERVICES: services, VAPID_PRIVATE_KEY: privateKey, PUBLIC_URL: publicUrl }: Config,
  { store, secrets, log }: Pick<Base, 'store' | 'secrets' | 'log'>,
): WebPush | undefined {
  if (services.length === 0) return undefined;
  // Push services want a contact address. A demo on one's own machine has none.
  const contact = publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@localhost';
  return createWebPush({ store, secrets, privateKey, contact, services, log, now: Date.now });
}
