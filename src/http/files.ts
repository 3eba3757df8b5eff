import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { serveStatic } from 'hono/serve-static';

/** The look of the house: `palette.css`, `look.css`, `sheet.css` of pages that ask one thing, `icon.svg`. */
export const LOOK = new URL('./look/', import.meta.url);

/**
 * Serves a closed list of files, read once: no path of a request ever reaches the disk. A browser asks each time
 * whether its copy is still good, so a deploy is seen at once.
 * @throws for a file that is not there.
 */
export function files(directory: URL, names: readonly string[]): Hono {
  const app = new Hono();
  for (const name of names) {
    const body = readFileSync(new URL(name, directory));
    const serve = serveStatic({
      path: name,
      getContent: async () => body,
      onFound: (_name, c) => {
        c.header('cache-control', 'no-cache');
        c.header('x-content-type-options', 'nosniff');
      },
    });
    app.get(`/${name}`, etag(), serve);
  }
  return app;
}

type Labels = Readonly<Record<string, string>>;

/**
 * Reads a page and fills in its `{{labels}}` by their names, in the first language. The page also gets all labels in all
 * languages as data, so that its script can switch at any moment.
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
