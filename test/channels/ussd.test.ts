import { beforeEach, describe, expect, test } from 'vitest';
import type { Door } from '../../src/channels/ussd/door.ts';
import { GATEWAYS } from '../../src/channels/ussd/gateways.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import { StoreDown } from '../../src/store/store.ts';
import { invented } from '../kit/invented.ts';
import {
  CHOICE,
  type FakeConversations,
  fakeConversations,
  fakeLog,
  keyRenderer,
  LONG,
  reply,
  secrets,
} from './fakes.ts';
import { cellcube } from './recipes/cellcube.ts';
import { hsenid, type SentPage } from './recipes/hsenid.ts';
import { infobip } from './ussd-infobip.ts';

const PIN = '7391';

/** The pages that an asynchronous gateway was sent. */
const sentPages: SentPage[] = [];
const asynchronous = hsenid({ applicationId: 'APP_1', password: 'the gateway’s own' }, async (page) => {
  sentPages.push(page);
});
/** The gateways of Wasl, and recipes for others. */
const DIALECTS = [...GATEWAYS, infobip, cellcube, asynchronous];

let conversations: FakeConversations;
let logged: ReturnType<typeof fakeLog>;

beforeEach(() => {
  sentPages.length = 0;
  conversations = fakeConversations();
  logged = fakeLog();
});

function app(door: Partial<Door> = {}) {
  return ussdRoutes({
    conversations,
    renderer: keyRenderer,
    secrets,
    door: () => ({ secrets: [], addresses: [], proxies: [], ...door }),
    serviceCode: '*123#',
    language: 'fr',
    log: logged.log,
    dialects: DIALECTS,
  });
}

/** The acts of a handset, in the words of one gateway. */
interface Handset {
  readonly name: string;
  /** A repeated request is known as the same one. */
  readonly tellsRepeats: boolean;
  /** All answers of a session come in one text, so that a typed `*` cannot be told from the joint. */
  readonly joinsAnswers?: true;
  /** Where the gateway sends a turn, below `/ussd`. */
  readonly path: (turn: Turn) => string;
  readonly request: (turn: Turn) => RequestInit;
  readonly read: (answer: Response) => Promise<{ text: string; ends: boolean }>;
}

interface Turn {
  readonly phone?: string;
  readonly session?: string;
  readonly answers: readonly string[];
  /** A deep dial: the answers came with the service code. */
  readonly deep?: boolean;
}

const throughAfricasTalking: Handset = {
  name: 'africastalking',
  tellsRepeats: true,
  joinsAnswers: true,
  path: () => '/africastalking',
  request: ({ phone = '+212612345678', session = 'ATUid_1', answers }) => ({
    method: 'POST',
    body: new URLSearchParams({
      sessionId: session,
      phoneNumber: phone,
      networkCode: '99999',
      serviceCode: '*123#',
      text: answers.join('*'),
    }),
  }),
  read: async (answer) => {
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    const [, kind, text] = /^(CON|END) (\S[\s\S]*)$/.exec(await answer.text()) ?? [];
    return { text: text ?? '', ends: kind === 'END' };
  },
};

const throughArkesel: Handset = {
  name: 'arkesel',
  tellsRepeats: false,
  path: () => '/arkesel',
  request: ({ phone = '212612345678', session = 'ark-1', answers, deep }) => ({
    method: 'POST',
    body: JSON.stringify({
      sessionID: session,
      userID: 'USSD_1',
      newSession: deep || answers.length === 0,
      msisdn: phone.replace('+', ''),
      userData:
        deep || answers.length === 0 ? `*123${answers.map((a) => `*${a}`).join('')}#` : answers.at(-1),
      network: 'IAM',
    }),
  }),
  read: async (answer) => {
    const body = (await answer.json()) as { message: string; continueSession: boolean };
    expect(body).toMatchObject({ sessionID: 'ark-1', userID: 'USSD_1' });
    return { text: body.message, ends: !body.continueSession };
  },
};

const throughInfobip: Handset = {
  name: 'infobip',
  tellsRepeats: false,
  path: ({ session = 'inf-1', answers, deep }) =>
    `/infobip/session/${session}/${deep || answers.length === 0 ? 'start' : 'response'}`,
  request: ({ phone = '212612345678', answers, deep }) => ({
    method: 'POST',
    body: JSON.stringify({
      msisdn: phone.replace('+', ''),
      text: deep || answers.length === 0 ? `*123${answers.map((a) => `*${a}`).join('')}#` : answers.at(-1),
      shortCode: '*123#',
      ussdGwId: 'gw-1',
    }),
  }),
  read: async (answer) => {
    const body = (await answer.json()) as { ussdMenu: string; shouldClose: boolean };
    expect(body).toMatchObject({ responseExitCode: 200, responseMessage: '' });
    return { text: body.ussdMenu, ends: body.shouldClose };
  },
};

