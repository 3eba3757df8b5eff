import { agents } from '../../wallet/contract/agents.ts';
import type { ApiName } from '../../wallet/contract/api.ts';
import { beneficiaries } from '../../wallet/contract/beneficiaries.ts';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import { type Refusal, toBusinessError } from '../core/refusal.ts';
import type { Settings } from '../core/settings.ts';
import { MONEY_OPERATIONS } from '../faults/faults.ts';

/** Codes from here on are the sandbox's own. */
const OWN_CODES_FROM = 90_000;
const OTHER_CODE = 77_777;

export function asRead(
  { executions, agentFields, emptyLists, beneficiaryId, billPreview }: Settings,
  name: ApiName,
  endpoint: Endpoint,
  answer: unknown,
): unknown {
  if (emptyLists === 'noContent' && endpoint.none !== undefined && isEmpty(answer)) return null;
  if (executions === 'bare' && MONEY_OPERATIONS.includes(name) && isRecord(answer)) {
    const { operationId, transactionId, transactionReference, transactionStatus, ...rest } = answer;
    return rest;
  }
  if (billPreview === 'enveloped' && name === 'previewBill') return { data: answer };
  if (beneficiaryId === 'long' && name in beneficiaries) return withLongId(answer);
  if (agentFields === 'camel' && name in agents) return withSmallLetters(answer);
  return answer;
}

export function errorAsRead({ stateErrors, errorCodes }: Settings, why: Refusal) {
  const { status, body } = toBusinessError(why);
  const isOther = errorCodes === 'other' && body.errorCode >= OWN_CODES_FROM;
  return {
    status: stateErrors === 'badRequest' ? 400 : status,
    body: isOther ? { ...body, errorCode: OTHER_CODE } : body,
  } as const;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length === 0;
  return isRecord(answer) && Array.isArray(answer.collection) && answer.collection.length === 0;
}

function withLongId(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLongId);
  if (!isRecord(value)) return value;
  const { id: beneficiaryId, collection, ...rest } = value;
  return collection === undefined
    ? { beneficiaryId, ...rest }
    : { collection: withLongId(collection), ...rest };
}

function withSmallLetters(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSmallLetters);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/^./, (first) => first.toLowerCase()),
      withSmallLetters(each),
    ]),
  );
}
