/**
 * Numbers that are nobody's wallet and make something happen when money is sent to them. Every other valid Moroccan
 * mobile that the sandbox does not know is a wallet of another provider.
 */
export const MAGIC = {
  noWallet: '+212699000001',
  failsLater: '+212699000002',
  answerLost: '+212699000003',
} as const;

export const MAGIC_MEANS: Record<keyof typeof MAGIC, string> = {
  noWallet: 'has no wallet at any provider: refused with 90013',
  failsLater: 'is accepted, then fails when it settles; the sender gets the money back',
  answerLost: 'is executed, but the connection breaks before the answer',
};
