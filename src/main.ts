#!/usr/bin/env node
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { DestinationStream, Logger } from 'pino';
import { type FormOptions, formRoutes } from './channels/form/routes.ts';
import { identityRoutes } from './channels/identity/routes.ts';
import { thrown } from './channels/log.ts';
import { createQrReader } from './channels/qr/decode.ts';
import { simulatorRoutes } from './channels/simulator/routes.ts';
import { simulateTelegram } from './channels/simulator/telegram.ts';
import { createAfricasTalkingSms } from './channels/sms/africas-talking.ts';
import { createSmsInbox } from './channels/sms/simulator.ts';
import type { SmsSender } from './channels/sms/sms.ts';
import { launchedBy, TELEGRAM_FRAMES } from './channels/telegram/launch.ts';
import { deliverUssd } from './channels/ussd/deliver.ts';
import { pageOf } from './channels/ussd/page.ts';
import { ussdRoutes } from './channels/ussd/routes.ts';
import { notifyOf } from './channels/web/notifications.ts';
import { webRoutes, webVisitor } from './channels/web/routes.ts';
import { createStreams, deliverWeb, type Elsewhere } from './channels/web/streams.ts';
import { check } from './check.ts';
import { commandIn, helpText, newKeys } from './commands.ts';
import { warningsOf } from './config/report.ts';
import { type Config, isThisMachine, readConfig } from './config.ts';
import { type Background, createBackground } from './conversation/background.ts';
import { type Budgets, createBudgets, smsLimits } from './conversation/budgets.ts';
import type { Cases } from './conversation/cases/cases.ts';
import { CHANNELS, type ChannelName, channelOf } from './conversation/channel.ts';
import { createFleet, type Fleet } from './conversation/chart/fleet.ts';
import { OWN_RELEASE, onWords } from './conversation/chart/releases.ts';
import { type Concurrency, createConcurrency } from './conversation/concurrency.ts';
import type { SendCode } from './conversation/effects/effect.ts';
import { createEngine, type Engine, type EngineOptions } from './conversation/engine.ts';
import type { Address, Deliver, Push } from './conversation/incoming.ts';
import { NO_ARCHIVE } from './conversation/intents/archive.ts';
import type { OutageOptions } from './conversation/outage.ts';
import { createSecrets, type Secrets } from './conversation/secrets.ts';
import type { SafetySettings } from './conversation/session/safety.ts';
import { beginWithKey, FOREIGN_KEY } from './conversation/store-keys.ts';
import { startWorker, type Worker } from './conversation/worker.ts';
import { correlated } from './correlation.ts';
import { failed } from './http/failed.ts';
import { listening } from './http/listening.ts';
import { networkOf, networks, originOf, senderOf, tellsUnreadable } from './http/network.ts';
import { loopbackHosts, ownHostOnly } from './http/own-host.ts';
import { createReadiness, type ReadinessCheck } from './http/readiness.ts';
import { openLog } from './log.ts';
import { type Circuits, type Compartment, createCircuits } from './metrics/circuits.ts';
import { createMeasuring } from './metrics/measured.ts';
import type { Meter, Readings } from './metrics/meter.ts';
import { createWorkerLag } from './metrics/worker-lag.ts';
import { createWebPush, type WebPush } from './push/web-push.ts';
import { createArchive } from './records/archive.ts';
import type { RecordsCommand } from './records/commands.ts';
import { createNames, hearingNames } from './records/names.ts';
import { meetRecords } from './records/older-store.ts';
import { openRecords } from './records/open.ts';
import { createRecorder, isRecordedUntil, type Progress, type Recorder } from './records/recorder.ts';
import type { Records } from './records/records.ts';
import { createUpkeep, type Upkeep } from './records/upkeep.ts';
import { PROVIDER_PAGE } from './sandbox/kyc/provider-page.ts';
import { createSandbox, SEEDED } from './sandbox/sandbox.ts';
import { loadLocales } from './screen/locales.ts';
import { withOperatorFacts } from './screen/operator-facts.ts';
import { createRenderer, type Renderer } from './screen/renderer.ts';
import { openStore } from './store/open.ts';
import { partitionOf } from './store/partition.ts';
import { canWrite } from './store/probe.ts';
import { type Store, StoreDown } from './store/store.ts';
import { noteConsole } from './support/access/console-address.ts';
import { keptFor } from './support/audit/chain.ts';
import { copyingLog, copyNext } from './support/audit/copy.ts';
import { createWitnessing, type Witnessing } from './support/audit/witness.ts';
import type { SupportOptions } from './support/routes.ts';
import { createWallet } from './wallet/client.ts';
import { createWalletClock } from './wallet/clock.ts';
import { STATUSES } from './wallet/contract/fields.ts';
import { centimes } from './wallet/money.ts';
import { type Msisdn, msisdn } from './wallet/phone.ts';
import type { Wallet } from './wallet/wallet.ts';
import { createApply } from './webhooks/apply.ts';
import { createInbox, type Inbox, type InboxDeps } from './webhooks/inbox.ts';
import { createOutgoing } from './webhooks/outgoing.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** What the console is made of. */
type SupportParts = Pick<
  SupportOptions,
  'desk' | 'store' | 'secrets' | 'renderer' | 'webhooks' | 'records' | 'names'
> & {
  readonly log: Logger;
};
/** The share of its limit at which it is said that turns wait for the records for too long. */
const NEAR_LIMIT = 0.8;
/** What takes cards: offered only where the operator has turned it on (`CARDS`). */
const CARD_MACHINES = ['card-cash-in', 'saved-cards', 'card-payments', 'card-payment'];
/** What makes a customer an agent (`AGENTS`): without it nobody has an agent's menu. */
const AGENT_MACHINES = ['agent'];
/** How long requests under way may take when the process is told to stop. */
const STOP_GRACE_MS = 5_000;

