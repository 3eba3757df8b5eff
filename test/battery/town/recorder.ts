import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import type { Incoming, Language, Reply } from '../../../src/conversation/incoming.ts';
import { createCatalog } from '../../../src/screen/catalog.ts';
import { loadLocales } from '../../../src/screen/locales.ts';
import { plain } from '../../../src/screen/marks.ts';
import { createVoice, type Renderer } from '../../../src/screen/renderer.ts';
import { type Around, sentencesOf } from './listener.ts';
import type { Execution } from './oracle.ts';

type Medium = 'ussd' | 'chat' | 'sms';

/** A text as it was written for a channel, and what it was made of. */
interface Written {
  /** The sentences that can be read. A page carries only some sentences of its screen. */
  readonly sentences: readonly Sentence[];
  /** When it was written, which is as it leaves, and the ledger of that moment. */
  readonly at: number;
  readonly executions: readonly Execution[];
  readonly screenKey?: string;
  /** It is the menu. */
  readonly isMenu: boolean;
  /** For an answer: when the input came in, whether it opened the chat, and whether Wasl expects nothing more. */
  readonly askedAt?: number;
  readonly opens?: boolean;
  readonly rests?: boolean;
}

/** Knows of every text what sentences it was made of: it stands between the channels and the renderer. */
export interface Recorder {
  between(renderer: Renderer): Renderer;
  /** A turn was answered with this. The channel will write it next. */
  answers(incoming: Incoming, reply: Reply, askedAt: number): void;
  /**
   * The sentences of a text that left: the oldest text of these words that was not asked for yet, or the last one.
   * @throws for a text that nobody has written here, as it has no key
   */
  of(medium: Medium, text: string): Written;
}

/** The first characters of a sentence: enough to know that a page has begun to say it. */
const BEGINNING_CHARS = 18;
/** The words in which an open payment shares a page with the screen below it. */
const CATALOG = createCatalog(loadLocales());
const briefly = {
  fr: createVoice(CATALOG, 'fr', 'brief'),
  ar: createVoice(CATALOG, 'ar', 'brief'),
  en: createVoice(CATALOG, 'en', 'brief'),
} as const;

export function createRecorder({ now, executions }: Around): Recorder {
  const written = new Map<string, Texts>();
  const turns = new WeakMap<Screen, Pick<Written, 'askedAt' | 'opens' | 'rests'>>();
  const note = (medium: Medium, text: string, sentences: readonly Sentence[], screen: Screen) => {
    const name = `${medium} ${read(text)}`;
    const one: Written = {
      sentences,
      at: now(),
      executions: executions(),
      screenKey: screen.key,
      isMenu: screen.key === 'menu.choose',
      ...turns.get(screen),
    };
    const { all = [], taken = 0 } = written.get(name) ?? {};
    written.set(name, { all: [...all, one], taken });
  };

  return {
    between: (renderer) => ({
      chat(screen, language) {
        const chat = renderer.chat(screen, language);
        note('chat', chat.text, sentencesOf(screen), screen);
        return chat;
      },
      labels: renderer.labels,
      shortLabels: renderer.shortLabels,
      ussd(screen, language, page, limits, before = []) {
        const shown = renderer.ussd(screen, language, page, limits, before);
        const isShown = isOn(shown.text, renderer, language);
        const isNamed = (sentence: Sentence) =>
          screen.first?.includes(sentence) === true && begins(shown.text, briefly[language](sentence));
        const said = sentencesOf(screen, before).filter((each) => isShown(each) || isNamed(each));
        note('ussd', shown.text, said, screen);
        return shown;
      },
      sms(screen, language) {
        const sms = renderer.sms(screen, language);
        note('sms', sms.text, sentencesOf({ ...screen, choices: [] }), screen);
        return sms;
      },
    }),

    answers({ inputs: [only] }, { screen, rests }, askedAt) {
      turns.set(screen, {
        askedAt,
        opens: only?.type === 'opened' || (only?.type === 'said' && only.text === '/start'),
        rests: rests || screen.expects === 'nothing',
      });
    },

    of(medium, text) {
      const exact = written.get(`${medium} ${read(text)}`);
      if (exact) return next(exact);
      // A chat may put a line of its own above or below.
      const parts = [...written].filter(
        ([name]) => name.startsWith(`${medium} `) && read(text).includes(name.slice(medium.length + 1)),
      );
      const longest = parts.sort(([a], [b]) => b.length - a.length)[0]?.[1];
      if (longest) return next(longest);
      throw new Error(`a text without a key left by ${medium}: ${text}`);
    },
  };
}

/** Texts that read the same, oldest first, and how many of them were asked for. */
interface Texts {
  readonly all: readonly Written[];
  taken: number;
}

function next(texts: Texts): Written {
  const one = texts.all[Math.min(texts.taken++, texts.all.length - 1)];
  if (!one) throw new Error('a text that nobody has written');
  return one;
}

/** True for the sentences that a page of USSD begins to say. */
function isOn(page: string, renderer: Renderer, language: Language): (sentence: Sentence) => boolean {
  return ({ key, values }) => {
    const alone = renderer.ussd({ key, ...(values && { values }), expects: 'nothing' }, language, 0).text;
    return begins(page, alone);
  };
}

function begins(page: string, sentence: string): boolean {
  return read(page).includes(read(sentence).slice(0, BEGINNING_CHARS));
}

/** A text as it is read, whatever holds it together, hides it or makes it bold. */
function read(text: string): string {
  return plain(text.replace(/[\ue000-\ue003*]/g, '')).replace(/\s+/g, ' ');
}
