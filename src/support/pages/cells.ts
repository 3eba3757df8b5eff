import type { Language } from '../../conversation/incoming.ts';
import { wordFor } from '../sentences.ts';
import { took } from '../times.ts';
import type { Cell } from './figures-tables.ts';

/** Cells of counts. */
export function numbers(...values: readonly number[]): Cell[] {
  return values.map((value) => ({ value }));
}

/** A share, drawn as a bar. */
export function percent(share: number): Cell {
  return { value: share.toFixed(3), shown: `${Math.round(share * 100)} %`, share };
}

/** How long something took on average. */
export function lasted(ms: number | undefined, language: Language): Cell {
  return ms === undefined ? { value: '', shown: '–' } : { value: ms, shown: took(ms, language) };
}

/** The kind of a case. */
export function kindCell(kind: string, language: Language): Cell {
  return { value: kind, shown: wordFor(language, 'case', kind) };
}

/** The name of something. Of a thing without one: itself. */
export function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}
