import { BILL_CODES } from '../../wallet/contract/bills.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { Core, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer } from '../customers/customer.ts';
import { associate, takenItems } from './book.ts';
import { CREDITORS } from './catalog.ts';
import { CURRENCY, networkResult } from './codes.ts';
import { contractOf, forcedBy } from './contracts.ts';
import { creditorOf, receivableOf } from './creditors.ts';
import { readForm } from './form.ts';
import { payment } from './payment.ts';
import { records } from './records.ts';
import { articlesOf, paramsOf, totalOf } from './unpaid.ts';

/** The calls that lead to the unpaid bills. A network that is down says so to every question but a payment. */
const search = {
  listCreditors(core) {
    if (isDown(core)) return networkResult(BILL_CODES.TECHNICAL_ERROR);
    const listeCreanciers = CREDITORS.map(({ code, name, description, site }) => ({
      codeCreancier: code,
      nomCreancier: name,
      descriptionCreancier: description,
      logoPath: `/logos/${code}.svg`,
      siteWeb: site,
    }));
    return { ...networkResult(BILL_CODES.DONE), nbreCreancier: listeCreanciers.length, listeCreanciers };
  },

  listReceivables(core, { query }) {
    if (isDown(core)) return networkResult(BILL_CODES.TECHNICAL_ERROR);
    const creditor = creditorOf(query.creancierId);
    if (!creditor) return networkResult(BILL_CODES.CREDITOR_UNKNOWN);
    const listeCreance = creditor.receivables.map(({ code, name }) => ({
      codeCreance: code,
      nomCreance: name,
    }));
    return { ...networkResult(BILL_CODES.DONE), nbreCreance: listeCreance.length, listeCreance };
  },

  readBillForm(core, { query }) {
    if (isDown(core)) return networkResult(BILL_CODES.TECHNICAL_ERROR);
    const form = receivableOf(query.creancierId, query.creanceId)?.receivable.form;
    if (!form) return networkResult(BILL_CODES.CREDITOR_UNKNOWN);
    const isSilent = core.settings.formatChamp === 'empty';
    // '1' says that the search for unpaid bills comes next.
    return {
      ...networkResult(BILL_CODES.DONE),
      nbreParams: form.length,
      creancierParams: form.map((field) => (isSilent ? { ...field, formatChamp: '' } : field)),
      refTxNetwork: '1',
    };
  },

  /** Makes an association: EN_ATTENTE, for this customer, contract and items. */
  listUnpaid(core, { tenant, query, body }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    if (isDown(core)) return networkResult(BILL_CODES.TECHNICAL_ERROR);
    const where = receivableOf(query.creancierId, query.creanceId);
    if (!where) return networkResult(BILL_CODES.CREDITOR_UNKNOWN);
    const reading = readForm(where.receivable.form, body.creancierVals);
    if ('missing' in reading) return networkResult(BILL_CODES.FIELD_MISSING);
    if ('foreign' in reading) refuse('parameterInvalid', { detail: reading.foreign });
    const account = { ...where, contract: reading.contract };
    const magic = forcedBy(core.db, account.contract)?.unpaid;
    if (magic) return networkResult(magic);

    const taken = takenItems(core, tenant, account);
    const own = contractOf(core.db, account.contract)?.bills;
    const due = articlesOf(core.random, account, core.clock.now(), own);
    const items = due.filter(({ idArticle }) => !taken.has(idArticle));
    if (items.length === 0) return networkResult(BILL_CODES.NOTHING_TO_PAY);
    const params = paramsOf(core.random, account);
    return {
      ...networkResult(BILL_CODES.DONE),
      refTxNetwork: associate(core, customer, account, { items, params }),
      codeDevise: CURRENCY,
      nbreCreances: items.length,
      montantTotalTTC: toDecimal(totalOf(items)),
      globalParams: [...params],
      impayesParams: [...items],
    };
  },
} satisfies SomeHandlers;

function isDown({ settings }: Core): boolean {
  return settings.billNetwork === 'down';
}

/** Partner API v2.3, "Bill payment": from the creditors to the receipt. */
export const bills = { ...search, ...payment, ...records };
