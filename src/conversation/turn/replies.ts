import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Address, Language, Reply } from '../incoming.ts';
import { createRecent } from '../recent.ts';
import type { Secrets } from '../secrets.ts';
import type { Loaded } from '../session/sessions.ts';
import { replyOf } from './reply.ts';

/** How many customers' languages a process remembers, for when the store cannot be read. */
const LANGUAGES_MAX = 100_000;

/** The replies of this process, and what it remembers of them. */
export interface Replies {
  /** What a session shows its customer. `notice` is shown above the screen, once. */
  of(loaded: Loaded, notice?: Sentence): Reply;
  /** The session that a reply was made from, as long as its channel holds the reply. */
  sourceOf(reply: Reply): Loaded | undefined;
  /** The language of the last reply at this address, if this process remembers one. */
  languageAt(address: Address): Language | undefined;
}

export function createReplies(secrets: Secrets, now: () => number): Replies {
  const sources = new WeakMap<Reply, Loaded>();
  const languages = createRecent<Address, Language>(LANGUAGES_MAX);
  return {
    of(loaded, notice) {
      const reply = replyOf(loaded, secrets, now(), notice);
      sources.set(reply, loaded);
      if (languages.get(loaded.address) !== reply.language) languages.set(loaded.address, reply.language);
      return reply;
    },
    sourceOf: (reply) => sources.get(reply),
    languageAt: (address) => languages.get(address),
  };
}
