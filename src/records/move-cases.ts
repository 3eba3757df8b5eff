import { z } from 'zod';
import { applyCaseUpdate, openCase } from '../conversation/cases/apply.ts';
import { CASES, type Case, caseCodec, caseKey } from '../conversation/cases/case.ts';
import { CASE_DEFAULTS, type CaseSettings } from '../conversation/cases/changes.ts';
import type { CaseTx } from '../conversation/cases/table.ts';
import { caseUpdatesIn } from '../conversation/cases/update.ts';
import { codec, isObject, jsonOf } from '../store/codec.ts';
import type { Steps } from '../store/steps.ts';
import { type Store, StoreDown } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';
import type { Records } from './records.ts';

/*
 * The release before this one has open cases in documents of the live store, and closed ones in turn records of the kind `case`. They
 * move into the table at the first start, and at each round of a job for as long as processes of that release may run.
 */

const DOCS_PER_ROUND = 500;
/** More than there are. */
const LEFT_MAX = 10_000;
/** The turn records of so much time are looked through in one round. */
const SPAN_MS = 7 * 24 * 3_600_000;
/** The latest ones are looked through again: another process may record them late. */
const AGAIN_MS = 3_600_000;
const MOVE_KEY = 'cases-moved';
const moveCodec = codec<{ readonly upTo: number }>('move of cases', z.object({ upTo: z.number() }));

interface MoveDeps {
  readonly store: Store;
  readonly records: Pick<Records, 'cases'>;
  readonly settings?: CaseSettings;
  readonly now: () => number;
}

/** One round. Each case moves once, however often it is met. Gives whether there is more to do at once. Rejects with `StoreDown`. */
export async function moveCases(deps: MoveDeps): Promise<boolean> {
  const hasMore = await moveDocs(deps);
  return (await moveRecorded(deps)) || hasMore;
}

/** The number of cases of that release that have not arrived, open and closed ones. Rejects with `StoreDown`. */
export async function leftToMove(
  store: Pick<Store, 'scheduled'>,
  records: Pick<Records, 'cases'>,
  now: () => number = Date.now,
): Promise<{ readonly open: number; readonly closed: number }> {
  const docs = await store.scheduled(CASES, caseKey(''), LEFT_MAX);
  let closed = 0;
  // A week at a time, as there may be years of them.
  for (let from = (await records.cases.firstEventAt()) ?? now(); from <= now(); from += SPAN_MS) {
    const recorded = await records.cases.events(from, from + SPAN_MS);
    const ids = new Set(recorded.flatMap(({ record }) => closedCaseIn(jsonOf(record))?.id ?? []));
    closed += ids.size - (await records.cases.read((tx) => tx.read([...ids]))).length;
  }
  return { open: docs.length, closed };
}

async function moveDocs({ store, records, settings = CASE_DEFAULTS, now }: MoveDeps): Promise<boolean> {
  const scheduled = await store.scheduled(CASES, caseKey(''), DOCS_PER_ROUND);
  const docs = await readDocs(
    store,
    CASES,
    scheduled.map(({ key }) => key),
  );
  for (const doc of docs) {
    const it = caseCodec.readable(doc);
    if (!it) continue;
    try {
      await records.cases.write((tx) => taken(tx, settings, it, now()));
    } catch (error) {
      unlessAway(error);
      continue;
    }
    // If that release has written it meanwhile, the next round takes it once more.
    await store.commit(CASES, {
      writes: [{ key: doc.key, version: doc.version, value: null }],
      durable: true,
    });
  }
  return scheduled.length === DOCS_PER_ROUND;
}

async function moveRecorded(deps: MoveDeps): Promise<boolean> {
  const { store, records, settings = CASE_DEFAULTS, now } = deps;
  const [doc] = await readDocs(store, CASES, [MOVE_KEY]);
  const known = moveCodec.readable(doc)?.upTo;
  const from = known === undefined ? ((await records.cases.firstEventAt()) ?? now()) : known - AGAIN_MS;
  const to = Math.min(from + SPAN_MS, now());
  for (const { at, record } of await records.cases.events(from, to)) {
    const fields = jsonOf(record);
    for (const each of isObject(fields) ? caseUpdatesIn(fields.cases) : [])
      await records.cases.write((tx) => applyCaseUpdate(tx, settings, each)).catch(unlessAway);
    const it = closedCaseIn(fields);
    if (it) await records.cases.write((tx) => taken(tx, settings, it, at)).catch(unlessAway);
  }
  await update(store, CASES, [MOVE_KEY], (current) => ({
    writes: [moveCodec.write(current, { upTo: Math.max(to, moveCodec.readable(current)?.upTo ?? 0) })],
    result: undefined,
  }));
  return to < now() - AGAIN_MS;
}

/** A case that is damaged keeps no other one from moving. `leftToMove` counts it. */
function unlessAway(error: unknown): void {
  if (error instanceof StoreDown) throw error;
}

/** A closed case as that release has recorded it. One that was opened again is in a document. */
function closedCaseIn(record: unknown): Case | undefined {
  const { event, case: it } = isObject(record) ? record : {};
  if (!isObject(event) || event.kind !== 'case' || event.isReopened === true) return undefined;
  return caseCodec.readable({ key: '', version: 1, value: JSON.stringify(it) });
}

function* taken(tx: CaseTx, settings: CaseSettings, it: Case, at: number): Steps<void> {
  const known = yield* tx.find(it.id);
  const isOpen = it.state !== 'closed';
  const other = isOpen ? yield* tx.about(it.kind, it.subject) : undefined;
  const isAgain = known !== undefined && known.openedAt !== it.openedAt;
  // The earlier release did not find the case that had moved, and has opened another one about the same.
  if (isOpen && ((other && other.id !== it.id) || isAgain)) {
    const { kind, subject, address, wallet, language, about } = it;
    const known = { address, wallet, language, about };
    const opening = {
      kind,
      subject,
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)),
    };
    yield* openCase(tx, { settings, at }, opening);
  } else if (!known) yield* tx.add(it);
  else if (!isAgain && lastAt(it) > lastAt(known)) yield* tx.put(it);
}

function lastAt({ steps }: Case): number {
  return steps.at(-1)?.at ?? 0;
}
