import type { AccountLevel } from '../src/wallet/contract/limits.ts';
import { type Centimes, centimes } from '../src/wallet/money.ts';
import type { UpgradeLevel } from '../src/wallet/wallet.ts';
import { isLevel, limitOf } from './kit/account-level.ts';
import { type Asked, asked, opening } from './kit/adviser.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import type { Case } from './kit/call.ts';
import { known, last, machine, screen } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Screen, Values } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

interface Upgrading extends Authenticating, Asked {
  /** There is a page on which the identity can be checked. */
  readonly identifies: boolean;
  /** There are people who can be asked. */
  readonly advisers: boolean;
  level?: number;
  balance?: Centimes;
}

const { call, choose, state } = parts<Upgrading>();

/** Partner API v2.3, "Account levels": what the level above asks for. */
const NEXT: Readonly<Record<AccountLevel, { level: UpgradeLevel; needs: SentenceKey } | undefined>> = {
  1: { level: 2, needs: 'upgrade.needs2' },
  2: { level: 3, needs: 'upgrade.needs3' },
  3: { level: 4, needs: 'upgrade.needs4' },
  4: undefined,
};

/** Nothing that the customer has done, and nothing that they can mend. */
const NOT_NOW: Case<Upgrading, unknown> = {
  target: 'explaining',
  know: () => ({ notice: { key: 'problem.unavailable' } }),
};

/**
 * The limits of the customer's level and the way to the next one: the identity provider's page where the operator has
 * one, else a support agent. The limit needs no PIN. The room that is left reveals the balance, so it does.
 */
export const upgrade = machine<Upgrading>({
  id: 'upgrade',
  context: ({ input: { wallet, identifies = false, advisers = false } }) => ({
    wallet: known(wallet),
    identifies,
    advisers,
  }),
  initial: 'reading',
  states: {
    reading: call('readLevel', {
      says: 'upgrade.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: ({ level, isMerchant }) => isMerchant || !isLevel(level), target: 'merchant' },
        { target: 'explaining', know: ({ level }) => ({ level }) },
      ],
      failed: 'unavailable',
    }),
    explaining: state({
      shows: explanation,
      chose: choose(
        { if: 'link', target: 'sendingLink' },
        { if: 'adviser', target: 'asking' },
        { target: 'askingPin' },
      ),
      back: 'left',
      resumed: 'reading',
    }),
    sendingLink: call('sendIdentityLink', {
      says: 'upgrade.sending',
      input: ({ wallet, level }) => ({ wallet, level: known(nextOf(level)).level }),
      sent: 'linkSent',
      tooMany: { target: 'explaining', know: () => ({ notice: { key: 'upgrade.tooMany' } }) },
      later: NOT_NOW,
      lost: NOT_NOW,
    }),
    asking: call('askForPerson', {
      says: 'help.waiting',
      input: () => ({}),
      ok: { target: 'asked', know: (output) => opening(output) },
      tooMany: NOT_NOW,
      lost: NOT_NOW,
    }),
    ...authentication<Upgrading>(() => ({ key: 'upgrade.askPin', expects: 'pin' }), {
      next: 'readingBalance',
      back: 'explaining',
    }),
    readingBalance: call('readBalance', {
      says: 'upgrade.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'showingRoom', know: (balance) => ({ balance }) },
      failed: 'explaining',
    }),
    showingRoom: { type: 'final', tags: 'private', meta: screen(room) },
    linkSent: last('upgrade.linkSent', { tags: 'news' }),
    asked: last<Upgrading>((context) => asked(context, true), { tags: 'news' }),
    merchant: last('upgrade.merchant'),
    unavailable: last('upgrade.unavailable'),
    left: { type: 'final' },
  },
});

function nextOf(level: number | undefined) {
  return level !== undefined && isLevel(level) ? NEXT[level] : undefined;
}

/** The limits of this level, the requirements of the next one, and the way to it. */
function explanation({ level, identifies, advisers }: Upgrading): Screen {
  const next = nextOf(level);
  const choices: readonly Choice[] = [
    ...(next && identifies ? [{ id: 'link', key: 'upgrade.getLink' } as const] : []),
    ...(next && advisers ? [{ id: 'adviser', key: 'help.adviser' } as const] : []),
    { id: 'room', key: 'upgrade.seeRoom' },
  ];
  const values: Values = { level: { count: known(level) }, limit: { money: limit(level) } };
  if (!next) return { key: 'upgrade.highest', values, choices, expects: 'choice' };
  return {
    key: identifies ? 'upgrade.explain' : 'upgrade.explainElsewhere',
    values: {
      ...values,
      next: { count: next.level },
      nextLimit: { money: limit(next.level) },
      needs: { say: next.needs },
    },
    choices,
    expects: 'choice',
  };
}

/** The amount that can still come in. A balance over the limit of a lowered level leaves nothing. */
function room({ level, balance }: Upgrading): Screen {
  const [most, now] = [limit(level), known(balance)];
  const left = centimes(Math.max(0, most - now));
  return {
    key: 'upgrade.room',
    values: { limit: { money: most }, balance: { money: now }, left: { money: left } },
    expects: 'nothing',
  };
}

function limit(level: number | undefined): Centimes {
  return known(limitOf(known(level)));
}
