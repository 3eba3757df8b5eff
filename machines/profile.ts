import type { AccountLevel } from '../src/wallet/contract/limits.ts';
import type { Profile } from '../src/wallet/wallet.ts';
import { isLevel, limitOf } from './kit/account-level.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import { known, last, machine, screen } from './kit/conversation.ts';
import { roomIn } from './kit/over-level.ts';
import type { Screen, Values } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

interface ReadingProfile extends Authenticating {
  profile?: Profile;
}

const call = calls<ReadingProfile>();

/** The requirements of the next level (Partner API v2.3, "Account levels"). The highest level has none. */
const NEXT_LEVEL: Readonly<Record<AccountLevel, SentenceKey>> = {
  1: 'profile.needsLevel2',
  2: 'profile.needsLevel3',
  3: 'profile.needsLevel4',
  4: 'profile.highest',
};

const HIGHEST = 4;

/** The customer reads the wallet's owner, its level with its limit, and its RIB, after the PIN. */
export const profile = machine<ReadingProfile>({
  id: 'profile',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'askingPin',
  states: {
    ...authentication<ReadingProfile>(() => ({ key: 'profile.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readProfile', {
      says: 'profile.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'shown', know: (profile) => ({ profile }) },
      failed: 'unavailable',
    }),
    shown: { type: 'final', tags: 'private', meta: screen((c) => profileScreen(known(c.profile))) },
    unavailable: last('profile.unavailable'),
    left: { type: 'final', output: { next: 'account' } },
  },
});

/** A level that the table does not have is a merchant's: its limit is in the contract, and nobody else's to say. */
function profileScreen({ fullName, phone, rib, level, balance }: Profile): Screen {
  const who: Values = {
    name: { name: fullName },
    phone: { phone },
    rib: rib ? { hidden: rib } : { say: 'profile.noRib' },
  };
  const limit = limitOf(level);
  if (!isLevel(level) || limit === undefined)
    return { key: 'profile.shownOther', values: who, expects: 'nothing' };
  const values: Values = {
    ...who,
    level: { count: level },
    limit: { money: limit },
    next: { say: NEXT_LEVEL[level] },
  };
  // A merchant at the highest level has negotiated another limit (open question 46).
  if (level === HIGHEST) return { key: 'profile.shownHighest', values, expects: 'nothing' };
  const left = { money: roomIn(limit, balance) };
  return { key: 'profile.shown', values: { ...values, left }, expects: 'nothing' };
}
