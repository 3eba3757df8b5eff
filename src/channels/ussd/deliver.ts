import type { Deliver, Push } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { msisdn } from '../../wallet/phone.ts';
import type { SmsSender } from '../sms/sms.ts';
import type { Spend } from '../sms/spend.ts';

/**
 * Delivers to `ussd:` addresses. Nobody can be called back over USSD, so everything is held for the next dial. A
 * message about money and a secret also go out by SMS, where a sender is configured and the operator pays for it.
 * @returns `held` once the SMS is out too, so that the next dial begins with it. `delivered` when it was a secret or a
 *   link. `later` when the provider says so.
 */
export function deliverUssd({
  sms,
  renderer,
  formAt,
  spend,
}: {
  readonly sms?: SmsSender | undefined;
  /** Absent: every message may cost an SMS. */
  readonly spend?: Spend;
  /** The address of the form that a message leads to, for a customer's browser. */
  readonly formAt?: string | undefined;
  readonly renderer: Pick<Renderer, 'sms'>;
}): Deliver {
  return async (address, push) => {
    // A link that was not sent in time leads nowhere: the screen that it belongs to is gone.
    if (push.screen.key === LINK && (!push.form || !formAt || !sms)) return 'gone';
    if (!(push.money || push.isSecret) || !sms) return 'held';
    const phone = msisdn(address.slice('ussd:'.length));
    const giveBack = push.topic && spend ? await spend(push.topic, phone) : async () => {};
    if (!giveBack) return 'held';
    let as: string | undefined;
    const { text } = renderer.sms(linked(push, formAt), push.language);
    const sent = await sms(phone, text, (id) => {
      as = id;
    });
    if (sent !== 'accepted') await giveBack();
    if (sent === 'later') return 'later';
    // A secret is said once: by SMS, and not again on the next dial. Nor is a link, with which nobody can do anything there.
    const isOnce = push.isSecret || (sent === 'accepted' && push.screen.key === PAY_LINK);
    const status = isOnce ? 'delivered' : 'held';
    return sent === 'accepted' ? { status, bySms: true, ...(as && { as }) } : status;
  };
}

/** The message that leads to a form. */
const LINK = 'card-cash-in.formSms';
/** The one with a merchant's link, for somebody else to pay by. */
const PAY_LINK = 'card-payment.link';

function linked({ screen, form }: Push, formAt: string | undefined): Push['screen'] {
  if (screen.key !== LINK) return screen;
  return { ...screen, values: { ...screen.values, link: { code: `${formAt}/${form}` } } };
}