/** A running Wasl. */
export interface Wasl {
  readonly url: string;
  readonly sandboxUrl: string | undefined;
  /** Signs in to the support console as a demo admin, once; only beside the sandbox. */
  readonly supportUrl: string | undefined;
  /** Where Prometheus reads; undefined where nothing is measured. */
  readonly metricsUrl: string | undefined;
  /** Says on `/ready` that it ends, and serves on until balancers have noticed (`DRAIN_MS`). */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Joins the rooms and opens the doors. Rejects with a sentence when a port or the store cannot be had. */
export async function start(config: Config, output?: DestinationStream): Promise<Wasl> {
  const log = openLog(config.LOG_LEVEL, output);
  log.info({ release: OWN_RELEASE, roles: config.ROLES, channels: config.CHANNELS }, 'Wasl starts');
  // Before "Wasl is ready", which is written past the others (`announce`).
  log.flush();
  for (const sentence of warningsOf(config)) log.warn(sentence);
  const rooms = await openRooms(config, log);
  const { engine, sandbox, bot, support } = rooms;
  // A process that waits is there: who watches it must not be woken.
  const metrics = await rooms.metrics?.listen();
  // Before it takes any turn, the worker's too.
  await rooms.fleet.join();
  rooms.opening.waitsForRelease = false;
  const worker = config.ROLES.includes('worker') ? workerOf(rooms) : undefined;
  rooms.background.add(engine.lookAtOpen(), 'payments woken');
  rooms.background.add(rooms.workerLag.begin(), 'worker lag');
  rooms.background.add(beginRecording(rooms), 'recording');
  const server = await listening(doorsOf(config, rooms), config.PORT, config.HOST, {
    graceMs: STOP_GRACE_MS,
  });
  sandbox?.setWebhook(`${server.url}/webhooks/wallet`);
  rooms.pages.at ??= server.url;
  if (support) rooms.background.add(noteConsole(rooms.consoleStore, server.url), 'address of the console');
  bot?.start();
  return {
    url: server.url,
    sandboxUrl: sandbox?.url,
    supportUrl: support?.demo && server.url + support.demo.link(),
    metricsUrl: metrics?.url,
    async drain() {
      log.info({ forMs: config.DRAIN_MS }, 'stopping: /ready says so, and all is served as before');
      rooms.readiness.drain();
      server.drain();
      await sleep(config.DRAIN_MS);
    },
    async close() {
      log.info({ forMs: STOP_GRACE_MS }, 'stopping: requests under way are answered, and no other is taken');
      rooms.streams.close();
      // An answer that waits for a store that does not respond is given as long as a request.
      setTimeout(() => engine.stop(), STOP_GRACE_MS).unref();
      await support?.close();
      await Promise.all([server.close(), bot?.close(), rooms.played?.close()]);
      log.info('stopping: what has been begun is finished');
      await worker?.stop();
      await rooms.background.done();
      await engine.close();
      // What the last calls have told.
      await rooms.background.done();
      await sandbox?.close();
      await Promise.all([metrics?.close(), rooms.tracing?.close()]);
      log.info('stopping: the store is closed');
      await rooms.fleet.leave();
      await rooms.closeStores();
      log.info('Wasl has stopped');
    },
  };
}

/** What stands behind the doors. */
type Rooms = Awaited<ReturnType<typeof openRooms>>;
/** What the rooms are built on. */
type Base = Awaited<ReturnType<typeof openBase>>;

/** How screens come out, as far as the engine must know. */
function spoken(
  renderer: Renderer,
  { LANGUAGE: language, USSD_PAGES: limits, OUTCOME_WAIT_MS: outcomeWaitMs }: Config,
): Pick<EngineOptions, 'pagesOf' | 'labelsOf' | 'outcomeWaitMs' | 'language'> {
  return {
    pagesOf: (reply, origin) => pageOf(renderer, reply, limits[origin?.name ?? '']),
    labelsOf: renderer.labels,
    outcomeWaitMs,
    language,
  };
}

/** The sandbox, where it is the wallet. */
async function sandboxOf(config: Config) {
  return config.wallet.kind === 'sandbox' ? openSandbox(config, config.wallet.port) : undefined;
}

/** What goes wrong by itself, and works again, as the log has it. */
function failuresIn(log: Logger): OutageOptions {
  return {
    onError: (error, where) => log.error({ where, ...thrown(error) }, 'failed'),
    onBack: (where, times) => log.info({ where, times }, 'works again'),
  };
}

async function openRooms(config: Config, log: Logger) {
  const { onError } = failuresIn(log);
  const base = await openBase(config, log);
  const { store, consoleStore, measured } = base;
  const sandbox = await sandboxOf(config);
  const wallet = sandbox ?? (config.wallet as { url: string; apiKey: string });
  const secrets = await secretsFor(config, base);
  const { renderer, fleet } = openReleases(config, base, log);
  const smsInbox = createSmsInbox();
  const streams = createStreams(throughStore(store), onError);
  const { telegram, played, toTelegram } = await openTelegram(config, wallet.url, renderer, secrets, log);
  const background = createBackground(onError);
  const { names, ...wallets } = walletsOf(wallet, base, secrets, background, log);
  const sms = sandbox ? smsInbox.send : partnerSms(config, log);
  const { codes, outcomes } = openSms(config, sms, { store, measured, secrets, renderer, background, log });
  const pages = pagesOf(config, sandbox);
  const ussd = deliverUssd({ sms: outcomes, renderer, formAt: formAtOf(config) });
  const { webPush, notify } = webPushOf(config, store, secrets, background, log);
  const deliver = byChannel({ ussd, web: deliverWeb(streams, notify), telegram: toTelegram?.deliver });
  const engine = observed(base, {
    store,
    deskStore: consoleStore,
    archive: base.archive,
    ...wallets,
    secrets,
    ...codes,
    identityPage: pages.identity,
    deliver: measured.deliver(deliver),
    ...(toTelegram && { chatAt: toTelegram.chatAt }),
    ...spoken(renderer, config),
    alone: !config.REDIS_URL,
    fleet,
    ...toldBy(config),
    ...alarms(log),
    onError,
  });
  const { cases } = engine.desk;
  const webhooks = inboxOf(base, [engine, wallets.backgroundApi], { secrets, background, cases, log });
  const parts = { desk: engine.desk, store: consoleStore, secrets, renderer, webhooks, names, log };
  return {
    ...parts,
    ...base,
    onError,
    fleet,
    sandbox,
    walletUrl: wallet.url,
    smsInbox,
    streams,
    webPush,
    played,
    pages,
    engine,
    outcomesBySms: sms !== undefined,
    background,
    bot: config.ROLES.includes('doors') ? telegram?.open(engine) : undefined,
    ...(await openConsole(config, base, parts)),
  };
}

/** Notifications of the web chat, where the operator has not turned them off. */
function webPushOf(config: Config, store: Store, secrets: Secrets, background: Background, log: Logger) {
  const { PUSH_SERVICES: services, VAPID_PRIVATE_KEY: privateKey, PUBLIC_URL: publicUrl } = config;
  if (services.length === 0) return {};
  // Push services want to know whom to write to; a demo on one's own machine has nobody.
  const contact = publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@localhost';
  const webPush: WebPush = createWebPush({
    store,
    secrets,
    privateKey,
    contact,
    services,
    log,
    now: Date.now,
  });
  const told = notifyOf(webPush);
  return {
    webPush,
    notify: (address: Address, push: Push) => background.add(told(address, push), 'notifications'),
  };
}

/** How processes on one store tell each other what waits for a chat: any partition will do, and that of its address spreads them. */
function throughStore(store: Store): Elsewhere {
  return { tell: (address, name) => store.tell(partitionOf(address), name), listen: store.listen };
}

/** Seals and digests under keys that the store knows; rejects where they are strangers to it. */
async function secretsFor(config: Config, { store, closeStores }: Base): Promise<Secrets> {
  const secrets = createSecrets(...config.secretsKeys);
  if (await beginWithKey(store, secrets, config.SECRETS_KEY_LOST)) return secrets;
  await closeStores();
  throw new Error(FOREIGN_KEY);
}

/**
 * The records, where there are any, and what the store has lost of them is in it again. Rejects with an old copy of the store that
 * nobody has meant.
 */
async function recordsBeside(
  config: Config,
  [store, ...others]: readonly [Store, ...Store[]],
  log: Logger,
): Promise<Records | undefined> {
  const records = await openRecords(config);
  if (!records) return undefined;
  try {
    const sentence = await meetRecords({ store, records, now: Date.now }, config.STORE_RESTORED);
    if (sentence) log.error(sentence);
  } catch (error) {
    if (!(error instanceof StoreDown)) {
      await Promise.all([...new Set([store, ...others]), records].map((each) => each.close()));
      throw error;
    }
    log.error('nobody can say now whether the live store is older than the records');
  }
  return records;
}

/** What the operator has said of how customers are served. */
function toldBy(config: Config) {
  return { advisers: config.SUPPORT, cases: config.cases, banks: config.BANKS, ...offeredBy(config) };
}

/** The store, and how the process sees itself: whether it is ready, and what it measures. */
async function openBase(config: Config, log: Logger) {
  const store = await openStore(config, (sentence) => log.warn(sentence));
  // Neither a page of the console nor the search for what is due holds up a turn. The embedded store has one connection.
  const [workerStore, consoleStore] = config.REDIS_URL
    ? await Promise.all([openStore(config, () => {}), openStore(config, () => {})])
    : [store, store];
  const records = await recordsBeside(config, [store, workerStore, consoleStore], log);
  const { lacksReplicas } = store;
  const [circuits, clock] = [createCircuits(), createWalletClock()];
  const readiness = createReadiness(checksOf(store, records, circuits.areClosed, clock.isRight));
  const opening = { waitsForRelease: false };
  const { isDraining } = readiness;
  const flags = { isDraining, waitsForRelease: () => opening.waitsForRelease, skewMs: clock.skewMs };
  const concurrency = { due: createConcurrency(), webhooks: createConcurrency() };
  const metrics = await loadMetrics(config, readingsOf(circuits, concurrency, lacksReplicas, flags));
  const measured = createMeasuring(metrics?.meter);
  const tracing = await loadTracing(config);
  const workerLag = createWorkerLag(store, metrics?.meter, Date.now);
  return {
    store: measured.store(store),
    workerStore: measured.store(workerStore),
    consoleStore: measured.store(consoleStore),
    records,
    archive: records ? createArchive(records) : NO_ARCHIVE,
    recording: records && recordingOf(config, workerStore, records, metrics?.meter, log),
    closeStores: () =>
      Promise.all([...new Set([store, workerStore, consoleStore]), records].map((each) => each?.close())),
    circuits,
    concurrency,
    readiness,
    opening,
    metrics,
    measured,
    tracing,
    workerLag,
    onOdd: oddFields(metrics?.meter, log),
    clock,
  };
}

/** Counts each field of the wallet that breaks its contract, and logs its name once: never its value. */
function oddFields(meter: Meter | undefined, log: Logger) {
  const logged = new Set<string>();
  return (from: string, field: string) => {
    meter?.oddField(from, field);
    if (logged.has(`${from} ${field}`)) return;
    logged.add(`${from} ${field}`);
    log.warn({ from, field }, 'the wallet breaks its contract: this field is left out where it is odd');
  };
}

/**
 * What `/ready` looks at. Only the store is needed, and only once: where it or the wallet is down it is down for every process, and
 * customers read a true sentence of ours instead of a balancer's error. What happens waits for the records in the store.
 * @param walletAnswers whether the wallet is believed to answer: the circuit breaker's word
 * @param isClockRight whether its clock and ours agree to half a minute
 */
function checksOf(
  store: Store,
  records: Records | undefined,
  walletAnswers: () => boolean,
  isClockRight: () => boolean,
): readonly ReadinessCheck[] {
  return [
    { name: 'store', isNeeded: true, isWell: () => canWrite(store, Date.now()) },
    ...(records ? [{ name: 'records', isNeeded: false, isWell: takesTurns(store, records) }] : []),
    { name: 'wallet', isNeeded: false, isWell: walletAnswers },
    { name: 'walletClock', isNeeded: false, isWell: isClockRight },
  ];
}

/** Whether the records answer, and take what there is. */
function takesTurns(store: Store, records: Records): () => Promise<boolean> {
  return async () => (await records.isWell()) && isRecordedUntil(store, Date.now());
}

/** What is read at the moment when somebody looks at the metrics. */
function readingsOf(
  { all: circuits, connections }: Circuits,
  { due, webhooks }: Readonly<Record<'due' | 'webhooks', Concurrency>>,
  lacksReplicas: Readings['lacksReplicas'],
  flags: Pick<Readings, 'isDraining' | 'waitsForRelease' | 'skewMs'>,
): Readings {
  const concurrency = () => [
    { work: 'due' as const, underWay: due.underWay(), limit: due.limit() },
    { work: 'webhooks' as const, underWay: webhooks.underWay(), limit: webhooks.limit() },
  ];
  return { circuits, connections, concurrency, lacksReplicas, ...flags };
}

/** What Prometheus reads, on a port of its own; loaded only where it is asked for. */
async function loadMetrics({ METRICS_PORT: port, HOST: host }: Config, readings: Readings) {
  if (port === undefined) return undefined;
  const { createPrometheusMetrics } = await import('./metrics/prometheus.ts');
  const { meter, routes } = createPrometheusMetrics(readings);
  return { meter, listen: () => listening(routes, port, host) };
}

/** The processes of this and other releases on one store, and a renderer that speaks for all of them. */
function openReleases(
  { REDIS_URL, DEPLOY_WAIT_SECONDS, SUPPORT_PHONE, SUPPORT_LINKS, TERMS_URL, USSD_CODE }: Config,
  { store, opening }: Pick<Base, 'store' | 'opening'>,
  log: Logger,
): { readonly fleet: Fleet; readonly renderer: Renderer } {
  const facts = { supportPhone: SUPPORT_PHONE, terms: TERMS_URL, ussdCode: USSD_CODE };
  const renderer = createRenderer(undefined, facts, SUPPORT_LINKS);
  const forget = onWords((release, { sentences }) => renderer.learn(release, sentences));
  const fleet = createFleet({
    store,
    alone: !REDIS_URL,
    // As they are said here: the other release may not know what the operator's facts are.
    sentences: () => withOperatorFacts(loadLocales(), facts),
    quietMs: DEPLOY_WAIT_SECONDS * 1_000,
    ...failuresIn(log),
    waits(why) {
      opening.waitsForRelease = true;
      log.warn(why, 'waits for conversations of another release before it opens its doors');
    },
  });
  return { renderer, fleet: { ...fleet, leave: () => fleet.leave().finally(forget) } };
}

/**
 * The wallet twice: what nobody waits for cannot take customers' connections, nor turn their calls away. Where there are records, what it
 * calls its customers is noted.
 */
function walletsOf(
  wallet: { url: string; apiKey: string },
  {
    circuits,
    measured,
    tracing,
    records,
    onOdd,
    clock,
  }: Pick<Base, 'circuits' | 'measured' | 'tracing' | 'records' | 'onOdd' | 'clock'>,
  secrets: Secrets,
  background: Background,
  log: Logger,
) {
  const names = records && createNames({ records, secrets, now: Date.now });
  const over = (compartment: Compartment) =>
    createWallet({
      url: wallet.url,
      apiKey: wallet.apiKey,
      compartment,
      headers: tracing?.headers,
      onOdd,
      clock,
      onOpen: (use) => circuits.opened(compartment, use),
      onChange(calls, isOpen) {
        circuits.changed(compartment, calls, isOpen);
        if (isOpen)
          log.error({ calls, compartment }, 'the wallet does not respond: its calls are turned away');
        else log.info({ calls, compartment }, 'the wallet responds again');
      },
    });
  const seen = (compartment: Compartment) => {
    const api = measured.wallet(over(compartment));
    const traced = tracing?.wallet(api) ?? api;
    if (!names) return traced;
    return hearingNames(traced, (...told) => background.add(names.told(...told), 'names'));
  };
  return { names, api: seen('customers'), backgroundApi: seen('background'), skewMs: clock.skewMs };
}

/** Traces, loaded only where a collector is named. */
async function loadTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config) {
  if (!endpoint) return undefined;
  return (await import('./metrics/tracing.ts')).createTracing(endpoint);
}

