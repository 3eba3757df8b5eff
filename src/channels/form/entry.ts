import type { Incoming, Reply } from '../../conversation/incoming.ts';
import { cardEntry } from './card.ts';
import { documentEntry } from './document.ts';
import { fieldOf, textIn } from './fields.ts';
import { type Html, type Labels, secretFields } from './page.ts';
import { tableEntry } from './table.ts';

/** The answer for the conversation. A secret or a card in it is seen by the call alone. */
export type Answer = Pick<Incoming, 'inputs' | 'card' | 'document' | 'table'>;

/** The invalid fields. A page of one field names none. */
export interface Wrong {
  readonly wrong: readonly string[];
}

/** The thing that one kind of screen has typed or chosen on its page. */
export interface Entry {
  /**
   * The fields to fill in, with their button. Nothing that was typed comes back into them.
   * @param wrong the invalid ones, where they are asked again
   * @param why the conversation's reason to ask again
   */
  fields(labels: Labels, wrong?: Wrong['wrong'], why?: string): Html;
  /** How long it is good, and who may know the typed text. */
  hint(labels: Labels): string;
  /** @param now ms since 1970 */
  read(given: FormData, now: number): Answer | Wrong | Promise<Answer | Wrong>;
}

/** Undefined where the screen asks for nothing that is given on a page. */
export function entryOf(screen: Reply['screen']): Entry | undefined {
  const { expects } = screen;
  if (expects === 'card' || expects === 'cvv') return cardEntry(expects);
  if (expects === 'document' || expects === 'twoSided') return documentEntry(expects);
  if (expects === 'csv') return tableEntry;
  const field = fieldOf(screen);
  return (
    field && {
      fields: (labels, wrong, why) => secretFields(field, labels, why ?? (wrong && field.wrong(labels))),
      hint: (labels) => labels.once,
      read(given) {
        const secret = field.read(textIn(given, 'secret'));
        return secret === undefined ? { wrong: [] } : { inputs: [{ type: 'secret', secret }] };
      },
    }
  );
}
