import { Hono } from 'hono';
import { formRoutes } from '../../src/channels/form/routes.ts';
import { receiptFile } from '../../src/channels/receipt-file.ts';
import type { SmsSender } from '../../src/channels/sms/sms.ts';
import { createSpend } from '../../src/channels/sms/spend.ts';
import { deliverUssd } from '../../src/channels/ussd/deliver.ts';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { type Budgets, createBudgets } from '../../src/conversation/budgets.ts';
import type { CaseTable } from '../../src/conversation/cases/table.ts';
import { choresOf } from '../../src/conversation/chores.ts';
import { whenAway } from '../../src/conversation/desk/reading.ts';
import { createEngine } from '../../src/conversation/engine.ts';
import type { EngineOptions } from '../../src/conversation/engine-options.ts';
import type { Address, Conversations } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { SERVED_DEFAULTS, type Served } from '../../src/conversation/served.ts';
import { createSmsStops, type SmsStops } from '../../src/conversation/sms-stops.ts';
import { startWorker } from '../../src/conversation/worker.ts';
import { listening } from '../../src/http/listening.ts';
import { createArchive } from '../../src/records/archive.ts';
import { createRecorder, type Progress } from '../../src/records/recorder.ts';
import type { Records } from '../../src/records/records.ts';
import { createUpkeep } from '../../src/records/upkeep.ts';
import { PARTITIONS, type Partition, type Store } from '../../src/store/store.ts';
import { createApply } from '../../src/webhooks/apply.ts';
import { createInbox } from '../../src/webhooks/inbox.ts';
import { webhookRoutes } from '../../src/webhooks/routes.ts';
import type { WorldBot } from '../channels/bot-api/stage.ts';
import type { WorldWhatsApp } from '../channels/cloud-api/stage.ts';
import { fakeLog } from '../channels/fakes.ts';
import { ASKS_FROM_500 } from './first-payments.ts';
import { fragile } from './fragile-store.ts';
import { IDENTITY_PAGE, type WorldOptions } from './world-options.ts';
import type { Parts } from './world-parts.ts';

export const WEBHOOK_KEY = 'a webhook key of the tests';
/** The operator's table of banks: the sandbox's bank of the magic RIBs, and no other. */
const BANKS = { 998: 'Banque d’essai' };

/** The process that runs now, and the bot if there is one. Both are replaced while the world goes on. */
export interface Life {
  running: Process;
  bot: WorldBot | undefined;
  whatsapp: WorldWhatsApp | undefined;
  boot(): Promise<Process>;
}
type Process = Awaited<ReturnType<typeof bootProcess>>;

/** Starts a process on the store: the engine, the inbox of webhooks, and the worker. */
export async function bootProcess(
  parts: Parts,
  options: WorldOptions,
  life: Pick<Life, 'bot' | 'whatsapp'>,
  formAt: string | undefined,
) {
  const { api, secrets, clock, background, records, onError, walletClock, alarms } = parts;
  const { now } = clock;
  const { opened, changed } = withChanges(await parts.openStore());
  const store = fragile(opened, parts.weather);
  const budgets = createBudgets({
    ...{ store, secrets, now, max: options.budgets ?? {} },
    alarm: (alarm) => alarms.push(alarm),
  });
  const engine = createEngine({
    ...{ store, api, secrets, now, onError },
    ...(records && { archive: createArchive(records) }),
    caseTable: casesNow(parts, options, store, changed),
    alone: !parts.redisUrl,
    served: servedTo(parts, options, formAt),
    ...(options.fleet && { fleet: options.fleet }),
    skewMs: walletClock.skewMs,
    budgets,
    ...sendingOf(parts, options, life, formAt, { budgets, stops: createSmsStops(store, secrets) }),
  });
  const apply = createApply(engine, api, { skewMs: walletClock.skewMs, now });
  const webhooks = createInbox({ store, secrets, apply, background, now });
  const worker = startWorker(
    store,
    {
      ...choresOf(engine),
      webhook: webhooks.process,
      provider: async (from) =>
        (from.startsWith('telegram:') ? life.bot : life.whatsapp)?.inbox.process(from as Address),
    },
    { now, onError, pollMs: 50 },
  );
  await engine.lookAtOpen();
  const recording = records && recordingOf(parts, options, store, records);
  /** Does what is due about cases, where there are any. */
  const lookAtCases = async () => {
    if (parts.caseRecords.opened())
      await engine
        .lookAtCases(async (webhook) => (await webhooks.find(webhook)) !== undefined)
        .catch(whenAway);
  };
  return { store, engine, webhooks, worker, recording, lookAtCases };
}

