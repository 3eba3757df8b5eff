import type { Secrets } from '../conversation/secrets.ts';
import { StoreDown } from '../store/store.ts';
import { wordsOfName, wordsSearched } from '../wallet/name-words.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Records } from './records.ts';

/** Names that are asked for or written at a time. One beyond that comes when the wallet tells it again, or with the next PIN. */
const AT_A_TIME_MAX = 16;
/** Wallets that a process remembers to have a name, so that it does not ask the records at each PIN. */
const REMEMBERED_MAX = 100_000;

interface NamesDeps {
  readonly records: Pick<Records, 'setName' | 'nameOf' | 'walletsNamed'>;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly now: () => number;
}

/**
 * By which names customers are found. A name itself is kept nowhere: of each of its words there is a digest that only `SECRETS_KEY`
 * leads to. Whole words only, as a digest of each beginning would show whoever has the database how names are built.
 */
export type Names = ReturnType<typeof createNames>;

export function createNames({ records, secrets, now }: NamesDeps) {
  let running = 0;
  const remembered = new Set<Msisdn>();
  const remember = (wallet: Msisdn) => {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.add(wallet);
  };
  /** Never rejects for want of records. */
  const someAtATime = async (work: () => Promise<void>) => {
    if (running >= AT_A_TIME_MAX) return;
    running++;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreDown)) throw error;
    } finally {
      running--;
    }
  };
  const write = async (wallet: Msisdn, name: string) => {
    const words = wordsOfName(name).map((word) => secrets.digest(labelled(word)));
    // A word that is left out is not taken back.
    if (words.length === 0) return;
    remember(wallet);
    try {
      await records.setName({ wallet, at: now(), words });
    } catch (error) {
      remembered.delete(wallet);
      throw error;
    }
  };
  return {
    /** The wallet has said what its customer is called: what was kept before gives way. */
    write: (wallet: Msisdn, name: string) => someAtATime(() => write(wallet, name)),
    /** A customer has proven that the wallet is theirs. `ask` is called where no name is kept for it. */
    learn: (wallet: Msisdn, ask: () => Promise<string | undefined>) =>
      someAtATime(async () => {
        if (remembered.has(wallet)) return;
        if ((await records.nameOf(wallet)) === undefined) await write(wallet, (await ask()) ?? '');
        else remember(wallet);
      }),
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
 * A wallet that is listened to: whenever it says what a customer is called, or takes the name that one registers with, that is noted.
 * At a right PIN it is asked for the name that is not known yet. Nobody waits for any of it.
 * @param asked the wallet, for that question
 */
export function learningNames(
  api: Wallet,
  names: Pick<Names, 'write' | 'learn'>,
  { asked, inBackground }: { readonly asked: Wallet; inBackground(work: Promise<void>): void },
): Wallet {
  const nameOf = async (phone: Msisdn) => {
    const answer = await asked.profile(phone);
    return answer.kind === 'ok' ? answer.value.fullName : undefined;
  };
  return {
    ...api,
    async profile(phone, call) {
      const answer = await api.profile(phone, call);
      if (answer.kind === 'ok') inBackground(names.write(phone, answer.value.fullName));
      return answer;
    },
    async register(order, call) {
      const answer = await api.register(order, call);
      if (answer.kind === 'ok')
        inBackground(names.write(order.phone, `${order.firstName} ${order.lastName}`));
      return answer;
    },
    async login(order, call) {
      const answer = await api.login(order, call);
      if (answer.kind === 'ok') inBackground(names.learn(order.phone, () => nameOf(order.phone)));
      return answer;
    },
  };
}
