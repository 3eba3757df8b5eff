import { expect, test } from 'vitest';
import { NOW } from '../records.ts';
import {
  AGO_MS,
  bulkForm,
  CANNED,
  CASE,
  LABEL,
  MACRO,
  MISSING,
  plain,
  session,
  wordsOf,
} from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

const RUN = 'audit nadia runMacro c-2345678 Merci et clore';

/** Sara writes the macro. Nadia has the conversation of the case. */
async function aMacro() {
  const [sara, nadia] = [as('sara', 'supervisor'), as('nadia')];
  await sara.post('/organisation/labels', LABEL);
  await sara.post('/organisation/teams', { id: MACRO.give, name: 'Paiements' });
  await sara.post('/organisation/macros', MACRO);
  stage.case = { ...CASE, language: 'fr' };
  stage.owner = { id: 'nadia', name: 'Nadia', until: NOW } as never;
  /** The macro as Nadia's page offers it: its id and what she has read. */
  const read = async () =>
    /name="macro" value="([^"]+)"/.exec(await nadia.text('/cases/c-2345678'))?.[1] ?? 'aaaa1111:none';
  /** Runs the macro and gives the sentence that Nadia reads. */
  const runs = async (macro?: string) => {
    const form = { macro: macro ?? (await read()) };
    stage.done = [];
    return nadia.said('/cases/c-2345678/macro', form);
  };
  return { sara, nadia, read, runs };
}

test('a macro shows its acts in the customer’s language, and not to a viewer', async () => {
  const { sara, nadia } = await aMacro();
  expect(stage.done.at(-1)).toBe(
    'audit sara writeMacro aaaa1111 Merci et clore: answer console.cannedBye, label 1a2b3c4d, give bbbb2222, close answered by phone',
  );
  for (const path of [session, '/cases/c-2345678']) {
    const [, does = ''] = /<ol id="does-aaaa1111">(.*?)<\/ol>/s.exec(await nadia.text(path)) ?? [];
    expect(wordsOf(does)).toMatch(
      /Write to the customer Merci de votre message. Bonne journée. Label Business Assign to Paiements Close the case answered by phone/,
    );
    expect(await as('vera', 'viewer').text(path)).not.toContain('Merci et clore');
  }
  await sara.post('/organisation/macros/remove', { id: MACRO.id });
  expect(await nadia.text(session)).not.toContain('Merci et clore');
});

test('a macro does its acts one by one, and leaves out what is done already', async () => {
  const { runs } = await aMacro();
  expect(await runs()).toBe('done');
  expect(stage.done[0]).toBe(RUN);
  expect(stage.done.map((each) => each.split(' ').slice(0, 3).join(' '))).toEqual([
    'audit nadia runMacro',
    'audit nadia write',
    expect.stringMatching(/^write ussd/),
    'ended done',
    'audit nadia labelCase',
    'label c-2345678 true',
    'ended done',
    'audit nadia giveCase',
    'giveCase c-2345678 nadia',
    'ended done',
    'audit nadia closeCase',
    'closeCase c-2345678 nadia',
    'audit nadia handBack',
    expect.stringMatching(/^handBack ussd/),
    'ended done',
  ]);
  stage.case = { ...stage.case, labels: [LABEL.id], team: MACRO.give };
  expect(await runs()).toBe('done');
  expect(stage.done.join()).not.toMatch(/labelCase|giveCase/);
});

test('a macro that writes steps in first, where nobody is in the conversation', async () => {
  const { runs } = await aMacro();
  stage.owner = undefined;
  expect(await runs()).toBe('done');
  expect(stage.done.map((each) => each.split(' ').slice(0, 3).join(' ')).slice(0, 6)).toEqual([
    'audit nadia runMacro',
    'audit nadia takeOver',
    expect.stringMatching(/^takeOver ussd/),
    'ended done',
    'audit nadia write',
    expect.stringMatching(/^write ussd/),
  ]);
  stage.acted = 'owned';
  expect(await runs(), 'somebody was faster').toBe('stopped-answer-owned');
  expect(stage.done.join()).not.toContain('audit nadia write');
});