function servedTo({ renderer }: Parts, options: WorldOptions, formAt: string | undefined): Partial<Served> {
  return {
    pagesOf: (reply) => pageOf(renderer, reply),
    drawReceipt: receiptFile(renderer),
    labelsOf: renderer.labels,
    ...(options.outcomeWaitMs && { outcomeWaitMs: options.outcomeWaitMs }),
    ...(options.language && { language: options.language }),
    cash: options.cash ?? { ...CASH_DEFAULTS, ways: ['agents', 'bill-network'], ownAgent: 'PA-1001' },
    safety: options.safety ?? ASKS_FROM_500,
    namesPayees: options.namesPayees ?? false,
    advisers: true,
    ...(options.cases && { cases: options.cases }),
    formAt,
    ...paidBySms(options),
    ...(options.without && { without: options.without }),
    ...(options.identityPage !== false && { identityPage: () => IDENTITY_PAGE }),
    banks: BANKS,
  };
}

function paidBySms({ sms, smsFor, smsReceipts = [] }: WorldOptions) {
  const { smsFor: usual } = SERVED_DEFAULTS;
  return { noSms: sms === false, smsFor: smsFor ?? usual, smsReceipts };
}

/** The ways out: SMS, the pages of USSD, and the chats of the bot. */
function sendingOf(
  { inbox, post, spoken }: Parts,
  options: WorldOptions,
  life: Pick<Life, 'bot' | 'whatsapp'>,
  formAt: string | undefined,
  { budgets, stops }: { readonly budgets: Budgets; readonly stops: SmsStops },
): Pick<EngineOptions, 'sendCode' | 'deliver' | 'chatAt'> {
  const { sms = true, smsReports, deliver: elsewhere } = options;
  const send: SmsSender = async (to, text, taken) => {
    if (post.refuses-- > 0) return 'later';
    const sent = await inbox.send(to, text);
    if (smsReports) taken?.(`sms-${inbox.of(to).length}`);
    return sent;
  };
  const spend = createSpend(budgets, paidBySms(options), stops);
  const deliver = deliverUssd({ renderer: spoken, formAt, spend, ...(sms && { sms: send }) });
  return {
    async sendCode(to, code, language) {
      if (!sms) return 'none';
      if (sms === 'down') return 'later';
      const screen = { key: 'linking.codeSms', values: { code: { code } }, expects: 'nothing' } as const;
      await inbox.send(to, spoken.sms(screen, language).text);
      return 'sent';
    },
    async deliver(address, push) {
      if (address.startsWith('ussd:')) return deliver(address, push);
      if (address.startsWith('whatsapp:')) return life.whatsapp?.deliver(address, push) ?? 'held';
      if (elsewhere && !address.startsWith('telegram:')) return elsewhere(address, push);
      return address.startsWith('telegram:') && life.bot ? life.bot.deliver(address, push) : 'held';
    },
    chatAt(address) {
      if (address.startsWith('telegram:')) return life.bot?.chatAt(address);
      return address.startsWith('whatsapp:') ? life.whatsapp?.chatAt(address) : undefined;
    },
  };
}

