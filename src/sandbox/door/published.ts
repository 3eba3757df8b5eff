import { Hono } from 'hono';
import { pageHeaders } from '../../http/page-headers.ts';
import type { OpenSandbox } from './publication.ts';

/** The page brings all it needs, and nothing else may be loaded. */
const PAGE_HEADERS = pageHeaders({
  defaultSrc: ["'none'"],
  styleSrc: ["'unsafe-inline'"],
  scriptSrc: ["'unsafe-inline'"],
  imgSrc: ['data:'],
  baseUri: ["'none'"],
});

/**
 * The documents that are published with the Partner API, generated from the contract: `/openapi.json`, `/reference`,
 * `/collection.json`, `/llms.txt` and `/llms/<section>.md`. They are made when asked for, so that nothing of them is loaded
 * at the start.
 * @param apiKey the key that examples show
 * @param open opens the sandbox in which the examples run
 */
export function published(apiKey: string, open: OpenSandbox): Hono {
  const app = new Hono();
  let made: Promise<typeof import('./publication.ts')> | undefined;
  const publication = async (url: string) => {
    made ??= import('./publication.ts');
    return (await made).publicationAt(new URL(url).origin, apiKey, open);
  };

  app.get('/openapi.json', async (c) => c.json((await publication(c.req.url)).openApi()));
  app.get('/collection.json', async (c) => c.json((await publication(c.req.url)).collection()));
  app.get('/reference', PAGE_HEADERS, async (c) => c.html((await publication(c.req.url)).reference()));
  app.get('/llms.txt', async (c) => c.text((await publication(c.req.url)).llms()));
  app.get('/llms/:page{[a-z-]+\\.md}', async (c) => {
    const page = (await publication(c.req.url)).page(c.req.param('page').slice(0, -'.md'.length));
    if (page === undefined) return c.notFound();
    return c.body(page, 200, { 'content-type': 'text/markdown; charset=utf-8' });
  });
  return app;
}
