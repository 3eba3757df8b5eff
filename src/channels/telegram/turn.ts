import type { Api } from 'grammy';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import type {
  Address,
  Conversations,
  Incoming,
  Language,
  Place,
  Raw,
  Reply,
} from '../../conversation/incoming.ts';
import { createRecent } from '../../conversation/recent.ts';
import type { Digest } from '../digest.ts';
import { type Log, thrown } from '../log.ts';
import { sendDocument } from './document.ts';
import type { Erased, Typed } from './erase.ts';
import { type Answer, typing } from './patience.ts';
import type { Meant } from './photo.ts';
import type { Stage } from './show.ts';
import { tried, troubleOf } from './trouble.ts';
import { readView } from './view.ts';

/** A person waits this long before they think it is broken; "typing…" shows that Wasl is at work. */
const DEADLINE_MS = 20_000;

/** How many chats a process remembers to have told so. */
const TOLD_MAX = 10_000;

/** One thing that a customer did in their chat. */
export interface Turn {
  readonly updateId: number;
  /** Where it stands among the updates that are fetched. */
  readonly place?: Place;
  readonly user: number;
  readonly chat: number;
  /** What they did, or how to find out: reading a picture takes its time. */
  readonly raw: Raw | (() => Promise<Meant>);
  readonly language?: Language | undefined;
  /** A button: the message it hangs on, the screen it belongs to, and what answers the press. */
  readonly press?: { readonly message: number; readonly screenId: number; readonly answer: Answer };
  /** Another page of the same screen. */
  readonly page?: number;
  /** What stands in the message. */
  readonly typed?: Typed | undefined;
  /** A sentence of ours about what was sent, said before the screen. */
  readonly say?: SentenceKey;
}

export interface TurnOptions {
  readonly api: Api;
  readonly conversations: Conversations;
  readonly stage: Stage;
  readonly digest: Digest;
  /** Spoken where nothing better is known. */
  readonly language: Language;
  readonly log: Log;
}

export function addressOf(user: number): Address {
  return `telegram:${user}`;
}

/**
 * Carries one thing a customer did to the next screen in their chat. Resolves once the turn is saved and the screen shown,
 * or written down as owed; rejects when nothing could be saved, so that Telegram brings the update again.
 */
export function createTurns({ api, conversations, stage, digest, language: house, log }: TurnOptions) {
  /** Chats that were told that the service does not answer: once, however often Telegram brings the update again. */
  const told = createRecent<number, true>(TOLD_MAX);

  return async (turn: Turn): Promise<void> => {
    const { chat, press, typed } = turn;
    const address = addressOf(turn.user);
    const meaning = meantBy(turn);
    const reply = await meaning
      .then(({ raw }) => conversations.receive(incoming(turn, raw), DEADLINE_MS, typed?.judge))
      .finally(typing(api, chat))
      .catch(async (error) => {
        await press?.answer();
        if (!told.get(chat)) {
          told.set(chat, true);
          const { screen, language } = conversations.fallback(address, turn.language ?? house);
          await tried(stage.tell(chat, { screen, language }));
        }
        throw error;
      });
    told.delete(chat);
    await press?.answer(reply.stale ? stage.say('telegram.expired', reply.language) : undefined);
    const { raw, say } = await meaning;
    const said = [say, warningOf(await typed?.erased(), raw)].map(
      (key) => key && stage.say(key, reply.language),
    );
    await show(turn, reply, said).catch((error) => {
      const trouble = troubleOf(error);
      if (trouble.kind === 'blocked') return;
      if (trouble.kind === 'refused') return refused(chat, reply, error);
      return conversations.owes(address, trouble.afterMs);
    });
  };

  /** The turn is saved, and Telegram would refuse its screen again: the customer is told so, and we are. */
  async function refused(chat: number, { language }: Reply, error: unknown): Promise<void> {
    log.error({ channel: 'telegram', ...thrown(error) }, 'screen refused');
    await tried(api.sendMessage(chat, stage.say('telegram.notShown', language)));
  }

  function incoming({ updateId, place, user, press, typed, language }: Turn, raw: Raw): Incoming {
    return {
      address: addressOf(user),
      id: digest('telegram', String(updateId)),
      inputs: [raw],
      ...(place && { place }),
      ...(press && { answers: press.screenId }),
      ...(typed && raw.type !== 'said' && { beside: typed.text }),
      ...(language && { language }),
    };
  }

  async function show(turn: Turn, reply: Reply, sentences: readonly (string | undefined)[]): Promise<void> {
    const { user, chat, press, page } = turn;
    const address = addressOf(user);
    const before = sentences.filter(Boolean).join('\n\n');
    if (isShown(turn, reply, before)) return;
    // The chat has been told to wait (429): the screen that stands then is shown when that is over.
    if (reply.retryAfterMs !== undefined) return conversations.owes(address, reply.retryAfterMs);
    const said = { ...reply, ...(before && { before }) };
    const { screenId, screen, view } = reply;
    if (isBeside(reply)) {
      const { screenId: _standing, ...beside } = said;
      const noted = await stage.tell(chat, beside);
      // No screen was shown, so nothing that waits for one is done with.
      return noted === undefined ? undefined : conversations.shown(address, -1, noted);
    }
    const next = await stage.show(chat, {
      ...said,
      page: page ?? reply.page,
      ...(press && { pressed: press.message }),
    });
    if (next !== view || reply.rests) await conversations.shown(address, screenId, next, reply);
    if (screen.document && !reply.repeated) {
      const { document } = screen;
      const file = await conversations.document(address, document).catch(() => undefined);
      await sendDocument(api, stage, { chat, document, language: reply.language, file });
    }
  }
}

/** True for a reply that is no screen of the conversation: it is said beside the one on show. */
function isBeside({ late, toPerson }: Reply): boolean {
  return late === true || toPerson === true;
}

/** True where nothing is to be shown, or what is to be shown is there already. */
function isShown({ press }: Turn, reply: Reply, before: string): boolean {
  // A person answers when they have read it.
  if (reply.toPerson && !before) return true;
  if (isBeside(reply)) return false;
  const noted = readView(reply.view);
  // Telegram brings an update again when our answer to it was lost.
  if (reply.repeated && !press && noted?.screenId === reply.screenId) return true;
  // A double tap: its first half has changed the message already.
  return reply.stale === true && press?.message === noted?.message;
}

async function meantBy({ raw, say }: Turn): Promise<Meant> {
  return typeof raw === 'function' ? raw() : { raw, ...(say && { say }) };
}

/** Who typed a PIN is told not to: it was in the chat, and on the phone's lock screen. */
function warningOf(erased: Erased | undefined, raw: Raw): SentenceKey | undefined {
  if (!erased) return undefined;
  // It looked like a secret while nobody could say, and was an answer.
  if (!erased.secret) return erased.isGone ? 'telegram.erasedToBeSafe' : undefined;
  if (!erased.isGone) return 'telegram.eraseIt';
  if (erased.secret === 'pin') return 'telegram.pinErased';
  // A card's number that was read as an answer has been refused with these words already.
  return erased.secret === 'card' && raw.type !== 'said' ? 'nav.cardNumber' : undefined;
}
