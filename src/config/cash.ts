import { z } from 'zod';
import { oneOf } from './list.ts';

/** The longest text that tells where to go, on a handset: with the reference it stays within two pages. */
const POINTS_MAX_CHARS = 120;
const HOURS_MAX = 2_400;

const points = z
  .string()
  .min(1)
  .max(POINTS_MAX_CHARS, `must have at most ${POINTS_MAX_CHARS} characters`)
  .optional();

/** The settings of cash that is paid in and drawn with references. */
export const cashSettings = {
  CASH_IN: oneOf('agents', 'bill-network', 'both').default('agents'),
  CASH_IN_FEES_PERCENT: z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d{1,2})?)$/, 'must be a percentage such as 1.5')
    .transform(Number)
    .optional(),
  CASH_POINTS_FR: points,
  CASH_POINTS_AR: points,
  CASH_POINTS_EN: points,
  CASH_POINTS_AGENT: z.string().min(1).optional(),
  PRINCIPAL_AGENT: z.string().min(1).optional(),
  REFERENCE_VALID_HOURS: z
    .string()
    .regex(/^\d{1,4}$/, `must be hours, 1 to ${HOURS_MAX}`)
    .transform(Number)
    .refine((hours) => hours > 0 && hours <= HOURS_MAX, `must be hours, 1 to ${HOURS_MAX}`)
    .optional(),
  REFERENCE_SMS: z.stringbool({ error: 'must be true or false' }).default(true),
};
const read = z.object(cashSettings);
type CashSettings = z.output<typeof read>;

/** How cash is paid in and drawn (`src/conversation/references/cash-settings.ts`). */
export interface CashConfig {
  readonly ways: (typeof WAYS)[keyof typeof WAYS];
  readonly feesPercent: number;
  readonly validHours?: number;
  readonly points?: Readonly<Record<'fr' | 'ar' | 'en', string>>;
  readonly principalAgent?: string;
  readonly ownAgent?: string;
  readonly sms: boolean;
}

const WAYS = {
  agents: ['agents'],
  'bill-network': ['bill-network'],
  both: ['agents', 'bill-network'],
} as const;
/** The settings of the sandbox, which are public. */
const OF_SANDBOX = { hours: 48, agent: 'PA-1001' } as const;

/** @param isSandbox play money: what is not set is as the sandbox has it */
export function cashOf(settings: CashSettings, isSandbox: boolean): CashConfig {
  const { CASH_POINTS_FR: fr, CASH_POINTS_AR: ar, CASH_POINTS_EN: en } = settings;
  const known = isSandbox ? OF_SANDBOX : { hours: undefined, agent: undefined };
  const {
    REFERENCE_VALID_HOURS: validHours = known.hours,
    CASH_POINTS_AGENT: principalAgent = known.agent,
    PRINCIPAL_AGENT: ownAgent = known.agent,
  } = settings;
  return {
    ways: WAYS[settings.CASH_IN],
    feesPercent: settings.CASH_IN_FEES_PERCENT ?? 0,
    sms: settings.REFERENCE_SMS,
    ...(validHours !== undefined && { validHours }),
    ...(principalAgent !== undefined && { principalAgent }),
    ...(ownAgent !== undefined && { ownAgent }),
    ...(fr && ar && en && { points: { fr, ar, en } }),
  };
}
