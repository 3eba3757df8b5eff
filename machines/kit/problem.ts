import type { Answer } from '../../src/wallet/answer.ts';
import {
  ERROR_CODES,
  isNotEnabled,
  type RefusalName,
  refusalCode,
} from '../../src/wallet/contract/errors.ts';
import type { Sentence } from './screen.ts';
import type { NameIn } from './sentence-key.ts';

/** Why a wallet call gave no value. */
export type Failure = Exclude<Answer<unknown>, { kind: 'ok' }>;

/**
 * The sentence for a failed call: one for each documented code (`problem.26001`), one for unknown codes (with the code,
 * for support), and one for a wallet that cannot be reached. Undefined where nothing failed.
 */
export function problem(answer: { kind: string }): Sentence | undefined {
  if (!isFailure(answer)) return undefined;
  if (answer.kind !== 'refused') return { key: 'problem.unavailable' };
  const { code, until, above } = answer;
  if (until !== undefined && above !== undefined && isKnown(code))
    return {
      key: `problem.${code}`,
      values: { until: { date: until }, amount: { money: above } },
    };
  return isKnown(code) ? { key: `problem.${code}` } : { key: 'problem.other', values: { code: { code } } };
}

/** True for a code that has a sentence of its own. */
function isKnown(code: string): code is NameIn<'problem'> {
  return ERROR_CODES.includes(code);
}

/** True when the wallet refused for one of these reasons. */
export function isRefusal(
  answer: { kind: string; code?: string },
  ...names: readonly RefusalName[]
): boolean {
  return answer.kind === 'refused' && names.some((name) => refusalCode(name) === answer.code);
}

/** True when a wallet call was refused because the partner's wallet does not have this service. */
export function saysNotEnabled(answer: { kind: string }): boolean {
  return isFailure(answer) && answer.kind === 'refused' && isNotEnabled(answer);
}

/** True where a wallet call gave no value. */
export function isFailure(answer: { kind: string }): answer is Failure {
  return answer.kind === 'refused' || answer.kind === 'unsent' || answer.kind === 'unknown';
}
