import type { Desk } from '../conversation/desk/desk.ts';
import type { Address, Language } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record/record.ts';
import type { Renderer } from '../screen/renderer.ts';
import type { Live } from './live.ts';
import type { Sight } from './masks.ts';
import { type Entry, transcript } from './transcript.ts';

const TURNS_MAX = 6;
/** Conversations whose last turns one process knows. Above it, the one that no list has shown for longest is forgotten. */
const KNOWN_MAX = 1_000;

/** The last thing in a conversation, as far as a sight reaches. */
export interface LastWords {
  readonly entry: Entry;
  /** The customer's language. */
  readonly language: Language;
}

interface Known {
  turns: Promise<readonly TurnRecord[]>;
  readonly stop: () => void;
}

/** The last words of conversations, for lists. Reads the last turns of a conversation once for all agents of this process. The live stream adds what follows. */
export function createLastWords(
  desk: Pick<Desk, 'turns'>,
  live: Pick<Live, 'follow'>,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
) {
  const known = new Map<Address, Known>();
  const made = new WeakMap<readonly TurnRecord[], Map<string, LastWords | undefined>>();
  const forget = (address: Address) => {
    known.get(address)?.stop();
    known.delete(address);
  };
  const begin = (address: Address): Known => {
    const stop = live.follow(address, (record) => {
      // Some turns may have been missed.
      if (!record) return forget(address);
      it.turns = it.turns.then((turns) => [...turns, record].slice(-TURNS_MAX));
    });
    const turns = desk.turns(address, TURNS_MAX).then((newest) => newest.reverse());
    const it: Known = { turns, stop };
    turns.catch(() => forget(address));
    return it;
  };
  return {
    /** Undefined where nothing was said, or where it cannot be read now. */
    async of(address: Address, sight: Sight): Promise<LastWords | undefined> {
      const it = known.get(address) ?? begin(address);
      // The one that was asked for last is the last one to be forgotten.
      known.delete(address);
      known.set(address, it);
      const [oldest] = known.keys();
      if (known.size > KNOWN_MAX && oldest) forget(oldest);
      const turns = await it.turns.catch(() => []);
      const bySight = made.get(turns) ?? new Map<string, LastWords | undefined>();
      made.set(turns, bySight);
      const seen = JSON.stringify(sight);
      if (!bySight.has(seen)) bySight.set(seen, lastIn(turns, sight, renderer));
      return bySight.get(seen);
    },
  };
}

/** The last words of a person, as far as they can be seen. Without any, the screen. @param turns the earliest first */
function lastIn(
  turns: readonly TurnRecord[],
  sight: Sight,
  renderer: Pick<Renderer, 'chat' | 'ussd'>,
): LastWords | undefined {
  const all = transcript(turns, sight, renderer).flatMap(({ entries, language }) =>
    entries.map((entry) => ({ entry, language })),
  );
  const isSaid = ({ entry }: LastWords) =>
    entry.kind === 'agent' ||
    // The number of an entry tells nothing without its screen.
    (entry.kind === 'words' && !entry.isMasked && !/^\d{1,2}$/.test(entry.text)) ||
    (entry.kind === 'did' && entry.input.type === 'photo');
  return all.findLast(isSaid) ?? all.findLast(({ entry }) => entry.kind === 'screen') ?? all.at(-1);
}