/** Codes and references by SMS within their budgets, and outcomes, which are counted there and sent in any case. */
function openSms(
  config: Config,
  sms: SmsSender | undefined,
  {
    store,
    measured,
    secrets,
    renderer,
    background,
    log,
  }: Pick<Rooms, 'store' | 'measured' | 'secrets' | 'renderer' | 'background' | 'log'>,
) {
  const budgets = measured.budgets(budgetsOf(config, store, secrets, log));
  const cash = { ...config.cash, sms: config.cash.sms && sms !== undefined };
  const sendCode = codeSender(renderer, sms);
  const codes = { budgets, sendCode, noSms: sms === undefined, cash, safety: safetySettings(config) };
  return { codes, outcomes: sms && counted(sms, budgets, background) };
}

/** What customers are asked about once more, and what waits. */
function safetySettings({ safety }: Config): SafetySettings {
  const dirhams = (amount: number) => centimes(amount * 100);
  return {
    newRecipientFrom: dirhams(safety.newRecipientFromDirhams),
    unusualFactor: safety.unusualFactor,
    unusualFrom: dirhams(safety.unusualFromDirhams),
    coolDownAbove: dirhams(safety.coolDownAboveDirhams),
    coolDownMs: safety.coolDownHours * 3_600_000,
  };
}

