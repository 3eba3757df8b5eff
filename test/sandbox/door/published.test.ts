import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { API, type ApiName } from '../../../src/wallet/contract/api.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { walletEvent } from '../../../src/wallet/contract/webhooks.ts';
import { record } from '../../../src/wallet/published/record.ts';
import { SECTIONS } from '../../../src/wallet/published/sections.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { filesIn, importsOf, ROOT, readText } from '../../kit/tree.ts';
import { NOON, sandbox, wallet } from '../kit.ts';

const NAMES = Object.keys(API) as ApiName[];
const ORIGIN = 'http://sandbox.example';

/** What the test takes of Redocly. Its own types cost seconds and many megabytes of each type-check. */
interface Redocly {
  createConfig(config: { readonly extends: readonly string[] }): Promise<object>;
  lintFromString(options: { readonly source: string; readonly config: object }): Promise<
    readonly {
      readonly ruleId: string;
      readonly message: string;
      readonly location: readonly { readonly pointer?: string }[];
    }[]
  >;
}
const { createConfig, lintFromString }: Redocly = createRequire(import.meta.url)('@redocly/openapi-core');

/** Runs some walks in a sandbox where nothing has happened yet. */
async function walked(sections = SECTIONS) {
  const wallet = sandbox({ webhookUrl: 'http://127.0.0.1:9/' });
  const { app, apiKey } = wallet;
  return record(sections, { send: (request) => app.fetch(request), origin: ORIGIN, apiKey });
}

async function get(path: string): Promise<Response> {
  return sandbox().app.request(`${ORIGIN}${path}`);
}

describe('the walks', () => {
  test('every operation is in one section, with a sentence', () => {
    const told = SECTIONS.flatMap(({ operations }) => Object.entries(operations));
    expect(told.map(([name]) => name).sort()).toEqual([...NAMES].sort());
    expect(told.filter(([, sentence]) => !/^[A-Z].+\.$/.test(sentence))).toEqual([]);
  });

  test('every operation succeeds at least once, in its own section', async () => {
    const recorded = await walked();
    const lacking = NAMES.filter((name) => {
      const home = SECTIONS.find(({ operations }) => name in operations)?.id;
      return !recorded.some(
        ({ section, step }) => section === home && 'call' in step && step.call === name && !step.refused,
      );
    });
    expect(lacking).toEqual([]);
  });

  test.each(SECTIONS.map((section) => [section.title, section]))(
    '%s needs no other section',
    async (_, section) => {
      expect(await walked([section])).toHaveLength(section.walk.length);
    },
  );

  test('the same every time', async () => {
    expect(await walked()).toEqual(await walked());
  });

  test('a step with a wrong answer is reported with its section', async () => {
    const wrong = { id: 'x', title: 'x', about: 'x', operations: {} };
    const walk = [{ call: 'loginCustomer', body: { phoneNumber: '{{customer}}', pin: '9999' } }] as const;
    await expect(walked([{ ...wrong, walk }])).rejects.toThrow(/^x, loginCustomer: 400 .*26001/);
    const unkept = [{ call: 'readOperation', params: { id: '{{nothing}}' } }] as const;
    await expect(walked([{ ...wrong, walk: unkept }])).rejects.toThrow('nothing is kept as nothing');
  });
});

