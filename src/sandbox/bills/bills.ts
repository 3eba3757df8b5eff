import { BILL_CODES } from '../../wallet/contract/bills.ts';
import { toDecimal } from '../../wallet/money.ts';
import { type Core, type Handlers, isRefusal, refuse, type Tenant } from '../core/core.ts';
import { settingsOf } from '../core/settings.ts';
import type { Customers } from '../customers/customer.ts';
import type { Operations } from '../operations/operation.ts';
import { createBook } from './book.ts';
import { CURRENCY, said } from './codes.ts';
import { CREDITORS, creditorOf, receivableOf } from './creditors.ts';
import { readForm } from './form.ts';
import { magicOf } from './magic.ts';
import { payment } from './payment.ts';
import { records } from './records.ts';
import { articlesOf, paramsOf, totalOf } from './unpaid.ts';

/** Partner API v2.3, "Bill payment": from the creditors to the receipt. */
export function bills(core: Core, customers: Customers, operations: Operations) {
  const book = createBook(core);
  return {
    ...search(core, customers, book),
    ...payment(core, customers, operations, book),
    ...records(customers, book),
  };
}

/** What leads to the unpaid bills. A network that is down says so to every question but a payment. */
function search(
  { random, clock, settings }: Core,
  customers: Customers,
  book: ReturnType<typeof createBook>,
): Handlers<'listCreditors' | 'listReceivables' | 'readBillForm' | 'listUnpaid'> {
  const isDown = ({ id }: Tenant) => settingsOf(settings, id).billNetwork === 'down';

  return {
    listCreditors({ tenant }) {
      if (isDown(tenant)) return said(BILL_CODES.TECHNICAL_ERROR);
      const listeCreanciers = CREDITORS.map(({ code, name, description, site }) => ({
        codeCreancier: code,
        nomCreancier: name,
        descriptionCreancier: description,
        logoPath: `/logos/${code}.svg`,
        siteWeb: site,
      }));
      return { ...said(BILL_CODES.DONE), nbreCreancier: listeCreanciers.length, listeCreanciers };
    },

    listReceivables({ tenant, query }) {
      if (isDown(tenant)) return said(BILL_CODES.TECHNICAL_ERROR);
      const creditor = creditorOf(query.creancierId);
      if (!creditor) return said(BILL_CODES.CREDITOR_UNKNOWN);
      const listeCreance = creditor.receivables.map(({ code, name }) => ({
        codeCreance: code,
        nomCreance: name,
      }));
      return { ...said(BILL_CODES.DONE), nbreCreance: listeCreance.length, listeCreance };
    },

    readBillForm({ tenant, query }) {
      if (isDown(tenant)) return said(BILL_CODES.TECHNICAL_ERROR);
      const form = receivableOf(query.creancierId, query.creanceId)?.receivable.form;
      if (!form) return said(BILL_CODES.CREDITOR_UNKNOWN);
      // '1' says that the search for unpaid bills comes next.
      return {
        ...said(BILL_CODES.DONE),
        nbreParams: form.length,
        creancierParams: [...form],
        refTxNetwork: '1',
      };
    },

    /** Makes an association: EN_ATTENTE, for this customer, contract and items. */
    listUnpaid({ tenant, query, body }) {
      const customer = customers.get(tenant, query.phoneNumber);
      if (isRefusal(customer)) return customer;
      if (isDown(tenant)) return said(BILL_CODES.TECHNICAL_ERROR);
      const where = receivableOf(query.creancierId, query.creanceId);
      if (!where) return said(BILL_CODES.CREDITOR_UNKNOWN);
      const reading = readForm(where.receivable.form, body.creancierVals);
      if ('missing' in reading) return said(BILL_CODES.FIELD_MISSING);
      if ('foreign' in reading) return refuse('parameterInvalid', { detail: reading.foreign });
      const account = { ...where, contract: reading.contract };
      const magic = magicOf(account.contract)?.unpaid;
      if (magic) return said(magic);

      const taken = book.taken(tenant.id, account);
      const items = articlesOf(random, account, clock.now()).filter(({ idArticle }) => !taken.has(idArticle));
      if (items.length === 0) return said(BILL_CODES.NOTHING_TO_PAY);
      const params = paramsOf(random, account);
      return {
        ...said(BILL_CODES.DONE),
        refTxNetwork: book.associate(tenant.id, customer.id, account, { items, params }),
        codeDevise: CURRENCY,
        nbreCreances: items.length,
        montantTotalTTC: toDecimal(totalOf(items)),
        globalParams: [...params],
        impayesParams: [...items],
      };
    },
  };
}
