import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { CustomerStatus } from '../src/wallet/wallet.ts';
import {
  conversation,
  known,
  type LockedSays,
  machine,
  type Remembered,
  screen,
  type Wish,
  wishOf,
} from './kit/conversation.ts';
import type { MachineEvent } from './kit/input.ts';
import { parts } from './kit/parts.ts';
import { problem } from './kit/problem.ts';
import type { Choice, Screen, Sentence } from './kit/screen.ts';
import { choicesOf, type Entry, type Offered } from './kit/submenu.ts';

/** Leads to the menu that an agent has as a customer or merchant. */
const OWN_WALLET = 'own-wallet';

/** Only in chats, of numbers that act for the principal agent: below what everybody has. */
const OF_PRINCIPAL: Entry = [10, 'principal', 'menu.principal'];

/**
 * Customers know these digits by heart. They are the same on every channel, even where a wallet lacks an entry. Not in a chat while payments
 * are frozen: `open-first.ts` counts what is left there.
 */
const ENTRIES: readonly Entry[] = [
  [1, 'transfer', 'menu.transfer'],
  [2, 'balance', 'menu.balance'],
  [3, 'top-up', 'menu.top-up'],
  [4, 'bill-payment', 'menu.bill-payment'],
  [5, 'cash', 'menu.cash'],
  [6, 'statement', 'menu.statement'],
  [7, 'account', 'menu.account'],
  [8, 'shopping', 'menu.shopping'],
  [9, 'help', 'menu.help'],
  OF_PRINCIPAL,
];

/** The menu of a merchant. The entries of every customer are under 8; 6, 7 and 9 are as for everybody. */
const MERCHANT_ENTRIES: readonly Entry[] = [
  [1, 'receive-payment', 'menu.receive-payment'],
  [2, 'sales', 'menu.sales'],
  [3, 'merchant-refund', 'menu.merchant-refund'],
  [4, 'bank-transfer', 'menu.bank-transfer'],
  [5, 'card-payments', 'menu.card-payments'],
  [6, 'statement', 'menu.statement'],
  [7, 'account', 'menu.account'],
  [8, 'services', 'menu.services'],
  [9, 'help', 'menu.help'],
  OF_PRINCIPAL,
];

/** The menu of an agent. 8 is their own wallet. A retail agent's float cannot be read, so 2 is their most frequent entry. */
const AGENT_ENTRIES: readonly Entry[] = [
  [1, 'agent-cash-in', 'menu.agent-cash-in'],
  [2, 'agent-cash-out', 'menu.agent-cash-out'],
  [3, 'agent-check', 'menu.agent-check'],
  [6, 'agent-day', 'menu.agent-day'],
  [7, 'agent-account', 'menu.account'],
  [8, OWN_WALLET, 'menu.own-wallet'],
  [9, 'help', 'menu.help'],
  OF_PRINCIPAL,
];

/** Merchants' entries by words only: on a screen they would speak of the customer's own number. */
const OF_MERCHANTS: readonly string[] = [
  'card-payment',
  'card-payments',
  'merchant-refund',
  'sales',
  'takings',
];
/** The meaning of the same words for a consumer: the payments of their own card, and the documents of a higher level. */
const OF_CONSUMERS: Readonly<Record<string, string>> = { 'card-payments': 'cards', documents: 'upgrade' };

interface AtMenu extends Remembered, Wish, Offered {
  wallet: Msisdn | undefined;
  linked: boolean;
  isChat?: boolean | undefined;
  /** There are support agents who can be asked for. */
  advisers?: boolean | undefined;
  isProven?: boolean | undefined;
  isFrozen?: boolean | undefined;
  /** For the help that is asked for from there. */
  locked?: LockedSays;
  /** This chat forgets its number, which has to be proven anew. */
  unlinked?: true;
  next?: string;
  status?: CustomerStatus;
}

type Chose = Extract<MachineEvent, { type: 'chose' }>;

const { call, decide, state } = parts<AtMenu>();
/** Nothing but a refusal says more than the screen itself. */
const NOT_KNOWN = { target: 'unavailable', know: () => ({ notice: undefined }) };

const FREEZING = { target: 'leaving', know: () => ({ next: 'freeze' }) };

/** `*123*9*1*1#` leads to the freeze, even when the wallet does not answer. */
const HELP: Choice = { id: 'help', key: 'menu.help', digit: 9 };
const ADVISER = { id: 'adviser', key: 'help.adviser' } as const;
const LEADS = {
  target: 'leaving',
  actions: conversation<AtMenu>().assign({
    next: ({ event }) => (event.type === 'chose' ? event.choice : undefined),
    wanted: undefined,
    filled: undefined,
    notice: undefined,
  }),
} as const;

