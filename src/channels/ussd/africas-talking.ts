import type { Context } from 'hono';
import {
  badRequest,
  conOrEnd,
  readFields,
  respond,
  type UssdDialect,
  type UssdEnd,
  type UssdGateway,
  type UssdPage,
} from './dialect.ts';

const STEP_MAX_CHARS = 99;

/**
 * Africa's Talking: a form with `sessionId`, `phoneNumber`, `networkCode`, `serviceCode` and `text`. `text` holds all
 * answers so far joined by `*` (a typed `*` cannot be told apart from the joint). The reply is `CON …` or `END …`. A
 * PIN stays in `text` until the session ends, so it is never logged. The gateway gives a request no id: the number of
 * answers and the whole text are one. `/end` gets how a session has ended (source: developers.africastalking.com,
 * USSD).
 */
export const africasTalking: UssdDialect = {
  name: 'africastalking',
  routes(app, gateway) {
    app.post('/', (c) => answer(c, gateway));
    app.post('/end', (c) => noteEnd(c, gateway));
  },
};

async function answer(c: Context, gateway: UssdGateway): Promise<Response> {
  const form = readFields(await c.req.text());
  if (!form) return badRequest('a field is given twice');
  const [sessionId, phoneNumber, text] = [form.get('sessionId'), form.get('phoneNumber'), form.get('text')];
  if (!sessionId) return badRequest('sessionId is missing');
  if (!phoneNumber) return badRequest('phoneNumber is missing');
  if (text === undefined) return badRequest('text is missing');
  const answers = text === '' ? [] : text.split('*');
  const repeatKey = [String(answers.length), text];
  return respond(gateway, { phoneNumber, session: sessionId, answers, repeatKey }, write);
}

function write(page: UssdPage): Response {
  return conOrEnd(page, { 'at-ussd-hop-metadata': page.step.replaceAll('|', '-').slice(0, STEP_MAX_CHARS) });
}

/** How a session ends here, as the gateway calls it. `Success`: our `END` page has reached the handset. */
const ENDS: Readonly<Record<string, Pick<UssdEnd, 'over' | 'shown'>>> = {
  Success: { over: 'release', shown: true },
  Incomplete: { over: 'abort' },
  Failed: { over: 'timeout' },
};

/** Logs what may be known of an ended session: never `input`, which holds the PIN, nor `lastAppResponse`. */
async function noteEnd(c: Context, { take, log }: UssdGateway): Promise<Response> {
  const form = readFields(await c.req.text());
  const status = form?.get('status');
  const end = ENDS[status ?? ''];
  if (!form || !end) return badRequest('not an end notification');
  const durationMs = whole(form.get('durationInMillis'));
  log.say('A USSD session ended', { status, hops: whole(form.get('hopsCount')), durationMs });
  const [session = '', phoneNumber = ''] = [form.get('sessionId'), form.get('phoneNumber')];
  await take({ phoneNumber, session, ...end });
  return c.text('ok\n');
}

function whole(text: string | undefined): number {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
