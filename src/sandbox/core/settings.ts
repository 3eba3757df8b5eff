import { z } from 'zod';
import { WEBHOOK_TIMEOUT_MS } from '../../wallet/contract/limits.ts';
import type { OwnSettings, Settings } from './core.ts';

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

/** What is asked of the sandbox: settings left out stay as they are. */
export const settingsOrder = z.strictObject(SWITCHES);
export type SettingsOrder = z.input<typeof settingsOrder>;
const OWN = ['wrongPin', 'billNetwork'] as const satisfies (keyof OwnSettings)[];

/** The settings as they are for a partner. */
export function settingsOf(settings: Settings, partner: number): Settings {
  return { ...settings, ...settings.own[partner] };
}

/**
 * The settings, in memory only: a sandbox that starts again has those it is started with. Every room reads them when it needs
 * them, so that a change counts from the next request on.
 */
export function createSettings(given: Partial<Settings> = {}) {
  const initial: Settings = { ...SETTINGS_DEFAULT, ...given };
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...initial };
  return {
    settings: settings as Settings,
    /** @param partner for whom alone those count that a partner can have of its own, by id; absent: for everybody */
    set(order: SettingsOrder, partner?: number): Settings {
      const wanted = Object.entries(settingsOrder.parse(order)).filter(([, value]) => value !== undefined);
      const isOwn = ([name]: (typeof wanted)[number]) =>
        partner !== undefined && (OWN as readonly string[]).includes(name);
      if (partner !== undefined) {
        const own = { ...settings.own[partner], ...Object.fromEntries(wanted.filter(isOwn)) };
        settings.own = { ...settings.own, [partner]: own };
      } else {
        // For everybody: also for whoever had their own.
        const names = new Set(wanted.map(([name]) => name));
        for (const [id, own] of Object.entries(settings.own)) {
          const left = Object.entries(own).filter(([name]) => !names.has(name));
          settings.own = { ...settings.own, [id]: Object.fromEntries(left) };
        }
      }
      return Object.assign(settings, Object.fromEntries(wanted.filter((each) => !isOwn(each))));
    },
    /** As they are for a partner, or with what each has of its own. */
    all: (partner?: number): Settings =>
      partner === undefined ? { ...settings } : { ...settingsOf(settings, partner), own: {} },
    /** Those of another time. */
    restore: (to: Settings): Settings => Object.assign(settings, to),
    reset: () => Object.assign(settings, initial),
  };
}
export type SettingsStore = ReturnType<typeof createSettings>;
