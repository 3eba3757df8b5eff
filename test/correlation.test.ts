import { expect, onTestFinished, test } from 'vitest';
import { readRecord } from '../src/conversation/record/record.ts';
import { correlated, correlationId } from '../src/correlation.ts';
import { start } from '../src/main.ts';
import { partitionOf } from '../src/store/partition.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { newDirectory } from './kit/new-directory.ts';
import { configOf } from './kit/settings.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each<[string, string | undefined, string | RegExp]>([
  ['of a request that is traced', `00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
  ['of one that is not', undefined, /^[\da-f]{32}$/],
  ['of a header that is none', 'hello', /^[\da-f]{32}$/],
  ['of a trace that is all zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, /^(?!0{32})[\da-f]{32}$/],
  ['of one in capitals', `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`, /^(?!4bf92f35)[\da-f]{32}$/],
  ['of one that hides a line of a log', `00-${TRACE}-00f067aa0ba902b7-01\n{}`, /^(?!4bf92f35)[\da-f]{32}$/],
])('the id %s', (_, traceparent, id) => {
  expect(correlated(correlationId, traceparent)).toMatch(id);
  expect(correlationId()).toBeUndefined();
});

test('work inside keeps the id, also later, and parallel work has ids of its own', async () => {
  const within = () =>
    correlated(async () => {
      const first = correlationId();
      await new Promise((resolve) => setTimeout(resolve, 1));
      return [first, correlationId(), correlated(correlationId)];
    });
  const [one, two] = await Promise.all([within(), within()]);
  expect(new Set(one).size).toBe(1);
  expect(new Set([...(one ?? []), ...(two ?? [])]).size).toBe(2);
});

test('one id leads from a gateway’s request through the log to the record of its turn', async () => {
  const directory = newDirectory('correlation');
  const config = configOf({ PORT: '0', SANDBOX_PORT: '0', DATA_DIR: directory });
  const lines: { msg: string; trace?: string }[] = [];
  const wasl = await start(config, { write: (line) => void lines.push(JSON.parse(line)) });
  const body = new URLSearchParams({ sessionId: 'one', phoneNumber: '+212600000001', text: '' });
  const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  await fetch(`${wasl.url}/ussd/africastalking`, { method: 'POST', body, headers });
  await wasl.close();

  expect(lines.filter(({ msg }) => msg === 'A turn was answered').map(({ trace }) => trace)).toEqual([TRACE]);
  const store = await openSqliteStore({ directory });
  onTestFinished(() => store.close());
  const turns = await store.turns(partitionOf('+212600000001'), 10);
  expect(turns.map(({ record }) => readRecord(record)?.trace)).toEqual([TRACE]);
});
