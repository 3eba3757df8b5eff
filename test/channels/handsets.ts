import { expect } from 'vitest';
import { GATEWAYS } from '../../src/channels/ussd/gateways.ts';
import { cellcube } from './recipes/cellcube.ts';
import { hsenid, type SentPage } from './recipes/hsenid.ts';
import { infobip } from './ussd-infobip.ts';

/** The pages that an asynchronous gateway was sent. */
export const sentPages: SentPage[] = [];
const asynchronous = hsenid({ applicationId: 'APP_1', password: 'the gateway’s own' }, async (page) => {
  sentPages.push(page);
});
/** The gateways of Wasl, and recipes for others. */
export const DIALECTS = [...GATEWAYS, infobip, cellcube, asynchronous];

/** The acts of a handset, in the words of one gateway. */
export interface Handset {
  readonly name: string;
  /** A repeated request is known as the same one. */
  readonly tellsRepeats: boolean;
  /** All answers of a session come in one text, so that a typed `*` cannot be told from the joint. */
  readonly joinsAnswers?: true;
  /** Where the gateway sends a turn, below `/ussd`. */
  readonly path: (turn: Turn) => string;
  readonly request: (turn: Turn) => RequestInit;
  readonly read: (answer: Response, turn?: Turn) => Promise<{ text: string; ends: boolean }>;
}

export interface Turn {
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
    expect(body).toMatchObject({ sessionID: expect.any(String), userID: 'USSD_1' });
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
    expect(body).toMatchObject({ SessionId: expect.any(String), FieldType: 'text' });
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
  read: async (answer, { session = 'hs-1' } = { answers: [] }) => {
    expect(await answer.json()).toEqual({ statusCode: 'S1000' });
    // A page of another session may come late, for a process that is dead.
    const own = ({ sessionId }: SentPage) => sessionId === session;
    await expect.poll(() => sentPages.some(own)).toBe(true);
    const [page] = sentPages.splice(sentPages.findLastIndex(own), 1);
    expect(page).toMatchObject({
      sessionId: expect.any(String),
      applicationId: 'APP_1',
      password: 'the gateway’s own',
    });
    return { text: page?.message ?? '', ends: page?.ussdOperation === 'mt-fin' };
  },
};

export const HANDSETS = [
  ...[throughAfricasTalking, throughArkesel, throughHubtel, throughAdvanta],
  ...[throughInfobip, throughCellcube, throughHsenid],
];
