import { API } from '../contract/api.ts';
import type { Wallet } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, yes } from './read.ts';

/** Partner API v2.3, "KYC": what a customer needs for a higher account level. */
export function identityCalls(send: Send): Pick<Wallet, 'startIdentification' | 'requestUpgrade'> {
  return {
    async startIdentification(phone, call) {
      const answer = await send(API.startIdentification, { query: { PhoneNumber: phone } }, call);
      return mapped(answer, ({ baseUrl, applicant_id: applicantId, token }) => ({
        baseUrl,
        applicantId,
        token,
      }));
    },
    async requestUpgrade({ phone, level }, call) {
      const query = { PhoneNumber: phone, AccountLevel: level };
      return yes(await send(API.requestUpgrade, { query }, call));
    },
  };
}