test('a macro stops at the first refused act', async () => {
  const { nadia, read, runs } = await aMacro();
  stage.case = { ...stage.case, labels: [LABEL.id], team: MACRO.give };
  stage.acted = 'again';
  expect(await runs(), 'the customer has the answer: the press was repeated').toBe('stopped-close-notNow');
  expect(stage.done.slice(3, 4), 'which was not sent').toEqual(['ended refused again']);
  // Another agent sets the label between the look and the act.
  stage.case = { ...stage.case, labels: [] };
  stage.onFound = () => {
    if (stage.done.some((each) => each.includes('labelCase')))
      stage.case = { ...stage.case, labels: [LABEL.id] };
  };
  expect(await runs()).toBe('stopped-close-notNow');
  expect(stage.done).toContain('ended refused again');
  stage.onFound = () => {};
  stage.acted = 'notOwner';
  expect(await runs()).toBe('stopped-answer-notOwner');
  expect(stage.done.slice(3)).toEqual(['ended refused notOwner']);
  expect(await nadia.swaps('/cases/c-2345678/macro', { macro: await read() })).toEqual([
    409,
    expect.stringMatching(
      /stopped at “\W*Write to the customer\W*”; acts before it, if any, were done\. Nothing was changed/,
    ),
  ]);
  expect(await nadia.text('/inbox?said=stopped-toString-done')).not.toMatch(/role="status"><p/);
  expect(await nadia.text('/inbox?said=stopped-give-toString')).not.toMatch(/role="status"><p/);
});

test('a macro does nothing to another agent’s case or a closed one', async () => {
  const { read, runs } = await aMacro();
  const macro = await read();
  for (const [change, said] of [
    [{ owner: { id: 'omar', name: 'Omar' } }, 'owned'],
    [{ state: 'closed' }, 'notNow'],
  ] as const) {
    stage.case = { ...CASE, ...change };
    expect(await runs(macro)).toBe(said);
    expect(stage.done).toEqual([RUN]);
    expect(stage.refusal, 'the end of its entry in the audit').toBe(said);
  }
});

test('a macro does nothing when it has changed since the agent read it', async () => {
  const { sara, nadia, read, runs } = await aMacro();
  const old = await read();
  await sara.post('/organisation/macros', { ...MACRO, close: 'never answered' });
  for (const macro of [old, MACRO.id, `${MACRO.id}:`]) {
    expect(await runs(macro)).toBe('macroChanged');
    expect([stage.done, stage.refusal]).toEqual([[RUN], 'macroChanged']);
  }
  stage.refusal = undefined;
  const anew = await nadia.post('/cases/c-2345678/macro', { macro: old }, { 'hx-request': 'true' });
  expect(stage.refusal).toBe('macroChanged');
  expect([anew.status, anew.headers.get('hx-redirect')]).toEqual([
    204,
    expect.stringMatching(/\/sessions\/.+\?said=macroChanged$/),
  ]);
  await sara.post('/organisation/answers', CANNED);
  await sara.post('/organisation/macros', { ...MACRO, answer: CANNED.id });
  const withAnswer = await read();
  await sara.post('/organisation/answers', { ...CANNED, 'text-fr': 'Adieu' });
  expect(await runs(withAnswer), 'its answer has changed').toBe('macroChanged');
  expect(await nadia.text('/inbox?said=macroChanged')).toContain('Read again what it will do');
});

test('a macro stops at a team that was removed, and an unknown macro is not found', async () => {
  const { sara, nadia, runs } = await aMacro();
  await sara.post('/organisation/teams/remove', { id: MACRO.give });
  expect(await nadia.text(session)).toContain('(removed: the macro will stop here)');
  expect(await runs()).toBe('stopped-give-notFound');
  expect(stage.done.join()).not.toContain('closeCase');
  for (const macro of ['', 'ffffffff']) {
    expect(await runs(macro)).toBe('notFound');
    expect([stage.done, stage.refusal]).toEqual([['audit nadia runMacro c-2345678'], 'notFound']);
  }
  expect((await nadia.post('/cases/c-7777777/macro', { macro: MACRO.id })).status).toBe(404);
});

test.each<[why: string, form: Record<string, string>, said: string]>([
  ['no name', { ...MACRO, name: '' }, 'macroName'],
  ['a name that is markup', { ...MACRO, name: '<i>' }, 'macroName'],
  ['another one’s name', { ...MACRO, id: '99999999' }, 'macroTaken'],
  ['nothing to do', { id: '99999999', name: 'Nothing', close: '  ' }, 'macroNothing'],
  ['a snooze and an end', { ...MACRO, id: '99999999', name: 'Both', snooze: 'hour' }, 'macroBoth'],
  ['a snooze that is none', { id: '99999999', name: 'Never', snooze: 'toString' }, 'macroSnooze'],
  ['an answer that is none', { ...MACRO, answer: 'ffffffff' }, 'macroGone'],
  ['a label that is none', { ...MACRO, label: 'ffffffff' }, 'macroGone'],
  ['a team that is none', { ...MACRO, give: 'ffffffff' }, 'macroGone'],
  ['a long sentence', { ...MACRO, close: 'a'.repeat(501) }, 'macroClose'],
])('a macro with %s is refused', async (_, form, said) => {
  const { sara } = await aMacro();
  expect(await sara.said('/organisation/macros', form)).toBe(said);
});

