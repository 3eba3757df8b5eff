import { isSameContract, type KeptContract } from '../../payments/bill-payment.ts';
import type { Order } from '../../payments/payments.ts';
import type { WalletDoc } from './wallet-doc.ts';

export type OwnedContract = KeptContract & Pick<WalletDoc, 'owner'>;

/** They stand above the creditors on the first page of the list. */
const CONTRACTS_MAX = 5;

/** The wallet after the customer has agreed to keep one more contract. The one paid longest ago goes. */
export function withContract(wallet: WalletDoc, contract: KeptContract): WalletDoc {
  const { contracts = [], owner } = wallet;
  const others = contracts.filter((each) => !isSameContract(each, contract));
  const one = { ...contract, ...(typeof owner === 'number' && { owner }) };
  return { ...wallet, contracts: [one, ...others].slice(0, CONTRACTS_MAX) };
}

/** The wallet after a payment: a kept contract that was paid comes first. */
export function withContractPaid(wallet: WalletDoc, order: Order): WalletDoc {
  const paid = wallet.contracts?.find((each) => 'receivable' in order && isSameContract(each, order));
  return paid ? withContract(wallet, paid) : wallet;
}
