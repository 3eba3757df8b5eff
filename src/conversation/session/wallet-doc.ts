import type {
  AgentMark,
  CardPaymentEntry,
  KybClient,
  PaidRecipient,
  PrincipalMark,
  ReferenceEntry,
  SentDocument,
  VoucherEntry,
} from '../../../machines/kit/effects.ts';
import { methodOf, type Order } from '../../payments/payments.ts';
import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { SAME, type Store, type Write } from '../../store/store.ts';
import { type Update, update } from '../../store/update.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../channel.ts';
import { type Book, isEntry } from './book.ts';
import { type OwnedContract, withContractPaid } from './kept-contracts.ts';
import type { Safety } from './safety.ts';

/** Guesses of a PIN, as moments in ms since 1970. */
export interface PinTries {
  /** Called wrong by the wallet. */
  readonly at: readonly number[];
  /** Asked, and the answer is awaited. */
  readonly pending?: readonly number[];
  /** Asked, and never answered. */
  readonly unanswered?: readonly number[];
}

/** A question whose answer tells whether the wallet holds an amount, or somebody's name: `what` is asked, `at` a moment in ms since 1970. */
interface AmountTried {
  readonly what: string;
  readonly at: number;
}

/** The facts that decide whether a recipient is named before the PIN. */
interface Naming {
  /** When the PIN was last right, in ms since 1970. */
  readonly provenAt?: number;
  /** The numbers that were asked for, as digests, the oldest first. */
  readonly asked?: readonly AmountTried[];
}

/** Whether a wallet is a merchant's, as it was found out, and until when that is taken for known (ms since 1970). */
export interface MerchantMark {
  readonly is: boolean;
  readonly until: number;
  /** The wallet has never said: it is taken for a consumer's. */
  readonly guessed?: true | undefined;
}

/** The customer's open request for a person. Every channel of the wallet names it. */
interface OpenRequest {
  /** When it was made, in ms since 1970. */
  readonly at: number;
  /** Its case. */
  readonly case: string;
  /** The address that made it last. */
  readonly address: Address;
}

interface Owned {
  readonly linked?: readonly Address[];
  /**
   * The id in the profile of the wallet that these data are about. Null is never stored: it says that the number has a
   * new wallet or none, so the commit forgets the last one (`linkChanges`).
   */
  readonly owner?: number | null | undefined;
}

interface Offered {
  /** Numbers and RIBs that were paid through Wasl, the last one first. They decide the order of the saved recipients. */
  readonly paid?: readonly string[];
  /** The recipients that were paid through Wasl, the last one first. The questions for the next recipient offer them. */
  readonly recipients?: readonly PaidRecipient[];
  /** The contracts of bills that the customer has agreed to keep, paid last first. */
  readonly contracts?: readonly OwnedContract[];
}

/**
 * The data of a wallet over all its channels: its payments, the chats that may read about its money, and its counts. It
 * is one document beside the wallet's sessions and is read with them. So a turn writes two documents at most, and one
 * compare-and-set decides all of it. It is never deleted: a version that began again could be mistaken.
 */
export interface WalletDoc extends Book, Owned, Offered {
  readonly pinTries?: PinTries;
  /** The amounts that were tried since the last right PIN, the oldest first. */
  readonly amountsTried?: readonly AmountTried[];
  readonly naming?: Naming;
  /** The times of each limited act, in ms since 1970, by the name of the limit. */
  readonly counts?: Readonly<Record<string, readonly number[]>>;
  readonly references?: readonly ReferenceEntry[];
  readonly merchant?: MerchantMark;
  /** Undefined: it was asked for, and is none any more. */
  readonly agent?: AgentMark | undefined;
  /** Undefined: it was bound, and is not any more. */
  readonly principal?: PrincipalMark | undefined;
  /** The vouchers that were bought and can be seen again, the oldest first. */
  readonly vouchers?: readonly VoucherEntry[];
  readonly cardPayments?: readonly CardPaymentEntry[];
  /** A merchant's refunds, oldest first: the payment that refunds, and the operation that it refunds. */
  readonly givenBack?: readonly { readonly id: string; readonly of: number; readonly amount: Centimes }[];
  /** The documents that a merchant has sent: each kind once, when it was sent last. */
  readonly kyb?: { readonly client: KybClient; readonly sent: readonly SentDocument[] };
  readonly safety?: Safety;
  /** Absent once an adviser has dealt with it, or the customer says that it is settled. */
  readonly asked?: OpenRequest;
}

/** A recipient counts as new again once this many others were paid after them. */
const PAID_MAX = 50;

/** More than a question offers, as each way to pay offers its own. */
const RECIPIENTS_MAX = 20;

/** The document after one more payment. */
export function withPaid(wallet: WalletDoc, order: Order): WalletDoc {
  const { paid = [], recipients = [] } = wallet;
  const { account, whom, isOther } = payeeOf(order);
  return {
    ...withContractPaid(wallet, order),
    ...(account && { paid: [account, ...paid.filter((each) => each !== account)].slice(0, PAID_MAX) }),
    ...(whom && {
      recipients: [{ kind: order.kind, ...whom }, ...recipients.filter(isOther)].slice(0, RECIPIENTS_MAX),
    }),
  };
}