/** Help leads to the person at once. */
const TO_ADVISER = {
  guard: ({ event }: { event: { choice: string } }) => event.choice === ADVISER.id,
  target: 'leaving',
  actions: assign<AtMenu, Chose, undefined, MachineEvent, never>({
    next: 'help',
    wanted: 'adviser',
    filled: undefined,
    notice: undefined,
  }),
} as const;

/** In a chat, below the entries that are left while payments are frozen. */
const THAW: Choice = { id: 'thaw', key: 'freeze.thaw' };
const THAWS = {
  guard: ({ event }: { event: { choice: string } }) => event.choice === THAW.id,
  target: 'leaving',
  actions: assign<AtMenu, Chose, undefined, MachineEvent, never>({
    next: 'freeze',
    wanted: undefined,
    filled: { thaws: true },
    notice: undefined,
  }),
} as const;

/** Every visit begins here: the state of the wallet decides between the menu and the way that leads to it. */
export const menu = machine<AtMenu>({
  id: 'menu',
  context: ({ input }) => ({
    wallet: input.wallet,
    linked: input.linked,
    canUnlink: input.canUnlink,
    isChat: input.isChat,
    advisers: input.advisers,
    isProven: input.isProven,
    isFrozen: input.isFrozen,
    principal: input.principal,
    without: input.without,
    wanted: input.wanted,
    filled: input.filled,
    notice: input.notice,
  }),
  initial: 'arriving',
  output: ({ context }) => ({
    ...(context.next && { next: context.next }),
    ...(context.status && { status: context.status }),
    ...(context.unlinked && { unlinked: true }),
    ...wishOf(context),
    notice: context.notice,
  }),
  states: {
    arriving: decide(
      { if: (context) => context.wallet === undefined, target: 'leaving', know: () => ({ next: 'linking' }) },
      'checking',
    ),
    checking: call('readStatus', {
      says: 'menu.checking',
      input: ({ wallet, linked }) => ({ wallet: known(wallet), linked }),
      ok: [
        {
          // The number is another person's by now, or nobody's.
          if: ({ status, isAnothers }, { canUnlink }) =>
            canUnlink === true && (status === 0 || isAnothers === true),
          target: 'leaving',
          know: () => ({ next: 'linking', unlinked: true }),
        },
        { if: ({ status }, context) => status >= 3 && isToFreeze(context), ...FREEZING },
        {
          // A customer who has forgotten the PIN cannot type it first: a code by SMS proves the number, as for a wallet that is locked.
          if: ({ status }, { linked, wanted }) => status === 3 && !linked && wanted !== 'pin-reset',
          target: 'leaving',
          know: () => ({ next: 'unlocking' }),
        },
        {
          if: ({ status, merchant }, context) => status === 3 && isMerchants(merchant, context),
          target: 'notMerchant',
        },
        {
          if: ({ status }, context) => status === 3 && offered(context) !== undefined,
          target: 'leaving',
          know: ({ merchant }, context) => ({ next: known(offeredTo(merchant, context)) }),
        },
        {
          if: ({ status }) => status === 3,
          target: 'choosing',
          know: ({ merchant, agent }, { without }) => ({
            isMerchant: merchant?.is === true,
            agent: without?.includes('agent') || agent?.stopped ? undefined : agent?.code,
          }),
        },
        {
          if: ({ status }) => status === 0,
          target: 'leaving',
          know: (_, context) => ({ next: 'consent', ...nothingToFreeze(context) }),
        },
        // The wallet takes a first PIN from anybody who names the number. The SIM proves it, or a code just now.
        {
          if: ({ status }, { isChat, isProven }) => status === 2 && isChat === true && !isProven,
          target: 'leaving',
          know: () => ({ next: 'linking', unlinked: true, notice: { key: 'onboarding.proveAgain' } }),
        },
        {
          if: ({ status }) => status === 1 || status === 2,
          target: 'leaving',
          know: ({ status }, context) => ({ next: 'onboarding', status, ...nothingToFreeze(context) }),
        },
        {
          if: ({ status }) => status === 4,
          target: 'lockedForNow',
          know: () => ({ locked: 'menu.lockedForNow' }),
        },
        { if: ({ status }) => status === 5, target: 'locked', know: () => ({ locked: 'menu.locked' }) },
        NOT_KNOWN,
      ],
      refused: [
        { if: (_, context) => isToFreeze(context), ...FREEZING },
        { target: 'unavailable', know: (refusal) => ({ notice: problem(refusal) }) },
      ],
      failed: [{ if: (_, context) => isToFreeze(context), ...FREEZING }, NOT_KNOWN],
    }),
    choosing: state({
      shows: (context) => (context.agent === undefined ? ownMenu(context) : agentMenu(context)),
      chose: [{ guard: ({ event }) => event.choice === OWN_WALLET, target: 'choosingOwn' }, THAWS, LEADS],
    }),
    /** An agent at the wallet of their own. */
    choosingOwn: { meta: screen(ownMenu), on: { chose: [THAWS, LEADS], back: 'choosing' } },
    lockedForNow: state({
      shows: ({ advisers }) => ({
        key: 'menu.lockedForNow',
        choices: [
          { id: 'pin-reset', key: 'menu.pin-reset', digit: 1 },
          ...(advisers ? [{ ...ADVISER, digit: 2 }] : []),
          HELP,
        ],
        expects: 'choice',
      }),
      chose: [TO_ADVISER, LEADS],
    }),
    /** Only a person can unlock it. Help is where payments are frozen. */
    locked: state({
      shows: ({ advisers }) => ({
        key: 'menu.locked',
        choices: [...(advisers ? [{ ...ADVISER, digit: 1 }] : []), HELP],
        expects: 'choice',
      }),
      chose: [TO_ADVISER, LEADS],
    }),
    /** Payments can be frozen all the same. */
    unavailable: {
      meta: screen(() => ({ key: 'menu.unavailable', choices: [HELP], expects: 'choice' })),
      on: { chose: LEADS },
    },
    notMerchant: {
      type: 'final',
      entry: assign({ wanted: undefined, filled: undefined }),
      meta: screen(() => ({ key: 'receive-payment.notMerchant', expects: 'nothing' })),
    },
    leaving: { type: 'final' },
  },
});

