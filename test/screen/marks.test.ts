import { describe, expect, test } from 'vitest';
import { plain, startingRight, withoutMarks } from '../../src/screen/marks.ts';
import { cleanCode, cleanName, cleanWords, linksRemoved } from '../../src/wallet/names.ts';

describe('cleanName', () => {
  test.each([
    ['an ordinary name', 'Fatima Zahra', 'Fatima Zahra'],
    ['an Arabic name', 'فاطمة الزهراء', 'فاطمة الزهراء'],
    ['a right-to-left override', 'Ali \u202e00.002 HD', 'Ali 00.002 HD'],
    ['isolates that are never closed', '\u2066\u2067\u2068Ali', 'Ali'],
    ['a closing isolate that would end ours', 'Ali\u2069\u2069', 'Ali'],
    ['zero-width characters', 'A\u200bl\u200di\ufeff\u00ad', 'Ali'],
    ['tag characters', 'Ali\u{e0041}\u{e007f}', 'Ali'],
    ['invisible letters', 'Ali\u3164\u115f', 'Ali'],
    ['line ends and tabs', 'Ali\r\nTotal\t0,00\u2028DH', 'Ali Total 0,00 DH'],
    ['no-break spaces', 'Ali\u00a0Baba', 'Ali Baba'],
    ['control characters', 'A\u0000l\u001bi\u007f', 'Ali'],
    ['a lone surrogate', 'Ali\ud83d', 'Ali'],
    ['a link', 'Ali https://evil.example/x?y=1 Baba', 'Ali Baba'],
    ['a link hidden by a zero-width space', 'ht\u200btps://evil.example Ali', 'Ali'],
    ['a www address', 'www.evil.example', '-'],
    ['a bare domain stops being one', 'pay.evil.example', 'pay. evil. example'],
    ['a bare domain with a dot of another script', 'pay。evil．example｡ma', 'pay. evil. example. ma'],
    ['a link in wide or mathematical letters', 'ｈｔｔｐｓ：／／evil.example 𝐰𝐰𝐰.evil.example Ali', 'Ali'],
    ['what has another shape and is in no link', 'Ali ½ n° 2… ﷲ m²', 'Ali ½ n° 2… ﷲ m²'],
    ['initials are not a domain', 'A.B.C. S.A', 'A.B.C. S.A'],
    ['placeholders are only text', '{{amount}} $t(nav.menu)', '{{amount}} $t(nav. menu)'],
    ['markup is the channel’s work', '<b>Ali</b> *x*', '<b>Ali</b> *x*'],
    ['empty', '', '-'],
    ['only invisible', '\u200b\u202e \n', '-'],
    ['as long as allowed', 'a'.repeat(40), 'a'.repeat(40)],
    ['too long', 'a'.repeat(41), `${'a'.repeat(39)}…`],
    ['cut between characters, not inside', '𐤀'.repeat(50), `${'𐤀'.repeat(39)}…`],
  ])('%s', (_, text, clean) => expect(cleanName(text, 40)).toBe(clean));
});

test.each([
  ['a reference', 'TX-2026 7', 'TX-2026\u00a07'],
  ['a reference with an override', '\u202eTX1', 'TX1'],
  ['nothing', '  ', '-'],
  ['never shortened', '9'.repeat(90), '9'.repeat(90)],
])('cleanCode: %s', (_, text, clean) => expect(cleanCode(text)).toBe(clean));

test.each([
  ['emoji and their space', '⏳ Votre envoi ✅.', 'Votre envoi .'],
  ['keycaps and variation selectors', '1️⃣ Un ☎️', '1 Un'],
  ['flags and skin tones', 'Maroc 🇲🇦 👍🏽', 'Maroc'],
  ['isolates and marks', '\u200f\u20661\u2069 \u2068a\u2069', '1 a'],
  ['spaces around line ends', 'a ✅\nb', 'a\nb'],
  ['no-break spaces stay', 'a\u00a0b\u202fc', 'a\u00a0b\u00a0c'],
  ['digits, * and # are not emoji', '*123#', '*123#'],
])('withoutMarks: %s', (_, text, rest) => expect(withoutMarks(text)).toBe(rest));

