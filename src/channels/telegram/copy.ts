import type { InlineKeyboardButton } from 'grammy/types';
import type { Reply, SentenceKey } from '../../conversation/incoming.ts';
import { type Copyable, copyableIn } from '../copy.ts';

/** Telegram's own limit (facts B2). */
const COPY_MAX_CHARS = 256;
const LABELS = {
  reference: 'telegram.copyReference',
  rib: 'telegram.copyRib',
  code: 'telegram.copyVoucher',
  link: 'telegram.copyLink',
} as const satisfies Readonly<Record<Copyable['what'], SentenceKey>>;

/** A button for each reference, RIB, voucher code and link to pay that a text shows: it puts it on the phone's clipboard. */
export function copyButtons(
  screen: Reply['screen'],
  shown: string,
  say: (key: SentenceKey) => string,
): InlineKeyboardButton.CopyTextButtonButton[] {
  return copyableIn(screen, shown)
    .filter(({ text }) => text.length <= COPY_MAX_CHARS)
    .map(({ what, text }) => ({ text: say(LABELS[what]), copy_text: { text } }));
}
