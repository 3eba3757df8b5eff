import type { z } from 'zod';
import type { formField } from '../../wallet/contract/bills.ts';

/** A field as the bill network describes it. */
export type Field = z.output<typeof formField> & { readonly nomChamp: string };

/**
 * The demands of `formatChamp` on a value. Its grammar is not shown in v2.3. Here it is N (digits), A (letters and spaces),
 * AN (letters and digits) or D (a date JJ/MM/AAAA). For a `select` it lists the options, separated by `|`.
 */
const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  N: (value) => /^\d+$/.test(value),
  A: (value) => /^\p{L}[\p{L}\p{M} '’-]*$/u.test(value),
  AN: (value) => /^[A-Za-z\d]+$/.test(value),
  D: isDate,
};

type Described = Partial<Pick<Field, 'tailleMin' | 'tailleMax' | 'contrainte' | 'typeChamp'>>;

/** A field to type in, required by default. */
export function typed(
  nomChamp: string,
  libelle: string,
  formatChamp: string,
  [tailleMin, tailleMax]: readonly [number, number],
  more: Described = {},
): Field {
  return {
    libelle,
    nomChamp,
    typeChamp: 'text',
    formatChamp,
    tailleMin,
    tailleMax,
    contrainte: '1',
    ...more,
  };
}

export function select(nomChamp: string, libelle: string, options: readonly string[]): Field {
  const sizes = options.map(({ length }) => length);
  const [min, max] = [Math.min(...sizes), Math.max(...sizes)] as const;
  return typed(nomChamp, libelle, options.join('|'), [min, max], { typeChamp: 'select' });
}

/** Text that is only shown: `nomChamp` is there, but must not be sent. */
export function label(nomChamp: string, libelle: string): Field {
  return typed(nomChamp, libelle, '', [0, 0], { typeChamp: 'libelle', contrainte: '0' });
}

export const OPTIONAL = { contrainte: '0' } as const;
export const PASSWORD = { typeChamp: 'password' } as const;

type Filled = readonly { readonly nomChamp: string; readonly valChamp: string }[];

type FormReading =
  /** The contract that the values name. Passwords are no part of it: nothing keeps them. */
  | { readonly contract: string }
  /** A field without a value that it allows. */
  | { readonly missing: string }
  /** A field that must not be sent. */
  | { readonly foreign: string };

/**
 * Reads what was filled in: every required field must be there (109). Not shown in v2.3: a value of the wrong form counts
 * as missing (open question 34). A label, a field of another form or one sent twice is refused as a parameter (90001).
 */
export function readForm(form: readonly Field[], values: Filled): FormReading {
  const fields = form.filter(({ typeChamp }) => typeChamp !== 'libelle');
  const valueIn = ({ nomChamp }: Field) => values.find((each) => each.nomChamp === nomChamp)?.valChamp ?? '';
  const missing = fields.find((field) =>
    valueIn(field) === '' ? field.contrainte === '1' : !allows(field, valueIn(field)),
  );
  if (missing) return { missing: missing.nomChamp };
  const names = fields.map(({ nomChamp }) => nomChamp);
  const foreign = values.find(
    (each, i) =>
      !names.includes(each.nomChamp) || values.findIndex(({ nomChamp }) => nomChamp === each.nomChamp) < i,
  );
  if (foreign) return { foreign: foreign.nomChamp };
  const named = fields.filter(({ contrainte, typeChamp }) => contrainte === '1' && typeChamp !== 'password');
  return { contract: named.map(valueIn).join(' ') };
}

function allows({ typeChamp, formatChamp, tailleMin, tailleMax }: Field, value: string): boolean {
  if (typeChamp === 'select') return (formatChamp ?? '').split('|').includes(value);
  const fits = value.length >= (tailleMin ?? 0) && value.length <= (tailleMax ?? Number.POSITIVE_INFINITY);
  return fits && (FORMATS[formatChamp ?? '']?.(value) ?? true);
}

/** 31/02 is none. */
function isDate(value: string): boolean {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value) ?? [];
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return at.getUTCDate() === Number(day) && at.getUTCMonth() === Number(month) - 1;
}