test('the plain text is the text that a reader sees', () =>
  expect(plain('\u20661\u00a0234,50\u2069\u00a0درهم')).toBe('1 234,50 درهم'));

test.each([
  ['an Arabic word first', 'أهلا {{name}}', 'أهلا {{name}}'],
  ['emoji, then an Arabic word', '✅ تمت', '✅ تمت'],
  ['a placeholder first', '{{name}} أهلا', '\u200f{{name}} أهلا'],
  ['a Latin word first', 'Wasl أهلا', '\u200fWasl أهلا'],
  ['a digit first', '1 أهلا', '\u200f1 أهلا'],
  ['each line for itself', 'أهلا\n{{at}}\n\nأهلا', 'أهلا\n\u200f{{at}}\n\nأهلا'],
])('startingRight: %s', (_, text, started) => expect(startingRight(text)).toBe(started));

describe('a message from the company’s staff', () => {
  const HOSTS = ['wallet.example', 'aide.banque.ma'];

  test.each<[string, string, string]>([
    ['keeps its lines', 'Bonjour,\nun instant.\n\n\n\nMerci', 'Bonjour,\nun instant.\n\nMerci'],
    ['is whole, however long', 'a '.repeat(300).trim(), 'a '.repeat(300).trim()],
    [
      'keeps a link to a site of ours',
      'Voir https://wallet.example/aide?q=1.',
      'Voir https://wallet.example/aide?q=1.',
    ],
    ['keeps one below it', 'https://www.wallet.example/a', 'https://www.wallet.example/a'],
    ['loses a link to any other', 'Voir https://evil.example/x ici', 'Voir ici'],
    ['loses one that only looks like ours', 'https://wallet.example.evil.ma/x', '-'],
    ['loses one with our name for a user', 'https://wallet.example@evil.ma', '-'],
    ['loses one that is not https', 'http://wallet.example', '-'],
    ['loses one to a host above ours', 'https://banque.ma', '-'],
    ['breaks what chats would turn into a link', 'allez sur evil.example', 'allez sur evil. example'],
    ['breaks it with a dot of another script, too', 'allez sur evil。example/x', 'allez sur evil. example/x'],
    ['loses one in wide letters', 'Voir ｗｗｗ．evil．example ici', 'Voir ici'],
    ['turns no direction', 'a\u202eb', 'ab'],
    ['loses one that hides a sign', 'Voir https://evil.exa\u200bmple/x ici', 'Voir ici'],
    [
      'keeps one of ours that hides a sign, without it',
      'https://wallet.exa\u200bmple/a',
      'https://wallet.example/a',
    ],
  ])('%s', (_, text, clean) => expect(cleanWords(text, 1_000, HOSTS)).toBe(clean));

  test.each<[string, string[]]>([
    ['Bonjour. Un instant', []],
    ['https://wallet.example/aide', []],
    ['https://wallet.example et www.evil.ma', ['www.evil.ma']],
    ['HTTPS://EVIL.MA', ['HTTPS://EVIL.MA']],
    ['voir evil.example/x', ['evil.example/x']],
    ['evil。example/x', ['evil.example/x']],
    ['evil．example/x, evil｡example/', ['evil.example/x,', 'evil.example/']],
    ['https：／／evil。example', ['https://evil.example']],
    [`${'a.'.repeat(50_000)} ${'a'.repeat(50_000)} ...evil.example/x`, ['evil.example/x']],
    ['evil.exa\u200bmple/x', ['evil.example/x']],
    ['evil\u00ad.\u2060example/x\nht\u200dtps://ev\u202eil.ma', ['evil.example/x', 'https://evil.ma']],
    ['https://wallet.exa\u200bmple/aide', []],
    ['https://wallet.example\u200b.evil.ma/x', ['https://wallet.example.evil.ma/x']],
    ['1.5/2 DH, S.A. et/ou SARL', []],
  ])('is refused when its links would be lost: %.60s', (text, lost) =>
    expect(linksRemoved(text, HOSTS)).toEqual(lost),
  );
});
