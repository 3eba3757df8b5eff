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
import { createRecordingState } from './worker-lag.ts';

/** Around what is promised: 0.3 s while the wallet is not asked, 3 s aimed at, 8 s given up (docs/operator/metrics.md, "Promises"). */
const TURN_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 8];
/** A call is given up after 10 s. */
const WALLET_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2.5];
const LAG_SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 300, 3_600];

/** The metrics of this process, in Prometheus' form. Sums over processes are right: nothing is counted by two of them. */
export function createPrometheusMetrics(readings: Readings, now: () => number = Date.now) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const make = makersOf(registry);
  const open = createOpenPayments(now);
  gauges(make, readings, open);
  const meter = {
    ...customerMeter(make),
    ...deliveryMeter(make),
    ...limitMeter(make),
    ...walletMeter(make),
    ...paymentMeter(make, open),
    ...workerMeter(make),
    ...recordsMeter(make, now),
  };
  const routes = new Hono().get('/metrics', async (c) =>
    c.body(await registry.metrics(), 200, { 'content-type': registry.contentType }),
  );
  return { meter, routes };
}

/** The values that each label can have. Empty: they are known later (`startAtZero`). */
type Labels = Readonly<Record<string, readonly string[]>>;
type Makers = ReturnType<typeof makersOf>;

function makersOf(registry: Registry) {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[],
  ) =>
    new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  return {
    /** A gauge that is read when somebody asks for it. */
    gauge,
    flag: (name: string, help: string, isSo: () => boolean) =>
      gauge(name, help, [], () => [[{}, Number(isSo())]]),
    counter(name: string, help: string, labels: Labels = {}) {
      const made = new Counter({ name, help, labelNames: Object.keys(labels), registers });
      startAtZero(made, labels);
      return made;
    },
    histogram(name: string, help: string, buckets: number[], labels: Labels = {}) {
      const made = new Histogram({ name, help, labelNames: Object.keys(labels), buckets, registers });
      startAtZero(made, labels);
      return made;
    },
  };
}

/** Gives each combination of labels its series: `increase()` does not see a first failure that begins its series. */
function startAtZero(metric: Counter | Histogram, labels: Labels): void {
  const combinations = Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((each) => values.map((value) => ({ ...each, [label]: value }))),
    [{}],
  );
  for (const each of combinations) {
    if (metric instanceof Counter) metric.inc(each, 0);
    else metric.zero(each);
  }
}

function gauges({ gauge, flag }: Makers, readings: Readings, open: OpenPayments): void {
  gauge(
    'wasl_wallet_circuit_open',
    'Whether calls of this kind are turned away because the wallet does not respond.',
    ['compartment', 'calls'],
    () =>
      readings.circuits().map(({ compartment, calls, isOpen }) => [{ compartment, calls }, Number(isOpen)]),
  );
  gauge(
    'wasl_wallet_connections',
    'Connections to the wallet that are busy, calls that wait for one, and how many there may be.',
    ['compartment', 'calls', 'state'],
    () =>
      readings
        .connections()
        .flatMap(({ compartment, calls, busy, waiting, max }) =>
          Object.entries({ busy, waiting, max }).map(
            ([state, count]) => [{ compartment, calls, state }, count] as const,
          ),
        ),
  );
  gauge(
    'wasl_concurrency',
    'Work in the background that is under way, and how much of it may be, by how long it takes.',
    ['work', 'state'],
    () =>
      readings.concurrency().flatMap(({ work, underWay, limit }) => [
        [{ work, state: 'under way' }, underWay],
        [{ work, state: 'limit' }, limit],
      ]),
  );
  flag('wasl_replicas_missing', 'Whether payments are refused for want of replicas.', () =>
    readings.lacksReplicas(),
  );
  gauge(
    'wasl_wallet_clock_skew_seconds',
    "How far the wallet's clock is ahead of this process's, by the Date header of its answers.",
    [],
    () => [[{}, readings.skewMs() / 1_000]],
  );
  flag('wasl_draining', 'Whether the process is about to end.', readings.isDraining);
  flag(
    'wasl_waits_for_release',
    'Whether the process waits for conversations of another release before it opens its doors.',
    readings.waitsForRelease,
  );
  gauge(
    'wasl_open_payments',
    'Payments without an end, as this process has seen them when it last looked at them.',
    ['state', 'age'],
    () => [
      ...OPEN_STATES.flatMap((state) => OPEN_AGES.map((age) => [{ state, age }, 0] as const)),
      ...open.counts().map(({ state, age, count }) => [{ state, age }, count] as const),
    ],
  );
}

