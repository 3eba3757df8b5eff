import { API } from '../contract/api.ts';
import type { DocumentFile } from '../file-types.ts';
import type { IdentityCalls } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, yes } from './read.ts';

/** Partner API v2.3, "KYC": the calls that a customer needs for a higher account level, and a merchant to be verified. */
export function identityCalls(send: Send): IdentityCalls {
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
    async sendMerchantDocument({ merchant, docType, front, back }, call) {
      const sides = { docFront: fileOf('front', front), ...(back && { docBack: fileOf('back', back) }) };
      const request = { query: { phoneNumber: merchant }, body: { kycDocuments: [{ docType, ...sides }] } };
      return yes(await send(API.uploadMerchantDocuments, request, call));
    },
  };
}

/** It says nothing of how the merchant's own file is called. */
function fileOf(side: string, { type, bytes }: DocumentFile): File {
  return new File([Uint8Array.from(bytes)], `${side}.${ENDINGS[type]}`, { type });
}

const ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' } as const;
