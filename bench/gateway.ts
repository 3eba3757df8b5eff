import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** An answer of the door, whatever its status. */
export interface GatewayAnswer {
  readonly status: number;
  readonly text: string;
}

/** Posts a form; rejects when there is no answer. */
export type Gateway = (url: string, form: string) => Promise<GatewayAnswer>;

/** A request as Africa's Talking sends it. `text`: everything answered in this session so far, joined by `*`. */
export function africasTalkingForm(phoneNumber: string, sessionId: string, text: string): string {
  return new URLSearchParams({ sessionId, phoneNumber, serviceCode: '*123#', text }).toString();
}

/** A gateway that keeps its connections open, without what `fetch` costs. @param timeoutMs after which it hangs up */
export function createGateway(timeoutMs: number): Gateway {
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
