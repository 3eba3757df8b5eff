import { root, type Section, timePasses } from '../section.ts';

const phoneNumber = '{{customer}}';
const mobileBill = { creancierId: '{{creditor}}', creanceId: '{{receivable}}' };
const creancierVals = [{ nomChamp: '{{field}}', valChamp: '0661234567' }];
const order = {
  ...mobileBill,
  refTxNetwork: '{{refTxNetwork}}',
  totalPayment: true,
  listeArticleSelectionnes: '{{=items}}',
  creancierVals,
  globalParams: '{{=globalParams}}',
};

export const bills: Section = {
  id: 'bills',
  title: 'Bill payment',
  about:
    'Answers stand at the root, without an envelope, and all codes are text. A creditor has receivables; a receivable has a form to build the input screen from; the filled form finds the unpaid bills; a payment names the bills it pays. Send `globalParams` back as they came and never show those without `libelle`. `codeRetour` 000 is done, 301 was done before; 908, 909 and 910 on confirm are no failure: a webhook tells the end.',
  operations: {
    listCreditors: 'Whom bills can be paid to. May be kept for a few hours.',
    listReceivables: 'What can be paid at a creditor.',
    readBillForm: 'The fields to ask the customer for. Those of `typeChamp` libelle are shown and not sent.',
    listUnpaid: 'The unpaid bills of a filled form, and the reference to pay them with, valid for 7 days.',
    executeBill: 'Pays the bills selected.',
    previewBill: 'What a payment would cost, with the body of confirm.',
    readBillStatus: 'How a payment stands at the bill network; 204 where there is none.',
    readBillReceipt: 'The receipt as a file, with `refReglement` on it.',
    listBillPayments: 'The bill payments of a customer.',
  },
  walk: [
    { call: 'listCreditors', keeps: { creditor: root('listeCreanciers', 0, 'codeCreancier') } },
    {
      call: 'listReceivables',
      query: { creancierId: '{{creditor}}' },
      keeps: { receivable: root('listeCreance', 0, 'codeCreance') },
    },
    { call: 'readBillForm', query: mobileBill, keeps: { field: root('creancierParams', 0, 'nomChamp') } },
    {
      call: 'listUnpaid',
      query: { phoneNumber, ...mobileBill },
      body: { creancierVals },
      keeps: {
        refTxNetwork: root('refTxNetwork'),
        items: root('impayesParams'),
        globalParams: root('globalParams'),
      },
    },
    { call: 'previewBill', query: { phoneNumber }, body: order },
    { call: 'executeBill', query: { phoneNumber }, body: order },
    timePasses(5),
    {
      call: 'readBillStatus',
      query: { reference: '{{refTxNetwork}}' },
      keeps: { billOperation: root('chariOperationId') },
    },
    { call: 'readBillReceipt', params: { operationId: '{{billOperation}}' }, query: { phoneNumber } },
    { call: 'listBillPayments', query: { phoneNumber, pageSize: 2 } },
  ],
};
