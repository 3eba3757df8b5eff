import { assign } from 'xstate';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { type Cases, calls } from './call.ts';
import { conversation, type Remembered, screen } from './conversation.ts';
import type { MachineEvent } from './input.ts';
import { isRefusal, problem } from './problem.ts';
import type { Screen, Sentence } from './screen.ts';
import type { Sealed } from './secret.ts';
import { NEW_PIN } from './submenu.ts';

type Chose = Extract<MachineEvent, { type: 'chose' }>;

/** An unattended PIN prompt closes after this long: a phone left on a table. */
export const PIN_PROMPT_MS = 120_000;

/** The context that a conversation needs to ask for a PIN. */
export interface Authenticating extends Remembered {
  wallet: Msisdn;
  /** The wallet did not answer the PIN before this one. */
  wasLost?: boolean | undefined;
  /** The last try was wrong: the wallet is locked until its customer has chosen a new PIN. */
  isLocked?: true;
}

/** The ways on from the PIN. Each is the name of a state. */
interface PinExits<Context> {
  readonly next: Cases<Context, true>;
  readonly back: string | { readonly target: string; readonly know: () => Partial<Context> };
  /** A redial, or a prompt left unanswered, goes on here. Absent: nothing was said yet that would be worth going on with. */
  readonly checkpoint?: string;
  /** The choices of the prompt lead here, if it has some: all of them but `also`. */
  readonly cancel?: string;
  /** Other choices of the prompt, by their ids, and where each leads. */
  readonly also?: readonly {
    readonly choice: string;
    readonly state: string;
    readonly know?: () => Partial<Context>;
  }[];
}

interface PinSentences<Context> {
  /** While the PIN is checked: it may be the last thing that a session on a handset shows. */
  readonly checking: (context: Context) => Sentence;
  readonly lost: Sentence;
  /** A payment that waits for a PIN which was not typed in time: it can be given up there, too. */
  readonly waits?: (context: Context) => Sentence | undefined;
  /** The PIN was refused for good. */
  readonly refused: (context: Context) => Sentence;
}

type Prompt<Context> = (context: Context) => Screen;

/**
 * Asks for the PIN and checks it: `askingPin` → `authenticating` → `next`. The PIN goes from the input into the login
 * effect and nowhere else (docs/safety.md, "The intent"). A wrong one is asked again with the tries left. A lost answer
 * says that it may have cost one, and the second in a row ends in `refusedLogin`: the customer comes back later. So does a last try
 * used up, or a refusal for any other reason.
 * @param prompt the screen that asks: it names what the PIN is for
 */
export function authentication<Context extends Authenticating>(
  prompt: Prompt<Context>,
  exits: PinExits<Context>,
  says: PinSentences<Context> = PLAINLY,
) {
  return {
    askingPin: askingPin(prompt, exits),
    authenticating: authenticating(exits, says),
    lapsed: lapsed(prompt, exits, says),
    refusedLogin: refusedLogin(says),
  };
}

/** The customer of a wallet that was just locked goes on to a new PIN, which unlocks it. */
function refusedLogin<Context extends Authenticating>({ refused }: PinSentences<Context>) {
  return conversation<Context>().createStateConfig({
    type: 'final',
    meta: screen((c) => ({
      ...refused(c),
      ...(c.isLocked && { choices: [NEW_PIN.choice] }),
      expects: 'nothing',
    })),
    output: ({ context: { isLocked } }) => (isLocked ? { offer: NEW_PIN.offer } : {}),
  });
}

function askingPin<Context extends Authenticating>(
  prompt: Prompt<Context>,
  { back, checkpoint, cancel, also = [] }: PinExits<Context>,
) {
  return conversation<Context>().createStateConfig({
    ...(checkpoint !== undefined && { tags: 'resumable' as const }),
    meta: screen(prompt),
    after: { [PIN_PROMPT_MS]: 'lapsed' },
    on: {
      gave: [
        { guard: ({ event }) => event.wellFormed, target: 'authenticating' },
        { actions: assign(() => saying<Context>({ key: 'pin.format' })) },
      ],
      ...(cancel !== undefined && {
        chose: [
          ...also.map(({ choice, state, know = () => ({}) }) => ({
            guard: isChoice(choice),
            target: state,
            actions: assign<Context, Chose, undefined, MachineEvent, never>(know),
          })),
          { target: cancel },
        ],
      }),
      back: typeof back === 'string' ? back : { target: back.target, actions: assign(back.know) },
      ...(checkpoint !== undefined && { resumed: checkpoint }),
    },
  });
}

