import { CLAIMS, type Claim } from '../../../machines/kit/claims.ts';
import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import { READINGS } from '../../../src/conversation/chart/readings.ts';
import { claimOf } from '../../../src/conversation/chart/releases.ts';
import type { Address, Conversations, Incoming, Push, Reply } from '../../../src/conversation/incoming.ts';
import { methodOf } from '../../../src/payments/payments.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Told } from './heard.ts';
import type { Execution, Verdict } from './oracle.ts';
import { type Freezing, falsehoods, type Payment, type Spoken, toldBy } from './truth.ts';

/** How much was said, and how much of it was false. */
export interface Heard {
  readonly texts: number;
  /** Sentences by what they claim. */
  readonly claims: Readonly<Partial<Record<Claim, number>>>;
  /** One line for each falsehood: when, to whom, what. */
  readonly lies: readonly string[];
}

/** The listener's clock and ledger. */
export interface Around {
  readonly now: () => number;
  readonly executions: () => readonly Execution[];
}

/** When a text left, and everything that the wallet's ledger had by then. */
export interface Moment {
  readonly at: number;
  readonly executions: readonly Execution[];
}

/** Hears every text that reaches a customer, each with the wallet's ledger of that moment. */
export interface Listener {
  now(): number;
  /** A text, by its sentences. The moment it left and the ledger of that moment are now, unless they were noted then. */
  hears(text: Omit<Spoken, 'at'>, moment?: Moment): void;
  /** An input came in: what is answered to it may be lost on its way. */
  asks(address: Address): void;
  /** The answer to an input. */
  hearsReply(
    incoming: Incoming,
    reply: Reply,
    askedAt: number,
    wallet: Msisdn | undefined,
    moment?: Moment,
  ): void;
  /** A message of Wasl itself: an SMS, or a message in a chat. */
  hearsPush(address: Address, push: Pick<Push, 'screen'>, wallet: Msisdn | undefined): void;
  /** Every sentence that one customer has read, in order. */
  told(wallet: Msisdn): readonly Told[];
  /**
   * Compares all of it with what has become of the payments: `audit` of an intent says how it stood at each moment.
   * @param wallet only what was said to its customer
   */
  verdict(payments: readonly Payment[], wallet?: Msisdn, freezes?: readonly Freezing[]): Heard;
}

/** When something came in from an address. */
type Inputs = ReadonlyMap<Address, readonly number[]>;
type Noted = Spoken & Moment;

export function createListener({ now, executions }: Around): Listener {
  const heard: Noted[] = [];
  const dialogs = new Map<Address, string | undefined>();
  const hears: Listener['hears'] = (text, moment = { at: now(), executions: executions() }) => {
    const wallet: string = text.wallet ?? '';
    const concerned = moment.executions.filter(({ sender, receiver }) => [sender, receiver].includes(wallet));
    heard.push({ ...text, at: moment.at, executions: concerned });
  };
  const inputs = new Map<Address, number[]>();
  const asks = (address: Address, at = now()) =>
    void inputs.set(address, [...(inputs.get(address) ?? []), at]);
  return {
    now,
    hears,
    asks,
    hearsReply(incoming, reply, askedAt, wallet, moment) {
      const { address, dialog } = incoming;
      const isDial = dialog !== undefined && dialog !== dialogs.get(address);
      dialogs.set(address, dialog);
      const missed = reply.missed.map(({ screen }) => screen);
      const contact = isDial ? 'starts' : contactOf(incoming, reply);
      hears({ askedAt, address, wallet, contact, sentences: sentencesOf(reply.screen, missed) }, moment);
    },
    hearsPush: (address, { screen }, wallet) =>
      hears({ askedAt: now(), address, wallet, contact: 'goes on', sentences: sentencesOf(screen) }),
    told: (phone) =>
      heard
        .filter(({ wallet }) => wallet === phone)
        .flatMap(({ at, address, sentences }) =>
          sentences.map((sentence) => ({ at, address, phone, sentence })),
        ),
    verdict(payments, wallet, freezes) {
      const said = wallet ? heard.filter((each) => each.wallet === wallet) : [...heard];
      said.sort((a, b) => a.at - b.at);
      return verdictOf(said, payments, inputs, freezes);
    },
  };
}

/** Every sentence that a customer has read, and those that wait in the chat. */
export async function toldIn(
  listener: Listener,
  engine: Pick<Conversations, 'waiting'>,
  { phone, address }: { readonly phone: Msisdn; readonly address: Address },
): Promise<readonly Told[]> {
  const waiting = await engine.waiting(address);
  const sent = waiting.map(({ screen: sentence }) => ({ at: listener.now(), address, phone, sentence }));
  return [...listener.told(phone), ...sent];
}

/**
 * The texts that customers read, while a store may have lost acknowledged writes. False texts about a forgotten payment
 * are counted apart (`afterLoss`), as nobody could know.
 */
