import { expect, test } from 'vitest';
import { PAYMENT, person, session } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test.each<[string, string, number, Record<string, string>?]>([
  [`${session}/write`, 'text', 1_000],
  [`${session}/reveal`, 'why', 300],
  [`${session}/freeze`, 'why', 300],
  [`${session}/stop-agent`, 'why', 300],
  [`${person}/note`, 'text', 1_000],
  [`/payments/${PAYMENT.id}/propose`, 'evidence', 500, { as: 'succeeded' }],
  ['/webhooks/w1/apply', 'evidence', 500, { payment: PAYMENT.id }],
  ['/webhooks/w1/close', 'why', 300],
  ['/cases/c-2345678/note', 'text', 500],
  ['/cases/c-2345678/close', 'note', 500],
])(
  'text that is too long is refused and not cut, and a line end is one character: %s',
  async (path, field, max, more = {}) => {
    const nadia = as('nadia', path.startsWith('/webhooks') ? 'supervisor' : 'agent');
    const whole = `${'on this line\n'.repeat(100).slice(0, max - 1)}x`.replaceAll('\n', '\r\n');
    stage.done = [];
    expect(await nadia.said(path, { ...more, [field]: 'x'.repeat(max + 1) })).toBe('tooLong');
    expect(
      stage.done.filter((each) => !each.startsWith('audit ')),
      'nothing is done',
    ).toEqual([]);
    const taken = await nadia.post(path, { ...more, [field]: whole });
    expect(taken.headers.get('location')).not.toMatch(/tooLong/);
  },
);
