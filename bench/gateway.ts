import { Agent, request } from 'node:http';

/** Posts a form as a gateway does, and gives the page. Rejects for every status but 200. */
export type Gateway = (url: string, form: string) => Promise<string>;

/** A request of Africa's Talking. */
export function formOf(phoneNumber: string, sessionId: string, text: string): string {
  return new URLSearchParams({ sessionId, phoneNumber, serviceCode: '*123#', text }).toString();
}

/** Over connections that stay open, by `node:http`: `fetch` costs more than some of what is measured. */
export function createGateway(): Gateway {
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  return (url, form) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(form),
      };
      const asked = request(url, { method: 'POST', agent, headers }, (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () =>
            answer.statusCode === 200 ? resolve(text) : reject(new Error(`${answer.statusCode} ${text}`)),
          );
      });
      asked.on('error', reject).end(form);
    });
}
