import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LINES, type Log } from '../../src/log/lines.ts';
import { createWitnessing } from '../../src/support/audit/witness.ts';
import { AUDITS, secrets, theAudit } from './audit-stage.ts';

describe.each(AUDITS)('a witness of the audit, on %s', (kind) => {
  const it = theAudit(kind);
  const { auditOf, document, forge, fill, wipe, clock } = it;

  test('shows that the whole audit was put back to an older copy', async () => {
    await fill(3);
    const old = await document('audit:head');
    await fill(2);
    const witness = await auditOf().verify();
    if (!witness.ok) throw new Error('broken already');
    expect(await auditOf().verify(witness.head)).toMatchObject({ ok: true, count: 5 });
    await forge('audit:5', () => null);
    await forge('audit:4', () => null);
    await forge('audit:head', () => JSON.parse(old?.value ?? ''));
    expect(await auditOf().verify()).toMatchObject({ ok: true, count: 3 });
    expect(await auditOf().verify(witness.head)).toEqual({ ok: false, n: 4, why: 'missing' });
    // Nor does it help to write others in their place.
    await fill(2);
    expect(await auditOf().verify(witness.head)).toEqual({ ok: false, n: 5, why: 'changed' });
  });

  test('goes to the log, and to a receiver until it accepts it', async () => {
    const told: { witness: string }[] = [];
    let answer = 503;
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        if (answer === 200) told.push(JSON.parse(body));
        response.writeHead(answer).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const lines: [level: string, witness: unknown][] = [];
    const log: Pick<Log, 'say'> = {
      say: (line, { witness, status } = {}) => void lines.push([LINES[line].level, witness ?? status]),
    };
    const url = `http://127.0.0.1:${port}/`;
    const { begin, run } = createWitnessing({ store: it.store, secrets, url, log, now: clock.now });
    await begin();
    await begin();
    await fill(2);
    await run();
    await run();
    expect(lines.map(([level]) => level)).toEqual(['info', 'error', 'error']);
    expect(told).toEqual([]);
    answer = 200;
    await run();
    await run();
    expect(told.map(({ witness }) => witness)).toEqual([lines[0]?.[1]]);
    await fill(1);
    await run();
    expect(told).toHaveLength(2);
    const [first, second] = told.map(({ witness }) => witness) as [string, string];
    expect(await auditOf().verify(first)).toMatchObject({ ok: true });
    expect(await auditOf().verify(second)).toMatchObject({ ok: true, head: second });
    await wipe();
    await run();
    expect(lines.at(-1)?.[0]).toBe('error');
    expect(await auditOf().verify(first)).toMatchObject({ ok: false, why: 'missing' });
  });

  test.each([
    ['nothing', ''],
    ['no witness', 'all is well'],
    ['another signature', '2:abc:AAAAAAAAAAAAAAAA'],
    ['a number that was changed', 'other number'],
  ])('is refused when it is not ours: %s', async (_, text) => {
    await fill(2);
    const verdict = await auditOf().verify();
    const witness = text === 'other number' && verdict.ok ? verdict.head.replace(/^2/, '1') : text;
    expect(await auditOf().verify(witness)).toEqual({ ok: false, n: 0, why: 'witness' });
  });
});
