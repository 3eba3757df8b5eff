import { type Msisdn, msisdn } from '../wallet/phone.ts';

/** The abilities of a channel. The engine and the console ask this row, never the channel's name. */
export interface Abilities {
  /** As customers call it. Absent: they need no name for it. */
  readonly name?: string;
  /** When Wasl can show something by itself: always, never, or so long after an input. Ask `canPush`. */
  readonly pushes: 'always' | 'never' | { readonly withinMs: number };
  /** A message reaches its customer while they look at nothing. A page shows it only while it is open. */
  readonly reachesAway: boolean;
  /** The chat keeps what it has shown. A page is gone with its contact, so its reader may never have seen it. */
  readonly keepsShown: boolean;
  /** The chat replaces an earlier screen that a message makes untrue. */
  readonly edits: boolean;
  /** A typed message can be erased from the chat, or never stays there. Else a typed PIN is refused. */
  readonly erasesTyped: boolean;
  /** The proofs that a number is its customer's, the best one first. Ask `numberOf` by what one was proven. */
  readonly provesNumberBy: readonly NumberProof[];
  /** The channel hands over the file of a screen with the screen. Other channels say its essential lines by SMS. */
  readonly takesFiles: boolean;
  /** A customer can send a file in the chat itself. */
  readonly sendsFiles: boolean;
  /**
   * The ways in which a secret can be given, the best one first. They are: typed as any answer, in a masked field, on a
   * keypad whose keys are in an order of their own, or on the form. The form is a page of ours that a link of the chat
   * leads to.
   */
  readonly secretBy: readonly SecretBy[];
  /** How the form for a card is opened from it: by a button of the chat, or by a link that is sent to the phone. */
  readonly opensPages: 'button' | 'sms';
  /** The form of a screen: pages of plain text with a limit of their own, or messages with buttons. */
  readonly shows: 'pages' | 'messages';
  /**
   * Whether the same input can still come again when its sender has long given up waiting for an answer. A gateway
   * never sends it again, as it waits for seconds. A chat service has a day for it, and a page has a button.
   */
  readonly repeats: 'atOnce' | 'later';
  /**
   * How long "typing…" stays in the chat once it is shown. The engine shows it while a turn takes its time. Absent: the
   * page shows it by itself, or there is no such sign.
   */
  readonly typingMs?: number;
  /** How many messages its sender may deliver by itself, in all chats together. Absent: as many as there are. */
  readonly pace?: { readonly perSecond: number; readonly burst: number };
  /** Messages to one person: one in `everyMs`, `burst` at once. Absent: no limit. Ask `pairWaitMs`. */
  readonly pairPace?: { readonly everyMs: number; readonly burst: number };
  /** The number of choices that a message holds. A longer list is shown in pages. Absent: as many as there are. */
  readonly choicesMax?: number;
}

/** The network proves it (the address is that number), a contact card of the chat, or our own code. */
export type NumberProof = 'network' | 'contact' | 'code';

type SecretBy = 'typing' | 'field' | 'keypad' | 'form';

