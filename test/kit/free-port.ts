import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that a machine gives to its own connections (from 32,768 on Linux), which come and go all the time here. */
const [FIRST, LAST] = [12_000, 32_000];

/**
 * A port that nobody listens on, drawn by lot: who asks for one at the same time, in another process, gets another one. It may be
 * taken all the same before a server has it, so whoever starts one makes sure that it is their own that answers.
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
