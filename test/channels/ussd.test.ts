import { beforeEach, describe, expect, test } from 'vitest';
import type { Door } from '../../src/channels/ussd/door.ts';
import { StoreDown } from '../../src/store/store.ts';
import { invented } from '../kit/invented.ts';
import { readText } from '../kit/tree.ts';
import { CHOICE, type FakeConversations, fakeConversations, fakeLog, LONG, reply, ussdApp } from './fakes.ts';
import { DIALECTS, HANDSETS, sentPages, type Turn } from './handsets.ts';

const PIN = '7391';

let conversations: FakeConversations;
let logged: ReturnType<typeof fakeLog>;

beforeEach(() => {
  sentPages.length = 0;
  conversations = fakeConversations();
  logged = fakeLog();
});

const app = (door?: Partial<Door>) => ussdApp(conversations, logged, door, DIALECTS);

test('every gateway has its handset here, so that the suite runs on it', () => {
  const names = DIALECTS.map(({ name }) => name);
  expect(HANDSETS.map(({ name }) => name).sort()).toEqual(names.sort());
});

/** The requests and answers that docs/operator/gateways.md shows, by the gateway of each. */
const DOCUMENTED = [
  ...readText('docs/operator/gateways.md').matchAll(
    /^```\n(GET|POST) \/ussd(\/([a-z]+)\S*)\n([\s\S]*?)\n\n?([^\n]+)\n```$/gm,
  ),
].map(([, method = '', path = '', name = '', more = '', answer = '']) => ({
  method,
  path,
  name,
  more,
  answer,
}));

test('every gateway has its payloads in docs/operator/gateways.md', () => {
  const names = DIALECTS.map(({ name }) => name).filter((name) => name !== 'infobip');
  expect(DOCUMENTED.map(({ name }) => name).sort()).toEqual(names.sort());
});

test.each(DOCUMENTED)(
  'the request of $name in docs/operator/gateways.md is answered as it says',
  async (it) => {
    const lines = it.more.split('\n').filter(Boolean);
    const isHeader = (line: string) => /^[\w-]+: /.test(line);
    const headers = lines.filter(isHeader).map((line) => line.split(': ') as [string, string]);
    const body = lines.filter((line) => !isHeader(line)).join('\n');
    const answer = await app().request(it.path, { method: it.method, headers, ...(body && { body }) });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    const isJson = it.answer.startsWith('{');
    if (isJson) expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(it.answer)));
    else expect(text.slice(0, 4)).toBe(it.answer.slice(0, 4));
    expect(conversations.heard[0]?.address).toBe('ussd:+212612345678');
    expect(conversations.heard[0]?.inputs.length).toBeGreaterThan(0);
  },
);

/** How a handset asks, and what it then shows. */
function turnsOf(handset: (typeof HANDSETS)[number]) {
  const ask = async (turn: Turn) => app().request(handset.path(turn), handset.request(turn));
  const see = async (turn: Turn) => handset.read(await ask(turn), turn);
  return { ask, see };
}

