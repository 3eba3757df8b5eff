import type { WalletDoc } from './wallet-doc.ts';

/** For each named state of a wallet, the time since when it holds, in ms since 1970. Undefined where it does not hold. */
const SINCE = {
  asked: ({ asked }: WalletDoc) => asked?.at,
  frozen: ({ safety }: WalletDoc) => safety?.frozen?.at,
  agentStopped: ({ agent }: WalletDoc) => agent?.stopped?.at,
  principalBound: ({ principal }: WalletDoc) => principal?.bound?.at,
};

/** The state that a message is about, and since when it held when that was said. */
export interface About {
  readonly state: keyof typeof SINCE;
  /** Absent: it did not hold. */
  readonly since?: number | undefined;
}

/** Messages that wait, without those about a state that is another one by now. */
export function stillSo<Message extends { readonly about?: About }>(
  messages: readonly Message[],
  wallet: WalletDoc,
): readonly Message[] {
  const isSo = ({ about }: Message) => !about || SINCE[about.state]?.(wallet) === about.since;
  return messages.every(isSo) ? messages : messages.filter(isSo);
}
