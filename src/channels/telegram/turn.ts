import type { Api } from 'grammy';
import type {
  Address,
  Conversations,
  Incoming,
  Language,
  Raw,
  Reply,
  TypedSecret,
} from '../../conversation/incoming.ts';
import type { Digest } from '../digest.ts';
import { sendDocument } from './document.ts';
import { busy } from './patience.ts';
import type { Stage } from './show.ts';
import { tried, troubleOf } from './trouble.ts';
import { readView } from './view.ts';

/** A person waits this long before they think it is broken; "typing…" shows that Wasl is at work. */
const DEADLINE_MS = 20_000;

/** One thing that a customer did in their chat. */
export interface Turn {
  readonly updateId: number;
  readonly user: number;
  readonly chat: number;
  /** What they did, or how to find out: reading a picture takes its time. */
  readonly raw: Raw | (() => Promise<Raw>);
  readonly language?: Language | undefined;
  /** A button: the message it hangs on, the screen it belongs to, and what answers the press. */
  readonly press?: { readonly message: number; readonly screenId: number; readonly query: string };
  /** Another page of the same screen. */
  readonly page?: number;
  /** The message that was typed. */
  readonly typed?: number;
  /** A sentence of ours about what was sent, said before the screen. */
  readonly say?: string;
}

export interface TurnOptions {
  readonly api: Api;
  readonly conversations: Conversations;
  readonly stage: Stage;
  readonly digest: Digest;
}

export function addressOf(user: number): Address {
  return `telegram:${user}`;
}

/**
 * Carries one thing a customer did to the next screen in their chat. Resolves once the turn is saved and the screen shown,
 * or written down as owed; rejects when nothing could be saved, so that Telegram brings the update again.
 */
export function createTurns({ api, conversations, stage, digest }: TurnOptions) {
  return async (turn: Turn): Promise<void> => {
    const { chat, press } = turn;
    const address = addressOf(turn.user);
    const patience = busy(api, chat, press?.query);
    let erased: Promise<{ readonly secret: TypedSecret; readonly isGone: boolean }> | undefined;
    try {
      const reply = await conversations.receive(await incoming(turn), DEADLINE_MS, (secret) => {
        if (turn.typed === undefined) return;
        erased = tried(api.deleteMessage(chat, turn.typed)).then((isGone) => ({ secret, isGone }));
      });
      await patience.over(reply.stale ? stage.say('telegram.expired', reply.language) : undefined);
      const warning = warningOf(await erased, reply.language);
      await show(turn, reply, [turn.say && stage.say(turn.say, reply.language), warning]).catch((error) => {
        const trouble = troubleOf(error);
        if (trouble.kind === 'blocked') return;
        if (trouble.kind === 'refused') throw error;
        return conversations.owes(address, trouble.afterMs);
      });
    } finally {
      await patience.over();
    }
  };

  async function incoming({ updateId, user, raw, press, language }: Turn): Promise<Incoming> {
    return {
      address: addressOf(user),
      id: digest('telegram', String(updateId)),
      inputs: [typeof raw === 'function' ? await raw() : raw],
      keypad: true,
      takesFiles: true,
      ...(press && { answers: press.screenId }),
      ...(language && { language }),
    };
  }

  async function show(
    { user, chat, press, page }: Turn,
    reply: Reply,
    sentences: readonly (string | undefined)[],
  ): Promise<void> {
    const address = addressOf(user);
    const { screenId, view, screen } = reply;
    const before = sentences.filter(Boolean).join('\n\n');
    // A person answers when they have read it.
    if (reply.toPerson && !before) return;
    const said = { ...reply, ...(before && { before }) };
    if (reply.late || reply.toPerson) {
      const { screenId: _standing, ...beside } = said;
      const noted = await stage.tell(chat, beside);
      // No screen was shown, so nothing that waits for one is done with.
      return noted === undefined ? undefined : conversations.shown(address, -1, noted);
    }
    const noted = readView(view);
    // Telegram brings an update again when our answer to it was lost: the screen may be there already.
    if (reply.repeated && !press && noted?.screenId === screenId) return;
    // A double tap: its first half has changed the message already.
    if (reply.stale && press?.message === noted?.message) return;
    const next = await stage.show(chat, {
      ...said,
      page: page ?? reply.page,
      ...(press && { pressed: press.message }),
    });
    if (next !== view || reply.rests) await conversations.shown(address, screenId, next, reply);
    if (screen.document && !reply.repeated) {
      await sendDocument(api, stage, conversations, {
        address,
        chat,
        document: screen.document,
        language: reply.language,
      });
    }
  }

  /** Who typed a PIN is told not to: it was in the chat, and on the phone's lock screen. */
  function warningOf(
    erased: { readonly secret: TypedSecret; readonly isGone: boolean } | undefined,
    language: Language,
  ): string | undefined {
    if (!erased || erased.secret === 'code') return undefined;
    if (!erased.isGone) return stage.say('telegram.eraseIt', language);
    return erased.secret === 'pin' ? stage.say('telegram.pinErased', language) : undefined;
  }
}
