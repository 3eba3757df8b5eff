import { chargesOf, costsSms } from '../../conversation/answer-way.ts';
import type { Budgets } from '../../conversation/budgets.ts';
import type { Topic } from '../../conversation/incoming.ts';
import type { Served } from '../../conversation/served.ts';
import type { SmsStops } from '../../conversation/sms-stops.ts';
import type { Msisdn } from '../../wallet/phone.ts';

/**
 * Charges an SMS with a message before it goes. Undefined: the operator pays none for its topic, the budget is spent, or the
 * customer wants no SMS. Gives the function that takes the charge back, for an SMS that the provider did not take.
 */
export type Spend = (topic: Topic, to: Msisdn) => Promise<(() => Promise<void>) | undefined>;

/** The budgets that all processes share. A store that is down rejects: the message is tried again. */
export function createSpend(
  budgets: Pick<Budgets, 'charge' | 'giveBack'>,
  served: Pick<Served, 'noSms' | 'smsFor'>,
  stops?: Pick<SmsStops, 'has'>,
): Spend {
  return async (topic, to) => {
    // A STOP says that security messages still come: the warning of a debit is one.
    if (!costsSms(topic, served) || (topic !== 'debit' && (await stops?.has(to)))) return undefined;
    const charges = chargesOf(to);
    const spent = await budgets.charge(charges);
    // A budget that had no room was not charged, but those before it were.
    const charged = spent
      ? charges.slice(
          0,
          charges.findIndex(({ budget }) => budget === spent),
        )
      : charges;
    const giveBack = async () => {
      for (const charge of charged) await budgets.giveBack(charge);
    };
    if (!spent) return giveBack;
    await giveBack();
    return undefined;
  };
}
