import type { Store } from '../../store/store.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { IntentState } from '../intents/intent.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { type Batch, type Line, readLines, type Tally, writeTally } from './batch.ts';

/** Partner API v2.3, "Bank transfer": one that has arrived may come back for as long as it is followed, and a day of grace. */
const MAY_COME_BACK_MS = 15 * 24 * 3_600_000;
/** So long after a file has ended a deposit is read again (`intents/schedule.ts`), and an hour of grace. */
const DEPOSIT_MAY_GO_BACK_MS = 25 * 3_600_000;
/** Payments that are read at the same time. */
const READ_TOGETHER = 100;

/** The state of a line: not processed yet, paid, not paid, or not confirmed yet. */
type LineEnd = 'waiting' | 'paid' | 'unpaid' | 'open';

const ENDS: Readonly<Record<IntentState, LineEnd>> = {
  sent: 'open',
  accepted: 'open',
  unknown: 'open',
  human: 'open',
  'not-found': 'open',
  succeeded: 'paid',
  rejected: 'unpaid',
  unsent: 'unpaid',
  failed: 'unpaid',
  reversed: 'unpaid',
};

/** @param state of its payment, as far as it is known */
export function endOf({ refused, ref, state }: Line): LineEnd {
  if (refused !== undefined) return 'unpaid';
  return ref === undefined ? 'waiting' : ENDS[state ?? 'unknown'];
}

/**
 * The amount that a file that waits for its release takes from the float: the lines that are not processed yet, and the
 * banks' fees for them. Undefined where it does not wait.
 * @param lines all of them
 */
export function neededFor({ state, next }: Batch, lines: readonly Line[]): Centimes | undefined {
  if (state !== 'ready' && state !== 'stopped') return undefined;
  const left = lines.slice(next).filter(({ refused }) => refused === undefined);
  return centimes(left.reduce((all, { amount, fees = 0 }) => all + amount + fees, 0));
}

/**
 * Finds out the outcomes of the processed lines and writes them down: the sum that was really paid, and the sum that is
 * not confirmed yet. Returns the file as it is then. A line that can no longer change is never read again.
 * @param isDue see `writeTally`
 */
export async function counted(
  deps: { readonly store: Store; readonly outcomes: Pick<Outcomes, 'intentOf'>; readonly now: () => number },
  batch: Batch,
  isDue = false,
): Promise<Batch> {
  if (!batch.released || batch.isSettled) return batch;
  const at = deps.now();
  const { endedAt = at } = batch;
  const mayChange = (line: Line) => mayChangeAfter(line, at - endedAt);
  const known = await readLines(deps.store, batch);
  const states = await statesOf(deps, known.filter(mayChange));
  return (
    (await writeTally(deps.store, batch, { now: at, isDue }, (now, lines) => {
      const after = lines.map((line) => {
        const state = line.ref === undefined ? undefined : states.get(line.ref);
        return state === undefined || state === line.state ? line : { ...line, state };
      });
      const isSettled = now.state === 'done' && !after.some(mayChange);
      return { lines: after, tally: tallyOf(after), isSettled };
    })) ?? batch
  );
}

/** A failed payment stays failed. One that was made may be taken back for a while. */
function mayChangeAfter({ ref, to, state }: Line, endedMs: number): boolean {
  if (ref === undefined) return false;
  const end = ENDS[state ?? 'unknown'];
  return (
    end === 'open' || (end === 'paid' && endedMs <= ('rib' in to ? MAY_COME_BACK_MS : DEPOSIT_MAY_GO_BACK_MS))
  );
}

async function statesOf(
  { outcomes }: { readonly outcomes: Pick<Outcomes, 'intentOf'> },
  lines: readonly Line[],
): Promise<ReadonlyMap<string, IntentState>> {
  const states = new Map<string, IntentState>();
  for (let i = 0; i < lines.length; i += READ_TOGETHER) {
    const refs = lines.slice(i, i + READ_TOGETHER).flatMap(({ ref }) => ref ?? []);
    for (const intent of await Promise.all(refs.map((ref) => outcomes.intentOf(ref))))
      if (intent) states.set(intent.id, intent.state);
  }
  return states;
}

function tallyOf(lines: readonly Line[]): Tally {
  const those = (end: LineEnd) => {
    const of = lines.filter((line) => line.ref !== undefined && endOf(line) === end);
    return { count: of.length, sum: centimes(of.reduce((all, { amount }) => all + amount, 0)) };
  };
  return { paid: those('paid'), open: those('open') };
}
