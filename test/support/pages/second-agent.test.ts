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
const OMARS = { owner: { id: 'omar', name: 'Omar' } };
/** The form of an act. Others have none. */
const FORMS: Readonly<Record<string, Record<string, string>>> = {
  note: { text: 'x' },
  snooze: { for: 'hour' },
  give: { to: 'sara' },
  label: { label: LABEL.id },
  unlabel: { label: LABEL.id },
  merge: { into: 'c-9999999' },
};
const SARAS = { owner: { id: 'sara', name: 'Sara' } };
const closed = (end?: Case['end'], step: Case['steps'][number] = omars('closed')): Partial<Case> => ({
  ...{ state: 'closed', steps: [step], ...(end && { end }) },
});
const nobodys = { at: Date.now() - AGO_MS, what: 'closed' } as const;

test.each<[path: string, sentence: string, change: Partial<Case>]>([
  ['close', 'Omar closed this case', closed('solved')],
  ['note', 'Omar closed this case', closed()],
  ['snooze', 'Omar closed this case', closed()],
  ['close', 'Omar merged this case into another one', closed('merged', omars('closed', 'c-9999999'))],
  ['close', 'The customer closed this case', closed('byCustomer', nobodys)],
  ['urgent', 'This case was no longer needed and was closed', closed('byItself', nobodys)],
  [
    'take',
    'Omar assigned this case to themselves',
    { ...OMARS, steps: [omars('assigned', 'Omar'), omars('urgent')] },
  ],
  ['close', 'Omar assigned this case to Sara', { ...SARAS, steps: [omars('assigned', 'Sara')] }],
  ['give', 'Omar assigned this case to the team Cards', { steps: [omars('toTeam', 'Cards')] }],
  ['wait', 'Omar set this case to wait for the customer', { state: 'waiting', steps: [omars('waiting')] }],
  ['wait', 'Omar answered the customer', { state: 'waiting', steps: [omars('answered')] }],
  ['go-on', 'Omar stopped waiting', { steps: [omars('goesOn'), omars('note', 'x')] }],
  ['urgent', 'Omar marked this case as urgent', { isUrgent: true, steps: [omars('urgent')] }],
  ['not-urgent', 'Omar removed the urgent mark', { steps: [omars('notUrgent')] }],
  ['label', 'Omar put the label “Business” on this case', { steps: [omars('labelled', LABEL.id)] }],
  ['unlabel', 'Omar removed the label “Business” from this case', { steps: [omars('unlabelled', LABEL.id)] }],
  ['reopen', 'Omar reopened this case', { steps: [omars('reopened')] }],
  ['snooze', 'Omar snoozed this case', { steps: [omars('snoozed')] }],
  // Without such an act the general sentence stays.
  ['note', '', { steps: [omars('note', 'y')] }],
  ['label', '', { steps: [omars('labelled', '99999999'), omars('urgent')] }],
  ['reopen', '', closed()],
  ['merge', '', { steps: [omars('urgent')] }],
])('an agent whose %s comes second reads what the first agent did: %s', async (path, words, change) => {
  await as('sara', 'supervisor').post('/organisation/labels', LABEL);
  const [nadia, form] = [as('nadia'), FORMS[path]];
  [stage.case, stage.acted] = [{ ...CASE, ...change }, 'notNow'];
  const to = await nadia.goesTo(`/cases/c-2345678/${path}`, form);
  const [status, answer] = await nadia.swaps(`/cases/c-2345678/${path}`, form);
  expect(status).toBe(409);
  for (const shown of [await nadia.text(to.replace('/support', '')), answer]) {
    const [, note = ''] = /class="note bad">(.*?)<\/p>/.exec(plain(shown)) ?? [];
    expect(note).toMatch(
      words
        ? new RegExp(`^Nothing was changed\\. ${words} 2 days ago\\.$`)
        : /^Nothing was changed: it is not/,
    );
  }
  for (const before of ['', '1', 'closed.', `opened.${NOW}`, 'closed.1', '9'.repeat(40)])
    expect(await nadia.text(`/cases/c-2345678?said=notNow&before=${before}`)).toContain('as things stand');
});

test.each<[path: string, sentence: string, change: Partial<Case>, form?: Record<string, string>]>([
  ['close', 'You closed this case', closed()],
  ['urgent', 'You closed this case', closed('merged', omars('closed', 'c-9999999'))],
  ['urgent', 'You have done this already', { isUrgent: true, steps: [omars('urgent')] }],
  ['take', 'You have done this already', { steps: [omars('assigned', 'Omar')] }],
  ['give', 'You assigned this case to Sara', { steps: [omars('assigned', 'Sara')] }],
  ['give', 'You assigned this case to Cards', { steps: [omars('toTeam', 'Cards')] }],
  ['wait', 'You answered the customer', { state: 'waiting', steps: [omars('answered')] }],
  ['label', 'You have done this already', { steps: [omars('labelled', LABEL.id)] }],
  ['note', 'You have done this already', { steps: [omars('note', 'PIN ••••')] }, { text: ' PIN 4821 ' }],
])('an agent who repeats %s reads when they did it: %s', async (path, words, change, form = FORMS[path]) => {
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
