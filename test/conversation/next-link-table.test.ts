import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { channelOf } from '../../src/conversation/channel.ts';
import type { Address, Delivery, Push, Topic } from '../../src/conversation/incoming.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, loses, theWorld, type World } from '../kit/world.ts';

/*
 * The table of docs/operator/messages.md, computed: customers who look at nothing, at an address and with another chat of the same
 * wallet. UPDATE_TABLE=1 writes it.
 */
const FILE = new URL('../../docs/operator/messages.md', import.meta.url);
const SETTLES_MS = 1_500;
addTestChannel('loyal', { pushes: 'always', reachesAway: true });
addTestChannel('blocked', { pushes: 'always', reachesAway: true });
// Closed before the outcome comes, and without a template.
addTestChannel('closed', { pushes: { withinMs: 1_000 }, reachesAway: true });
// Where a payment is made that the other places hear of.
addTestChannel('elsewhere', { pushes: 'never' });

const heard: (Topic | undefined)[] = [];
const settings = {
  language: 'fr' as const,
  deliver: async (address: Address, { money, topic }: Push): Promise<Delivery> => {
    const channel = channelOf(address) as string;
    if (channel === 'loyal' && money) heard.push(topic);
    return channel === 'loyal' ? 'delivered' : 'held';
  },
};
const world = theWorld(settings);
/** The operator pays for everything, so that a receipt or the warning of a debit may say what an outcome would. */
const generous = theWorld({
  ...settings,
  smsFor: ['outcome', 'received', 'debit', 'receipt'],
  smsReceipts: ['ussd', 'web', 'loyal', 'blocked', 'closed'],
});
/** A column of the table: its world, the SMS that says it, and the messages of another chat that do. */
const COLUMNS: Readonly<Record<Topic, readonly [of: World, sms: RegExp, chat: readonly Topic[]]>> = {
  outcome: [world, /Référence/, ['outcome', 'debit']],
  received: [world, /Référence/, ['received']],
  debit: [generous, /débités le/, ['debit']],
  receipt: [generous, /^Wasl, recu/, []],
};

const PLACES = ['USSD', 'closed page', 'chat', 'blocked chat', 'chat, closed window'] as const;
type Place = (typeof PLACES)[number];

/** In an object, as a customer can be awaited. */
async function at(place: Place, of: Customer, world: World): Promise<{ readonly chat: Customer }> {
  const chat = {
    USSD: () => of,
    'closed page': () => world.chatOf(of),
    chat: () => inTestChannel(world, of, 'loyal'),
    'blocked chat': () => inTestChannel(world, of, 'blocked'),
    'chat, closed window': () => inTestChannel(world, of, 'closed'),
  }[place]();
  await chat.isAtMenu();
  return { chat };
}

/** Where the customer hears, and after how many seconds at most: time passes in steps of ten. */
async function hears({ phone }: Customer, topic: Topic): Promise<string> {
  const [of, sms, topics] = COLUMNS[topic];
  await of.rests();
  for (let seconds = 0; seconds <= 60; seconds += 10) {
    if (topics.some((each) => heard.includes(each))) return `chat, ${seconds} s`;
    if (of.sms(phone).some((text) => sms.test(text))) return `SMS, ${seconds} s`;
    await of.passes(10_000);
  }
  return 'next dial';
}

/** Something happens to the customer's money, while they look at nothing. */
const HAPPENS: Readonly<Record<Topic, (person: Customer, chat: Customer) => Promise<unknown>>> = {
  async outcome(_, chat) {
    world.wallet.next('transfer', loses);
    await chat.chooses('transfer').says('0655000000').says('100').enters().sees('transfer.notConfirmed');
  },
  async received(person) {
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(person.phone).says('20').enters();
  },
  async debit(person) {
    const elsewhere = inTestChannel(generous, person, 'elsewhere');
    await elsewhere.isAtMenu();
    await elsewhere.chooses('transfer').says('0655000000').says('100').enters();
  },
  receipt: async (_, chat) => chat.chooses('transfer').says('0655000000').says('100').enters(),
};

async function rowOf(place: Place, other: Place | 'none'): Promise<string> {
  const told: string[] = [];
  for (const topic of ['outcome', 'received', 'debit', 'receipt'] as const) {
    const [of] = COLUMNS[topic];
    const person = of.customer({ language: 'fr' });
    const { chat } = await at(place, person, of);
    if (other !== 'none' && other !== place) await at(other, person, of);
    await of.rests();
    heard.length = 0;
    await HAPPENS[topic](person, chat);
    // The wallet settles it, and its event comes.
    await of.passes(SETTLES_MS);
    told.push(await hears(person, topic));
  }
  return `| ${place} | ${other} | ${told.join(' | ')} |`;
}

test('customers who look at nothing hear as the table in the docs says, within a minute', async () => {
  const rows: string[] = [];
  for (const place of PLACES)
    for (const other of ['none', ...PLACES.filter((each) => each !== 'USSD' && each !== place)] as const)
      rows.push(await rowOf(place, other));
  const table = [
    '| where they were | another chat | outcome of their payment | money received | a debit made elsewhere | receipt |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
  const page = readFileSync(FILE, 'utf8');
  const before = /\| where they were[\s\S]*?\n(?=\n|$)/;
  if (process.env.UPDATE_TABLE) writeFileSync(FILE, page.replace(before, `${table}\n`));
  else expect(before.exec(page)?.[0].trim()).toBe(table);
  expect(rows.filter((row) => row.includes('next dial'))).toEqual([]);
}, 120_000);
