import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API } from '../src/wallet/contract/api.ts';

/** The other end of `wallet.ts`, in a process of its own: two endpoints of the Partner API that answer at once. */
const ANSWERS: Readonly<Record<string, string>> = {
  [API.previewTransfer.path]: JSON.stringify({
    data: { feesAmount: 2, totalAmount: 202, openLoop: false, operation: { recipientName: 'Y*** B***' } },
  }),
  [API.customerStatus.path]: JSON.stringify({ data: { status: 3 } }),
};

const server = createServer((request, response) => {
  const answer = ANSWERS[request.url?.split('?')[0] ?? ''];
  request.resume().on('end', () => {
    const text = answer ?? '';
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    };
    response.writeHead(answer === undefined ? 404 : 200, headers).end(text);
  });
});
// Connections rest while the others have their turn.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
