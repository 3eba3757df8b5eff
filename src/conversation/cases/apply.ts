import type { Steps } from '../../store/steps.ts';
import { type Case, type Handler, isSameCustomer, type Whose } from './case.ts';
import {
  answered,
  askedAgain,
  askedAgainAt,
  begun,
  type CaseActed,
  type CaseSettings,
  type Change,
  type Changed,
  caseEventOf,
  closed,
  customerWrote,
  handOver,
  merged,
  newCaseId,
  type Opening,
  type Rules,
  rated,
  reopened,
} from './changes.ts';
import type { CaseTx } from './table.ts';
import type { CaseUpdate } from './update.ts';

/** The kinds of cases that are about the one who is at an address, the more important one first. */
const KINDS = ['asked', 'stuck'] as const;
/** How often a case may go on in another one. */
const MERGES_MAX = 50;

function* written(tx: CaseTx, rules: Rules, changed: Changed): Steps<'done'> {
  yield* tx.put(changed.it);
  yield* tells(tx, rules, changed);
  return 'done';
}

/** Keeps the event for the company's own tools in the transaction of the case. */
function* tells(tx: CaseTx, rules: Rules, changed: Changed): Steps<void> {
  const event = caseEventOf(rules, changed);
  if (event) yield* tx.toOutbox(event);
}

function* applied(tx: CaseTx, rules: Rules, it: Case | undefined, change: Change): Steps<CaseActed> {
  if (!it) return 'notFound';
  const changed = change(it, rules);
  return typeof changed === 'string' ? changed : yield* written(tx, rules, changed);
}

/** Changes a case. */
export function* changeCase(tx: CaseTx, rules: Rules, id: string, change: Change): Steps<CaseActed> {
  return yield* applied(tx, rules, yield* tx.find(id), change);
}

/** Opens a case, unless one of its kind is open about the same: then the customer has asked again. */
export function* openCase(tx: CaseTx, rules: Rules, opening: Opening, name = newCaseId()): Steps<Case> {
  for (let id = name; ; id = newCaseId()) {
    const known = yield* tx.about(opening.kind, opening.subject);
    if (known) {
      yield* applied(tx, rules, known, askedAgain);
      return (yield* tx.find(known.id)) ?? known;
    }
    const first = begun(rules, opening, id);
    if (!(yield* tx.add(first.it))) continue;
    yield* tells(tx, rules, first);
    return first.it;
  }
}

/** Opens a closed case again. Not while another one about the same is open: that is the one to go on with. */
export function* reopenCase(tx: CaseTx, rules: Rules, id: string, by?: string): Steps<CaseActed> {
  const it = yield* tx.find(id);
  if (it && (yield* tx.about(it.kind, it.subject))) return 'notNow';
  return yield* applied(tx, rules, it, reopened(by));
}

/** Of two that go together, the one stays that somebody has asked for: what only stands still ends by itself once its customer goes on. */
export function* mergeCases(
  tx: CaseTx,
  rules: Rules,
  [id, into]: readonly [string, string],
  by: Handler,
): Steps<CaseActed> {
  if (id === into) return 'notNow';
  // In the same order whoever merges them.
  const found: (Case | undefined)[] = [];
  for (const each of [id, into].sort()) found.push(yield* tx.find(each));
  const [it, other] = id < into ? found : found.toReversed();
  if (!it || !other) return 'notFound';
  const isAsked = it.kind === 'asked' && other.kind === 'stuck';
  const both = isAsked ? merged(other, it, by, rules) : merged(it, other, by, rules);
  if (typeof both === 'string') return both;
  for (const each of both) yield* written(tx, rules, each);
  return 'done';
}

/** The open case of who is at an address. */
export function* caseAt(tx: CaseTx, address: string): Steps<Case | undefined> {
  for (const kind of KINDS) {
    const found = yield* tx.about(kind, address);
    if (found) return found;
  }
  return undefined;
}

/**
 * Applies an update once. Gives whether a case has changed.
 * @param isLast nobody else brings it: it is known then, also where there is no case for it
 */
export function* applyCaseUpdate(
  tx: CaseTx,
  settings: CaseSettings,
  each: CaseUpdate,
  isLast = true,
): Steps<boolean> {
  if (!(yield* tx.isNewUpdate(each.id, each.at))) return false;
  const acted = yield* appliedUpdate(tx, { settings, at: each.at }, each);
  const isDone = acted.includes('done');
  if (!isDone && !isLast) yield* tx.isUnknown(each.id);
  return isDone;
}

