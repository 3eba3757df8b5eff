import { z } from 'zod';
import { WEBHOOK_TIMEOUT_MS } from '../../wallet/contract/limits.ts';
import { type Struck, struck } from '../faults/faults.ts';

/** Readings of the places where v2.3 is silent. You can change them here. None of these values is shown in v2.3. */
export interface Settings {
  /** How long an execution stays OPEN; 0 settles it before the answer. */
  readonly settleAfterMs: number;
  /** How long a bank takes to settle a transfer to it. */
  readonly bankSettleAfterMs: number;
  /** Open question 28: how long a reference for cash can be executed. */
  readonly referenceValidMs: number;
  /** Open question 2: a wrong PIN is refused with 26001, or a success says `logged: false`. */
  readonly wrongPin: 'refused' | 'notLogged';
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
  /** Settings that partners chose for themselves alone, by their ids. */
  readonly own: Readonly<Record<number, OwnSettings>>;
}

/** The settings that a partner can have of its own: how the API is read where it is silent, and what is down. */
type OwnSettings = Partial<Pick<Settings, 'wrongPin' | 'billNetwork'>>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * 24 * HOUR_MS;

export const SETTINGS_DEFAULT: Settings = {
  settleAfterMs: 1_200,
  bankSettleAfterMs: 5_000,
  referenceValidMs: 48 * HOUR_MS,
  wrongPin: 'refused',
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
  own: {},
};

const ms = z.int().min(0).max(YEAR_MS).optional();
const count = z.int().min(1).max(100).optional();

/** Every setting but the delays of faults, which are part of a fault's own order, and whose a setting is. */
const SWITCHES = {
  settleAfterMs: ms,
  bankSettleAfterMs: ms,
  referenceValidMs: ms,
  wrongPin: z.enum(['refused', 'notLogged']).optional(),
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
} satisfies Record<Exclude<keyof Settings, 'faultDelaysMs' | 'own'>, z.ZodType>;

/** A change of settings. Settings that are left out stay as they are. */
export const settingsOrder = z.strictObject(SWITCHES);
export type SettingsOrder = z.input<typeof settingsOrder>;

/** All settings, as a snapshot keeps them. */
export const keptSettings: z.ZodType<Settings> = settingsOrder.required().extend({
  faultDelaysMs: struck,
  own: z.record(
    z.string(),
    z.object({
      wrongPin: SWITCHES.wrongPin.unwrap().exactOptional(),
      billNetwork: SWITCHES.billNetwork.unwrap().exactOptional(),
    }),
  ),
});
const OWN = ['wrongPin', 'billNetwork'] as const satisfies (keyof OwnSettings)[];

/** The settings as they are for a partner. */
export function settingsOf(settings: Settings, partner: number): Settings {
  return { ...settings, ...settings.own[partner] };
}

/**
 * The settings, in memory only: a sandbox that starts again has those it is started with. Every room reads them when it needs
 * them, so that a change counts from the next request on.
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

  /** @param partner for whom alone those count that a partner can have of its own, by id. Absent: for everybody */
  set(order: SettingsOrder, partner?: number): Settings {
    const wanted = Object.entries(settingsOrder.parse(order)).filter(([, value]) => value !== undefined);
    const own = this.#settings.own;
    if (partner === undefined) {
      const names = new Set(wanted.map(([name]) => name));
      return Object.assign(this.#settings, { own: withoutNames(own, names) }, Object.fromEntries(wanted));
    }
    const isOwn = ([name]: (typeof wanted)[number]) => (OWN as readonly string[]).includes(name);
    const changed = { ...own[partner], ...Object.fromEntries(wanted.filter(isOwn)) };
    const shared = Object.fromEntries(wanted.filter((each) => !isOwn(each)));
    return Object.assign(this.#settings, { own: { ...own, [partner]: changed } }, shared);
  }

  /** As they are for a partner, or with what each has of its own. */
  all(partner?: number): Settings {
    return partner === undefined
      ? { ...this.#settings }
      : { ...settingsOf(this.#settings, partner), own: {} };
  }

  /** Those of another time. */
  restore(to: Settings): void {
    Object.assign(this.#settings, to);
  }

  reset(): void {
    Object.assign(this.#settings, this.#initial);
  }
}

/** The partners' own settings, without those that were set for everybody. */
function withoutNames(all: Settings['own'], names: ReadonlySet<string>): Settings['own'] {
  return Object.fromEntries(
    Object.entries(all).map(([id, own]) => [
      id,
      Object.fromEntries(Object.entries(own).filter(([name]) => !names.has(name))),
    ]),
  );
}
