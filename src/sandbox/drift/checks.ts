/** The kind of a documented value. `?` at the end: it may be absent or null. */
export type Kind =
  | 'int'
  | 'decimal'
  | 'text'
  | 'bool'
  | 'date'
  | 'phone'
  | 'rib'
  | 'object'
  | `/${string}/`
  | `${number}-${number}`;
export type Documented = Kind | `${Kind}?` | Shape | readonly [Shape];
export interface Shape {
  readonly [field: string]: Documented;
}

/** Values that later checks need, by their names. */
export type Known = Readonly<Record<string, string>>;

/** A request, and what v2.3 says of its answer. */
export interface Check {
  readonly name: string;
  readonly method?: 'POST';
  /** `{name}` is a value of the people who run it, or of an answer before. A check without its value is left out. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly key?: 'none' | 'wrong';
  readonly statuses: readonly number[];
  /** Absent: at the root. */
  readonly envelope?: true;
  readonly answer?: Documented;
  /** Of a business error. */
  readonly errorCode?: number;
  /** Keeps the value at a place of the answer. */
  readonly keeps?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Changes something at the partner. */
  readonly writes?: true;
}

const CODE_RETOUR = { codeRetour: 'text', msg: 'text' } as const;
const OPERATION: Shape = {
  operationId: 'int',
  transactionId: 'int',
  transactionReference: 'text',
  amount: 'decimal',
  operationType: 'int',
  transactionDate: 'date',
  sens: '1-2',
  transactionStatus: '1-4',
  feesAmount: 'decimal',
  totalAmount: 'decimal',
  sender: 'text',
  receiver: 'text',
};
const list = (item: Shape): Shape => ({ collection: [item], count: 'int' });
const read = (name: string, path: string, answer: Documented, more: Partial<Check> = {}): Check => ({
  ...{ name, path, statuses: [200], envelope: true, answer },
  ...more,
});
const refused = (name: string, path: string, errorCode: number): Check => ({
  ...{ name, path, statuses: [400], errorCode },
});
const BALANCE = '/api/customers/balance?phoneNumber={phone}';

