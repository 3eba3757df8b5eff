import type { Secrets } from '../conversation/secrets.ts';
import { StoreDown } from '../store/store.ts';
import { wordsOfName, wordsSearched } from '../wallet/name-words.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Records } from './records.ts';

/** Names that are written at a time. A name beyond that is noted when the wallet tells it again. */
const WRITES_MAX = 16;

interface NamesDeps {
  readonly records: Pick<Records, 'setName' | 'walletsNamed'>;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly now: () => number;
}

/**
 * By which names customers are found. A name itself is kept nowhere: of each of its words there is a digest that only `SECRETS_KEY`
 * leads to. Whole words only, as a digest of each beginning would show whoever has the database how names are built.
 */
export type Names = ReturnType<typeof createNames>;

export function createNames({ records, secrets, now }: NamesDeps) {
  let writes = 0;
  return {
    /** The wallet has said what its customer is called: what was kept before gives way. Never rejects for want of records. */
    async write(wallet: Msisdn, name: string): Promise<void> {
      if (writes >= WRITES_MAX) return;
      writes++;
      try {
        const words = wordsOfName(name).map((word) => secrets.digest(labelled(word)));
        // A word that is left out is not taken back.
        if (words.length > 0) await records.setName({ wallet, at: now(), words });
      } catch (error) {
        // It is told again when somebody looks again.
        if (!(error instanceof StoreDown)) throw error;
      } finally {
        writes--;
      }
    },
    /**
     * Customers whose name has all of these words, those first whose name was told last. None where it is no name.
     * Rejects with `RecordsDown`.
     */
    async find(text: string, limit: number): Promise<readonly Msisdn[]> {
      const words = wordsSearched(text).map((word) => secrets.digests(labelled(word)));
      const found = words.length === 0 ? [] : await records.walletsNamed(words, limit);
      return found.flatMap((wallet) => readPhone(wallet) ?? []);
    },
  };
}

/** Nothing else that is digested is called so. */
function labelled(word: string): string {
  return `name ${word}`;
}

/**
 * A wallet that is listened to: whenever it says what a customer is called, or takes the name that one registers with, that is noted,
 * and nobody waits for it.
 */
export function learningNames(api: Wallet, learn: (wallet: Msisdn, name: string) => void): Wallet {
  return {
    ...api,
    async profile(phone, call) {
      const answer = await api.profile(phone, call);
      if (answer.kind === 'ok') learn(phone, answer.value.fullName);
      return answer;
    },
    async register(order, call) {
      const answer = await api.register(order, call);
      if (answer.kind === 'ok') learn(order.phone, `${order.firstName} ${order.lastName}`);
      return answer;
    },
  };
}
