import type { Context } from 'hono';

/** More parts than any form of ours has, and more than their heads say. */
const PARTS_MAX = 10;
const HEAD_BYTES_MAX = 2_000;

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /;\s*name="([^"]*)"/i;
const FILE_NAME = /;\s*filename="([^"]*)"/i;
/** How browsers write what would end a name (HTML, "multipart/form-data encoding algorithm"). */
const ENCODED = { '%22': '"', '%0D': '\r', '%0A': '\n' } as const;

/**
 * Reads a form with files (RFC 7578). Node's own reader looks at each byte and makes an object of each part. It takes
 * seconds for ten megabytes of empty parts, and the process does nothing else meanwhile.
 * @returns undefined for a body that is no such form, or that has more parts than any of ours
 */
export async function multipartIn(c: Context): Promise<FormData | undefined> {
  const [, quoted, plain] = BOUNDARY.exec(c.req.header('content-type') ?? '') ?? [];
  const boundary = `--${quoted ?? plain ?? ''}`;
  if (boundary === '--') return undefined;
  const bytes = Buffer.from(await c.req.arrayBuffer());
  return bytes.indexOf(boundary) === 0 ? partsOf(bytes, boundary) : undefined;
}

/** Lets Hono read the form of this request by `multipartIn`, once somebody asks for it. A body that is no such form has no fields. */
export function readsByBoundary(c: Context): void {
  let form: Promise<FormData> | undefined;
  const get = () => {
    form ??= multipartIn(c).then((read) => read ?? new FormData());
    return form;
  };
  Object.defineProperty(c.req.bodyCache, 'formData', { get });
}

function partsOf(bytes: Buffer, boundary: string): FormData | undefined {
  const form = new FormData();
  let from = boundary.length;
  for (let parts = 0; parts <= PARTS_MAX; parts++) {
    const start = bytes.subarray(from, from + HEAD_BYTES_MAX);
    const headEnd = start.indexOf('\r\n\r\n');
    const head = start.toString('utf8', 0, headEnd < 0 ? start.length : headEnd);
    if (head.startsWith('--')) return form;
    if (headEnd < 0) return undefined;
    const bodyAt = from + headEnd + 4;
    const end = bytes.indexOf(`\r\n${boundary}`, bodyAt - 2);
    const [, name] = NAME.exec(head) ?? [];
    if (end < 0 || name === undefined) return undefined;
    const body = bytes.subarray(bodyAt, Math.max(bodyAt, end));
    const [, fileName] = FILE_NAME.exec(head) ?? [];
    if (fileName === undefined) form.append(decoded(name), body.toString('utf8'));
    else form.append(decoded(name), new File([new Uint8Array(body)], decoded(fileName)));
    from = end + 2 + boundary.length;
  }
  return undefined;
}

function decoded(name: string): string {
  return name.replace(/%(?:22|0D|0A)/g, (sign) => ENCODED[sign as keyof typeof ENCODED]);
}
