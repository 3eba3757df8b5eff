import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Names } from '../../src/records/names.ts';
import type { Records } from '../../src/records/records.ts';
import type { WorldBot } from '../channels/bot-api/stage.ts';
import { expectNoTrouble } from '../channels/bot-api/way.ts';
import type { WorldWhatsApp } from '../channels/cloud-api/stage.ts';
import { lazily } from './lazily.ts';
import { courseOf, storageOf } from './world-course.ts';
import type { WorldOptions } from './world-options.ts';
import { openParts, type Parts } from './world-parts.ts';
import { type People, peopleOf } from './world-people.ts';
import { bootProcess, type Life, openDoors, WEBHOOK_KEY } from './world-process.ts';

export type { Customer } from './customer.ts';
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';
export { LOST, loses, ok, refused, UNSENT } from './meddler.ts';
export { CHANNELS, CHANNELS_ON, CHATS, CHATS_ON, describeOn, testOn } from './rotation.ts';
export {
  IDENTITY_PAGE,
  NADIA,
  OMAR,
  PIN,
  RECIPIENT,
  STORES,
  UNGUARDED,
  type UpdatesBy,
  type WorldOptions,
} from './world-options.ts';

export type World = ReturnType<typeof factsOf> &
  ReturnType<typeof courseOf> &
  ReturnType<typeof storageOf> &
  People & { close(): Promise<void> };

/** All of Wasl without a network: a real store, the sandbox over real HTTP, real webhooks, and a clock that tests move. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const parts = await openParts(options);
  const life = {} as Life;
  const doors = await openDoors(parts, options, life);
  const { formAt, server } = doors;
  life.boot = () => bootProcess(parts, options, life, formAt);
  life.running = await life.boot();
  parts.sandbox.setWebhook(doors.webhookUrl, WEBHOOK_KEY);
  const conversations = options.ears?.conversations(() => life.running.engine);
  if (options.bot) {
    const { openBot } = await import('../channels/bot-api/stage.ts');
    life.bot = await openBot({
      updates: options.bot,
      engine: () => conversations ?? life.running.engine,
      walletUrl: parts.served.url,
      formAt,
      renderer: parts.spoken,
      secrets: parts.secrets,
      store: lazily(() => life.running.store),
      now: parts.clock.now,
    });
  }
  if (options.whatsapp ?? options.bot !== undefined) {
    const { openWhatsApp } = await import('../channels/cloud-api/stage.ts');
    life.whatsapp = await openWhatsApp({
      engine: () => conversations ?? life.running.engine,
      store: lazily(() => life.running.store),
      renderer: parts.spoken,
      secrets: parts.secrets,
      formAt: formAt ?? `${server.url}/form`,
      walletUrl: parts.served.url,
      now: parts.clock.now,
      templates: options.templates,
    });
  }
  const course = courseOf(parts, life);
  const storage = storageOf(parts, life, course.rests);
  const facts = factsOf(parts, life, doors);
  const close = () => closing(parts, life, server);
  const world: World = Object.assign(facts, course, storage, {
    ...peopleOf(parts, () => world),
    close,
  });
  return world;
}

function factsOf(parts: Parts, life: Life, doors: Awaited<ReturnType<typeof openDoors>>) {
  const { sandbox, wallet, weather, post, api, secrets, renderer, clock, errors, alarms, progress } = parts;
  return {
    ...{ sandbox, wallet, api, secrets, renderer, clock, errors },
    /** How the store behaves: with `isDown` it takes nothing. */
    weather,
    /** The number of SMS with outcomes that the provider refuses from now on. */
    post,
    /** Budgets that were spent. */
    alarms,
    /** The reports of the recorder about itself. */
    progress,
    walletUrl: parts.served.url,
    /** The log lines of the form. */
    formLog: doors.formLog,
    formAt: doors.formAt,
    webhookUrl: doors.webhookUrl,
    webhookKey: WEBHOOK_KEY,
    get bot(): WorldBot {
      return life.bot ?? missing('the bot');
    },
    get whatsapp(): WorldWhatsApp {
      return life.whatsapp ?? missing('WhatsApp');
    },
    /** Where the form is served, whatever address its customers are given. */
    formsAt: `${doors.server.url}/form`,
    get engine() {
      return life.running.engine;
    },
    get store() {
      return life.running.store;
    },
    get records(): Records {
      return parts.records ?? missing('records');
    },
    /** The names that customers are found by. */
    get names(): Names {
      return parts.names ?? missing('records');
    },
    /** The recorder of turns and payments, and the upkeep that takes payments out of the store. */
    get recording() {
      return life.running.recording ?? missing('records');
    },
    /** The webhooks that have come. */
    get inbox() {
      return life.running.webhooks;
    },
  };
}

async function closing(parts: Parts, life: Life, server: { close(): Promise<void> }): Promise<void> {
  const { worker, engine, store } = life.running;
  parts.forgetsWords();
  await life.bot?.close();
  await life.whatsapp?.close();
  await worker.stop();
  await engine.close();
  await parts.background.done();
  await server.close();
  await parts.served.close();
  await parts.sandbox.close();
  await store.close();
  await parts.records?.close();
  if (!parts.records) await parts.caseRecords.close();
  await parts.redis?.stop();
  rmSync(parts.directory, { recursive: true, force: true });
}

function missing(what: string): never {
  throw new Error(`this world was made without ${what}`);
}

/** One world for all tests of a file or a `describe`, made before them and closed after them. */
export function theWorld(options: WorldOptions = {}): World {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(options);
  });
  afterEach(() => {
    if (options.bot) expectNoTrouble(world.bot);
  });
  afterAll(() => world?.close());
  return lazily(() => world);
}
