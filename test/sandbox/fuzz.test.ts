import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CARD_NOTIFICATION } from '../../src/sandbox/cards/notification.ts';
import { createSandbox, type Delivery, type Sandbox, SEEDED } from '../../src/sandbox/sandbox.ts';
import { API, API_HEADERS, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Endpoint } from '../../src/wallet/contract/endpoint.ts';
import { PROBLEM_TYPE } from '../../src/wallet/contract/envelope.ts';
import { ERRORS } from '../../src/wallet/contract/errors.ts';
import { shownOf } from '../../src/wallet/contract/shown.ts';
import { webhookBody } from '../../src/wallet/contract/webhooks.ts';
import { HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { type Bundle, bundleOf, type Given, known, type Pick, requestFor } from './fuzz-requests.ts';
import { NOON } from './kit.ts';
import { receiver } from './receiver.ts';

const LONG = process.env.LONG === '1';
const REQUESTS = LONG ? 100_000 : 3_000;
const SEED = Number(process.env.SEED ?? (LONG ? Date.now() % 1_000_000_000 : 20_261_120));
/** The most in one life of a sandbox. Each life begins anew. */
const REQUESTS_EACH_MAX = 1_500;
/** The remembered facts of each operation. */
const BUNDLES_EACH_MAX = 4;
const STEPS_MS = [1_200, 1_200, 5_000, 5_000, MINUTE_MS, HOUR_MS, 49 * HOUR_MS, 8 * 24 * HOUR_MS];

const NAMES = Object.keys(API) as ApiName[];
const CODES: ReadonlySet<number> = new Set(Object.values(ERRORS).map(({ code }) => code));

/** One request, and the event before it. Both follow from the seed. */
const step = fc.record({ name: fc.constantFrom(...NAMES), seed: fc.integer() });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** How often each operation was asked and succeeded, over all lives. */
const asked = new Map<ApiName, number>();
const succeeded = new Map<ApiName, number>();
const count = (in_: Map<ApiName, number>, name: ApiName) => in_.set(name, (in_.get(name) ?? 0) + 1);
const total = (of: Map<ApiName, number>) => [...of.values()].reduce((sum, n) => sum + n, 0);

/** Choices that follow from a seed (mulberry32). */
function picker(seed: number): Pick {
  let state = seed;
  return (of) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % of;
  };
}

/** A sandbox, and what a partner has learnt of it so far. */
function open(webhookUrl: string) {
  const settings = { faultDelaysMs: { staysOpen: HOUR_MS }, webhookTimeoutMs: 2_000 };
  const wallet = createSandbox({
    file: ':memory:',
    seed: 'fuzz',
    clock: { now: () => NOON },
    webhookUrl,
    settings,
  });
  const learnt = new Map<string, readonly Bundle[]>();
  const learn = (of: string, bundle: Bundle) =>
    learnt.set(of, [...(learnt.get(of) ?? []), bundle].slice(-BUNDLES_EACH_MAX));
  const bundles = () => [...learnt.values()].flat();

  /** Events beside the requests: time passes, a payer answers 3D Secure, an operator changes a setting. */
  async function meanwhile(pick: Pick): Promise<void> {
    const what = pick(60);
    if (what > 16 && what < 20) await wallet.clock.advance(STEPS_MS[pick(STEPS_MS.length)] ?? 0);
    if (what > 6 && what < 16) await answerPage(wallet, bundles(), pick);
    if (what === 2) await switched(wallet, 'float', { centimes: [0, 5_000_000, 5_000_000][pick(3)] });
    if (what === 3) await switched(wallet, 'settings', { billNetwork: ['down', 'up', 'up'][pick(3)] });
    if (what > 56) learn('sms', lastCode(wallet));
  }

  /** Asks, looks at the answer, and now and then goes on with what it says. */
  async function ask(name: ApiName, pick: Pick, about: readonly Bundle[]): Promise<void> {
    const endpoint = API[name];
    const given = requestFor(endpoint, about, pick);
    const response = await wallet.app.request(targetOf(endpoint, given), initOf(wallet, endpoint, given));
    const text = endpoint.binary ? '' : await response.text();
    count(asked, name);
    const wrong = unlike(endpoint, response, text) ?? imbalance(wallet);
    if (wrong)
      throw new Error(`${name} ${show(given)}\n${response.status} ${text.slice(0, 2_000)}\n${wrong}`);
    if (response.status >= 300) return;
    count(succeeded, name);
    const bundle = bundleOf(given, text === '' ? {} : JSON.parse(text), pick);
    learn(name, bundle);
    if (pick(2) === 0) await ask(followUp(bundle, pick), pick, [bundle]);
  }

  return {
    wallet,
    async take({ name, seed }: Step): Promise<void> {
      const pick = picker(seed);
      await meanwhile(pick);
      await ask(name, pick, bundles());
    },
  };
}

/** Of some operations the one that asks for most of what has just been said. */
function followUp(bundle: Bundle, pick: Pick): ApiName {
  const some = Array.from({ length: 20 }, () => NAMES[pick(NAMES.length)] as ApiName);
  return some.sort((a, b) => known(API[b], bundle) - known(API[a], bundle))[0] as ApiName;
}

function targetOf({ path }: Endpoint, { params, query }: Given): string {
  const target = path.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(String(params[key] ?? 'x')));
  const search = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [key, String(each)]),
  );
  return `${target}?${new URLSearchParams(search)}`;
}

