import type { Config } from '../config.ts';
import { createConcurrency } from '../conversation/concurrency.ts';
import { listening } from '../http/listening.ts';
import type { Log } from '../log/lines.ts';
import { SELF } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Circuits } from './circuits.ts';
import { createMeasuring } from './measured.ts';
import type { Meter, Readings } from './meter.ts';
import { createTurnLog } from './turn-log.ts';
import { createWorkerLag } from './worker-lag.ts';

interface MeasuredBase {
  readonly store: Store;
  readonly circuits: Circuits;
  readonly flags: Pick<Readings, 'isDraining' | 'waitsForRelease' | 'skewMs'>;
  readonly log: Log;
}

/** The measures and traces of the process. They are little more than idle wrappers if nobody has asked for them. */
export async function open(config: Config, { store, circuits, flags, log }: MeasuredBase) {
  const concurrency = { due: createConcurrency(), webhooks: createConcurrency() };
  const { all, connections } = circuits;
  const metrics = await loadMetrics(config, {
    circuits: all,
    connections,
    concurrency: () =>
      (['due', 'webhooks'] as const).map((work) => ({
        work,
        underWay: concurrency[work].underWay(),
        limit: concurrency[work].limit(),
      })),
    lacksReplicas: store.lacksReplicas,
    ...flags,
  });
  return {
    concurrency,
    metrics,
    measured: createMeasuring(metrics?.meter, createTurnLog(log, config.LOG_TURNS_PERCENT)),
    tracing: await loadTracing(config),
    workerLag: createWorkerLag(store, metrics?.meter, Date.now),
    onOdd: oddFields(metrics?.meter, log),
  };
}

/** The page for Prometheus, on a port of its own. It is loaded only if it is asked for. */
async function loadMetrics({ METRICS_PORT: port, HOST: host }: Config, readings: Readings) {
  if (port === undefined) return undefined;
  const { createPrometheusMetrics } = await import('./prometheus.ts');
  const { meter, routes } = createPrometheusMetrics(readings);
  return { meter, listen: () => listening(routes, port, host) };
}

/** Traces, loaded only where a collector is named. */
async function loadTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ROLES }: Config) {
  if (!endpoint) return undefined;
  return (await import('./tracing.ts')).createTracing(endpoint, { ...SELF, role: `${ROLES}` });
}

/** Counts each field of the wallet that breaks its contract, and logs its name once: never its value. */
function oddFields(meter: Meter | undefined, log: Log) {
  const logged = new Set<string>();
  return (from: string, field: string) => {
    meter?.oddField(from);
    if (logged.has(`${from} ${field}`)) return;
    logged.add(`${from} ${field}`);
    log.say('A field of the wallet breaks its contract', { from, field });
  };
}
