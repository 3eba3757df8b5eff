import type { Screen, Sentence } from '../../machines/kit/screen.ts';
import { abilitiesOf } from '../conversation/channel.ts';
import type { Language } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record.ts';
import type { Renderer } from '../screen/renderer.ts';
import { MASK, maskAnswer, maskScreen, maskSentence, type Sight } from './masks.ts';

/** One thing in a transcript, in the customer's language: what one of the two sides said or did. */
export type Entry =
  /** A screen, or a message beside it. `news`: said by Wasl on its own; `agent`: in a person's words. */
  | {
      readonly kind: 'screen' | 'news' | 'agent';
      readonly text: string;
      readonly choices: readonly string[];
    }
  /** What the customer typed or chose, in words. `isMasked`: not to be seen by this agent. */
  | { readonly kind: 'words'; readonly text: string; readonly isMasked: boolean }
  /** What was done, by its name in the console: `pin`, `went back`, `dialed`. */
  | { readonly kind: 'did'; readonly what: string }
  /** What an agent did: `joined`. */
  | { readonly kind: 'stepIn'; readonly what: string; readonly by: string }
  /** What the world did: time passed, a payment's outcome, a call's answer. */
  | { readonly kind: 'event'; readonly what: string };

/** One turn as it is shown. */
export interface ShownTurn {
  readonly at: number;
  readonly language: Language;
  readonly entries: readonly Entry[];
  /** The customer's answer meant nothing on its screen. */
  readonly isUnheard: boolean;
}

/**
 * A conversation as its customer saw it, made of its records: what they did, what was said beside, and each screen that came
 * of it, in their language.
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
    const did = deed(record, before, say, sight);
    const beside = (record.said ?? []).map(say.message);
    const isSame = before && shape(before) === shape(record);
    const screen = record.toPerson ? passedOn(record) : record.screen;
    const showsScreen = record.toPerson || !isSame || !(record.by || did?.kind === 'event');
    return {
      at: record.at,
      language: record.language,
      entries: [...(did ? [did] : []), ...beside, ...(screen && showsScreen ? [say.screen(screen)] : [])],
      isUnheard: record.heard === false,
    };
  });
}

/** What words for a person are answered with: nothing where their answer can be pushed, else the end of the session. */
function passedOn({ address }: TurnRecord): TurnRecord['screen'] | undefined {
  return abilitiesOf(address).pushes === 'never' ? { key: 'support.sent', expects: 'nothing' } : undefined;
}

function shape({ screen, page }: TurnRecord): string {
  return JSON.stringify([screen, page]);
}

/** Inputs that are more than a name: `said 200`, `chose confirm`. */
const WORDS = /^(said|chose)(?: ([\s\S]*))?$/;
/** Inputs of the customer that are a name alone. Whatever else is recorded, the world did. */
const DEEDS: ReadonlySet<string> = new Set([
  'pin',
  'newPin',
  'otp',
  'password',
  'tapped',
  'contact',
  'photo',
  'dialed',
  'opened',
  'speaks',
  'picked',
  'went back',
  'went menu',
  'went cancel',
  'went help',
  'went language',
  'went more',
]);

function deed(
  { event, by, screen }: TurnRecord,
  before: TurnRecord | undefined,
  say: Speaker,
  sight: Sight,
): Entry | undefined {
  if (by) {
    // Their words are shown themselves.
    if (event === 'agent wrote') return undefined;
    return { kind: 'stepIn', what: event.replace(/^agent /, ''), by };
  }
  const [, verb, text] = WORDS.exec(event) ?? [];
  if (!verb) return DEEDS.has(event) ? { kind: 'did', what: event } : { kind: 'event', what: event };
  if (text === undefined) return { kind: 'did', what: verb };
  const asked = before?.screen ?? screen;
  if (verb === 'chose') {
    const choice = asked.choices?.find(({ id }) => id === text);
    return choice ? { kind: 'words', text: say.label(choice), isMasked: false } : { kind: 'did', what: verb };
  }
  // What is said to a person is theirs to read.
  const shown = before?.owner && sight.talk ? text : maskAnswer(text, asked.expects, sight);
  return { kind: 'words', text: shown, isMasked: shown === MASK };
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
  const onUssd = (screen: Screen) =>
    safely(screen, () => ({ text: renderer.ussd(screen, language, page).text, choices: [] }));

  return {
    screen: (screen: TurnRecord['screen']): Entry => ({
      kind: 'screen',
      ...(isPaged ? onUssd : inChat)(maskScreen(screen as Screen, sight)),
    }),
    message: (sentence: Sentence): Entry => {
      const isAgents = sentence.key === 'support.message';
      // What an agent wrote is read by agents.
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
