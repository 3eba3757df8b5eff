import { createHmac } from 'node:crypto';
import type { Core, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { beginUpgrade, currentUpgrade, requestUpgrade, verifiable } from './upgrades.ts';

/** There is no such provider: a partner's app finds nothing there, and the sandbox takes its scan and selfie as done. */
const PROVIDER_URL = 'https://idprovider.example';
/** "Short-lived". How short is not shown in v2.3. */
const TOKEN_VALID_MS = 10 * 60_000;

/**
 * Identification of a customer and the upgrade that follows (Partner API v2.3, "KYC flow"). Not shown in v2.3: the order is
 * held to. Levels may be skipped, but not lowered.
 */
export const identification = {
  /** Asked again before the upgrade is requested, it is the same applicant with a fresh token. */
  startIdentification(core, { tenant, requestId, query }) {
    const customer = verifiable(core, tenant, query.PhoneNumber);
    if (customer.walletType === 'C') refuse('merchantDocumentsOnly');
    const current = currentUpgrade(core, customer);
    if (current?.state === 'verifying') refuse('upgradePending');
    const applicant = core.random.uuid('applicant', current?.id ?? beginUpgrade(core, customer, requestId));
    return { baseUrl: PROVIDER_URL, applicant_id: applicant, token: tokenFor(core, applicant) };
  },

  requestUpgrade(core, { tenant, requestId, query }) {
    const customer = verifiable(core, tenant, query.PhoneNumber);
    if (customer.walletType === 'C') refuse('merchantDocumentsOnly');
    if (query.AccountLevel <= customer.level) refuse('levelNotHigher');
    const current = currentUpgrade(core, customer);
    if (!current) refuse('identificationMissing');
    if (current.state === 'verifying') refuse('upgradePending');
    requestUpgrade(core, current.id, query.AccountLevel, requestId);
    return true;
  },
} satisfies SomeHandlers;

/** A JWT (HS256) for one applicant. */
function tokenFor(core: Core, applicant: string): string {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  const [iat, exp] = [seconds(core.clock.now()), seconds(core.clock.now() + TOKEN_VALID_MS)];
  const claims = [
    { alg: 'HS256', typ: 'JWT' },
    { iss: PROVIDER_URL, sub: applicant, iat, exp },
  ];
  const signed = claims.map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.');
  const key = core.random.uuid('identity provider', 0);
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
