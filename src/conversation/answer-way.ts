import type { Budgets, Charge } from './budgets.ts';
import { abilitiesOf, canPush, channelOf, ownWallet } from './channel.ts';
import type { AnswerComes, Topic } from './incoming.ts';
import type { Served } from './served.ts';
import { type LoadedSession, mayRead, type Sessions } from './session/sessions.ts';
import type { SmsStops } from './sms-stops.ts';

interface AnswerDeps {
  readonly sessions: Sessions;
  readonly budgets: Pick<Budgets, 'hasRoom'>;
  readonly served: Pick<Served, 'noSms' | 'smsFor'>;
  readonly now: () => number;
  /** The numbers that want no SMS. */
  readonly stops: Pick<SmsStops, 'has'>;
}

/** True where the operator pays an SMS for such a message. */
export function costsSms(topic: Topic, { noSms, smsFor }: Pick<Served, 'noSms' | 'smsFor'>): boolean {
  return !noSms && smsFor.includes(topic);
}

/** The budgets of SMS with messages to a number, the narrowest first. */
export function chargesOf(number: string): readonly Charge[] {
  return [{ budget: 'messagesPerNumber', of: number }, { budget: 'messagesPerDay' }];
}

/**
 * How the outcome of a payment will come, from the session, its wallet's chats, the settings and the time. It goes the way of
 * `session/next-link.ts`. Rejects with `StoreDown`.
 */
export async function answerComes(
  { sessions, budgets, served, now, stops }: AnswerDeps,
  { address, session, wallet }: Pick<LoadedSession, 'address' | 'session' | 'wallet'>,
): Promise<AnswerComes> {
  if (canPush(address, session, now())) return { way: 'here' };
  const number = session.wallet;
  if (!number) return { way: 'dial' };
  const isLinked = (wallet.value.linked ?? []).length > 0;
  const chats = isLinked ? await sessions.everywhere(number) : [];
  const [chat] = chats
    .filter((each) => !ownWallet(each.address) && abilitiesOf(each.address).reachesAway)
    .filter((each) => mayRead(each, number, now()) && canPush(each.address, each.session, now()))
    .sort((a, b) => b.session.at - a.session.at);
  if (chat) return { way: 'chat', channel: channelOf(chat.address) };
  if (!costsSms('outcome', served) || (await stops.has(number))) return { way: 'dial' };
  for (const charge of chargesOf(number)) if (!(await budgets.hasRoom(charge))) return { way: 'dial' };
  return { way: 'sms' };
}
