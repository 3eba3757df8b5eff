import { z } from 'zod';
import { whole } from './list.ts';

const AMOUNT_MAX_DH = 1_000_000;
const HOURS_MAX = 720;
const FACTOR_MAX = 1_000;

const amount = (usual: number) => wholeUpTo(AMOUNT_MAX_DH, 'dirhams', usual);

/** The settings of what customers are asked about once more, and of what waits. Amounts are whole dirhams. */
export const safetySettings = {
  NEW_RECIPIENT_ASKS_FROM: amount(0),
  UNUSUAL_FACTOR: wholeUpTo(FACTOR_MAX, 'a number of times', 3),
  UNUSUAL_FROM: amount(1_000),
  COOL_DOWN_ABOVE: amount(1_000),
  COOL_DOWN_HOURS: wholeUpTo(HOURS_MAX, 'hours', 24),
};
const read = z.object(safetySettings);

/** The limits above which Wasl asks once more or waits (`src/conversation/session/safety.ts`). */
export interface SafetyConfig {
  readonly newRecipientFromDirhams: number;
  readonly unusualFactor: number;
  readonly unusualFromDirhams: number;
  readonly coolDownAboveDirhams: number;
  readonly coolDownHours: number;
}

export function safetyOf(settings: z.output<typeof read>): SafetyConfig {
  return {
    newRecipientFromDirhams: settings.NEW_RECIPIENT_ASKS_FROM,
    unusualFactor: settings.UNUSUAL_FACTOR,
    unusualFromDirhams: settings.UNUSUAL_FROM,
    coolDownAboveDirhams: settings.COOL_DOWN_ABOVE,
    coolDownHours: settings.COOL_DOWN_HOURS,
  };
}

function wholeUpTo(max: number, what: string, usual: number) {
  return whole(`must be ${what}, 0 to ${max}`, 0, max).default(usual);
}
