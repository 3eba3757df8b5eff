import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTime, pageNumber, pageSize, phone, rib } from './fields.ts';
import { NAME_LENGTH_MAX, NAME_LENGTH_MIN } from './limits.ts';
import { codes, ifAny } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'customers:beneficiaries';

/** "Min 2 letters", of any script. Not a pattern: the contract is published, and few tools could read such a pattern. */
const name = z
  .string()
  .min(NAME_LENGTH_MIN)
  .max(NAME_LENGTH_MAX)
  .refine((name) => /\p{L}.*\p{L}/u.test(name));

/** Partner API v2.3, "Beneficiaries": `SortOrder`. */
export const SORT_ORDERS = { ASCENDING: 'asc', DESCENDING: 'desc' } as const;

/** Partner API v2.3, "Beneficiary". Its id is called `id` here, which is not shown (open question 17). */
const beneficiary = z.object({
  id: z.int(),
  name: z.string(),
  phoneNumber: ifAny(phone.nullable()),
  rib: ifAny(rib.nullable()),
  email: ifAny(z.string().nullable()),
});

/** "At least a phone number or a RIB is required." */
const details = z
  .object({ name, phoneNumber: phone.nullish(), rib: rib.nullish(), email: z.email().nullish() })
  .refine(({ phoneNumber, rib }) => Boolean(phoneNumber ?? rib), { path: ['phoneNumber'] });

const owner = z.object({ phoneNumber: phone });

/** Partner API v2.3, "Beneficiaries". Not shown: what a creation and a change answer. Here the beneficiary. */
export const beneficiaries = {
  listBeneficiaries: endpoint('GET', '/api/customer/beneficiaries', scope, {
    query: z.object({
      PhoneNumber: phone,
      PageSize: pageSize,
      PageNumber: pageNumber,
      /** v2.3 does not show the possible values. */
      SortBy: z.string().optional(),
      SortOrder: codes(SORT_ORDERS).optional(),
      Name: z.string().optional(),
      BeneficiaryNumber: z.string().optional(),
      Rib: z.string().optional(),
      Search: z.string().optional(),
      From: dateTime.optional(),
      To: dateTime.optional(),
    }),
    data: z.object({ collection: z.array(beneficiary), count: z.int().min(0) }),
  }),
  createBeneficiary: endpoint('POST', '/api/customer/beneficiaries', scope, {
    query: owner,
    body: details,
    data: beneficiary,
  }),
  updateBeneficiary: endpoint('PUT', '/api/customer/beneficiaries/{beneficiaryId}', scope, {
    params: z.object({ beneficiaryId: z.int() }),
    query: owner,
    body: details,
    data: beneficiary,
  }),
  deleteBeneficiary: endpoint('DELETE', '/api/customer/beneficiaries/{Id}', scope, {
    params: z.object({ Id: z.int() }),
    query: z.object({ PhoneNumber: phone }),
    data: z.boolean(),
  }),
};
