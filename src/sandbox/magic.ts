import { FAULTS, type FaultName } from './faults.ts';

/**
 * Numbers that are nobody's wallet and make something happen when money is sent to them. Every other valid Moroccan
 * mobile that the sandbox does not know is a wallet of another provider.
 */
export const MAGIC = {
  noWallet: '+212699000001',
  failsLater: '+212699000002',
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
} as const satisfies Record<'noWallet' | 'failsLater' | FaultName, string>;
export type MagicName = keyof typeof MAGIC;

/** Beside the faults, which say for themselves what they mean. */
const MEANS = {
  noWallet: 'has no wallet at any provider: refused with 90013',
  failsLater: 'accepted, then fails when it settles; the sender gets the money back',
} as const;

/** What sending money to a magic number comes to, in one sentence; for the README and the sandbox's own page. */
export function magicMeans(name: MagicName): string {
  return isFault(name) ? FAULTS[name].means : MEANS[name];
}

const FAULT_BY_NUMBER: ReadonlyMap<unknown, FaultName> = new Map(
  Object.entries(MAGIC).flatMap(([name, phone]) => (isFault(name) ? [[phone, name] as const] : [])),
);

/** The fault that an order asks for by paying a magic number. */
export function magicFault(body: Readonly<Record<string, unknown>>): FaultName | undefined {
  return FAULT_BY_NUMBER.get(Object.values(body).find((value) => FAULT_BY_NUMBER.has(value)));
}

function isFault(name: string): name is FaultName {
  return name in FAULTS;
}
