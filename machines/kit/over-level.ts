import { assign } from 'xstate';
import { type Centimes, centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { calls } from './call.ts';
import { conversation, known, type Remembered, states } from './conversation.ts';
import type { MachineEvent } from './input.ts';
import type { Sentence } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/** The context of a conversation that tells what is left below a limit. */
export interface LeavingRoom extends Remembered {
  wallet: Msisdn;
  /** Read after the PIN. */
  left?: Centimes | undefined;
}

type ChoiceMade = Extract<MachineEvent, { type: 'chose' }>;

/** Shows the room that is left: the state that asks for the PIN, and whether there is a limit to tell of. */
interface Room<Context> {
  readonly state: string;
  /** Tells that state what the PIN is for. */
  readonly know?: Partial<Context>;
  readonly isKnown: (context: Context) => boolean;
}

/**
 * A deposit that the customer's own level does not allow: the way to a higher level, or another amount. A question of its own, as on
 * USSD a typed `1` must not be both an amount and a choice.
 * @param amend the state that asks for the amount
 * @param room the way to what is left below the limit, which tells the balance and so takes the PIN
 */
export function overLevel<Context extends Remembered>(
  says: (context: Context) => Sentence,
  amend: string,
  room?: Room<Context>,
) {
  const { createStateConfig } = conversation<Context>();
  return {
    overLevel: createStateConfig(askingLevel(says, amend, room)),
    toUpgrade: createStateConfig({ type: 'final', output: { next: 'upgrade' } }),
  };
}

/**
 * Needs the states of `overLevel`. After the PIN what is left may be said, which tells the balance.
 * @param limitIn the most that the wallet may hold. Undefined: nobody knows it, and nothing is said
 */
export function roomLeft<Context extends LeavingRoom>(
  limitIn: (context: Context) => Centimes | undefined,
  amend: string,
) {
  return {
    readingRoom: calls<Context>()('readBalance', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (_, context) => limitIn(context) === undefined, target: 'overLevel' },
        {
          target: 'overRoom',
          know: (balance, context) => know<Context>({ left: roomIn(known(limitIn(context)), balance) }),
        },
      ],
      failed: { target: 'overLevel', know: () => know<Context>({}) },
    }),
    overRoom: conversation<Context>().createStateConfig({
      ...askingLevel<Context>((context) => {
        const [limit, left] = [known(limitIn(context)), known(context.left)];
        return { key: 'card-cash-in.overRoom', values: { limit: { money: limit }, left: { money: left } } };
      }, amend),
      tags: 'private',
    }),
  };
}

/** The question for the amount of a deposit: with what is left of the level's limit, or the limit, as far as they may be said. */
export function within(
  keys: readonly [plain: SentenceKey, limit: SentenceKey, left: SentenceKey],
  { limit, left }: { readonly limit?: Centimes | undefined; readonly left?: Centimes | undefined },
): Sentence {
  const [plain, ofLimit, ofLeft] = keys;
  if (left !== undefined) return { key: ofLeft, values: { left: { money: left } } };
  return limit === undefined ? { key: plain } : { key: ofLimit, values: { limit: { money: limit } } };
}

/** The amount that a wallet can still take below its limit. */
export function roomIn(limit: Centimes, balance: Centimes): Centimes {
  return centimes(Math.max(0, limit - balance));
}

/** Facts of this part are facts of every machine that takes it, which the compiler cannot see. */
function know<Context extends LeavingRoom>(facts: Partial<LeavingRoom>): Partial<Context> {
  return facts as Partial<Context>;
}

function askingLevel<Context extends Remembered>(
  says: (context: Context) => Sentence,
  amend: string,
  room?: Room<Context>,
) {
  return states<Context>()({
    // The wallet speaks of a recipient, who is the customer here.
    entry: assign(() => ({ notice: undefined }) as Partial<Context>),
    shows: (context) => ({
      ...says(context),
      choices: [
        { id: 'upgrade', key: 'account.upgrade' },
        { id: 'amend', key: 'pay.otherAmount' },
        ...(room?.isKnown(context) ? [{ id: 'room', key: 'cash-in.room' } as const] : []),
      ],
      expects: 'choice',
      takesAmount: true,
    }),
    chose: [
      { guard: ({ event }) => event.choice === 'upgrade', target: 'toUpgrade' },
      ...(room
        ? [
            {
              guard: ({ event }: { event: ChoiceMade }) => event.choice === 'room',
              target: room.state,
              actions: assign<Context, ChoiceMade, undefined, MachineEvent, never>(() => room.know ?? {}),
            },
          ]
        : []),
      { target: amend },
    ],
    back: amend,
  });
}
