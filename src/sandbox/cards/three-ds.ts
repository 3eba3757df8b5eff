import { type Context, Hono } from 'hono';
import { languageDetector } from 'hono/language';
import { pageHeaders } from '../../http/page-headers.ts';
import { latinDigits } from '../../wallet/digits.ts';
import type { Core } from '../core/core.ts';
import type { DueWork } from '../time/due.ts';
import { finishPayment } from './gateway.ts';
import { outcomeOf } from './notification.ts';
import { type CardPayment, type PaymentState, stateOf } from './payment.ts';
import { type Reason, THREE_DS_CODE } from './test-cards.ts';
import { CONTENT_POLICY, LANGUAGES, threeDsPage } from './three-ds-page.ts';

/**
 * The 3D Secure page that `redirectionURL` leads to. The payer confirms with the code or declines, and is sent on to
 * `acceptUrl` or `declineUrl`. Anybody with the address may answer, once. The address cannot be guessed.
 */
export function threeDsPages(core: Core, due: Pick<DueWork, 'wake'>): Hono<Detected> {
  const app = new Hono<Detected>();
  app.use('/3ds/*', LANGUAGE, HEADERS);
  app.get('/3ds/:token', (c) => show(core, c, c.req.param('token')));
  app.post('/3ds/:token', (c) => answer(core, due, c, c.req.param('token')));
  return app;
}

interface Detected {
  Variables: { language: string };
}

const LANGUAGE = languageDetector({
  order: ['querystring', 'header'],
  lookupQueryString: 'lang',
  supportedLanguages: [...LANGUAGES],
  fallbackLanguage: 'fr',
  caches: false,
});

const HEADERS = pageHeaders(CONTENT_POLICY, {
  // The address is the key to the payment.
  referrerPolicy: 'no-referrer',
  // A partner may show the page in a frame or in a window that it has opened.
  xFrameOptions: false,
  crossOriginResourcePolicy: false,
  crossOriginOpenerPolicy: false,
});

function show(core: Core, c: Context<Detected>, token: string): Response | Promise<Response> {
  const payment = find(core, token);
  const state = payment && stateNow(core, payment);
  const page = threeDsPage(c.get('language'), payment, state, payment && returnUrl(payment));
  return c.html(page, payment ? 200 : 404);
}

async function answer(
  core: Core,
  due: Pick<DueWork, 'wake'>,
  c: Context<Detected>,
  token: string,
): Promise<Response> {
  const form = await c.req.parseBody();
  const payment = find(core, token);
  // A page that was answered before, or has expired, shows the state of the payment.
  if (!payment || stateNow(core, payment) !== 'waiting') return again(c);
  const reason = form.answer === 'confirm' ? verdict(payment, form.code) : 'CANCELED';
  if (!reason) {
    core.db.run('UPDATE cardPayments SET triesLeft = triesLeft - 1 WHERE id = ?', payment.id);
    return again(c);
  }
  const finished = core.db.transaction(() => finishPayment(core, payment, reason));
  due.wake();
  const url = returnUrl(finished);
  return url ? c.redirect(url, 303) : again(c);
}

function find({ db }: Core, token: string): CardPayment | undefined {
  return db.get<CardPayment>('SELECT * FROM cardPayments WHERE token = ?', token);
}

function stateNow({ clock }: Core, payment: CardPayment): PaymentState {
  return stateOf(payment, undefined, 0, clock.now());
}

/** How the payment ends with this code. Undefined where another may be tried. */
function verdict({ kind, verdict: says, triesLeft }: CardPayment, code: unknown): Reason | undefined {
  const isRight = typeof code === 'string' && latinDigits(code).replaceAll(/\s/g, '') === THREE_DS_CODE;
  if (isRight) return kind === 'threeDsFails' ? 'AUTHENTICATION_FAILED' : says;
  return triesLeft > 1 ? undefined : 'AUTHENTICATION_FAILED';
}

/** Where the browser goes after the payment, with the values of v2.3. Undefined: nobody waits there. */
function returnUrl(payment: CardPayment): string | undefined {
  // A browser's word proves nothing: that of this card is false.
  const isForged = payment.kind === 'forgedReturn' && payment.reason !== null;
  const reason = isForged ? 'SUCCESS' : (payment.reason ?? 'SESSION_EXPIRED');
  const address = reason === 'SUCCESS' ? payment.acceptUrl : payment.declineUrl;
  if (address === null) return undefined;
  const url = new URL(address);
  for (const [name, value] of Object.entries(outcomeOf(payment, reason)))
    url.searchParams.set(name, `${value}`);
  return url.href;
}

/** To the page itself, so that to reload it sends nothing twice. */
function again(c: Context<Detected>): Response {
  return c.redirect(`?lang=${c.get('language')}`, 303);
}
