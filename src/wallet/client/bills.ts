import type { z } from 'zod';
import type { Answer } from '../answer.ts';
import { API } from '../contract/api.ts';
import { BILL_CODES, type globalParam } from '../contract/bills.ts';
import { maskedName } from '../masked-name.ts';
import { centimes, fromDecimal, toDecimal } from '../money.ts';
import type { BillItem, BillRequest, BillValue, GlobalParam, PageWanted } from '../services.ts';
import { momentOf } from '../times.ts';
import type { BillCalls, Call, Execution, Facts } from '../wallet.ts';
import { toForm } from './bill-form.ts';
import type { Send } from './call.ts';
import { mapped, previewed, UNREADABLE, webAddress, words } from './read.ts';
import { quotable, secretsIn } from './secrets.ts';
import { needing, rows, tolerating } from './tolerant.ts';

const { DONE, ALREADY_PROCESSED, CREDITOR_UNKNOWN, NOTHING_TO_PAY, FIELD_MISSING } = BILL_CODES;
const PENDING: readonly string[] = [
  BILL_CODES.TECHNICAL_ERROR,
  BILL_CODES.PENDING_909,
  BILL_CODES.PENDING_910,
];
const REFUSALS: readonly string[] = [CREDITOR_UNKNOWN, NOTHING_TO_PAY, FIELD_MISSING];
/** Partner API v2.3, "Bill transaction": settled, or settled before. */
const SETTLED: readonly string[] = [DONE, ALREADY_PROCESSED];

const listed = API.listUnpaid.data;
/** A bill without its id, amount or type cannot be paid and is left out. */
const bill = needing(
  listed.shape.impayesParams.unwrap().unwrap().element,
  'idArticle',
  'prixTTC',
  'typeArticle',
);
const UNPAID = tolerating(
  API.listUnpaid,
  needing(
    listed.extend({ impayesParams: rows(bill).nullish() }),
    ...(['codeRetour', 'refTxNetwork', 'globalParams', 'impayesParams'] as const),
  ).transform(({ impayesParams, ...rest }) => ({
    ...rest,
    impayesParams: impayesParams?.read,
    isPartial: (impayesParams?.leftOut.length ?? 0) > 0,
  })),
);

/** Partner API v2.3, "Bill payment". */
export function billCalls(send: Send): BillCalls {
  return {
    creditors: (call) => creditors(send, call),
    receivables: (creditorId, call) => receivables(send, creditorId, call),
    billForm: (receivable, call) => billForm(send, receivable, call),
    unpaidBills: (search, call) => unpaidBills(send, search, call),
    previewBill: (order, call) => previewBill(send, order, call),
    payBill: (order, call) => payBill(send, order, call),
    billStatus: (reference, call) => billStatus(send, reference, call),
    billReceipt: (phone, operationId, call) =>
      send(API.readBillReceipt, { params: { operationId }, query: { phoneNumber: phone } }, call),
    billPayments: (phone, pages, call) => billPayments(send, phone, pages, call),
  };
}

type RequestOf<Name extends keyof BillCalls> = Parameters<BillCalls[Name]>[0];
type Answering<Name extends keyof BillCalls> = ReturnType<BillCalls[Name]>;

async function creditors(send: Send, call?: Call): Answering<'creditors'> {
  return mapped(sorted(await send(API.listCreditors, {}, call)), ({ listeCreanciers }) =>
    (listeCreanciers ?? []).map((creditor) => ({
      id: creditor.codeCreancier,
      name: creditor.nomCreancier,
      ...words('description', creditor.descriptionCreancier),
      ...words('logo', webAddress(creditor.logoPath)),
    })),
  );
}

async function receivables(send: Send, creditorId: string, call?: Call): Answering<'receivables'> {
  const answer = await send(API.listReceivables, { query: { creancierId: creditorId } }, call);
  return mapped(sorted(answer), ({ listeCreance }) =>
    (listeCreance ?? []).map(({ codeCreance, nomCreance }) => ({ id: codeCreance, name: nomCreance })),
  );
}

