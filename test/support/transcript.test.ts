import { expect, test } from 'vitest';
import type { TurnRecord } from '../../src/conversation/record.ts';
import { plain } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { sightOf } from '../../src/support/masks.ts';
import { transcript } from '../../src/support/transcript.ts';
import { centimes } from '../../src/wallet/money.ts';
import { turn, turns, YOUSSEF } from './records.ts';

const renderer = createRenderer();
const chat = { address: 'web:1' as const };
const MENU = {
  key: 'menu.choose',
  choices: [
    { id: 'transfer', key: 'menu.transfer' },
    { id: 'balance', key: 'menu.balance' },
  ],
  expects: 'choice',
} as const;
const ASK_TO = { key: 'transfer.askRecipient', expects: 'phone' } as const;
const ASK_AMOUNT = {
  key: 'transfer.askAmount',
  values: { to: { phone: YOUSSEF } },
  expects: 'amount',
} as const;
const ASK_PIN = {
  key: 'transfer.askPin',
  values: {
    amount: { money: centimes(5_000) },
    to: { phone: YOUSSEF },
    fees: { money: centimes(0) },
    total: { money: centimes(5_000) },
  },
  expects: 'pin',
} as const;

/** Everything in it as lines: who, and what. */
function lines(records: readonly TurnRecord[], sight = sightOf('agent')): string[] {
  return transcript(records, sight, renderer).flatMap(({ entries, isUnheard }) =>
    entries.map(
      (entry) =>
        `${entry.kind}: ${'text' in entry ? plain(entry.text) : entry.what}${isUnheard && entry.kind !== 'screen' ? ' (?)' : ''}`,
    ),
  );
}

const SENDING = turns(
  { ...chat, event: 'opened', screen: MENU },
  { ...chat, event: 'chose transfer', screen: ASK_TO },
  { ...chat, event: `said 0600000002`, screen: ASK_AMOUNT },
  { ...chat, event: 'said', heard: false, screen: { ...ASK_AMOUNT, notice: { key: 'amount.notAnAmount' } } },
  { ...chat, event: 'said 50', screen: ASK_PIN },
  { ...chat, event: 'pin', screen: { ...ASK_PIN, key: 'transfer.processing', expects: 'nothing' } },
);

test('a conversation reads as its customer lived it, masked', () => {
  const said = lines(SENDING);
  expect(said[0]).toBe('did: opened');
  expect(said[1]).toMatch(/^screen: /);
  expect(said.slice(2, 4)).toEqual([
    "words: Envoyer de l'argent",
    expect.stringMatching(/^screen: .*numéro/s),
  ]);
  expect(said[4]).toBe('words: +212 6•• •• •• 02');
  expect(said[5]).toContain('+212 6•• •• •• 02');
  expect(said[6]).toBe('did: said (?)');
  expect(said[8]).toBe('words: •••');
  expect(said[10]).toBe('did: pin');
  expect(said.join()).not.toContain('50,00');
});

test('revealed, it shows numbers and amounts; of the PIN still only that it was entered', () => {
  const said = lines(SENDING, sightOf('agent', true));
  expect(said[4]).toBe('words: +212 600 00 00 02');
  expect(said[8]).toBe('words: 50');
  expect(said[9]).toContain('50,00');
  expect(said[10]).toBe('did: pin');
});

test('on USSD each screen is the page that the handset showed, in the language of that moment', () => {
  const [first, second] = transcript(
    turns({ event: 'dialed', screen: MENU }, { event: 'said 9', heard: false, language: 'ar', screen: MENU }),
    sightOf('agent'),
    renderer,
  );
  expect(first?.entries[1]).toMatchObject({
    kind: 'screen',
    text: expect.stringMatching(/^1 Envoyer|\n1 Envoyer/),
    choices: [],
  });
  expect([second?.language, second?.isUnheard]).toEqual(['ar', true]);
  expect(second?.entries[1]).toMatchObject({ text: expect.stringMatching(/\p{Script=Arabic}/u) });
});

test('on USSD a page that was turned is shown as it was', () => {
  const LONG = {
    key: 'menu.choose',
    choices: Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, key: 'menu.transfer' })),
    expects: 'choice',
  } as const;
  const shown = transcript(
    turns({ event: 'dialed', screen: LONG }, { event: 'went more', screen: LONG, page: 1 }),
    sightOf('agent'),
    renderer,
  ).map(({ entries }) => entries.find(({ kind }) => kind === 'screen'));
  for (const [page, screen] of shown.entries())
    expect(screen).toMatchObject({ text: renderer.ussd(LONG, 'fr', page).text });
  expect(shown[0]).not.toEqual(shown[1]);
});

test('what a customer and an agent write to each other is read by agents, not by who may only look', () => {
  const talking = { key: 'support.talking', values: { agent: { name: 'Nadia' } }, expects: 'field' } as const;
  const message = {
    key: 'support.message',
    values: { agent: { name: 'Nadia' }, text: { text: 'Bonjour Fatima' } },
  };
  const owned = { ...chat, owner: 'nadia', screen: talking };
  const records = turns(
    { ...owned, event: 'agent joined', by: 'nadia' },
    { ...owned, event: 'agent wrote', by: 'nadia', said: [message] },
    { ...owned, event: 'said Merci, voici' },
    { ...chat, event: 'agent left', by: 'nadia', screen: MENU },
  );
  const read = lines(records);
  expect(read[0]).toBe('stepIn: joined');
  expect(read.slice(2, 4)).toEqual([expect.stringContaining('Bonjour Fatima'), 'words: Merci, voici']);
  expect(read.filter((line) => line.startsWith('stepIn'))).toEqual(['stepIn: joined', 'stepIn: left']);
  const looked = lines(records, sightOf('viewer')).join('\n');
  expect(looked).toContain('Nadia');
  expect(looked).not.toMatch(/Fatima|Merci/);
});

test.each([
  ['ussd:+212612345678', ['words', 'screen']],
  ['web:abc', ['words']],
] as const)('words to a person are shown with what was answered to them: %s', (address, kinds) => {
  const talk = { key: 'support.talking', values: { agent: { name: 'Nadia' } }, expects: 'field' } as const;
  const said = turn({ address, event: 'said bonjour', owner: 'nadia', toPerson: true, screen: talk });
  const joined = turn({ address, event: 'agent joined', by: 'nadia', owner: 'nadia', screen: talk });
  const last = transcript([joined, said], sightOf('agent'), renderer).at(-1);
  expect(last?.entries.map(({ kind }) => kind)).toEqual(kinds);
  expect(JSON.stringify(last?.entries)).not.toContain('Nadia');
});

test('outcomes and time show beside; a screen that stayed is not repeated; a record of old sentences still shows', () => {
  const read = lines(
    turns(
      { ...chat, event: 'opened', screen: MENU },
      { ...chat, event: 'time', screen: MENU },
      { ...chat, event: 'intent succeeded', screen: MENU, said: [{ key: 'gone.sentence' }] },
    ),
  );
  expect(read.slice(2)).toEqual(['event: time', 'event: intent succeeded', 'news: gone.sentence']);
});