/** A freeze waits for nothing: not for a wallet that does not answer, and not for one that is locked. */
function isToFreeze({ wanted, linked }: AtMenu): boolean {
  return wanted === 'freeze' && linked;
}

/** A customer without a wallet is led to the registration. A sentence above it says that there is nothing to freeze yet. */
function nothingToFreeze({ wanted }: AtMenu): { readonly notice?: Sentence } {
  return wanted === 'freeze' ? { notice: { key: 'freeze.noWallet' } } : {};
}

/** A request in one line begins at once, unless this wallet or channel does not have it. */
function offered({ wanted, canUnlink, without = [] }: AtMenu): string | undefined {
  const isElsewhere = wanted === (canUnlink ? 'link-chat' : 'unlink');
  const isNone = wanted === undefined || without.includes(wanted) || isElsewhere;
  return isNone ? undefined : wanted;
}

interface MerchantMark {
  readonly is: boolean;
  readonly guessed?: true | undefined;
}

/** Known to be no merchant's, by the wallet's own word. */
function isConsumers(merchant: MerchantMark | undefined): boolean {
  return merchant?.is === false && !merchant.guessed;
}

/**
 * The request as it is called in a wallet that is no merchant's. If that is not known, the conversation asks the
 * wallet itself.
 */
function offeredTo(merchant: MerchantMark | undefined, context: AtMenu): string | undefined {
  const wanted = offered(context);
  const own = wanted === undefined || !isConsumers(merchant) ? undefined : OF_CONSUMERS[wanted];
  return own === undefined || context.without?.includes(own) ? wanted : own;
}

/** Wanted, and only a merchant's. */
function isMerchants(merchant: MerchantMark | undefined, context: AtMenu): boolean {
  return isConsumers(merchant) && OF_MERCHANTS.includes(offeredTo(merchant, context) ?? '');
}

function ownMenu(context: AtMenu): Screen {
  return {
    key: 'menu.choose',
    choices: [...choicesOf(context.isMerchant ? MERCHANT_ENTRIES : ENTRIES, context), ...toThaw(context)],
    expects: 'choice',
  };
}

function agentMenu(context: AtMenu): Screen {
  return {
    key: 'menu.chooseAgent',
    values: { code: { code: known(context.agent) } },
    choices: [...choicesOf(AGENT_ENTRIES, context), ...toThaw(context)],
    expects: 'choice',
  };
}

function toThaw({ isFrozen, isChat }: AtMenu): readonly Choice[] {
  return isFrozen && isChat ? [THAW] : [];
}
