import type { Fleet } from './chart/fleet.ts';
import { hasKnownConversations } from './chart/main-conversation.ts';
import type { Address } from './incoming.ts';
import type { Deliveries } from './session/delivery.ts';
import type { Outgoing } from './session/session.ts';
import type { LoadedSession } from './session/sessions.ts';
import { catchUp } from './turn/catch-up.ts';
import type { TurnDeps } from './turn-deps.ts';

interface WakeDeps {
  readonly turns: TurnDeps;
  readonly delivery: Deliveries;
  readonly fleet: Pick<Fleet, 'isKnownElsewhere'>;
}

/** `Engine.wake`: does the due work of a session. */
export async function wake({ turns, delivery, fleet }: WakeDeps, address: Address): Promise<void> {
  const { sessions, now } = turns;
  const first = await sessions.load(address, now());
  const { conversation, suspended } = first.session;
  const isElsewhere = [conversation, suspended].some((each) => fleet.isKnownElsewhere(each?.release));
  // Another process that has these charts takes the session up once this one's lease is over.
  if (isElsewhere && !hasKnownConversations(first.session)) return;
  const known = new Set(first.session.outbox?.map(({ id }) => id));
  const loaded = await catchUp(turns, first);
  // This process delivers the messages that were just written. It delivers the rest when their time has come.
  await delivery.deliverAll(loaded, ({ id, tryAt = 0 }) => tryAt <= now() || !known.has(id));
}

/** Delivers a session's new messages now. If this process dies, the worker of another one does. */
export function pushNew(
  { delivery, background, now }: Pick<WakeDeps, 'delivery'> & Pick<TurnDeps, 'background' | 'now'>,
  loaded: LoadedSession,
): void {
  if (!loaded.session.outbox?.some(({ tryAt }) => tryAt !== undefined)) return;
  // A message that the channel did not take waits as long as the channel has said. A turn does not shorten that wait.
  const isDue = ({ tries, tryAt = 0 }: Outgoing) => tries === 0 || tryAt <= now();
  background.add(delivery.deliverAll(loaded, isDue), 'A message could not be delivered');
}
