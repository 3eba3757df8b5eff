import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** A gateway hangs up after so long, and so does the bench. */
const ANSWER_MAX_MS = 10_000;

/** Posts a form as a gateway does, and gives the page. Rejects for every status but 200. */
export type Gateway = (url: string, form: string) => Promise<string>;

/** What a door has answered, whatever its status. */
interface DoorAnswer {
  readonly status: number;
  readonly text: string;
}

/** Posts a form; rejects when there is no answer. */
export type Post = (url: string, form: string) => Promise<DoorAnswer>;

/** A request of Africa's Talking. `text`: everything answered in this session so far, joined by `*`. */
export function formOf(phoneNumber: string, sessionId: string, text: string): string {
  return new URLSearchParams({ sessionId, phoneNumber, serviceCode: '*123#', text }).toString();
}

export function createGateway(): Gateway {
  const post = createPost(ANSWER_MAX_MS);
  return async (url, form) => {
    const { status, text } = await post(url, form);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return text;
  };
}

/**
 * Over connections that stay open, by `node:http`: `fetch` costs more than some of what is measured.
 * @param timeoutMs after which it hangs up
 */
export function createPost(timeoutMs: number): Post {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return (url, form) =>
    new Promise((resolve, reject) => {
      const isSecure = url.startsWith('https:');
      const options = {
        method: 'POST',
        agent: isSecure ? agents.https : agents.http,
        timeout: timeoutMs,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(form),
        },
      };
      const asked = (isSecure ? httpsRequest : httpRequest)(url, options, (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('error', reject)
          .on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
      asked.on('error', reject).end(form);
    });
}
