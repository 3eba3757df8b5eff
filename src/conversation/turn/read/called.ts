import { LABELS } from '../../../../machines/kit/labels.ts';
import type { Choice } from '../../../../machines/kit/screen.ts';
import { normalised } from '../../../wallet/letters.ts';
import type { Shortcut } from '../../shortcuts/shortcut.ts';
import { wordsIn } from '../../shortcuts/spelling.ts';
import type { LabelsOf } from './typed-label.ts';

/** Entries that no menu has as its own: what was paid before is an entry of the conversation that pays. */
const LOOKING_BACK: readonly Choice[] = [
  { id: 'bill-payment', key: 'bill-payment.history' },
  { id: 'top-up', key: 'top-up.openHistory' },
];

/** The shortcuts of all labels of a renderer. To write all labels takes longer than to read a text. */
const KNOWN = new WeakMap<LabelsOf, ReadonlyMap<string, Shortcut>>();

/**
 * The request of a customer who writes the label of an entry as Wasl does, in any language: `Mes bons d'achat`. Whatever a sentence
 * quotes can be written.
 */
export function calledBy(text: string, labelsOf: LabelsOf): Shortcut | undefined {
  const known = KNOWN.get(labelsOf) ?? shortcutsOf(labelsOf);
  KNOWN.set(labelsOf, known);
  return known.get(lineOf(text));
}

function shortcutsOf(labelsOf: LabelsOf): ReadonlyMap<string, Shortcut> {
  const entries = Object.entries(LABELS).map(([id, key]) => ({ id, key }));
  const labels = (choices: readonly Choice[]) => labelsOf({ key: 'menu.choose', expects: 'choice', choices });
  return new Map([
    ...labels(entries).map(({ id, label }) => [lineOf(label), { machine: id, filled: {} }] as const),
    ...labels(LOOKING_BACK).map(
      ({ id, label }) => [lineOf(label), { machine: id, filled: { looksBack: true } }] as const,
    ),
  ]);
}

/** Letters and digits alone. */
function lineOf(text: string): string {
  return wordsIn(normalised(text).replaceAll(/[^\p{L}\p{N}\s]/gu, ' ')).join(' ');
}
