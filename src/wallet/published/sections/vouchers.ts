import { data, type Section } from '../section.ts';

const phoneNumber = '{{customer}}';
const people = {
  customerPhoneNumber: phoneNumber,
  destinationPhoneNumber: '{{recipient}}',
  beneficiaryName: 'Youssef Benali',
};
const order = { ...people, providerSkuId: '{{sku}}', providerId: '{{=provider}}' };
const localOrder = { ...people, skuId: '{{localSku}}' };

export const vouchers: Section = {
  id: 'vouchers',
  title: 'Vouchers',
  about:
    'Brands have articles. The answer of a purchase is the only place where the code of the voucher is ever said: hand it to the beneficiary at once. No webhook follows.',
  operations: {
    listBrands: 'The brands whose vouchers can be bought.',
    readBrand: 'One brand.',
    listArticles: 'The vouchers of a brand, or of all brands.',
    previewVoucher: 'What a voucher would cost.',
    executeVoucher: 'Buys a voucher; `operation.code` is the voucher.',
    listVouchers: 'The local catalog, of the second way to buy.',
    previewServiceVoucher: 'What a voucher of the local catalog would cost.',
    executeServiceVoucher: 'Buys a voucher of the local catalog.',
  },
  walk: [
    {
      call: 'listBrands',
      query: { phoneNumber, page: 1, take: 2 },
      keeps: { brand: data('collection', 0, 'id') },
    },
    { call: 'readBrand', params: { id: '{{brand}}' } },
    {
      call: 'listArticles',
      query: { phoneNumber, brandId: '{{brand}}', page: 1, take: 2 },
      keeps: {
        sku: data('collection', 0, 'providerSkuId'),
        provider: data('collection', 0, 'providerId'),
      },
    },
    { call: 'previewVoucher', body: order },
    { call: 'executeVoucher', body: order },
    {
      call: 'executeVoucher',
      title: 'An article that is out of stock.',
      body: { ...order, providerSkuId: 'JOUET-500' },
      refused: 400,
    },
    {
      call: 'listVouchers',
      query: { phoneNumber, take: 2, keyword: 'jeu' },
      keeps: { localSku: data('collection', 0, 'skuId') },
    },
    { call: 'previewServiceVoucher', body: localOrder },
    { call: 'executeServiceVoucher', body: localOrder },
  ],
};
