import type { Message } from 'grammy/types';
import { type Input, LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { readShortcut } from '../../conversation/shortcuts/shortcut.ts';
import { readPhone } from '../../wallet/phone.ts';

/** Telegram's own limit on text: nothing longer comes. */
const START = /^\/start(?:@\w+)?(?:\s+([\w-]{1,64}))?\s*$/;
/** `45-50` is 45,50: a link has no other sign for it. */
const CENTIMES =
  /(?<=^\/(?:transfer|top-?up|merchant(?:-payment)?|receive(?:-payment)?)_(?:.*_)?)(\d+)-(\d{1,2})(?=_|$)/;
/** A command may be addressed to the bot by name, as groups need. */
const ADDRESSED = /^(\/\w+)@\w+/;

/** Reads a typed text as an input. `/start` with a payload begins the conversation that the link was made for. */
export function inputFromText(text: string): Input {
  const start = START.exec(text);
  if (!start) return { type: 'said', text: text.replace(ADDRESSED, '$1') };
  const line = `/${start[1] ?? ''}`.replace(CENTIMES, '$1,$2');
  return readShortcut(line) || line === '/help' || line === '/language'
    ? { type: 'said', text: line }
    : { type: 'went', to: 'menu' };
}

/** True for `/start`: the customer opens the chat, for the first time or after having blocked it. */
export function isStart(text: string): boolean {
  return START.test(text);
}

/**
 * A contact card. It is the sender's own number only where Telegram says so (facts B2): the card carries the sender's id
 * and was not forwarded. Any other card is a number like a typed one.
 */
export function inputFromContact({ contact, from, forward_origin: forwarded }: Message): Input {
  const number = contact?.phone_number ?? '';
  const phone = readPhone(/^\d/.test(number) && !number.startsWith('0') ? `+${number}` : number);
  if (!phone) return { type: 'said', text: number };
  const own = contact?.user_id !== undefined && contact.user_id === from?.id && !forwarded;
  return { type: 'contact', phone, own };
}

/** A first guess from the language of the customer's Telegram. Undefined where we do not speak it. */
export function guessLanguage(code: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === code?.slice(0, 2).toLowerCase());
}
