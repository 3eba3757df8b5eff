import { html } from 'hono/html';
import type { Tenant } from '../../core/core.ts';
import { type DeskDeps, versionOf } from '../deps.ts';
import { type Html, when } from './parts.ts';

/** A section of the desk: where it is, what the menu says. */
const MENU = [
  ['', 'Overview'],
  ['wallets', 'Wallets'],
  ['ledger', 'Ledger'],
  ['requests', 'Requests'],
  ['sms', 'SMS'],
  ['webhooks', 'Webhooks'],
  ['faults', 'Faults'],
  ['time', 'Time and state'],
  ['test-data', 'Test data'],
  ['settings', 'Settings'],
] as const;
export type Section = (typeof MENU)[number][0];

const STYLES = ['palette', 'look', 'desk', 'parts', 'forms', 'narrow'];

/** All that a page is made from. */
export interface Visit {
  readonly deps: DeskDeps;
  /** The partner whose data are shown. */
  readonly tenant: Tenant;
  /** Where the sandbox is reached. */
  readonly origin: string;
  readonly search: string;
}

/** An address of the desk, for the same key. */
export function at({ deps }: { readonly deps: Pick<DeskDeps, 'id'> }, path: string): string {
  return `${path === '' ? '/' : `/desk/${path}`}?partner=${deps.id}`;
}

/** The frame of every page. */
export function frame(visit: Visit, section: Section, title: string, body: Html): Html {
  const { deps } = visit;
  const { clock } = deps.core;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Wasl sandbox</title>
<link rel="icon" href="/desk/icon.svg">
${STYLES.map((name) => html`<link rel="stylesheet" href="/desk/${name}.css">`)}
<script defer src="/desk/desk.js"></script>
</head>
<body data-partner="${deps.id}" data-version="${versionOf(deps)}">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="home" href="${at(visit, '')}"><img src="/desk/icon.svg" alt="" width="28" height="28"><b>Wasl sandbox</b></a>
<a class="clock" href="${at(visit, 'time')}" data-now="${clock.now()}" data-frozen="${clock.isFrozen()}"><span class="unseen">The sandbox’s time: </span>${when(clock.now())}<span class="zone">UTC</span><span class="badge wait"${clock.isFrozen() ? '' : html` hidden`}>frozen</span></a>
<label class="partner"><span>Partner</span><select id="partner">${deps.keys
    .list()
    .map(
      ({ id, apiKey }) =>
        html`<option value="${id}"${id === deps.id ? html` selected` : ''}>${apiKey}</option>`,
    )}</select></label>
</header>
<div class="page">
<nav aria-label="Sections">${MENU.map(
    ([path, name]) =>
      html`<a href="${at(visit, path)}"${path === section ? html` aria-current="page"` : ''}>${name}</a>`,
  )}</nav>
<main id="main" tabindex="-1"><h1>${title}</h1>${body}</main>
</div>
<div id="said" role="status" aria-live="polite"></div>
</body>
</html>`;
}
