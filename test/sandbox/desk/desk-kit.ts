import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { parsed } from '../kit.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is only as good as the assertion on it
type AnyJson = any;

/** The admin API of a sandbox, as a script calls it: `GET /clock`, `POST /reset`. */
export function admin(of: Sandbox) {
  return async (call: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path] = call.split(' ');
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await of.app.request(`/sandbox${path}`, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
    const said = await answer.text();
    return { status: answer.status, body: parsed(said) as AnyJson };
  };
}
