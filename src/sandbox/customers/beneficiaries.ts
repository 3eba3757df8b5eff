import type { Api } from '../../wallet/contract/api.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { containing, pageOf, since, until } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { type Customer, getCustomer } from './customer.ts';

/** Somebody whom a customer pays again and again, as a row. */
export interface Beneficiary {
  readonly id: number;
  readonly customer: number;
  readonly name: string;
  readonly phone: string | null;
  readonly rib: string | null;
  readonly email: string | null;
}

export type BeneficiaryDetails = Omit<Beneficiary, 'id' | 'customer'>;

/** Not shown in v2.3: by what can be sorted. Here by any field, under its own name. */
const SORTS = new Map([
  ['id', 'id'],
  ['name', 'lower(name)'],
  ['phonenumber', 'phone'],
  ['rib', 'rib'],
  ['email', 'email'],
  ['createdat', 'createdAt'],
]);

const SEARCHED = `name || ' ' || ifnull(phone, '') || ' ' || ifnull(rib, '') || ' ' || ifnull(email, '')`;

/** Partner API v2.3, "Beneficiaries". Not shown in v2.3: one number may be saved twice, and a change leaves nothing of before. */
export const beneficiaries = {
  listBeneficiaries(core, { tenant, query }) {
    const owner = getCustomer(core, tenant, query.PhoneNumber);
    const sort = SORTS.get((query.SortBy ?? 'id').toLowerCase());
    if (!sort) refuse('parameterInvalid', { detail: 'SortBy' });
    const { rows, count } = pageOf<Beneficiary>(core.db, {
      from: 'beneficiaries',
      where: [
        ['customer = ?', owner.id],
        containing('name', query.Name),
        containing(`ifnull(phone, '')`, query.BeneficiaryNumber),
        containing(`ifnull(rib, '')`, query.Rib),
        containing(core.settings.beneficiarySearch === 'all' ? SEARCHED : 'name', query.Search),
        since(query.From),
        until(query.To, core),
      ],
      orderBy: `${sort} ${query.SortOrder === 'desc' ? 'DESC' : 'ASC'}, id`,
      number: query.PageNumber,
      size: query.PageSize,
    });
    return { collection: rows.map(beneficiaryAnswer), count };
  },

  createBeneficiary(core, { tenant, query, body }) {
    const owner = getCustomer(core, tenant, query.phoneNumber);
    const details = detailsIn(body);
    return beneficiaryAnswer({ id: saveBeneficiary(core, owner, details), ...details });
  },

  updateBeneficiary(core, { tenant, params, query, body }) {
    const owner = getCustomer(core, tenant, query.phoneNumber);
    const { id } = findBeneficiary(core, owner, params.beneficiaryId);
    const details = detailsIn(body);
    core.db.update('beneficiaries', id, { ...details });
    return beneficiaryAnswer({ id, ...details });
  },

  deleteBeneficiary(core, { tenant, params, query }) {
    const owner = getCustomer(core, tenant, query.PhoneNumber);
    const { id } = findBeneficiary(core, owner, params.Id);
    core.db.run('DELETE FROM beneficiaries WHERE id = ?', id);
    return true;
  },
} satisfies SomeHandlers;

/** A customer's own beneficiary, or 90101. */
export function findBeneficiary({ db }: Core, owner: Pick<Customer, 'id'>, id: number): Beneficiary {
  const sql = 'SELECT * FROM beneficiaries WHERE id = ? AND customer = ?';
  return db.get<Beneficiary>(sql, id, owner.id) ?? refuse('beneficiaryUnknown');
}

/**
 * Refuses an order that names a beneficiary and pays another number. Not shown in v2.3: that the two must belong together.
 * @param id absent: none is named
 */
export function requireBeneficiary(core: Core, owner: Customer, id: number | undefined, phone: string): void {
  if (core.settings.beneficiaries === 'free') return;
  if (id !== undefined && findBeneficiary(core, owner, id).phone !== phone) refuse('beneficiaryOther');
}

/** Writes down a new beneficiary and gives its id. */
export function saveBeneficiary(
  { db, clock }: Core,
  owner: Customer,
  { name, phone, rib, email }: BeneficiaryDetails,
): number {
  const { id: customer, tenant } = owner;
  return db.insert('beneficiaries', { tenant, customer, name, phone, rib, email, createdAt: clock.now() });
}

function detailsIn(body: Request<Api['createBeneficiary']>['body']): BeneficiaryDetails {
  const { name, phoneNumber: phone = null, rib = null, email = null } = body;
  return { name, phone, rib, email };
}

function beneficiaryAnswer({ phone: phoneNumber, id, name, rib, email }: Omit<Beneficiary, 'customer'>) {
  return { id, name, phoneNumber, rib, email };
}
