import { expect, test } from 'vitest';
import type { Sentence } from '../../machines/kit/screen.ts';
import type { TurnRecord } from '../../src/conversation/record/record.ts';
import type { DeliveryOutcome } from '../../src/conversation/session/delivery-record.ts';
import { plain } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { sightOf } from '../../src/support/masks.ts';
import { type Entry, transcript, withDeliveries } from '../../src/support/transcript.ts';
import { centimes } from '../../src/wallet/money.ts';
import { invented } from '../kit/invented.ts';
import { textOf } from '../kit/turn-text.ts';
import { acted, did, FATIMA, said, TIME, turn, turns, unclear, went, YOUSSEF } from './records.ts';

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
const TO = { phone: YOUSSEF };
const ASK_AMOUNT = { key: 'transfer.askAmount', values: { to: TO }, expects: 'amount' } as const;
const FIFTY = { money: centimes(5_000) };
const ASK_PIN = {
  key: 'transfer.askPin',
  values: { amount: FIFTY, to: TO, fees: { money: centimes(0) }, total: FIFTY },
  expects: 'pin',
} as const;

const TALKING = { key: 'support.talking', values: { agent: { name: 'Nadia' } }, expects: 'field' } as const;
const PAID = {
  kind: 'payment',
  intent: '3b174c73',
  from: 'accepted',
  to: 'succeeded',
  why: 'webhook',
} as const;

function textIn(entry: Entry): string {
  if ('text' in entry) return entry.text;
  return textOf(entry.kind === 'did' ? did(entry.input) : entry.event);
}

/** Everything in it as lines: who, and what. */
function lines(records: readonly TurnRecord[], sight = sightOf({ role: 'agent' })): string[] {
  return transcript(records, sight, renderer).flatMap(({ entries, isUnclear }) =>
    entries.map(
      (entry) =>
        `${entry.kind}: ${plain(textIn(entry))}${isUnclear && entry.kind !== 'screen' ? ' (?)' : ''}`,
    ),
  );
}

const SENDING = turns(
  { ...chat, event: did({ type: 'opened' }), screen: MENU },
  { ...chat, event: did({ type: 'chose', choice: 'transfer' }), screen: ASK_TO },
  { ...chat, event: said('0600000002'), screen: ASK_AMOUNT },
  { ...chat, event: unclear(said()), screen: { ...ASK_AMOUNT, notice: { key: 'amount.notAnAmount' } } },
  { ...chat, event: said('50'), screen: ASK_PIN },
  {
    ...chat,
    event: did({ type: 'gave', secret: 'pin' }),
    screen: { ...ASK_PIN, key: 'transfer.processing', expects: 'nothing' },
  },
);

test('a conversation reads as its customer lived it, masked', () => {
  const read = lines(SENDING);
  expect(read[0]).toBe('did: opened');
  expect(read[1]).toMatch(/^screen: /);
  expect(read.slice(2, 4)).toEqual([
    "words: Envoyer de l'argent",
    expect.stringMatching(/^screen: .*numéro/s),
  ]);
  expect(read[4]).toBe('words: +212 6•• •• •• 02');
  expect(read[5]).toContain('+212 6•• •• •• 02');
  expect(read[6]).toBe('did: said (?)');
  expect(read[8]).toBe('words: ••••');
  expect(read[10]).toBe('did: gave pin');
  expect(read.join()).not.toContain('50,00');
});

test('a reveal shows numbers and amounts, and never the PIN', () => {
  const read = lines(SENDING, sightOf({ role: 'agent' }, true));
  expect(read[4]).toBe('words: +212 600 00 00 02');
  expect(read[8]).toBe('words: 50');
  expect(read[9]).toContain('50,00');
  expect(read[10]).toBe('did: gave pin');
});

test('on USSD each screen is the handset’s page, in the language of that moment', () => {
  const [first, second] = transcript(
    turns(
      { event: did({ type: 'dialed' }), screen: MENU },
      { event: unclear(said('9')), language: 'ar', screen: MENU },
    ),
    sightOf({ role: 'agent' }),
    renderer,
  );
  expect(first?.entries[1]).toMatchObject({
    kind: 'screen',
    text: expect.stringMatching(/^1 Envoyer|\n1 Envoyer/),
    choices: [],
  });
  expect([second?.language, second?.isUnclear]).toEqual(['ar', true]);
  expect(second?.entries[1]).toMatchObject({ text: expect.stringMatching(/\p{Script=Arabic}/u) });
});

test('on USSD a turned page is shown as it was', () => {
  const LONG = {
    key: 'menu.choose',
    choices: Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, key: 'menu.transfer' }) as const),
    expects: 'choice',
  } as const;
  const shown = transcript(
    turns({ event: did({ type: 'dialed' }), screen: LONG }, { event: went('more'), screen: LONG, page: 1 }),
    sightOf({ role: 'agent' }),
    renderer,
  ).map(({ entries }) => entries.find(({ kind }) => kind === 'screen'));
  for (const [page, screen] of shown.entries())
    expect(screen).toMatchObject({ text: renderer.ussd(LONG, 'fr', page).text });
  expect(shown[0]).not.toEqual(shown[1]);
});

