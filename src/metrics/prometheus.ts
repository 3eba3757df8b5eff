import { Hono } from 'hono';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BUDGETS } from '../conversation/budgets.ts';
import { CHANNEL_NAMES } from '../conversation/channel.ts';
import { MACHINES } from '../conversation/chart/charts.ts';
import { DELIVERY_STATUSES } from '../conversation/incoming.ts';
import { FACT_KIND, INTENT_STATE } from '../conversation/record/turn-event.ts';
import { DELIVERY_OUTCOMES } from '../conversation/session/delivery-record.ts';
import { API } from '../wallet/contract/api.ts';
import {
  CALL_ANSWERS,
  type Meter,
  type Readings,
  STORE_OPERATIONS,
  STORE_RESULTS,
  TURN_OUTCOMES,
} from './meter.ts';
import { createOpenPayments, OPEN_AGES, OPEN_STATES, type OpenPayments } from './open-payments.ts';
import { createRecordingState } from './recording.ts';

/** Around what is promised: 0.3 s while the wallet is not asked, 3 s aimed at, 8 s given up (docs/operator/metrics.md, "Promises"). */
const TURN_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 8];
/** A call is given up after 10 s. */
const WALLET_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2.5];
const LAG_SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 300, 3_600];

interface PrometheusMetrics {
  readonly meter: Meter;
  /** `GET /metrics`, for a port that customers and gateways do not reach. */
  readonly routes: Hono;
}

/** The metrics of this process, in Prometheus' form. Sums over processes are right: nothing is counted by two of them. */
export function createPrometheusMetrics(readings: Readings, now: () => number = Date.now): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const open = createOpenPayments(now);
  gauges(registry, readings, open);
  const meter = {
    ...customerMeter(registry),
    ...deliveryMeter(registry),
    ...limitMeter(registry),
    ...walletMeter(registry),
    ...paymentMeter(registry, open),
    ...workerMeter(registry),
    ...recordsMeter(registry, now),
  };
  const routes = new Hono().get('/metrics', async (c) =>
    c.body(await registry.metrics(), 200, { 'content-type': registry.contentType }),
  );
  return { meter, routes };
}

type Labels = Readonly<Record<string, readonly string[]>>;

/** A counter whose labels are closed lists. */
function counter(registry: Registry, name: string, help: string, labels: Labels): Counter {
  const made = new Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] });
  startAtZero(made, labels);
  return made;
}

/** Gives each combination of labels its series: `increase()` does not see a first failure that begins its series. */
function startAtZero(counter: Counter, labels: Labels): void {
  const combinations = Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((each) => values.map((value) => ({ ...each, [label]: value }))),
    [{}],
  );
  for (const each of combinations) counter.inc(each, 0);
}

/** Gauges, read when they are asked for. */
function gauges(registry: Registry, readings: Readings, open: OpenPayments): void {
  const flag = (name: string, help: string, isSo: () => boolean) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(isSo() ? 1 : 0);
      },
    });
  new Gauge({
    name: 'wasl_wallet_circuit_open',
    help: 'Whether calls of this kind are turned away because the wallet does not respond.',
    labelNames: ['compartment', 'calls'],
    registers: [registry],
    collect() {
      for (const { compartment, calls, isOpen } of readings.circuits())
        this.set({ compartment, calls }, isOpen ? 1 : 0);
    },
  });
  connectionGauges(registry, readings);
  flag('wasl_replicas_missing', 'Whether payments are refused for want of replicas.', () =>
    readings.lacksReplicas(),
  );
  new Gauge({
    name: 'wasl_wallet_clock_skew_seconds',
    help: "How far the wallet's clock is ahead of this process's, by the Date header of its answers.",
    registers: [registry],
    collect() {
      this.set(readings.skewMs() / 1_000);
    },
  });
  flag('wasl_draining', 'Whether the process is about to end.', readings.isDraining);
  flag(
    'wasl_waits_for_release',
    'Whether the process waits for conversations of another release before it opens its doors.',
    readings.waitsForRelease,
  );
  new Gauge({
    name: 'wasl_open_payments',
    help: 'Payments without an end, as this process has seen them when it last looked at them.',
    labelNames: ['state', 'age'],
    registers: [registry],
    collect() {
      for (const state of OPEN_STATES) for (const age of OPEN_AGES) this.set({ state, age }, 0);
      for (const { state, age, count } of open.counts()) this.set({ state, age }, count);
    },
  });
}

