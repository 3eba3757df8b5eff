import { afterEach, beforeEach } from 'vitest';

/** Opens something before each test and closes it after. The result stands for that of the running test. */
export function forEachTest<T extends { close(): unknown }>(open: () => Promise<T>): T {
  let opened: T | undefined;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened?.close());
  return new Proxy({} as T, { get: (_, name) => Reflect.get(opened ?? {}, name) });
}
