import type { Store, Write } from '../../store/store.ts';
import { abilitiesOf } from '../channel.ts';
import { enqueue } from '../session/session.ts';
import { mayRead, type Sessions, sessionWrite } from '../session/sessions.ts';
import { addressesOf } from '../session/wallet-doc.ts';
import type { Intent } from './intent.ts';
import { outcomeMessage } from './notification.ts';

export interface ElsewhereDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly now: () => number;
}

/**
 * What tells the outcome of a payment in the wallet's other chats: those that their customer has used since it was sent, as
 * they have named it above the menu. Only chats, where it costs no SMS. Nothing while no outcome is known.
 */
export async function elsewhereWrites(
  { store, sessions, now }: ElsewhereDeps,
  intent: Intent,
): Promise<Write[]> {
  const message = outcomeMessage(intent, now());
  if (!message) return [];
  const others = await sessions.ofWallet(intent.wallet, await addressesOf(store, intent.wallet));
  return others
    .filter(
      ({ address, session }) =>
        address !== intent.address &&
        abilitiesOf(address).pushes === 'always' &&
        session.at >= intent.sentAt &&
        mayRead({ address, session }, intent.wallet, now()),
    )
    .map((loaded) => sessionWrite({ ...loaded, session: enqueue(loaded.session, message) }));
}