/** Gauges of everything that has a limit. */
function connectionGauges(registry: Registry, { connections, concurrency }: Readings): void {
  const registers = [registry];
  new Gauge({
    name: 'wasl_wallet_connections',
    help: 'Connections to the wallet that are busy, calls that wait for one, and how many there may be.',
    labelNames: ['compartment', 'calls', 'state'],
    registers,
    collect() {
      for (const { compartment, calls, busy, waiting, max } of connections())
        for (const [state, count] of Object.entries({ busy, waiting, max }))
          this.set({ compartment, calls, state }, count);
    },
  });
  new Gauge({
    name: 'wasl_concurrency',
    help: 'Work in the background that is under way, and how much of it may be, by how long it takes.',
    labelNames: ['work', 'state'],
    registers,
    collect() {
      for (const { work, underWay, limit } of concurrency()) {
        this.set({ work, state: 'under way' }, underWay);
        this.set({ work, state: 'limit' }, limit);
      }
    },
  });
}

/** Counters of everything that meets a limit. */
function limitMeter(registry: Registry): Pick<Meter, 'turnsUnderWay' | 'budget'> {
  const registers = [registry];
  const underWay = new Gauge({
    name: 'wasl_turns_under_way',
    help: 'Turns that are under way; at 2,000 the next one is turned away.',
    registers,
  });
  const budgets = counter(
    registry,
    'wasl_budget_charges_total',
    'What was asked of the budgets of SMS, by budget: charged, or refused as it was spent.',
    { budget: Object.keys(BUDGETS), result: ['charged', 'refused'] },
  );
  return {
    turnsUnderWay: (change) => underWay.inc(change),
    budget: (budget, hasRoom) => budgets.inc({ budget, result: hasRoom ? 'charged' : 'refused' }),
  };
}

/** Counters of incoming work: turns of customers, and webhooks of the wallet. */
function customerMeter(registry: Registry): Pick<Meter, 'turn' | 'webhook'> {
  const registers = [registry];
  const turns = counter(registry, 'wasl_turns_total', 'Inputs of customers that were answered.', {
    channel: CHANNEL_NAMES,
    machine: ['', ...Object.keys(MACHINES)],
    outcome: TURN_OUTCOMES,
  });
  const turnSeconds = new Histogram({
    name: 'wasl_turn_seconds',
    help: 'From an input to its answer.',
    labelNames: ['channel'],
    buckets: TURN_SECONDS,
    registers,
  });
  const webhooks = counter(
    registry,
    'wasl_webhooks_total',
    'Webhooks of the wallet: saved, or refused so that they come again.',
    { result: ['saved', 'refused'] },
  );
  const webhookSeconds = new Histogram({
    name: 'wasl_webhook_seconds',
    help: 'How long it took to apply a webhook, or to write it down.',
    buckets: STORE_SECONDS,
    registers,
  });
  for (const channel of CHANNEL_NAMES) turnSeconds.zero({ channel });
  return {
    turn(channel, machine, outcome, seconds) {
      turns.inc({ channel, machine, outcome });
      turnSeconds.observe({ channel }, seconds);
    },
    webhook(isSaved, seconds) {
      webhooks.inc({ result: isSaved ? 'saved' : 'refused' });
      webhookSeconds.observe(seconds);
    },
  };
}

/** Counters of messages to customers outside of their turns. */
function deliveryMeter(registry: Registry): Pick<Meter, 'delivery' | 'deliveryLag'> {
  const registers = [registry];
  const deliveries = counter(
    registry,
    'wasl_deliveries_total',
    'Messages that are no replies, as their channel took them.',
    { channel: CHANNEL_NAMES, status: DELIVERY_STATUSES },
  );
  const deliverySeconds = new Histogram({
    name: 'wasl_delivery_seconds',
    help: 'How long a channel took to take a message.',
    labelNames: ['channel'],
    buckets: WALLET_SECONDS,
    registers,
  });
  const lag = new Histogram({
    name: 'wasl_delivery_lag_seconds',
    help: 'From the moment when a message was to be delivered until its channel had it, or it was given up.',
    labelNames: ['channel', 'outcome'],
    buckets: LAG_SECONDS,
    registers,
  });
  for (const channel of CHANNEL_NAMES) {
    deliverySeconds.zero({ channel });
    for (const outcome of DELIVERY_OUTCOMES) lag.zero({ channel, outcome });
  }
  return {
    delivery(channel, status, seconds) {
      deliveries.inc({ channel, status });
      deliverySeconds.observe({ channel }, seconds);
    },
    deliveryLag: (channel, outcome, seconds) => lag.observe({ channel, outcome }, seconds),
  };
}

