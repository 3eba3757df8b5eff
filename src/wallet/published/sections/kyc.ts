import type { Section } from '../section.ts';

const PDF = { type: 'application/pdf', content: '%PDF-1.4\n%%EOF\n' };

export const kyc: Section = {
  id: 'kyc',
  title: 'KYC',
  about:
    'A person is identified by the provider’s SDK on the phone, started with a short-lived token; then the app asks for the upgrade, and `customer.level.updated` follows. A merchant uploads company documents. Levels 1 to 4 may hold 1,000, 4,000, 20,000 and 100,000 MAD.',
  operations: {
    startIdentification: 'A token for the identity provider’s SDK.',
    requestUpgrade: 'Says that identification on the phone has ended, and asks for an account level.',
    uploadMerchantDocuments:
      'Uploads the documents of a merchant: PNG, JPEG or PDF, the back too for identity card, driving licence and residence permit.',
  },
  walk: [
    { call: 'startIdentification', query: { PhoneNumber: '{{customer}}' } },
    { call: 'requestUpgrade', query: { PhoneNumber: '{{customer}}', AccountLevel: 3 } },
    {
      call: 'uploadMerchantDocuments',
      query: { phoneNumber: '{{merchant}}' },
      body: {
        kycDocuments: [
          {
            docType: 1,
            docFront: { file: 'cin-front.pdf', ...PDF },
            docBack: { file: 'cin-back.pdf', ...PDF },
          },
          { docType: 5, docFront: { file: 'rib.pdf', ...PDF } },
          { docType: 8, docFront: { file: 'register.pdf', ...PDF } },
        ],
      },
    },
  ],
};
