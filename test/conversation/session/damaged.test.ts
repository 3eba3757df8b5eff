import { expect, test } from 'vitest';
import { newSession } from '../../../src/conversation/session/session.ts';
import { createSessions, sessionKey, sessionWrite } from '../../../src/conversation/session/sessions.ts';
import { UnreadableDocument } from '../../../src/store/codec.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { openSqliteStore } from '../../../src/store/sqlite.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { newDirectory } from '../../kit/new-directory.ts';

const WALLET = msisdn('0612345678');
const HERE = 'web:here';
const DAMAGED = 'telegram:42';

test('a damaged session shuts out its own chat, and hides no other one of the wallet', async () => {
  const directory = newDirectory('damaged');
  const store = await openSqliteStore({ directory });
  const sessions = createSessions(store);
  const session = { ...newSession(Date.now()), wallet: WALLET, linked: true };
  const writes = [
    sessionWrite({ address: HERE, version: 0, session }),
    { key: sessionKey(DAMAGED), version: 0, value: '{"half' },
  ];
  await store.commit(partitionOf(WALLET), { writes });
  const found = await sessions.ofWallet(WALLET, [DAMAGED, HERE]);
  expect(found.map(({ address }) => address)).toEqual([HERE]);
  await store.commit(partitionOf(DAMAGED), {
    writes: [{ key: sessionKey(DAMAGED), version: 0, value: '{"half' }],
  });
  await expect(sessions.load(DAMAGED, Date.now())).rejects.toThrow(UnreadableDocument);
  await store.close();
});
