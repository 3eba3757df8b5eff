import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Hono } from 'hono';

/** The look of the house: `palette.css`, `look.css`, `icon.svg`. */
export const LOOK = new URL('./look/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Serves a closed list of files, read once: no path of a request ever reaches the disk. A browser asks each time
 * whether its copy is still good, so a deploy is seen at once.
 */
export function files(directory: URL, names: readonly string[]): Hono {
  const app = new Hono();
  for (const name of names) {
    const body = readFileSync(new URL(name, directory));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
    const headers = {
      'content-type': TYPES[extname(name)] ?? 'text/plain',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      etag,
    };
    app.get(`/${name}`, (c) =>
      c.req.header('if-none-match') === etag ? c.body(null, 304, headers) : c.body(body, 200, headers),
    );
  }
  return app;
}

type Labels = Readonly<Record<string, string>>;

/**
 * Reads a page and fills in its `{{labels}}`: each by its name, in the first language, and all of them in all languages
 * as data, so that the page's script can switch at any moment.
 * @throws for a label that does not exist.
 */
export function pageWithLabels(
  file: URL,
  languages: { readonly fr: Labels } & Record<string, Labels>,
): string {
  // `<` could end the element that holds the data early.
  const data = JSON.stringify(languages).replaceAll('<', '\\u003c');
  return readFileSync(file, 'utf8').replace(/"?\{\{(\w+)\}\}"?/g, (placeholder, name: string) => {
    if (name === 'labels') return data;
    const label = languages.fr[name];
    if (label === undefined) throw new Error(`the page ${file.pathname} asks for a label ${name}`);
    return placeholder.replace(`{{${name}}}`, () => escaped(label));
  });
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
