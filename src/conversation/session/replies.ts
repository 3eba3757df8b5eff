import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Address, Language, Reply } from '../incoming.ts';
import { createRecent } from '../recent.ts';
import type { Secrets } from '../secrets.ts';
import { replyOf } from './reply.ts';
import type { LoadedSession } from './sessions.ts';

/** How many customers' languages a process remembers, for when the store cannot be read. */
const LANGUAGES_MAX = 100_000;

/** The replies of this process, and what it remembers of them. */
export interface Replies {
  /** The reply that a session shows its customer. `notice` is shown above the screen, once. */
  of(loaded: LoadedSession, notice?: Sentence): Reply;
  /** The session that a reply was made from, as long as its channel holds the reply. */
  sourceOf(reply: Reply): LoadedSession | undefined;
  /** The language of the last reply at this address, if this process remembers one. */
  languageAt(address: Address): Language | undefined;
}

/**
 * Under which a reply has its source; a copy of the reply has it not. No `WeakMap`: an old one keeps all its entries alive until the collector goes
 * through the whole heap. The session of each turn would be moved there before it is forgotten.
 */
const SOURCE = Symbol('source');

export function createReplies(secrets: Secrets, now: () => number): Replies {
  const languages = createRecent<Address, Language>(LANGUAGES_MAX);
  return {
    of(loaded, notice) {
      const reply = replyOf(loaded, secrets, now(), notice);
      Object.defineProperty(reply, SOURCE, { value: loaded });
      if (languages.get(loaded.address) !== reply.language) languages.set(loaded.address, reply.language);
      return reply;
    },
    sourceOf: (reply: Reply & { readonly [SOURCE]?: LoadedSession }) => reply[SOURCE],
    languageAt: (address) => languages.get(address),
  };
}
