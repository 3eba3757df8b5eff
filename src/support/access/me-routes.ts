import { type Context, Hono } from 'hono';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { texts } from '../form.ts';
import { say } from '../sentences.ts';
import { mePage } from './account-pages.ts';
import { BASE } from './endpoints.ts';
import type { Guarded } from './guard.ts';
import { weaknessIn } from './sign-in-pages.ts';
import { type AccessParts, afterSignOut } from './sign-in-routes.ts';

/** One's own account: language, password, signing out everywhere. */
export function meRoutes(options: AccessParts): Hono<Guarded> {
  const { signIn, accounts, audit, oidc, addressOf } = options;
  const app = new Hono<Guarded>();
  app.get('/me', (c) => page(c));

  app.post('/me/language', async (c) => {
    const chosen = (await texts(c)).language;
    const language = LANGUAGES.find((each) => each === chosen);
    if (language) await accounts.setLanguage(c.var.who.id, language);
    return c.redirect(`${BASE}/me`, 303);
  });

  app.post('/me/password', async (c) => {
    const { who, language } = c.var;
    const { old = '', password = '', again = '' } = await texts(c);
    if (password !== again) return page(c, { error: say(language, 'console.notTheSame') });
    const changed = await signIn.changePassword({ id: who.id, old, password, address: addressOf(c) });
    if (changed.ok) {
      changed.signIn.give(c);
      return c.redirect(`${BASE}/me?done=1`, 303);
    }
    c.set('refusal', changed.why);
    if (changed.why !== 'wait') {
      const isWrong = changed.why === 'wrong';
      return page(c, {
        error: isWrong ? say(language, 'console.mePasswordWrong') : weaknessIn(language, changed.why),
      });
    }
    const { seconds } = changed;
    return page(c, { error: say(language, 'console.signInWait', { seconds: { count: seconds } }) });
  });

  app.post('/me/sign-out-everywhere', async (c) => {
    const { id } = c.var.who;
    await audit.append({ who: id, act: 'signOutEverywhere' });
    await accounts.endAll(id);
    return afterSignOut(oidc, c);
  });
  return app;

  async function page(c: Context<Guarded>, shown: { error?: string } = {}): Promise<Response> {
    const { who, language } = c.var;
    const canChange = (await accounts.find(who.id))?.password !== undefined;
    const done = c.req.query('done') ? { done: say(language, 'console.mePasswordDone') } : {};
    return c.html(mePage({ who, canChange, ...done, ...shown }), shown.error ? 400 : 200);
  }
}
