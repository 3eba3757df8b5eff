import type { Config } from './config.ts';
import { type Background, createBackground } from './conversation/background.ts';
import { type Budgets, createBudgets, smsLimits } from './conversation/budgets.ts';
import { createFleet, type Fleet } from './conversation/chart/fleet.ts';
import { onWords } from './conversation/chart/releases.ts';
import type { Archive } from './conversation/intents/archive.ts';
import { createSecrets, type Secrets } from './conversation/secrets.ts';
import { beginWithKey, FOREIGN_KEY } from './conversation/store-keys.ts';
import { originOf } from './http/network.ts';
import { createReadiness, type Readiness, type ReadinessCheck } from './http/readiness.ts';
import type { Failures, Log } from './log/lines.ts';
import { thrown } from './log/thrown.ts';
import { type Circuits, createCircuits } from './metrics/circuits.ts';
import { open as openMeasures } from './metrics/open.ts';
import { createNames, learningNames, type Names } from './records/names.ts';
import { open as openRecords } from './records/open.ts';
import { isRecordedUntil } from './records/recorder.ts';
import { openRecording, type Recording } from './records/recording.ts';
import type { Records } from './records/records.ts';
import { open as openScreens } from './screen/open.ts';
import type { Renderer } from './screen/renderer.ts';
import { open as openStores } from './store/open.ts';
import { canWrite } from './store/probe.ts';
import type { Store } from './store/store.ts';
import { keptFor } from './support/audit/chain.ts';
import { takeAll, takingLog } from './support/audit/take.ts';
import { takeOlderSettings } from './support/older-settings.ts';
import { createWalletClock, type WalletClock } from './wallet/clock.ts';
import type { Wallet } from './wallet/wallet.ts';

/** The foundation of all rooms of the process. */
export interface Base
  extends Pick<
    Awaited<ReturnType<typeof openMeasures>>,
    'concurrency' | 'metrics' | 'measured' | 'tracing' | 'workerLag' | 'onOdd'
  > {
  readonly log: Log;
  /** Failures that come and go by themselves, as the log has them. */
  readonly failures: Failures;
  readonly background: Background;
  readonly store: Store;
  readonly workerStore: Store;
  readonly consoleStore: Store;
  closeStores(): Promise<unknown>;
  readonly records: Records | undefined;
  readonly archive: Archive;
  readonly recording: Recording | undefined;
  readonly names: Names | undefined;
  /**
   * Notes what the wallet calls its customers, where there are records.
   * @param asked the wallet, for names that nobody waits for
   */
  hearNames(api: Wallet, asked: Wallet): Wallet;
  readonly secrets: Secrets;
  readonly budgets: Budgets;
  readonly renderer: Renderer;
  readonly fleet: Fleet;
  readonly circuits: Circuits;
  readonly clock: WalletClock;
  readonly readiness: Readiness;
  readonly opening: { waitsForRelease: boolean };
  /** The address of the forms for browsers of customers. */
  readonly formAt: string | undefined;
}

/** Opens it. Rejects with a sentence where the store or the records cannot be had, or are not ours. */
export async function openBase(config: Config, log: Log): Promise<Base> {
  const failures = failuresIn(log);
  const background = createBackground(failures.onError);
  const stores = await openStores(config, { log });
  const { store, workerStore, consoleStore } = stores;
  const { records, archive } = await openRecords(config, { stores: [store, workerStore, consoleStore], log });
  const [circuits, clock] = [createCircuits(), createWalletClock()];
  const readiness = createReadiness(checksOf(store, records, circuits, clock));
  const opening = { waitsForRelease: false };
  const { isDraining } = readiness;
  const flags = { isDraining, waitsForRelease: () => opening.waitsForRelease, skewMs: clock.skewMs };
  const measures = await openMeasures(config, { store, circuits, flags, log });
  const { measured, metrics, tracing } = measures;
  const closeStores = () =>
    Promise.all([...new Set(Object.values(stores)), records].map((each) => each?.close()));
  const asked = (each: Store) => measured.store(tracing?.store(each) ?? each);
  const seen = {
    store: asked(store),
    workerStore: asked(workerStore),
    consoleStore: asked(consoleStore),
  };
  const secrets = await secretsFor(config, seen.store, closeStores);
  const names = records && createNames({ records, secrets, now: Date.now });
  return {
    ...seen,
    ...measures,
    ...{
      log,
      failures,
      background,
      closeStores,
      records,
      archive,
      names,
      secrets,
      circuits,
      clock,
      readiness,
    },
    opening,
    recording: records && recordingOf(config, { store: workerStore, records, secrets }, metrics?.meter, log),
    hearNames: (api, asked) =>
      names
        ? learningNames(api, names, {
            asked,
            inBackground: (work) => background.add(work, 'Saved names could not be written down'),
          })
        : api,
    budgets: measured.budgets(budgetsOf(config, seen.store, secrets, log)),
    ...openReleases(config, { store: seen.store, opening, failures, log }),
    formAt: formAtOf(config),
  };
}

