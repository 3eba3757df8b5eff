import type { Screen } from '../../../machines/kit/screen.ts';
import type { Address, Incoming, Raw, Reply } from '../../../src/conversation/incoming.ts';
import { type Msisdn, nationalNumber } from '../../../src/wallet/phone.ts';
import type { Random } from './random.ts';

const AMOUNTS = ['100', '200'];
const WRONG_PINS = ['0007', '12', '٠٠٠٧'];
const CONFIRMATION = /^transfer\.confirm/;
export const WARNINGS: readonly string[] = ['transfer.confirmAgain', 'transfer.confirmUnconfirmed'];

/** The customer pressed "confirm" on this. `warned`: the screen said that a payment like this one was made before. */
export interface Confirmed {
  readonly at: number;
  readonly warned: boolean;
  readonly to: string;
  readonly amount: number;
}

/** One customer at one address, and what went through their head. */
export interface Line {
  readonly address: Address;
  readonly phone: Msisdn;
  readonly channel: 'ussd' | 'web';
  readonly confirmed: Confirmed[];
  /** How often the right PIN was typed for a payment: each may send once. */
  pins: number;
  reply: Reply | undefined;
  dialog: string | undefined;
  inputs: number;
}

export function lineOf(phone: Msisdn, channel: 'ussd' | 'web'): Line {
  const address: Address = channel === 'ussd' ? `ussd:${phone}` : `web:chat-of-${phone}`;
  return { address, phone, channel, confirmed: [], pins: 0, reply: undefined, dialog: undefined, inputs: 0 };
}

/** What the customer does next on the screen they see; undefined: puts the phone away for a while. */
export function nextInput(
  line: Line,
  around: {
    random: Random;
    now: number;
    pin: string;
    others: readonly Msisdn[];
    code: () => string | undefined;
    isLazy: boolean;
  },
): Incoming {
  const { reply } = line;
  const isOver = !reply || (line.channel === 'ussd' && (reply.rests || reply.screen.expects === 'nothing'));
  if (isOver) return begins(line);
  const { random } = around;
  if (around.isLazy && random.chance(0.04))
    return input(line, went(random.pick(['back', 'menu', 'help', 'language', 'cancel'])));
  return input(line, answerTo(line, reply.screen, around));
}

/** A new dial, or the chat opened again. */
export function begins(line: Line): Incoming {
  if (line.channel === 'web') return input(line, { type: 'opened' });
  line.dialog = `dial-${line.inputs}`;
  const { inputs: _none, ...incoming } = input(line, went('menu'));
  return { ...incoming, inputs: [] };
}

function answerTo(line: Line, screen: Screen, around: Parameters<typeof nextInput>[1]): Raw {
  const { random, pin, now } = around;
  const { key, expects } = screen;
  if (expects === 'pin') {
    const typed = random.chance(0.92) ? pin : random.pick(WRONG_PINS);
    if (typed === pin && key === 'transfer.askPin') line.pins++;
    return said(typed);
  }
  const answers: Partial<Record<Screen['expects'], () => Raw>> = {
    phone: () => said(key === 'linking.askPhone' ? line.phone : nationalNumber(random.pick(around.others))),
    amount: () => said(random.pick(AMOUNTS)),
    otp: () => said(around.code() ?? '000-000'),
    nothing: () => went('menu'),
    choice: () => choose(line, screen, random, now),
  };
  return answers[expects]?.() ?? went('menu');
}

function choose(line: Line, screen: Screen, random: Random, now: number): Raw {
  const { key } = screen;
  const wanted = choiceOn(key, random);
  const { choices = [] } = screen;
  const id = choices.some((choice) => choice.id === wanted) ? wanted : choices[0]?.id;
  if (id === undefined) return went('menu');
  if (id === 'confirm' && CONFIRMATION.test(key)) line.confirmed.push(confirmedOn(screen, now));
  return line.channel === 'web'
    ? { type: 'chose', choice: id }
    : said(String(choices.findIndex((choice) => choice.id === id) + 1));
}

function choiceOn(key: string, random: Random): string {
  if (key === 'menu.choose')
    return random.chance(0.9) ? 'transfer' : random.pick(['balance', 'help', 'language']);
  if (WARNINGS.includes(key)) return random.chance(0.5) ? 'confirm' : 'cancel';
  if (CONFIRMATION.test(key)) return random.chance(0.9) ? 'confirm' : 'cancel';
  if (key === 'pay.unavailable') return random.chance(0.8) ? 'again' : 'cancel';
  if (key === 'language.choose') return random.pick(['fr', 'ar', 'en']);
  return random.chance(0.8) ? 'continue' : 'leave';
}

function confirmedOn({ key, values }: Screen, at: number): Confirmed {
  const to = values?.to && 'phone' in values.to ? values.to.phone : '';
  const amount = values?.amount && 'money' in values.amount ? values.amount.money : 0;
  return { at, warned: WARNINGS.includes(key), to, amount };
}

function input(line: Line, raw: Raw): Incoming {
  const { address, channel, dialog, reply } = line;
  const answers = channel === 'web' && raw.type === 'chose' && reply ? { answers: reply.screenId } : {};
  return {
    address,
    id: `${line.inputs++}`,
    inputs: [raw],
    ...(dialog !== undefined && { dialog }),
    ...answers,
    ...(channel === 'web' && { language: 'fr' as const }),
  };
}

function went(to: 'back' | 'menu' | 'help' | 'language' | 'cancel'): Raw {
  return { type: 'went', to };
}

function said(text: string): Raw {
  return { type: 'said', text };
}
