import { createHmac } from 'node:crypto';
import { type Core, type Handlers, isRefusal, refuse } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import { createUpgrades, verifiable } from './upgrades.ts';

/** There is no such provider: a partner's app finds nothing there, and the sandbox takes its scan and selfie as done. */
const PROVIDER_URL = 'https://idprovider.example';
/** "Short-lived"; how short is not shown in v2.3. */
const TOKEN_VALID_MS = 10 * 60_000;

/**
 * Identification of a customer and the upgrade that follows (Partner API v2.3, "KYC flow"). Not shown in v2.3: the order is
 * held to; levels may be skipped, but not lowered.
 */
export function identification(
  core: Core,
  customers: Customers,
): Handlers<'startIdentification' | 'requestUpgrade'> {
  const { clock, random } = core;
  const upgrades = createUpgrades(core);

  /** A JWT (HS256) for one applicant. */
  function tokenFor(applicant: string): string {
    const seconds = (ms: number) => Math.floor(ms / 1000);
    const [iat, exp] = [seconds(clock.now()), seconds(clock.now() + TOKEN_VALID_MS)];
    const claims = [
      { alg: 'HS256', typ: 'JWT' },
      { iss: PROVIDER_URL, sub: applicant, iat, exp },
    ];
    const signed = claims.map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.');
    const key = random.uuid('identity provider', 0);
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  }

  return {
    /** Asked again before the upgrade is requested, it is the same applicant with a fresh token. */
    startIdentification({ tenant, requestId, query }) {
      const customer = verifiable(customers, tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      if (customer.walletType === 'C') return refuse('merchantDocumentsOnly');
      const current = upgrades.current(customer);
      if (current?.state === 'verifying') return refuse('upgradePending');
      const applicant = random.uuid('applicant', current?.id ?? upgrades.begin(customer, requestId));
      return { baseUrl: PROVIDER_URL, applicant_id: applicant, token: tokenFor(applicant) };
    },

    requestUpgrade({ tenant, requestId, query }) {
      const customer = verifiable(customers, tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      if (customer.walletType === 'C') return refuse('merchantDocumentsOnly');
      if (query.AccountLevel <= customer.level) return refuse('levelNotHigher');
      const current = upgrades.current(customer);
      if (!current) return refuse('identificationMissing');
      if (current.state === 'verifying') return refuse('upgradePending');
      upgrades.request(current.id, query.AccountLevel, requestId);
      return true;
    },
  };
}
