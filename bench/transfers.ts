import type { Engine } from '../src/conversation/engine.ts';
import { createEngine } from '../src/conversation/engine.ts';
import type { Input } from '../src/conversation/incoming.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import type { Renderer } from '../src/screen/renderer.ts';
import { partitionOf } from '../src/store/partition.ts';
import type { Store } from '../src/store/store.ts';
import type { Answer } from '../src/wallet/answer.ts';
import { type Centimes, centimes } from '../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../src/wallet/phone.ts';
import type { Wallet } from '../src/wallet/wallet.ts';
import { ASKS_FROM_500 } from '../test/kit/first-payments.ts';
import { never } from './measure.ts';

/** What one customer does: dial, send money, PIN. Each is one turn. */
const INPUTS: readonly (readonly Input[])[] = [
  [],
  ...['1', '0698765432', '200', '1234'].map((text): readonly Input[] => [{ type: 'said', text }]),
];
export const TURNS_PER_CONVERSATION = INPUTS.length;
const DEADLINE_MS = 10_000;
/** Longer than a conversation waits for its customer. */
const IDLE_MS = 45 * 60_000;

/** Operations of every wallet made here: each has an id of its own, as the real ones do. */
let operations = 0;

/** A wallet that answers at once, so that only Wasl is measured. */
export function instantWallet(sent: Map<string, string>): Wallet {
  const ok = <T>(value: T): Promise<Answer<T>> => Promise.resolve({ kind: 'ok', value });
  const paid = new Map<string, { to: Msisdn; amount: Centimes }>();
  const calls: Partial<Wallet> = {
    customerStatus: () => ok({ status: 3 as const }),
    profile: () => Promise.resolve({ kind: 'refused', code: 'http403', description: '' }),
    // Nobody is a merchant.
    staticQr: () => Promise.resolve({ kind: 'refused', code: '90026', description: '' }),
    beneficiaries: () => ok({ entries: [], count: 0 }),
    previewTransfer: ({ amount }) =>
      ok({ fees: centimes(200), total: centimes(amount + 200), openLoop: false }),
    login: () => ok(true as const),
    operations: () => ok({ operations: [], count: 0 }),
    transfer: ({ from, to, amount }, { requestId }) => {
      sent.set(from, requestId);
      operations += 1;
      paid.set(from, { to, amount });
      return ok({ operationId: operations });
    },
    operation: (from, id) => {
      const { to, amount } = paid.get(from) ?? never();
      const money = { amount, fees: centimes(200), total: centimes(amount + 200) };
      return ok({
        id,
        type: 3,
        status: 2 as const,
        direction: 2 as const,
        ...money,
        at: Date.now(),
        sender: from,
        receiver: to,
      });
    },
  };
  return calls as Wallet;
}

export interface Driver {
  /** One customer sends money, from the dial to "processing"; `took` is told the microseconds of each turn. */
  conversation(wallet: Msisdn, took: (us: number) => void): Promise<void>;
  /** Waits for what goes on behind the replies. */
  rests(): Promise<void>;
  /** The webhook's part: finds the payment's outcome, writes it down and tells the customer. */
  outcome(wallet: Msisdn): Promise<void>;
  /** The intent of the last payment of a wallet. */
  paymentOf(wallet: Msisdn): string;
  /** Lets the conversation of a wallet be left for too long. */
  goesIdle(wallet: Msisdn): Promise<void>;
  /** Bytes that a session keeps once its conversation is over: key and value. */
  idleBytes(wallet: Msisdn): Promise<number>;
}

/** Transfers through the whole engine with everything on: compare-and-set, seen inputs, timers, turn records. */
export function createDriver(store: Store, renderer: Renderer): Driver {
  /** The intent of each wallet's payment, by wallet. */
  const sent = new Map<string, string>();
  let aheadMs = 0;
  const engine: Engine = createEngine({
    served: { safety: ASKS_FROM_500 },
    store,
    api: instantWallet(sent),
    secrets: createSecrets('a secrets key for the bench, 32 characters'),
    sendCode: async () => 'none',
    deliver: async () => 'delivered',
    alone: false,
    now: () => Date.now() + aheadMs,
    onError: (error) => {
      throw error;
    },
  });
  let count = 0;
  // As long as the digests that a door makes.
  const nameOf = (kind: string) => `${kind}${String(count++).padStart(15, '0')}`;
  return {
    async conversation(wallet, took) {
      const address = `ussd:${wallet}` as const;
      const dialog = nameOf('d');
      let key = '';
      for (const inputs of INPUTS) {
        const startedAt = process.hrtime.bigint();
        const id = nameOf('i');
        const reply = await engine.receive({ address, id, dialog, inputs, language: 'fr' }, DEADLINE_MS);
        renderer.ussd(reply.screen, reply.language, reply.page);
        took(Number(process.hrtime.bigint() - startedAt) / 1000);
        key = reply.screen.key;
      }
      if (key !== 'transfer.processing') throw new Error(`the conversation ended at ${key}`);
    },
    rests: () => engine.close(),
    async outcome(wallet) {
      const intent = await engine.intentOf(sent.get(wallet) ?? never());
      const { operationId = never() } = intent ?? never();
      if ((await engine.confirm(intent ?? never(), operationId, 'bench')) !== 'known') never();
      await engine.close();
    },
    async goesIdle(wallet) {
      aheadMs += IDLE_MS;
      await engine.wake(`ussd:${wallet}`);
      await engine.close();
      aheadMs -= IDLE_MS;
    },
    paymentOf: (wallet) => sent.get(wallet) ?? never(),
    async idleBytes(wallet) {
      const key = `session:ussd:${wallet}`;
      const [doc] = await store.read(partitionOf(wallet), [key]);
      const { conversation: _over, intent: _told, ...idle } = JSON.parse(doc?.value ?? '{}');
      return key.length + JSON.stringify(idle).length;
    },
  };
}

export function walletOf(number: number): Msisdn {
  return msisdn(`06${String(10_000_000 + number)}`);
}