const throughHubtel: Handset = {
  name: 'hubtel',
  tellsRepeats: true,
  path: () => '/hubtel',
  request: ({ phone = '212612345678', session = 'hub-1', answers, deep }) => ({
    method: 'POST',
    body: JSON.stringify({
      Type: deep || answers.length === 0 ? 'Initiation' : 'Response',
      Mobile: phone.replace('+', ''),
      SessionId: session,
      ServiceCode: '123',
      Operator: 'iam',
      Message: deep || answers.length === 0 ? `*123${answers.map((a) => `*${a}`).join('')}#` : answers.at(-1),
      Sequence: String(answers.length + 1),
      ClientState: '',
    }),
  }),
  read: async (answer) => {
    const body = (await answer.json()) as { Type: string; Message: string };
    expect(body).toMatchObject({ SessionId: 'hub-1', FieldType: 'text' });
    return { text: body.Message, ends: body.Type === 'release' };
  },
};

const throughAdvanta: Handset = {
  name: 'advanta',
  tellsRepeats: true,
  joinsAnswers: true,
  path: ({ phone = '+212612345678', session = 'adv-1', answers }) =>
    `/advanta?${new URLSearchParams({
      SESSIONID: session,
      USSDCODE: '*123#',
      MSISDN: phone.replace('+', ''),
      INPUT: `*123${answers.map((a) => `*${a}`).join('')}#`,
    })}`,
  request: () => ({ method: 'GET' }),
  read: throughAfricasTalking.read,
};

/** Reads a page of the browser, which has no numbers of ours. */
const throughCellcube: Handset = {
  name: 'cellcube',
  tellsRepeats: true,
  path: ({ answers, deep }) =>
    deep || answers.length === 0
      ? '/cellcube'
      : `/cellcube?${new URLSearchParams({ page: `p${answers.length}`, response: answers.at(-1) ?? '' })}`,
  request: ({ phone = '212612345678', session = 'cell-1', answers, deep }) => ({
    headers: {
      'User-MSISDN': phone.replace('+', ''),
      'User-SessionId': session,
      ...(deep && { 'user-entry': `*123${answers.map((a) => `*${a}`).join('')}#` }),
    },
  }),
  read: async (answer) => {
    const xml = await answer.text();
    const text = xml
      .replace(/^.*<page>/, '')
      .replaceAll('<br/>', '\n')
      .replaceAll(/<[^>]*>/g, '');
    return { text, ends: !/<a |<form /.test(xml) };
  },
};

const throughHsenid: Handset = {
  name: 'hsenid',
  tellsRepeats: true,
  path: () => '/hsenid',
  request: ({ phone = '212612345678', session = 'hs-1', answers, deep }) => ({
    method: 'POST',
    body: JSON.stringify({
      sessionId: session,
      ussdOperation: deep || answers.length === 0 ? 'mo-init' : 'mo-cont',
      message: deep || answers.length === 0 ? `*123${answers.map((a) => `*${a}`).join('')}#` : answers.at(-1),
      sourceAddress: `tel:${phone.replace('+', '')}`,
      requestId: `r${answers.length}`,
    }),
  }),
  read: async (answer) => {
    expect(await answer.json()).toEqual({ statusCode: 'S1000' });
    await expect.poll(() => sentPages.length).toBeGreaterThan(0);
    const page = sentPages.pop();
    expect(page).toMatchObject({ sessionId: 'hs-1', applicationId: 'APP_1', password: 'the gateway’s own' });
    return { text: page?.message ?? '', ends: page?.ussdOperation === 'mt-fin' };
  },
};

const HANDSETS = [
  ...[throughAfricasTalking, throughArkesel, throughHubtel, throughAdvanta],
  ...[throughInfobip, throughCellcube, throughHsenid],
];

test('every gateway has its handset here, so that the suite runs on it', () => {
  const names = DIALECTS.map(({ name }) => name);
  expect(HANDSETS.map(({ name }) => name).sort()).toEqual(names.sort());
});

/** How a handset asks, and what it then shows. */
function turnsOf(handset: (typeof HANDSETS)[number]) {
  const ask = async (turn: Turn) => app().request(handset.path(turn), handset.request(turn));
  const see = async (turn: Turn) => handset.read(await ask(turn));
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
