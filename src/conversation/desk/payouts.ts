import type { Centimes } from '../../wallet/money.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Intent } from '../intents/intent.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { type Batch, changeBatch, type Line, listBatches, readBatch, readLines } from '../payouts/batch.ts';
import { giveFile, type PayoutFileOutcome } from '../payouts/give.ts';
import { unguardedIn } from '../payouts/guard.ts';
import { counted, neededFor } from '../payouts/tally.ts';
import type { TellDeps } from '../session/tell.ts';
import type { Acted, Agent } from './desk.ts';

/** A line of a file with its result. The payment is absent where the line was not processed yet. */
export interface LineResult extends Line {
  readonly line: number;
  readonly intent?: Pick<Intent, 'id' | 'state' | 'operationId'>;
}

export interface PayoutFile {
  readonly batch: Batch;
  readonly lines: readonly Line[];
  /** The amount that it takes from the float. Undefined where it does not wait to be released. */
  readonly needs: Centimes | undefined;
  /** It cannot be released: see `unguardedIn`. */
  readonly isUnguarded?: boolean;
}

/** Files of payouts, for administrators: they give them, and numbers that act for the principal agent release them. */
export interface PayoutFiles {
  /** Each as it is now: how much of it was really paid is counted when it is asked for. */
  files(): Promise<readonly Batch[]>;
  file(id: string): Promise<PayoutFile | undefined>;
  /** Takes a file whole, or not at all. Its lines are then asked about, one by one. */
  giveFile(bytes: Uint8Array, fileName: string, by: Agent): Promise<PayoutFileOutcome>;
  /** Before it is released: it is never paid, and may be given once more. */
  withdrawFile(id: string): Promise<Acted>;
  /** Line by line, as far as it has come. */
  results(id: string): AsyncIterable<LineResult>;
}

export interface PayoutFilesDeps extends Pick<TellDeps, 'store' | 'now'> {
  readonly api: Wallet;
  readonly outcomes: Pick<Outcomes, 'intentOf'>;
}

export function createPayoutFiles(deps: PayoutFilesDeps, code: string): PayoutFiles {
  const { store, now } = deps;
  return {
    files: async () => Promise.all((await listBatches(store, code)).map((batch) => counted(deps, batch))),
    async file(id) {
      const found = await readBatch(store, id);
      if (found?.code !== code) return undefined;
      const batch = await counted(deps, found);
      const lines = await readLines(store, batch);
      const needs = neededFor(batch, lines);
      const isUnguarded = needs !== undefined && (await unguardedIn(deps, batch, lines));
      return { batch, lines, needs, isUnguarded };
    },
    giveFile: (bytes, fileName, { id: account }) =>
      giveFile(deps, code, { bytes, fileName, by: { account } }),
    async withdrawFile(id) {
      const seen = await readBatch(store, id);
      if (!seen) return 'notFound';
      const after = await changeBatch(store, seen, now(), ({ batch }) =>
        batch.state === 'checking' || batch.state === 'ready'
          ? { batch: { ...batch, state: 'withdrawn' } }
          : undefined,
      );
      return after ? 'done' : 'notNow';
    },
    results: (id) => results(deps, id),
  };
}

async function* results({ store, outcomes }: PayoutFilesDeps, id: string): AsyncGenerator<LineResult> {
  const batch = await readBatch(store, id);
  for (const [i, { ref, ...line }] of (batch ? await readLines(store, batch) : []).entries()) {
    const intent = ref ? await outcomes.intentOf(ref) : undefined;
    const { state, operationId } = intent ?? {};
    yield {
      ...line,
      line: i + 1,
      ...(intent &&
        state && { intent: { id: intent.id, state, ...(operationId !== undefined && { operationId }) } }),
    };
  }
}