/** Every channel with its row. */
export const CHANNELS = {
  ussd: {
    pushes: 'never',
    reachesAway: false,
    keepsShown: false,
    edits: false,
    erasesTyped: true,
    provesNumberBy: ['network'],
    takesFiles: false,
    sendsFiles: false,
    secretBy: ['typing'],
    opensPages: 'sms',
    shows: 'pages',
    repeats: 'atOnce',
  },
  web: {
    pushes: 'always',
    reachesAway: false,
    keepsShown: true,
    edits: true,
    erasesTyped: true,
    provesNumberBy: ['code'],
    takesFiles: true,
    sendsFiles: true,
    secretBy: ['field'],
    opensPages: 'button',
    shows: 'messages',
    repeats: 'later',
  },
  telegram: {
    name: 'Telegram',
    pushes: 'always',
    reachesAway: true,
    keepsShown: true,
    edits: true,
    erasesTyped: true,
    provesNumberBy: ['contact', 'code'],
    takesFiles: true,
    sendsFiles: true,
    secretBy: ['form', 'keypad'],
    opensPages: 'button',
    shows: 'messages',
    repeats: 'later',
    typingMs: 5_000,
    // Its bulk limit (facts B4). Replies to a customer do not wait.
    pace: { perSecond: 25, burst: 25 },
    choicesMax: 10,
  },
  whatsapp: {
    name: 'WhatsApp',
    // Free words for a day after the customer's last message (facts C2).
    pushes: { withinMs: 24 * 3_600_000 },
    reachesAway: true,
    keepsShown: true,
    edits: false,
    erasesTyped: false,
    provesNumberBy: ['contact', 'code'],
    takesFiles: true,
    sendsFiles: true,
    secretBy: ['form'],
    opensPages: 'button',
    shows: 'messages',
    repeats: 'later',
    // Together with the mark that the message was read (facts C2).
    typingMs: 25_000,
    // Half of a number's 80 messages a second: replies to customers do not wait.
    pace: { perSecond: 40, burst: 40 },
    // One message in six seconds to one person. The burst is a part of what is said of it (facts C2).
    pairPace: { everyMs: 6_000, burst: 20 },
    choicesMax: 10,
  },
} as const satisfies Readonly<Record<string, Abilities>>;

export type ChannelName = keyof typeof CHANNELS;
export const CHANNEL_NAMES = Object.keys(CHANNELS) as [ChannelName, ...ChannelName[]];
/** An address of a customer: `ussd:+212…`, `web:<cookie>`, `telegram:42`, `whatsapp:MA.1349`. */
export type Address = `${ChannelName}:${string}`;

/** True for an address of a channel that this release has. */
export function isAddress(text: string): text is Address {
  return CHANNEL_NAMES.some((name) => text.startsWith(`${name}:`));
}

export function channelOf(address: Address): ChannelName {
  return address.slice(0, address.indexOf(':')) as ChannelName;
}

export function nameOf(channel: ChannelName): string {
  const { name = channel }: Abilities = CHANNELS[channel];
  return name;
}

export function abilitiesOf(address: Address): Abilities {
  return CHANNELS[channelOf(address)];
}

/**
 * Whether something can be shown at this address now, before its customer does anything.
 * @param heard when they last wrote, in ms since 1970. It counts only where the channel has a window.
 */
export function canPush(address: Address, { heard = 0 }: { readonly heard?: number }, now: number): boolean {
  const { pushes } = abilitiesOf(address);
  return typeof pushes === 'string' ? pushes === 'always' : now < heard + pushes.withinMs;
}

/** True where the time of a customer's last message counts at this address. */
export function hasWindow(address: Address): boolean {
  return typeof abilitiesOf(address).pushes === 'object';
}

/** The wallet that an address is, where the network says who is calling. Undefined in every other channel. */
export function ownWallet(address: Address): Msisdn | undefined {
  if (!abilitiesOf(address).provesNumberBy.includes('network')) return undefined;
  return msisdn(address.slice(address.indexOf(':') + 1));
}

/** The number of a person, and what has proven that it is theirs. Both are absent until something has. */
interface NumberKnown {
  readonly phone?: Msisdn;
  readonly provenBy?: NumberProof;
}

/**
 * The number of the person at an address, as their session knows it. The network proves it with every message. Any other
 * proof was made once, so it may be out of date. A release that kept no proof counts as the weakest one.
 */
export function numberOf(
  address: Address,
  { wallet, provenBy = 'code' }: { readonly wallet?: Msisdn; readonly provenBy?: NumberProof },
): NumberKnown {
  const own = ownWallet(address);
  if (own) return { phone: own, provenBy: 'network' };
  return wallet === undefined ? {} : { phone: wallet, provenBy };
}

/** The address that is a wallet's own number: it exists without being linked. */
export function ownAddress(wallet: Msisdn): Address {
  return `ussd:${wallet}`;
}
