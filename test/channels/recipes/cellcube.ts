import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import {
  badRequest,
  latestAnswer,
  readFields,
  respond,
  type UssdDialect,
  type UssdGateway,
  type UssdPage,
} from '../../../src/channels/ussd/dialect.ts';

/**
 * A recipe, not shipped: a "USSD browser" such as Cellcube or Myriad, as other people's clients show it (second-hand, see
 * `docs/operator/gateways.md`). It fetches a page for each link. The caller is in headers. The browser numbers the links
 * itself, so a page has no numbers of ours. Each page names itself in its links: a link that is fetched twice is one answer.
 */
export const cellcube: UssdDialect = {
  name: 'cellcube',
  routes(app, gateway) {
    app.get('/', (c) => answer(c, gateway));
  },
};

async function answer(c: Context, gateway: UssdGateway): Promise<Response> {
  const query = readFields(new URL(c.req.url).search);
  if (!query) return badRequest('a field is given twice');
  const phoneNumber = c.req.header('user-msisdn');
  const session = c.req.header('user-sessionid') ?? c.req.header('user-session');
  if (!phoneNumber) return badRequest('User-MSISDN is missing');
  if (!session) return badRequest('User-SessionId is missing');
  const [page, response] = [query.get('page'), query.get('response')];
  // The dialled string of a deep dial is in the first `user-entry`.
  const dialled = c.req.header('user-entry') ?? '';
  const said =
    response === undefined
      ? latestAnswer(dialled, { isDial: true, serviceCode: gateway.serviceCode })
      : { answers: [response], repeatKey: page ? ['page', page, response] : undefined };
  return respond(gateway, { phoneNumber, session, ...said }, write);
}

function write({ text, body, choices, asks, ends }: UssdPage): Response {
  const page = randomUUID().slice(0, 8);
  // A page of choices alone has links alone.
  const isForm = !ends && (asks !== 'choice' || choices.length === 0);
  const links = choices.map(
    ({ answer, label }) =>
      `<a href="?page=${page}&amp;response=${encodeURIComponent(answer)}">${escaped(label)}</a>`,
  );
  const form = `<form action="?page=${page}"><entry kind="digits" var="response"><prompt>${escaped(body)}</prompt></entry></form>`;
  const content = isForm ? [form, ...links] : [escaped(ends ? text : body), ...links].filter(Boolean);
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE pages SYSTEM "cellflash-1.3.dtd"><pages><page>${content.join('<br/>')}</page></pages>`,
    { headers: { 'content-type': 'text/xml; charset=utf-8' } },
  );
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br/>');
}
