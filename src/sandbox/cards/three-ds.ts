import { type Context, Hono } from 'hono';
import { languageDetector } from 'hono/language';
import { latinDigits } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import type { DueWork } from '../time/due.ts';
import { finishPayment } from './gateway.ts';
import { stateOf } from './lifecycle.ts';
import { outcomeOf } from './notification.ts';
import type { CardPayment } from './payment.ts';
import { type Reason, THREE_DS_CODE } from './test-cards.ts';
import { CONTENT_POLICY, LANGUAGES, threeDsPage } from './three-ds-page.ts';

/**
 * The 3D Secure page that `redirectionURL` leads to: the payer confirms with the code or declines, and is sent on to
 * `acceptUrl` or `declineUrl`. Whoever has the address may answer, once; the address cannot be guessed.
 */
export function threeDsPages(core: Core, due: Pick<DueWork, 'wake'>): Hono {
  const { db, clock } = core;
  const app = new Hono();
  const find = (token: string) => db.get<CardPayment>('SELECT * FROM cardPayments WHERE token = ?', token);
  const stateNow = (payment: CardPayment) => stateOf(payment, undefined, 0, clock.now());

  const language = languageDetector({
    order: ['querystring', 'header'],
    lookupQueryString: 'lang',
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: 'fr',
    caches: false,
  });
  app.use('/3ds/*', language, async (c, next) => {
    await next();
    c.header('content-security-policy', CONTENT_POLICY);
    c.header('cache-control', 'no-store');
    // The address is the key to the payment.
    c.header('referrer-policy', 'no-referrer');
    c.header('x-content-type-options', 'nosniff');
  });

  app.get('/3ds/:token', (c) => {
    const payment = find(c.req.param('token'));
    const state = payment && stateNow(payment);
    const page = threeDsPage(c.get('language'), payment, state, payment && returnUrl(payment));
    return c.html(page, payment ? 200 : 404);
  });

  app.post('/3ds/:token', async (c) => {
    const form = await c.req.parseBody();
    const payment = find(c.req.param('token'));
    // A page that was answered before, or has expired, shows the state of the payment.
    if (!payment || stateNow(payment) !== 'waiting') return again(c);
    const reason = form.answer === 'confirm' ? verdict(payment, form.code) : 'CANCELED';
    if (!reason) {
      db.run('UPDATE cardPayments SET triesLeft = triesLeft - 1 WHERE id = ?', payment.id);
      return again(c);
    }
    const finished = db.transaction(() => finishPayment(core, payment, reason));
    due.wake();
    const url = returnUrl(finished);
    return url ? c.redirect(url, 303) : again(c);
  });

  return app;
}

/** How the payment ends with this code; undefined where another may be tried. */
function verdict({ kind, verdict: says, triesLeft }: CardPayment, code: unknown): Reason | undefined {
  const isRight = typeof code === 'string' && latinDigits(code).replaceAll(/\s/g, '') === THREE_DS_CODE;
  if (isRight) return kind === 'threeDsFails' ? 'AUTHENTICATION_FAILED' : says;
  return triesLeft > 1 ? undefined : 'AUTHENTICATION_FAILED';
}

/** Where the browser goes when the payment has ended, with what v2.3 says it carries; undefined where nobody waits there. */
function returnUrl(payment: CardPayment): string | undefined {
  const reason = payment.reason ?? 'SESSION_EXPIRED';
  const address = reason === 'SUCCESS' ? payment.acceptUrl : payment.declineUrl;
  if (address === null) return undefined;
  const url = new URL(address);
  for (const [name, value] of Object.entries(outcomeOf(payment, reason)))
    url.searchParams.set(name, `${value}`);
  return url.href;
}

/** To the page itself, so that to reload it sends nothing twice. */
function again(c: Context): Response {
  return c.redirect(`?lang=${c.get('language')}`, 303);
}
