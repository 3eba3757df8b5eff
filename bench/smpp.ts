import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createSmpp } from '../src/channels/smpp/open.ts';
import { readBind } from '../src/channels/smpp/settings.ts';
import { createTake } from '../src/channels/ussd/take.ts';
import type { Conversations, Reply } from '../src/conversation/incoming.ts';
import { OWN } from '../src/conversation/lease.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import { createRenderer } from '../src/screen/renderer.ts';

const REPLY: Reply = {
  ...{ language: 'fr', screenId: 7, page: 0, missed: [], rests: false },
  screen: { key: 'menu.choose', expects: 'choice', choices: [{ id: 'help', key: 'nav.help' }] },
};
const log = { say: () => {}, over: () => {} };

/** USSD on one bind without the engine: 500 dialogues of two turns a second, for a minute. */
export async function benchSmpp(): Promise<readonly object[]> {
  const smsc = fork(fileURLToPath(new URL('./smpp-smsc.ts', import.meta.url)));
  const [{ port }] = (await once(smsc, 'message')) as [{ port: number }];
  const bind = readBind(`smpp://wasl:bench@127.0.0.1:${port}?for=ussd&window=50`);
  if (typeof bind === 'string') throw new Error(bind);
  const conversations = {
    receive: async () => REPLY,
    fallback: () => REPLY,
    left: async () => {},
  } as Partial<Conversations> as Conversations;
  const secrets = createSecrets('a secrets key for the bench, 32 characters');
  const take = createTake({ conversations, renderer: createRenderer(), secrets, language: 'fr', log });
  const smpp = createSmpp({ binds: [bind], lease: () => OWN, log });
  const before = process.cpuUsage();
  smpp.open({
    ussd: { take: (request) => take(request, 'smpp'), serviceCode: '*123#', log },
    ...{ sms: async () => {}, receipt: async () => {} },
  });
  const [{ dialogues, p50, p99 }] = (await once(smsc, 'message')) as [
    { dialogues: number; p50: number; p99: number },
  ];
  const { user, system } = process.cpuUsage(before);
  await smpp.close();
  smsc.kill();
  const turns = dialogues * 2;
  return [
    {
      ...{ turns, 'p50 ms': Math.round(p50), 'p99 ms': Math.round(p99) },
      'CPU µs a turn': Math.round((user + system) / turns),
    },
  ];
}