/** Every check, in an order in which each finds what it needs. Sources: Partner API v2.3, the section of each path. */
export const CHECKS: readonly Check[] = [
  { name: 'no key', path: BALANCE, key: 'none', statuses: [401] },
  { name: 'a wrong key', path: BALANCE, key: 'wrong', statuses: [401] },
  refused('a missing parameter', '/api/customers/balance', 10001),
  refused('the balance of nobody', '/api/customers/balance?phoneNumber={nobody}', 20005),
  read('status', '/api/customers/status?PhoneNumber={phone}', { status: '0-5', message: 'text' }),
  read('default wallet', '/api/customers/default?phoneNumber={phone}', 'bool'),
  read('balance', BALANCE, { balance: 'decimal' }),
  read('profile', '/api/customers/info?phoneNumber={phone}', {
    id: 'int',
    fullName: 'text',
    firstName: 'text',
    lastName: 'text',
    phoneNumber: 'phone',
    balance: 'decimal',
    accountType: 'int',
    rib: 'rib',
    accountLevel: '1-4',
    customerStatus: '0-5',
    partnerId: 'int',
  }),
  read('operations', '/api/operations?PhoneNumber={phone}&PageSize=5', list(OPERATION), {
    keeps: { operation: ['data', 'collection', 0, 'operationId'] },
  }),
  read('an operation', '/api/operations/{operation}?PhoneNumber={phone}', OPERATION),
  read('operations of all', '/api/operations/all?pageSize=5', list(OPERATION), { statuses: [200, 403] }),
  read(
    'beneficiaries',
    '/api/customer/beneficiaries?PhoneNumber={phone}',
    list({ name: 'text', phoneNumber: 'phone?', rib: 'rib?', email: 'text?' }),
  ),
  read(
    'saved cards',
    '/api/customers/tokenized/cards?PhoneNumber={phone}',
    list({ customerBankCardId: 'int', maskedPan: 'text', issuer: 'text', scheme: 'text', cardName: 'text?' }),
  ),
  read('card programmes', '/api/cards/programs', list({}), { statuses: [200, 403, 404] }),
  read('issued cards', '/api/cards?pageSize=5', list({}), { statuses: [200, 403, 404] }),
  {
    name: 'creditors',
    path: '/api/bills/creanciers',
    statuses: [200, 404],
    answer: {
      ...CODE_RETOUR,
      nbreCreancier: 'int',
      listeCreanciers: [
        {
          codeCreancier: '/^[1-9]\\d{3}$/',
          nomCreancier: 'text',
          descriptionCreancier: 'text?',
          logoPath: 'text?',
          siteWeb: 'text?',
        },
      ],
    },
    keeps: { creditor: ['listeCreanciers', 0, 'codeCreancier'] },
  },
  {
    name: 'receivables',
    path: '/api/bills/creances?creancierId={creditor}',
    statuses: [200],
    answer: {
      ...CODE_RETOUR,
      nbreCreance: 'int',
      listeCreance: [{ codeCreance: '/^.{2}$/', nomCreance: 'text' }],
    },
    keeps: { receivable: ['listeCreance', 0, 'codeCreance'] },
  },
  {
    name: 'a bill form',
    path: '/api/bills/form?creancierId={creditor}&creanceId={receivable}',
    statuses: [200],
    answer: {
      ...CODE_RETOUR,
      nbreParams: 'int',
      refTxNetwork: 'text',
      creancierParams: [
        {
          libelle: 'text',
          nomChamp: 'text',
          typeChamp: '/^(text|select|password|libelle)$/',
          formatChamp: 'text?',
          tailleMin: 'int?',
          tailleMax: 'int?',
          contrainte: '/^[01]$/',
        },
      ],
    },
  },
  {
    name: 'a creditor there is not',
    path: '/api/bills/creances?creancierId=9999',
    statuses: [200, 404],
    answer: { codeRetour: '/^104$/', msg: 'text' },
  },
  {
    name: 'a bill there is not',
    path: '/api/bills/reference/status?reference=000000000000',
    statuses: [204, 404],
  },
  read(
    'voucher brands',
    '/api/vouchers/brands?phoneNumber={phone}&take=3',
    list({ id: 'int', name: 'text', description: 'text?', image: 'text?', expirationDelay: 'int?' }),
    { statuses: [200, 204], keeps: { brand: ['data', 'collection', 0, 'id'] } },
  ),
  read(
    'voucher articles',
    '/api/vouchers/articles?phoneNumber={phone}&brandId={brand}&take=3',
    list({
      providerSkuId: 'text',
      productName: 'text',
      imageUrl: 'text?',
      price: 'decimal',
      description: 'text?',
      providerId: 'int',
      brandId: 'int',
    }),
  ),
  read('top-ups', '/api/operations/service/telco/recharge?phoneNumber={phone}&pageSize=3', [
    {
      telcoRechargeOperationId: 'int',
      customerId: 'int',
      createdAt: 'date',
      completedAt: 'date?',
      operatorId: '1-3',
      amount: 'decimal',
      product: 'text?',
      type: 'int?',
      status: '0-4',
      destinationPhoneNumber: 'phone',
    },
  ]),
  {
    name: 'preview of a transfer',
    method: 'POST',
    path: '/api/operations/transfer/preview',
    body: { CustomerPhoneNumber: '{phone}', RecipientPhoneNumber: '{recipient}', Amount: 1, Reason: 'drift' },
    ...{ statuses: [200], envelope: true, writes: true },
    answer: {
      type: '/^3$/',
      operation: 'object',
      feesAmount: 'decimal',
      totalAmount: 'decimal?',
      checkedAt: 'date',
      openLoop: 'bool',
    },
  },
  {
    name: 'a transfer of 1 DH',
    method: 'POST',
    path: '/api/operations/transfer',
    body: { CustomerPhoneNumber: '{phone}', RecipientPhoneNumber: '{recipient}', Amount: 1, Reason: 'drift' },
    ...{ statuses: [200], envelope: true, writes: true },
  },
];
