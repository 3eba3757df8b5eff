import type { Write } from '../../store/store.ts';
import { type Address, abilitiesOf } from '../channel.ts';
import { enqueue } from '../session/session.ts';
import { mayRead, type Sessions, sessionWrite } from '../session/sessions.ts';
import type { Intent } from './intent.ts';
import { outcomeMessage } from './notification.ts';

interface ElsewhereDeps {
  readonly sessions: Sessions;
  readonly now: () => number;
}

/**
 * The writes that tell the outcome of a payment in the wallet's other chats. They go to chats that the customer has
 * used since it was sent, as those have named the payment above the menu. Only chats get them, as they cost no SMS.
 * Empty while no outcome is known.
 * @param linked the chats that are linked to the wallet
 */
export async function elsewhereWrites(
  { sessions, now }: ElsewhereDeps,
  intent: Intent,
  linked: readonly Address[] = [],
): Promise<Write[]> {
  const message = outcomeMessage(intent, now());
  const isOther = (chat: Address) => chat !== intent.address && abilitiesOf(chat).keepsShown;
  const chats = linked.filter(isOther);
  if (!message || chats.length === 0) return [];
  const others = await sessions.ofWallet(intent.wallet, chats);
  return others
    .filter(
      ({ address, session }) =>
        session.at >= intent.sentAt && mayRead({ address, session }, intent.wallet, now()),
    )
    .map((loaded) => sessionWrite({ ...loaded, session: enqueue(loaded.session, message) }));
}
