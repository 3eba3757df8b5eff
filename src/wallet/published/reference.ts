import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { API, type ApiName } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { DOCUMENTED_ERRORS, ERRORS } from '../contract/errors.ts';
import { answerText, curl } from './curl.ts';
import { type Field, fieldsOf } from './fields.ts';
import { ABOUT, examplesOf, OPERATIONS_SHOWN, type Published, VERSION } from './published.ts';
import type { Recorded } from './record.ts';
import { answerName, bodySchema, parametersOf, ref } from './schemas.ts';
import type { Section } from './section.ts';
import { EVENTS } from './webhooks.ts';

const file = (name: string) => raw(readFileSync(new URL(`public/${name}`, import.meta.url), 'utf8'));

/** The reference as one page that needs nothing else: no script of others, no network. */
export function referencePage(published: Published) {
  const { sections, origin } = published;
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partner Wallet and Payments API v${VERSION}</title>
<link rel="icon" href="data:,">
<style>${file('reference.css')}</style>
<nav aria-label="Operations">
<a class="home" href="#top">Partner API <b>v${VERSION}</b></a>
<input id="search" type="search" placeholder="Search operations" aria-label="Search operations">
${sections.map(
  ({ id, title, operations }) => html`<section data-group><h2><a href="#${id}">${title}</a></h2>
<ul>${Object.keys(operations).map((name) => {
    const { method, path } = API[name as ApiName];
    return html`<li data-find="${`${name} ${path}`.toLowerCase()}"><a href="#${name}">
<span class="method ${method}">${method}</span> ${name}</a></li>`;
  })}</ul></section>`,
)}
<section><h2><a href="#errors">Errors</a></h2></section>
<section><h2><a href="#webhooks">Webhooks</a></h2></section>
</nav>
<main id="top">
<h1>Partner Wallet and Payments API</h1>
<p>${ABOUT}</p>
<p>${OPERATIONS_SHOWN} What v2.3 does not show is marked “Not in v2.3”: production may differ there.</p>
<p>Served here: <code>${origin}</code>. Machines read the <a href="/openapi.json">OpenAPI description</a>, the
<a href="/collection.json">Postman collection</a> and <a href="/llms.txt">llms.txt</a>. Every example on this page really
ran.</p>
${sections.map((section) => sectionOf(section, published))}
${errors()}
${events(published)}
</main>
<script>${file('reference.js')}</script>
</html>`;
}

function sectionOf({ id, title, about, operations }: Section, published: Published) {
  return html`<section id="${id}" class="section"><h2>${title}</h2><p>${code(about)}</p>
${(Object.entries(operations) as [ApiName, string][]).map(([name, summary]) =>
  operation(name, summary, published),
)}</section>`;
}

function operation(name: ApiName, summary: string, published: Published) {
  const endpoint: Endpoint = API[name];
  const { schemas } = published;
  const { method, path, scope, bare, binary, multipart, status, envelope } = endpoint;
  const answer = bare || binary ? [] : fieldsOf(ref(answerName(name)), schemas);
  return html`<article id="${name}">
<div class="facts">
<h3><a href="#${name}">${name}</a></h3>
<p class="line"><span class="method ${method}">${method}</span> <code>${path}</code></p>
<p>${code(summary)}</p>
<p class="note">Scope <code>${scope}</code></p>
${table('Parameters', fieldsOf(parametersOf(name), schemas))}
${table(multipart ? 'Form' : 'Body', fieldsOf(bodySchema(name), schemas))}
${table(`Answer ${status}${envelope ? ', in data' : ''}`, answer)}
${bare ? html`<p class="note">Answer ${status}, without a body</p>` : ''}
${binary ? html`<p class="note">Answer ${status}, the file</p>` : ''}
</div>
<div class="examples">${examplesOf(name, published).map((each) => example(each, published))}</div>
</article>`;
}

function example(recorded: Recorded, published: Published) {
  const { step, status } = recorded;
  return html`<figure><figcaption>${step.title ?? 'Example'} <b class="s${Math.floor(status / 100)}">${status}</b></figcaption>
<pre tabindex="0">${curl(recorded, published)}</pre><pre tabindex="0" class="answer">${answerText(recorded)}</pre></figure>`;
}

function table(title: string, fields: readonly Field[]) {
  if (fields.length === 0) return '';
  return html`<h4>${title}</h4><div class="wide" tabindex="0"><table>${fields.map(
    ({ name, type, isRequired, means, rules }) =>
      html`<tr><td>${name ? html`<code>${name}</code>` : 'the value itself'}${
        isRequired && name ? html` <b class="required" title="required">*</b>` : ''
      }<td>${type}<td>${code(means)}${rules && html` <span class="note">${code(rules)}</span>`}</tr>`,
  )}</table></div>`;
}

function errors() {
  return html`<section id="errors" class="section"><h2>Errors</h2>
<p>Business errors are HTTP 400, or 422 where the state forbids the request, with <code>errorCode</code> and
<code>errorDescription</code>. 401 is a key that is not authorized, 403 a missing scope, 404 a module that is not enabled.
Codes from 90000 on are the sandbox’s own: v2.3 does not show all.</p>
<div class="wide" tabindex="0"><table>${Object.entries(ERRORS).map(
    ([name, error]) => html`<tr><td><code>${error.code}</code><td>${'status' in error ? error.status : 400}
<td>${error.means}<td>${name in DOCUMENTED_ERRORS ? 'v2.3' : 'sandbox'}</tr>`,
  )}</table></div></section>`;
}

function events({ events: sent, schemas }: Published) {
  return html`<section id="webhooks" class="section"><h2>Webhooks</h2>
<p>The wallet posts to the partner’s https address, with the partner’s own secret in <code>X-Api-Key</code>. Answer 200 with
an empty body within 5 seconds; anything else is retried for 72 hours.</p>
${EVENTS.map(
  ({
    kind,
    means,
    schema,
  }) => html`<article id="${kind}"><div class="facts"><h3><a href="#${kind}">${kind}</a></h3>
<p>${code(means)}</p>${table('In data', fieldsOf(schema, schemas))}</div>
<div class="examples">${
    sent[kind]
      ? html`<figure><figcaption>Sent</figcaption><pre tabindex="0" class="answer">${JSON.stringify(sent[kind], undefined, 2)}</pre></figure>`
      : ''
  }</div></article>`,
)}</section>`;
}

function code(text: string) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}
