import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Hono } from 'hono';
import { files, LOOK } from '../http/files.ts';
import type { Guarded } from './access/guard.ts';

const OWN = new URL('./public/', import.meta.url);
const OWN_FILES = [
  ...['frame.css', 'forms.css', 'lists.css', 'session.css', 'diagram.css', 'charts.css'],
  ...['pages.js', 'charts.js'],
];
const require = createRequire(import.meta.url);
const folderOf = (file: string) => new URL('./', pathToFileURL(require.resolve(file)));

/**
 * The files that the console's pages load: the look of the house, its own, htmx with its server-sent events, and uPlot
 * for charts.
 */
export function supportFiles(): Hono<Guarded> {
  return new Hono<Guarded>()
    .route('/', files(LOOK, ['palette.css', 'look.css', 'icon.svg']))
    .route('/', files(OWN, OWN_FILES))
    .route('/', files(folderOf('htmx.org/dist/htmx.min.js'), ['htmx.min.js']))
    .route('/', files(folderOf('htmx-ext-sse/dist/sse.min.js'), ['sse.min.js']))
    .route('/', files(folderOf('uplot/dist/uPlot.iife.min.js'), ['uPlot.iife.min.js', 'uPlot.min.css']));
}
