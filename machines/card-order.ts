import type { CardProgram } from '../src/wallet/issued-cards.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { cancelled, known, last, machine } from './kit/conversation.ts';
import type { Cards } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Screen, Value } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

interface Ordering extends Authenticating, Cards {
  program?: CardProgram | undefined;
}

const { call, choose, state } = parts<Ordering>();

/**
 * The customer applies for a card, and Wasl asks for it once. The wallet takes a second application like the first
 * (open question 58). So after a lost answer the list of applications tells whether there is one.
 */
export const cardOrder = machine<Ordering>({
  id: 'card-order',
  context: ({ input }) => ({ wallet: known(input.wallet), programs: [], applications: [], cards: [] }),
  initial: 'reading',
  states: {
    reading: call('readCards', {
      says: 'cards.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: ({ programs }) => programs.length === 0, target: 'notEnabled' },
        { target: 'choosing', know: (all) => all },
      ],
      notEnabled: 'notEnabled',
      failed: 'unavailable',
    }),
    choosing: state({
      shows: ({ programs }) => ({
        key: 'card-order.choose',
        choices: programs.map(programChoice),
        expects: 'choice',
        reads: 'tariffs',
      }),
      chose: choose({
        target: 'askingPin',
        know: (choice, context) => ({ program: context.programs.find(({ id }) => String(id) === choice) }),
      }),
      back: 'left',
      resumed: 'reading',
    }),
    ...authentication<Ordering>(prompt, {
      next: 'applying',
      back: 'choosing',
      cancel: 'cancelled',
    }),
    applying: call('applyForCard', {
      says: 'cards.waiting',
      input: ({ wallet, program, applications }) => ({
        wallet,
        program: known(program),
        before: applications.map(({ id }) => id),
      }),
      ok: 'applied',
      unknown: 'checking',
      failed: 'choosing',
      lost: 'checking',
    }),
    checking: call('readCards', {
      says: 'cards.waiting',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (now, before) => isThereOneMore(now, before), target: 'applied' },
        { target: 'notKnown', know: () => ({}) },
      ],
      failed: { target: 'notKnown', know: () => ({}) },
    }),
    applied: last<Ordering>((c) => ({ key: 'card-order.applied', values: { program: programName(c) } }), {
      tags: 'news',
    }),
    notKnown: last<Ordering>((c) => ({ key: 'card-order.notKnown', values: { program: programName(c) } }), {
      tags: 'news',
    }),
    unavailable: last('cards.unavailable'),
    notEnabled: last('cards.notEnabled', { output: { notEnabled: 'card-order' } }),
    cancelled,
    left: { type: 'final' },
  },
});

const KINDS: Readonly<Record<NonNullable<CardProgram['kind']>, SentenceKey>> = {
  physical: 'card-order.physical',
  virtual: 'card-order.virtual',
  digital: 'card-order.digital',
};

function programChoice(program: CardProgram): Choice {
  const id = String(program.id);
  const name = programName({ program });
  return program.kind === undefined
    ? { id, key: 'card-order.program', values: { program: name }, varies: true }
    : {
        id,
        key: 'card-order.programOf',
        values: { program: name, kind: { say: KINDS[program.kind] } },
        varies: true,
      };
}

/** An application that is open already is named: one more would be a second card. */
function prompt(context: Ordering): Screen {
  const { applications, program } = context;
  const isOpen = applications.some(
    ({ programId, state }) => state === 'pending' && programId === program?.id,
  );
  return {
    key: isOpen ? 'card-order.askPinAgain' : 'card-order.askPin',
    values: { program: programName(context) },
    choices: [{ id: 'cancel', key: 'pay.cancel' }],
    expects: 'pin',
    reads: 'tariffs',
  };
}

function programName({ program }: Pick<Ordering, 'program'>): Value {
  const { name, id } = known(program);
  return name === undefined ? { code: String(id) } : { name };
}

function isThereOneMore({ applications }: Cards, before: Ordering): boolean {
  const known = new Set(before.applications.map(({ id }) => id));
  return applications.some(
    ({ id, programId }) => !known.has(id) && (programId ?? before.program?.id) === before.program?.id,
  );
}