describe.each(HANDSETS)('every dialect: $name', (handset) => {
  const { ask, see } = turnsOf(handset);

  test('a dial says nothing but that it is a new dialog of this number', async () => {
    expect(await see({ answers: [] })).toEqual({ text: 'fr menu.choose 1/1', ends: false });
    expect(conversations.heard).toMatchObject([{ address: 'ussd:+212612345678', inputs: [] }]);
    expect(conversations.heard[0]?.dialog).toMatch(/^[\w-]{16}$/);
    expect(conversations.heard[0]?.origin).toEqual({
      kind: 'gateway',
      name: handset.path({ answers: [] }).split(/[/?]/)[1],
    });
  });

  test('the answers of one session are one dialog, and the last answer is the last input', async () => {
    await see({ answers: [] });
    await see({ answers: ['1'] });
    await see({ answers: ['1', '0612345678'] });
    const [dial, first, second] = conversations.heard;
    expect(new Set([dial?.dialog, first?.dialog, second?.dialog]).size).toBe(1);
    expect(first?.inputs.at(-1)).toEqual({ type: 'said', text: '1' });
    expect(second?.inputs.at(-1)).toEqual({ type: 'said', text: '0612345678' });
    expect(new Set([dial?.id, first?.id, second?.id]).size).toBe(3);
  });

  test('a deep dial brings all its answers', async () => {
    await see({ answers: ['1', '0612345678', '200'], deep: true });
    expect(conversations.heard[0]?.inputs).toEqual(
      ['1', '0612345678', '200'].map((text) => ({ type: 'said', text })),
    );
  });

  test.each([
    ['0', { type: 'went', to: 'back', typed: '0' }],
    ['00', { type: 'went', to: 'menu', typed: '00' }],
    ['98', { type: 'said', text: '98' }],
    ['99', { type: 'said', text: '99' }],
    ['000', { type: 'said', text: '000' }],
    ['200.0', { type: 'said', text: '200.0' }],
    ["'; DROP TABLE sessions", { type: 'said', text: "'; DROP TABLE sessions" }],
    ['😀', { type: 'said', text: '😀' }],
    ['\u202e1234', { type: 'said', text: '\u202e1234' }],
  ])('%j is heard as %j', async (answer, input) => {
    await see({ answers: ['1', answer] });
    expect(conversations.heard[0]?.inputs.at(-1)).toEqual(input);
  });

  test('two numbers with the same session id are two dialogs', async () => {
    await ask({ answers: [] });
    await ask({ answers: [], phone: '+212712345678' });
    expect(conversations.heard[0]?.dialog).not.toBe(conversations.heard[1]?.dialog);
  });

  test('two sessions of one number are two dialogs', async () => {
    await ask({ answers: [] });
    await ask({ answers: [], session: 'another' });
    expect(conversations.heard[0]?.dialog).not.toBe(conversations.heard[1]?.dialog);
    expect(conversations.heard[0]?.id).not.toBe(conversations.heard[1]?.id);
  });

  test('a star in an answer is part of it, unless the gateway joins answers by stars', async () => {
    await see({ answers: ['1', '06*12'] });
    const text = handset.joinsAnswers ? '12' : '06*12';
    expect(conversations.heard[0]?.inputs.at(-1)).toEqual({ type: 'said', text });
  });

  test('a repeated dial is known as the same one', async () => {
    await ask({ answers: [] });
    await ask({ answers: [] });
    expect(conversations.heard[0]?.id).toBe(conversations.heard[1]?.id);
  });

  test('the same answer twice is two answers', async () => {
    await ask({ answers: ['1'] });
    await ask({ answers: ['1', '1'] });
    expect(conversations.heard[0]?.id).not.toBe(conversations.heard[1]?.id);
  });

  test(`a repeated answer is ${handset.tellsRepeats ? 'known as the same one' : 'taken as new'}`, async () => {
    await ask({ answers: ['1', PIN] });
    await ask({ answers: ['1', PIN] });
    expect(conversations.heard[0]?.id === conversations.heard[1]?.id).toBe(handset.tellsRepeats);
  });

  test('no id or dialog shows a PIN, and no log line does', async () => {
    await ask({ answers: ['1', '0612345678', '200', '1', PIN] });
    const { id, dialog } = conversations.heard[0] ?? {};
    expect([id, dialog, ...logged.lines].join('\n')).not.toContain(PIN);
    expect(logged.lines.join('\n')).not.toContain('612345678');
  });
});

