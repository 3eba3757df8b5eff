import { data, type Section } from '../section.ts';

const order = { recipientPhoneNumber: '{{recipient}}', amount: 50, operator: 2 };
const customerPhoneNumber = '{{customer}}';

export const telco: Section = {
  id: 'telco',
  title: 'Telco top-up',
  about:
    'Operators: 1 Maroc Telecom, 2 Orange, 3 Inwi. `rechargeType` 0 is a classic top-up in dirhams, 1 a product of the operator. No webhook follows: the answer is final, or the history says how it ended.',
  operations: {
    topUpCatalog: 'What an operator offers for an amount beside the classic top-up.',
    executeTopUpB2b: 'Tops up a phone at the expense of a principal agent.',
    previewTopUp: 'What a top-up would cost the customer.',
    executeTopUp: 'Tops up a phone at the expense of the customer.',
    listTopUps: 'The top-ups of a customer, newest first.',
  },
  walk: [
    { call: 'topUpCatalog', body: order, keeps: { productCode: data(0, 'productCode') } },
    { call: 'executeTopUpB2b', body: { ...order, rechargeType: 0, code: '{{agent}}' } },
    { call: 'previewTopUp', body: { customerPhoneNumber, ...order, rechargeType: 0 } },
    { call: 'executeTopUp', body: { customerPhoneNumber, ...order, rechargeType: 0 } },
    {
      call: 'executeTopUp',
      title: 'A product of the operator.',
      body: { customerPhoneNumber, ...order, rechargeType: 1, productCode: '{{=productCode}}' },
    },
    {
      call: 'executeTopUp',
      title: 'More than the wallet holds.',
      body: { customerPhoneNumber, ...order, amount: 90_000, rechargeType: 0 },
      refused: 400,
    },
    { call: 'listTopUps', query: { phoneNumber: customerPhoneNumber, pageSize: 2, status: [1, 2] } },
  ],
};
