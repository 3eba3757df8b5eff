import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that a machine gives to its own connections (from 32,768 on Linux), which come and go all the time here. */
const [FIRST, LAST] = [12_000, 32_000];

/**
 * A free port, drawn by lot, so that processes that ask at the same time get different ones. Another program may take
 * it before the server does. The starter of a server therefore checks that its own server answers.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
