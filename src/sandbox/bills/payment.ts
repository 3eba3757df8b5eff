import type { Api } from '../../wallet/contract/api.ts';
import { ARTICLE_TYPES, BILL_CODES } from '../../wallet/contract/bills.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import type { Operation, Operations } from '../operations/operation.ts';
import { type Bill, type Book, stateOf } from './book.ts';
import { CURRENCY, said } from './codes.ts';
import { type Creditor, receivableOf } from './creditors.ts';
import { readForm } from './form.ts';
import { wayOf } from './magic.ts';
import { crcOf, settlementOf } from './records.ts';
import { type Account, type Article, totalOf } from './unpaid.ts';

type Order = Pick<Request<Api['executeBill']>, 'tenant' | 'query' | 'body'>;
/** A refusal of the bill network, inside HTTP 200. */
type Said = ReturnType<typeof said>;

interface Found {
  readonly customer: Customer;
  readonly account: Account;
  readonly bill: Bill;
}
interface Priced {
  readonly items: readonly Article[];
  readonly amount: Centimes;
  readonly fees: Centimes;
}

/** Preview and confirmation of a bill payment. */
export function payment(
  { ledger, clock, settings }: Core,
  customers: Customers,
  operations: Operations,
  book: Book,
): Handlers<'previewBill' | 'executeBill'> {
  /** Whose association it is. What the document does not show is the order of these checks. */
  function find({ tenant, query, body }: Order): Found | Said | Refusal {
    const customer = customers.usable(tenant, query.phoneNumber);
    if (isRefusal(customer)) return customer;
    const where = receivableOf(body.creancierId, body.creanceId);
    if (!where) return said(BILL_CODES.CREDITOR_UNKNOWN);
    const reading = readForm(where.receivable.form, body.creancierVals);
    if ('missing' in reading) return said(BILL_CODES.FIELD_MISSING);
    if ('foreign' in reading) return refuse('parameterInvalid', { detail: reading.foreign });
    const bill = book.find(tenant.id, body.refTxNetwork);
    const isOurs =
      bill?.customer === customer.id &&
      bill.creditor === body.creancierId &&
      bill.receivable === body.creanceId &&
      bill.contract === reading.contract;
    const account = { ...where, contract: reading.contract };
    return isOurs ? { customer, account, bill } : refuse('billChanged', { detail: 'refTxNetwork' });
  }

  /** What it costs, if it can be paid as it stands. */
  function price({ tenant, body }: Order, { customer, account, bill }: Found): Priced | Refusal {
    if (bill.operation) return refuse('billChanged', { detail: 'the reference has been used' });
    if (clock.now() >= bill.expiresAt) return refuse('billExpired');
    const items = selected(bill, body.listeArticleSelectionnes);
    if (!items) return refuse('billChanged', { detail: 'listeArticleSelectionnes' });
    const left = bill.items.filter((each) => !items.includes(each));
    if (body.totalPayment !== (left.length === 0)) return refuse('billChanged', { detail: 'totalPayment' });
    if (left.some(({ typeArticle }) => typeArticle !== ARTICLE_TYPES.RECEIVABLE))
      return refuse('billChanged', { detail: 'fees and mandatory items cannot be left out' });
    if (!carries(body.globalParams, bill)) return refuse('billChanged', { detail: 'globalParams' });
    const taken = book.taken(tenant.id, account);
    if (items.some(({ idArticle }) => taken.has(idArticle)))
      return refuse('billChanged', { detail: 'paid by another reference' });
    const amount = totalOf(items);
    const fees = feesOf(account.creditor);
    if (ledger.balance(customer.account) < amount + fees) return refuse('insufficientFunds');
    return { items, amount, fees };
  }

  return {
    /** Open question 21: a preview result. One that cannot be paid is refused as its confirmation would be. */
    previewBill(request) {
      const found = find(request);
      if (!('bill' in found)) return found;
      const priced = price(request, found);
      if (isRefusal(priced)) return priced;
      const { creancierId, creanceId, refTxNetwork, totalPayment } = request.body;
      return {
        ...said(BILL_CODES.DONE),
        type: OPERATION_TYPES.BILL_PAYMENT,
        operation: {
          customerPhoneNumber: request.query.phoneNumber,
          creancierId,
          creanceId,
          refTxNetwork,
          totalPayment,
          amount: toDecimal(priced.amount),
        },
        feesAmount: toDecimal(priced.fees),
        totalAmount: toDecimal(centimes(priced.amount + priced.fees)),
        checkedAt: new Date(clock.now()).toISOString(),
        openLoop: false,
      };
    },

    /** A reference is paid once: to confirm it again says 301, or what it said while it is not decided yet. */
    executeBill(request) {
      const found = find(request);
      if (!('bill' in found)) return found;
      const { customer, account, bill } = found;
      const state = stateOf(bill);
      if (state === 'CONFIRME') return result(account.creditor, bill, BILL_CODES.ALREADY_PROCESSED);
      if (state === 'AUTORISE') return result(account.creditor, bill, bill.answered ?? '');
      const priced = price(request, found);
      if (isRefusal(priced)) return priced;

      const way = wayOf(bill.contract);
      const { settlesAs } = way;
      if (!settlesAs) return { ...said(way.codeRetour), refTxNetwork: bill.reference };
      const { tenant, requestId } = request;
      const struck = { ...way.struck, ...request.struck };
      const isReversed = settlesAs === STATUSES.COMPLETED && 'reversal' in struck;
      const operation = operations.execute(
        {
          tenant: tenant.id,
          type: OPERATION_TYPES.BILL_PAYMENT,
          amount: priced.amount,
          fees: priced.fees,
          reason: `${account.creditor.name} ${bill.contract}`,
          payer: customer.account,
          senderId: customer.id,
          sender: customer.phone,
          receiverId: null,
          receiver: account.creditor.code,
          openLoop: 0,
          refunds: isReversed ? 1 : (way.refunds ?? 0),
          requestId,
          settlesAs,
        },
        struck,
        // Not before the answer, which says that it is not decided yet.
        way.later ? Math.max(settings.settleAfterMs, 1) : 0,
      );
      const code = answerFor(operation, way.codeRetour);
      return result(account.creditor, book.pay(bill, operation, code, priced.items), code);
    },
  };

  /** One that a fault keeps open was not answered as paid. */
  function answerFor({ status }: Operation, codeRetour: string): string {
    const isDecided = codeRetour === BILL_CODES.DONE || codeRetour === BILL_CODES.ALREADY_PROCESSED;
    return isDecided && status === STATUSES.OPEN ? BILL_CODES.TECHNICAL_ERROR : codeRetour;
  }
}

/** `refReglement` and the tax receipt come once it is settled at the creditor. */
function result(creditor: Creditor, bill: Bill, codeRetour: string) {
  const settlement = settlementOf(bill);
  return {
    ...said(codeRetour),
    refTxNetwork: bill.reference,
    codeAutorisation: bill.operation?.reference.slice(-6),
    refReglement: settlement,
    montantTotalTTC: toDecimal(centimes(bill.operation?.amount ?? 0)),
    codeDevise: CURRENCY,
    params: settlement ? crcOf(creditor, bill) : [],
  };
}

/** The items of the association that were chosen; undefined where one is not of them, or has another price or type. */
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
function carries(given: readonly Readonly<Record<string, unknown>>[], { params }: Bill): boolean {
  return params.every(({ nomChamp, valeurChamp }) => {
    const back = given.find((each) => each.nomChamp === nomChamp);
    return back !== undefined && (back.valeurChamp ?? back.valChamp) === valeurChamp;
  });
}

function feesOf({ feesDirhams }: Creditor): Centimes {
  return fromDecimal(feesDirhams);
}