function isChoice(id: string) {
  return ({ event }: { event: { readonly choice: string } }) => event.choice === id;
}

function authenticating<Context extends Authenticating>(
  { next }: PinExits<Context>,
  says: PinSentences<Context>,
) {
  const lost = { target: 'askingPin', know: () => saying<Context>(says.lost, true) };
  const refused = {
    target: 'refusedLogin',
    know: (answer: { kind: string }) => {
      const why = whyRefused(answer);
      if (why.key !== 'pin.locked') return saying<Context>(why);
      // Where nothing else is said, the lock is the screen itself.
      return { ...saying<Context>(says === PLAINLY ? undefined : why), isLocked: true as const };
    },
  };
  return calls<Context>()('login', {
    says: says.checking,
    input: ({ wallet }, event) => ({ wallet, pin: secretOf(event) }),
    ok: next,
    refused: [
      {
        if: (refusal) => isRefusal(refusal, 'pinIncorrect') && hasTriesLeft(refusal),
        target: 'askingPin',
        know: (refusal) => saying<Context>(wrongPin(refusal)),
      },
    ],
    unknown: [
      {
        if: (_, { wasLost }) => wasLost === true,
        ...refused,
        know: () => saying({ key: 'pin.unchecked' }),
      },
      lost,
    ],
    tooMany: refused,
    unchecked: refused,
    failed: refused,
    lost,
  });
}

/** The prompt timed out. Nothing was sent, and the customer can continue from the checkpoint. */
function lapsed<Context extends Authenticating>(
  prompt: Prompt<Context>,
  { checkpoint, cancel }: PinExits<Context>,
  { waits = () => undefined }: PinSentences<Context>,
) {
  const again = checkpoint ?? 'askingPin';
  return conversation<Context>().createStateConfig({
    ...(checkpoint !== undefined && { tags: 'resumable' as const }),
    // With the prompt's values: a redial says what would be gone on with.
    meta: screen((c) => {
      const below = waits(c);
      return {
        ...valuesOf(prompt(c)),
        key: 'pin.lapsed',
        choices: [
          { id: 'continue', key: 'pin.continue' },
          ...(below ? [{ id: 'cancel', key: 'pay.cancel' } as const] : []),
        ],
        expects: 'choice',
        ...(below && { below }),
      };
    }),
    on: {
      chose: [
        ...(cancel === undefined ? [] : [{ guard: isChoice('cancel'), target: cancel }]),
        { target: again },
      ],
      resumed: again,
    },
  });
}

function saying<Context extends Authenticating>(
  notice: Sentence | undefined,
  wasLost?: boolean,
): Partial<Context> {
  return { notice, wasLost } as Partial<Context>;
}

/** The sentences where the PIN only opens a view of the account. */
const PLAINLY = {
  checking: (): Sentence => ({ key: 'pin.checking' }),
  lost: { key: 'pin.lost' },
  refused: ({ isLocked }: Pick<Authenticating, 'isLocked'>): Sentence => ({
    key: isLocked ? 'pin.locked' : 'pin.refused',
  }),
} as const;

/** The secret of the input that led here. */
export function secretOf(event: MachineEvent): Sealed {
  if (event.type !== 'gave') throw new Error(`a secret was expected, not ${event.type}`);
  return event.secret;
}

/** The sentence after a wrong PIN: the tries that are left, or a warning before the last one. */
export function wrongPin(answer: { kind: string; remainingAttempts?: number }): Sentence {
  const left = answer.remainingAttempts;
  if (left === undefined) return { key: 'pin.wrong' };
  return left <= 1
    ? { key: 'pin.lastTry' }
    : { key: 'pin.wrongWithTries', values: { count: { count: left } } };
}

/** The wallet may not say how many tries are left (open question 3). Zero means that this PIN has just locked it. */
export function hasTriesLeft(answer: { kind: string; remainingAttempts?: number }): boolean {
  return answer.remainingAttempts === undefined || answer.remainingAttempts > 0;
}

/** Why a PIN, or a code like it, was not taken for good. */
export function whyRefused(answer: { kind: string }): Sentence {
  if (answer.kind === 'tooMany') return { key: 'pin.tooMany' };
  if (answer.kind === 'unchecked') return { key: 'pin.unchecked' };
  if (isRefusal(answer, 'pinIncorrect')) return { key: 'pin.locked' };
  return problem(answer) ?? { key: 'problem.unavailable' };
}

function valuesOf({ values }: Screen): Pick<Screen, 'values'> {
  return values ? { values } : {};
}
