import type { Case } from '../conversation/cases/case.ts';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';
import { isGivenName } from './book.ts';
import type { NameIn } from './sentences.ts';

/** Of those that were removed, too: cases and figures go on naming them. */
export const LABELS_MAX = 100;
export const LABEL_NAME_MAX_CHARACTERS = 24;

/** The colours that a label can have, as `lists.css` has them: each can be read in both themes. */
export const LABEL_COLOURS = ['grey', 'green', 'blue', 'violet', 'pink', 'red', 'amber'] as const;

/** A common feature of cases, as agents name it. */
export interface Label {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly colour: (typeof LABEL_COLOURS)[number];
  /** It was removed: it is put on no other case, and stays where it is. */
  readonly isRemoved?: true;
}

/** The fault of a label: an invalid name, the name of another one in its language, or a colour that is not in the table. */
export function wrongIn({ names, colour }: Label, others: readonly Label[]): NameIn<'said'> | undefined {
  if (!LANGUAGES.every((language) => isGivenName(names[language], LABEL_NAME_MAX_CHARACTERS)))
    return 'labelName';
  if (!LABEL_COLOURS.includes(colour)) return 'labelColour';
  const isTaken = (language: Language) => others.some((other) => other.names[language] === names[language]);
  return LANGUAGES.some(isTaken) ? 'labelTaken' : undefined;
}

/** Those that can be put on a case. */
export function offeredLabels(labels: readonly Label[], { labels: on = [] }: Pick<Case, 'labels'>): Label[] {
  return labels.filter(({ id, isRemoved }) => !isRemoved && !on.includes(id));
}

/** Those that a case has, in the order of the book. */
export function labelsOf({ labels: on = [] }: Pick<Case, 'labels'>, labels: readonly Label[]): Label[] {
  return labels.filter(({ id }) => on.includes(id));
}
