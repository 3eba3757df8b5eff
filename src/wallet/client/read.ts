import type { z } from 'zod';
import type { Answer } from '../answer.ts';
import { type OperationStatus, STATUSES } from '../contract/fields.ts';
import type { previewResult } from '../contract/preview.ts';
import type { operationResult } from '../contract/transfers.ts';
import { type Centimes, centimes, fromDecimal } from '../money.ts';
import type { Execution, Preview } from '../wallet.ts';

/** Converts the value of a success to our own types. Every failure stays as it is. */
export function mapped<A, B>(answer: Answer<A>, change: (value: A) => B): Answer<B> {
  return answer.kind === 'ok' ? { kind: 'ok', value: change(answer.value) } : answer;
}

/** For an operation whose success says nothing more. */
export function yes(answer: Answer<unknown>): Answer<true> {
  return mapped(answer, () => true);
}

/** A success without the requested field: its meaning is unknown. */
export const UNREADABLE = { kind: 'unknown', why: 'unreadable' } as const;

/** docs/safety.md, "The preview decides": no fee said is no fee, no total said is amount plus fee. */
export function toPreview(amount: Centimes, preview: z.output<typeof previewResult>): Preview {
  const fees = fromDecimal(preview.feesAmount ?? 0);
  const total =
    typeof preview.totalAmount === 'number' ? fromDecimal(preview.totalAmount) : centimes(amount + fees);
  return { fees, total, openLoop: preview.openLoop ?? false };
}

export function previewed(amount: Centimes, answer: Answer<z.output<typeof previewResult>>): Answer<Preview> {
  return mapped(answer, (preview) => toPreview(amount, preview));
}

/** docs/safety.md, "The preview decides": a name is shown only if the preview returns one. */
export function nameIn({ operation }: z.output<typeof previewResult>): Pick<Preview, 'recipientName'> {
  const said = operation?.recipientName ?? operation?.beneficiaryName;
  return typeof said === 'string' && said.trim() !== '' ? { recipientName: said } : {};
}

/** An operation result, of which v2.3 shows nothing (open question 6): every field may be missing. */
export function toExecution(result: z.output<typeof operationResult>): Execution {
  const { operationId, feesAmount } = result;
  const status = result.transactionStatus ?? result.operationStatus ?? result.status;
  return {
    ...(typeof operationId === 'number' && { operationId }),
    ...(status && { status }),
    ...(typeof feesAmount === 'number' && { fees: fromDecimal(feesAmount) }),
  };
}

/**
 * For executions that no event follows: their answer is the outcome (open question 8), unless it says itself that the
 * operation is not completed. Then the operation has to be read by its id.
 */
export function finalUnlessOpen(status: OperationStatus | null | undefined): { isFinal?: true } {
  return status === undefined || status === null || status === STATUSES.COMPLETED ? { isFinal: true } : {};
}

/** A field under its name in our words, or nothing at all where the wallet left it out or empty. */
export function words<N extends string>(
  name: N,
  said: string | number | null | undefined,
): { [K in N]?: string } {
  const text = String(said ?? '').trim();
  return (text === '' ? {} : { [name]: text }) as { [K in N]?: string };
}

/**
 * Where a picture is: an absolute web address, or a path on the wallet's own. Anything else is dropped: `//host` and
 * `/\host` look like paths and lead elsewhere, `javascript:` and `data:` lead to code.
 */
export function webAddress(said: string | null | undefined): string | undefined {
  const address = said?.trim() ?? '';
  const isSafe = /^(https?:\/\/|\/(?!\/))[^\s\\\p{Cc}]+$/iu.test(address);
  return isSafe && URL.canParse(address, 'https://wallet.invalid') ? address : undefined;
}
