import { Hono } from 'hono';
import { html } from 'hono/html';
import { ARTICLES, BRANDS } from './catalog.ts';

const PICTURES = new Map([
  ...BRANDS.map(({ image, name, colour }) => [image, { name, colour }] as const),
  ...ARTICLES.map(({ image, name, brand }) => [image, { name, colour: brand.colour }] as const),
]);

/** Pictures of brands and articles: drawn, so that they are nobody's; behind no key, like any picture. */
export function pictures(): Hono {
  const app = new Hono();
  app.get('/pictures/:file', (c) => {
    const picture = PICTURES.get(c.req.path);
    if (!picture) return c.notFound();
    return c.body(String(svg(picture)), 200, { 'content-type': 'image/svg+xml' });
  });
  return app;
}

function svg({ name, colour }: { readonly name: string; readonly colour: string }) {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200">
<rect width="320" height="200" rx="16" fill="${colour}"/>
<text x="160" y="108" font-family="sans-serif" font-size="24" fill="#fff" text-anchor="middle">${name}</text>
</svg>`;
}
