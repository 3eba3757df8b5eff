import { data, type Section } from '../section.ts';

const phoneNumber = '{{customer}}';

export const beneficiaries: Section = {
  id: 'beneficiaries',
  title: 'Beneficiaries',
  about: 'Whom a customer pays often: a name with a phone number, a RIB or both.',
  operations: {
    listBeneficiaries: 'The beneficiaries of a customer.',
    createBeneficiary: 'Adds a beneficiary.',
    updateBeneficiary: 'Changes a beneficiary.',
    deleteBeneficiary: 'Removes a beneficiary.',
  },
  walk: [
    {
      call: 'createBeneficiary',
      query: { phoneNumber },
      body: { name: 'Youssef', phoneNumber: '{{recipient}}', email: 'youssef@mail.example' },
      keeps: { beneficiary: data('id') },
    },
    {
      call: 'createBeneficiary',
      title: 'With neither number nor RIB.',
      query: { phoneNumber },
      body: { name: 'Nobody' },
      refused: 400,
    },
    {
      call: 'updateBeneficiary',
      params: { beneficiaryId: '{{beneficiary}}' },
      query: { phoneNumber },
      body: { name: 'Youssef Benali', phoneNumber: '{{recipient}}', rib: '{{rib}}' },
    },
    {
      call: 'listBeneficiaries',
      query: { PhoneNumber: phoneNumber, PageSize: 5, Search: 'benali', SortBy: 'name', SortOrder: 'asc' },
    },
    { call: 'deleteBeneficiary', params: { Id: '{{beneficiary}}' }, query: { PhoneNumber: phoneNumber } },
  ],
};
