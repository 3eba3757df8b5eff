#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { DestinationStream } from 'pino';
import { openBase } from './base.ts';
import { open as openChannels } from './channels/open.ts';
import { warningsOf } from './config/report.ts';
import { type Config, isThisMachine } from './config.ts';
import { OWN_RELEASE } from './conversation/chart/releases.ts';
import { choresOf } from './conversation/chores.ts';
import type { Address } from './conversation/incoming.ts';
import { open as openConversation } from './conversation/open.ts';
import { startWorker, type Worker } from './conversation/worker.ts';
import { correlated } from './correlation.ts';
import { failed } from './http/failed.ts';
import { listening } from './http/listening.ts';
import { originOf, tellsUnreadable } from './http/network.ts';
import { loopbackHosts, ownHostOnly } from './http/own-host.ts';
import type { Log } from './log/lines.ts';
import { thrown } from './log/thrown.ts';
import { openLog } from './log.ts';
import { run, type Wasl } from './program.ts';
import { open as openSandbox } from './sandbox/open.ts';
import { noteConsole } from './support/access/console-address.ts';
import { open as openSupport } from './support/open.ts';
import { open as openWallet } from './wallet/open.ts';
import { open as openWebhooks } from './webhooks/open.ts';
import { handOn } from './webhooks/outgoing.ts';

/** How long requests under way may take when the process is told to stop. */
const STOP_GRACE_MS = 5_000;
/** How often due cases are looked for. */
const CASES_EVERY_MS = 2_000;

/** Joins the rooms and opens the doors. Rejects with a sentence when a port or the store cannot be had. */
export async function start(config: Config, output?: DestinationStream): Promise<Wasl> {
  const log = beginLog(config, output);
  const rooms = await openRooms(config, log);
  const { engine, sandbox, channels, support, background } = rooms;
  // Metrics come first: while the process waits for its release, no alert may call it dead.
  const metrics = await rooms.metrics?.listen();
  // The process joins before any turn is taken, by a door or by the worker.
  await rooms.fleet.join();
  rooms.opening.waitsForRelease = false;
  const worker = config.ROLES.includes('worker') ? workerOf(rooms) : undefined;
  background.add(engine.lookAtOpen(), 'Payments could not be woken');
  background.add(rooms.workerLag.begin(), 'The lag of workers could not be noted');
  background.add(beginRecording(rooms), 'Recording could not begin');
  const server = await listening(doorsOf(config, rooms), config.PORT, config.HOST, {
    graceMs: STOP_GRACE_MS,
  });
  sandbox?.setWebhook(`${server.url}/webhooks/wallet`);
  if (support && rooms.records)
    background.add(
      noteConsole(rooms.records.settings, server.url),
      'The address of the console could not be noted',
    );
  channels.start(server.url);
  return {
    url: server.url,
    sandboxUrl: sandbox?.url,
    supportUrl: support?.demo && server.url + support.demo.link(),
    metricsUrl: metrics?.url,
    async drain() {
      log.say('Wasl stops: /ready answers 503', { forMs: config.DRAIN_MS });
      rooms.readiness.drain();
      server.drain();
      await sleep(config.DRAIN_MS);
    },
    async close() {
      log.say('Wasl stops: it finishes open requests and takes no new one', { forMs: STOP_GRACE_MS });
      channels.closeStreams();
      // An answer that waits for a store that does not respond is given as long as a request.
      setTimeout(() => engine.stop(), STOP_GRACE_MS).unref();
      await support?.close();
      await Promise.all([server.close(), channels.close()]);
      log.say('Wasl stops: it finishes what it has begun');
      await worker?.stop();
      await background.done();
      await engine.close();
      // The tasks that the last calls have added.
      await background.done();
      await sandbox?.close();
      await Promise.all([metrics?.close(), rooms.tracing?.close()]);
      log.say('Wasl stops: the store is closed');
      await rooms.fleet.leave();
      await rooms.closeStores();
      log.close();
      log.say('Wasl has stopped');
    },
  };
}

/** The rooms behind the doors. */
type Rooms = Awaited<ReturnType<typeof openRooms>>;

function beginLog(config: Config, output: DestinationStream | undefined) {
  const log = openLog(config.LOG_LEVEL, `${config.ROLES}`, output);
  log.say('Wasl starts', { charts: OWN_RELEASE, channels: config.CHANNELS });
  // Before "Wasl is ready", which is written past the others (`announce`).
  log.flush();
  for (const warning of warningsOf(config)) log.say('A setting needs a look', { warning });
  return log;
}

