import { describe, expect, it } from 'vitest';
import { readCard } from '../../src/channels/form/card.ts';
import { namesReference, readShortcut, readWhole } from '../../src/conversation/shortcuts/shortcut.ts';
import { secretIn } from '../../src/conversation/turn/read/typed-secret.ts';

/** As much as Telegram carries in one message. */
const TEXT_CHARS = 4_096;

/** Texts that slow a careless reader down: many short words, repeated signs, and digits in pieces. */
const PIECES = [
  ...['a b c ', 'q ', '1 ', '1-', '1\u200b', 'a1 ', '0 6 ', '0612345678 ', '4111 1111 1111 111 ', 'ma 64 '],
  ...['\ufeff', '!', '. ', 'de ', 'mn 3nd ', ' svp', 'دابا ', '٣ ', 'e\u0301', 'f', 'envoyer '],
];

describe('a text as long as a chat carries', () => {
  // A reader that is cubic takes minutes of them: the test ends by its own limit then.
  it.each(PIECES)('is read at once, with any content: %j', (piece) => {
    for (const before of ['', 'envoyer 12345678 ', 'retirer 12345678 ', '/transfer 12345678 ']) {
      const text = (before + piece.repeat(TEXT_CHARS)).slice(0, TEXT_CHARS);
      expect(namesReference(text)).toBe(false);
      expect(readShortcut(text)).toBeUndefined();
      expect(readWhole(text)).toBeUndefined();
      for (const expects of ['nothing', 'choice', 'amount', 'phone', 'pin', 'account', 'otp'] as const)
        secretIn({ type: 'said', text }, { expects });
    }
  });
});

it.each([
  ['08 / 30', true],
  ['0830', true],
  ['08   /   2030', true],
  [`08${' '.repeat(7)}30`, false],
  [`2${'\t'.repeat(8_000)}/`, false],
])('a card that expires %j: only a few spaces are read (%s)', (expiry, isRead) => {
  const card = new URLSearchParams({ pan: '4242424242424242', cvv: '737', holder: 'Fatima Alaoui', expiry });
  expect('card' in readCard('card', card, Date.UTC(2026, 10, 28))).toBe(isRead);
});
