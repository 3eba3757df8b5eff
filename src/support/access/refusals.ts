import type { MiddlewareHandler } from 'hono';
import type { Log } from '../../log/lines.ts';
import type { Audit } from '../audit/audit.ts';
import { languageOf } from '../language.ts';
import type { Access } from './access.ts';
import { endpointOf, type Guarded, namedBy } from './guard.ts';

/** Somebody may not, has sent too much, or comes too often. */
const REFUSED: ReadonlySet<number> = new Set([403, 413, 429]);

export interface RefusalsOptions {
  readonly access: Pick<Access, 'whoIs'>;
  readonly audit: Pick<Audit, 'append' | 'hasWritten'>;
  readonly log: Pick<Log, 'say'>;
}

/**
 * Stands before everything that may refuse a request. A refusal that nobody has written down yet is an entry of the audit, where the
 * request is of somebody who is signed in. Strangers could fill the audit with theirs: those are counted in the log.
 */
export function refusals({ access, audit, log }: RefusalsOptions): MiddlewareHandler<Guarded> {
  return async (c, next) => {
    await next();
    if (!REFUSED.has(c.res.status) || audit.hasWritten()) return;
    const known: Guarded['Variables']['who'] | undefined = c.var.who;
    const who = known ?? (await access.whoIs(c, languageOf(c), false));
    if (who) {
      // From here the audit has the sign-in of the request.
      c.set('who', who);
      const endWhy = c.var.refusal ?? `${c.res.status}`;
      const on = endpointOf(c);
      await audit.append({ who: who.id, act: 'denied', on, ...namedBy(c, on), end: 'refused', endWhy });
      return;
    }
    log.say('The console refused requests of strangers');
  };
}
