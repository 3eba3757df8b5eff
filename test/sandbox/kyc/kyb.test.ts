import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import { DOC_TYPES, type DocTypeName } from '../../../src/wallet/contract/kyc.ts';
import { KYC_FILE_BYTES_MAX, KYC_REQUEST_BYTES_MAX } from '../../../src/wallet/contract/limits.ts';
import {
  balanceOf,
  call,
  errorOf,
  FATIMA,
  NOBODY,
  newcomer,
  OMAR_NOT_CONFIRMED,
  sandbox,
  send,
  transfer,
  wallet,
} from '../kit.ts';
import { receiver } from '../receiver.ts';

const SHOP = '+212655555555';
const CAFE = '+212600000011';
const YES = { status: 200, body: { data: true } };
const BEGINNINGS: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff',
  'application/pdf': '%PDF-',
};
const contentOf = (type: string, text: string) => Buffer.from(`${BEGINNINGS[type] ?? ''}${text}`, 'latin1');
const scan = (type = 'image/png', text = 'scan') => new File([contentOf(type, text)], 'scan', { type });
const holding = (text: string, type = 'image/png') =>
  new File([Buffer.from(text, 'latin1')], 'scan', { type });

/** A form as a partner fills it in: `kycDocuments[0].docType`, … */
function form(documents: readonly Record<string, string | File>[], from = 0): FormData {
  const filled = new FormData();
  documents.forEach((document, n) => {
    for (const [field, value] of Object.entries(document))
      filled.append(`kycDocuments[${from + n}].${field}`, value);
  });
  return filled;
}
const TWO_SIDED: readonly DocTypeName[] = ['IDENTITY_CARD', 'DRIVING_LICENSE', 'RESIDENCE_PERMIT'];
const documents = (...names: readonly DocTypeName[]) =>
  names.map((name) => ({
    docType: String(DOC_TYPES[name]),
    docFront: scan('application/pdf', name),
    ...(TWO_SIDED.includes(name) && { docBack: scan('image/jpeg', `back of ${name}`) }),
  }));
const upload = (of: Sandbox, body: FormData, phoneNumber: string | undefined = SHOP) =>
  send(of, 'uploadMerchantDocuments', { query: phoneNumber ? { phoneNumber } : {}, body });

async function shop() {
  const partner = await receiver();
  const wallet = sandbox({ webhookUrl: partner.url });
  wallet.addCustomer(newcomer(SHOP, 900, { walletType: 'C', level: 1 }));
  const level = async () =>
    (await call(wallet, 'customerInfo', { phoneNumber: SHOP })).body.data.accountLevel;
  return { partner, wallet, level };
}