describe.each(HANDSETS)('the answers of every dialect: $name', (handset) => {
  const { ask, see } = turnsOf(handset);

  test.each([
    ['nothing is expected', reply({ key: 'transfer.done', expects: 'nothing' }), true],
    ['the session rests', reply({ key: 'nav.slow', expects: 'choice' }, { rests: true }), true],
    ['an answer is expected', reply({ key: 'transfer.askAmount', expects: 'amount' }), false],
    ['the last screen has another page', reply({ key: LONG, expects: 'nothing' }, { page: 1 }), false],
    ['the last page is shown', reply({ key: LONG, expects: 'nothing' }, { page: 2 }), true],
  ])('when %s, the session ends: %s', async (_, next, ends) => {
    conversations.reply = next;
    expect(await see({ answers: ['1'] })).toMatchObject({ ends });
  });

  test('missed messages come first, in their order', async () => {
    const missed = ['a', 'b'].map((id) => ({
      id,
      screen: { key: invented(`done.${id}`), expects: 'nothing' } as const,
    }));
    conversations.reply = reply(CHOICE, { missed });
    expect(await see({ answers: [] })).toEqual({ text: 'done.a\ndone.b\nfr menu.choose 1/1', ends: false });
  });

  test('a number abroad is told so and reaches nobody', async () => {
    for (const phone of ['+254711123456', '+212522334455', '+33612345678', '+2126123456789']) {
      expect(await see({ answers: [], phone })).toEqual({ text: 'fr ussd.foreignNumber 1/1', ends: true });
    }
    expect(conversations.heard).toEqual([]);
  });

  test.each([new StoreDown('no space left'), new TypeError(`a bug that quotes ${PIN}`)])(
    'after %s the customer reads a sentence and the log no secret',
    async (error) => {
      conversations.reply = error;
      expect(await see({ answers: ['1', PIN] })).toEqual({ text: 'fr nav.unavailable 1/1', ends: true });
      expect(logged.lines.join('\n')).toContain(error.name);
      expect(logged.lines.join('\n')).not.toContain(PIN);
    },
  );

  test('a megabyte is refused before it is read', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const answer = await app().request(handset.path({ answers: [] }), { method: 'POST', body });
    expect(answer.status).toBe(413);
    expect(conversations.heard).toEqual([]);
  });

  test('more than a handset can type is refused', async () => {
    for (const answers of [['1'.repeat(301)], Array.from({ length: 101 }, () => '1')]) {
      const answer = await ask({ answers, deep: true });
      expect(answer.status).toBe(400);
    }
    expect(conversations.heard).toEqual([]);
  });

  test('a session id that no gateway gives is refused', async () => {
    const answer = await ask({ answers: [], session: 's'.repeat(201) });
    expect(answer.status).toBe(400);
    expect(conversations.heard).toEqual([]);
  });

  test('nobody gets past the door without the secret', async () => {
    const turn = { answers: ['1'] };
    const guarded = app({ secrets: ['the secret'] });
    expect((await guarded.request(handset.path(turn), handset.request(turn))).status).toBe(403);
    expect(conversations.heard).toEqual([]);
  });
});

