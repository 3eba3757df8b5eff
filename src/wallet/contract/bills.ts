import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTimeIfAny, dateTimeOrNull, decimal, pageNumber, pageSize, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';
import { anyhow, codes, ifAny, reads } from './shown.ts';

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
  PENDING_909: '909',
  PENDING_910: '910',
} as const;
/** Partner API v2.3, "Bill transaction". */
export const BILL_STATES = {
  EN_ATTENTE: 'EN_ATTENTE',
  AUTORISE: 'AUTORISE',
  CONFIRME: 'CONFIRME',
  ANNULE: 'ANNULE',
  REMBOURSE: 'REMBOURSE',
  FAILED: 'FAILED',
} as const;
const billState = reads(z.string(), codes(BILL_STATES));
/** Partner API v2.3, "Bill-payment resources": `typeChamp` and `contrainte` of a form field. */
export const FIELD_TYPES = {
  TEXT: 'text',
  SELECT: 'select',
  PASSWORD: 'password',
  LABEL: 'libelle',
} as const;
export const FIELD_CONSTRAINTS = { OPTIONAL: '0', REQUIRED: '1' } as const;

/** Partner API v2.3, "Bill-payment resources": 0 receivable, 1 fee, 2 mandatory, 3 stamp fee. */
export const ARTICLE_TYPES = { RECEIVABLE: 0, FEE: 1, MANDATORY: 2, STAMP_FEE: 3 } as const;

/** "All codes are strings". We also read an amount or a count that comes as a string. */
const amount = reads(
  z.preprocess((value) => numeric(value), decimal),
  decimal,
);
const count = reads(
  z
    .preprocess((value) => numeric(value), z.int())
    .nullish()
    .catch(undefined),
  z.int().min(0),
);
const readCode = () =>
  z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string());
const code = reads(readCode(), z.string());
/** Partner API v2.3, "Limits". */
const creditorCode = reads(readCode(), z.string().regex(/^[1-9]\d{3}$/));
const receivableCode = reads(readCode(), z.string().regex(/^.{2}$/));
const label = ifAny(z.string());

/** Every answer of the bill network begins with these. */
const answered = { codeRetour: reads(readCode(), codes(BILL_CODES)), msg: label };

/** An answer of the network that is no success: it need not have the fields of one. */
export const billRefusal = z.object({ codeRetour: code, msg: label });

export const creditor = z.object({
  codeCreancier: creditorCode,
  nomCreancier: z.string(),
  descriptionCreancier: label,
  logoPath: label,
  siteWeb: label,
});
export const receivable = z.object({ codeCreance: receivableCode, nomCreance: z.string() });

/** `contrainte`: '0' optional, '1' required. Not shown: the place of a `select`'s options. */
export const formField = z.object({
  libelle: label,
  nomChamp: label,
  typeChamp: reads(z.string(), codes(FIELD_TYPES)),
  formatChamp: label,
  tailleMin: count,
  tailleMax: count,
  contrainte: reads(
    z.preprocess((value) => (value === undefined ? value : String(value)), z.string().nullish()),
    codes(FIELD_CONSTRAINTS),
  ),
});
export const article = z.object({
  idArticle: code,
  description: label,
  dateFacture: label,
  prixTTC: amount,
  typeArticle: reads(
    z.preprocess((value) => numeric(value), z.int()),
    codes(ARTICLE_TYPES),
  ),
});
/** Sent back exactly as it came: under `valeurChamp` or `valChamp` (open question 22). */
export const globalParam = reads(
  z.looseObject({ libelle: label, nomChamp: z.string() }),
  z.looseObject({ libelle: z.string(), nomChamp: z.string(), valeurChamp: z.string() }),
);

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
    data: z.object({ ...answered, nbreCreancier: count, listeCreanciers: ifAny(z.array(creditor)) }),
  }),
  listReceivables: endpoint('GET', '/api/bills/creances', scope, {
    envelope: false,
    query: z.object({ creancierId: text }),
    data: z.object({ ...answered, nbreCreance: count, listeCreance: ifAny(z.array(receivable)) }),
  }),
  readBillForm: endpoint('GET', '/api/bills/form', scope, {
    envelope: false,
    query: z.object({ creancierId: text, creanceId: text }),
    data: z.object({
      ...answered,
      nbreParams: count,
      creancierParams: ifAny(z.array(formField)),
      refTxNetwork: ifAny(code),
    }),
  }),
  listUnpaid: endpoint('POST', '/api/bills/impayes', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone, creancierId: text, creanceId: text }),
    body: z.object({ creancierVals: z.array(filled) }),
    data: z.object({
      ...answered,
      refTxNetwork: ifAny(code),
      codeDevise: label,
      nbreCreances: count,
      montantTotalTTC: ifAny(amount),
      globalParams: ifAny(z.array(globalParam)),
      impayesParams: ifAny(z.array(article)),
    }),
  }),
  /** Open question 21: a preview result, with the phone number in the query, at the root like its neighbours. */
  previewBill: endpoint('POST', '/api/bills/preview', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone }),
    body: billOrder,
    data: previewResult.extend({
      codeRetour: ifAny(answered.codeRetour.optional()),
      msg: ifAny(z.string().optional()),
    }),
  }),
  executeBill: endpoint('POST', '/api/bills/confirm', scope, {
    envelope: false,
    query: z.object({ phoneNumber: phone }),
    body: billOrder,
    data: z.object({
      ...answered,
      refTxNetwork: ifAny(code),
      codeAutorisation: anyhow(code),
      refReglement: anyhow(code),
      montantTotalTTC: anyhow(amount),
      codeDevise: label,
      params: anyhow(z.array(z.object({ nomChamp: z.string(), valeurChamp: label }))),
    }),
  }),
  /** 204 where no transaction matches. The field is really called `chariOperationId`. */
  readBillStatus: endpoint('GET', '/api/bills/reference/status', scope, {
    envelope: false,
    query: z.object({ reference: text }),
    data: z
      .object({
        networkReference: code,
        executed: ifAny(z.boolean()),
        status: ifAny(billState),
        created_at: dateTimeIfAny,
        amount: anyhow(amount),
        executed_at: dateTimeOrNull,
        chariOperationId: anyhow(z.int().positive().nullable()),
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
          operationId: ifAny(z.int()),
          refTxNetwork: ifAny(code),
          refReglement: ifAny(z.string().optional()),
          nomCreancier: label,
          nomCreance: label,
          amount,
          status: billState,
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
