import { agentCalls } from './client/agents.ts';
import { bankCardCalls } from './client/bank-cards.ts';
import { beneficiaryCalls } from './client/beneficiaries.ts';
import { billCalls } from './client/bills.ts';
import { createCaller, type WalletOptions } from './client/call.ts';
import { customerCalls, identityCalls } from './client/customers.ts';
import { issuedCardCalls } from './client/issued-cards.ts';
import { merchantCalls, merchantCardCalls } from './client/merchant.ts';
import { leniently } from './client/needs.ts';
import { operationCalls } from './client/operations.ts';
import { floatCardCalls, principalCalls } from './client/principal.ts';
import { referenceCalls } from './client/references.ts';
import { telcoCalls } from './client/telco.ts';
import { transferCalls } from './client/transfers.ts';
import { voucherCalls } from './client/vouchers.ts';
import type { Wallet } from './wallet.ts';

export type { WalletOptions } from './client/call.ts';

/**
 * The Partner API as Wasl uses it: decimals become centimes, "not shown" corners are rounded off, failures stay
 * values. Every call is sent once, at most (see `client/call.ts`). One file per section of the API, as in `contract/`.
 */
export function createWallet(options: WalletOptions): Wallet {
  const send = leniently(createCaller(options));
  return {
    ...customerCalls(send),
    ...identityCalls(send),
    ...transferCalls(send),
    ...operationCalls(send),
    ...telcoCalls(send),
    ...billCalls(send),
    ...voucherCalls(send),
    ...merchantCalls(send),
    ...merchantCardCalls(send),
    ...bankCardCalls(send),
    ...issuedCardCalls(send),
    ...referenceCalls(send),
    ...beneficiaryCalls(send),
    ...agentCalls(send),
    ...principalCalls(send),
    ...floatCardCalls(send),
  };
}
