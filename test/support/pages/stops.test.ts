import { expect, test } from 'vitest';
import { FATIMA, NOW } from '../records.ts';
import { HERE, session } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('an agent is stopped with a reason, and restored by another person', async () => {
  const nadia = as('nadia');
  const why = 'customers complain about this till';
  expect(await nadia.text(session)).not.toContain('/stop-agent');
  stage.agent = { code: 'RA-2001', name: '<b>Tabac</b>', until: NOW };
  expect(await nadia.text(session)).toContain('&lt;b&gt;Tabac');
  expect(await as('vera', 'viewer').text(session)).not.toContain('/stop-agent');
  expect(await nadia.said(`${session}/stop-agent`, { why: '' })).toBe('noReason');
  stage.done = [];
  await nadia.post(`${session}/stop-agent`, { why });
  const proposal = { by: 'nadia', at: NOW + 1, reason: why };
  stage.agent = { ...stage.agent, stopped: { by: 'nadia', at: NOW, reason: why, proposal } };
  const [own, others] = [await nadia.text(session), await as('omar').text(session)];
  expect([own.includes('/approve-restore'), others.includes('/approve-restore')]).toEqual([false, true]);
  expect(await as('salma').said(`${session}/approve-restore`, { at: `${NOW + 1}` })).toBe('sameAgent');
  expect(await as('salma').text(`${session}?said=sameAgent`)).toContain('support -- add-admin');
  await as('omar').post(`${session}/approve-restore`, { at: `${NOW + 1}` });
  expect(stage.done.filter((each) => !each.includes('seeSession'))).toEqual([
    `audit nadia stopAgent ${HERE} ${why}`,
    `stopAgent ${FATIMA} ${why}`,
    `audit salma approveRestore ${HERE}`,
    `audit omar approveRestore ${HERE}`,
    `approveRestore ${FATIMA} ${NOW + 1}`,
  ]);
});

test('a freeze and a thaw need a reason, and a thaw needs the approval of another person', async () => {
  const nadia = as('nadia');
  const why = 'the customer called: their phone was stolen';
  expect(await nadia.text(session)).toContain('/freeze');
  expect(await as('vera', 'viewer').text(session)).not.toContain('/freeze');
  for (const path of ['freeze', 'propose-thaw']) {
    expect(await nadia.said(`${session}/${path}`, { why: 'please' })).toBe('noReason');
  }
  expect(stage.done.filter((each) => !each.includes('seeSession'))).toEqual([]);
  stage.done = [];
  await nadia.post(`${session}/freeze`, { why });
  stage.frozen = { at: NOW, by: 'nadia' };
  await nadia.post(`${session}/propose-thaw`, { why });
  expect(stage.done).toEqual([
    `audit nadia freeze ${HERE} ${why}`,
    `freeze ${FATIMA}`,
    `audit nadia proposeThaw ${HERE} ${why}`,
    `proposeThaw ${FATIMA} ${why}`,
  ]);
  stage.frozen = {
    at: NOW,
    by: 'nadia',
    proposal: { by: 'nadia', at: NOW + 1, reason: 'seen in <b>person</b>' },
  };
  const [own, others] = [await nadia.text(session), await as('omar').text(session)];
  expect([own.includes('/approve-thaw'), others.includes('/approve-thaw')]).toEqual([false, true]);
  expect(others).toContain('&lt;b&gt;person');
  stage.done = [];
  expect(await as('salma').said(`${session}/approve-thaw`, { at: `${NOW + 1}` })).toBe('sameAgent');
  await as('omar').post(`${session}/approve-thaw`, { at: `${NOW + 1}` });
  await as('omar').post(`${session}/withdraw-thaw`);
  expect(stage.done).toEqual([
    `audit salma approveThaw ${HERE}`,
    `audit omar approveThaw ${HERE}`,
    `approveThaw ${FATIMA} ${NOW + 1}`,
    `audit omar withdrawThaw ${HERE}`,
    `withdrawThaw ${FATIMA}`,
  ]);
  stage.isAuditDown = true;
  stage.done = [];
  expect((await nadia.post(`${session}/freeze`, { why })).status).toBe(500);
  expect(stage.done, 'an act without an entry is not done').toEqual([]);
});

test('a page names the agent who froze payments, not their account', async () => {
  stage.frozen = { at: NOW, by: 'omar' };
  expect(await as('nadia').text(session)).toMatch(/Payments frozen by .?Omar/);
});
