import type { Context } from 'hono';
import type {
  Address,
  Conversations,
  FilesInHand,
  Incoming,
  Push,
  Reply,
  TypedSecret,
} from '../../conversation/incoming.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import { DEADLINE_MS, SENDING_MS } from '../chat-turns.ts';
import type { InputIds } from '../digest.ts';
import { browserLanguage } from './browser-language.ts';
import type { Message } from './message.ts';
import type { PageScreen } from './page-screen.ts';

export interface TurnDeps {
  readonly conversations: Conversations;
  readonly inputIds: InputIds;
  /** The network that a request comes from. Undefined where it is not known. */
  readonly networkOf: (c: Context) => string | undefined;
  readonly show: (of: Push | Reply | Pick<Reply, 'screen' | 'language'>) => Promise<PageScreen>;
  readonly log: Log;
}

/**
 * The answer to a message: the next screen, and the person who reads here. `toPerson`: a person answers when they have read it.
 * `unavailable`: what this process can say without the store, perhaps that a payment is being sent.
 */
type Turned =
  | { readonly kind: 'screen'; readonly screen: PageScreen; readonly reader?: string | null }
  | { readonly kind: 'toPerson' }
  | { readonly kind: 'unavailable'; readonly says: Pick<PageScreen, 'text' | 'direction' | 'language'> };

/** Carries a message through its turn. */
export async function turn(
  c: Context,
  address: Address,
  { id, answers, guess, input }: Message,
  { conversations, inputIds, networkOf, show, log }: TurnDeps,
  more: {
    readonly document?: FilesInHand | undefined;
    readonly onTyped?: (secret: TypedSecret | undefined) => void;
  } = {},
): Promise<Turned> {
  const network = networkOf(c);
  const incoming: Incoming = {
    address,
    ...(network && { origin: { kind: 'network', name: network } }),
    ...inputIds(['web', address, id]),
    inputs: [input],
    ...(answers !== undefined && { screenId: answers }),
    ...(guess && { language: guess }),
    ...(more.document && { document: more.document }),
  };
  try {
    const reply = await conversations.receive(incoming, DEADLINE_MS, more.onTyped, SENDING_MS);
    if (reply.toPerson) return { kind: 'toPerson' };
    const screen = await show(reply);
    // A page that keeps its screens forgets them once another person reads here, or nobody.
    return { kind: 'screen', screen, ...(!reply.late && { reader: reply.reader ?? null }) };
  } catch (error) {
    log.say('An error ended turns', { channel: 'web', ...thrown(error) });
    return {
      kind: 'unavailable',
      says: await show(conversations.fallback(address, guess ?? browserLanguage(c))),
    };
  }
}
