import { assign } from 'xstate';
import { type Filled, machine, type Remembered, screen, type Wish, wishOf } from './conversation.ts';
import type { Choice, Screen } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/**
 * A way on: its digit, the conversation that it leads to, and how it is called. The digit is its own on every channel and in
 * every longer dial (`*123*7*4#`): where an entry is left out, its digit goes to nobody else.
 */
export type Entry = readonly [digit: number, leads: string, key: SentenceKey, begins?: Begins];

/** The input of the conversation, and the entry's name beside another one that leads to the same conversation. */
interface Begins {
  readonly as: string;
  readonly filled: Filled;
}

/** The facts that decide which entries a customer sees. */
export interface Offered {
  canUnlink?: boolean | undefined;
  isMerchant?: boolean | undefined;
  agent?: string | undefined;
  /** The code of the principal agent that the number acts for. */
  principal?: string | undefined;
  without?: readonly string[] | undefined;
}

/** Entries for merchants only. Their digits may mean something else for other customers. */
const OF_MERCHANTS: ReadonlySet<string> = new Set(['documents']);
/** Entries that lead elsewhere for a merchant. */
const OF_OTHERS: ReadonlySet<string> = new Set(['upgrade']);

/** The entries that lead somewhere for this wallet on this channel. */
export function choicesOf(entries: readonly Entry[], offered: Offered): Choice[] {
  const { canUnlink, isMerchant, agent, principal, without = [] } = offered;
  const isOffered = (leads: string) =>
    (leads !== 'unlink' || canUnlink) &&
    (leads !== 'link-chat' || !canUnlink) &&
    (leads !== 'agent' || agent === undefined) &&
    (leads !== 'principal' || principal !== undefined) &&
    !(isMerchant ? OF_OTHERS : OF_MERCHANTS).has(leads) &&
    !without.includes(leads);
  return entries
    .filter(([, leads]) => isOffered(leads))
    .map((entry) => ({ id: idOf(entry), key: entry[2], digit: entry[0] }));
}

function idOf([, leads, , begins]: Entry): string {
  return begins?.as ?? leads;
}

/** The way on of a customer whose wallet was just locked: a new PIN unlocks it. */
export const NEW_PIN = {
  choice: { id: 'pin-reset', key: 'menu.pin-reset' },
  offer: { choice: 'pin-reset', next: 'pin-reset', filled: {} },
} as const;

interface AtSubmenu extends Remembered, Offered, Pick<Wish, 'filled'> {
  next?: string;
}

/** A list of ways on, under an entry of the menu. */
export function submenu(id: string, title: SentenceKey, entries: readonly Entry[]) {
  return machine<AtSubmenu>({
    id,
    context: ({ input: { canUnlink, isMerchant, agent, without } }) => ({
      canUnlink,
      isMerchant,
      agent,
      without,
    }),
    initial: 'choosing',
    output: ({ context: { next, filled } }) => ({
      ...(next !== undefined && { next }),
      ...wishOf({ filled }),
    }),
    states: {
      choosing: {
        meta: screen(
          (context): Screen => ({ key: title, choices: choicesOf(entries, context), expects: 'choice' }),
        ),
        on: {
          chose: { target: 'leaving', actions: assign(({ event }) => ledBy(entries, event.choice)) },
          back: 'leaving',
        },
      },
      /** From the first question of a chosen conversation, "back" leads here. */
      leaving: { type: 'final', tags: 'list' },
    },
  });
}

function ledBy(entries: readonly Entry[], choice: string): Pick<AtSubmenu, 'next' | 'filled'> {
  const [, next, , begins] = entries.find((entry) => idOf(entry) === choice) ?? [];
  return { ...(next !== undefined && { next }), ...(begins && { filled: begins.filled }) };
}
