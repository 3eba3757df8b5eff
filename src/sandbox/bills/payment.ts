import type { Api } from '../../wallet/contract/api.ts';
import { ARTICLE_TYPES, BILL_CODES } from '../../wallet/contract/bills.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { type Customer, usableCustomer } from '../customers/customer.ts';
import { requireFunds } from '../ledger/amounts.ts';
import { executeOperation, type Operation, paidBy, quoted } from '../operations/operation.ts';
import { type Bill, findBill, markPaid, stateOf, takenItems } from './book.ts';
import { CURRENCY, networkResult } from './codes.ts';
import { wayOf } from './contracts.ts';
import { type Creditor, receivableOf } from './creditors.ts';
import { readForm } from './form.ts';
import { crcOf, settlementOf } from './records.ts';
import { type Account, type Article, totalOf } from './unpaid.ts';

type Order = Pick<Request<Api['executeBill']>, 'tenant' | 'query' | 'body'>;
/** A refusal of the bill network, inside HTTP 200. */
type NetworkRefusal = ReturnType<typeof networkResult>;

interface Found {
  readonly customer: Customer;
  readonly account: Account;
  readonly bill: Bill;
}

export const payment = {
  /** Open question 21: a preview result. One that cannot be paid is refused as its confirmation would be. */
  previewBill(core, request) {
    const found = find(core, request);
    if (!('bill' in found)) return found;
    const priced = price(core, request, found);
    const { creancierId, creanceId, refTxNetwork, totalPayment } = request.body;
    const operation = {
      customerPhoneNumber: request.query.phoneNumber,
      ...{ creancierId, creanceId, refTxNetwork, totalPayment },
      amount: toDecimal(priced.amount),
    };
    const totalAmount = toDecimal(centimes(priced.amount + priced.fees));
    const preview = quoted(core, OPERATION_TYPES.BILL_PAYMENT, operation, priced.fees);
    return { ...networkResult(BILL_CODES.DONE), ...preview, totalAmount };
  },

  /** A reference is paid once: to confirm it again says 301, or what it said while it is not decided yet. */
  executeBill(core, request) {
    const found = find(core, request);
    if (!('bill' in found)) return found;
    const { customer, account, bill } = found;
    const state = stateOf(bill);
    if (state === 'CONFIRME') return result(account.creditor, bill, BILL_CODES.ALREADY_PROCESSED);
    if (state === 'AUTORISE') return result(account.creditor, bill, bill.answered ?? '');
    const priced = price(core, request, found);

    const way = wayOf(core.db, bill.contract);
    const { settlesAs } = way;
    if (!settlesAs) return { ...networkResult(way.codeRetour), refTxNetwork: bill.reference };
    const struck = { ...way.struck, ...request.struck };
    const isReversed = settlesAs === STATUSES.COMPLETED && 'reversal' in struck;
    const operation = executeOperation(
      core,
      { ...request, struck },
      {
        ...paidBy(customer),
        type: OPERATION_TYPES.BILL_PAYMENT,
        amount: priced.amount,
        fees: priced.fees,
        reason: `${account.creditor.name} ${bill.contract}`,
        receiver: account.creditor.code,
        refunds: isReversed ? 1 : (way.refunds ?? 0),
        settlesAs,
      },
      // Not before the answer, which says that it is not decided yet.
      way.later ? Math.max(core.settings.settleAfterMs, 1) : 0,
    );
    const code = answerFor(operation, way.codeRetour);
    return result(account.creditor, markPaid(core, bill, operation, code, priced.items), code);
  },
} satisfies SomeHandlers;

/** The association that an order names, with its customer. The document does not show the order of these checks. */
function find(core: Core, { tenant, query, body }: Order): Found | NetworkRefusal {
  const customer = usableCustomer(core, tenant, query.phoneNumber);
  const where = receivableOf(body.creancierId, body.creanceId);
  if (!where) return networkResult(BILL_CODES.CREDITOR_UNKNOWN);
  const reading = readForm(where.receivable.form, body.creancierVals);
  if ('missing' in reading) return networkResult(BILL_CODES.FIELD_MISSING);
  if ('foreign' in reading) refuse('parameterInvalid', { detail: reading.foreign });
  const bill = findBill(core, tenant, body.refTxNetwork);
  const isOurs =
    bill?.customer === customer.id &&
    bill.creditor === body.creancierId &&
    bill.receivable === body.creanceId &&
    bill.contract === reading.contract;
  const account = { ...where, contract: reading.contract };
  return isOurs ? { customer, account, bill } : refuse('billChanged', { detail: 'refTxNetwork' });
}

