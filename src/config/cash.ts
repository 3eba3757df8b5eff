import { z } from 'zod';
import type { FeeStep } from '../conversation/references/cash-settings.ts';
import { list, oneOf, whole } from './list.ts';

/** The longest text that tells where to go, on a handset: with the reference it stays within two pages. */
const POINTS_MAX_CHARS = 120;
const HOURS_MAX = 2_400;
/** A fee in dirhams, and a fee up to an amount. */
const FEE = /^\d{1,4}(?:\.\d{1,2})?$/;
const STEP = /^[1-9]\d{0,6}=\d{1,4}(?:\.\d{1,2})?$/;

const points = z
  .string()
  .min(1)
  .max(POINTS_MAX_CHARS, `must have at most ${POINTS_MAX_CHARS} characters`)
  .optional();

/** `500=5,2000=10,15`: up to 500 DH it costs 5 DH, up to 2000 DH 10 DH, and anything above 15 DH. */
const tariff = list
  .refine(
    isTariff,
    'must be what a withdrawal costs up to an amount, such as 500=5,2000=10,15 (dirhams, the amounts in their order)',
  )
  .transform((all) =>
    all.map((each): FeeStep => {
      const [fee = '', upTo] = each.split('=').reverse();
      return { feeDirhams: Number(fee), ...(upTo !== undefined && { upToDirhams: Number(upTo) }) };
    }),
  );

function isTariff(all: readonly string[]): boolean {
  const upTo = all.map((each) => Number(each.split('=')[0]));
  const isHigher = (i: number) => i === 0 || (upTo[i] ?? 0) > (upTo[i - 1] ?? 0);
  return all.every((each, i) => (STEP.test(each) ? isHigher(i) : i === all.length - 1 && FEE.test(each)));
}

/** The settings of cash that is paid in and drawn with references. */
export const cashSettings = {
  CASH_IN: oneOf('agents', 'bill-network', 'both').default('agents'),
  CASH_IN_FEES_PERCENT: z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d{1,2})?)$/, 'must be a percentage such as 1.5')
    .transform(Number)
    .optional(),
  CASH_OUT_FEES: tariff,
  CASH_POINTS_FR: points,
  CASH_POINTS_AR: points,
  CASH_POINTS_EN: points,
  CASH_POINTS_AGENT: z.string().min(1).optional(),
  PRINCIPAL_AGENT: z.string().min(1).optional(),
  REFERENCE_VALID_HOURS: whole(`must be hours, 1 to ${HOURS_MAX}`, 1, HOURS_MAX).optional(),
  REFERENCE_SMS: z.stringbool({ error: 'must be true or false' }).default(true),
};
const read = z.object(cashSettings);
type CashSettings = z.output<typeof read>;

/** How cash is paid in and drawn (`src/conversation/references/cash-settings.ts`). */
export interface CashConfig {
  readonly ways: (typeof WAYS)[keyof typeof WAYS];
  readonly feesPercent: number;
  readonly outFees: readonly FeeStep[];
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
const OF_SANDBOX = { hours: 48, agent: 'PA-1001', outFees: [{ feeDirhams: 0 }] };

/** @param isSandbox play money: what is not set is as the sandbox has it */
export function cashOf(settings: CashSettings, isSandbox: boolean): CashConfig {
  const { CASH_POINTS_FR: fr, CASH_POINTS_AR: ar, CASH_POINTS_EN: en } = settings;
  const known = isSandbox ? OF_SANDBOX : { hours: undefined, agent: undefined, outFees: [] };
  const {
    REFERENCE_VALID_HOURS: validHours = known.hours,
    CASH_POINTS_AGENT: principalAgent = known.agent,
    PRINCIPAL_AGENT: ownAgent = known.agent,
  } = settings;
  return {
    ways: WAYS[settings.CASH_IN],
    feesPercent: settings.CASH_IN_FEES_PERCENT ?? 0,
    outFees: settings.CASH_OUT_FEES.length > 0 ? settings.CASH_OUT_FEES : known.outFees,
    sms: settings.REFERENCE_SMS,
    ...(validHours !== undefined && { validHours }),
    ...(principalAgent !== undefined && { principalAgent }),
    ...(ownAgent !== undefined && { ownAgent }),
    ...(fr && ar && en && { points: { fr, ar, en } }),
  };
}
