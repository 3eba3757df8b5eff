import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { channelOf } from '../../src/conversation/channel.ts';
import type { Address, Delivery, Push } from '../../src/conversation/incoming.ts';
import type { Customer } from '../kit/customer.ts';
import { loses } from '../kit/meddler.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { theWorld } from '../kit/world.ts';

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

const heard: Address[] = [];
const world = theWorld({
  language: 'fr',
  deliver: async (address: Address, push: Push): Promise<Delivery> => {
    const channel = channelOf(address) as string;
    if (channel === 'loyal' && push.money) heard.push(address);
    return channel === 'loyal' ? 'delivered' : 'held';
  },
});

const PLACES = ['USSD', 'closed page', 'chat', 'blocked chat', 'chat, closed window'] as const;
type Place = (typeof PLACES)[number];

/** In an object, as a customer can be awaited. */
async function at(place: Place, of: Customer): Promise<{ readonly chat: Customer }> {
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
async function hears({ phone }: Customer): Promise<string> {
  const texts = () => world.sms(phone).filter((text) => text.includes('Référence')).length;
  await world.rests();
  for (let seconds = 0; seconds <= 60; seconds += 10) {
    if (heard.length > 0) return `chat, ${seconds} s`;
    if (texts() > 0) return `SMS, ${seconds} s`;
    await world.passes(10_000);
  }
  return 'next dial';
}

async function rowOf(place: Place, other: Place | 'none'): Promise<string> {
  const told: string[] = [];
  for (const topic of ['outcome', 'received'] as const) {
    const person = world.customer({ language: 'fr' });
    const { chat } = await at(place, person);
    if (other !== 'none' && other !== place) await at(other, person);
    await world.rests();
    heard.length = 0;
    if (topic === 'outcome') {
      world.wallet.next('transfer', loses);
      await chat.chooses('transfer').says('0655000000').says('100').enters().sees('transfer.notConfirmed');
    } else {
      const sender = world.customer();
      await sender.isAtMenu();
      await sender.chooses('transfer').says(person.phone).says('20').enters();
    }
    // The wallet settles it, and its event comes.
    await world.passes(SETTLES_MS);
    told.push(await hears(person));
  }
  return `| ${place} | ${other} | ${told.join(' | ')} |`;
}

test('customers who look at nothing hear as the table in the docs says, within a minute', async () => {
  const rows: string[] = [];
  for (const place of PLACES)
    for (const other of ['none', ...PLACES.filter((each) => each !== 'USSD' && each !== place)] as const)
      rows.push(await rowOf(place, other));
  const table = [
    '| where they were | another chat | outcome of their payment | money received |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
  const page = readFileSync(FILE, 'utf8');
  const before = /\| where they were[\s\S]*?\n(?=\n|$)/;
  if (process.env.UPDATE_TABLE) writeFileSync(FILE, page.replace(before, `${table}\n`));
  else expect(before.exec(page)?.[0].trim()).toBe(table);
  expect(rows.filter((row) => row.includes('next dial'))).toEqual([]);
}, 120_000);