async function billForm(
  send: Send,
  { creditorId, receivableId }: RequestOf<'billForm'>,
  call?: Call,
): Answering<'billForm'> {
  const query = { creancierId: creditorId, creanceId: receivableId };
  return mapped(sorted(await send(API.readBillForm, { query }, call)), ({ creancierParams }) =>
    toForm(creancierParams ?? []),
  );
}

async function unpaidBills(
  send: Send,
  { from, creditorId, receivableId, values }: RequestOf<'unpaidBills'>,
  call?: Call,
): Answering<'unpaidBills'> {
  const query = { phoneNumber: from, creancierId: creditorId, creanceId: receivableId };
  const body = { creancierVals: values.map(toFilled) };
  const answer = sorted(await send(UNPAID, { query, body }, call), body);
  if (answer.kind !== 'ok') return answer;
  const { refTxNetwork, impayesParams, globalParams, isPartial } = answer.value;
  const [reference, items, params] = [refTxNetwork ?? '', impayesParams ?? [], globalParams ?? []];
  // Nothing can be paid without the network's reference.
  if (reference === '' && items.length > 0) return UNREADABLE;
  return {
    kind: 'ok',
    value: {
      reference,
      items: items.map(toItem),
      shown: params.flatMap(factsOf),
      params,
      ...(isPartial && { isPartial }),
    },
  };
}

async function previewBill(send: Send, order: BillRequest, call?: Call): Answering<'previewBill'> {
  const body = billBody(order);
  const answer = await send(API.previewBill, { query: { phoneNumber: order.from }, body }, call);
  const amount = centimes(order.items.reduce((sum, item) => sum + item.amount, 0));
  return previewed(amount, sorted(answer, body));
}

async function payBill(send: Send, order: BillRequest, call?: Call): Answering<'payBill'> {
  const body = billBody(order);
  const answer = await send(API.executeBill, { query: { phoneNumber: order.from }, body }, call);
  return mapped(sorted(answer, body, [...SETTLED, ...PENDING]), toExecution);
}

async function billStatus(send: Send, reference: string, call?: Call): Answering<'billStatus'> {
  return mapped(await send(API.readBillStatus, { query: { reference } }, call), (found) =>
    found
      ? {
          status: found.status ?? '',
          executed: found.executed ?? false,
          ...(typeof found.chariOperationId === 'number' && { operationId: found.chariOperationId }),
        }
      : undefined,
  );
}

async function billPayments(
  send: Send,
  phone: RequestOf<'billPayments'>,
  { page, pageSize }: PageWanted = {},
  call?: Call,
): Answering<'billPayments'> {
  const query = { phoneNumber: phone, pageNumber: page, pageSize };
  return mapped(await send(API.listBillPayments, { query }, call), ({ collection, count }) => ({
    entries: collection.map((payment) => ({
      ...(typeof payment.operationId === 'number' && { operationId: payment.operationId }),
      ...words('reference', payment.refTxNetwork),
      ...words('settlement', payment.refReglement),
      creditor: payment.nomCreancier ?? '',
      ...words('receivable', payment.nomCreance),
      amount: fromDecimal(payment.amount),
      status: payment.status,
      ...(payment.createdAt && { at: momentOf(payment.createdAt) }),
    })),
    count,
  }));
}

/**
 * Reads the bill network's own answer inside a 200 (v2.3, "Errors" 4). Documented refusals are refused, codes that are
 * not accepted here are unknown. An answer without a code is what its endpoint says it is (open question 21).
 */
