import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { SELF } from '../../src/log.ts';
import { start } from '../../src/main.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { configOf } from '../kit/settings.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector that keeps what it is sent. */
async function startCollector() {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const resources: Span['attributes'][] = [];
  const server = createServer(async (asked, answer) => {
    const sent = (await json(asked)) as Sent;
    bodies.push(JSON.stringify(sent));
    resources.push(...sent.resourceSpans.map(({ resource }) => resource.attributes));
    spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));
    answer.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies, resources };
}

test('a trace leads from the gateway over the turn to the wallet, and holds nobody', async () => {
  const collector = await startCollector();
  const directory = newDirectory('tracing');
  const config = configOf({
    PORT: '0',
    SANDBOX_PORT: '0',
    DATA_DIR: directory,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const lines: { msg: string; trace?: string; instance: string }[] = [];
  const wasl = await start(config, { write: (line) => void lines.push(JSON.parse(line)) });
  const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  for (const text of ['', '3', '3*1', '3*1*0600000002', '3*1*0600000002*50', '3*1*0600000002*50*1234']) {
    const body = new URLSearchParams({ sessionId: 'one', phoneNumber: '+212600000001', text });
    await fetch(`${wasl.url}/ussd/africastalking`, { method: 'POST', body, headers });
  }
  for (const probe of ['ready', 'health']) await fetch(`${wasl.url}/${probe}`, { headers });
  await wasl.close();

  const { spans, resources } = collector;
  const parentOf = (span: Span | undefined) => spans.find(({ spanId }) => spanId === span?.parentSpanId);
  const chain = () => {
    const transfer = spans.find(({ name }) => name === 'wallet transfer');
    const turn = parentOf(transfer);
    return { transfer, turn, request: parentOf(turn) };
  };
  // A process that ends does not wait long for its collector, which may be slower than that.
  await expect.poll(() => [chain().turn?.name, chain().request?.name]).toEqual(['turn', 'POST /ussd']);
  const { transfer, turn, request } = chain();
  expect(request?.parentSpanId).toBe('00f067aa0ba902b7');
  expect(new Set([transfer, turn, request].map((span) => span?.traceId))).toEqual(new Set([TRACE]));
  const id = transfer?.attributes.find(({ key }) => key === 'wasl.request_id')?.value.stringValue;
  expect(id).toMatch(/^[\da-f]{8}-/);
  expect(new Set(lines.filter(({ msg }) => msg === 'A turn was answered').map(({ trace }) => trace))).toEqual(
    new Set([TRACE]),
  );
  const named = Object.fromEntries((resources[0] ?? []).map(({ key, value }) => [key, value.stringValue]));
  expect(named).toEqual({
    'service.name': 'wasl',
    'service.version': SELF.release,
    'service.instance.id': lines[0]?.instance,
    'host.name': SELF.host,
    'wasl.role': 'doors,worker,console',
  });
  const trips = spans.filter((span) => span.name === 'store commit' && parentOf(span) === turn);
  expect(trips.length, 'the claim, and its end').toBeGreaterThan(1);
  const within = spans.filter(({ name }) => name.startsWith('store '));
  expect(within.map(parentOf), 'none without a turn or a request').not.toContain(undefined);
  expect(spans.flatMap(({ name }) => (/ready|health/.test(name) ? name : []))).toEqual([]);
  const all = collector.bodies.join('\n');
  for (const secret of ['600000001', '600000002', '"1234"']) expect(all).not.toContain(secret);
});

test('a call to the wallet carries extra headers and its own id', async () => {
  const seen: Headers[] = [];
  const fetch: typeof globalThis.fetch = async (asked, init) => {
    seen.push(new Request(asked, init).headers);
    return new Response('{}', { status: 500 });
  };
  const headers = () => ({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });
  const wallet = createWallet({ url: 'http://wallet.example', apiKey: 'a key', fetch, headers });
  await wallet.profile(msisdn('+212600000001'), { requestId: 'this one' });
  expect(seen.map((each) => [each.get('traceparent'), each.get('c-request-id')])).toEqual([
    [headers().traceparent, 'this one'],
  ]);
});
