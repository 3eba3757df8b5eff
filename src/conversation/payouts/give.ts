import type { Store } from '../../store/store.ts';
import { centimes } from '../../wallet/money.ts';
import { cleanName } from '../../wallet/names.ts';
import { addBatch, type Batch } from './batch.ts';
import { digestOf, readPayouts, type UploadedTable, type Wrong } from './file.ts';

/** The outcome for a file that was given. `twice`: the same file was given before. */
export type PayoutFileOutcome =
  | { readonly kind: 'given'; readonly id: string }
  | { readonly kind: 'wrong'; readonly wrong: readonly Wrong[] }
  | { readonly kind: 'twice'; readonly id: string };

/** As a list or a sentence shows it. */
const FILE_NAME_MAX = 80;

/** A file as it is given, at the console or in a chat. */
interface PayoutFile extends UploadedTable {
  readonly by: Batch['by'];
}

/**
 * Takes a file of payouts whole, or not at all. Its lines are then asked about, one by one.
 * @param code the principal agent's
 */
export async function giveFile(
  { store, now }: { readonly store: Store; readonly now: () => number },
  code: string,
  { bytes, fileName, by }: PayoutFile,
): Promise<PayoutFileOutcome> {
  const reading = readPayouts(bytes);
  if (!reading.ok) return { kind: 'wrong', wrong: reading.wrong };
  const { lines } = reading;
  const id = digestOf(code, lines);
  const sum = centimes(lines.reduce((all, { amount }) => all + amount, 0));
  const count = lines.length;
  const batch: Batch = {
    ...{ id, code, fileName: named(fileName), by, sum, at: now(), state: 'checking', count },
    ...{ checked: 0, next: 0, fees: centimes(0), payable: { count, sum } },
  };
  return { kind: (await addBatch(store, batch, lines)) ? 'given' : 'twice', id };
}

/** In a sentence a dot would part two words of it. */
function named(fileName: string): string {
  return cleanName(fileName.slice(-FILE_NAME_MAX).replace(/\.csv$/i, ''), FILE_NAME_MAX);
}
