import { Hono } from 'hono';
import { html } from 'hono/html';
import ar from '../../../../locales/ar/demo.json' with { type: 'json' };
import en from '../../../../locales/en/demo.json' with { type: 'json' };
import fr from '../../../../locales/fr/demo.json' with { type: 'json' };
import { OWN_FILES_ONLY, pageHeaders } from '../../../http/page-headers.ts';
import type { PlayedWallet } from '../../doors.ts';

const LABELS = { fr, ar, en };

/**
 * `GET /terms/<language>` and `GET /tariffs/<language>`: pages that an operator would have, for the demonstration. The tariffs are those
 * by which the sandbox charges.
 */
export function demoPages(tariffs: PlayedWallet['tariffs']): Hono {
  const app = new Hono();
  app.use(pageHeaders(OWN_FILES_ONLY));
  app.get('/terms/:language{fr|ar|en}', (c) => {
    const language = c.req.param('language') as keyof typeof LABELS;
    const labels = LABELS[language];
    return c.html(page(language, labels.terms, html`<p>${labels.termsText}</p>`));
  });
  app.get('/tariffs/:language{fr|ar|en}', (c) => {
    const language = c.req.param('language') as keyof typeof LABELS;
    return c.html(page(language, LABELS[language].tariffs, tables(language, tariffs)));
  });
  return app;
}

function page(language: keyof typeof LABELS, title: string, body: ReturnType<typeof html>) {
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  return html`<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title} · Wasl</title></head>
<body><h1>${title}</h1><p><strong>${LABELS[language].only}</strong></p>${body}</body></html>`;
}

function tables(language: keyof typeof LABELS, tariffs: PlayedWallet['tariffs']) {
  const labels = LABELS[language];
  const named = [
    [labels.transfer, tariffs.transfer],
    [labels.openLoop, tariffs.openLoop],
    [labels.bankTransfer, tariffs.bankTransfer],
    [labels.topUp, tariffs.topUp],
    [labels.merchant, tariffs.merchant],
    [labels.voucher, tariffs.voucher],
  ] as const;
  const rowOf = ({ upTo, fees }: (typeof tariffs.transfer)[number]) =>
    html`<tr><td>${upTo === Number.POSITIVE_INFINITY ? labels.above : `${labels.upTo} ${dirhams(upTo, language)}`}</td><td>${dirhams(fees, language)}</td></tr>`;
  return html`${named.map(([name, rows]) => html`<h2>${name}</h2><table>${rows.map(rowOf)}</table>`)}`;
}

function dirhams(centimes: number, language: keyof typeof LABELS): string {
  const figure = (centimes / 100).toFixed(2);
  if (language === 'en') return `MAD ${figure}`;
  return `${figure.replace('.', ',')} ${language === 'ar' ? 'درهم' : 'DH'}`;
}
