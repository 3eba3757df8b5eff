import type { Screen, Sentence } from '../../machines/kit/screen.ts';
import { abilitiesOf } from '../conversation/channel.ts';
import type { Language } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record/record.ts';
import type { EventOf, InputDone } from '../conversation/record/turn-event.ts';
import type { DeliveryOutcome, DeliveryRecord } from '../conversation/session/delivery-record.ts';
import { withoutOverrides } from '../screen/marks.ts';
import type { Renderer } from '../screen/renderer.ts';
import { MASK, maskAnswer, maskScreen, maskSentence, type Sight } from './masks.ts';

/** One thing in a transcript, in the customer's language: what one of the two sides said or did. */
export type Entry =
  /** A screen, or a message of its own. `news`: said by Wasl on its own. `agent`: in an agent's words. */
  | {
      readonly kind: 'screen' | 'news' | 'agent';
      readonly text: string;
      readonly choices: readonly string[];
    }
  /** The customer's text or choice, in words. `isMasked`: not to be seen by this agent. */
  | { readonly kind: 'words'; readonly text: string; readonly isMasked: boolean }
  /** An act of the customer without words that can be shown: gave a PIN, went back, dialed. */
  | { readonly kind: 'did'; readonly input: InputDone }
  | { readonly kind: 'stepIn'; readonly event: EventOf<'agent'> }
  /** An event that neither side has caused: time passed, a payment's outcome, the end of a call. */
  | { readonly kind: 'event'; readonly event: EventOf<'time' | 'call' | 'payment' | 'reference'> };

export interface ShownTurn {
  readonly at: number;
  readonly language: Language;
  readonly entries: readonly Entry[];
  /** The customer's answer meant nothing on its screen. */
  readonly isUnclear: boolean;
  /** How its message was delivered last. Absent: nothing is known of it. */
  readonly delivered?: DeliveryOutcome;
}

/**
 * The same turns, with how their messages were delivered. Messages to one address are delivered in their order.
 * @param records those that the turns are made of
 * @param deliveries the earliest first
 */
export function withDeliveries(
  turns: readonly ShownTurn[],
  records: readonly TurnRecord[],
  deliveries: readonly DeliveryRecord[],
): readonly ShownTurn[] {
  const messages = new Set(Map.groupBy(deliveries, ({ event }) => event.message).values());
  return turns.map((turn, i) => {
    const says = records[i]?.said?.at(-1)?.key;
    const its = messages
      .values()
      .find(([first]) => first?.event.says === says && (first?.at ?? 0) >= turn.at);
    if (its) messages.delete(its);
    const delivered = its?.at(-1)?.event.outcome;
    return delivered ? { ...turn, delivered } : turn;
  });
}

/** The same turns, with the names of agents. Of an account that is gone, its id stays. */
export function withAgents(
  records: readonly TurnRecord[],
  agents: readonly { readonly id: string; readonly name: string }[],
): readonly TurnRecord[] {
  return records.map((record) => {
    const { event } = record;
    const by = event.kind === 'agent' && agents.find(({ id }) => id === event.by)?.name;
    return by ? { ...record, event: { ...event, by } } : record;
  });
}

/**
 * A conversation as its customer saw it, made of its records: their acts, the messages, and the screens that followed,
 * in their language.
 * @param records of one address, the earliest first
 */
export function transcript(
  records: readonly TurnRecord[],
  sight: Sight,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
): ShownTurn[] {
  return records.map((record, i) => {
    const before = records[i - 1];
    const say = speaker(record, renderer, sight);
    const did = entryOf(record, before, say, sight);
    const messages = (record.said ?? []).map(say.message);
    const isSame = before && shape(before) === shape(record);
    const input = record.event.kind === 'input' ? record.event : undefined;
    const screen = input?.toPerson && before?.owner ? passedOn(record) : record.screen;
    // Each act of the customer is answered by a screen, also by the same one again.
    const showsScreen = input !== undefined || !isSame;
    return {
      at: record.at,
      language: record.language,
      entries: [
        ...(did ? [did] : []),
        ...writtenUnder(record, sight),
        ...messages,
        ...(screen && showsScreen ? [say.screen(screen)] : []),
      ],
      isUnclear: input?.unclear === true,
    };
  });
}

