import type { EffectName, InputOf, OutputOf } from '../../../machines/kit/effects.ts';
import type { Sentence } from '../../../machines/kit/screen.ts';
import type { PaymentEnv } from '../../payments/payment.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import type { Partition, Store, Write } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Call } from '../../wallet/wallet.ts';
import type { Budgets } from '../budgets.ts';
import type { CaseUpdate } from '../cases/update.ts';
import type { Address, Chat, Language } from '../incoming.ts';
import type { Intent } from '../intents/intent.ts';
import type { Secrets } from '../secrets.ts';
import type { Served } from '../served.ts';
import type { Outgoing, RequestKnown } from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';

/** The environment of every effect. One is made for each run. */
export interface EffectEnv extends PaymentEnv {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly budgets: Budgets;
  /** The state of the conversation, as `help.asking`, or the one that it has interrupted. */
  readonly place: string | undefined;
  readonly sendCode: SendCode;
  readonly served: Served;
  readonly address: Address;
  /** The things that came with the customer's input, as far as the channel knows them. */
  readonly came: Pick<LoadedSession, 'origin' | 'document' | 'table'>;
  /** The chat of the session. Undefined where its channel shows messages in no chat of its own. */
  readonly chat: Pick<Chat, 'fetchFile' | 'eraseFiles'> | undefined;
  readonly language: Language;
  readonly request: RequestKnown;
  /** The session's wallet, when it is proven. */
  readonly wallet: Msisdn | undefined;
  /** It is the customer's own here. */
  readonly isLinked: boolean;
  /** The wallet's data as they were read with the session. The claim decides anew on the current ones. */
  readonly walletDoc: WalletDoc;
  /** The PIN has opened the balance a moment ago, in this contact. */
  readonly mayView: boolean;
  readonly partition: Partition;
  /** Our own id of this run: the `C-Request-Id`, and the id of the intent. */
  readonly ref: string;
  /** When this run began: for a claimed call, the moment of its claim. */
  readonly at: number;
  now(): number;
  /** How far the wallet's clock is ahead of it, in ms. */
  skewMs(): number;
}

/** Sends our own code to a number. `none`: no SMS is configured. */
export type SendCode = (to: Msisdn, code: string, language: Language) => Promise<'sent' | 'later' | 'none'>;

/** The session's own knowledge of the request. */
export function requestIn({ asked, rates }: RequestKnown): RequestKnown {
  return { ...(asked && { asked }), ...(rates && { rates }) };
}

/** The customer's request: the same on all channels of their own wallet. */
export function requestOf({ session, wallet }: Pick<LoadedSession, 'session' | 'wallet'>): RequestKnown {
  const { asked } = session.linked ? wallet.value : {};
  return { ...requestIn(session), ...(asked && { asked }) };
}

/** Notes it in the wallet's document, or in a stranger's session. */
export function withRequest(
  { wallet }: Pick<Known, 'wallet'>,
  { asked, ...request }: RequestKnown,
  { isLinked, address }: Pick<EffectEnv, 'isLinked' | 'address'>,
): { readonly wallet?: WalletDoc; readonly request: RequestKnown } {
  if (!isLinked) return { request: { ...request, ...(asked && { asked }) } };
  const { asked: _before, ...doc } = wallet;
  return { request, wallet: asked ? { ...doc, asked: { at: asked.at, case: asked.case, address } } : doc };
}

/** The documents that an effect knows when it is claimed or settled. */
interface Known {
  /** The stored data of its session's wallet. */
  readonly wallet: WalletDoc;
  /** The documents of its own, by its `keys`. */
  readonly docs: readonly KeyedDoc[];
}

/** The changes in the commit that claims or settles an effect. */
export interface Changes {
  /** The wallet's new document. Absent where it stays as it is. */
  readonly wallet?: WalletDoc;
  readonly writes?: readonly Write[];
  /** The sentence for the wallet's other chats. */
  readonly tellsOthers?: Sentence | undefined;
  /** Its updates of cases. */
  readonly caseUpdates?: readonly CaseUpdate[];
}

/**
 * A call that machines can ask for ("commit before act").
 * - *read*: runs before the commit, may run again.
 * - *guarded*, *money*: claimed by a commit, then run once, never retried by us.
 */
export interface Effect<Input = never, Output = unknown> {
  readonly kind: 'read' | 'guarded' | 'money';
  /**
   * Keys of the documents of its own, in its session's partition, named by `ref`: none is there before the claim writes it.
   * Another run's whose names begin alike refuses the claim's commit, and the next try has another `ref`.
   */
  keys?(env: EffectEnv): string[];
  /** The changes in the claim's own commit, or the answer that makes the call unnecessary. */
  claim?(known: Known, input: Input, env: EffectEnv): Changes | { readonly instead: Output };
  run(input: Input, env: EffectEnv): Promise<Output>;
  /**
   * *read* only: the answer's facts about the wallet itself. The commit of the turn keeps them in the wallet's
   * document. The customer reads the answer only if that commit succeeds.
   */
  learnt?(output: Output, input: Input, env: EffectEnv): Partial<WalletDoc>;
  /**
   * The changes to write with the conversation's next state, the answer that the conversation is given, and further
   * messages. The input is not known where the process that made the call has died. `newOutcomeOf`: the
   * payment with an outcome that this answer has brought.
   */
  settle?(
    known: Known,
    output: Output,
    env: EffectEnv,
    input: Input | undefined,
  ): Changes & {
    readonly output: Output;
    readonly say?: readonly Outgoing[];
    readonly newOutcomeOf?: Intent;
    /** The session knows this of it from then on. */
    readonly request?: RequestKnown;
  };
  /** Side notes, once the answer is written down: they may fail, and nothing waits for them. */
  noted?(input: Input, output: Output, env: EffectEnv): Promise<void>;
  /** The answer when the claim is written but may not last: then the call is not made. */
  readonly unsafe?: Output;
  /** The answer when nobody knows it any more. Without it the machine learns that the answer was lost. */
  readonly lost?: Output;
}

export function read<Input, Output>(run: Effect<Input, Output>['run']): Effect<Input, Output> {
  return { kind: 'read', run };
}

/** An effect that is claimed and run once, with nothing else to write down. */
export function guarded<Input, Output>(run: Effect<Input, Output>['run']): Effect<Input, Output> {
  return { kind: 'guarded', run };
}

/** How a further call is made for the same answer: given up together with the first one, and with an id of its own. */
export function besides({ requestId: _own, ...patience }: Call): Call {
  return patience;
}

/** The effect that machines know by this name, with the input and the output that they have declared for it. */
export type EffectOf<Name extends EffectName> = Effect<InputOf<Name>, OutputOf<Name>>;