function initOf({ apiKey }: Sandbox, { method }: Endpoint, { body }: Given): RequestInit {
  const isForm = body instanceof FormData;
  const headers = { [API_HEADERS.key]: apiKey, ...(!isForm && { 'content-type': 'application/json' }) };
  if (method === 'GET') return { method, headers };
  return { method, headers, body: isForm || typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The deviation of an answer from the contract, or undefined. */
function unlike(endpoint: Endpoint, response: Response, text: string): string | undefined {
  const { status } = response;
  if (status === 204 || (endpoint.bare && status === endpoint.status))
    return text === '' && endpoint.none !== undefined ? undefined : 'an empty answer is not in the contract';
  if (endpoint.binary && status === 200) return undefined;
  const isProblem = response.headers.get('content-type') === PROBLEM_TYPE;
  if (isProblem) return endpoint.problems ? undefined : 'problem details are not in the contract';
  if (status === 400 || status === 422)
    return endpoint.binary || CODES.has(JSON.parse(text).errorCode) ? undefined : 'no known error';
  // Too many requests are a fault that a magic number asks for. A shortened path is not found.
  if (status === 429 || status === 404) return undefined;
  if (status !== endpoint.status) return 'a status that is not in the contract';
  const answer = JSON.parse(text);
  // The bill network refuses inside a 200.
  const isRefused = (answer.codeRetour ?? '000') !== '000';
  const promised = isRefused ? endpoint.data : shownOf(endpoint.data);
  const read = promised.safeParse(endpoint.envelope ? answer.data : answer);
  return read.success ? undefined : read.error.message;
}

/** All but the notifications of single card payments, whose shape is not shown. */
function isWebhook({ event }: Delivery): boolean {
  return event !== CARD_NOTIFICATION;
}

function imbalance(wallet: Sandbox): string | undefined {
  const { balanced, faults, totals } = wallet.checkLedger();
  const sum = Object.values(totals).reduce((all, each) => all + each, 0);
  return balanced && sum === 0 ? undefined : `the ledger: ${faults.join('; ')} ${sum}`;
}

/** The count of a page is kept apart from what is on the pages: both must be the same. */
async function pagesThrough({ app, apiKey }: Sandbox, PhoneNumber: string): Promise<void> {
  const headers = { [API_HEADERS.key]: apiKey };
  for (let page = 1, seen = 0; ; page++) {
    const query = new URLSearchParams({ PhoneNumber, PageSize: '100', PageNumber: String(page) });
    const answer = await app.request(`${API.listOperations.path}?${query}`, { headers });
    // The customer may have closed the wallet.
    if (answer.status !== 200) return;
    const { collection, count } = ((await answer.json()) as { data: { collection: []; count: number } }).data;
    seen += collection.length;
    if (collection.length < 100) return expect(seen, PhoneNumber).toBe(count);
  }
}

async function answerPage(wallet: Sandbox, bundles: readonly Bundle[], pick: Pick): Promise<void> {
  const pages = bundles.flatMap(({ redirectionurl }) => (redirectionurl ? [String(redirectionurl)] : []));
  const page = pages.at(-1 - pick(3));
  if (!page) return;
  const answer = {
    answer: ['confirm', 'confirm', 'decline'][pick(3)] ?? '',
    code: ['123456', '123456', '000000'][pick(3)] ?? '',
  };
  const { status } = await wallet.app.request(page, { method: 'POST', body: new URLSearchParams(answer) });
  if (status >= 500) throw new Error(`the page of 3D Secure answers ${status}`);
}

async function switched(wallet: Sandbox, what: string, to: object): Promise<void> {
  await wallet.app.request(`/sandbox/${what}`, { method: 'POST', body: JSON.stringify(to) });
}

/** The last one-time code that was sent, and to whom. */
function lastCode(wallet: Sandbox): Bundle {
  const { phone, text = '' } = wallet.sms().at(-1) ?? {};
  const code = /\d{3}-\d{3}/.exec(text)?.[0];
  return { phonenumber: phone, code, otp: code };
}

function show({ params, query, body }: Given): string {
  return JSON.stringify({ params, query, body: body instanceof FormData ? [...body] : body }).slice(0, 2_000);
}

test(
  `no answer is a 500 or outside the contract for ${REQUESTS} random requests (SEED=${SEED}), and the ledger balances`,
  async () => {
    const partner = await receiver();
    const life = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: REQUESTS_EACH_MAX, size: 'max' }),
      async (steps) => {
        const { wallet, take } = open(partner.url);
        try {
          for (const each of steps) await take(each);
          await wallet.clock.advance(8 * 24 * HOUR_MS);
          expect(imbalance(wallet)).toBe(undefined);
          for (const { phone } of SEEDED) await pagesThrough(wallet, phone);
          for (const { event, body } of wallet.deliveries().filter(isWebhook))
            expect(webhookBody.safeParse(JSON.parse(body)).error, event).toBe(undefined);
        } finally {
          await wallet.close();
        }
      },
    );
    for (let round = 0; total(asked) < REQUESTS; round++)
      await fc.assert(life, { seed: SEED + round, numRuns: 3 });

    // Requests that are all refused would prove little.
    expect(total(succeeded) / total(asked)).toBeGreaterThan(0.25);
    const never = NAMES.filter((name) => !succeeded.has(name));
    expect(never.length, never.join(', ')).toBeLessThanOrEqual(LONG ? 3 : NAMES.length / 3);
  },
  LONG ? 60 * MINUTE_MS : 2 * MINUTE_MS,
);
