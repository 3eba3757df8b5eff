import type { ApiName } from '../../wallet/contract/api.ts';

/** Values that later checks need, by their names. */
export type Known = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

/** A call of an operation. The contract says what v2.3 promises of its answer. */
export interface Check {
  readonly name: string;
  readonly call: ApiName;
  /** `{name}` is a value of the people who run it, or of an answer before. A check without its value is left out. */
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  readonly key?: 'none' | 'wrong';
  /** 200 if it is absent. Only the content of a 200 is judged. */
  readonly statuses?: readonly number[];
  /** Of a business error, which is then a 400. */
  readonly errorCode?: number;
  /** Of a refusal by the bill network. */
  readonly codeRetour?: string;
  /** Keeps the value at a place of the answer. */
  readonly keeps?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Changes something at the partner. */
  readonly writes?: true;
}

const phoneNumber = '{phone}';
const PhoneNumber = '{phone}';
const OPTIONAL = [200, 403, 404] as const;
const order = {
  CustomerPhoneNumber: '{phone}',
  RecipientPhoneNumber: '{recipient}',
  Amount: 1,
  Reason: 'drift',
};
const read = (name: string, call: ApiName, query: Fields = {}, more: Partial<Check> = {}): Check => ({
  ...{ name, call, query },
  ...more,
});

/** Every check, in an order in which each finds what it needs. */
export const CHECKS: readonly Check[] = [
  read('no key', 'customerBalance', { phoneNumber }, { key: 'none', statuses: [401] }),
  read('a wrong key', 'customerBalance', { phoneNumber }, { key: 'wrong', statuses: [401] }),
  read('a missing parameter', 'customerBalance', {}, { errorCode: 10001 }),
  read('the balance of nobody', 'customerBalance', { phoneNumber: '{nobody}' }, { errorCode: 20005 }),
  read('status', 'customerStatus', { PhoneNumber }),
  read('default wallet', 'customerDefault', { phoneNumber }),
  read('balance', 'customerBalance', { phoneNumber }),
  read('profile', 'customerInfo', { phoneNumber }),
  read(...(['operations', 'listOperations', { PhoneNumber, PageSize: 5 }] as const), {
    keeps: { operation: ['data', 'collection', 0, 'operationId'] },
  }),
  read('an operation', 'readOperation', { PhoneNumber }, { params: { id: '{operation}' } }),
  read('operations of all', 'listAllOperations', { pageSize: 5 }, { statuses: [200, 403] }),
  read('beneficiaries', 'listBeneficiaries', { PhoneNumber }),
  read('saved cards', 'listCustomerCards', { PhoneNumber }),
  read('card programmes', 'listCardPrograms', {}, { statuses: OPTIONAL }),
  read('issued cards', 'listCards', { pageSize: 5 }, { statuses: OPTIONAL }),
  read(...(['creditors', 'listCreditors', {}] as const), {
    statuses: [200, 404],
    keeps: { creditor: ['listeCreanciers', 0, 'codeCreancier'] },
  }),
  read(...(['receivables', 'listReceivables', { creancierId: '{creditor}' }] as const), {
    keeps: { receivable: ['listeCreance', 0, 'codeCreance'] },
  }),
  read('a bill form', 'readBillForm', { creancierId: '{creditor}', creanceId: '{receivable}' }),
  read(...(['a creditor there is not', 'listReceivables', { creancierId: '9999' }] as const), {
    statuses: [200, 404],
    codeRetour: '104',
  }),
  read('a bill there is not', 'readBillStatus', { reference: '0'.repeat(12) }, { statuses: [204, 404] }),
  read(...(['voucher brands', 'listBrands', { phoneNumber, take: 3 }] as const), {
    statuses: [200, 204],
    keeps: { brand: ['data', 'collection', 0, 'id'] },
  }),
  read('voucher articles', 'listArticles', { phoneNumber, brandId: '{brand}', take: 3 }),
  read('top-ups', 'listTopUps', { phoneNumber, pageSize: 3 }),
  read('preview of a transfer', 'previewTransfer', {}, { body: order, writes: true }),
  read('a transfer of 1 DH', 'executeTransfer', {}, { body: order, writes: true }),
];
