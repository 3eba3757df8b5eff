import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTimeIfAny, decimal, pageNumber, pageSize, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:bills';

/** Partner API v2.3, "Errors" 4: the codes of the bill network. */
export const BILL_CODES = {
  DONE: '000',
  CREDITOR_UNKNOWN: '104',
  NOTHING_TO_PAY: '107',
  FIELD_MISSING: '109',
  ALREADY_PROCESSED: '301',
  TECHNICAL_ERROR: '908',
  PENDING: ['908', '909', '910'],
} as const;

/** Partner API v2.3, "Bill-payment resources": 0 receivable, 1 fee, 2 mandatory, 3 stamp fee. */
export const ARTICLE_TYPES = { RECEIVABLE: 0, FEE: 1, MANDATORY: 2, STAMP_FEE: 3 } as const;

/** "All codes are strings". We also read an amount or a count that comes as a string. */
const amount = z.preprocess((value) => numeric(value), decimal);
const count = z
  .preprocess((value) => numeric(value), z.int())
  .nullish()
  .catch(undefined);
const code = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string());
const label = z.string().nullish();

/** Every answer of the bill network begins with these. */
const answered = { codeRetour: code, msg: label };

export const creditor = z.object({
  codeCreancier: code,
  nomCreancier: z.string(),
  descriptionCreancier: label,
  logoPath: label,
  siteWeb: label,
});
export const receivable = z.object({ codeCreance: code, nomCreance: z.string() });

/**
 * `contrainte`: '0' optional, '1' required. The place of a `select`'s options is not shown, see
 * `docs/api-open-questions.md`.
 */
export const formField = z.object({
  libelle: label,
  nomChamp: label,
  typeChamp: z.string(),
  formatChamp: label,
  tailleMin: count,
  tailleMax: count,
  contrainte: z.preprocess((value) => (value === undefined ? value : String(value)), label),
});
export const article = z.object({
  idArticle: code,
  description: label,
  dateFacture: label,
  prixTTC: amount,
  typeArticle: z.preprocess((value) => numeric(value), z.int()),
});
/** Sent back exactly as it came: under `valeurChamp` or `valChamp` (open question 22). */
export const globalParam = z.looseObject({ libelle: label, nomChamp: z.string() });

/** The customer's entry. The body says `valChamp` where answers say `valeurChamp`. */
const filled = z.object({ nomChamp: text, valChamp: z.string() });

/** Preview and confirm take the same body. */
const billOrder = z.object({
  creancierId: text,
  creanceId: text,
  refTxNetwork: text,
  totalPayment: z.boolean(),
  listeArticleSelectionnes: z.array(article),
  creancierVals: z.array(filled),
  globalParams: z.array(globalParam),
});

/** Partner API v2.3, "Bill payment": answers are at the root, without an envelope. */
export const bills = {
  listCreditors: endpoint('GET', '/api/bills/creanciers', scope, {
    envelope: false,
    data: z.object({ ...answered, nbreCreancier: count, listeCreanciers: z.array(creditor).nullish() }),
  }),
  listReceivables: endpoint('GET', '/api/bills/creances', scope, {
    envelope: false,
    query: z.object({ creancierId: text }),
    data: z.object({ ...answered, nbreCreance: count, listeCreance: z.array(receivable).nullish() }),
  }),
  readBillForm: endpoint('GET', '/api/bills/form', scope, {
    envelope: false,
    query: z.object({ creancierId: text, creanceId: text }),
    data: z.object({
      ...answered,
      nbreParams: count,
      creancierParams: z.array(formField).nullish(),
      refTxNetwork: code.nullish(),
    }),
  }),
  listUnpaid: endpoint('POST', '/api/bills/impayes', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone, creancierId: text, creanceId: text }),
    body: z.object({ creancierVals: z.array(filled) }),
    data: z.object({
      ...answered,
      refTxNetwork: code.nullish(),
      codeDevise: label,
      nbreCreances: count,
      montantTotalTTC: amount.nullish(),
      globalParams: z.array(globalParam).nullish(),
      impayesParams: z.array(article).nullish(),
    }),
  }),
  /** Open question 21: a preview result, with the phone number in the query, at the root like its neighbours. */
  previewBill: endpoint('POST', '/api/bills/preview', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone }),
    body: billOrder,
    data: previewResult.extend({ codeRetour: code.nullish(), msg: label }),
  }),
  executeBill: endpoint('POST', '/api/bills/confirm', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone }),
    body: billOrder,
    data: z.object({
      ...answered,
      refTxNetwork: code.nullish(),
      codeAutorisation: code.nullish().catch(undefined),
      refReglement: code.nullish().catch(undefined),
      montantTotalTTC: amount.nullish().catch(undefined),
      codeDevise: label,
      params: z
        .array(z.object({ nomChamp: z.string(), valeurChamp: label }))
        .nullish()
        .catch(undefined),
    }),
  }),
  /** 204 where no transaction matches. The field is really called `chariOperationId`. */
  readBillStatus: endpoint('GET', '/api/bills/reference/status', scope, {
    envelope: false,
    query: z.object({ reference: text }),
    data: z
      .object({
        networkReference: code,
        executed: z.boolean().nullish(),
        status: z.string().nullish(),
        created_at: dateTimeIfAny,
        amount: amount.nullish().catch(undefined),
        executed_at: dateTimeIfAny,
        chariOperationId: z.int().positive().nullish().catch(undefined),
      })
      .nullable(),
    none: null,
  }),
  /** A file, not JSON. */
  readBillReceipt: endpoint('GET', '/api/bills/bill-receipt/{operationId}', scope, {
    envelope: false,
    binary: true,
    params: z.object({ operationId: z.int() }),
    query: z.object({ phoneNumber: phone }),
    data: z.object({ type: z.string(), bytes: z.instanceof(Uint8Array) }),
  }),
  /** Its parameters and the shape of its answer are not shown. */
  listBillPayments: endpoint('GET', '/api/bills/history', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone, pageNumber, pageSize }),
    data: z.object({
      collection: z.array(
        z.object({
          operationId: z.int().nullish(),
          refTxNetwork: code.nullish(),
          refReglement: label,
          nomCreancier: label,
          nomCreance: label,
          amount,
          status: z.string(),
          createdAt: dateTimeIfAny,
        }),
      ),
      count: z.int().min(0),
    }),
    none: { collection: [], count: 0 },
  }),
};

function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,10}([.,]\d+)?$/.test(value.trim())
    ? Number(value.trim().replace(',', '.'))
    : value;
}
