import { z } from 'zod';
import { WEBHOOK_TIMEOUT_MS } from '../../wallet/contract/limits.ts';
import { type Struck, struck } from '../faults/faults.ts';
import { READING_SWITCHES, READINGS_DEFAULT, type Readings } from './readings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * 24 * HOUR_MS;

const ms = z.int().min(0).max(YEAR_MS);
const count = z.int().min(1).max(100);

/** Each setting that is no reading: its values, its default, and its label where the desk asks for a number. */
const OWN = {
  /** Unknown names, other content types and another `Host` are refused. */
  strict: z.boolean().default(false),
  /** The `Host` that strict mode asks for. Empty: any. */
  host: z
    .string()
    .regex(/^[\w.:[\]-]{0,255}$/, 'must be a host, with its port')
    .default(''),
  /** `down`: the bill network answers every question with 908, also that for its creditors. */
  billNetwork: z.enum(['up', 'down']).default('up'),
  settleAfterMs: ms.default(1_200).describe('An execution stays OPEN for, ms'),
  bankSettleAfterMs: ms.default(5_000).describe('A bank takes to settle, ms'),
  /** Open question 28: how long a reference for cash can be executed. */
  referenceValidMs: ms.default(48 * HOUR_MS).describe('A reference for cash is valid for, ms'),
  /** How long it takes to verify who a customer is, once an upgrade is requested or a merchant's documents are complete. */
  verifyAfterMs: ms.default(5_000).describe('It takes to verify who a customer is, ms'),
  otpValidMs: ms.default(10 * MINUTE_MS).describe('A one-time code is valid for, ms'),
  otpTriesMax: count.default(5).describe('Wrong one-time codes until registration is locked'),
  otpLockMs: ms.default(15 * MINUTE_MS).describe('Registration then stays locked for, ms'),
  /** Open question 3: wrong PINs until the wallet is locked temporarily. */
  pinAttemptsMax: count.default(3).describe('Wrong PINs until the wallet is locked'),
  threeDsValidMs: ms.default(15 * MINUTE_MS).describe('A 3D Secure page waits for, ms'),
  authorizationValidMs: ms.default(7 * DAY_MS).describe('An authorised card payment is held for, ms'),
  /** How long a card that is made of plastic stays in each step of its delivery. */
  cardDeliveryStepMs: ms
    .min(1)
    .default(DAY_MS)
    .describe('A plastic card stays in each step of its delivery for, ms'),
  webhookTimeoutMs: ms.default(WEBHOOK_TIMEOUT_MS).describe('A partner has time to answer a webhook, ms'),
};
const own = z.object(OWN);

/** Readings of the places where v2.3 is silent. You can change them here. None of these values is shown in v2.3. */
export interface Settings extends Readings, Readonly<z.output<typeof own>> {
  /** Other delays than those of the closed list, for the faults that magic numbers ask for. */
  readonly faultDelaysMs: Struck;
}

export const SETTINGS_DEFAULT: Settings = { ...READINGS_DEFAULT, ...own.parse({}), faultDelaysMs: {} };

/** The label of each setting that is a number, in the order in which the desk shows them. */
export const NUMBER_SETTINGS = Object.entries(OWN).flatMap(([name, { description }]) =>
  description === undefined ? [] : [[name as keyof typeof OWN, description] as const],
);

/** Every setting but the delays of faults, which are part of a fault's own order. */
const SWITCHES = Object.fromEntries(
  Object.entries(OWN).map(([name, each]) => [name, each.unwrap().optional()]),
) as { readonly [Name in keyof typeof OWN]: z.ZodOptional<ReturnType<(typeof OWN)[Name]['unwrap']>> };

/** A change of settings. Settings that are left out stay as they are. */
export const settingsOrder = z.strictObject({ ...READING_SWITCHES, ...SWITCHES });
export type SettingsOrder = z.input<typeof settingsOrder>;

/** All settings, as a snapshot keeps them. */
export const keptSettings: z.ZodType<Settings> = settingsOrder.required().extend({ faultDelaysMs: struck });

/**
 * The settings of one key, in memory only: a sandbox that starts again has those it is started with. Every room reads them
 * when it needs them, so that a change counts from the next request on.
 */
export class SettingsStore {
  readonly #initial: Settings;
  readonly #settings: { -readonly [Name in keyof Settings]: Settings[Name] };

  constructor(overrides: Partial<Settings> = {}) {
    this.#initial = { ...SETTINGS_DEFAULT, ...overrides };
    this.#settings = { ...this.#initial };
  }

  /** As they are now, and will be: always the same object. */
  get settings(): Settings {
    return this.#settings;
  }

  set(order: SettingsOrder): Settings {
    const wanted = Object.entries(settingsOrder.parse(order)).filter(([, value]) => value !== undefined);
    return Object.assign(this.#settings, Object.fromEntries(wanted));
  }

  all(): Settings {
    return { ...this.#settings };
  }

  /** Those of another time. */
  restore(to: Settings): void {
    Object.assign(this.#settings, to);
  }

  reset(): void {
    Object.assign(this.#settings, this.#initial);
  }
}
