import { expect, test } from 'vitest';
import type { Case } from '../../../src/conversation/cases/case.ts';
import { NOW } from '../records.ts';
import { AGO_MS, CASE, LABEL, plain } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

const omars = (what: Case['steps'][number]['what'], note?: string) => ({
  at: Date.now() - AGO_MS,
  what,
  by: 'omar',
  ...(note && { note }),
});

test.each<[path: string, form: Record<string, string>, it: Partial<Case>, sentence: string]>([
  ['close', {}, { state: 'closed', end: 'solved', steps: [omars('closed')] }, 'Omar closed this case'],
  ['note', { text: 'x' }, { state: 'closed', steps: [omars('closed')] }, 'Omar closed this case'],
  ['snooze', { for: 'hour' }, { state: 'closed', steps: [omars('closed')] }, 'Omar closed this case'],
  [
    'close',
    {},
    { state: 'closed', end: 'merged', steps: [omars('closed', 'c-9999999')] },
    'Omar merged this case into another one',
  ],
  [
    'close',
    {},
    { state: 'closed', end: 'byCustomer', steps: [{ at: Date.now() - AGO_MS, what: 'closed' }] },
    'The customer closed this case',
  ],
  [
    'urgent',
    {},
    { state: 'closed', end: 'byItself', steps: [{ at: Date.now() - AGO_MS, what: 'closed' }] },
    'This case was no longer needed and was closed',
  ],
  [
    'take',
    {},
    { owner: { id: 'omar', name: 'Omar' }, steps: [omars('assigned', 'Omar'), omars('urgent')] },
    'Omar took this case',
  ],
  [
    'close',
    {},
    { owner: { id: 'sara', name: 'Sara' }, steps: [omars('assigned', 'Sara')] },
    'Omar gave this case to Sara',
  ],
  ['give', { to: 'sara' }, { steps: [omars('toTeam', 'Cards')] }, 'Omar gave this case to the team Cards'],
  [
    'wait',
    {},
    { state: 'waiting', steps: [omars('waiting')] },
    'Omar set this case to wait for the customer',
  ],
  ['wait', {}, { state: 'waiting', steps: [omars('answered')] }, 'Omar answered the customer'],
  ['go-on', {}, { steps: [omars('goesOn'), omars('note', 'x')] }, 'Omar resumed this case'],
  ['urgent', {}, { isUrgent: true, steps: [omars('urgent')] }, 'Omar marked this case as urgent'],
  ['not-urgent', {}, { steps: [omars('notUrgent')] }, 'Omar removed the urgent mark'],
  [
    'label',
    { label: '1a2b3c4d' },
    { steps: [omars('labelled', '1a2b3c4d')] },
    'Omar put the label “Business” on this case',
  ],
  [
    'unlabel',
    { label: '1a2b3c4d' },
    { steps: [omars('unlabelled', '1a2b3c4d')] },
    'Omar took the label “Business” off this case',
  ],
  ['reopen', {}, { steps: [omars('reopened')] }, 'Omar reopened this case'],
  ['snooze', { for: 'hour' }, { steps: [omars('snoozed')] }, 'Omar snoozed this case'],
  // Where nothing of the kind was done, the general sentence stays.
  ['note', { text: 'x' }, { steps: [omars('note', 'y')] }, ''],
  ['label', { label: '1a2b3c4d' }, { steps: [omars('labelled', '99999999'), omars('urgent')] }, ''],
  ['reopen', {}, { state: 'closed', steps: [omars('closed')] }, ''],
  ['merge', { into: 'c-9999999' }, { steps: [omars('urgent')] }, ''],
])(
  'an agent whose %s %j comes second reads what the first agent did: %j',
  async (path, form, change, words) => {
    await as('sara', 'supervisor').post('/organisation/labels', LABEL);
    const nadia = as('nadia');
    [stage.case, stage.acted] = [{ ...CASE, ...change }, 'notNow'];
    const to = await nadia.goesTo(`/cases/c-2345678/${path}`, form);
    const [status, answer] = await nadia.swaps(`/cases/c-2345678/${path}`, form);
    expect(status).toBe(409);
    for (const shown of [await nadia.text(to.replace('/support', '')), answer]) {
      const [, note = ''] = /class="note bad">(.*?)<\/p>/.exec(plain(shown)) ?? [];
      expect(note).toMatch(
        words ? new RegExp(`^Nothing was changed\\. ${words} 2d ago\\.$`) : /^Nothing was changed: it is not/,
      );
    }
    for (const before of ['', '1', 'closed.', `opened.${NOW}`, 'closed.1', '9'.repeat(40)])
      expect(await nadia.text(`/cases/c-2345678?said=notNow&before=${before}`)).toContain('as things stand');
  },
);

test.each<[path: string, form: Record<string, string>, it: Partial<Case>, sentence: string]>([
  ['close', {}, { state: 'closed', steps: [omars('closed')] }, 'You closed this case'],
  [
    'urgent',
    {},
    { state: 'closed', end: 'merged', steps: [omars('closed', 'c-9999999')] },
    'You closed this case',
  ],
  ['urgent', {}, { isUrgent: true, steps: [omars('urgent')] }, 'You have done this already'],
  ['take', {}, { steps: [omars('assigned', 'Omar')] }, 'You have done this already'],
  ['give', { to: 'sara' }, { steps: [omars('assigned', 'Sara')] }, 'You gave this case to Sara'],
  ['give', { to: 'sara' }, { steps: [omars('toTeam', 'Cards')] }, 'You gave this case to Cards'],
  ['wait', {}, { state: 'waiting', steps: [omars('answered')] }, 'You answered the customer'],
  ['label', { label: '1a2b3c4d' }, { steps: [omars('labelled', '1a2b3c4d')] }, 'You have done this already'],
  ['note', { text: ' PIN 4821 ' }, { steps: [omars('note', 'PIN ••••')] }, 'You have done this already'],
])('an agent who repeats %s %j reads when they did it: %j', async (path, form, change, words) => {
  const omar = as('omar', 'supervisor');
  await omar.post('/organisation/labels', LABEL);
  for (const [daysAgo, at] of [
    [0, String.raw`\d\d:\d\d`],
    [3, String.raw`\d\d/\d\d/\d{4} \d\d:\d\d`],
  ] as const) {
    const steps = change.steps?.map((step) => ({ ...step, at: Date.now() - daysAgo * 86_400_000 })) ?? [];
    [stage.case, stage.acted] = [{ ...CASE, ...change, steps }, 'notNow'];
    const to = await omar.goesTo(`/cases/c-2345678/${path}`, form);
    const [, answer] = await omar.swaps(`/cases/c-2345678/${path}`, form);
    for (const shown of [await omar.text(to.replace('/support', '')), answer])
      expect(plain(shown)).toMatch(new RegExp(`note bad">Nothing was changed\\. ${words} \\(${at}\\)[.:]`));
  }
});