/** What strangers may cost, and the line in the log that says that somebody tries. */
function budgetsOf(config: Config, store: Store, secrets: Secrets, log: Logger): Budgets {
  const { SMS_PER_HOUR_MAX: smsPerHour, SMS_PER_DAY_MAX: smsPerDay } = config;
  return createBudgets({
    store,
    secrets,
    max: smsLimits(smsPerHour, smsPerDay),
    alarm: ({ until, ...spent }) =>
      log.error({ ...spent, until: new Date(until).toISOString() }, 'a budget is spent'),
  });
}

/** SMS that are sent in any case, as outcomes of payments are: counted behind their back, so that none waits for it. */
function counted(sms: SmsSender, budgets: Budgets, background: Background): SmsSender {
  return async (to, text) => {
    const sent = await sms(to, text);
    if (sent === 'accepted') background.add(budgets.countSms(), 'sms counted');
    return sent;
  };
}

/** What only a person can put right goes to the log. */
function alarms(log: Logger): Pick<EngineOptions, 'alert' | 'answerLost'> {
  return {
    alert: ({ id, operationId }) =>
      log.error({ intent: id, operationId }, 'a person must look at this payment'),
    answerLost: ({ ref, sealed }) =>
      log.error({ intent: ref, sealed }, 'the wallet has answered, and the store did not take it'),
  };
}

