import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { MiddlewareHandler } from 'hono';
import { channelOf } from '../conversation/channel.ts';
import type { Engine } from '../conversation/engine.ts';
import { correlated } from '../correlation.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from '../wallet/answer.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { STORE_OPERATIONS } from './meter.ts';

const HEADER = 'traceparent';
/** A process that ends waits no longer for a collector that does not respond. */
const FLUSH_MAX_MS = 2_000;

/**
 * Traces from a gateway's request over the turn to the calls to the wallet, sent to an OpenTelemetry collector. Spans hold what
 * metrics hold and the ids of calls: nothing that a customer types or is.
 */
interface Tracing {
  /** Begins a span for each request, as a part of the trace that its `traceparent` names. */
  readonly requests: MiddlewareHandler;
  engine(engine: Engine): Engine;
  wallet(wallet: Wallet): Wallet;
  /** Round trips within a span, such as a turn's, get spans of their own. Others, such as a look at what is due, get none. */
  store(store: Store): Store;
  /** The headers of a call to the wallet, so that its own traces continue ours. */
  headers(): Readonly<Record<string, string>>;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

/**
 * @param endpoint the collector (`OTEL_EXPORTER_OTLP_ENDPOINT`), OTLP over HTTP
 * @param self which process this is, as its log has it
 * @param exporter instead of the one that sends there
 */
export function createTracing(
  endpoint: string,
  self: { readonly host: string; readonly release: string; readonly instance: string; readonly role: string },
  exporter: SpanExporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
): Tracing {
  const provider = new NodeTracerProvider({
    // Names of OpenTelemetry's semantic conventions, but for the role, which they do not know.
    resource: resourceFromAttributes({
      'service.name': 'wasl',
      'service.version': self.release,
      'service.instance.id': self.instance,
      'host.name': self.host,
      'wasl.role': self.role,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return {
    requests: request,
    engine: tracedEngine,
    wallet: tracedWallet,
    store: tracedStore,
    headers() {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      return carrier;
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MAX_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

/** Runs `work` in a span of its own. `note` describes its result. */
async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return trace.getTracer('wasl').startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // A message may quote what a customer typed: only the name of the error is kept.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : '' });
      throw error;
    } finally {
      span.end();
    }
  });
}

const GETTER: TextMapGetter<string | undefined> = {
  keys: () => [HEADER],
  get: (parent, key) => (key === HEADER ? parent : undefined),
};

/** A balancer asks for them all the time. */
const PROBES: ReadonlySet<string> = new Set(['/ready', '/health']);

const request: MiddlewareHandler = (c, next) => {
  if (PROBES.has(c.req.path)) return next();
  const parent = propagation.extract(ROOT_CONTEXT, c.req.header(HEADER), GETTER);
  const { method } = c.req;
  return context.with(parent, () =>
    // The first part of the path names the door. The rest may hold a name.
    inSpan(
      `${method} /${c.req.path.split('/')[1]?.replace(/[^a-z]/g, '') ?? ''}`,
      SpanKind.SERVER,
      { 'http.request.method': method },
      async (span) => {
        const { traceId, spanId } = span.spanContext();
        await correlated(next, `00-${traceId}-${spanId}-01`);
        span.setAttribute('http.response.status_code', c.res.status);
      },
    ),
  );
};

function tracedEngine(engine: Engine): Engine {
  const receive: Engine['receive'] = (incoming, ...rest) =>
    inSpan('turn', SpanKind.INTERNAL, { 'wasl.channel': channelOf(incoming.address) }, async (span) => {
      const reply = await engine.receive(incoming, ...rest);
      span.setAttribute('wasl.machine', engine.machineOf(reply) ?? '');
      span.setAttribute('wasl.screen', reply.screen.key);
      return reply;
    });
  return { ...engine, receive };
}

function tracedWallet(wallet: Wallet): Wallet {
  type Ask = (...args: unknown[]) => Promise<Answer<unknown>>;
  const calls = Object.entries(wallet as unknown as Record<string, Ask>).map(([name, ask]) => [
    name,
    (...args: unknown[]) =>
      inSpan(`wallet ${name}`, SpanKind.CLIENT, requestIdIn(args), async (span) => {
        const answer = await ask(...args);
        span.setAttribute('wasl.answer', answer.kind);
        return answer;
      }),
  ]);
  return Object.fromEntries(calls) as Wallet;
}

function tracedStore(store: Store): Store {
  type Ask = (...args: unknown[]) => Promise<unknown>;
  const asks = STORE_OPERATIONS.map((operation) => {
    const ask = store[operation].bind(store) as Ask;
    const traced: Ask = (...args) =>
      inSpan(`store ${operation}`, SpanKind.CLIENT, { 'db.operation.name': operation }, async (span) => {
        const result = await ask(...args);
        if (result === false) span.setAttribute('wasl.conflict', true);
        return result;
      });
    return [operation, (...args: unknown[]) => (trace.getActiveSpan() ? traced : ask)(...args)];
  });
  return { ...store, ...Object.fromEntries(asks) };
}

/** The id that the call carries as `C-Request-Id`, where it was given one: the last argument of each method is its `Call`. */
function requestIdIn(args: readonly unknown[]): Attributes {
  const call = args.at(-1) as { readonly requestId?: string } | undefined;
  return typeof call?.requestId === 'string' ? { 'wasl.request_id': call.requestId } : {};
}
