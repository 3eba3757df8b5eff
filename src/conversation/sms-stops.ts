import { z } from 'zod';
import { codec } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Secrets } from './secrets.ts';

/** The moment of a STOP, in ms since 1970. It is kept until the customer takes it back. */
const stopCodec = codec<{ readonly at: number }>('stop of SMS', z.object({ at: z.number() }));

/** The numbers that want no SMS with messages. Codes and what protects them still come. */
export interface SmsStops {
  has(number: Msisdn): Promise<boolean>;
  set(number: Msisdn, isStopped: boolean): Promise<void>;
}

/** The numbers as digests: no number is stored. Rejects with `StoreDown`. */
export function createSmsStops(store: Store, secrets: Pick<Secrets, 'digests'>, now = Date.now): SmsStops {
  // Under the older keys, too: a new key takes nobody's STOP back.
  const keysOf = (number: Msisdn) =>
    secrets.digests(`sms stop ${number}`).map((digest) => `sms-stop:${digest}`);
  return {
    async has(number) {
      const found = keysOf(number).map((key) => readDocs(store, partitionOf(key), [key]));
      return (await Promise.all(found)).some(([doc]) => stopCodec.readable(doc) !== undefined);
    },
    async set(number, isStopped) {
      const [first, ...older] = keysOf(number);
      const changed = isStopped ? [first] : [first, ...older];
      for (const key of changed) {
        if (key === undefined) continue;
        await update(store, partitionOf(key), [key], (doc) => {
          const isThere = doc.version > 0;
          if (isStopped)
            return { writes: isThere ? [] : [stopCodec.write(doc, { at: now() })], result: undefined };
          return { writes: isThere ? [{ key, version: doc.version, value: null }] : [], result: undefined };
        });
      }
    },
  };
}
