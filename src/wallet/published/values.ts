import { readFileSync } from 'node:fs';
import { formFields } from '../form-fields.ts';
import type { Fields, Place } from './section.ts';

/** Values that were kept on a walk, by name. */
export type Kept = Readonly<Record<string, unknown>>;

const WHOLE = /^\{\{=(\w+)\}\}$/;
const WITHIN = /\{\{(\w+)\}\}/g;

/** Fills a step's values with those kept so far. A name that nothing was kept under is a bug. */
export function filled<T>(value: T, kept: Kept): T {
  return changed(value, (text) => {
    const whole = WHOLE.exec(text)?.[1];
    return whole ? known(whole, kept) : text.replace(WITHIN, (_, name) => String(known(name, kept)));
  }) as T;
}

/** A page of text from a file, filled in the same way. */
export function page(file: URL, values: Readonly<Record<string, string>>): string {
  return filled(readFileSync(file, 'utf8'), values);
}

function known(name: string, kept: Kept): unknown {
  if (kept[name] === undefined) throw new Error(`nothing is kept as ${name}`);
  return kept[name];
}

function changed(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => changed(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changed(each, change)]));
}

/** The value at a place of an answer. Throws where there is nothing. */
export function taken(answer: unknown, { at, match }: Place): unknown {
  const value = at.reduce(
    (within: unknown, key) =>
      Array.isArray(within) ? within.at(Number(key)) : (within as Fields | undefined)?.[key],
    answer,
  );
  const found = match === undefined ? value : new RegExp(match).exec(String(value))?.[0];
  if (found === undefined || found === null) throw new Error(`there is nothing at ${at.join('.')}`);
  return found;
}

/** A file of a form, as a step has it: so small that it can be shown. */
export interface FormFile {
  readonly file: string;
  readonly type: string;
  readonly content: string;
}

export function fieldsOfForm(body: unknown) {
  return formFields(
    body,
    (value): value is FormFile => typeof value === 'object' && value !== null && 'file' in value,
  );
}

/** Not the words of any file here. */
export const BOUNDARY = 'wasl-form-boundary';

/** The form as it goes over the wire, as text, so that any tool can show and send it. */
export function formText(body: unknown): string {
  const parts = fieldsOfForm(body).map(([name, value]) => {
    const isFile = typeof value !== 'string';
    const of = isFile ? `; filename="${value.file}"\r\nContent-Type: ${value.type}` : '';
    const content = isFile ? value.content : value;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${of}\r\n\r\n${content}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}