/** The cases as they are once everything that was said about them is recorded. */
function casesNow(parts: Parts, options: WorldOptions, store: Store, changed: Set<Partition>): CaseTable {
  const { caseRecords, clock } = parts;
  // Nobody but this process commits to the store of such a world, and nobody but this recorder writes its records.
  const isOurs = !parts.records && typeof options.store !== 'object';
  const drain = async (): Promise<Records> => {
    const records = await caseRecords.open();
    const recorder = createRecorder({
      // What is recorded stays in the store: the world may have no archive.
      store: {
        ...(isOurs ? readingChanges(store, changed) : store),
        recorded: (partition, to) => store.recorded(partition, to),
      },
      ...{ records, turnsMax: 10_000, now: clock.now, onProgress() {} },
      ...(options.cases && { settings: options.cases }),
    });
    try {
      await recorder.drain();
    } catch (error) {
      for (const partition of PARTITIONS_ALL) changed.add(partition);
      throw error;
    }
    return records;
  };
  let last: Promise<unknown> = Promise.resolve();
  const now = async () => {
    const drained = last.then(drain);
    last = drained.catch(() => {});
    return (await drained).cases;
  };
  return { read: async (work) => (await now()).read(work), write: async (work) => (await now()).write(work) };
}

const PARTITIONS_ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** A store, and the partitions that may have changed since somebody read all their turns. */
function withChanges(store: Store) {
  const changed = new Set<Partition>(PARTITIONS_ALL);
  const commit: Store['commit'] = async (partition, ...given) => {
    try {
      return await store.commit(partition, ...given);
    } finally {
      changed.add(partition);
    }
  };
  return { changed, opened: { ...store, commit } };
}

/** Reads the turns of the partitions that have changed, and of the first one: a store that is down says so. */
function readingChanges(store: Store, changed: Set<Partition>): Store {
  return {
    ...store,
    async turnsAfter(partition, after, limit) {
      if (partition > 0 && !changed.delete(partition))
        return { entries: [], length: 0, lost: 0, ...(after !== undefined && { recordedTo: after }) };
      const stream = await store.turnsAfter(partition, after, limit);
      if (stream.entries.length > 0) changed.add(partition);
      return stream;
    },
  };
}

/** Records when a test says so, and not by itself. */
function recordingOf({ clock, progress }: Parts, options: WorldOptions, store: Store, records: Records) {
  const { now } = clock;
  const { turnsMax = 10_000 } = options;
  const onProgress = (each: Progress) => progress.push(each);
  const keptDays = { events: 400, payments: 3_653, audit: 730, names: 400 };
  return {
    recorder: createRecorder({ store, records, turnsMax, onProgress, now }),
    upkeep: createUpkeep({
      ...{ store, records, keptDays, now },
      takeOver: async () => {},
      onForgotten() {},
      onNotForgotten() {},
    }),
  };
}

/** The server for webhooks and forms. It stays up while processes come and go. */
export async function openDoors(parts: Parts, options: WorldOptions, life: Life) {
  const { secrets, spoken, onError, clock } = parts;
  const conversations: Pick<Conversations, 'form' | 'cameBack' | 'receive' | 'fallback'> = {
    form: (...given) => life.running.engine.form(...given),
    cameBack: (...given) => life.running.engine.cameBack(...given),
    receive(...given) {
      options.ears?.onForm(given[0].address);
      return life.running.engine.receive(...given);
    },
    fallback: (...given) => life.running.engine.fallback(...given),
  };
  const formLog = fakeLog();
  const app = new Hono()
    .route(
      '/webhooks',
      webhookRoutes({
        inbox: { save: (raw) => life.running.webhooks.save(raw) },
        keys: [WEBHOOK_KEY],
        onError,
      }),
    )
    .route(
      '/form',
      formRoutes({
        ...{ conversations, secrets, renderer: spoken, log: formLog.log, now: clock.now },
        ...{ openers: {}, secure: false, proxies: [] },
        cardLinks: {
          cardLink: (id) => life.running.engine.cardLink(id),
          payCardLink: (...given) => life.running.engine.payCardLink(...given),
        },
      }),
    );
  const server = await listening(app, 0, '127.0.0.1');
  const formAt = options.formAt ?? (options.form ? `${server.url}/form` : undefined);
  return { server, formAt, formLog, webhookUrl: `${server.url}/webhooks/wallet` };
}