describe("Africa's Talking", () => {
  const post = (body: string) => app().request('/africastalking', { method: 'POST', body });

  test.each([
    ['sessionId=1&phoneNumber=+212612345678&text='],
    ['sessionId=1&phoneNumber=%2B212612345678&text=&networkCode=99999'],
    ['sessionId=1&phoneNumber=212612345678&text='],
  ])('reads %s', async (body) => {
    expect(await (await post(body)).text()).toBe('CON fr menu.choose 1/1');
    expect(conversations.heard[0]?.address).toBe('ussd:+212612345678');
  });

  test.each([
    ['', 'sessionId'],
    ['phoneNumber=%2B212612345678&text=', 'sessionId'],
    ['sessionId=1&text=', 'phoneNumber'],
    ['sessionId=1&phoneNumber=%2B212612345678', 'text'],
    ['sessionId=1&phoneNumber=%2B212612345678&text=1&text=2', 'twice'],
    ['sessionId=1&phoneNumber=%2B212612345678&phoneNumber=%2B212712345678&text=', 'twice'],
    [`sessionId=${'1'.repeat(201)}&phoneNumber=%2B212612345678&text=`, 'session id'],
    ['{"sessionId":"1"}', 'sessionId'],
  ])('refuses %s', async (body, why) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(why);
    expect(conversations.heard).toEqual([]);
  });

  test('names the step for the dashboard, and nothing else', async () => {
    conversations.reply = reply({ key: invented(`transfer.${'a|'.repeat(80)}`), expects: 'amount' });
    const answer = await post('sessionId=1&phoneNumber=%2B212612345678&text=1');
    expect(answer.headers.get('at-ussd-hop-metadata')).toMatch(/^transfer\.[a-]{90}$/);
  });

  test('an end notification is logged without the typed text', async () => {
    const body = new URLSearchParams({
      date: '2026-11-20 10:00:00',
      sessionId: 'ATUid_1',
      phoneNumber: '+212612345678',
      status: 'Incomplete',
      durationInMillis: '41000',
      hopsCount: '5',
      input: `1*0612345678*200*1*${PIN}`,
      lastAppResponse: 'CON …',
    });
    const answer = await app().request('/africastalking/end', { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(logged.lines).toEqual([
      '{"status":"Incomplete","hops":5,"durationMs":41000,"message":"A USSD session ended"}',
    ]);
  });

  test.each(['', 'status=7391', 'status=Success&status=Failed', '{}'])(
    'a malformed end notification is refused: %j',
    async (body) => {
      const answer = await app().request('/africastalking/end', { method: 'POST', body });
      expect(answer.status).toBe(400);
      expect(logged.lines).toEqual([]);
    },
  );
});

test.each(['', 'null', '[]', '{', '{"sessionID":1}', '{"sessionID":"1","userID":"u","newSession":"true"}'])(
  'Arkesel refuses %j',
  async (body) => {
    const answer = await app().request('/arkesel', { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(conversations.heard).toEqual([]);
  },
);

describe('Hubtel', () => {
  const sample = {
    ...{ Type: 'Response', Mobile: '212612345678', SessionId: '3c796dac28174f739de4262d08409c51' },
    ...{
      ServiceCode: '713',
      Message: '1',
      Operator: 'vodafone',
      Sequence: 2,
      ClientState: '',
      Platform: 'USSD',
    },
  };
  const post = (fields: object) =>
    app().request('/hubtel', { method: 'POST', body: JSON.stringify({ ...sample, ...fields }) });

  test('a page has a label, and what is typed on it', async () => {
    expect(await (await post({})).json()).toEqual({
      SessionId: sample.SessionId,
      Type: 'response',
      Message: 'fr menu.choose 1/1',
      Label: 'fr menu.choose 1/1',
      DataType: 'input',
      FieldType: 'text',
    });
  });

  test('a repeated sequence is the same request, whatever it says', async () => {
    await post({});
    await post({ Message: '2' });
    await post({ Sequence: '2' });
    await post({ Sequence: '3' });
    const [first, ...others] = conversations.heard.map(({ id }) => id);
    expect(others.map((id) => id === first)).toEqual([true, true, false]);
  });

  test.each([
    ['in its app nothing is dialled', { Type: 'Initiation', Message: '' }, []],
    ['no message at all', { Type: 'initiation', Message: null }, []],
    ['another code', { Type: 'Initiation', Message: '*713#' }, []],
  ])('a dial: %s', async (_, fields, inputs) => {
    expect((await post(fields)).status).toBe(200);
    expect(conversations.heard[0]?.inputs).toEqual(inputs);
  });

  test.each(['Release', 'Timeout'])('%s ends the session, and shows nothing', async (Type) => {
    expect(await (await post({ Type, Message: PIN })).json()).toMatchObject({ Type: 'release', Message: '' });
    expect(conversations.heard).toEqual([]);
    expect(conversations.ended).toHaveLength(1);
  });

  test.each([
    ['no sequence', { Sequence: undefined }, 'Sequence'],
    ['a sequence that counts nothing', { Sequence: '' }, 'Sequence'],
    ['a sequence that is no number', { Sequence: 1.5 }, 'Sequence'],
    ['a type that nobody knows', { Type: 'Pay' }, 'Type'],
    ['no number', { Mobile: '' }, 'Mobile'],
    ['no session', { SessionId: undefined }, 'SessionId'],
    ['a message that is no text', { Message: 1 }, 'Message'],
  ])('refuses %s', async (_, fields, why) => {
    const answer = await post(fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(why);
    expect(conversations.heard).toEqual([]);
  });
});

describe('Advanta', () => {
  const get = (query: string) => app().request(`/advanta?${query}`);
  const CALLER = 'SESSIONID=1&USSDCODE=*123%23&MSISDN=212612345678';

  test.each([
    ['a dial', '*123%23', []],
    ['a dial whose # has ended the address', '*123', []],
    ['an answer without #', '*123*1', ['1']],
    ['two answers', '*123*1*0612345678%23', ['1', '0612345678']],
    ['nothing typed', '*123*1*%23', ['1', '']],
  ])('reads %s', async (_, input, answers) => {
    const answer = await get(`${CALLER}&NETWORK=IAM&INPUT=${input}`);
    expect(await answer.text()).toBe('CON fr menu.choose 1/1');
    expect(conversations.heard[0]?.inputs).toEqual(answers.map((text) => ({ type: 'said', text })));
  });

  test.each([
    ['', 'SESSIONID'],
    ['USSDCODE=*123%23&MSISDN=212612345678&INPUT=*123%23', 'SESSIONID'],
    ['SESSIONID=1&INPUT=*123%23', 'MSISDN'],
    [CALLER, 'INPUT'],
    [`${CALLER}&INPUT=`, 'service code'],
    [`${CALLER}&INPUT=1*2`, 'service code'],
    [`${CALLER}&INPUT=*1234*1%23`, 'service code'],
    [`${CALLER}&INPUT=*123%23&INPUT=*123*1%23`, 'twice'],
    ['sessionid=1&msisdn=212612345678&input=*123%23', 'SESSIONID'],
  ])('refuses %s', async (query, why) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(why);
    expect(conversations.heard).toEqual([]);
  });

  test('takes no POST', async () => {
    expect((await app().request('/advanta', { method: 'POST', body: CALLER })).status).toBe(404);
  });
});

test('a link of a USSD browser that is fetched twice is one answer, and the same choice on a later page is another', async () => {
  conversations.reply = reply(CHOICE);
  const fetchPage = (href: string) =>
    app().request(`/cellcube${href}`, {
      headers: { 'User-MSISDN': '212612345678', 'User-SessionId': 'one' },
    });
  for (const href of ['?page=aa&response=1', '?page=aa&response=1', '?page=bb&response=1'])
    await fetchPage(href);
  const [first, again, later] = conversations.heard.map(({ id }) => id);
  expect([again === first, later === first]).toEqual([true, false]);
});

test.each([
  ['no caller', {}, '', 'User-MSISDN'],
  ['no session', { 'User-MSISDN': '212612345678' }, '', 'User-SessionId'],
  [
    'two answers',
    { 'User-MSISDN': '212612345678', 'User-SessionId': '1' },
    '?response=1&response=2',
    'twice',
  ],
])('a USSD browser that sends %s is refused', async (_, headers, query, why) => {
  const answer = await app().request(`/cellcube${query}`, { headers });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(why)]);
  expect(conversations.heard).toEqual([]);
});

describe('a dialect with the session in its path', () => {
  const send = (path: string, method: string, body?: string) =>
    app().request(`/infobip/session/${path}`, { method, ...(body && { body }) });

  test('registers as many routes as its gateway calls', async () => {
    const end = JSON.stringify({ msisdn: '212612345678', exitCode: 200, reason: `typed ${PIN}` });
    const answer = await send('inf-1/end', 'PUT', end);
    expect(await answer.json()).toEqual({ responseExitCode: 200, responseMessage: '' });
    expect(logged.lines).toEqual(['{"exitCode":200,"message":"A USSD session ended"}']);
    const status = await send('inf-1/status', 'GET');
    expect(await status.json()).toEqual({ responseExitCode: 200, responseMessage: '', sessionActive: true });
    expect(conversations.heard).toEqual([]);
  });

  test.each([
    ['POST', 'inf-1/pause', '{"msisdn":"212612345678","text":""}', 404],
    ['GET', 'inf-1/start', undefined, 404],
    ['POST', '/start', '{"msisdn":"212612345678","text":""}', 404],
    ['POST', 'inf-1/start', '{"text":""}', 400],
    ['POST', 'inf-1/response', 'text=1', 400],
    ['PUT', 'inf-1/end', '{}', 400],
  ])('%s %s with %j is answered %i', async (method, path, body, status) => {
    expect((await send(path, method, body)).status).toBe(status);
    expect(conversations.heard).toEqual([]);
  });
});
