import { Hono } from 'hono';
import { CREDITORS } from './catalog.ts';

/** Pictures of the creditors at their `logoPath`. Behind no key, like any picture. */
export function logos(): Hono {
  const app = new Hono();
  app.get('/logos/:file', (c) => {
    const creditor = CREDITORS.find(({ code }) => `${code}.svg` === c.req.param('file'));
    if (!creditor) return c.notFound();
    return c.body(svg(creditor.name, creditor.colour), 200, { 'content-type': 'image/svg+xml' });
  });
  return app;
}

/** A round plate with the first letters of a name: no trademark of anybody. */
function svg(name: string, colour: string): string {
  const letters = name
    .split(' ')
    .slice(0, 2)
    .map((word) => word.replace(/[^\p{L}]/gu, '').slice(0, 1))
    .join('')
    .toUpperCase();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
<circle cx="48" cy="48" r="48" fill="${colour}"/>
<text x="48" y="62" font-family="sans-serif" font-size="40" fill="#fff" text-anchor="middle">${letters}</text>
</svg>
`;
}
