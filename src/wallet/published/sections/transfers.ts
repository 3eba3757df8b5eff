import { card, data, type Section, timePasses } from '../section.ts';

const transfer = {
  CustomerPhoneNumber: '{{customer}}',
  Amount: 200,
  Reason: 'Rent',
  RecipientPhoneNumber: '{{recipient}}',
};

const bankTransfer = {
  CustomerPhoneNumber: '{{customer}}',
  Amount: 300,
  Reason: 'Invoice 2026-118',
  Rib: '{{rib}}',
  BeneficiaryName: 'Dar Maison',
};
const chargeback = {
  SourcePhoneNumber: '{{recipient}}',
  Amount: 50,
  Description: 'Sent by mistake',
  DestinationPhoneNumber: '{{customer}}',
  OriginalOperationId: '{{=transfer}}',
};
const refund = {
  OperationId: '{{=paidOperation}}',
  RefundAmount: 20,
  OrderId: '{{orderId}}',
  TransactionTrackId: '{{trackId}}',
};

export const transfers: Section = {
  id: 'transfers',
  title: 'Transfers, bank transfers, chargeback, refund',
  about:
    'Every movement of money is previewed first and executed then. The execution may still be open when it is answered: a webhook tells the end.',
  operations: {
    previewTransfer: 'What a transfer from wallet to wallet would cost.',
    executeTransfer: 'Sends money from wallet to wallet; `transfer.received` follows.',
    previewBankTransfer: 'What a transfer to a bank account would cost.',
    executeBankTransfer: 'Sends money to a bank account; `bank-transfer.initiated` and `.completed` follow.',
    previewChargeback: 'What giving money of an earlier operation back would come to.',
    executeChargeback: 'Gives money of an earlier operation back, from who received it to who paid.',
    previewRefund: 'What refunding a card payment would come to.',
    executeRefund: 'Refunds a card payment. The preview says `PhoneNumber`, the execution `phoneNumber`.',
  },
  walk: [
    { call: 'previewTransfer', body: transfer },
    { call: 'executeTransfer', body: transfer, keeps: { transfer: data('operationId') } },
    {
      call: 'executeTransfer',
      title: 'More than the wallet holds.',
      body: { ...transfer, Amount: 90_000 },
      refused: 400,
    },
    {
      call: 'executeTransfer',
      title: 'Without a reason.',
      body: { ...transfer, Reason: undefined },
      refused: 400,
    },
    timePasses(5),
    { call: 'previewChargeback', body: chargeback },
    { call: 'executeChargeback', body: chargeback },
    { call: 'previewBankTransfer', body: bankTransfer },
    { call: 'executeBankTransfer', body: bankTransfer },
    {
      call: 'executeCardPayment',
      title: 'A card payment to refund.',
      query: { phoneNumber: '{{merchant}}' },
      body: { ...card, amount: 80, '3dSecure': false },
      keeps: {
        paidOperation: data('operationId'),
        orderId: data('orderId'),
        trackId: data('transactionTrackId'),
      },
    },
    { call: 'previewRefund', body: { PhoneNumber: '{{merchant}}', ...refund } },
    { call: 'executeRefund', body: { phoneNumber: '{{merchant}}', ...refund } },
    timePasses(5),
  ],
};
