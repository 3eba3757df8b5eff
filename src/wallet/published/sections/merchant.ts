import { card, confirms3ds, data, type Section, timePasses } from '../section.ts';

const CustomerPhoneNumber = '{{customer}}';
const customerPhoneNumber = '{{merchant}}';
const byNumber = {
  CustomerPhoneNumber,
  Amount: 35.5,
  Reason: 'Coffee',
  RecipientPhoneNumber: '{{merchant}}',
};
const byQr = { CustomerPhoneNumber, QrCodeContent: '{{qrContent}}', Amount: 45 };

const PhoneNumber = '{{merchant}}';
const ofMerchant = { phoneNumber: PhoneNumber };
const cardPayment = { ...card, amount: 90, '3dSecure': false, externalReference: 'ORDER-118' };
const ids = { OrderId: '{{orderId}}', TransactionTrackId: '{{trackId}}' };
const keeps = {
  cardOperation: data('operationId'),
  orderId: data('orderId'),
  trackId: data('transactionTrackId'),
};

export const merchant: Section = {
  id: 'merchant',
  title: 'Merchant payments',
  about:
    'A customer pays a merchant by number or by QR code; the webhook `payment.received` follows. A card payment is captured at once, or authorised first and then captured or reversed; a captured one is refunded.',
  operations: {
    previewMerchantPayment: 'What a payment to a merchant’s number would cost.',
    executeMerchantPayment: 'Pays a merchant by number.',
    previewQrPayment: 'What a payment by QR code would cost.',
    executeQrPayment: 'Pays a merchant by QR code.',
    previewCardPayment: 'What a card payment would cost the merchant.',
    executeCardPayment:
      'Takes a card payment for a merchant: captured at once, or only authorised with `autoCapture` false.',
    executeSavedCardPayment: 'Takes a payment from a saved card.',
    captureCardPayment: 'Captures an authorised payment, wholly or in part.',
    reverseCardPayment: 'Releases an authorised payment that was not captured.',
    refundCardPayment: 'Refunds a captured payment, wholly or in part.',
    readStaticQr: 'The QR code of a merchant’s counter: it carries no amount.',
    createQr: 'A QR code for one payment, with its amount.',
    readQrStatus: 'A QR code by its reference.',
  },
  walk: [
    { call: 'previewMerchantPayment', body: byNumber },
    { call: 'executeMerchantPayment', body: byNumber },
    { call: 'readStaticQr', query: { customerPhoneNumber } },
    {
      call: 'createQr',
      query: { customerPhoneNumber },
      body: { amount: 45, billNumber: 'T-12' },
      keeps: { qrContent: data('qrContent'), qrReference: data('qrCodeReference') },
    },
    { call: 'readQrStatus', query: { reference: '{{qrReference}}' } },
    { call: 'previewQrPayment', body: byQr },
    { call: 'executeQrPayment', body: byQr },
    { call: 'executeQrPayment', title: 'The code is for one payment.', body: byQr, refused: 422 },
    timePasses(5),
    { call: 'previewCardPayment', query: { PhoneNumber }, body: { Amount: 90 } },
    {
      call: 'executeCardPayment',
      title: 'Authorised only, and the card saved.',
      query: ofMerchant,
      body: { ...cardPayment, autoCapture: false, keepAlive: true },
      keeps,
    },
    { call: 'captureCardPayment', body: { PhoneNumber, Amount: 70, ...ids } },
    {
      call: 'reverseCardPayment',
      title: 'What is captured cannot be reversed.',
      body: { PhoneNumber, Amount: 90, ...ids },
      refused: 422,
    },
    {
      call: 'refundCardPayment',
      body: { PhoneNumber, OperationId: '{{=cardOperation}}', RefundAmount: 30, ...ids },
    },
    {
      call: 'executeCardPayment',
      title: 'Authorised, to be released.',
      query: ofMerchant,
      body: { ...cardPayment, autoCapture: false },
      keeps,
    },
    { call: 'reverseCardPayment', body: { PhoneNumber, Amount: 90, ...ids } },
    {
      call: 'listCustomerCards',
      title: 'The card that was saved.',
      query: { PhoneNumber },
      keeps: { merchantCard: data('collection', 0, 'customerBankCardId') },
    },
    {
      call: 'executeSavedCardPayment',
      params: { cardId: '{{merchantCard}}' },
      query: { PhoneNumber },
      body: { Cvv: '123', Amount: 25 },
      keeps: { redirectionURL: data('redirectionURL') },
    },
    confirms3ds(),
  ],
};
