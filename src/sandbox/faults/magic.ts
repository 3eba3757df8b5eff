import type { ApiName } from '../../wallet/contract/api.ts';
import type { Centimes } from '../../wallet/money.ts';
import { ownCode } from '../merchant/codes.ts';
import { phoneInRib } from '../transfers/bank-magic.ts';
import { FAULTS, type FaultName, type PlainFaultName } from './faults.ts';

/** Beside the faults, which say for themselves what they mean. */
const MEANS = {
  noWallet: 'has no wallet at any provider: a transfer is refused with 90013',
  failsLater: 'accepted, then fails when it settles; the sender gets the money back',
  topUpRefused: 'its operator refuses every top-up with 90019, after a preview that says nothing of it',
  topUpWaits: 'a top-up waits a minute for the operator (0 in the history), then is completed',
} as const;

/**
 * Numbers that are nobody's wallet and make something happen when money is sent to them, or when they are topped up or given
 * a voucher. Every other valid Moroccan mobile that the sandbox does not know is a wallet of another provider.
 */
export const MAGIC = {
  noWallet: '+212699000001',
  failsLater: '+212699000002',
  topUpRefused: '+212699000003',
  topUpWaits: '+212699000004',
  resetBefore: '+212699000101',
  serverErrorBefore: '+212699000102',
  tooManyRequests: '+212699000103',
  answerLost: '+212699000104',
  resetAfter: '+212699000105',
  serverErrorAfter: '+212699000106',
  malformedBody: '+212699000107',
  slowAnswer: '+212699000108',
  webhookTwice: '+212699000109',
  webhookLate: '+212699000110',
  webhookEarly: '+212699000111',
  webhookOutOfOrder: '+212699000112',
  webhookForgedKey: '+212699000113',
  webhookForgedAmount: '+212699000114',
  webhookNever: '+212699000115',
  listLag: '+212699000116',
  staysOpen: '+212699000117',
  reversal: '+212699000118',
} as const satisfies Record<keyof typeof MEANS | PlainFaultName, string>;
export type MagicName = keyof typeof MAGIC;

/** The effect of money to a magic number, for the sandbox's page and docs/integrator/sandbox.md. */
export function magicMeans(name: MagicName): string {
  return isFault(name) ? FAULTS[name].means : MEANS[name];
}

export const REFERENCE_REQUESTS: readonly ApiName[] = [
  'requestCashIn',
  'requestCashOut',
  'requestBillNetworkCashIn',
];
export const REFERENCE_EXECUTIONS: readonly ApiName[] = [
  'executeAgentCashIn',
  'executeAgentCashOut',
  'executeNetworkCashIn',
  'executeNetworkCashOut',
];
/** Whole dirhams of the amounts that force a fault on each: their centimes are the last two digits of its number. */
const MAGIC_DIRHAMS = { request: 1, execution: 2 } as const;

/** The fault that the amount of a reference asks for: 1.04 DH loses the answer to its request, 2.04 that to its execution. */
export function magicOfAmount(operation: ApiName, amount: Centimes): FaultName | undefined {
  const struck = REFERENCE_REQUESTS.includes(operation) ? MAGIC_DIRHAMS.request : MAGIC_DIRHAMS.execution;
  const centimes = String(amount - struck * 100).padStart(2, '0');
  return [...FAULT_BY_NUMBER].find(([phone]) => centimes === String(phone).slice(-2))?.[1];
}

const FAULT_BY_NUMBER: ReadonlyMap<unknown, FaultName> = new Map(
  Object.entries(MAGIC).flatMap(([name, phone]) => (isFault(name) ? [[phone, name] as const] : [])),
);

/**
 * The fault that an order asks for by paying a magic number. A bill form has it as people write it (0699000101), a QR code
 * within its content, a RIB as its account.
 */
export function magicFault(body: Readonly<Record<string, unknown>>): FaultName | undefined {
  const filled = Array.isArray(body.creancierVals) ? body.creancierVals : [];
  const contracts = filled.map(({ valChamp }) => String(valChamp).replace(/^0/, '+212'));
  return FAULT_BY_NUMBER.get(
    [...Object.values(body), ...contracts, ownCode(body.QrCodeContent)?.merchant, phoneInRib(body.Rib)].find(
      (value) => FAULT_BY_NUMBER.has(value),
    ),
  );
}

function isFault(name: string): name is FaultName {
  return name in FAULTS;
}
