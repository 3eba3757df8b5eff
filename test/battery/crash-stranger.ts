import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Stage } from './crash-stage.ts';

/**
 * Somebody with a merchant's link, or with the page of a load of the float, who pays by card there and confirms it at their bank.
 * @param page the link where it is known; else the first one that the merchant was sent
 */
export function createStranger(stage: Stage, merchant: Msisdn, page?: string) {
  let isOver = false;

  return {
    /** Pays as soon as there is a link. Whoever was left alone with the page sends it once more. */
    async pays(): Promise<void> {
      const link = page ?? linkOf(stage, merchant);
      if (link === undefined || isOver) return;
      const paid = await stage.payCardLink(link);
      isOver = paid?.kind !== 'refused';
      if (paid?.kind === 'bank') await stage.bank(paid.link);
    },
  };
}

/** The first link that the merchant was sent. */
function linkOf({ told }: Stage, merchant: Msisdn): string | undefined {
  const sms = told.find(({ address, key }) => address === `ussd:${merchant}` && key === 'card-payment.link');
  return /\/pay\/(\S+)/.exec(sms?.text ?? '')?.[1];
}