/** What carries turns and payments into the records, and what is done there now and then. */
interface Recording {
  readonly recorder: Recorder;
  readonly upkeep: Upkeep;
}

function recordingOf(
  config: Config,
  store: Store,
  records: Records,
  meter: Meter | undefined,
  log: Logger,
): Recording {
  const {
    TURNS_MAX: turnsMax,
    RECORDS_KEEP_EVENTS_DAYS: events,
    RECORDS_KEEP_PAYMENTS_DAYS: payments,
    RECORDS_KEEP_NAMES_DAYS: names,
    RECORDS_KEEP_AUDIT_DAYS: audit,
  } = config;
  const secrets = createSecrets(...config.secretsKeys);
  const chain = { store, records, secrets, keptMs: keptFor(audit), now: Date.now, ...copyingLog(log) };
  const say = progressLog(log);
  const onProgress = (progress: Progress) => {
    meter?.recording(progress);
    say(progress);
  };
  return {
    recorder: createRecorder({ store, records, turnsMax, onProgress, now: Date.now }),
    upkeep: createUpkeep({
      store,
      records,
      copyAudit: () => copyNext(chain),
      keptDays: { events, payments, audit, names },
      onForgotten: (kind, rows) => log.info({ kind, rows }, 'records were forgotten, as their time was over'),
      onNotForgotten: (kind, error) =>
        log.error({ kind, ...thrown(error) }, 'records whose time is over could not be forgotten'),
      now: Date.now,
    }),
  };
}

/** Tells the company's own tools of cases. Without an address what an earlier setting has left is not told any more. */
function outgoingOf(
  { CASE_WEBHOOK_URL: url, CASE_WEBHOOK_KEY: key }: Config,
  store: Store,
  log: Logger,
): (id: string) => Promise<void> {
  return url && key ? createOutgoing({ store, url, key, log, now: Date.now }) : async () => {};
}

/** What tells the log, and a receiver, where the agents' audit ends. */
function witnessingOf(
  { AUDIT_WITNESS_URL: url }: Config,
  store: Store,
  secrets: Secrets,
  log: Logger,
): Witnessing {
  return createWitnessing({ store, secrets, url, log, now: Date.now });
}

async function beginRecording({ recording, witnessing }: Rooms): Promise<void> {
  await recording?.recorder.begin();
  await recording?.upkeep.begin();
  await witnessing.begin();
}

/** Recording that stops, goes on, or loses something: each said once, and again when it has become worse. */
function progressLog(log: Logger): (progress: Progress) => void {
  const away = new Set<number>();
  const filling = new Set<number>();
  return ({ group, isWell, lagMs, fill, lost }) => {
    const about = { group, lagSeconds: Math.round(lagMs / 1_000), fill: Math.round(fill * 100) / 100 };
    if (!isWell && !away.has(group)) log.error(about, 'the records take nothing: turns wait in the store');
    if (isWell && away.has(group)) log.info(about, 'the records take turns again');
    if (isWell) away.delete(group);
    else away.add(group);
    if (fill >= NEAR_LIMIT && !filling.has(group))
      log.error(about, 'turns that wait for the records come near their limit (TURNS_MAX)');
    if (fill >= NEAR_LIMIT) filling.add(group);
    else filling.delete(group);
    if (lost > 0)
      log.error({ ...about, lost }, 'turns were lost at the limit; none of them was of a payment');
  };
}

function workerOf(rooms: Rooms): Worker {
  const { workerStore, engine, webhooks, workerLag, measured, recording, witnessing, log } = rooms;
  const { due: concurrency } = rooms.concurrency;
  const chores = {
    session: (address: string) => engine.wake(address as Address),
    intent: engine.reconcile,
    pending: engine.lookAtPending,
    'cash-reference': engine.lookUp,
    payout: engine.payOut,
    'voucher-code': engine.resealVoucher,
    webhook: (id: string) => webhooks.process(`webhook:${id}`),
    case: (id: string) =>
      engine.lookAtCase(id, async (webhook) => (await webhooks.find(webhook)) !== undefined),
    lag: workerLag.measure,
    'audit-witness': witnessing.run,
    'case-event': rooms.outgoing,
    ...(recording && { recorder: recording.recorder.run, upkeep: recording.upkeep.run }),
  };
  const measuredChores = Object.entries(measured.chores(chores, engine.intentOf));
  const each = measuredChores.map(([kind, chore]) => [kind, (name: string) => correlated(() => chore(name))]);
  return startWorker(workerStore, Object.fromEntries(each), { ...failuresIn(log), concurrency });
}

