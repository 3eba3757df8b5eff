import type { Msisdn } from '../../src/wallet/phone.ts';
import { type Authenticating, authentication } from './authentication.ts';
import { calls } from './call.ts';
import { conversation, ending, known, screen } from './conversation.ts';
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
 * A conversation that only reads. Its file has in each language, beside the sentences that it shows: `name`, as the support console
 * calls it; `askPin`; `reading`, said meanwhile; and `unavailable`, below why it could not be read. Nobody is invited to try again
 * there, where a payment may be open.
 */
type ReadingId = {
  [Id in keyof ReadingNames]: 'name' | 'askPin' | 'reading' | 'unavailable' extends ReadingNames[Id]
    ? Id
    : never;
}[keyof ReadingNames];

interface ReadingOf<Id extends ReadingId, Name extends ReadName> {
  /** Also the name of its files. */
  readonly id: Id;
  /** What customers call it, in any language, beside its id. */
  readonly words: readonly string[];
  readonly reads: Name;
  /** What is shown of what was read. @param own the key of a sentence of its own */
  readonly shows: (
    value: Read<Name>,
    own: (name: ReadingNames[Id]) => SentenceKey,
  ) => { readonly key: SentenceKey; readonly values?: Values };
}

/** What a conversation that only reads remembers. */
interface ReadingWallet<Value> extends Authenticating {
  value?: Value;
}

/** A conversation that only reads, as whoever lists them knows it. */
export interface Reading {
  readonly id: string;
  readonly words: readonly string[];
  readonly reads: ReadName;
}

/**
 * A conversation that asks for the PIN, reads one thing of the wallet and shows it: `askingPin` → `reading` → `shown`, or
 * `unavailable`. It moves nothing, so none of its sentences says anything of money (`releases.ts`), and its keys are checked against
 * its own file and need no row of their own (ARCHITECTURE.md, "A conversation that only reads").
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
  // What is wanted of the answer is the same for every read; `ReadName` has left out those that want more.
  const on = { ok: isShown, failed: 'unavailable' } as never;
  const machine = conversation<Context>().createMachine({
    id,
    version: '1',
    context: ({ input }) => ({ wallet: known(input.wallet) }),
    initial: 'askingPin',
    output: ending,
    states: {
      ...authentication<Context>(() => ({ key: own('askPin'), expects: 'pin' }), {
        next: 'reading',
        back: 'left',
      }),
      reading: calls<Context>()<ReadName>(reads, {
        says: own('reading'),
        input: ({ wallet }) => ({ wallet }),
        on,
      }),
      shown: {
        type: 'final',
        tags: 'private',
        meta: screen(({ value }) => ({ ...shows(known(value), own), expects: 'nothing' })),
      },
      unavailable: {
        type: 'final',
        meta: screen(() => ({ key: own('unavailable'), expects: 'nothing' })),
      },
      left: { type: 'final' },
    },
  });
  return Object.assign(machine, { words, reads });
}

/** True for a machine that `reading` has made. */
export function isReading<Machine extends object>(machine: Machine): machine is Machine & Reading {
  return 'reads' in machine;
}