function* appliedUpdate(tx: CaseTx, rules: Rules, each: CaseUpdate): Steps<CaseActed[]> {
  const to = (it: Case | undefined, change: Change) => applied(tx, rules, it, change);
  switch (each.what) {
    case 'opened': {
      const { opening } = each;
      const open = yield* openNamed(tx, each.case);
      if (open?.kind === opening.kind && isSameCustomer(open, opening)) {
        // Only one case is about who is at an address.
        const isFree = (yield* tx.about(opening.kind, opening.subject)) === undefined;
        return [yield* to(open, isFree ? askedAgainAt(opening) : askedAgain)];
      }
      yield* openCase(tx, rules, opening, each.case);
      return ['done'];
    }
    case 'wrote':
      return yield* toTalk(tx, rules, each, each.owner, customerWrote);
    case 'answered':
      return yield* toTalk(tx, rules, each, each.by.id, answered(each.by));
    case 'woke': {
      const theirs = yield* tx.openOf(whoseOf(each));
      return yield* toAll(
        tx,
        rules,
        theirs.filter(({ snoozedUntil }) => snoozedUntil !== undefined),
        customerWrote,
      );
    }
    case 'goesOn':
      // One that an agent has taken is theirs to close.
      return [yield* to(yield* tx.about('stuck', each.address), closed('byItself'))];
    case 'engaged': {
      const { by, isForced } = each;
      return [
        yield* to(yield* caseAt(tx, each.address), handOver({ agent: by }, { id: by.id, mayTake: isForced })),
      ];
    }
    case 'settled':
      return [
        yield* to(
          (yield* openNamed(tx, each.case)) ?? (yield* caseAt(tx, each.address)),
          closed('byCustomer'),
        ),
      ];
    case 'solved':
      return [
        yield* to(yield* tx.about(each.kind, each.subject), closed('solved', { id: each.by, mayTake: true })),
      ];
    case 'rated':
      return [yield* to((yield* tx.find(each.case)) ?? (yield* tx.lastAt(each.address)), rated(each.rating))];
    case 'notYet':
      return [yield* notYet(tx, rules, each)];
  }
}

/** A case, or the one that it was merged into. */
function* whereItGoesOn(tx: CaseTx, id: string): Steps<Case | undefined> {
  let it = yield* tx.find(id);
  for (let i = 0; it?.mergedInto !== undefined && i < MERGES_MAX; i++) it = yield* tx.find(it.mergedInto);
  return it;
}

/** The open case that a customer knows by this name. */
function* openNamed(tx: CaseTx, id: string | undefined): Steps<Case | undefined> {
  const it = id === undefined ? undefined : yield* whereItGoesOn(tx, id);
  return it?.state === 'closed' ? undefined : it;
}

/** Open again where it was closed, and so is the one that it was merged into. Else it is somebody's turn. */
function* notYet(
  tx: CaseTx,
  rules: Rules,
  each: { readonly case: string; readonly address: string },
): Steps<CaseActed> {
  const first = (yield* tx.find(each.case)) ?? (yield* tx.lastAt(each.address));
  const it = first && (yield* whereItGoesOn(tx, first.id));
  if (!it) return 'notFound';
  const acted = yield* reopenCase(tx, rules, it.id);
  return acted === 'done' ? acted : yield* applied(tx, rules, it, customerWrote);
}

/** A change of the case of a conversation, and of all of the same customer that an agent has. */
function* toTalk(
  tx: CaseTx,
  rules: Rules,
  each: Whose & { readonly address: string },
  agent: string | undefined,
  change: Change,
): Steps<CaseActed[]> {
  const here = yield* caseAt(tx, each.address);
  const theirs = (yield* tx.openOf(whoseOf(each))).filter(({ owner }) => owner && owner.id === agent);
  return yield* toAll(tx, rules, [...(here ? [here] : []), ...theirs], change);
}

function* toAll(tx: CaseTx, rules: Rules, all: readonly Case[], change: Change): Steps<CaseActed[]> {
  const acted: CaseActed[] = [];
  for (const it of new Map(all.map((each) => [each.id, each])).values())
    acted.push(yield* applied(tx, rules, it, change));
  return acted;
}

function whoseOf({ address, wallet }: Whose): Whose {
  return { ...(address && { address }), ...(wallet && { wallet }) };
}
