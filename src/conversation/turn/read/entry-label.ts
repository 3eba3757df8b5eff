import { LABELS, LOOKING_BACK } from '../../../../machines/help.ts';
import type { Choice } from '../../../../machines/kit/screen.ts';
import type { Shortcut } from '../../shortcuts/shortcut.ts';
import { type LabelsOf, labelWords } from './typed-label.ts';

/** The shortcuts of all labels of a renderer. To write all labels takes longer than to read a text. */
const KNOWN = new WeakMap<LabelsOf, ReadonlyMap<string, Shortcut>>();

/**
 * The request of a customer who writes the label of an entry as Wasl does, in any language: `Mes bons d'achat`. Whatever a sentence
 * quotes can be written.
 */
export function shortcutOfLabel(text: string, labelsOf: LabelsOf): Shortcut | undefined {
  const known = KNOWN.get(labelsOf) ?? shortcutsOf(labelsOf);
  KNOWN.set(labelsOf, known);
  return known.get(lineOf(text));
}

function shortcutsOf(labelsOf: LabelsOf): ReadonlyMap<string, Shortcut> {
  const entries = Object.entries(LABELS).map(([id, key]) => ({ id, key }));
  const labels = (choices: readonly Choice[]) => labelsOf({ key: 'nav.menu', expects: 'choice', choices });
  return new Map([
    ...labels(entries).map(({ id, label }) => [lineOf(label), { machine: id, filled: {} }] as const),
    ...labels(LOOKING_BACK).map(
      ({ id, label }) => [lineOf(label), { machine: id, filled: { looksBack: true } }] as const,
    ),
  ]);
}

function lineOf(text: string): string {
  return labelWords(text).join(' ');
}
