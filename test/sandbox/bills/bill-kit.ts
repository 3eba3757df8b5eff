import { expect } from 'vitest';
import { CREDITORS } from '../../../src/sandbox/bills/catalog.ts';
import type { Creditor, Receivable } from '../../../src/sandbox/bills/creditors.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { API } from '../../../src/wallet/contract/api.ts';
import { shownOf } from '../../../src/wallet/contract/shown.ts';
import { call, FATIMA, type Said } from '../kit.ts';

/** Water and electricity at SRM: one required field, the contract number. */
export const SRM = { creancierId: '1001', creanceId: '01' };
/** Its fee is an item. Utilities take none for the transaction. */
export const REDAL = { creancierId: '1002', creanceId: '01' };
/** Costs 2 dirhams. */
export const ORANGE = { creancierId: '1102', creanceId: '01' };
/** Its receipts have a number and text of the tax office. */
export const TAX = { creancierId: '1203', creanceId: '01' };
/** Asks for a password. */
export const CNSS = { creancierId: '1301', creanceId: '01' };
export const SCHOOL = { creancierId: '1401', creanceId: '01' };
/** Its floor may be 0. */
export const FLATS = { creancierId: '1601', creanceId: '01' };
type Where = typeof SRM;

export function receivableAt({ creancierId, creanceId }: Where): Receivable {
  const creditor = CREDITORS.find(({ code }) => code === creancierId) as Creditor;
  return creditor.receivables.find(({ code }) => code === creanceId) as Receivable;
}

const EXAMPLES: Record<string, string> = {
  N: '12345678901234',
  AN: 'AB12345678901234',
  A: 'Amal',
  D: '05/09/2015',
};

/** A form filled in: the first field with the contract, the others with something that fits. */
export function filled(where: Where, contract: string) {
  const fields = receivableAt(where).form.filter(({ typeChamp }) => typeChamp !== 'libelle');
  return fields.map(({ nomChamp, typeChamp, formatChamp, tailleMax }, i) => {
    const example = typeChamp === 'select' ? formatChamp?.split('|')[0] : EXAMPLES[formatChamp ?? ''];
    const valChamp = i === 0 ? contract : (example ?? '').slice(0, tailleMax ?? 1);
    return { nomChamp, valChamp };
  });
}

/** Calls, and holds the answer against the contract. */
export async function ask(
  of: Sandbox,
  name: ApiName,
  given: Record<string, unknown>,
  requestId = '',
): Promise<Said> {
  const said = await call(of, name, given, { 'C-Request-Id': requestId });
  const { data } = API[name];
  const isSuccess = (said.body.codeRetour ?? '000') === '000';
  if (said.status === 200 && !('binary' in API[name])) (isSuccess ? shownOf(data) : data).parse(said.body);
  return said;
}

export async function search(of: Sandbox, where: Where, contract: string, phoneNumber = FATIMA) {
  return (await ask(of, 'listUnpaid', { phoneNumber, ...where, creancierVals: filled(where, contract) }))
    .body;
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is only as good as the assertion on it
type Unpaid = any;

/** Everything that a search found, as it is previewed and confirmed. */
export function order(where: Where, contract: string, found: Unpaid, phoneNumber = FATIMA) {
  return {
    phoneNumber,
    ...where,
    refTxNetwork: found.refTxNetwork,
    totalPayment: true,
    listeArticleSelectionnes: found.impayesParams,
    creancierVals: filled(where, contract),
    globalParams: found.globalParams,
  };
}

/** An order for all that a contract owes. */
export async function orderFor(of: Sandbox, where: Where, contract: string, phoneNumber = FATIMA) {
  const found = await search(of, where, contract, phoneNumber);
  expect(found.codeRetour).toBe('000');
  return { ...order(where, contract, found, phoneNumber), total: found.montantTotalTTC as number };
}