/** The macro in the inbox: Nadia reads it there and runs it on the cases that she chose. */
async function aMacroOfTheInbox() {
  const { sara, nadia } = await aMacro();
  const read = async () => {
    const page = await nadia.text('/inbox?show=all');
    expect(page).toMatch(IN_INBOX);
    const [, does = ''] = /<ol id="does-aaaa1111">(.*?)<\/ol>/s.exec(page) ?? [];
    expect(does, 'in their own language').toContain('Thank you for your message');
    return /name="macro" value="(aaaa1111:[^"]+)"/.exec(page)?.[1] ?? '';
  };
  const runs = async (macro: string, ...chosen: string[]) => {
    stage.done = [];
    const { headers } = await nadia.sends(
      '/inbox/bulk',
      bulkForm(chosen, { act: 'macro', macro, show: 'all' }),
    );
    const to = headers.get('location') ?? '';
    const { said, not } = Object.fromEntries(new URLSearchParams(to.split('?')[1]));
    return { said, not, page: await nadia.text(to.replace('/support', '')) };
  };
  return { sara, nadia, read, runs };
}
const IN_INBOX = /name="act"><option.*?value="macro"/s;

test('a macro runs on several cases as on one, each with a reason and an entry in the audit', async () => {
  expect(await as('nadia').text('/inbox?show=all'), 'there is none').not.toMatch(IN_INBOX);
  const { read, runs } = await aMacroOfTheInbox();
  expect(await runs(await read(), CASE.id)).toMatchObject({ said: 'done-runMacro-1', not: undefined });
  expect(stage.done[0]).toBe(RUN);
  expect(stage.done.filter((each) => each.startsWith('audit')).map((each) => each.split(' ')[2])).toEqual([
    'runMacro',
    'write',
    'labelCase',
    'giveCase',
    'closeCase',
    'handBack',
  ]);
  expect(stage.done.at(-1), 'the macro of this case').toBe('ended done');
  stage.acted = 'notOwner';
  const { page, ...rest } = await runs(await read(), CASE.id, MISSING);
  expect(rest).toEqual({ said: 'allNot', not: `${CASE.id}:stopped-answer-notOwner,${MISSING}:notFound` });
  expect(stage.done.at(-1)).toBe('ended refused stopped-answer-notOwner');
  expect(page).toMatch(/c-2345678<\/code><\/a> The macro stopped at “\W*Write to the customer/);
  expect(page).toMatch(/value="macro" selected/);
  expect(page).toMatch(/name="macro" value="aaaa1111:[^"]+"\s+checked/);
});

test('a macro on several cases leaves another agent’s case as it is', async () => {
  const { read, runs } = await aMacroOfTheInbox();
  const macro = await read();
  const took = { at: Date.now() - AGO_MS, what: 'assigned', by: 'omar', note: 'Omar' } as const;
  stage.case = { ...stage.case, owner: { id: 'omar', name: 'Omar' }, steps: [...CASE.steps, took] };
  const { not, page } = await runs(macro, CASE.id);
  expect(not).toBe(`${CASE.id}:owned:assigned.${took.at}`);
  expect(stage.done).toEqual([RUN, 'ended refused owned']);
  expect(plain(page)).toMatch(/Nothing was changed\. Omar assigned this case to themselves 2 days ago\./);
});

test('a macro on several cases does nothing when it has changed since the agent read it', async () => {
  const { sara, read, runs } = await aMacroOfTheInbox();
  const first = await read();
  await sara.post('/organisation/answers', CANNED);
  await sara.post('/organisation/macros', { ...MACRO, answer: CANNED.id });
  const second = await read();
  await sara.post('/organisation/answers', { ...CANNED, 'text-fr': 'Adieu' });
  for (const old of [first, second, 'aaaa1111', 'aaaa1111:']) {
    expect(await runs(old, CASE.id)).toMatchObject({ said: 'macroChanged', not: `${CASE.id}:macroChanged` });
    expect(stage.done).toEqual([RUN, 'ended refused macroChanged']);
  }
});
