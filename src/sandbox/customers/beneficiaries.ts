import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import { containing, pageOf, since, until } from '../core/paging.ts';
import type { Customer, Customers } from './customer.ts';

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

/** Partner API v2.3, "Beneficiaries". Not shown in v2.3: one number may be saved twice, and a change leaves nothing of before. */
export function beneficiaries(
  core: Core,
  customers: Customers,
): Handlers<'listBeneficiaries' | 'createBeneficiary' | 'updateBeneficiary' | 'deleteBeneficiary'> {
  const { db } = core;

  return {
    listBeneficiaries({ tenant, query }) {
      const owner = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(owner)) return owner;
      const sort = SORTS.get((query.SortBy ?? 'id').toLowerCase());
      if (!sort) return refuse('parameterInvalid', { detail: 'SortBy' });
      const { rows, count } = pageOf<Beneficiary>(db, {
        from: 'beneficiaries',
        where: [
          ['customer = ?', owner.id],
          containing('name', query.Name),
          containing(`ifnull(phone, '')`, query.BeneficiaryNumber),
          containing(`ifnull(rib, '')`, query.Rib),
          containing(
            `name || ' ' || ifnull(phone, '') || ' ' || ifnull(rib, '') || ' ' || ifnull(email, '')`,
            query.Search,
          ),
          since(query.From),
          until(query.To),
        ],
        orderBy: `${sort} ${query.SortOrder === 'desc' ? 'DESC' : 'ASC'}, id`,
        number: query.PageNumber,
        size: query.PageSize,
      });
      return { collection: rows.map(shown), count };
    },

    createBeneficiary({ tenant, query, body }) {
      const owner = customers.get(tenant, query.phoneNumber);
      if (isRefusal(owner)) return owner;
      const details = detailsIn(body);
      return shown({ id: saveBeneficiary(core, owner, details), ...details });
    },

    updateBeneficiary({ tenant, params, query, body }) {
      const owner = customers.get(tenant, query.phoneNumber);
      if (isRefusal(owner)) return owner;
      const beneficiary = findBeneficiary(core, owner, params.beneficiaryId);
      if (isRefusal(beneficiary)) return beneficiary;
      const { id } = beneficiary;
      const details = detailsIn(body);
      const { name, phone, rib, email } = details;
      const sql = 'UPDATE beneficiaries SET name = ?, phone = ?, rib = ?, email = ? WHERE id = ?';
      db.run(sql, name, phone, rib, email, id);
      return shown({ id, ...details });
    },

    deleteBeneficiary({ tenant, params, query }) {
      const owner = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(owner)) return owner;
      const beneficiary = findBeneficiary(core, owner, params.Id);
      if (isRefusal(beneficiary)) return beneficiary;
      db.run('DELETE FROM beneficiaries WHERE id = ?', beneficiary.id);
      return true;
    },
  };
}

/** A customer's own beneficiary, or 90101. */
export function findBeneficiary(
  { db }: Core,
  owner: Pick<Customer, 'id'>,
  id: number,
): Beneficiary | Refusal {
  const sql = 'SELECT * FROM beneficiaries WHERE id = ? AND customer = ?';
  return db.get<Beneficiary>(sql, id, owner.id) ?? refuse('beneficiaryUnknown');
}

/**
 * Why an order that names a beneficiary may not pay this number; undefined where it may, or names none. Not shown in v2.3: that
 * the two must belong together.
 */
export function otherThanBeneficiary(
  core: Core,
  owner: Customer,
  id: number | undefined,
  phone: string,
): Refusal | undefined {
  if (id === undefined) return undefined;
  const beneficiary = findBeneficiary(core, owner, id);
  if (isRefusal(beneficiary)) return beneficiary;
  return beneficiary.phone === phone ? undefined : refuse('beneficiaryOther');
}

/** Writes down a new beneficiary and gives its id. */
export function saveBeneficiary(
  { db, clock }: Core,
  owner: Customer,
  { name, phone, rib, email }: BeneficiaryDetails,
): number {
  return db.run(
    `INSERT INTO beneficiaries (tenant, customer, name, phone, rib, email, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    owner.tenant,
    owner.id,
    name,
    phone,
    rib,
    email,
    clock.now(),
  );
}

function detailsIn(body: Request<Api['createBeneficiary']>['body']): BeneficiaryDetails {
  const { name, phoneNumber: phone = null, rib = null, email = null } = body;
  return { name, phone, rib, email };
}

function shown({
  phone: phoneNumber,
  id,
  name,
  rib,
  email,
}: Omit<Beneficiary, 'customer'>): z.input<Api['createBeneficiary']['data']> {
  return { id, name, phoneNumber, rib, email };
}
