import { API, API_HEADERS } from '../contract/api.ts';
import { ABOUT, type Published } from './published.ts';
import { bodyText, expected, headersOf, type Recorded } from './record.ts';
import { CAST, type Place, type Section, type Step } from './section.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Postman sends a `+` in a query as it is, and servers read it as a space. This also puts the values kept so far in their
 * places before they are encoded.
 */
const ENCODE_QUERY =
  'pm.request.url.query.each((each) => { each.value = encodeURIComponent(pm.variables.replaceIn(each.value)); });';

/**
 * The walks through all sections as a Postman collection 2.1: a folder for each section, to be run from top to bottom. Every
 * request tests its answer and keeps what later ones need. Each run makes a key of its own first and deletes it at the end. So it can be run again,
 * and touches neither the wallets nor the clock of another key.
 */
export function collection({ sections, recorded, origin, apiKey }: Published) {
  const variables = { baseUrl: origin, apiKey, ...CAST };
  return {
    info: {
      name: 'Partner Wallet and Payments API v2.3',
      description: `${ABOUT} Run it from top to bottom: it makes a key of its own and deletes it at the end.`,
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: API_HEADERS.key, type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: [ENCODE_QUERY] } }],
    item: [
      ownKey('POST', '/sandbox/partners', 201, [
        "pm.collectionVariables.set('apiKey', pm.response.json().apiKey);",
        "pm.collectionVariables.set('keyId', String(pm.response.json().id));",
      ]),
      ...sections.map((section) => ({
        name: section.title,
        description: section.about,
        item: section.walk.map((step) => itemOf(step, section, recorded)),
      })),
      ownKey('DELETE', '/sandbox/partners/{{keyId}}', 200),
    ],
  };
}

/** The beginning or the end of a run: its own key, which goes again as it asks for itself. */
function ownKey(method: 'POST' | 'DELETE', path: string, status: number, then: readonly string[] = []) {
  const exec = [
    `pm.test('answers ${status}', () => pm.expect(pm.response.code).to.equal(${status}));`,
    ...then,
  ];
  return {
    name: `(sandbox) ${method === 'POST' ? 'A key of its own for this run' : 'The key goes again'}`,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
    request: {
      method,
      ...(method === 'POST' && { auth: { type: 'noauth' } }),
      header: [],
      url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
    },
    response: [],
  };
}

function itemOf(step: Step, section: Section, recorded: readonly Recorded[]) {
  const ran = recorded.find((each) => each.step === step);
  const request = requestOf(step);
  return {
    name: nameOf(step, section),
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testOf(step) } }],
    // The page after 3D Secure is the partner's.
    protocolProfileBehavior: { followRedirects: false },
    request,
    response: ran ? [exampleOf(ran, request)] : [],
  };
}

/** The operation's own sentence, or what this step of the walk shows. */
function nameOf(step: Step, section: Section): string {
  const title = 'call' in step ? (step.title ?? section.operations[step.call]) : step.aside;
  return 'call' in step ? `${step.call}: ${title}` : `(sandbox) ${title}`;
}

function requestOf(step: Step) {
  // A value that is no text is written without quotes.
  const raw = bodyText(step, 2)?.replace(/"\{\{=(\w+)\}\}"/g, '{{$1}}');
  return {
    method: 'call' in step ? API[step.call].method : step.method,
    // The page of 3D Secure is nothing that a key is shown to.
    ...('aside' in step && !step.target.startsWith('/') && { auth: { type: 'noauth' } }),
    header: Object.entries(headersOf(step, '{{$guid}}', '{{apiKey}}', raw))
      .filter(([key]) => key !== API_HEADERS.key)
      .map(([key, value]) => ({ key, value })),
    url: urlOf(step),
    ...(raw && { body: { mode: 'raw', raw } }),
  };
}

function urlOf(step: Step) {
  const { query = {} } = step;
  const params = 'call' in step ? (step.params ?? {}) : {};
  const target = 'call' in step ? API[step.call].path : step.target;
  const path = target.replace(/\{(\w+)\}(?!\})/g, (whole, name) => String(params[name] ?? whole));
  const list = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((each) => ({ key, value: String(each) })),
  );
  const search = list.map(({ key, value }) => `${key}=${value}`).join('&');
  // An address that the sandbox gave is whole.
  const isWhole = target.startsWith('{{');
  return {
    raw: `${isWhole ? '' : '{{baseUrl}}'}${path}${search && `?${search}`}`,
    host: [isWhole ? path : '{{baseUrl}}'],
    ...(!isWhole && { path: path.slice(1).split('/') }),
    ...(list.length > 0 && { query: list }),
  };
}

function testOf(step: Step): string[] {
  const statuses = JSON.stringify(expected(step));
  const keeps = Object.entries(step.keeps ?? {}).flatMap(([name, place]) => keepIn(name, place));
  return [
    `pm.test('answers ${statuses.slice(1, -1)}', () => pm.expect(pm.response.code).to.be.oneOf(${statuses}));`,
    ...keeps,
  ];
}

function keepIn(name: string, { at, match }: Place): string[] {
  const value = at.map((key) => `[${JSON.stringify(key)}]`).join('');
  return [
    `pm.test('keeps ${name}', () => {`,
    `  const value = pm.response.json()${value};`,
    ...(match === undefined
      ? [`  const found = typeof value === 'string' ? value : JSON.stringify(value);`]
      : [`  const found = /${match}/.exec(value)[0];`]),
    `  pm.expect(found).to.be.a('string');`,
    `  pm.collectionVariables.set('${name}', found);`,
    '});',
  ];
}

function exampleOf({ status, type, answer, bytes }: Recorded, originalRequest: object) {
  const isFile = answer === undefined && bytes > 0;
  return {
    name: `${status}`,
    originalRequest,
    code: status,
    status: `${status}`,
    header: type ? [{ key: 'Content-Type', value: type }] : [],
    _postman_previewlanguage: answer === undefined ? 'text' : 'json',
    body: isFile ? `(${bytes} bytes)` : answer === undefined ? '' : JSON.stringify(answer, undefined, 2),
  };
}
