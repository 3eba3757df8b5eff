import { StoreDown } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';
import { applyCaseUpdate, caseAt, changeCase, mergeCases, openCase, reopenCase } from './apply.ts';
import {
  byDue,
  type Case,
  type CaseEnd,
  type CaseKind,
  type CaseOwner,
  type Handler,
  isSameCustomer,
  type Whose,
} from './case.ts';
import {
  type CaseActed,
  type CaseSettings,
  type Change,
  closed,
  dealt,
  handOver,
  labelled,
  looked,
  lookedAt,
  noted,
  type Opening,
  type Rules,
  returned,
  snoozed,
  urgent,
  waits,
} from './changes.ts';
import type { CaseChoice, CasePage } from './choice.ts';
import { opensAt } from './hours.ts';
import type { CaseTable } from './table.ts';
import type { CaseUpdate } from './update.ts';

/** Cases that one list has at most, where nobody asks for a part of it: as many as are open where each answered one waits for a day. */
const LISTED_MAX = 10_000;
const LOOKS_MAX = 200;
/** How many others are tried before "next" gives up: each was taken by somebody else in between. */
const NEXT_TRIES_MAX = 50;

interface CasesDeps {
  readonly table: CaseTable;
  readonly settings: CaseSettings;
  readonly now: () => number;
}

/**
 * Cases: what people have to do. They live in the records. Each change is one transaction, so that two agents never get the same:
 * an agent who does something about another one's case is told `owned`, and nothing has changed. Methods reject with `RecordsDown`.
 */
export type Cases = ReturnType<typeof createCases>;

export function createCases(deps: CasesDeps) {
  const { table, settings, now } = deps;
  const rules = (): Rules => ({ settings, at: now() });
  return {
    ...readsOf(deps),
    ...changesOf((id, to) => table.write((tx) => changeCase(tx, rules(), id, to))),
    /** Opens a case, unless one of its kind is open about the same: then the customer has asked again. */
    open: (opening: Opening) => table.write((tx) => openCase(tx, rules(), opening)),
    /**
     * Takes the one that is due first and that nobody has, with what else of the same customer nobody has; undefined where there is none.
     * Of whom another agent has a case is left to them, while there is another one and it is not late.
     * @param choice which ones; absent: any
     */
    next: (by: CaseOwner, choice: CaseChoice = {}) =>
      next(
        deps,
        (id) => table.write((tx) => changeCase(tx, rules(), id, handOver({ agent: by }, by))),
        by,
        choice,
      ),
    /** It goes on in another one, which is about the same customer, and which may be another agent's. */
    merge: (id: string, into: string, by: Handler) =>
      table.write((tx) => mergeCases(tx, rules(), [id, into], by)),
    /** One that is closed and goes on in no other one. @param by the agent; absent: the customer */
    reopen: (id: string, by?: string) => table.write((tx) => reopenCase(tx, rules(), id, by)),
    /** Looks at one that is due. @param isNeeded whether what it is about still needs somebody */
    async look(id: string, isNeeded: (it: Case) => Promise<boolean>): Promise<void> {
      const it = await table.read((tx) => tx.find(id));
      if (!it || it.state === 'closed') return;
      const to = lookedAt(await isNeeded(it));
      await table.write((tx) => changeCase(tx, rules(), id, to));
    },
    /**
     * Applies updates that a commit carries, before the recorder comes by with them: an agent sees at once what they did. Nothing happens
     * where the records are away, or where there is no case for it yet.
     */
    hear: (told: readonly CaseUpdate[]) => hear(deps, told),
  };
}

function readsOf(deps: CasesDeps) {
  const { table, settings, now } = deps;
  return {
    find: (id: string) => table.read((tx) => tx.find(id)),
    about: (kind: CaseKind, subject: string) => table.read((tx) => tx.about(kind, subject)),
    /** The open case of who is at an address: the one that was asked for before the one of a customer who is stuck. */
    at: (address: Address) => table.read((tx) => caseAt(tx, address)),
    /** Those of a customer that are not closed, by when they are due. @param whose their wallet, an address of theirs, or both */
    ofCustomer: async (whose: Whose) => (await table.read((tx) => tx.openOf(whose))).sort(byDue),
    closedOf: (wallet: Msisdn, limit: number) => table.read((tx) => tx.closedOf(wallet, limit)),
    /** Those of a choice. @param page absent: from the first one, by when they are due, `LISTED_MAX` at most */
    list: (choice: CaseChoice = {}, page: CasePage = {}) => list(deps, choice, page),
    counts: (choices: readonly CaseChoice[]) => table.read((tx) => tx.counts(choices, now())),
    /** When somebody is there next, in ms since 1970; undefined where somebody is. @param at absent: now */
    opensAt: (at = now()) => opensAt(at, settings.hours),
    /** Those that are to be looked at now, by their ids. */
    due: () => table.read((tx) => tx.lookAt(now(), LOOKS_MAX)),
  };
}