test('agents read messages between customers and agents, and viewers do not', () => {
  const message: Sentence = {
    key: 'support.message',
    values: { agent: { name: 'Nadia' }, text: { text: 'Bonjour Fatima' } },
  };
  const owned = { ...chat, owner: 'nadia', screen: TALKING };
  const records = turns(
    { ...owned, event: acted('takeOver') },
    { ...owned, event: acted('write'), said: [message] },
    { ...owned, event: said('Merci, voici') },
    { ...chat, event: acted('handBack'), screen: MENU },
  );
  const read = lines(records);
  expect(read[0]).toBe('stepIn: takeOver by nadia');
  expect(read.slice(2, 4)).toEqual([expect.stringContaining('Bonjour Fatima'), 'words: Merci, voici']);
  expect(read.filter((line) => line.startsWith('stepIn'))).toEqual([
    'stepIn: takeOver by nadia',
    'stepIn: handBack by nadia',
  ]);
  const looked = lines(records, sightOf({ role: 'viewer' })).join('\n');
  expect(looked).toContain('Nadia');
  expect(looked).not.toMatch(/Fatima|Merci/);
});

test('characters that reverse a text are not on the page', () => {
  const owned = { ...chat, owner: 'nadia', screen: TALKING };
  const records = turns(
    { ...owned, event: acted('takeOver') },
    { ...owned, event: said('pay \u202e004 HD\u202c now') },
  );
  expect(lines(records)).toContain('words: pay 004 HD now');
});

test.each([
  ['ussd:+212612345678', ['words', 'screen']],
  ['web:abc', ['words']],
] as const)('words to an adviser are shown with the bot’s answer: %s', (address, kinds) => {
  const passedOn = turn({
    address,
    event: { ...said('bonjour'), toPerson: true },
    owner: 'nadia',
    screen: TALKING,
  });
  const joined = turn({ address, event: acted('takeOver'), owner: 'nadia', screen: TALKING });
  const last = transcript([joined, passedOn], sightOf({ role: 'agent' }), renderer).at(-1);
  expect(last?.entries.map(({ kind }) => kind)).toEqual(kinds);
  expect(JSON.stringify(last?.entries)).not.toContain('Nadia');
});

test('words to a person who is not there yet are shown with the screen that answers them', () => {
  const asked = { key: 'help.asked', expects: 'choice' } as const;
  const written = { ...asked, notice: { key: 'help.noted' } } as const;
  const wrote = { event: { ...said('ma carte est perdue'), toPerson: true as const }, screen: written };
  const records = turns({ ...chat, event: did({ type: 'opened' }), screen: asked }, { ...chat, ...wrote });
  const last = transcript(records, sightOf({ role: 'agent' }), renderer).at(-1);
  expect(last?.entries.map(({ kind }) => kind)).toEqual(['words', 'screen']);
  expect(JSON.stringify(last?.entries)).toContain('ma carte est perdue');
});

test('outcomes and times show beside the text, an unchanged screen is not repeated, and old records still show', () => {
  const read = lines(
    turns(
      { ...chat, event: did({ type: 'opened' }), screen: MENU },
      { ...chat, event: TIME, screen: MENU },
      { ...chat, event: PAID, screen: MENU, said: [{ key: invented('gone.sentence') }] },
    ),
  );
  expect(read.slice(2)).toEqual([
    'event: time',
    'event: payment accepted > succeeded: webhook',
    'news: gone.sentence',
  ]);
});

test('a message has the mark of its last delivery, and none while nothing is known of it', () => {
  const write = (at: number) =>
    turn({
      at,
      event: acted('write'),
      said: [{ key: 'support.message', values: { text: { text: 'Hello' } } }],
    });
  const delivered = (at: number, message: string, outcome: DeliveryOutcome) => ({
    ...{ v: 1 as const, at, address: `ussd:${FATIMA}` as const, language: 'fr' as const },
    event: { kind: 'delivery' as const, message, says: 'support.message', outcome, tries: 1 },
  });
  const records = [write(1), write(5), write(9)];
  const marks = withDeliveries(transcript(records, sightOf({ role: 'agent' }), renderer), records, [
    delivered(2, 'a', 'accepted'),
    delivered(6, 'b', 'failed'),
    delivered(7, 'a', 'read'),
  ]);
  expect(marks.map((each) => each.delivered)).toEqual(['read', 'failed', undefined]);
});

test.each(['fr', 'en', 'ar'] as const)('a mask has the same dots on a page of USSD, in %s', (language) => {
  const values = { ...ASK_PIN.values, note: { text: '*' } };
  const shown = lines([turn({ language, screen: { ...ASK_PIN, values } as never })]).at(-1);
  expect(shown).toContain('•••• ');
  expect(shown, 'as on the list').toContain('+212 6•• •• ••');
  expect(shown).not.toMatch(/[*¤]/);
});

test('the stars that a customer saw on a page of USSD stay stars', () => {
  const screen = {
    key: 'support.message',
    values: { text: { text: 'Dial *123#' }, agent: { name: 'Nadia' } },
    expects: 'field',
  };
  const revealed = sightOf({ role: 'agent' }, true);
  expect(lines([turn({ screen: screen as never })], revealed).join()).toContain('*123#');
});
