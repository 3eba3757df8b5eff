import { expect, test } from 'vitest';
import { REVEALS_PER_HOUR } from '../../../src/support/reveals.ts';
import { NOW, turn } from '../records.ts';
import { CASE, HERE, session } from './fixtures.ts';
import { theConsole } from './stage.ts';

const { stage, as } = theConsole();

test('an agent sends a file, or reads that the channel takes no files', async () => {
  const body = new FormData();
  body.set('csrf', 'token');
  body.set('file', new File(['%PDF-1.7'], 'guide.pdf'));
  await as('nadia').sends(`${session}/file`, body);
  expect(stage.done).toEqual([`audit nadia sendFile ${HERE} 8 bytes`, `sendFile ${HERE}`]);
  stage.owner = { id: 'nadia', name: 'nadia', since: NOW, until: Date.now() + 60_000 };
  expect(await as('nadia').text(session)).toContain('This channel takes no files');
});

test('only a permitted agent opens a customer’s file, and each look is in the audit first', async () => {
  const files = `${session}/files`;
  const gave = (id: string, type: string, at: number) =>
    turn({ at, event: { kind: 'input', input: { type: 'photo', file: { id, type } }, toPerson: true } });
  const now = Date.now();
  stage.turns = [
    gave('png', 'image/png', now),
    gave('pdf', 'application/pdf', now),
    gave('old', 'image/png', now - 7 * 24 * 3_600_000),
  ];
  expect(await as('nadia').text(session), 'nobody has said why').not.toContain(files);
  stage.done = [];
  expect((await as('nadia').get(`${files}/png`)).headers.get('location')).toMatch(/said=noReason$/);
  expect(stage.done.splice(0), 'the attempt').toEqual([`audit nadia seeFile ${HERE} png`]);
  await as('nadia').post(`${session}/reveal`, { why: 'the customer called about it' });
  const page = await as('nadia').text(session);
  expect(page).toContain(`href="/support${files}/png"`);
  expect(page).toContain('Sent a document (PDF)');
  expect(page, 'a week later').not.toContain(`${files}/old`);
  expect(await as('omar', 'viewer').text(session)).not.toContain(files);
  stage.done = [];
  const png = await as('nadia').get(`${files}/png`);
  expect(stage.done).toEqual([`audit nadia seeFile ${HERE} png`]);
  expect(Buffer.from(await png.arrayBuffer())).toEqual(Buffer.from('picture'));
  expect(png.headers.get('content-type')).toBe('image/png');
  expect(png.headers.get('content-disposition')).toBe('inline; filename="wasl-png.png"');
  const pdf = await as('nadia').get(`${files}/pdf`);
  expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="wasl-pdf.pdf"');
  for (const [file, what] of [
    ['none', 'none'],
    ['html', 'of no type that is kept'],
  ] as const)
    expect((await as('nadia').get(`${files}/${file}`)).headers.get('location'), what).toMatch(
      /said=notFound$/,
    );
  stage.isAuditDown = true;
  expect((await as('nadia').get(`${files}/png`)).status).toBe(500);
});

test('the agent’s own case is a reason to open its customer’s files, and it counts as a reveal', async () => {
  const file = `${session}/files/png`;
  stage.case = { ...CASE, subject: HERE, address: HERE, owner: { id: 'nadia', name: 'Nadia' } };
  expect((await as('omar').get(file)).headers.get('location'), 'another agent’s case').toMatch(
    /said=noReason$/,
  );
  const page = await as('nadia').text(session);
  expect(page).toContain('The reason is your case');
  expect(page).not.toMatch(/\/reveal".*?name="why"/s);
  expect((await as('nadia').get(file)).status).toBe(200);
  expect((await as('omar').get(file)).status, 'for whom it is open').toBe(303);
  stage.done = [];
  await as('nadia').post(`${session}/reveal`, {});
  expect(stage.done).toEqual([`audit nadia reveal ${HERE} c-2345678`]);
  stage.owner = { id: 'omar', name: 'omar', since: NOW, until: Date.now() + 60_000 };
  expect((await as('omar').get(file)).status, 'the adviser in the chat').toBe(200);
  // An agent over the limit of reveals an hour cannot open a file either.
  stage.case = { ...stage.case, owner: { id: 'sara', name: 'Sara' } };
  for (let i = 0; i < REVEALS_PER_HOUR; i++)
    await as('sara').post('/webhooks/w1/reveal', { why: 'the bank names this beneficiary' });
  expect((await as('sara').get(file)).headers.get('location')).toMatch(/said=tooMany$/);
});