/** What comes in from the wallet. */
function inboxOf(
  {
    store,
    measured,
    onOdd,
    clock: { skewMs },
    concurrency: { webhooks: concurrency },
  }: Pick<Base, 'store' | 'measured' | 'concurrency' | 'onOdd' | 'clock'>,
  [engine, api]: readonly [engine: Engine, api: Wallet],
  {
    secrets,
    background,
    cases,
    log,
  }: Pick<InboxDeps, 'secrets' | 'background'> & {
    readonly cases: Pick<Cases, 'open'>;
    readonly log: Logger;
  },
): Inbox {
  const alert = (webhook: string) => {
    background.add(cases.open({ kind: 'webhook', subject: webhook }), 'case');
    log.error({ webhook }, 'a person must look at this webhook');
  };
  const apply = createApply(engine, api, { onOdd, skewMs });
  return measured.inbox(
    createInbox({ store, secrets, apply, background, concurrency, now: Date.now, alert }),
  );
}

/** The engine, measured and traced. Inputs that come in by no request, such as those that a bot fetches, get an id of their own. */
function observed({ measured, tracing }: Pick<Base, 'measured' | 'tracing'>, options: EngineOptions): Engine {
  const told = measured.conversations(createEngine(options));
  const engine = tracing?.engine(told) ?? told;
  return { ...engine, receive: (...turn) => correlated(() => engine.receive(...turn)) };
}

/** What is served, by the roles of this process. */
function doorsOf(config: Config, rooms: Rooms): Hono {
  const { store, onError, support, readiness, log } = rooms;
  const app = new Hono();
  const unreadable = 'a trusted proxy names no address in X-Forwarded-For: its senders share one limit';
  app.use(tellsUnreadable(config.TRUSTED_PROXIES, () => log.warn({}, unreadable)));
  app.use(rooms.tracing?.requests ?? ((c, next) => correlated(next, c.req.header('traceparent'))));
  // Nobody is kept from a demo that is open to the network, and a proxy stands before a real wallet.
  if (rooms.sandbox && isThisMachine(config.HOST))
    app.use(ownHostOnly(loopbackHosts([config.PUBLIC_URL, originOf(config.HOST, config.PORT)])));
  const replicasWaitedFor = config.REDIS_URL ? config.REDIS_REPLICAS_MIN : 0;
  app.get('/health', (c) =>
    c.json({ status: 'ok', replicasWaitedFor, replicasMissing: store.lacksReplicas() }),
  );
  app.route('/ready', readiness.routes);
  app.onError(failed(onError, (method) => log.info({ method }, 'request cut off')));
  if (support) {
    app.get('/support/', (c) => c.redirect('/support', 308));
    app.route('/support', support.routes);
  }
  if (config.ROLES.includes('doors')) openDoors(app, config, rooms);
  return app;
}

/** Where inputs of customers and webhooks of the wallet come in. */
function openDoors(app: Hono, config: Config, rooms: Rooms): void {
  const { webhooks, onError } = rooms;
  app.route('/webhooks', webhookRoutes({ inbox: webhooks, keys: config.webhookKeys, onError }));
  for (const channel of new Set(config.CHANNELS)) {
    const { at, routes } = CHANNEL_DOORS[channel];
    const opened = routes(config, rooms);
    if (opened) app.route(at, opened);
  }
  app.route('/form', formDoor(config, rooms));
  const identity = identityDoor(config, rooms);
  if (identity) app.route('/identity', identity);
  const simulator = simulatorDoor(config, rooms);
  if (simulator) app.route('/', simulator);
}

/** Where each channel is served. A bot that fetches its updates has no routes. */
const CHANNEL_DOORS: Readonly<
  Record<
    ChannelName,
    { readonly at: string; readonly routes: (config: Config, rooms: Rooms) => Hono | undefined }
  >
> = {
  ussd: { at: '/ussd', routes: ussdDoor },
  web: { at: '/chat', routes: chatDoor },
  telegram: { at: '/telegram', routes: (_, { bot }) => bot?.routes },
};

function ussdDoor(config: Config, rooms: Rooms): Hono {
  const { engine: conversations, renderer, secrets, outcomesBySms, log } = rooms;
  const { LANGUAGE: language, USSD_CODE: serviceCode, TRUSTED_PROXIES: proxies } = config;
  const limits = config.USSD_PAGES;
  const door = { secrets: config.USSD_SECRETS, addresses: config.USSD_ADDRESSES, proxies };
  const spoken = { renderer, serviceCode, language, limits, outcomesBySms };
  return ussdRoutes({ conversations, secrets, door, ...spoken, log });
}

/** One for all channels: pictures are decoded one after the other. */
const readQr = createQrReader();

function chatDoor(config: Config, rooms: Rooms): Hono {
  const { engine: conversations, renderer, secrets, streams, webPush, walletUrl, log } = rooms;
  const { secure, EMBED_ORIGINS: embedOrigins, TRUSTED_PROXIES: proxies } = config;
  const served = { secure, embedOrigins, proxies, walletUrl, readQr, webPush };
  return webRoutes({ conversations, renderer, secrets, streams, ...served, log });
}

/** The one form for secrets, and how each channel knows who has opened it. */
function formDoor(config: Config, { engine: conversations, renderer, secrets, log }: Rooms): Hono {
  const { secure, EMBED_ORIGINS: embedOrigins, TRUSTED_PROXIES: proxies, TELEGRAM_BOT_TOKEN: token } = config;
  const openers: FormOptions['openers'] = {
    web: { browser: webVisitor(secrets, { secure, embedOrigins }) },
    ...(token && {
      telegram: {
        launch: (launch) => launchedBy(token, launch, Date.now()),
        framedBy: TELEGRAM_FRAMES,
      },
    }),
  };
  const served = { conversations, cardLinks: conversations, renderer, secrets, openers };
  return formRoutes({ ...served, secure, proxies, log });
}

