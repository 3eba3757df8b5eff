import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * One address behind which the server can change, as behind a Kubernetes service or a managed Redis: a connection stays with the
 * server that it was made to.
 */
export interface MovingLine {
  readonly port: number;
  /** From now on new connections go to this port. */
  moves(to: number): void;
  /** How many connections were made so far. */
  connections(): number;
  close(): void;
}

/** Starts a TCP proxy on 127.0.0.1. */
export async function startMovingLine(port: number): Promise<MovingLine> {
  let target = port;
  let made = 0;
  const sockets = new Set<Socket>();
  const server = createServer((inside) => {
    made++;
    const outside = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    moves: (to) => {
      target = to;
    },
    connections: () => made,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