function sorted<A extends { readonly codeRetour?: string | null | undefined; readonly msg?: unknown }>(
  answer: Answer<A>,
  body?: object,
  accepted: readonly string[] = [DONE],
): Answer<A> {
  if (answer.kind !== 'ok') return answer;
  const { codeRetour, msg } = answer.value;
  if (codeRetour === null || codeRetour === undefined || accepted.includes(codeRetour)) return answer;
  if (!REFUSALS.includes(codeRetour)) return { kind: 'unknown', why: `bill${wellFormed(codeRetour)}` };
  const description = quotable(typeof msg === 'string' ? msg : '', secretsIn(body));
  return { kind: 'refused', code: `bill${codeRetour}`, description };
}

/** The same for an answer of any operation: one without a code of the network is left as it is. */
export function sortedBill<T>(path: string, answer: Answer<T>, body?: object): Answer<T> {
  if (!path.startsWith('/api/bills/') || answer.kind !== 'ok') return answer;
  const isConfirm = path === API.executeBill.path;
  const read = answer as Answer<T & { readonly codeRetour?: string }>;
  return sorted(read, body, isConfirm ? [...SETTLED, ...PENDING] : [DONE]);
}

/** A code that goes into a log. A text that is not three digits may be a person's words and stays out of it. */
function wellFormed(code: string): string {
  return /^\d{3}$/.test(code) ? code : 'Unreadable';
}

function billBody(order: BillRequest) {
  return {
    creancierId: order.creditorId,
    creanceId: order.receivableId,
    refTxNetwork: order.reference,
    totalPayment: order.all,
    listeArticleSelectionnes: order.items.map(fromItem),
    creancierVals: order.values.map(toFilled),
    globalParams: order.params as readonly z.input<typeof globalParam>[] as z.input<typeof globalParam>[],
  };
}

function toFilled({ name, value }: BillValue) {
  return { nomChamp: name, valChamp: value };
}

function toItem(of: z.output<typeof bill>): BillItem {
  return {
    id: of.idArticle,
    description: of.description ?? '',
    date: of.dateFacture ?? '',
    amount: fromDecimal(of.prixTTC),
    type: of.typeArticle,
  };
}

function fromItem({ id, description, date, amount, type }: BillItem) {
  return {
    idArticle: id,
    prixTTC: toDecimal(amount),
    typeArticle: type,
    dateFacture: date,
    description,
  };
}

/**
 * Parameters without a label are technical and never shown. Their value has two names (open question 22). Anybody can type a number of a contract, so
 * its holder's name is masked. Their address and ways to reach them are left out, as far as the label tells it.
 */
function factsOf(param: GlobalParam): { label: string; value: string }[] {
  const [label = '', given = ''] = [param.libelle, param.valeurChamp ?? param.valChamp].map(textOf);
  const plain = label.normalize('NFD').replace(/\p{M}/gu, '');
  if (WHERE_THEY_ARE.test(plain)) return [];
  const value = IS_NAME.test(plain) ? maskedName(given) : given;
  return label && value ? [{ label, value }] : [];
}

const IS_NAME = /\b(?:nom|prenom|titulaire|abonne|proprietaire)\b/i;
const WHERE_THEY_ARE = /\b(?:adresse|ville|e-?mail|telephone|gsm)\b/i;

function textOf(said: unknown): string {
  return typeof said === 'string' || typeof said === 'number' ? String(said).trim() : '';
}

/** 908, 909 and 910 are no failure: the payment is AUTORISE, and the webhook says how it ends (open question 23). */
function toExecution(result: z.output<typeof API.executeBill.data>): Execution {
  const param = (name: string) => result.params?.find(({ nomChamp }) => nomChamp === name)?.valeurChamp;
  const facts: Facts = {
    ...words('settlement', result.refReglement),
    ...words('authorisation', result.codeAutorisation),
    ...words('stampNumber', param('numCRC')),
    ...words('stampText', param('texteCRC')),
  };
  return {
    ...(SETTLED.includes(result.codeRetour) && { isFinal: true }),
    ...(Object.keys(facts).length > 0 && { facts }),
  };
}
