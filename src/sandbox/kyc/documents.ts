import { createHash } from 'node:crypto';
import { DOC_TYPES, type DocTypeName } from '../../wallet/contract/kyc.ts';
import { fileTypeOf } from '../../wallet/file-types.ts';
import type { Core, Request, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import type { Customer } from '../customers/customer.ts';
import { beginUpgrade, currentUpgrade, requestUpgrade, verifiable } from './upgrades.ts';

/** A side of a document, as it is kept: not the file itself. */
export interface KeptDocument {
  readonly docType: number;
  readonly side: 'front' | 'back';
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
  /** ms since 1970. */
  readonly at: number;
}

/** The only numbers that v2.3 names. */
const DOC_TYPES_SHOWN = [DOC_TYPES.IDENTITY_CARD, DOC_TYPES.PASSPORT, DOC_TYPES.COMMERCIAL_REGISTER];
/** Not shown in v2.3: the level of a merchant who is verified, and whose limit is negotiated. */
const VERIFIED_LEVEL = 4;

/** "Required in all three cases: signatory ID or passport, and bank-account proof." One of each list. */
const ALWAYS = [['IDENTITY_CARD', 'PASSPORT'], ['BANK_PROOF']] as const;
/**
 * Partner API v2.3, "Merchant KYB documents", by type of client. Those required "only if" or "if they exist" are taken, but
 * not waited for, because nothing says whether they apply.
 */
const KYB = {
  company: [...ALWAYS, ['STATUTES'], ['COMMERCIAL_REGISTER'], ['TAX_CERTIFICATE']],
  professional: [...ALWAYS, ['PROFESSIONAL_CARD'], ['TAX_CERTIFICATE']],
  association: [...ALWAYS, ['STATUTES'], ['REPRESENTATIVES']],
} as const satisfies Record<string, readonly (readonly DocTypeName[])[]>;
type ClientType = keyof typeof KYB;
const CLIENT_TYPES = Object.keys(KYB) as ClientType[];

/** The documents that each type of client still lacks, "A or B" if either does. Nothing for one of them is enough. */
function missingFor(docTypes: readonly number[]): Record<ClientType, string[]> {
  const missing = (type: ClientType) =>
    KYB[type]
      .filter((either) => !either.some((name) => docTypes.includes(DOC_TYPES[name])))
      .map((either) => either.join(' or '));
  return Object.fromEntries(CLIENT_TYPES.map((type) => [type, missing(type)])) as Record<
    ClientType,
    string[]
  >;
}

/**
 * Documents of merchants (Partner API v2.3, "KYC"). Not shown in v2.3: an incomplete set is accepted and added to by later
 * requests, and verified once it is complete for one type of client (open question 37). Without a number the documents are
 * the partner's own, and only kept.
 */
export const merchantDocuments = {
  uploadMerchantDocuments(core, request) {
    const { tenant, query, body, files } = request;
    const { phoneNumber } = query;
    const merchant = phoneNumber === undefined ? undefined : verifiable(core, tenant, phoneNumber);
    if (merchant && merchant.walletType !== 'C') refuse('merchantUnknown');
    const known: readonly number[] =
      core.settings.docTypes === 'all' ? Object.values(DOC_TYPES) : DOC_TYPES_SHOWN;
    if (body.kycDocuments.some(({ docType }) => !known.includes(docType)))
      refuse('documentInvalid', { detail: 'docType' });
    const other = [...(files ?? [])].find(([{ type }, content]) => !isOfType(type, content));
    if (other) refuse('documentInvalid', { detail: `the content is not ${other[0].type}` });
    for (const { docType, docFront, docBack } of body.kycDocuments) {
      for (const [side, file] of [['front', docFront] as const, ['back', docBack] as const]) {
        const content = file && files?.get(file);
        if (!content) continue;
        const sha256 = createHash('sha256').update(content).digest('hex');
        keep(core, tenant, merchant, { docType, side, type: file.type, bytes: file.size, sha256 });
      }
    }
    if (merchant) review(core, merchant, request);
    return true;
  },
} satisfies SomeHandlers;

function keep(
  core: Core,
  tenant: Tenant,
  merchant: Customer | undefined,
  document: Omit<KeptDocument, 'at'>,
): void {
  const customer = merchant?.id ?? null;
  core.db.insert('documents', { ...document, tenant: tenant.id, customer, at: core.clock.now() });
}

/** Has the documents of a merchant looked at when they are complete, unless that is done or under way. */
function review(core: Core, merchant: Customer, { requestId }: Pick<Request, 'requestId'>): void {
  const { missing } = merchantFile(core, merchant);
  const complete = Object.values(missing).some((each) => each.length === 0);
  if (!complete && core.settings.documents === 'whole')
    refuse('documentInvalid', { detail: 'the set is not complete' });
  if (!complete || merchant.level === VERIFIED_LEVEL || currentUpgrade(core, merchant)) return;
  requestUpgrade(core, beginUpgrade(core, merchant, requestId), VERIFIED_LEVEL, requestId);
}

/** True for a file whose first bytes are of this type. Its end is not checked. */
function isOfType(type: string, content: Uint8Array): boolean {
  return fileTypeOf(content) === type;
}

/** The documents that a merchant has sent, the oldest first, and those that are missing. */
export function merchantFile({ db }: Core, merchant: Customer) {
  const sql = 'SELECT docType, side, type, bytes, sha256, at FROM documents WHERE customer = ? ORDER BY id';
  const kept = db.all<KeptDocument>(sql, merchant.id);
  return { kept, missing: missingFor(kept.map(({ docType }) => docType)) };
}