/** The document after a payment was taken back: only its wallet's list can say that its recipient was paid otherwise. */
export function withoutPaid(wallet: WalletDoc, order: Order): WalletDoc {
  const { paid = [], recipients = [] } = wallet;
  const { account, isOther } = payeeOf(order);
  return {
    ...wallet,
    paid: paid.filter((each) => each !== account),
    recipients: recipients.filter(isOther),
  };
}

function payeeOf(order: Order) {
  const { listed, payee } = methodOf(order);
  const [account, whom] = [listed.receiver(order), payee?.again?.(order)];
  const isOther = ({ kind, to, rib }: PaidRecipient) =>
    kind !== order.kind || to !== whom?.to || rib !== whom?.rib;
  return { account, whom, isOther };
}

const EMPTY_WALLET: WalletDoc = { entries: [] };

/** Checked by hand: each turn reads it. */
export const walletCodec = codec<WalletDoc>(
  'wallet',
  (value) =>
    isObject(value) &&
    (value.entries === undefined || (Array.isArray(value.entries) && value.entries.every(isEntry))) &&
    (value.linked === undefined || Array.isArray(value.linked)) &&
    (value.owner === undefined || typeof value.owner === 'number') &&
    (value.pinTries === undefined || (isObject(value.pinTries) && Array.isArray(value.pinTries.at))) &&
    (value.amountsTried === undefined || Array.isArray(value.amountsTried)) &&
    (value.naming === undefined || isObject(value.naming)) &&
    (value.counts === undefined || isObject(value.counts)) &&
    (value.references === undefined || Array.isArray(value.references)) &&
    (value.merchant === undefined || isObject(value.merchant)) &&
    (value.agent === undefined || (isObject(value.agent) && typeof value.agent.code === 'string')) &&
    (value.principal === undefined ||
      (isObject(value.principal) && typeof value.principal.code === 'string')) &&
    (value.vouchers === undefined || Array.isArray(value.vouchers)) &&
    (value.cardPayments === undefined || Array.isArray(value.cardPayments)) &&
    (value.givenBack === undefined || Array.isArray(value.givenBack)) &&
    (value.paid === undefined || Array.isArray(value.paid)) &&
    (value.recipients === undefined || Array.isArray(value.recipients)) &&
    (value.contracts === undefined || Array.isArray(value.contracts)) &&
    [value.kyb, value.safety, value.asked].every((each) => each === undefined || isObject(each)),
  // Release 0.2 has kept the chats alone here.
  (stored) => (stored.entries === undefined ? { ...stored, entries: [] } : stored),
);

export function walletKey(wallet: Msisdn): string {
  return `wallet:${wallet}`;
}

/** The document of a wallet as it was read: version 0 where there is none yet. */
export interface WalletState {
  readonly version: number;
  readonly value: WalletDoc;
}
export const NO_WALLET: WalletState = { version: 0, value: EMPTY_WALLET };

/** The document of a wallet as it was read. Empty where there is none. */
export function walletStateOf(doc: KeyedDoc): WalletState {
  const value = walletCodec.read(doc);
  return value ? { version: doc.version, value } : NO_WALLET;
}

/** How the document of a wallet is written back, if nobody has written it since it was read. */
export function walletWrite(
  wallet: Msisdn,
  { version }: Pick<WalletState, 'version'>,
  value: WalletDoc,
): Write & { readonly next: number } {
  // It is never due.
  return walletCodec.write({ key: walletKey(wallet), version, value: '' }, value, { dueAt: SAME });
}

/** Knows a request again whose case an agent has opened again. One that the customer has made since stays. */
export function keepRequest(store: Store, wallet: Msisdn, asked: OpenRequest): Promise<void> {
  return update(store, partitionOf(wallet), [walletKey(wallet)], (doc): Update<void> => {
    const state = walletStateOf(doc);
    if (state.value.asked) return { result: undefined };
    return { writes: [walletWrite(wallet, state, { ...state.value, asked })], result: undefined };
  });
}

/** Forgets the customer's request once it is over. @param it its case: another request stays */
export function forgetRequest(store: Store, wallet: Msisdn, it: string): Promise<void> {
  return update(store, partitionOf(wallet), [walletKey(wallet)], (doc): Update<void> => {
    const state = walletStateOf(doc);
    const { asked, ...others } = state.value;
    if (asked?.case !== it) return { result: undefined };
    return { writes: [walletWrite(wallet, state, others)], result: undefined };
  });
}

/** Lets the next visit find out again whether a wallet is a merchant's. Until then the known answer holds. */
export function forgetMerchant(store: Store, wallet: Msisdn): Promise<void> {
  return update(store, partitionOf(wallet), [walletKey(wallet)], (doc): Update<void> => {
    const state = walletStateOf(doc);
    const { merchant } = state.value;
    if (!merchant) return { result: undefined };
    return {
      writes: [walletWrite(wallet, state, { ...state.value, merchant: { ...merchant, until: 0 } })],
      result: undefined,
    };
  });
}
