import { expect, test } from 'vitest';
import { NOW, turn } from '../records.ts';
import { HERE, ids, plain, readUntil, session } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as, acts } = theConsole();

test('a session is masked, and each look is in the audit first', async () => {
  const page = await as('nadia').text(session);
  expect(stage.done).toEqual([`audit nadia seeSession ${HERE}`]);
  expect(page).toContain('+212 6•• •• •• 78');
  expect(page).toMatch(/the\sbank\sknows\snothing\sof\s\+212 6•• •• •• 78/);
  expect(page).not.toMatch(/612345678|600000002|A{46}/);
  stage.isAuditDown = true;
  expect((await as('nadia').get(session)).status).toBe(500);
});

test('the event stream needs a look that is in the audit', async () => {
  const nadia = as('nadia');
  const live = /sse-connect="\/support([^"]+)"/.exec(await nadia.text(session))?.[1] ?? '';
  expect((await nadia.get(`${session}/live`)).status).toBe(403);
  expect((await as('omar').get(live)).status, "another agent's look").toBe(403);
  const response = await nadia.get(live);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const text = await readUntil(response, 'event: payments');
  expect(text).toContain('event: transcript');
  expect(text).not.toMatch(/612345678|600000002/);
});

test('a reveal needs a reason, and only its agent sees the data of the session', async () => {
  const nadia = as('nadia');
  expect(await nadia.said(`${session}/reveal`, { why: 'please' })).toBe('noReason');
  expect(stage.done.splice(0), 'the attempt').toEqual([`audit nadia reveal ${HERE} please`]);
  await nadia.post(`${session}/reveal`, { why: 'the customer called about it', tell: 'yes' });
  expect(stage.done).toEqual([
    `audit nadia reveal ${HERE} the customer called about it`,
    `tellRevealed ${HERE}`,
  ]);
  expect(await nadia.text(session)).toContain('+212 612 34 56 78');
  expect(await nadia.text('')).not.toContain('612 34 56 78');
  expect(await as('omar', 'admin').text(session)).not.toContain('612 34 56 78');
});

test.each([
  ['eleven zero-width spaces', '\u200b'.repeat(11)],
  ['fillers that count as letters', '\u3164'.repeat(11)],
  ['braille blanks', '\u2800'.repeat(11)],
  ['digits and marks', '0612345678 !!!'],
  ['one letter', 'aaaaaaaaaaaa'],
  ['marks without letters', '\u0301'.repeat(11)],
  ['too few letters among what nobody sees', `abc\u200b\u200d\u202e\u0000\u200b\u200b\u200b\u200b\u200b`],
])('%s are no reason', async (_what, why) => {
  for (const path of [`${session}/reveal`, `${session}/freeze`, '/webhooks/w1/reveal'])
    expect(await as('nadia').said(path, { why })).toBe('noReason');
  expect(acts()).toEqual([]);
  expect(await as('nadia').text(session)).not.toContain('612 34 56 78');
});

test.each([
  ['in Arabic', 'العميل اتصل بنا هاتفيا', 'العميل اتصل بنا هاتفيا'],
  ['with digits', 'c-2345678: she called us', 'c-2345678: she called us'],
  [
    'with what nobody sees',
    '\u0000=HYPERLINK("x"), said\u202e the customer',
    '=HYPERLINK("x"), said the customer',
  ],
])('a reason is kept as a reader sees it: %s', async (_what, why, kept_) => {
  await as('nadia').post(`${session}/reveal`, { why });
  expect(stage.done).toEqual([`audit nadia reveal ${HERE} ${kept_}`]);
  expect(await as('nadia').text(session)).toContain('+212 612 34 56 78');
});

test.each([
  ['take-over', 'takeOver', 'takeOver'],
  ['hand-back', 'handBack', 'handBack'],
  ['nudge', 'nudge', 'nudge'],
  ['menu', 'toMenu', 'toMenu'],
  ['end', 'end', 'end'],
  ['answered', 'answerHelp', 'answered'],
])('%s is in the audit before it is done, and the page says how it ended', async (path, audited, called) => {
  const nadia = as('nadia');
  expect(await nadia.goesTo(`${session}/${path}`)).toBe(`/support${session}?said=done`);
  expect(stage.done).toEqual([`audit nadia ${audited} ${HERE}`, `${called} ${HERE}`]);
  stage.acted = 'busy';
  expect(await nadia.swaps(`${session}/${path}`)).toEqual([
    409,
    expect.stringContaining('A wallet call is under way'),
  ]);
  stage.isAuditDown = true;
  stage.done = [];
  expect((await nadia.post(`${session}/${path}`)).status).toBe(500);
  expect(stage.done, 'an act without an entry is not done').toEqual([]);
});

