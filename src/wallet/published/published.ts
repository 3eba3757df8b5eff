import { API, type ApiName } from '../contract/api.ts';
import type { Recorded } from './record.ts';
import type { Schemas } from './schemas.ts';
import type { Section } from './section.ts';

export const VERSION = '2.3';

/** The first words of every document. */
export const ABOUT =
  'A regulated mobile-wallet platform in Morocco. Money moves by preview, then execution; the outcome comes by webhook. Amounts are decimal dirhams (MAD), phone numbers are written +212*********.';

/** The count of v2.3, and what is here. */
export const OPERATIONS_SHOWN = `v2.3 counts 114 operations. It shows ${Object.keys(API).length} of them, and all of these are here. It only names the other eight: the top-up catalog for customers, exports and bill favourites.`;

/** Everything the documents are made of. */
export interface Published {
  readonly sections: readonly Section[];
  readonly recorded: readonly Recorded[];
  /** Bodies of webhooks that were really sent, by their kind. */
  readonly events: Readonly<Record<string, unknown>>;
  readonly schemas: Schemas;
  /** The address of the API, and a key for it. */
  readonly origin: string;
  readonly apiKey: string;
  /** The page about what the sandbox is tried with. */
  readonly sandbox: string;
}

/** The runs of an operation: in its own section, or else where another one needed it. */
export function examplesOf(name: ApiName, { sections, recorded }: Published): readonly Recorded[] {
  const home = sections.find(({ operations }) => name in operations)?.id;
  const ran = recorded.filter(({ step }) => 'call' in step && step.call === name);
  const own = ran.filter(({ section }) => section === home);
  return own.length > 0 ? own : ran;
}
