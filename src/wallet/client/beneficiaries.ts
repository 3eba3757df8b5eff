import type { z } from 'zod';
import { API } from '../contract/api.ts';
import type { Beneficiary } from '../services.ts';
import type { BeneficiaryCalls } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped } from './read.ts';

type Listed = z.output<typeof API.createBeneficiary.data>;

/** Partner API v2.3, "Beneficiaries". */
export function beneficiaryCalls(send: Send): BeneficiaryCalls {
  return {
    async beneficiaries(owner, { page, pageSize, search } = {}, call) {
      const query = { PhoneNumber: owner, PageNumber: page, PageSize: pageSize, Search: search };
      const answer = await send(API.listBeneficiaries, { query }, call);
      return mapped(answer, ({ collection, count }) => ({ entries: collection.map(toBeneficiary), count }));
    },
    async saveBeneficiary(owner, beneficiary, call) {
      const request = { query: { phoneNumber: owner }, body: bodyOf(beneficiary) };
      return mapped(await send(API.createBeneficiary, request, call), toBeneficiary);
    },
    async changeBeneficiary(owner, beneficiary, call) {
      const { id: beneficiaryId } = beneficiary;
      const query = { phoneNumber: owner };
      const request = { params: { beneficiaryId }, query, body: bodyOf(beneficiary) };
      return mapped(await send(API.updateBeneficiary, request, call), toBeneficiary);
    },
    async deleteBeneficiary(owner, id, call) {
      const request = { params: { Id: id }, query: { PhoneNumber: owner } };
      return mapped(await send(API.deleteBeneficiary, request, call), () => true as const);
    },
  };
}

function toBeneficiary({ id, name, phoneNumber, rib, email }: Listed): Beneficiary {
  return { id, name, ...(phoneNumber && { phoneNumber }), ...(rib && { rib }), ...(email && { email }) };
}

function bodyOf({ name, phoneNumber, rib, email }: Omit<Beneficiary, 'id'>) {
  return { name, ...(phoneNumber && { phoneNumber }), ...(rib && { rib }), ...(email && { email }) };
}
