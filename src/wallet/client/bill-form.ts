import type { z } from 'zod';
import type { formField } from '../contract/bills.ts';
import type { BillField } from '../services.ts';
import { words } from './read.ts';

const KINDS: Readonly<Record<string, BillField['kind']>> = {
  text: 'text',
  select: 'select',
  password: 'password',
  libelle: 'label',
};
const REQUIRED = '1';

/**
 * The questions of a bill form. Inputs that cannot be asked or shown are left out: an input without a name, a label
 * without words. A kind that v2.3 does not name is asked as text.
 */
export function toForm(fields: readonly z.output<typeof formField>[]): readonly BillField[] {
  return fields
    .map(toField)
    .filter(({ kind, name, label }) => (kind === 'label' ? label : name.trim()) !== '');
}

function toField(field: z.output<typeof formField>): BillField {
  const kind = KINDS[field.typeChamp.trim().toLowerCase()] ?? 'text';
  const label = field.libelle?.trim() ?? '';
  if (kind === 'label') return { kind, name: '', label, options: [], required: false };
  const name = field.nomChamp ?? '';
  const options = kind === 'select' ? optionsIn(field.formatChamp ?? '') : [];
  return {
    kind,
    name,
    label: label || name,
    ...(options.length === 0 && words('format', field.formatChamp)),
    options,
    ...lengths(field),
    required: field.contrainte?.trim() === REQUIRED,
  };
}

/** Not shown in v2.3: where a `select` has its options (open question 33). A format is a list when it has a `|`. */
function optionsIn(format: string): readonly string[] {
  if (!format.includes('|')) return [];
  const options = format.split('|').map((option) => option.trim());
  return [...new Set(options.filter((option) => option !== ''))];
}

/** 0 says nothing, and sizes that no answer could have are both dropped. */
function lengths({ tailleMin, tailleMax }: z.output<typeof formField>) {
  const [min, max] = [tailleMin ?? 0, tailleMax ?? 0];
  if (min < 0 || max < 0 || (max > 0 && min > max)) return {};
  return { ...(min > 0 && { lengthMin: min }), ...(max > 0 && { lengthMax: max }) };
}