describe('OpenAPI', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape; the assertions say which
  const document = async (): Promise<any> => (await get('/openapi.json')).json();

  test('a public linter finds nothing, not even in the examples', async () => {
    const source = await (await get('/openapi.json')).text();
    const problems = await lintFromString({
      source,
      config: await createConfig({ extends: ['recommended-strict'] }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test('every operation is there by its name, in the document’s order of sections', async () => {
    const { openapi, paths, tags, servers } = await document();
    expect(openapi).toBe('3.0.3');
    expect(servers).toEqual([{ url: ORIGIN }]);
    const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...NAMES].sort());
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(SECTIONS.map(({ title }) => title));
  });

  test('the special rules of an operation are described', async () => {
    const { paths, components } = await document();
    const upload = paths['/api/customers/merchant/kyc/request'].post;
    expect(Object.keys(upload.requestBody.content)).toEqual(['multipart/form-data']);
    const receipt = paths['/api/bills/bill-receipt/{operationId}'].get.responses[200];
    expect(receipt.content['*/*'].schema).toEqual({ type: 'string', format: 'binary' });
    const update = paths['/api/agents/retail/{code}'].put;
    expect(update.responses[204].content).toBeUndefined();
    expect(update.responses[400].$ref).toBe('#/components/responses/Problem');
    expect(Object.keys(paths['/api/bills/reference/status'].get.responses)).toContain('204');
    expect(Object.keys(paths['/api/customers/register'].post.responses)).toContain('202');
    expect(paths['/api/operations/all'].get['x-scope']).toBe('operations:admin-read');
    expect(components.securitySchemes.apiKey).toMatchObject({ in: 'header', name: 'Svc-Api-Key' });
    // The bills answer at the root, the others in an envelope.
    const answer = (path: string, method: string) =>
      paths[path][method].responses[200].content['application/json'].schema;
    expect(answer('/api/bills/creanciers', 'get')).toEqual({
      anyOf: [{ $ref: '#/components/schemas/CreditorList' }, { $ref: '#/components/schemas/BillRefusal' }],
    });
    expect(answer('/api/customers/balance', 'get').properties.data).toEqual({
      $ref: '#/components/schemas/Balance',
    });
  });

  test('names and rules are those of the contract', async () => {
    const { paths, components } = await document();
    const { parameters } = paths['/api/operations'].get;
    const phone = parameters.find(({ name }: { name: string }) => name === 'PhoneNumber');
    expect(phone).toMatchObject({ in: 'query', required: true, schema: { pattern: '^\\+212\\d{9}$' } });
    expect(components.schemas.CustomerCode.properties).not.toHaveProperty('walletType');
    expect(components.schemas.NewPin.required).toEqual(['phoneNumber', 'pin']);
  });

  test('every error code and every webhook is described', async () => {
    const { info, 'x-webhooks': webhooks } = await document();
    const codes = Object.values(ERRORS).map(({ code }) => String(code));
    expect(codes.filter((code) => !info.description.includes(code))).toEqual([]);
    const kinds = walletEvent.options.map(({ shape }) => shape.EventId.value);
    expect(Object.keys(webhooks)).toEqual(kinds);
  });
});

test('newman runs the collection from top to bottom, twice, and touches no other key', async () => {
  const wallet = sandbox({ clock: { now: () => NOON } });
  const server = await wallet.listen(0);
  const folder = newDirectory('newman');
  onTestFinished(async () => {
    await server.close();
  });
  const report = join(folder, 'report.json');
  const how = ['--reporters', 'json', '--reporter-json-export', report];
  const newman = join(ROOT, 'node_modules/.bin/newman');
  const steps = SECTIONS.flatMap(({ walk }) => walk);
  const kept = steps.flatMap(({ keeps = {} }) => Object.keys(keeps));
  for (const time of ['first', 'second']) {
    await promisify(execFile)(newman, ['run', `${server.url}/collection.json`, ...how]).catch(
      () => undefined,
    );
    const { run } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = run.failures.map(
      ({ source, error }: Record<string, { name?: string; message?: string }>) => [
        source?.name,
        error?.message,
      ],
    );
    expect([time, failed]).toEqual([time, []]);
    // Besides the walks it makes its key and deletes it.
    expect(run.stats.requests).toMatchObject({ total: steps.length + 2, failed: 0 });
    expect(run.stats.assertions).toMatchObject({ total: steps.length + kept.length + 2, failed: 0 });
  }
  expect(wallet.executions()).toEqual([]);
  expect(wallet.clock.now()).toBe(NOON);
  const keys = await wallet.app.request('/sandbox/partners');
  expect(await keys.json()).toHaveLength(1);
});

/** The curl commands of a text, as requests. */
function commandsIn(text: string): readonly { readonly command: string; readonly request: Request }[] {
  const plain = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return [...plain.matchAll(/^(?:<[^>]*>)*curl (?:[^\n\\]|\\\n|\\)+/gm)].flatMap(([command]) => {
    const [url] = /https?:\/\/[^\s']+/.exec(command) ?? [];
    const [, body] = /-d '([^']*)'/.exec(command) ?? [];
    const headers = [...command.matchAll(/-H '([\w-]+): ([^']*)'/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    const [, method = body === undefined ? 'GET' : 'POST'] = /-X ([A-Z]+)/.exec(command) ?? [];
    return url ? [{ command, request: new Request(url, { method, headers, ...(body && { body }) }) }] : [];
  });
}

test('no example, pasted as it is written, moves the clock of the key that everybody has', async () => {
  const wallet = sandbox({ clock: { now: () => NOON } });
  const paths = [
    '/llms.txt',
    '/reference',
    ...['sandbox', 'errors', 'webhooks'].map((id) => `/llms/${id}.md`),
  ];
  const pages = [...paths, ...SECTIONS.map(({ id }) => `/llms/${id}.md`)].map(async (path) =>
    (await wallet.app.request(`${ORIGIN}${path}`)).text(),
  );
  const docs = [...filesIn(['docs'], ['.md']), 'README.md'].map(readText);
  const examples = [...(await Promise.all(pages)), ...docs].flatMap(commandsIn);
  expect(examples.length).toBeGreaterThan(200);
  for (const { command, request } of examples) {
    // A fault that an example sets may break the connection of a later one.
    await Promise.resolve(wallet.app.request(request)).catch(() => undefined);
    expect([command, wallet.clock.now()]).toEqual([command, NOON]);
  }
  const moving = examples.filter(({ request }) => request.url.endsWith('/sandbox/clock'));
  expect(moving.map(({ request }) => request.headers.get('Svc-Api-Key'))).toEqual(['my-tests']);
});

describe('for language models', () => {
  test('every link of llms.txt leads to a page', async () => {
    const text = await (await get('/llms.txt')).text();
    expect(text).toMatch(/^# .+\n\n> .+/);
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
    expect(new Set(links).size).toBe(SECTIONS.length + 5);
    for (const link of links) expect((await get(link)).status, link).toBe(200);
  });

  test.each(SECTIONS.map((section) => [section.id, section]))(
    'the page of %s shows its operations with requests and answers',
    async (id, { operations }) => {
      const response = await get(`/llms/${id}.md`);
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const chapters = (await response.text()).split(/^## /m).slice(1);
      expect(chapters.map((chapter) => chapter.split('\n')[0])).toEqual(Object.keys(operations));
      const withoutExample = chapters.filter(
        (chapter) => !/```sh\ncurl [^`]+```\n\n20[024]:\n\n```json\n[^`]+```/.test(chapter),
      );
      expect(withoutExample).toEqual([]);
    },
  );

  test('the needs of the sandbox beside the API are shown once', async () => {
    const customers = await (await get('/llms/customers.md')).text();
    expect(customers.match(/In the sandbox: /g)).toHaveLength(1);
    expect(customers).toMatch(/In the sandbox: The code that was sent by SMS\.[^#]+\/sandbox\/sms\?phone=/);
    const cards = await (await get('/llms/card-cash-in.md')).text();
    expect(cards).toMatch(/curl -X POST 'http:\/\/sandbox\.example\/3ds\/[^#]+answer=confirm[^#]+\n303:/);
  });

  test('an example shows the answers of the sandbox', async () => {
    const page = await (await get('/llms/customers.md')).text();
    const [, path, answer] =
      /curl '([^']*customers\/balance[^']*)'[^`]*```\n\n200:\n\n```json\n([^`]+)```/.exec(page) ?? [];
    const response = await wallet.app.request(path ?? '', { headers: { 'Svc-Api-Key': wallet.apiKey } });
    expect(await response.json()).toEqual(JSON.parse(answer ?? ''));
  });

  test('webhooks are shown as they were sent', async () => {
    const page = await (await get('/llms/webhooks.md')).text();
    const bodies = [...page.matchAll(/```json\n([^`]+)```/g)].map(([, body = '']) => JSON.parse(body));
    expect(bodies.length).toBeGreaterThan(5);
    for (const { data } of bodies) expect(walletEvent.safeParse(data).success, data.EventId).toBe(true);
  });

  test('there is no page of another name', async () => {
    for (const name of ['nothing.md', 'customers', 'customers.html', '..%2fcustomers.md']) {
      expect((await get(`/llms/${name}`)).status, name).toBe(404);
    }
  });
});

test('nothing of it is loaded before the first request', () => {
  const seen = new Set<string>();
  const follow = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { to, isLocal, typesOnly, isLazy } of importsOf(path)) {
      if (isLocal && !typesOnly && !isLazy && to.endsWith('.ts')) follow(to);
    }
  };
  follow('src/main.ts');
  expect(seen).toContain('src/sandbox/door/published.ts');
  expect([...seen].filter((path) => /wallet\/published\/|door\/publication/.test(path))).toEqual([]);
});
