import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import { HERE, PAYMENT, saidBy, session, wordsOf } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('the page of a payment shows each message to the customer and whether it arrived', async () => {
  const sent = { message: 'm', says: 'payment.succeeded', tries: 3, intent: PAYMENT.id };
  stage.deliveries = (['delivered', 'held'] as const).map((outcome) => ({
    v: 1,
    at: NOW,
    address: HERE,
    language: 'fr',
    event: { ...sent, kind: 'delivery', outcome },
  }));
  const page = await as('nadia').text(`/payments/${PAYMENT.id}`);
  stage.deliveries = [];
  expect(wordsOf(page)).toMatch(/USSD · delivered \(tries: 3\).*USSD · waits for their next visit/);
  expect(await as('nadia').text(`/payments/${PAYMENT.id}`)).toContain('No messages');
});

test('a settlement needs evidence, and another agent to approve it', async () => {
  const nadia = as('nadia');
  const page = `/payments/${PAYMENT.id}`;
  expect(await nadia.text(page)).toContain('How did this payment end?');
  const propose = (form: Record<string, string>) => nadia.post(`${page}/propose`, form);
  for (const form of [
    { as: 'succeeded', evidence: 'ok' },
    { as: 'paid', evidence: 'seen in the back office' },
  ]) {
    expect(saidBy(await propose(form as never))).toBe('noEvidence');
  }
  stage.done.length = 0;
  await propose({ as: 'succeeded', evidence: 'seen in the back office', operation: '4211' });
  expect(stage.done[0], 'the evidence is in the audit').toBe(
    `audit nadia propose ${PAYMENT.id} succeeded, operation 4211: seen in the back office`,
  );
  expect(stage.done.at(-1)).toBe(`propose ${PAYMENT.id}`);

  stage.payment = {
    ...PAYMENT,
    proposal: { by: 'nadia', at: NOW, as: 'succeeded', evidence: 'seen in the <b>back</b> office' },
  };
  const [own, others] = [await nadia.text(page), await as('omar').text(page)];
  expect(own).toContain('Another adviser has to approve');
  expect([own.includes('/approve'), others.includes('/approve')]).toEqual([false, true]);
  expect(others, 'the approval names the proposal that was read').toContain(`name="at" value="${NOW}"`);
  const count = stage.done.length;
  expect(await as('salma').said(`${page}/approve`, { at: `${NOW}` })).toBe('sameAgent');
  expect(stage.done.slice(count), 'an account of the same person').toEqual([
    `audit salma approve ${PAYMENT.id} succeeded: seen in the <b>back</b> office`,
  ]);
  await as('omar').post(`${page}/approve`, { at: `${NOW}` });
  expect(stage.done.at(-1)).toBe(`approve ${PAYMENT.id} ${NOW}`);
  expect(others).toContain('seen in the &lt;b&gt;back&lt;/b&gt; office');
});

test('an agent who can settle a payment sees its amount while it waits', async () => {
  const page = `/payments/${PAYMENT.id}`;
  for (const path of ['', page, session]) {
    expect(await as('nadia').text(path), path).toContain('250.00');
    expect(await as('vera', 'viewer').text(path), path).not.toContain('250.00');
  }
});

test('a supervisor sees the amount of a payment, an agent needs a reveal, and both see masked numbers', async () => {
  const page = `/payments/${PAYMENT.id}`;
  stage.payment = { ...PAYMENT, state: 'failed' };
  const [agent, supervisor] = [await as('nadia').text(page), await as('omar', 'supervisor').text(page)];
  expect(agent).not.toContain('250.00');
  expect(supervisor).toContain('250.00');
  for (const each of [agent, supervisor]) expect(each).not.toMatch(/612345678|600000002/);
});

test.each([
  ['succeeded', true],
  ['failed', true],
  ['rejected', true],
  ['reversed', true],
  ['sent', false],
  ['accepted', false],
  ['unknown', false],
] as const)('the outcome of a payment that is %s can be told again: %s', async (state, can) => {
  stage.payment = { ...PAYMENT, evidence: [], state };
  const page = await as('omar', 'supervisor').text(`/payments/${PAYMENT.id}`);
  expect(page.includes('Tell the outcome again')).toBe(can);
});