/** The price of a payment. Refused if it cannot be made now. */
function price(core: Core, { tenant, body }: Order, { customer, account, bill }: Found) {
  if (bill.operation) refuse('billChanged', { detail: 'the reference has been used' });
  if (core.clock.now() >= bill.expiresAt) refuse('billExpired');
  const items = selected(bill, body.listeArticleSelectionnes);
  if (!items) refuse('billChanged', { detail: 'listeArticleSelectionnes' });
  const left = bill.items.filter((each) => !items.includes(each));
  if (body.totalPayment !== (left.length === 0)) refuse('billChanged', { detail: 'totalPayment' });
  if (left.some(({ typeArticle }) => typeArticle !== ARTICLE_TYPES.RECEIVABLE))
    refuse('billChanged', { detail: 'fees and mandatory items cannot be left out' });
  const isEither = core.settings.globalParams === 'either';
  if (!carries(body.globalParams, bill, isEither)) refuse('billChanged', { detail: 'globalParams' });
  const taken = takenItems(core, tenant, account);
  if (items.some(({ idArticle }) => taken.has(idArticle)))
    refuse('billChanged', { detail: 'paid by another reference' });
  const amount = totalOf(items);
  const fees = feesOf(account.creditor);
  requireFunds(core, customer.account, amount + fees);
  return { items, amount, fees };
}

/** One that a fault keeps open was not answered as paid. */
function answerFor({ status }: Operation, codeRetour: string): string {
  const isDecided = codeRetour === BILL_CODES.DONE || codeRetour === BILL_CODES.ALREADY_PROCESSED;
  return isDecided && status === STATUSES.OPEN ? BILL_CODES.TECHNICAL_ERROR : codeRetour;
}

/** `refReglement` and the tax receipt come once it is settled at the creditor. */
function result(creditor: Creditor, bill: Bill, codeRetour: string) {
  const settlement = settlementOf(bill);
  return {
    ...networkResult(codeRetour),
    refTxNetwork: bill.reference,
    codeAutorisation: bill.operation?.reference.slice(-6),
    refReglement: settlement,
    montantTotalTTC: toDecimal(centimes(bill.operation?.amount ?? 0)),
    codeDevise: CURRENCY,
    params: settlement ? crcOf(creditor, bill) : [],
  };
}

/** The items of the association that were chosen. Undefined where one is not of them, or has another price or type. */
function selected(bill: Bill, chosen: readonly Article[]): readonly Article[] | undefined {
  const items = chosen.map((each) =>
    bill.items.find(
      ({ idArticle, prixTTC, typeArticle }) =>
        idArticle === each.idArticle &&
        fromDecimal(prixTTC) === fromDecimal(each.prixTTC) &&
        typeArticle === each.typeArticle,
    ),
  );
  const distinct = new Set(items);
  return distinct.has(undefined) || distinct.size !== chosen.length || chosen.length === 0
    ? undefined
    : bill.items.filter((each) => distinct.has(each));
}

/** Open question 22: each parameter comes back under `valeurChamp` or `valChamp`. */
function carries(
  lines: readonly Readonly<Record<string, unknown>>[],
  { params }: Bill,
  isEither: boolean,
): boolean {
  return params.every(({ nomChamp, valeurChamp }) => {
    const back = lines.find((each) => each.nomChamp === nomChamp);
    return (
      back !== undefined && (isEither ? (back.valeurChamp ?? back.valChamp) : back.valChamp) === valeurChamp
    );
  });
}

function feesOf({ feesDirhams }: Creditor): Centimes {
  return fromDecimal(feesDirhams);
}