describe('the documents of a merchant', () => {
  test('are kept by type, size and digest, each side by itself', async () => {
    const { wallet } = await shop();
    expect(await upload(wallet, form(documents('IDENTITY_CARD', 'BANK_PROOF')))).toMatchObject(YES);
    const digest = (type: string, text: string) =>
      createHash('sha256').update(contentOf(type, text)).digest('hex');
    const [PDF, JPEG] = ['application/pdf', 'image/jpeg'];
    expect(wallet.documents(SHOP)).toMatchObject({
      kept: [
        { docType: 1, side: 'front', type: PDF, bytes: 18, sha256: digest(PDF, 'IDENTITY_CARD') },
        { docType: 1, side: 'back', type: JPEG, bytes: 24, sha256: digest(JPEG, 'back of IDENTITY_CARD') },
        { docType: 5, side: 'front', type: PDF, bytes: 15, sha256: digest(PDF, 'BANK_PROOF') },
      ],
      missing: {
        company: ['STATUTES', 'COMMERCIAL_REGISTER', 'TAX_CERTIFICATE'],
        professional: ['PROFESSIONAL_CARD', 'TAX_CERTIFICATE'],
        association: ['STATUTES', 'REPRESENTATIVES'],
      },
    });
  });

  test.each<[string, DocTypeName[]]>([
    ['a company', ['IDENTITY_CARD', 'BANK_PROOF', 'STATUTES', 'COMMERCIAL_REGISTER', 'TAX_CERTIFICATE']],
    ['one with a passport', ['PASSPORT', 'BANK_PROOF', 'STATUTES', 'COMMERCIAL_REGISTER', 'TAX_CERTIFICATE']],
    ['a professional', ['IDENTITY_CARD', 'BANK_PROOF', 'PROFESSIONAL_CARD', 'TAX_CERTIFICATE']],
    ['an association', ['IDENTITY_CARD', 'BANK_PROOF', 'STATUTES', 'REPRESENTATIVES', 'MINUTES']],
  ])('of %s are complete: it is verified, and its limit goes', async (_, names) => {
    const { partner, wallet, level } = await shop();
    const order = transfer(FATIMA, SHOP, 500);
    expect(await call(wallet, 'executeTransfer', order)).toMatchObject(errorOf('recipientLimit'));
    expect(await call(wallet, 'executeMerchantPayment', order)).toMatchObject(errorOf('recipientLimit'));
    expect(await upload(wallet, form(documents(...names)))).toMatchObject(YES);
    await wallet.clock.advance(5_000);
    expect(await level()).toBe(4);
    expect(
      partner.received.map(({ data }) => [data.EventId, data.OperationId, data.PrimaryAccountNumber]),
    ).toEqual([['customer.level.updated', 0, SHOP]]);
    expect((await call(wallet, 'executeMerchantPayment', order)).status).toBe(200);
    await wallet.clock.advance(2_000);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  test('once verified, take more than any person may hold', async () => {
    wallet.addCustomer(newcomer(NOBODY, 99_999));
    const said = await call(wallet, 'executeMerchantPayment', transfer(NOBODY, CAFE, 99_000));
    expect(said.status).toBe(200);
    await wallet.clock.advance(2_000);
    expect(await balanceOf(wallet, CAFE)).toBe(101_450);
    expect(wallet.checkLedger().balanced).toBe(true);
  });

  const company: DocTypeName[] = [
    'IDENTITY_CARD',
    'BANK_PROOF',
    'STATUTES',
    'COMMERCIAL_REGISTER',
    'TAX_CERTIFICATE',
  ];
  test.each(company)('without %s they are kept, and nobody is verified', async (left) => {
    const { partner, wallet, level } = await shop();
    await upload(wallet, form(documents(...company.filter((each) => each !== left))));
    await wallet.clock.advance(60_000);
    expect([await level(), partner.received]).toEqual([1, []]);
    expect(wallet.documents(SHOP)?.missing.company).toHaveLength(1);
  });

  test('may come in several requests, and are verified once', async () => {
    const { partner, wallet, level } = await shop();
    for (const each of company) await upload(wallet, form(documents(each)));
    await upload(wallet, form(documents('MINUTES')));
    await wallet.clock.advance(5_000);
    await upload(wallet, form(documents('STATUTES')));
    await wallet.clock.advance(60_000);
    expect(await level()).toBe(4);
    expect(partner.received).toHaveLength(1);
  });

  test('are counted in any order, with gaps', async () => {
    const { wallet } = await shop();
    const body = form(documents('PASSPORT'), 7);
    for (const [name, value] of form(documents('BANK_PROOF'), 3)) body.append(name, value);
    expect(await upload(wallet, body)).toMatchObject(YES);
    expect(wallet.documents(SHOP)?.kept.map(({ docType }) => docType)).toEqual([5, 3]);
  });

  test('without a number are the partner’s own', async () => {
    expect(await upload(wallet, form(documents('STATUTES')), '')).toMatchObject(YES);
  });

  test('come through a real socket, two megabytes of them', async () => {
    const { wallet } = await shop();
    const server = await wallet.listen(0);
    onTestFinished(server.close);
    const file = scan('image/jpeg', 'x'.repeat(2_000_000 - 3));
    const said = await fetch(`${server.url}/api/customers/merchant/kyc/request?phoneNumber=%2B212655555555`, {
      method: 'POST',
      headers: { 'Svc-Api-Key': wallet.apiKey },
      body: form([{ docType: '3', docFront: file }]),
    });
    expect([said.status, await said.json()]).toEqual([200, { data: true }]);
    expect(wallet.documents(SHOP)?.kept[0]?.bytes).toBe(2_000_000);
  });
});

const one = (more: Record<string, string | File>) => form([{ docType: '3', docFront: scan(), ...more }]);
test.each<[string, FormData, ErrorName]>([
  ['no document', new FormData(), 'missingParameters'],
  ['no type', form([{ docFront: scan() }]), 'missingParameters'],
  ['no front', form([{ docType: '3' }]), 'missingParameters'],
  ['an identity card of one side', one({ docType: '1' }), 'missingParameters'],
  ['a driving licence of one side', one({ docType: '2' }), 'missingParameters'],
  ['a residence permit of one side', one({ docType: '4' }), 'missingParameters'],
  ['a type that is a word', one({ docType: 'passport' }), 'documentInvalid'],
  ['a type there is not', one({ docType: '99' }), 'documentInvalid'],
  ['a text for a front', one({ docFront: 'scan' }), 'documentInvalid'],
  ['a GIF', one({ docFront: scan('image/gif') }), 'documentInvalid'],
  ['a page of HTML', one({ docFront: scan('text/html') }), 'documentInvalid'],
  ['a file of no type', one({ docFront: scan('') }), 'documentInvalid'],
  ['an empty file', one({ docFront: holding('') }), 'documentInvalid'],
  ['a text that is called a PNG', one({ docFront: holding('hello') }), 'documentInvalid'],
  ['a PNG that is broken off', one({ docFront: holding('\x89PNG') }), 'documentInvalid'],
  ['a PDF that is called a JPEG', one({ docFront: holding('%PDF-1.4', 'image/jpeg') }), 'documentInvalid'],
  [
    'a page of HTML called a PDF',
    one({ docFront: holding('<!doctype html>', 'application/pdf') }),
    'documentInvalid',
  ],
  ['a back that is none', one({ docBack: holding('hello') }), 'documentInvalid'],
  [
    'a second one that is none',
    form([
      { docType: '3', docFront: scan() },
      { docType: '5', docFront: holding('hello') },
    ]),
    'documentInvalid',
  ],
  [
    'a file too large',
    one({ docFront: scan('image/png', 'x'.repeat(KYC_FILE_BYTES_MAX + 1)) }),
    'documentInvalid',
  ],
  ['a back that is a GIF', one({ docBack: scan('image/gif') }), 'documentInvalid'],
  [
    'a second one without a front',
    form([{ docType: '3', docFront: scan() }, { docType: '8' }]),
    'missingParameters',
  ],
])('%s is refused, and nothing is kept', async (_, body, error) => {
  const { wallet } = await shop();
  expect(await upload(wallet, body)).toMatchObject(errorOf(error));
  expect(wallet.documents(SHOP)?.kept).toEqual([]);
  expect(wallet.checkLedger().balanced).toBe(true);
});

test.each<[string, string, ErrorName]>([
  ['nobody', NOBODY, 'customerNotFound'],
  ['a person', FATIMA, 'merchantUnknown'],
  ['somebody not confirmed', OMAR_NOT_CONFIRMED, 'notConfirmed'],
  ['half a number', '+2126', 'phoneInvalid'],
])('%s has no documents to send', async (_, phone, error) => {
  expect(await upload(sandbox(), form(documents('STATUTES')), phone)).toMatchObject(errorOf(error));
});

test.each<[string, RequestInit]>([
  ['JSON', { body: '{"kycDocuments":[]}', headers: { 'content-type': 'application/json' } }],
  [
    'a form that is broken off',
    { body: '--x\r\nContent-', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  ],
  ['a form without a boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
  ['nothing', {}],
])('%s instead of a form is refused', async (_, { body = null, headers }) => {
  const said = await wallet.app.request('/api/customers/merchant/kyc/request', {
    method: 'POST',
    body,
    headers: { ...(headers as object), 'Svc-Api-Key': wallet.apiKey },
  });
  expect(said.status).toBe(400);
});

test('a request larger than all documents together is turned away', async () => {
  const said = await wallet.app.request('/api/customers/merchant/kyc/request', {
    method: 'POST',
    headers: { 'Svc-Api-Key': wallet.apiKey, 'content-length': String(KYC_REQUEST_BYTES_MAX + 1) },
    body: 'x',
  });
  expect(said.status).toBe(413);
  expect(await said.json()).toEqual({ message: `The body is longer than ${KYC_REQUEST_BYTES_MAX} bytes` });
});
