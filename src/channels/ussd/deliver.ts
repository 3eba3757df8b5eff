import type { Deliver } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { msisdn } from '../../wallet/phone.ts';
import type { SmsSender } from '../sms/sms.ts';

/**
 * Delivers to `ussd:` addresses. Nobody can be called back over USSD, so everything is held for the next dial; a money
 * outcome and a secret also go out by SMS, where a sender is configured (a deadline on everything).
 * @returns `held` once the SMS is out too, so that the next dial begins with it; `delivered` when it was a secret;
 *   `later` when the provider says so.
 */
export function deliverUssd({
  sms,
  renderer,
}: {
  readonly sms?: SmsSender | undefined;
  readonly renderer: Pick<Renderer, 'sms'>;
}): Deliver {
  return async (address, push) => {
    if (!(push.money || push.isSecret) || !sms) return 'held';
    const phone = msisdn(address.slice('ussd:'.length));
    const sent = await sms(phone, renderer.sms(push.screen, push.language).text);
    if (sent === 'later') return 'later';
    // A secret is said once: by SMS, and not again on the next dial.
    return push.isSecret ? 'delivered' : 'held';
  };
}
