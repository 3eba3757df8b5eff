import type { z } from 'zod';
import { parseJson } from '../../http/json.ts';

/** A column that holds JSON, checked whenever it is read. */
export interface JsonColumn<T> {
  /** Throws for anything else than what the column may hold, and names the column, never its content. */
  read(text: string): T;
}

/** @param name as an error names it, `<table>.<column>` */
export function jsonColumn<T>(name: string, schema: z.ZodType<T>): JsonColumn<T> {
  return {
    read: (text) => {
      const read = schema.safeParse(parseJson(text));
      if (!read.success) throw new Error(`${name} holds what it may not`);
      return read.data;
    },
  };
}
