import { CASE_KINDS } from '../../conversation/cases/case.ts';
import { CASE_SORTS, type CaseChoice, type CaseSort } from '../../conversation/cases/choice.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { type CaseListName, choiceOf, choiceWithin, type Narrowed, type Seen, SHOWN } from '../case-list.ts';

export interface Chosen extends Narrowed {
  readonly shown: CaseListName;
  /** Absent: by when they are due. */
  readonly sort?: CaseSort | undefined;
}

/** Only what could have been chosen counts: of a query or a form. */
export function chosenOf(form: Readonly<Record<string, unknown>>): Chosen {
  const shown = SHOWN.find((each) => each === form.show) ?? 'mine';
  const sort = CASE_SORTS.find((each) => each === form.sort && each !== 'due');
  return { shown, ...narrowedIn(form), ...(sort && { sort }) };
}

/** The filters in a query or a form. */
export function narrowedIn({ speaks, kind, team, label }: Readonly<Record<string, unknown>>): Narrowed {
  return {
    language: LANGUAGES.find((each) => each === speaks),
    team: idIn(team),
    label: idIn(label),
    kind: CASE_KINDS.find((each) => each === kind),
  };
}

/** Of a team, a label or a filter. */
export function idIn(id: unknown): string | undefined {
  return typeof id === 'string' && /^[\da-f]{8}$/.test(id) ? id : undefined;
}

/** For the links of a page of the inbox. */
export function queryOf({ shown, language, kind, team, label, sort }: Chosen): string {
  return new URLSearchParams({
    show: shown,
    ...(language && { speaks: language }),
    ...(kind && { kind }),
    ...(team && { team }),
    ...(label && { label }),
    ...(sort && { sort }),
  }).toString();
}

/** The number of the list's page in a query, from 1. */
export function pageIn({ page }: Readonly<Record<string, unknown>>): number {
  return typeof page === 'string' && /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1;
}

/** The cases of such a list. */
export function choiceIn(chosen: Chosen, seen: Seen): CaseChoice {
  return { ...choiceOf(chosen.shown, seen), and: choiceWithin(chosen, seen.teams) };
}