function limitMeter({ gauge, counter }: Makers): Pick<Meter, 'turnsUnderWay' | 'budget'> {
  let underWay = 0;
  gauge('wasl_turns_under_way', 'Turns that are under way; at 2,000 the next one is turned away.', [], () => [
    [{}, underWay],
  ]);
  const budgets = counter(
    'wasl_budget_charges_total',
    'What was asked of the budgets of SMS, by budget: charged, or refused as it was spent.',
    { budget: Object.keys(BUDGETS), result: ['charged', 'refused'] },
  );
  return {
    turnsUnderWay(change) {
      underWay += change;
    },
    budget: (budget, hasRoom) => budgets.inc({ budget, result: hasRoom ? 'charged' : 'refused' }),
  };
}

/** Counters of incoming work: turns of customers, and webhooks of the wallet. */
function customerMeter({ counter, histogram }: Makers): Pick<Meter, 'turn' | 'webhook'> {
  const turns = counter('wasl_turns_total', 'Inputs of customers that were answered.', {
    channel: CHANNEL_NAMES,
    machine: ['', ...Object.keys(MACHINES)],
    outcome: TURN_OUTCOMES,
  });
  const turnSeconds = histogram('wasl_turn_seconds', 'From an input to its answer.', TURN_SECONDS, {
    channel: CHANNEL_NAMES,
  });
  const webhooks = counter(
    'wasl_webhooks_total',
    'Webhooks of the wallet: saved, or refused so that they come again.',
    { result: ['saved', 'refused'] },
  );
  const webhookSeconds = histogram(
    'wasl_webhook_seconds',
    'How long it took to apply a webhook, or to write it down.',
    STORE_SECONDS,
  );
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
function deliveryMeter({ counter, histogram }: Makers): Pick<Meter, 'delivery' | 'deliveryLag'> {
  const channel = CHANNEL_NAMES;
  const deliveries = counter(
    'wasl_deliveries_total',
    'Messages that are no replies, as their channel took them.',
    { channel, status: DELIVERY_STATUSES },
  );
  const deliverySeconds = histogram(
    'wasl_delivery_seconds',
    'How long a channel took to take a message.',
    WALLET_SECONDS,
    { channel },
  );
  const lag = histogram(
    'wasl_delivery_lag_seconds',
    'From the moment when a message was to be delivered until its channel had it, or it was given up.',
    LAG_SECONDS,
    { channel, outcome: DELIVERY_OUTCOMES },
  );
  return {
    delivery(channel, status, seconds) {
      deliveries.inc({ channel, status });
      deliverySeconds.observe({ channel }, seconds);
    },
    deliveryLag: (channel, outcome, seconds) => lag.observe({ channel, outcome }, seconds),
  };
}

/** The wallet's answers. */
function walletMeter({
  counter,
  histogram,
}: Makers): Pick<Meter, 'walletCalls' | 'walletCall' | 'floatEmpty' | 'oddField'> {
  const calls = counter(
    'wasl_wallet_calls_total',
    'Calls to the wallet: ok, refused by it, proven unsent, or of unknown end.',
    { call: [], answer: [] },
  );
  const callSeconds = histogram(
    'wasl_wallet_call_seconds',
    'From a call to its answer, or to the moment when it was given up.',
    WALLET_SECONDS,
    { call: [] },
  );
  const floatEmpty = counter(
    'wasl_wallet_float_empty_total',
    "Calls that the wallet has refused because the partner's float is empty.",
    { call: [] },
  );
  const oddFields = counter(
    'wasl_wallet_odd_fields_total',
    "Fields of the wallet's answers and events that break its contract, by where they came.",
    { from: [...new Set(Object.values(API).map(({ path }) => path)), 'webhook'] },
  );
  return {
    walletCalls(call) {
      startAtZero(calls, { call, answer: CALL_ANSWERS });
      startAtZero(floatEmpty, { call });
      startAtZero(callSeconds, { call });
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
function paymentMeter({ counter, histogram }: Makers, open: OpenPayments): Pick<Meter, 'payment' | 'look'> {
  const payments = counter(
    'wasl_payment_changes_total',
    'What was learnt of payments: the state that they came to, and from what kind of fact.',
    { state: INTENT_STATE.options, fact: FACT_KIND.options },
  );
  const lag = histogram(
    'wasl_payment_news_lag_seconds',
    'From the moment when a webhook says that something happened until it was applied.',
    LAG_SECONDS,
  );
  return {
    payment({ intent, to, why }, lagSeconds) {
      payments.inc({ state: to, fact: why });
      open.changed(intent, to);
      if (lagSeconds !== undefined) lag.observe(lagSeconds);
    },
    look: open.looked,
  };
}

/** How far turns are recorded: nothing is said by a process that records none. */
function recordsMeter({ gauge, counter }: Makers, now: () => number): Pick<Meter, 'recording'> {
  const state = createRecordingState(now);
  const ofWorst = (field: 'lagSeconds' | 'fill') => () => {
    const worst = state.worst();
    return worst ? [[{}, worst[field]] as const] : [];
  };
  gauge(
    'wasl_records_lag_seconds',
    'How long ago the moment is up to which every turn is in the records.',
    [],
    ofWorst('lagSeconds'),
  );
  gauge(
    'wasl_records_stream_fill_ratio',
    'How full the fullest stream of turns is that waits to be recorded, as a share of its limit.',
    [],
    ofWorst('fill'),
  );
  const lost = counter(
    'wasl_records_turns_lost_total',
    'Turns, none of them of a payment, that have gone at the limit of their stream before they were recorded.',
  );
  return {
    recording(progress) {
      state.noted(progress);
      lost.inc(progress.lost);
    },
  };
}

/** Counters of background work. */
function workerMeter({
  counter,
  histogram,
}: Makers): Pick<Meter, 'storeTrip' | 'chores' | 'chore' | 'workerLag'> {
  const operation = STORE_OPERATIONS;
  const trips = counter(
    'wasl_store_trips_total',
    'Round trips to the store; a conflict means that somebody else had written first.',
    { operation, result: STORE_RESULTS },
  );
  const tripSeconds = histogram(
    'wasl_store_seconds',
    'How long a round trip to the store took.',
    STORE_SECONDS,
    { operation },
  );
  const chores = counter('wasl_chores_total', 'What the worker has done of what was due, by kind.', {
    kind: [],
    result: [],
  });
  const choreSeconds = histogram('wasl_chore_seconds', 'How long that took.', WALLET_SECONDS, { kind: [] });
  const lag = histogram(
    'wasl_worker_lag_seconds',
    'How long after its moment a worker began what was due: one observation every few seconds in all.',
    LAG_SECONDS,
  );
  return {
    storeTrip(operation, result, seconds) {
      trips.inc({ operation, result });
      tripSeconds.observe({ operation }, seconds);
    },
    chores(kind) {
      startAtZero(chores, { kind, result: ['done', 'failed'] });
      startAtZero(choreSeconds, { kind });
    },
    chore(kind, isDone, seconds) {
      chores.inc({ kind, result: isDone ? 'done' : 'failed' });
      choreSeconds.observe({ kind }, seconds);
    },
    workerLag: (seconds) => lag.observe(seconds),
  };
}