function failuresIn(log: Log): Failures {
  return {
    onError: (error, line, fields) => log.say(line, { ...fields, ...thrown(error) }),
    onBack: (line) => log.over(line),
  };
}

/** Seals and digests under keys that the store knows. Rejects where the store does not know them. */
async function secretsFor(config: Config, store: Store, closeStores: Base['closeStores']): Promise<Secrets> {
  const secrets = createSecrets(...config.secretsKeys);
  if (await beginWithKey(store, secrets, config.SECRETS_KEY_LOST)) return secrets;
  await closeStores();
  throw new Error(FOREIGN_KEY);
}

/**
 * The checks of `/ready`. Only the store is needed, and only once. Where it or the wallet is down, it is down for every
 * process, and customers read a true sentence of ours instead of a balancer's error. Turns wait in the store for the
 * records.
 */
function checksOf(
  store: Store,
  records: Records | undefined,
  { areClosed }: Circuits,
  { isRight }: WalletClock,
): readonly ReadinessCheck[] {
  const takesTurns = async () => (await records?.isWell()) === true && isRecordedUntil(store, Date.now());
  return [
    { name: 'store', isNeeded: true, isWell: () => canWrite(store, Date.now()) },
    ...(records ? [{ name: 'records', isNeeded: false, isWell: takesTurns }] : []),
    { name: 'wallet', isNeeded: false, isWell: areClosed },
    { name: 'walletClock', isNeeded: false, isWell: isRight },
  ];
}

function recordingOf(
  config: Config,
  kept: { readonly store: Store; readonly records: Records; readonly secrets: Secrets },
  meter: Parameters<typeof openRecording>[1]['meter'],
  log: Log,
): Recording {
  const keptMs = keptFor(config.RECORDS_KEEP_AUDIT_DAYS);
  const chain = { ...kept, records: kept.records.audit, keptMs, now: Date.now, ...takingLog(log) };
  const { store, records } = kept;
  return openRecording(config, {
    store,
    records,
    meter,
    log,
    takeOver: async () => {
      await takeAll(chain);
      await takeOlderSettings({ ...kept, settings: records.settings, now: Date.now });
    },
    onNotForgotten: (kind, error) => log.say('Old records could not be deleted', { kind, ...thrown(error) }),
  });
}

/** The most that strangers may cost, and the log line that reports an attempt. */
function budgetsOf(config: Config, store: Store, secrets: Secrets, log: Log): Budgets {
  const { SMS_PER_HOUR_MAX: smsPerHour, SMS_PER_DAY_MAX: smsPerDay } = config;
  const refusedCards = config.REFUSED_CARDS_PER_DAY_MAX;
  const messagesPerDay = config.SMS_MESSAGES_PER_DAY_MAX;
  return createBudgets({
    store,
    secrets,
    max: {
      ...smsLimits(smsPerHour, smsPerDay),
      ...(refusedCards !== undefined && { refusedCards }),
      ...(messagesPerDay !== undefined && { messagesPerDay }),
    },
    alarm: ({ until, ...spent }) =>
      log.say('A budget of SMS is spent', { ...spent, until: new Date(until).toISOString() }),
  });
}

/** The processes of this and other releases on one store, and a renderer that speaks for all of them. */
function openReleases(
  config: Config,
  { store, opening, failures, log }: Pick<Base, 'store' | 'opening' | 'failures' | 'log'>,
): Pick<Base, 'fleet' | 'renderer'> {
  const { renderer, sentences } = openScreens(
    config,
    // Never in production: a real wallet has no simulator.
    config.wallet.kind === 'sandbox' ? `${pagesAt(config)}/simulator` : undefined,
  );
  const forget = onWords((release, words) => renderer.learn(release, words.sentences));
  const fleet = createFleet({
    store,
    alone: !config.REDIS_URL,
    sentences,
    quietMs: config.DEPLOY_WAIT_SECONDS * 1_000,
    ...failures,
    waits(why) {
      opening.waitsForRelease = true;
      log.say('Wasl waits for conversations of another release', { charts: why.release, others: why.others });
    },
  });
  return { renderer, fleet: { ...fleet, leave: () => fleet.leave().finally(forget) } };
}

/** Where customers open this process's pages. Undefined where nobody has said so. */
function pagesAt({ PUBLIC_URL: publicUrl, HOST, PORT, wallet }: Config): string | undefined {
  const here = wallet.kind === 'sandbox' ? originOf(HOST, PORT) : undefined;
  return (publicUrl ?? here)?.replace(/\/$/, '');
}

function formAtOf(config: Config): string | undefined {
  const at = pagesAt(config);
  return at && `${at}/form`;
}