/** The screen after words for an agent: none where the agent's answer can be pushed, else the end of the session. */
function passedOn({ address }: TurnRecord): TurnRecord['screen'] | undefined {
  return !abilitiesOf(address).keepsShown ? { key: 'support.sent', expects: 'nothing' } : undefined;
}

function shape({ screen, page }: TurnRecord): string {
  return JSON.stringify([screen, page]);
}

/** The event of a turn, as far as its screens and messages do not show it. */
function entryOf(
  { event, screen }: TurnRecord,
  before: TurnRecord | undefined,
  say: Speaker,
  sight: Sight,
): Entry | undefined {
  switch (event.kind) {
    case 'input': {
      const isForAgent = before?.owner !== undefined || event.toPerson === true;
      return inputEntry(event.input, before?.screen ?? screen, isForAgent, say, sight);
    }
    case 'agent':
      // Their words are shown themselves.
      return event.act === 'write' ? undefined : { kind: 'stepIn', event };
    case 'time':
    case 'call':
    case 'payment':
    case 'reference':
      return { kind: 'event', event };
  }
}

/** The customer's text under a file for an agent. */
function writtenUnder({ event }: TurnRecord, sight: Sight): Entry[] {
  const input = event.kind === 'input' ? event.input : undefined;
  if (input?.type !== 'photo' || input.text === undefined) return [];
  return [{ kind: 'words', text: sight.talk ? withoutOverrides(input.text) : MASK, isMasked: !sight.talk }];
}

/** @param asked the screen that was answered */
function inputEntry(
  input: InputDone,
  asked: TurnRecord['screen'],
  isForAgent: boolean,
  say: Speaker,
  sight: Sight,
): Entry {
  if (input.type === 'chose') {
    const choice = asked.choices?.find(({ id }) => id === input.choice);
    if (choice) return { kind: 'words', text: say.label(choice), isMasked: false };
  }
  if (input.type === 'said' && input.text !== undefined) {
    // Agents may read the words that were meant for an agent.
    const shown = isForAgent && sight.talk ? input.text : maskAnswer(input.text, asked.expects, sight);
    return { kind: 'words', text: withoutOverrides(shown), isMasked: shown === MASK };
  }
  return { kind: 'did', input };
}

/** Stands for a dot of a mask: a character of USSD's alphabet that no sentence has. */
const IN_GSM7 = '¤';

function withMarks(screen: Screen): Screen {
  return JSON.parse(JSON.stringify(screen).replaceAll('•', IN_GSM7));
}

type Speaker = ReturnType<typeof speaker>;

/** Says masked screens as their channel does: page by page, or as in a chat. */
function speaker(
  { address, language, page = 0 }: TurnRecord,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
  sight: Sight,
) {
  const isPaged = abilitiesOf(address).shows === 'pages';
  const inChat = (screen: Screen) =>
    safely(screen, () => {
      const { text, choices } = renderer.chat(screen, language);
      return { text, choices: choices.map(({ label }) => label) };
    });
  // The alphabet of USSD has no dot for a mask, and what the customer saw has no mask: its own stars stay.
  const onUssd = (screen: Screen) =>
    safely(screen, () => {
      const { text } = renderer.ussd(withMarks(screen), language, page);
      return { text: text.replaceAll(IN_GSM7, '•'), choices: [] };
    });

  return {
    screen: (screen: TurnRecord['screen']): Entry => ({
      kind: 'screen',
      ...(isPaged ? onUssd : inChat)(maskScreen(screen as Screen, sight)),
    }),
    message: (sentence: Sentence): Entry => {
      const isAgents = sentence.key === 'support.message';
      // Agents may read the words of an agent.
      const shown = isAgents && sight.talk ? sentence : maskSentence(sentence, sight);
      return { kind: isAgents ? 'agent' : 'news', ...inChat({ ...shown, expects: 'nothing' }) };
    },
    label: (choice: Sentence) => inChat({ ...maskSentence(choice, sight), expects: 'nothing' }).text,
  };
}

/** A record may be older than the sentences of today: then its key is all there is to show. */
function safely<T extends { readonly text: string; readonly choices: readonly string[] }>(
  { key }: Sentence,
  say: () => T,
): { readonly text: string; readonly choices: readonly string[] } {
  try {
    return say();
  } catch {
    return { text: key, choices: [] };
  }
}