async function openRooms(config: Config, log: Log) {
  const base = await openBase(config, log);
  const sandbox = await openSandbox(config);
  const wallet = sandbox ?? (config.wallet as { url: string; apiKey: string });
  const channels = await openChannels(config, base, { walletUrl: wallet.url, sandbox });
  const wallets = openWallet(wallet, base);
  const engine = openConversation(config, base, { ...wallets, ...channels.serves }, channels.screens);
  const { routes: webhookDoor, ...inbox } = openWebhooks(config, base, { engine, ...wallets });
  const console = await openSupport(config, base, { desk: engine.desk, webhooks: inbox.webhooks });
  return {
    ...base,
    sandbox,
    engine,
    ...inbox,
    webhookDoor,
    ...console,
    channels: { ...channels.open(engine), inbox: channels.inbox },
  };
}

async function beginRecording({ recording, witnessing, ...rooms }: Rooms): Promise<void> {
  await recording?.recorder.begin();
  await recording?.upkeep.begin({ cases: { everyMs: CASES_EVERY_MS, work: () => workOnCases(rooms) } });
  await witnessing?.begin();
}

/** Looks at the cases that are due, and tells the company's own tools of what has happened to others. */
async function workOnCases({
  engine,
  webhooks,
  records,
  workerStore,
}: Pick<Rooms, 'engine' | 'webhooks' | 'records' | 'workerStore'>): Promise<boolean> {
  await engine.lookAtCases(async (webhook) => (await webhooks.find(webhook)) !== undefined);
  if (records) await handOn(records.cases, workerStore, Date.now);
  return false;
}

function workerOf(rooms: Rooms): Worker {
  const { workerStore, engine, webhooks, channels, workerLag, measured, recording, witnessing, failures } =
    rooms;
  const { due: concurrency } = rooms.concurrency;
  const chores = {
    ...choresOf(engine),
    webhook: webhooks.process,
    provider: (from: string) => channels.inbox.process(from as Address),
    lag: workerLag.measure,
    ...(witnessing && { 'audit-witness': witnessing.run }),
    'case-event': rooms.outgoing,
    ...(recording && { recorder: recording.recorder.run, upkeep: recording.upkeep.run }),
  };
  const measuredChores = Object.entries(measured.chores(chores));
  const each = measuredChores.map(([kind, chore]) => [kind, (name: string) => correlated(() => chore(name))]);
  return startWorker(workerStore, Object.fromEntries(each), { ...failures, concurrency });
}

/** The routes that this process serves, by its roles. */
function doorsOf(config: Config, rooms: Rooms): Hono {
  const { store, support, readiness, log } = rooms;
  const app = new Hono();
  const unreadable = () => log.say('A proxy names no address in X-Forwarded-For');
  app.use(tellsUnreadable(config.TRUSTED_PROXIES, unreadable));
  app.use(rooms.tracing?.requests ?? ((c, next) => correlated(next, c.req.header('traceparent'))));
  // Nobody is kept from a demo that is open to the network, and a proxy stands before a real wallet.
  if (rooms.sandbox && isThisMachine(config.HOST))
    app.use(ownHostOnly(loopbackHosts([config.PUBLIC_URL, originOf(config.HOST, config.PORT)])));
  const replicasWaitedFor = config.REDIS_URL ? config.REDIS_REPLICAS_MIN : 0;
  app.get('/health', (c) =>
    c.json({ status: 'ok', replicasWaitedFor, replicasMissing: store.lacksReplicas() }),
  );
  app.route('/ready', readiness.routes);
  const lost = (error: unknown) => log.say('A request failed', thrown(error));
  app.onError(failed(lost, (method) => log.say('A request was cut off by its sender', { method })));
  if (support) {
    app.get('/support/', (c) => c.redirect('/support', 308));
    app.route('/support', support.routes);
  }
  if (config.ROLES.includes('doors')) {
    app.route('/webhooks', rooms.webhookDoor);
    // The person at this machine may be its demo admin. Others who can open the page sign in.
    const own = isThisMachine(config.HOST) && support?.demo;
    const console = support && (() => (own ? own.link() : '/support'));
    for (const [path, routes] of rooms.channels.doors(console)) app.route(path, routes);
  }
  return app;
}

if (import.meta.main) await run(process.argv.slice(2), process.env, start);
