import type { Msisdn } from '../../src/wallet/phone.ts';
import { type Authenticating, authentication } from './authentication.ts';
import { calls } from './call.ts';
import { known, last, machine } from './conversation.ts';
import type { EffectName, InputOf, OutputOf } from './effects.ts';
import type { Values } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';
import type { ReadingNames } from './sentence-names.ts';

/** The reads that want to know the wallet and nothing else. */
export type ReadName = {
  [Name in EffectName]: Name extends `read${string}`
    ? { wallet: Msisdn } extends InputOf<Name>
      ? Name
      : never
    : never;
}[EffectName];
type Read<Name extends ReadName> =
  Extract<OutputOf<Name>, { kind: 'ok' }> extends { readonly value: infer Value } ? Value : never;

/**
 * A read-only conversation. Its file has four sentences in each language beside its own: `name` for the support
 * console, `askPin`, `reading` while it waits, and `unavailable` below the reason of a failure. The last one does not
 * invite to try again, as a payment may be open.
 */
type ReadingId = {
  [Id in keyof ReadingNames]: 'name' | 'askPin' | 'reading' | 'unavailable' extends ReadingNames[Id]
    ? Id
    : never;
}[keyof ReadingNames];

interface ReadingOf<Id extends ReadingId, Name extends ReadName> {
  /** Also the name of its files. */
  readonly id: Id;
  /** The words by which customers ask for it, in any language, beside its id. */
  readonly words: readonly string[];
  readonly reads: Name;
  /** Makes the screen from the data that was read. @param own the key of a sentence of its own */
  readonly shows: (
    value: Read<Name>,
    own: (name: ReadingNames[Id]) => SentenceKey,
  ) => { readonly key: SentenceKey; readonly values?: Values };
}

/** The context of a read-only conversation. */
interface ReadingWallet<Value> extends Authenticating {
  value?: Value;
}

/** A read-only conversation as a list sees it. */
interface Reading {
  readonly id: string;
  readonly words: readonly string[];
  readonly reads: ReadName;
}

/**
 * A conversation that asks for the PIN, reads one thing of the wallet and shows it: `askingPin` → `reading` → `shown`,
 * or `unavailable`. It moves nothing, so none of its sentences claims anything about money (`claimOf` in `chart/releases.ts`). Its keys are checked
 * against its own file (ARCHITECTURE.md, "A conversation that only reads").
 */
export function reading<Id extends ReadingId, Name extends ReadName>({
  id,
  words,
  reads,
  shows,
}: ReadingOf<Id, Name>) {
  const own = (name: string) => `${id}.${name}` as SentenceKey;
  type Context = ReadingWallet<Read<Name>>;
  const isShown = { target: 'shown', know: (value: Read<Name>): Partial<Context> => ({ value }) };
  const chart = machine<Context>({
    id,
    context: ({ input }) => ({ wallet: known(input.wallet) }),
    initial: 'askingPin',
    states: {
      ...authentication<Context>(() => ({ key: own('askPin'), expects: 'pin' }), {
        next: 'reading',
        back: 'left',
      }),
      reading: calls<Context>()<ReadName>(reads, {
        says: own('reading'),
        input: ({ wallet }) => ({ wallet }),
        // Every read is handled alike here. `ReadName` leaves out those that need more.
        ok: isShown as never,
        failed: 'unavailable',
      }),
      shown: last<Context>(({ value }) => shows(known(value), own), { tags: 'private' }),
      unavailable: last(own('unavailable')),
      left: { type: 'final' },
    },
  });
  return Object.assign(chart, { words, reads });
}

export function isReading<Machine extends object>(machine: Machine): machine is Machine & Reading {
  return 'reads' in machine;
}