/** The wallet's answers. */
function walletMeter(
  registry: Registry,
): Pick<Meter, 'walletCalls' | 'walletCall' | 'floatEmpty' | 'oddField'> {
  const registers = [registry];
  const calls = new Counter({
    name: 'wasl_wallet_calls_total',
    help: 'Calls to the wallet: ok, refused by it, proven unsent, or of unknown end.',
    labelNames: ['call', 'answer'],
    registers,
  });
  const callSeconds = new Histogram({
    name: 'wasl_wallet_call_seconds',
    help: 'From a call to its answer, or to the moment when it was given up.',
    labelNames: ['call'],
    buckets: WALLET_SECONDS,
    registers,
  });
  const floatEmpty = new Counter({
    name: 'wasl_wallet_float_empty_total',
    help: "Calls that the wallet has refused because the partner's float is empty.",
    labelNames: ['call'],
    registers,
  });
  const oddFields = new Counter({
    name: 'wasl_wallet_odd_fields_total',
    help: "Fields of the wallet's answers and events that break its contract, by where they came.",
    labelNames: ['from'],
    registers,
  });
  const paths = new Set(Object.values(API).map(({ path }) => path));
  startAtZero(oddFields, { from: [...paths, 'webhook'] });
  return {
    walletCalls(names) {
      startAtZero(calls, { call: names, answer: CALL_ANSWERS });
      startAtZero(floatEmpty, { call: names });
      for (const call of names) callSeconds.zero({ call });
    },
    walletCall(call, answer, seconds) {
      calls.inc({ call, answer });
      callSeconds.observe({ call }, seconds);
    },
    floatEmpty: (call) => floatEmpty.inc({ call }),
    oddField: (from) => oddFields.inc({ from }),
  };
}

/** Counters of facts about payments. */
function paymentMeter(registry: Registry, open: OpenPayments): Pick<Meter, 'payment' | 'look'> {
  const payments = counter(
    registry,
    'wasl_payment_changes_total',
    'What was learnt of payments: the state that they came to, and from what kind of fact.',
    { state: INTENT_STATE.options, fact: FACT_KIND.options },
  );
  const newsLag = new Histogram({
    name: 'wasl_payment_news_lag_seconds',
    help: 'From the moment when a webhook says that something happened until it was applied.',
    buckets: LAG_SECONDS,
    registers: [registry],
  });
  return {
    payment({ intent, to, why }, lagSeconds) {
      payments.inc({ state: to, fact: why });
      open.changed(intent, to);
      if (lagSeconds !== undefined) newsLag.observe(lagSeconds);
    },
    look: open.looked,
  };
}

/** How far turns are recorded: nothing is said by a process that records none. */
function recordsMeter(registry: Registry, now: () => number): Pick<Meter, 'recording'> {
  const registers = [registry];
  const state = createRecordingState(now);
  new Gauge({
    name: 'wasl_records_lag_seconds',
    help: 'How long ago the moment is up to which every turn is in the records.',
    registers,
    collect() {
      const worst = state.worst();
      if (worst) this.set(worst.lagSeconds);
      else this.reset();
    },
  });
  new Gauge({
    name: 'wasl_records_stream_fill_ratio',
    help: 'How full the fullest stream of turns is that waits to be recorded, as a share of its limit.',
    registers,
    collect() {
      const worst = state.worst();
      if (worst) this.set(worst.fill);
      else this.reset();
    },
  });
  const lost = new Counter({
    name: 'wasl_records_turns_lost_total',
    help: 'Turns, none of them of a payment, that have gone at the limit of their stream before they were recorded.',
    registers,
  });
  return {
    recording(progress) {
      state.noted(progress);
      lost.inc(progress.lost);
    },
  };
}

/** Counters of background work. */
function workerMeter(registry: Registry): Pick<Meter, 'storeTrip' | 'chores' | 'chore' | 'workerLag'> {
  const registers = [registry];
  const trips = counter(
    registry,
    'wasl_store_trips_total',
    'Round trips to the store; a conflict means that somebody else had written first.',
    { operation: STORE_OPERATIONS, result: STORE_RESULTS },
  );
  const tripSeconds = new Histogram({
    name: 'wasl_store_seconds',
    help: 'How long a round trip to the store took.',
    labelNames: ['operation'],
    buckets: STORE_SECONDS,
    registers,
  });
  const chores = new Counter({
    name: 'wasl_chores_total',
    help: 'What the worker has done of what was due, by kind.',
    labelNames: ['kind', 'result'],
    registers,
  });
  const choreSeconds = new Histogram({
    name: 'wasl_chore_seconds',
    help: 'How long that took.',
    labelNames: ['kind'],
    buckets: WALLET_SECONDS,
    registers,
  });
  const lag = new Histogram({
    name: 'wasl_worker_lag_seconds',
    help: 'How long after its moment a worker began what was due: one observation every few seconds in all.',
    buckets: LAG_SECONDS,
    registers,
  });
  for (const operation of STORE_OPERATIONS) tripSeconds.zero({ operation });
  return {
    storeTrip(operation, result, seconds) {
      trips.inc({ operation, result });
      tripSeconds.observe({ operation }, seconds);
    },
    chores(kinds) {
      startAtZero(chores, { kind: kinds, result: ['done', 'failed'] });
      for (const kind of kinds) choreSeconds.zero({ kind });
    },
    chore(kind, isDone, seconds) {
      chores.inc({ kind, result: isDone ? 'done' : 'failed' });
      choreSeconds.observe({ kind }, seconds);
    },
    workerLag: (seconds) => lag.observe(seconds),
  };
}
