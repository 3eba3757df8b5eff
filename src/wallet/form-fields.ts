/**
 * A body as the fields of a multipart form. A value in a list is written `name[0].field` (Partner API v2.3, "KYC"). A value
 * that is left out is no field.
 * @param isFile tells a file from an object with fields of its own
 */
export function formFields<File>(
  body: unknown,
  isFile: (value: unknown) => value is File,
  name = '',
): readonly (readonly [string, string | File])[] {
  if (body === undefined || body === null) return [];
  if (isFile(body)) return [[name, body]];
  if (typeof body !== 'object') return [[name, String(body)]];
  return Object.entries(body).flatMap(([key, value]) => {
    const inside = Array.isArray(body) ? `${name}[${key}]` : name ? `${name}.${key}` : key;
    return formFields(value, isFile, inside);
  });
}
