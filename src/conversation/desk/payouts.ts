import { centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Intent } from '../intents/intent.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { addBatch, type Batch, changeBatch, type Line, listBatches, readBatch } from '../payouts/batch.ts';
import { digestOf, readPayouts, type Wrong } from '../payouts/file.ts';
import type { TellDeps } from '../session/tell.ts';
import type { Acted, Agent } from './desk.ts';

/** What became of a file that was given. `twice`: the same was given before. */
export type Given =
  | { readonly kind: 'given'; readonly id: string }
  | { readonly kind: 'wrong'; readonly wrong: readonly Wrong[] }
  | { readonly kind: 'twice'; readonly id: string };

/** A line of a file with what has become of it; absent where nobody has come to it. */
export interface LineResult extends Line {
  readonly line: number;
  readonly intent?: Pick<Intent, 'id' | 'state' | 'operationId'>;
}

/** Files of payouts, for administrators: they give them, and numbers that act for the principal agent release them. */
export interface PayoutFiles {
  files(): Promise<readonly Batch[]>;
  file(id: string): Promise<{ readonly batch: Batch; readonly lines: readonly Line[] } | undefined>;
  /** Takes a file whole, or not at all. What it says is then asked about, line by line. */
  giveFile(bytes: Uint8Array, fileName: string, by: Agent): Promise<Given>;
  /** Before it is released: it is never paid, and may be given once more. */
  withdrawFile(id: string): Promise<Acted>;
  /** Line by line, as far as it has come. */
  results(id: string): AsyncIterable<LineResult>;
}

export interface PayoutFilesDeps extends Pick<TellDeps, 'store' | 'now'> {
  readonly outcomes: Pick<Outcomes, 'intentOf'>;
}

export function createPayoutFiles(deps: PayoutFilesDeps, code: string): PayoutFiles {
  const { store, now } = deps;
  return {
    files: () => listBatches(store, code),
    async file(id) {
      const known = await readBatch(store, id);
      return known?.batch.code === code ? known : undefined;
    },
    // In a sentence a dot would part two words of it.
    giveFile: (bytes, name, { id: account }) =>
      give(deps, code, { bytes, fileName: name.replace(/\.csv$/i, ''), by: { account } }),
    async withdrawFile(id) {
      const after = await changeBatch(store, id, now(), ({ batch }) =>
        batch.state === 'checking' || batch.state === 'ready'
          ? { batch: { ...batch, state: 'withdrawn' } }
          : undefined,
      );
      return after ? 'done' : 'notNow';
    },
    results: (id) => results(deps, id),
  };
}

async function give(
  { store, now }: PayoutFilesDeps,
  code: string,
  {
    bytes,
    fileName,
    by,
  }: {
    readonly bytes: Uint8Array;
    readonly fileName: string;
    readonly by: { readonly account: string } | { readonly phone: Msisdn };
  },
): Promise<Given> {
  const reading = readPayouts(bytes);
  if (!reading.ok) return { kind: 'wrong', wrong: reading.wrong };
  const { lines } = reading;
  const id = digestOf(code, lines);
  const sum = centimes(lines.reduce((all, { amount }) => all + amount, 0));
  const batch: Batch = {
    ...{ id, code, fileName, by, sum, at: now(), state: 'checking', count: lines.length },
    ...{ checked: 0, next: 0, fees: centimes(0), refs: [] },
    payable: { count: lines.length, sum },
  };
  return { kind: (await addBatch(store, batch, lines)) ? 'given' : 'twice', id };
}

async function* results({ store, outcomes }: PayoutFilesDeps, id: string): AsyncGenerator<LineResult> {
  const known = await readBatch(store, id);
  for (const [i, line] of (known?.lines ?? []).entries()) {
    const ref = known?.batch.refs[i];
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
