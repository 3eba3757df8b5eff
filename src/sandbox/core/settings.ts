import { z } from 'zod';
import { WEBHOOK_TIMEOUT_MS } from '../../wallet/contract/limits.ts';
import { type Struck, struck } from '../faults/faults.ts';
import { READING_SWITCHES, READINGS_DEFAULT, type Readings } from './readings.ts';

/** Readings of the places where v2.3 is silent. You can change them here. None of these values is shown in v2.3. */
export interface Settings extends Readings {
  /** Unknown names, other content types and another `Host` are refused. */
  readonly strict: boolean;
  /** The `Host` that strict mode asks for. Empty: any. */
  readonly host: string;
  /** How long an execution stays OPEN; 0 settles it before the answer. */
  readonly settleAfterMs: number;
  /** How long a bank takes to settle a transfer to it. */
  readonly bankSettleAfterMs: number;
  /** Open question 28: how long a reference for cash can be executed. */
  readonly referenceValidMs: number;
  /** Open question 3: wrong PINs until the wallet is locked temporarily. */
  readonly pinAttemptsMax: number;
  readonly otpValidMs: number;
  /** Wrong one-time codes until registration is locked (20008), and for how long. */
  readonly otpTriesMax: number;
  readonly otpLockMs: number;
  /** How long it takes to verify who a customer is, once an upgrade is requested or a merchant's documents are complete. */
  readonly verifyAfterMs: number;
  /** How long the 3D Secure page of a card payment waits for its payer. */
  readonly threeDsValidMs: number;
  /** How long a card payment stays authorised without being captured. Then it is released. */
  readonly authorizationValidMs: number;
  /** How long a card that is made of plastic stays in each step of its delivery. */
  readonly cardDeliveryStepMs: number;
  readonly webhookTimeoutMs: number;
  /** `down`: the bill network answers every question with 908, also that for its creditors. */
  readonly billNetwork: 'up' | 'down';
  /** Other delays than those of the closed list, for the faults that magic numbers ask for. */
  readonly faultDelaysMs: Struck;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * 24 * HOUR_MS;

export const SETTINGS_DEFAULT: Settings = {
  ...READINGS_DEFAULT,
  strict: false,
  host: '',
  settleAfterMs: 1_200,
  bankSettleAfterMs: 5_000,
  referenceValidMs: 48 * HOUR_MS,
  pinAttemptsMax: 3,
  otpValidMs: 10 * MINUTE_MS,
  otpTriesMax: 5,
  otpLockMs: 15 * MINUTE_MS,
  verifyAfterMs: 5_000,
  threeDsValidMs: 15 * MINUTE_MS,
  authorizationValidMs: 7 * DAY_MS,
  cardDeliveryStepMs: DAY_MS,
  webhookTimeoutMs: WEBHOOK_TIMEOUT_MS,
  billNetwork: 'up',
  faultDelaysMs: {},
};

const ms = z.int().min(0).max(YEAR_MS).optional();
const count = z.int().min(1).max(100).optional();

/** Every setting but the delays of faults, which are part of a fault's own order. */
const SWITCHES = {
  ...READING_SWITCHES,
  strict: z.boolean().optional(),
  host: z
    .string()
    .regex(/^[\w.:[\]-]{0,255}$/, 'must be a host, with its port')
    .optional(),
  settleAfterMs: ms,
  bankSettleAfterMs: ms,
  referenceValidMs: ms,
  pinAttemptsMax: count,
  otpValidMs: ms,
  otpTriesMax: count,
  otpLockMs: ms,
  verifyAfterMs: ms,
  threeDsValidMs: ms,
  authorizationValidMs: ms,
  cardDeliveryStepMs: z.int().min(1).max(YEAR_MS).optional(),
  webhookTimeoutMs: ms,
  billNetwork: z.enum(['up', 'down']).optional(),
} satisfies Record<Exclude<keyof Settings, 'faultDelaysMs'>, z.ZodType>;

/** A change of settings. Settings that are left out stay as they are. */
export const settingsOrder = z.strictObject(SWITCHES);
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
