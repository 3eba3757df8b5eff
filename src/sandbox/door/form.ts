import type { HonoRequest } from 'hono';
import { z } from 'zod';
import { inner, typed } from './parse.ts';

type Fields = Record<string, unknown>;
/** `kycDocuments[0].docType`: the list, which of it, the field. */
const IN_LIST = /^(\w+)\[(\d{1,4})\]\.(\w+)$/;

/**
 * A multipart form as the object that its contract describes: lists in the order of their indices, texts as the numbers or
 * flags they should be, files as they are. Undefined for a body that is none.
 */
export async function readForm(schema: z.ZodObject, request: HonoRequest): Promise<Fields | undefined> {
  // A body of another kind than a form throws.
  const form = await request.formData().catch(() => undefined);
  if (!form) return undefined;
  const fields: Fields = {};
  const lists = new Map<string, Fields[]>();
  for (const [name, value] of form.entries()) {
    const [, list = '', index = '', field = ''] = IN_LIST.exec(name) ?? [];
    const kind = inner(schema.shape[list]);
    const item = kind instanceof z.ZodArray ? inner(kind.element) : undefined;
    if (item instanceof z.ZodObject) {
      const items = lists.get(list) ?? [];
      items[Number(index)] = { ...items[Number(index)], [field]: read(item, field, value) };
      lists.set(list, items);
    } else if (Object.hasOwn(schema.shape, name)) {
      fields[name] = read(schema, name, value);
    }
  }
  // Indices that are left out leave no gap.
  for (const [list, items] of lists) fields[list] = items.filter((item) => item !== undefined);
  return fields;
}

function read(schema: z.ZodObject, field: string, value: string | File): unknown {
  return typeof value === 'string' ? typed(inner(schema.shape[field]), value) : value;
}

/** The bytes of every file in a form, at any depth. */
export async function contentsOf(value: unknown): Promise<ReadonlyMap<File, Uint8Array>> {
  const files = filesIn(value);
  const contents = await Promise.all(files.map((file) => file.arrayBuffer()));
  return new Map(files.map((file, n) => [file, new Uint8Array(contents[n] ?? new ArrayBuffer())]));
}

function filesIn(value: unknown): File[] {
  if (value instanceof File) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : [];
}