/** Where cards are typed and files given, and what is offered to nobody where the operator has not turned it on. */
function offeredBy(config: Config): Pick<EngineOptions, 'formAt' | 'without' | 'docTypes'> {
  const { CARDS, AGENTS, KYB_DOC_TYPES: docTypes, wallet } = config;
  // The sandbox has numbers of its own; another wallet's are not known until its operator says them.
  const isUnknown = docTypes === undefined && wallet.kind !== 'sandbox';
  const without = [
    ...(CARDS ? [] : CARD_MACHINES),
    ...(AGENTS ? [] : AGENT_MACHINES),
    ...(isUnknown ? ['documents'] : []),
    ...(config.CHANNELS.some((name) => CHANNELS[name].numberProvenBy === 'network') ? [] : ['link-chat']),
  ];
  return { formAt: formAtOf(config), without, ...(docTypes && { docTypes }) };
}

/** Where browsers of customers find the forms. */
function formAtOf({ PUBLIC_URL: publicUrl, HOST, PORT, wallet }: Config): string | undefined {
  const here = wallet.kind === 'sandbox' ? originOf(HOST, PORT) : undefined;
  const at = publicUrl ?? here;
  return at && `${at.replace(/\/$/, '')}/form`;
}

/** Pages that links of ours lead to: where the world finds them, and what the identity provider's is shown from. */
interface Pages {
  at: string | undefined;
  readonly ofProvider: string | undefined;
  /** Where customers' identities are checked; undefined where they are not. */
  readonly identity: () => string | undefined;
}

function pagesOf(
  { PUBLIC_URL: publicUrl, IDENTITY_PAGE: configured }: Config,
  sandbox: { readonly identityPage: string } | undefined,
): Pages {
  const ofProvider = configured ?? sandbox?.identityPage;
  const pages: Pages = {
    at: publicUrl?.replace(/\/$/, ''),
    ofProvider,
    identity: () => (ofProvider && pages.at ? `${pages.at}/identity` : undefined),
  };
  return pages;
}

function identityDoor(config: Config, { engine, renderer, pages, log }: Rooms): Hono | undefined {
  const { ofProvider: providerPage } = pages;
  if (!providerPage) return undefined;
  return identityRoutes({ identifications: engine, renderer, providerPage, secure: config.secure, log });
}

/** Only beside the sandbox ("no back door"). */
function simulatorDoor(config: Config, rooms: Rooms): Hono | undefined {
  const { engine, sandbox, secrets, smsInbox, played, store, log } = rooms;
  const { secure, EMBED_ORIGINS: embedOrigins } = config;
  if (!sandbox) return undefined;
  const { customers, counter, faults, url: sandboxUrl } = sandbox;
  const proxies = networks(config.TRUSTED_PROXIES);
  const budgets = budgetsOf(config, store, secrets, log);
  return simulatorRoutes({
    conversations: engine,
    customers,
    async startOver(phone, c) {
      sandbox.restoreCustomer(phone);
      const network = networkOf(senderOf(c, proxies));
      await budgets.giveBack({ budget: 'codesPerAsker', of: `${network} ${phone}` });
      await budgets.giveBack({ budget: 'codesPerNumber', of: phone });
    },
    counter,
    faults,
    behind: {
      watch: engine.desk.watch,
      calls: sandbox.requests,
      webhooks: sandbox.attempts,
      visitor: webVisitor(secrets, { secure, embedOrigins }) ?? (() => undefined),
      log,
    },
    inbox: async (phone: Msisdn) =>
      [...smsInbox.of(phone), ...sandbox.sms(phone)].sort((a, b) => a.at - b.at),
    serviceCode: config.USSD_CODE,
    sandboxUrl,
    ...(played && { telegram: played.open(engine) }),
  });
}

/** Telegram, or without a bot of one's own what plays it on the simulator page. */
async function openTelegram(
  config: Config,
  walletUrl: string,
  renderer: Renderer,
  secrets: Secrets,
  log: Logger,
) {
  const telegram = await loadTelegram(config, walletUrl, renderer, secrets, log);
  const { LANGUAGE: language, wallet } = config;
  const played =
    wallet.kind === 'sandbox' && !telegram
      ? simulateTelegram({ walletUrl, formAt: formAtOf(config), renderer, secrets, language, log })
      : undefined;
  return { telegram, played, toTelegram: telegram ?? played };
}

/** The Telegram channel, loaded only where a bot is configured: grammY would slow down every other start. */
async function loadTelegram(
  config: Config,
  walletUrl: string,
  renderer: Renderer,
  secrets: Secrets,
  log: Logger,
) {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot, PUBLIC_URL: publicUrl } = config;
  if (!token || !config.CHANNELS.includes('telegram')) return undefined;
  const { createTelegram } = await import('./channels/telegram/telegram.ts');
  const { LANGUAGE: language } = config;
  // Telegram opens no page that is not served over https.
  const formAt = publicUrl?.startsWith('https:') ? formAtOf(config) : undefined;
  const served = { apiRoot, publicUrl, formAt, walletUrl };
  return createTelegram({ token, ...served, renderer, secrets, readQr, language, log });
}

/** The wallet that Wasl brings along, served on its own port as a partner would meet it. */
async function openSandbox(config: Config, port: number) {
  mkdirSync(config.DATA_DIR, { recursive: true });
  const sandbox = createSandbox({
    file: join(config.DATA_DIR, 'sandbox.db'),
    past: true,
    webhookNetworks: config.SANDBOX_WEBHOOK_NETWORKS,
  });
  const server = await sandbox.listen(port, config.HOST, config.PUBLIC_URL);
  return {
    url: server.url,
    identityPage: server.url + PROVIDER_PAGE,
    apiKey: sandbox.apiKey,
    sms: (phone: Msisdn) => sandbox.sms(phone),
    customers: async () =>
      SEEDED.map(({ firstName, lastName, phone, pin, status }) => ({
        name: `${firstName} ${lastName}`,
        phone: msisdn(phone),
        status,
        ...(pin && { pin }),
      })),
    restoreCustomer: sandbox.restoreCustomer,
    counter: {
      open: (phone: Msisdn) =>
        sandbox
          .references(phone)
          .filter(({ status }) => status === STATUSES.OPEN)
          .map(({ id, kind, amount }) => ({ id, kind, amount })),
      async execute(id: number) {
        const body = JSON.stringify({ at: 'network' });
        await sandbox.app.request(`/sandbox/references/${id}`, { method: 'POST', body });
      },
    },
    faults: sandbox.faults,
    requests: sandbox.requests,
    attempts: sandbox.attempts,
    setWebhook: (url: string) => sandbox.setWebhook(url, config.webhookKeys[0] as string),
    async close() {
      await server.close();
      await sandbox.close();
    },
  };
}

