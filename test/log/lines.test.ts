import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Fields, LINES, type Line, rowOf } from '../../src/log/lines.ts';
import { openLog, SELF } from '../../src/log.ts';
import { filesIn, readText } from '../kit/tree.ts';

const SOURCES = filesIn(['src'], ['.ts']).filter((path) => !path.startsWith('src/log'));
const NAMES = Object.keys(LINES) as Line[];

/** A log whose lines can be read. Its clock stands still. */
function opened(level = 'info') {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 3) });
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const log = openLog(level, 'doors,worker', { write: (line) => void written.push(line) });
  onTestFinished(() => log.close());
  const lines = () => written.map((line) => JSON.parse(line) as Fields);
  return { log, written, said: () => lines().map(({ msg, times }) => [msg, times]), lines };
}

describe('every line that the log can have', () => {
  test.each(NAMES)('%s', (line) => {
    const { level, did, todo } = rowOf(line);
    expect(line, 'a sentence').toMatch(level === 'info' ? /^[A-Z]\w*( \S+)+$/ : /^[A-Z]\w*( \S+){2,}$/);
    expect(
      SOURCES.some((path) => readText(path).includes(`'${line}'`)),
      'is said',
    ).toBe(true);
    if (level === 'info') return;
    expect([did, todo], 'says what Wasl did, and what to do').toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    for (const [page = ''] of todo?.matchAll(/\bdocs\/[\w/-]+\.md/g) ?? []) readText(page);
    const section = /^docs\/operator\/runbooks\.md#(.*)$/.exec(todo ?? '')?.[1];
    if (section) expect(readText('docs/operator/runbooks.md').toLowerCase()).toContain(`\n## ${section}\n`);
  });

  test('is written by the one log that there is', () => {
    const others = /\blog\??\.(?:trace|debug|info|warn|error|fatal)\(|from 'pino'/;
    // `main` is given the output of a test.
    const writing = SOURCES.filter((path) => others.test(readText(path).replace(/import type .*/g, '')));
    expect(writing).toEqual([]);
  });
});

test('a line has its level, time, process, id, event and advice', () => {
  const { log, lines, written } = opened();
  log.say('A person must look at this payment', { id: 'one', operationId: 7 });
  expect(lines()).toEqual([
    {
      level: 'error',
      time: '2026-01-31T03:00:00.000Z',
      ...SELF,
      role: 'doors,worker',
      id: 'one',
      operationId: 7,
      did: 'opened a case',
      todo: 'docs/operator/runbooks.md#waslpaymentneedsperson',
      msg: 'A person must look at this payment',
    },
  ]);
  expect(SELF).toEqual({
    host: expect.stringMatching(/./),
    release: JSON.parse(readText('package.json')).version,
    instance: expect.stringMatching(/^[\da-f]{8}$/),
  });
  const names = [...(written[0] ?? '').matchAll(/"(\w+)":/g)].map(([, name]) => name);
  expect(new Set(names).size, 'no name stands twice').toBe(names.length);
});

describe('a failure that comes again and again', () => {
  const A = 'A chore failed';
  const fails = (times: number, say: () => void) => Array.from({ length: times }, say);

  test('is one line when it begins, one with its count now and then, and one when it is over', () => {
    const { log, said, lines } = opened();
    fails(57, () => log.say(A, { chore: 'intent', error: 'StoreDown', at: ['at x'], id: 'one' }));
    expect(said()).toEqual([
      [A, undefined],
      [A, 10],
    ]);
    expect(lines().map(({ at }) => at)).toEqual([['at x'], undefined]);
    vi.advanceTimersByTime(120_000);
    expect(said().slice(2)).toEqual([[`It is over: ${A}`, 57]]);
    log.say(A, { chore: 'intent', error: 'StoreDown' });
    expect(said().slice(3), 'and it begins anew').toEqual([[A, undefined]]);
  });

  test.each<[string, Fields, Fields, lines: number]>([
    ['another kind of error', { error: 'StoreDown' }, { error: 'TypeError' }, 2],
    ['another channel', { channel: 'ussd' }, { channel: 'web' }, 2],
    ['another id', { id: 'one' }, { id: 'two' }, 1],
    ['another number', { status: 500 }, { status: 503 }, 1],
    ['another stack', { at: ['one'] }, { at: ['two'] }, 1],
  ])('%s makes it another or not', (_, first, second, count) => {
    const { log, said } = opened();
    for (const fields of [first, second]) log.say(A, fields);
    expect(said()).toHaveLength(count);
  });

  test('once is no outage, and is not said to be over', () => {
    const { log, said } = opened();
    log.say(A);
    vi.advanceTimersByTime(600_000);
    expect(said()).toEqual([[A, undefined]]);
  });

  test('of which Wasl knows the end is over then, and not because it is quiet', () => {
    const { log, said } = opened();
    const wallet = 'The wallet does not respond';
    const own = { calls: 'act', compartment: 'customers' };
    log.say(wallet, { ...own, error: 'one' });
    log.say(wallet, { ...own, error: 'another' });
    log.over(wallet, { ...own, calls: 'read' });
    vi.advanceTimersByTime(600_000);
    expect(said()).toEqual([[wallet, undefined]]);
    log.over(wallet, own);
    log.over(wallet, own);
    expect(said().slice(1)).toEqual([[`It is over: ${wallet}`, 2]]);
  });

  test('is counted up to the end of the process', () => {
    const { log, said } = opened();
    fails(5, () => log.say(A));
    log.close();
    expect(said()).toEqual([
      [A, undefined],
      [A, 5],
    ]);
  });

  test('is written each time when each one is about its own subject', () => {
    const { log, said } = opened();
    fails(3, () => log.say('A person must look at this payment', { id: 'one' }));
    expect(said()).toHaveLength(3);
  });

  test('with words without end costs no memory without end', () => {
    const { log, said } = opened();
    for (let n = 0; n < 2_000; n++) log.say(A, { chore: `kind ${n}` });
    expect(said().length).toBeLessThan(510);
  });
});