export function heardBy(
  listener: Listener,
  { intents, forgotten }: Pick<Verdict, 'intents' | 'forgotten'>,
  wallets: readonly Msisdn[],
): Pick<Heard, 'texts' | 'lies'> & { readonly afterLoss: number } {
  const bereft = new Set<string>(forgotten.map(({ sender }) => sender));
  const all = wallets.map((wallet) => ({ wallet, ...listener.verdict(intents, wallet) }));
  const kept = all.filter(({ wallet }) => !bereft.has(wallet));
  return {
    texts: all.reduce((sum, { texts }) => sum + texts, 0),
    lies: kept.flatMap(({ lies }) => lies),
    afterLoss: all.reduce((sum, { wallet, lies }) => sum + (bereft.has(wallet) ? lies.length : 0), 0),
  };
}

/**
 * Every sentence of a screen in reading order: the missed ones, the notice, the screen's own, its choices, and lines inside values. Open
 * payments come first, or stand behind an answer.
 */
export function sentencesOf(screen: Screen, missed: readonly Screen[] = []): Sentence[] {
  const { first = [], isAnswer } = screen;
  const open = (isHere: boolean) => (isHere ? first : []);
  const said = (each: Screen): Sentence[] => [...(each.notice ? [each.notice] : []), each];
  return [
    ...[...open(!isAnswer), ...missed.flatMap(said), ...said(screen), ...open(isAnswer === true)],
    ...(screen.choices ?? []),
  ].flatMap(withLines);
}

function withLines(sentence: Sentence): Sentence[] {
  const inner = Object.values(sentence.values ?? {}).flatMap((value) => {
    if ('lines' in value) return value.lines;
    return 'say' in value ? [{ key: value.say }] : [];
  });
  return [sentence, ...inner.flatMap(withLines)];
}

function contactOf({ inputs: [only] }: Incoming, { screen, rests, repeated }: Reply): Spoken['contact'] {
  if (only?.type === 'opened') return 'starts';
  if (screen.key === 'menu.choose' && !repeated) return 'starts';
  return rests || screen.expects === 'nothing' ? 'ends' : 'goes on';
}

function verdictOf(
  heard: readonly Noted[],
  payments: readonly Payment[],
  inputs: Inputs,
  freezes?: readonly Freezing[],
): Heard {
  const told = new Map<Msisdn, Set<number>>();
  const claims: Partial<Record<Claim, number>> = {};
  const lies: string[] = [];
  for (const [i, { executions, ...spoken }] of heard.entries()) {
    const { wallet, sentences, address, at } = spoken;
    const known = wallet && (told.get(wallet) ?? told.set(wallet, new Set()).get(wallet));
    const found = falsehoods(spoken, {
      ...{ executions, payments, told: known ?? new Set() },
      ...(freezes && { freezes }),
    });
    const isComplete = sentences.every(({ key }) => hasClaim(key));
    if (isComplete) found.push(...leftUnsaid(spoken, payments, heard.slice(i + 1), inputs));
    const where = `${new Date(at).toISOString()} ${address} [${sentences.map(({ key }) => key).join(' ')}]`;
    lies.push(...found.map((lie) => `${where}: ${lie}`));
    for (const sentence of isComplete ? sentences : []) {
      const claim = claimOf(sentence.key);
      claims[claim] = (claims[claim] ?? 0) + 1;
      if (wallet) for (const id of toldBy(sentence, wallet, executions)) known?.add(id);
    }
  }
  return { texts: heard.length, claims, lies };
}

/** A contact that ended while a PIN was checked or a call was made, and not a word of the money that left behind it. */
function leftUnsaid(
  { contact, address, at, sentences }: Spoken,
  payments: readonly Payment[],
  later: readonly Spoken[],
  inputs: Inputs,
): string[] {
  if (contact === 'goes on' || sentences.some(({ key }) => claimOf(key) === 'open')) return [];
  // The card that a text asks for is typed on a page of ours, and may be on its way there.
  if (/^card-cash-in\.ask(?:Card|Cvv)$/.test(sentences.at(-1)?.key ?? '')) return [];
  const others = later.filter((each) => each.address === address);
  // Another input was on its way already: its answer is read after this one.
  if (others.some(({ askedAt }) => askedAt < at)) return [];
  // A later answer has a later question, be it in the same millisecond.
  const unanswered = (inputs.get(address) ?? []).filter((each) => each > at);
  const next = Math.min(...unanswered, ...others.map(({ askedAt }) => askedAt));
  const left = payments.filter(
    (each) =>
      each.address === address &&
      each.sentAt > at &&
      each.sentAt < next &&
      // A stranger has sent it on a page of ours, or it is a line of a file, which its release has announced.
      methodOf(each.order).waitsFor !== 'other' &&
      !methodOf(each.order).inBulk,
  );
  return left.map(({ id }) => `${sentences.at(-1)?.key} ends a contact, and then ${id} is sent`);
}

/** It has a row, or belongs to a conversation that only reads. */
function hasClaim(key: string): boolean {
  return CLAIMS.has(key) || READINGS.some(({ id }) => key.startsWith(`${id}.`));
}
