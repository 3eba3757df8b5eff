import type { BillAnswer } from '../../../machines/kit/order.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { BillValue } from '../../wallet/services.ts';

/** What the customer filled into a bill form, as it is sent; undefined when a password is too old to be opened. */
export function openAnswers(
  answers: readonly BillAnswer[],
  open: (sealed: Sealed) => string | undefined,
): readonly BillValue[] | undefined {
  const values = answers.map((answer): BillValue | undefined => {
    if ('value' in answer) return answer;
    const value = open(answer.sealed);
    return value === undefined ? undefined : { name: answer.name, value };
  });
  return values.every((each) => each !== undefined) ? values : undefined;
}
