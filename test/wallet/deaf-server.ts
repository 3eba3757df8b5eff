import { type AddressInfo, createServer } from 'node:net';

/** Listens with the shortest possible queue. The test then stops this process. */
const server = createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () =>
  process.send?.((server.address() as AddressInfo).port),
);
