import type { Context } from 'hono';

/** The fields of the form that was sent. None where it cannot be read, so that it is refused as a form without its token. */
export async function fields(c: Context): Promise<Readonly<Record<string, string | File>>> {
  try {
    return await c.req.parseBody();
  } catch {
    return {};
  }
}

/** Its texts. A field that is missing or a file is not there. */
export async function texts(c: Context): Promise<Readonly<Partial<Record<string, string>>>> {
  const all = Object.entries(await fields(c)).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(all) as Record<string, string>;
}