/** The support console, where it is wanted, and what tells the log where its audit ends. */
async function openConsole(
  config: Config,
  { records, workerStore }: Pick<Base, 'records' | 'workerStore'>,
  parts: Omit<SupportParts, 'records'>,
) {
  const isHere = config.SUPPORT && config.ROLES.includes('console');
  return {
    support: isHere ? await openSupport(config, { ...parts, records }) : undefined,
    outgoing: outgoingOf(config, workerStore, parts.log),
    witnessing: witnessingOf(config, workerStore, parts.secrets, parts.log),
  };
}

/** The support console; the demo sign-in exists only beside the sandbox ("no back door"). */
async function openSupport(config: Config, parts: SupportParts) {
  const { createSupport } = await import('./support/routes.ts');
  const {
    SUPPORT_LINKS: hosts,
    secure,
    oidc,
    wallet,
    TRUSTED_PROXIES: proxies,
    PUBLIC_URL: publicUrl,
    RECORDS_KEEP_AUDIT_DAYS: auditKeptDays,
  } = config;
  return createSupport({
    ...parts,
    hosts,
    secure,
    proxies,
    publicUrl,
    auditKeptDays,
    oidc,
    sandbox: wallet.kind === 'sandbox',
  });
}

function partnerSms(config: Config, log: Logger): SmsSender | undefined {
  const { SMS_AT_USERNAME: username, SMS_AT_API_KEY: apiKey, SMS_AT_SENDER: from } = config;
  return username && apiKey
    ? createAfricasTalkingSms({ username, apiKey, log, ...(from && { from }) })
    : undefined;
}

function codeSender(renderer: Renderer, sms: SmsSender | undefined): SendCode {
  return async (to, code, language) => {
    if (!sms) return 'none';
    const screen = { key: 'linking.codeSms', values: { code: { code } }, expects: 'nothing' } as const;
    const sent = await sms(to, renderer.sms(screen, language).text);
    return sent === 'accepted' ? 'sent' : 'later';
  };
}

/** What is delivered to a channel that is not open is held. */
function byChannel(channels: Readonly<Record<ChannelName, Deliver | undefined>>): Deliver {
  return async (address, push) => channels[channelOf(address)]?.(address, push) ?? 'held';
}

if (import.meta.main) await run();

async function run(): Promise<void> {
  const command = commandIn(process.argv.slice(2));
  if (command.kind === 'help') return console.log(helpText());
  if (command.kind === 'keys') return console.log(newKeys());
  if (command.kind === 'wrong') return end(`${command.why}\n\n${helpText()}`);
  const config = readConfig(process.env);
  if ('refused' in config) return refuse(config.refused);
  if (command.kind === 'start') return runUntilStopped(config);
  if (command.kind === 'check') return runCheck(config);
  return runRecordsCommand(config, command);
}

async function runUntilStopped(config: Config): Promise<void> {
  try {
    const wasl = await start(config);
    let isStopping = false;
    const stop = async (signal: NodeJS.Signals) => {
      // A terminal and npm may both tell us.
      if (isStopping) return;
      isStopping = true;
      // SIGINT comes from a terminal, where nobody wants to wait.
      if (signal === 'SIGTERM') await wasl.drain();
      await wasl.close();
      process.exit(0);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, (name) => void stop(name));
    announce(wasl, config);
  } catch (error) {
    const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
    const settings = ['PORT', 'METRICS_PORT', 'SANDBOX_PORT'] as const;
    const setting = settings.find((name) => config[name] === port) ?? 'PORT';
    refuse(code === 'EADDRINUSE' ? `port ${port} is in use: set ${setting} to another` : message);
  }
}

/** Says where everything is, at every level of the log: to people at a terminal in words, else in a line like all others. */
function announce({ url, supportUrl, sandboxUrl, metricsUrl }: Wasl, { ROLES: roles }: Config): void {
  if (!process.stdout.isTTY) {
    const places = { url, metricsUrl, supportUrl, sandboxUrl };
    openLog('info', process.stdout).info({ release: OWN_RELEASE, roles, ...places }, 'Wasl is ready');
    return;
  }
  console.log(`Wasl is ready: ${url}`);
  if (supportUrl) console.log(`The support console, for one sign-in: ${supportUrl}`);
  if (sandboxUrl) console.log(`The sandbox, which plays the wallet: ${sandboxUrl}`);
}

async function runCheck(config: Config): Promise<void> {
  try {
    process.exitCode = (await check(config, console.log)) ? 0 : 1;
  } catch (error) {
    refuse((error as Error).message);
  }
}

/** `wasl verify` and `wasl customer`: what is kept of the past, without starting anything. */
async function runRecordsCommand(config: Config, command: RecordsCommand): Promise<void> {
  const { recordsCommand } = await import('./records/commands.ts');
  try {
    const { lines, isWell } = await recordsCommand(config, command, ask);
    for (const line of lines) console.log(line);
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    console.error(`Nothing was done: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** What somebody types behind a question; nothing where nobody is there to type. What is asked is no part of the output. */
async function ask(question: string): Promise<string> {
  const typed = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(typed, 'close').then(() => '');
  return Promise.race([typed.question(question), ended]).finally(() => typed.close());
}

function refuse(why: string): void {
  end(`Wasl cannot start: ${why.replace(/\.$/, '')}.`);
}

function end(why: string): void {
  console.error(why);
  process.exit(1);
}
