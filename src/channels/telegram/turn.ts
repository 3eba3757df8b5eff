import type { Api } from 'grammy';
import type {
  Address,
  Conversations,
  Incoming,
  Input,
  Language,
  Push,
  Reply,
  SentenceKey,
} from '../../conversation/incoming.ts';
import type { Log } from '../../log/thrown.ts';
import { createChatTurns, isNotice, noteShown, type TakeChatTurn } from '../chat-turns.ts';
import type { InputIds } from '../digest.ts';
import type { Interpretation } from '../qr/picture.ts';
import type { DeliverHeld } from './deliver-held.ts';
import { sendDocument } from './document.ts';
import type { Erased, Typed } from './erase.ts';
import type { Answer } from './patience.ts';
import type { Stage } from './show.ts';
import { telegramTroubles } from './trouble.ts';
import { type PressedMessage, readView, viewAt } from './view.ts';
import { type Keys, keysLeft } from './write.ts';

/** A pressed button: its message, the function that answers the press, its data, and all buttons that stood with it. */
interface Press extends PressedMessage {
  readonly answer: Answer;
  readonly data: string;
  readonly buttons: Keys;
}

/** One thing that a customer did in their chat. */
interface Turn {
  readonly updateId: number;
  readonly user: number;
  readonly chat: number;
  /** The customer's input, or a function that finds it: reading a picture takes time. */
  readonly raw: Input | (() => Promise<Interpretation>);
  readonly language?: Language | undefined;
  readonly press?: Press;
  /** Another page of the same screen. */
  readonly page?: number;
  readonly typed?: Typed | undefined;
  /** A sentence of ours about the customer's message, said before the screen. */
  readonly say?: SentenceKey;
}

interface TurnOptions {
  readonly api: Api;
  readonly conversations: Conversations;
  readonly stage: Stage;
  readonly deliverHeld: DeliverHeld;
  readonly inputIds: InputIds;
  /** Spoken where nothing better is known. */
  readonly language: Language;
  readonly log: Log;
  readonly now: () => number;
}

/** Carries one input of a customer to the next screen in their chat (`TakeChatTurn`). */
export type TakeTurn = (turn: Turn) => Promise<void>;

interface TurnDeps extends TurnOptions {
  readonly takeChatTurn: TakeChatTurn;
}

export function createTurns(options: TurnOptions): TakeTurn {
  const troubles = telegramTroubles(options.log);
  const deps: TurnDeps = { ...options, takeChatTurn: createChatTurns({ ...options, troubles }) };
  return (turn) => takeTurn(deps, turn);
}

export function addressOf(user: number): Address {
  return `telegram:${user}`;
}

async function takeTurn(deps: TurnDeps, turn: Turn): Promise<void> {
  const { api, stage } = deps;
  const { chat, user, press, typed } = turn;
  const meaning = interpret(turn);
  await deps.takeChatTurn(addressOf(user), {
    incoming: async () => incoming(deps, turn, (await meaning).raw),
    onTyped: typed?.judge,
    async show(reply, wasWarned) {
      // The customer waits for the screen, and not for the clock on the button to stop.
      const answered = press?.answer(reply.stale ? stage.say('telegram.expired', reply.language) : undefined);
      await Promise.all([answered, showReply(deps, turn, reply, { ...(await meaning), wasWarned })]);
    },
    warn: ({ screen, language }) => stage.warn(chat, { screen, language }),
    say: (key, language) => api.sendMessage(chat, stage.say(key, language)),
  });
}

/** Shows a reply, with what there is to say about the message that it answers. */
async function showReply(
  deps: TurnDeps,
  turn: Turn,
  reply: Reply,
  { raw, say, wasWarned }: Interpretation & { readonly wasWarned: boolean },
): Promise<void> {
  const erased = await turn.typed?.erased();
  const sentences = [say, warningOf(erased, raw)].map((key) => key && deps.stage.say(key, reply.language));
  // The fallback stands below the screen that was on show, and is in no note.
  const isErased = erased?.isGone === true && !wasWarned;
  await show(deps, turn, reply, { sentences, isErased });
}

