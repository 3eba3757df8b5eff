import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { phone, text } from './fields.ts';
import { KYC_FILE_BYTES_MAX } from './limits.ts';
import { codes, reads } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'kyc';
/** "success": the payload is not shown. Any payload is read as a yes. */
const success = z.unknown();

/** A merchant's documents. v2.3, "KYC" shows 1, 3 and 8. The others are ours (open question 10). */
export const DOC_TYPES = {
  IDENTITY_CARD: 1,
  DRIVING_LICENSE: 2,
  PASSPORT: 3,
  RESIDENCE_PERMIT: 4,
  BANK_PROOF: 5,
  STATUTES: 6,
  MINUTES: 7,
  COMMERCIAL_REGISTER: 8,
  TAX_CERTIFICATE: 9,
  PROFESSIONAL_CARD: 10,
  REPRESENTATIVES: 11,
} as const;
export type DocTypeName = keyof typeof DOC_TYPES;

/** "docBack: required for IdentityCard, DrivingLicense, ResidencePermit." */
const TWO_SIDED: readonly number[] = [
  DOC_TYPES.IDENTITY_CARD,
  DOC_TYPES.DRIVING_LICENSE,
  DOC_TYPES.RESIDENCE_PERMIT,
];

/** "PNG, JPG/JPEG or PDF." */
export const KYC_FILE_TYPES = ['image/png', 'image/jpeg', 'application/pdf'] as const;
export type KycFileType = (typeof KYC_FILE_TYPES)[number];
const scan = z
  .file()
  .min(1)
  .max(KYC_FILE_BYTES_MAX)
  .mime([...KYC_FILE_TYPES]);

/** The sandbox refuses the others with a code of its own. */
const docType = reads(z.int(), codes(DOC_TYPES));
const document = z
  .object({ docType, docFront: scan, docBack: scan.optional() })
  .refine(({ docType, docBack }) => docBack !== undefined || !TWO_SIDED.includes(docType), {
    path: ['docBack'],
  });

/** Partner API v2.3, "KYC". */
export const kyc = {
  /** For the identity provider's SDK on the customer's phone. `token` is a short-lived JWT. */
  startIdentification: endpoint('GET', '/api/kyc/idprovider/auth', scope, {
    query: z.object({ PhoneNumber: phone }),
    data: z.object({ baseUrl: text, applicant_id: text, token: text }),
  }),
  /** "Signals end of on-device KYC and requests the upgrade." */
  requestUpgrade: endpoint('PUT', '/api/customers/upgrade/request', scope, {
    query: z.object({ PhoneNumber: phone, AccountLevel: z.literal([2, 3, 4]) }),
    data: success,
  }),
  /** "Several documents by repeating indexed fields": `kycDocuments[0].docType`, `kycDocuments[0].docFront`, … */
  uploadMerchantDocuments: endpoint('POST', '/api/customers/merchant/kyc/request', scope, {
    multipart: true,
    query: z.object({ phoneNumber: phone.optional() }),
    body: z.object({ kycDocuments: z.array(document).min(1) }),
    data: success,
  }),
};