test('renewing a lease takes nothing over and is not in the audit', async () => {
  await as('nadia').post(`${session}/renew`);
  expect(stage.done).toEqual([`renew ${HERE}`]);
});

test('a message with a foreign link is refused before it is sent', async () => {
  const nadia = as('nadia');
  const refused = await nadia.swaps(`${session}/write`, { text: 'see https://evil.example' });
  expect(refused).toEqual([409, expect.stringContaining('Nothing was sent')]);
  expect(stage.done, 'the attempt').toEqual([`audit nadia write ${HERE}`]);
  await nadia.post(`${session}/write`, { text: 'see https://wallet.example/help' });
  expect(stage.done.at(-1)).toBe(`write ${HERE} see https://wallet.example/help`);
});

test('a message of which a part would be hidden is refused before it is sent, and its agent reads what would arrive', async () => {
  const nadia = as('nadia');
  const refused = await nadia.swaps(`${session}/write`, { text: 'payé à 10:45, code <4821>' });
  expect(refused).toEqual([409, expect.stringContaining('payé à 10:45, code &lt;••••&gt;')]);
  const to = await nadia.goesTo(`${session}/write`, { text: 'code 4821' });
  expect(await nadia.text(to.replace('/support', ''))).toContain('Nothing was sent');
  expect(stage.done.join(), 'nor is it in the audit').not.toMatch(/4821|^write/);
  const text = 'الساعة ١٠:٤٥، المرجع R835300000036، 1500 درهم';
  await nadia.post(`${session}/write`, { text });
  expect(stage.done.at(-1)).toBe(`write ${HERE} ${text}`);
});

test('the last answer hands back and closes the case once it is sent', async () => {
  const nadia = as('nadia');
  stage.owner = { id: 'nadia', name: 'nadia', since: NOW, until: Date.now() + 60_000 };
  stage.otherCases = [{ ...stage.case, id: 'c-7654321' }];
  expect(await nadia.text(session)).toContain('Send and close the case');
  stage.done.splice(0);
  const to = await nadia.goesTo(`${session}/write`, { text: 'That is settled.', last: 'yes' });
  expect(to, 'the next case opens').toBe('/support/cases/c-7654321/work?said=done');
  const all = ['write', 'handBack', 'closeCase'];
  expect(acts()).toEqual([
    expect.stringMatching(/^write .+ That is settled\.$/),
    expect.stringMatching(/^handBack /),
    expect.stringMatching(/^closeCase c-2345678/),
  ]);
  expect(stage.done.filter((each) => each.startsWith('audit')).map((each) => each.split(' ')[2])).toEqual(
    all,
  );
  stage.acted = 'busy';
  stage.done.splice(0);
  await nadia.post(`${session}/write`, { text: 'Not sent.', last: 'yes' });
  expect(stage.done.map((each) => each.split(' ')[0])).toEqual(['audit', 'write']);
});

test('an agent who loses a conversation reads who has it', async () => {
  const nadia = as('nadia');
  stage.owner = { id: 'omar', name: 'Omar', until: NOW } as never;
  for (const [path, result] of [
    ['take-over', 'owned'],
    ['hand-back', 'notOwner'],
  ] as const) {
    stage.acted = result;
    const [status, answer] = await nadia.swaps(`${session}/${path}`);
    const words = 'note bad">Nothing was changed. Omar is in this conversation.<';
    expect([status, plain(answer)]).toEqual([409, expect.stringContaining(words)]);
    expect(plain(await nadia.text(`${session}?said=${result}`))).toContain(words);
  }
  stage.owner = undefined;
  const [, free] = await nadia.swaps(`${session}/hand-back`);
  expect(free).toContain('you are not in this conversation');
});

test('a session shows its case and the other agents who look or write', async () => {
  const [nadia, omar] = [as('nadia'), as('omar', 'supervisor')];
  expect(await nadia.text(session)).toMatch(/href="\/support\/cases\/c-2345678"/);
  await omar.post('/presence', { where: ids.idOf(HERE), writing: 'yes' });
  expect(await nadia.text(session)).toMatch(/omar\S? is writing/);
  expect(await omar.text(session), 'not oneself').not.toContain('is writing');
  await omar.post('/presence', { where: ids.idOf('web:x') });
  expect(await nadia.text(session)).not.toMatch(/is writing|is also looking/);
});

test('the transcript names the agent, and of an account that is gone its id', async () => {
  const stepIn = (by: string) => ({ kind: 'agent', act: 'takeOver', by }) as const;
  stage.turns = [turn({ event: stepIn('omar') }), turn({ event: stepIn('gone') })];
  const page = await as('nadia').text(session);
  expect(page).toMatch(/class="line stepin">.*Omar/);
  expect(page).not.toMatch(/class="line stepin">.*omar/);
  expect(page).toMatch(/class="line stepin">.*gone/);
});
