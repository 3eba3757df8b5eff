import type { InlineKeyboardButton } from 'grammy/types';
import type { Reply, SentenceKey } from '../../conversation/incoming.ts';

/** Telegram's own limit (facts B2). */
const COPY_MAX_CHARS = 256;
/** What customers copy, by the name of its value, with what the button says. */
const COPIED: Readonly<Record<string, SentenceKey>> = {
  reference: 'telegram.copyReference',
  rib: 'telegram.copyRib',
  code: 'telegram.copyVoucher',
};

/** A button for each reference, RIB and voucher code that a text shows: it puts it on the phone's clipboard. */
export function copyButtons(
  { values = {} }: Reply['screen'],
  text: string,
  say: (key: SentenceKey) => string,
): InlineKeyboardButton.CopyTextButtonButton[] {
  return Object.entries(COPIED).flatMap(([name, key]) => {
    const copied = copyable(name, values[name]);
    const isShown = copied !== undefined && copied.length <= COPY_MAX_CHARS && text.includes(copied);
    return isShown ? [{ text: say(key), copy_text: { text: copied } }] : [];
  });
}

/** The number of an error is called `code` too, and nobody copies that. */
function copyable(name: string, value: NonNullable<Reply['screen']['values']>[string] | undefined) {
  if (value && 'hidden' in value) return value.hidden;
  return value && 'code' in value && name !== 'code' ? value.code : undefined;
}
