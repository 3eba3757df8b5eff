import { type ZodType, z } from 'zod';
import type { Doc, Write } from './store.ts';
import { versionAfter } from './version.ts';

/** A document with its key, as it was read. A missing document has version 0. */
export interface KeyedDoc extends Doc {
  readonly key: string;
}

/** A stored document is not of the kind that its key says. Its content may be secret, and is not in the message. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument';

  constructor(kind: string, key: string) {
    super(`the stored ${kind} ${key} cannot be read`);
  }
}

/** How one kind of document is stored: as JSON that is checked when it is read. */
export interface Codec<T> {
  /** The value of a stored text. Throws `UnreadableDocument`. */
  parse(key: string, text: string): T;
  /** The value of a document, or undefined for none. Throws `UnreadableDocument`. */
  read(doc: KeyedDoc | undefined): T | undefined;
  /** The same, but undefined for one that cannot be read: in a list, one that is damaged must not hide the others. */
  readable(doc: KeyedDoc | undefined): T | undefined;
  /**
   * The write that replaces a document, if nobody has written it since it was read. If the check is a schema of an object,
   * unknown fields stay as they were stored, because a later release added them.
   */
  write(
    doc: KeyedDoc | undefined,
    value: T,
    when?: Pick<Write, 'dueAt' | 'keepUntil'>,
  ): Write & { readonly next: number };
}

/**
 * The codec of a kind of document. Additions of a later release are kept: the value is the one that was stored, and the
 * check looks only at the parts that this release knows.
 * @param kind as an error names it: `session`
 * @param check a schema, or a cheap check by hand for a document that each turn reads. It must not refuse what a later
 * release may store: use `textOf` for a union that may grow
 * @param upgrade makes this release's value of an earlier one
 */
export function codec<T>(
  kind: string,
  check: ZodType<T> | ((value: unknown) => boolean),
  upgrade: (stored: T) => T = (stored) => stored,
): Codec<T> {
  const isOfKind = typeof check === 'function' ? check : (value: unknown) => check.safeParse(value).success;
  const parse = (key: string, text: string): T => {
    const value = jsonOf(text);
    if (value === undefined || !isOfKind(value)) throw new UnreadableDocument(kind, key);
    return upgrade(value as T);
  };
  const read = (doc: KeyedDoc | undefined) =>
    doc && doc.version > 0 ? parse(doc.key, doc.value) : undefined;
  return {
    parse,
    read,
    readable(doc) {
      try {
        return read(doc);
      } catch (error) {
        if (error instanceof UnreadableDocument) return undefined;
        throw error;
      }
    },
    write(doc, value, when) {
      if (!doc) throw new Error(`a ${kind} is written without having been read`);
      const { key, version } = doc;
      const unknown = unknownIn(check, doc);
      const written = unknown && isObject(value) ? { ...unknown, ...value } : value;
      return { key, version, next: versionAfter(version), value: JSON.stringify(written), ...when };
    },
  };
}

/** The fields of a stored document that a schema does not know. Undefined where nothing tells them. */
function unknownIn(
  check: unknown,
  { version, value }: KeyedDoc,
): Readonly<Record<string, unknown>> | undefined {
  if (version === 0 || !(check instanceof z.ZodObject)) return undefined;
  const stored = jsonOf(value);
  const fields = isObject(stored) ? Object.entries(stored) : [];
  return Object.fromEntries(fields.filter(([name]) => !Object.hasOwn(check.shape, name)));
}

/** In a schema: a text whose kind is known to the type checker only, as a phone number's or an address's. */
export function textOf<T extends string>() {
  return z.custom<T>((value) => typeof value === 'string');
}

/** True for a JSON object: what every check by hand asks first. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON, or gives undefined. The reason is left out, because JavaScript's own error quotes the text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
