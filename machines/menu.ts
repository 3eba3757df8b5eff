import { assign } from 'xstate';
import type { Answer } from '../src/wallet/answer.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { CustomerStatus } from '../src/wallet/wallet.ts';
import { conversation, type Remembered, screen, type Wish, wishOf } from './kit/conversation.ts';
import { problem } from './kit/problem.ts';

/** In this order on every channel: a deep dial (`*123*1*0612345678*200#`) relies on it. */
const ENTRIES = [
  'transfer',
  'balance',
  'top-up',
  'bill-payment',
  'voucher',
  'statement',
  'account',
  'language',
  'help',
] as const;

interface AtMenu extends Remembered, Wish {
  wallet: Msisdn | undefined;
  linked: boolean;
  canUnlink?: boolean | undefined;
  without?: readonly string[] | undefined;
  next?: string;
  status?: CustomerStatus;
}

/** Where every visit begins: the state of the wallet decides between the menu and the way that leads to it. */
export const menu = conversation<AtMenu>().createMachine({
  id: 'menu',
  version: '1',
  context: ({ input }) => ({
    wallet: input.wallet,
    linked: input.linked,
    canUnlink: input.canUnlink,
    without: input.without,
    wanted: input.wanted,
    filled: input.filled,
    notice: input.notice,
  }),
  initial: 'arriving',
  output: ({ context }) => ({
    ...(context.next && { next: context.next }),
    ...(context.status && { status: context.status }),
    ...wishOf(context),
    notice: context.notice,
  }),
  states: {
    arriving: {
      always: [
        {
          guard: ({ context }) => context.wallet === undefined,
          target: 'leaving',
          actions: assign({ next: 'linking' }),
        },
        { target: 'checking' },
      ],
    },
    checking: {
      meta: screen(() => ({ key: 'menu.checking', expects: 'nothing' })),
      invoke: {
        src: 'readStatus',
        input: ({ context }) => ({ wallet: context.wallet as Msisdn }),
        onDone: [
          {
            guard: ({ event, context }) => is(event.output, 3) && !context.linked,
            target: 'leaving',
            actions: assign({ next: 'unlocking' }),
          },
          {
            guard: ({ event, context }) => is(event.output, 3) && isOffered(context),
            target: 'leaving',
            actions: assign(({ context }) => ({ next: context.wanted as string })),
          },
          { guard: ({ event }) => is(event.output, 3), target: 'choosing' },
          {
            guard: ({ event }) => is(event.output, 0),
            target: 'leaving',
            actions: assign({ next: 'consent' }),
          },
          {
            guard: ({ event }) => is(event.output, 1, 2),
            target: 'leaving',
            actions: assign(({ event }) => ({
              next: 'onboarding',
              ...(event.output.kind === 'ok' && event.output.value),
            })),
          },
          { guard: ({ event }) => is(event.output, 4), target: 'lockedForNow' },
          { guard: ({ event }) => is(event.output, 5), target: 'locked' },
          // Nothing but a refusal says more than the screen itself.
          {
            guard: ({ event }) => event.output.kind === 'refused',
            target: 'unavailable',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          { target: 'unavailable', actions: assign({ notice: undefined }) },
        ],
      },
    },
    choosing: {
      meta: screen(({ without = [] }) => ({
        key: 'menu.choose',
        choices: ENTRIES.filter((id) => !without.includes(id)).map((id) => ({ id, key: `menu.${id}` })),
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'leaving',
          actions: assign({
            next: ({ event }) => event.choice,
            wanted: undefined,
            filled: undefined,
            notice: undefined,
          }),
        },
      },
    },
    lockedForNow: {
      meta: screen(() => ({
        key: 'menu.lockedForNow',
        choices: [{ id: 'pin-reset', key: 'menu.pin-reset' }],
        expects: 'choice',
      })),
      on: { chose: { target: 'leaving', actions: assign({ next: 'pin-reset', notice: undefined }) } },
    },
    locked: { meta: screen(() => ({ key: 'menu.locked', expects: 'nothing' })) },
    unavailable: { meta: screen(() => ({ key: 'menu.unavailable', expects: 'nothing' })) },
    leaving: { type: 'final' },
  },
});

/** What the customer asked for in one line begins at once, unless it is nothing for this wallet or this channel. */
function isOffered({ wanted, canUnlink, without = [] }: AtMenu): boolean {
  return wanted !== undefined && !without.includes(wanted) && (wanted !== 'unlink' || canUnlink === true);
}

function is(answer: Answer<{ status: CustomerStatus }>, ...statuses: CustomerStatus[]): boolean {
  return answer.kind === 'ok' && statuses.includes(answer.value.status);
}