function incoming({ inputIds }: TurnDeps, turn: Turn, raw: Input): Incoming {
  const { updateId, user, press, typed, language } = turn;
  return {
    address: addressOf(user),
    ...inputIds(['telegram', String(updateId)]),
    inputs: [raw],
    ...(press && { screenId: press.screenId }),
    ...(typed && raw.type !== 'said' && { unreadText: typed.text }),
    ...(language && { language }),
  };
}

/** Comes with the reply: sentences that are said before it, and whether the typed message is gone. */
interface Accompanied {
  readonly sentences: readonly (string | undefined)[];
  readonly isErased: boolean;
}

async function show(
  deps: TurnDeps,
  turn: Turn,
  reply: Reply,
  { sentences, isErased }: Accompanied,
): Promise<void> {
  const { api, conversations, stage, deliverHeld } = deps;
  const { user, chat, press, page } = turn;
  const address = addressOf(user);
  const before = sentences.filter(Boolean).join('\n\n');
  if (isShown(turn, reply, before)) return;
  // Telegram has asked us to wait (429): the screen that is current by then is shown when that is over.
  if (reply.retryAfterMs !== undefined) return conversations.screenNotShown(address, reply.retryAfterMs);
  // The result of an earlier payment comes before the screen that the customer asked for after it.
  const delivered = reply.hasMoneyMessage && (await deliverHeld(address, isMoneyMessage));
  const view = viewAt(delivered ?? reply.view, press);
  const message = { ...reply, view, ...(before && { before }) };
  const { screenId, screen } = reply;
  if (isNotice(reply)) {
    const { screenId: _current, ...notice } = message;
    const noted = await stage.notify(chat, notice);
    // No screen was shown, so nothing that waits for one is done with.
    return noted === undefined ? undefined : noteShown(deps, address, -1, noted);
  }
  const next = await stage.show(chat, {
    ...message,
    page: page ?? reply.page,
    ...(press && { pressed: { message: press.message, keys: remainingKeys(press, reply) } }),
    isErased,
  });
  if (next !== reply.view || reply.says) await noteShown(deps, address, screenId, next, reply);
  if (screen.document && !reply.repeated) {
    const { document } = screen;
    const file = await conversations.document(address, document).catch(() => undefined);
    await sendDocument(api, stage, { chat, document, language: reply.language, file });
  }
}

function remainingKeys({ buttons, data }: Press, { stale }: Reply): Keys {
  return keysLeft(buttons, stale ? undefined : data);
}

/** A message about an earlier payment: neither the conversation's own screen nor the one that follows it. */
function isMoneyMessage({ money, screenId }: Push): boolean {
  return money && screenId === undefined;
}

/** True where nothing is to be shown, or it is there already. */
function isShown({ press }: Turn, reply: Reply, before: string): boolean {
  // A person answers when they have read it.
  if (reply.toPerson && !before) return true;
  if (isNotice(reply)) return false;
  const noted = readView(reply.view);
  // Telegram brings an update again when our answer to it was lost.
  if (reply.repeated && noted?.screenId === reply.screenId) return true;
  // A double tap: its first half has changed the message already.
  return reply.stale === true && press?.message === noted?.message;
}

async function interpret({ raw, say }: Turn): Promise<Interpretation> {
  return typeof raw === 'function' ? raw() : { raw, ...(say && { say }) };
}

/** A customer who typed a PIN is asked not to: it was in the chat, and on the phone's lock screen. */
function warningOf(erased: Erased | undefined, raw: Input): SentenceKey | undefined {
  if (!erased) return undefined;
  // It looked like a secret while nobody could say, and was an answer.
  if (!erased.secret) return erased.isGone ? 'telegram.erasedToBeSafe' : undefined;
  if (!erased.isGone) return 'telegram.eraseIt';
  if (erased.secret === 'pin') return 'telegram.pinErased';
  // A card's number that was read as an answer has been refused with these words already.
  return erased.secret === 'card' && raw.type !== 'said' ? 'nav.cardNumber' : undefined;
}
