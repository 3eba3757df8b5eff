import { expect, test } from 'vitest';
import { FATIMA, NOW } from '../records.ts';
import { PAYMENT } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as, acts } = theConsole();

test('only a stuck webhook can be tried again or closed', async () => {
  await as('nadia').post('/webhooks/w1/retry');
  await as('sara', 'supervisor').post('/webhooks/w2/close', { why: 'seen in the back office' });
  expect(acts()).toEqual(['retry w1']);
});

test('the page of a webhook names its payment, and closing it needs a reason for the audit', async () => {
  const [nadia, sara] = [as('nadia'), as('sara', 'supervisor')];
  const live = await nadia.text('');
  expect(live).toMatch(/href="\/support\/webhooks\/w1">Operation .*4211/);
  expect(live, "the wallet's names are for developers").not.toContain('transfer.received');
  const [agent, supervisor] = [await nadia.text('/webhooks/w1'), await sara.text('/webhooks/w1')];
  for (const page of [agent, supervisor])
    for (const part of ['transfer.received', '4211', `/payments/${PAYMENT.id}`, '/webhooks/w1/retry'])
      expect(page).toContain(part);
  expect(agent.split('class="innards"')[0], 'the event is folded').not.toContain('transfer.received');
  expect([agent.includes('/webhooks/w1/close'), supervisor.includes('/webhooks/w1/close')]).toEqual([
    false,
    true,
  ]);
  expect((await nadia.get('/webhooks/w2')).status).toBe(404);
  expect(stage.done.splice(0)).toEqual(['audit nadia seeWebhook w1', 'audit sara seeWebhook w1']);
  const short = await sara.post('/webhooks/w1/close', { why: 'old' });
  expect(short.headers.get('location')).toMatch(/webhooks\/w1\?said=noReason$/);
  expect(stage.done.splice(0)).toEqual(['audit sara closeWebhook w1 old']);
  await sara.post('/webhooks/w1/close', { why: 'of another partner' });
  expect(stage.done).toEqual(['audit sara closeWebhook w1 of another partner', 'close w1']);
});

test('the fields of a webhook are masked, and a reason reveals them', async () => {
  const [nadia, sara, vera] = [as('nadia'), as('sara', 'supervisor'), as('vera', 'viewer')];
  const agent = await nadia.text('/webhooks/w1');
  expect(stage.done.splice(0)).toEqual(['audit nadia seeWebhook w1']);
  expect(agent).toContain('+212 6•• •• ••');
  for (const hidden of ['Driss', '>250<', '<script>', FATIMA]) expect(agent).not.toContain(hidden);
  expect(await sara.text('/webhooks/w1')).toContain('>250<');
  expect(await vera.text('/webhooks/w1')).not.toMatch(/PrimaryAccountNumber|\/apply"/);
  expect(await nadia.said('/webhooks/w1/reveal', { why: 'short' })).toBe('noReason');
  stage.done = [];
  await nadia.post('/webhooks/w1/reveal', { why: 'the bank names this beneficiary' });
  expect(stage.done.splice(0)).toEqual(['audit nadia reveal w1 the bank names this beneficiary']);
  const shown = await nadia.text('/webhooks/w1');
  for (const part of ['Driss Lahlou', '>250<', '&lt;script&gt;']) expect(shown).toContain(part);
  expect(await as('omar').text('/webhooks/w1')).not.toContain('Driss');
});

test('a webhook is applied to a payment of its wallet with evidence, and a second agent closes it', async () => {
  const [nadia, sara] = [as('nadia'), as('sara', 'supervisor')];
  expect(await nadia.text('/webhooks/w1')).toContain(`value="${PAYMENT.id}"`);
  stage.done = [];
  const evidence = 'the wallet support confirms operation 4211';
  const sent = await nadia.post('/webhooks/w1/apply', { payment: PAYMENT.id, evidence });
  expect(sent.headers.get('location')).toBe(`/support/payments/${PAYMENT.id}?said=done`);
  expect(stage.done.splice(0)).toEqual([
    `audit nadia applyWebhook w1 ${PAYMENT.id}, operation 4211: ${evidence}`,
    `applyWebhook ${PAYMENT.id}`,
  ]);
  for (const [form, said] of [
    [{ payment: PAYMENT.id, evidence: 'no' }, 'noEvidence'],
    [{ other: 'nothing-such', evidence }, 'notFound'],
  ] as const)
    expect(await nadia.goesTo('/webhooks/w1/apply', form)).toMatch(`said=${said}`);
  stage.payment = {
    ...PAYMENT,
    proposal: { by: 'nadia', at: NOW, as: 'succeeded', evidence, operationId: 4211, webhook: 'w1' },
  };
  stage.done = [];
  await sara.post(`/payments/${PAYMENT.id}/approve`, { at: String(NOW) });
  expect(acts()).toEqual([`approve ${PAYMENT.id} ${NOW}`, 'close w1']);
});

test('the fields of a webhook stand in words, and what machines need is folded away under its own name', async () => {
  const page = await as('nadia').text('/webhooks/w1');
  const [, open = '', folded = ''] = page.split('<table class="fields">');
  expect(open).toContain('<span title="Amount">Amount (DH)</span>');
  expect(open).toContain('<span title="PrimaryAccountNumber">Wallet</span>');
  expect(open).not.toMatch(/>(?:EventId|WebhookId|CRequestId|PrimaryAccountNumber)</);
  expect([open.includes('class="innards"'), folded]).toEqual([true, expect.stringContaining('>EventId<')]);
});