/** Each makes one change (`changes.ts`) of a case, by its id. */
function changesOf(change: (id: string, to: Change) => Promise<CaseActed>) {
  return {
    /** An owner who does not give it away themselves is told (`mentions`). */
    assign: (id: string, to: CaseOwner, by: Handler) => change(id, handOver({ agent: to }, by)),
    toTeam: (id: string, team: CaseOwner, by: Handler) => change(id, handOver({ team }, by)),
    /** The rule of assignment gives it to an agent, where nobody has it: one of two rounds at once is told `owned`. */
    deal: (id: string, to: CaseOwner) => change(id, dealt(to)),
    /** Takes it from an owner who has done nothing about it since then, in ms since 1970. It is nobody's again. */
    returnSilent: (id: string, before: number) => change(id, returned(before)),
    setWaiting: (id: string, isWaiting: boolean, by: Handler) => change(id, waits(isWaiting, by)),
    setUrgent: (id: string, isUrgent: boolean, by: Handler) => change(id, urgent(isUrgent, by)),
    /** While it is not closed, `CASE_LABELS_MAX` at most. @param labels their ids */
    label: (id: string, labels: readonly string[], isOn: boolean, by: string) =>
      change(id, labelled(labels, isOn, by)),
    /** While it is not closed: anybody may, and the same twice in a row is one note. Secrets in it are left out. */
    note: (id: string, by: string, text: string, named: readonly string[] = []) =>
      change(id, noted(by, text, named)),
    looked: (id: string, by: string) => change(id, looked(by)),
    /**
     * Puts it off, unless it is so already: it comes back by itself, or when its customer says something. When it is due stays; one that waits for its customer
     * is due then. @param until in ms since 1970: from now on, for `SNOOZE_MAX_MS` at most; `customer`: nothing but their word is waited
     * for, and `SNOOZE_MAX_MS` is the end of it
     */
    snooze: (id: string, until: number | 'customer', by: Handler) => change(id, snoozed(until, by)),
    close: (id: string, end: CaseEnd, by?: Handler, note?: string) => change(id, closed(end, by, note)),
  };
}

async function hear({ table, settings }: CasesDeps, told: readonly CaseUpdate[]): Promise<void> {
  try {
    for (const each of told) await table.write((tx) => applyCaseUpdate(tx, settings, each, false));
  } catch (error) {
    if (!(error instanceof StoreDown)) throw error;
  }
}

function list({ table, now }: CasesDeps, choice: CaseChoice, page: CasePage): Promise<Case[]> {
  const { sort = 'due', from = 0, limit = LISTED_MAX } = page;
  return table.read((tx) => tx.chosen(choice, now(), sort, [from, limit]));
}

async function next(
  deps: CasesDeps,
  take: (id: string) => Promise<CaseActed>,
  by: CaseOwner,
  choice: CaseChoice,
): Promise<Case | undefined> {
  const free: CaseChoice = { stands: 'turn', owners: [''], and: choice };
  const first = await list(deps, free, { limit: NEXT_TRIES_MAX });
  const taken = await list(deps, { isOwned: true, customers: first.flatMap(namesOf) }, {});
  const theirs = new Set(taken.flatMap((it) => (it.owner?.id === by.id ? [] : namesOf(it))));
  const isLeft = (it: Case) => it.due > deps.now() && namesOf(it).some((name) => theirs.has(name));
  for (const it of [...first.filter((it) => !isLeft(it)), ...first.filter(isLeft)]) {
    if ((await take(it.id)) !== 'done') continue;
    // Nobody is answered twice.
    for (const other of await list(deps, { customers: namesOf(it), and: free }, {}))
      if (isSameCustomer(it, other)) await take(other.id);
    return deps.table.read((tx) => tx.find(it.id));
  }
  return undefined;
}

/** The names by which two cases are of the same customer. */
export function namesOf({ wallet, address }: Whose): string[] {
  return [wallet, address].filter((name) => name !== undefined);
}
