import type { z } from 'zod';
import { parseJson } from '../../http/json.ts';

/** A column that holds JSON, checked whenever it is read. */
export interface JsonColumn<T> {
  /** Throws for anything else than what the column may hold, and names the column, never its content. */
  read(text: string): T;
}

/** @param name as an error names it, `<table>.<column>` */
export function jsonColumn<T>(name: string, schema: z.ZodType<T>): JsonColumn<T> {
  let last: { readonly text: string; readonly data: T } | undefined;
  return {
    read: (text) => {
      // Most rows hold the same text as the row before them: `{}`.
      if (last?.text === text) return last.data;
      const read = schema.safeParse(parseJson(text));
      if (!read.success) throw new Error(`${name} holds what it may not`);
      last = { text, data: read.data };
      return read.data;
    },
  };
}
