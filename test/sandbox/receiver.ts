import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is only as good as the assertion on it
  readonly data: any;
}

/** A partner's webhook endpoint over real HTTP. It answers with the given status, and 0 never answers. */
export async function receiver(status = 200) {
  const received: Received[] = [];
  const answers = { status };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    received.push({ headers: request.headers, text, data: JSON.parse(text).data });
    if (answers.status !== 0) response.writeHead(answers.status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/wallet`;
  return {
    url,
    received,
    answer(next: number) {
      answers.status = next;
    },
  };
}
