import { describe, expect, test } from 'vitest';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import type { Endpoint } from '../../src/wallet/contract/endpoint.ts';
import {
  answerName,
  bodyName,
  bodySchema,
  componentSchemas,
  parametersOf,
  ref,
  type Schema,
} from '../../src/wallet/published/schemas.ts';
import { EVENTS } from '../../src/wallet/published/webhooks.ts';

/** What is published of the contract: every field counted wherever an operation has it. */
const NAMES = Object.keys(API) as ApiName[];
const SCHEMAS = componentSchemas();

interface Counted {
  readonly at: string;
  readonly field: Schema;
}

function resolved(schema: Schema): Schema {
  const name = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1);
  return name ? { ...SCHEMAS[name], ...schema } : schema;
}

function fieldsIn(at: string, schema: Schema | undefined): readonly Counted[] {
  if (!schema) return [];
  const { items, properties = {} } = resolved(schema);
  if (items) return fieldsIn(at, items);
  return Object.entries(properties).flatMap(([name, field]) => [
    { at: `${at}.${name}`, field },
    ...fieldsIn(`${at}.${name}`, field),
  ]);
}

const hasAnswer = (name: ApiName) => !(API[name] as Endpoint).bare && !(API[name] as Endpoint).binary;
const ANSWERS = NAMES.filter(hasAnswer).flatMap((name) => fieldsIn(name, ref(answerName(name))));
const BODIES = NAMES.flatMap((name) => fieldsIn(name, bodySchema(name)));
const PARAMETERS = NAMES.flatMap((name) => fieldsIn(name, parametersOf(name)));
const EVENT_FIELDS = EVENTS.flatMap(({ kind, schema }) => fieldsIn(kind, schema));

describe('one contract', () => {
  test.each([
    ['answers', ANSWERS, 800],
    ['bodies', BODIES, 280],
    ['paths and queries', PARAMETERS, 159],
    ['events', EVENT_FIELDS, 180],
  ])('every field of %s has a meaning and a source', (_, fields, atLeast) => {
    expect(fields.length).toBeGreaterThan(atLeast);
    const lacking = fields.filter(
      ({ field }) => !/^\S.{2,}[.…] ?(Not in v2\.3\.|\(v2\.3, “.+”\))$/.test(field.description ?? ''),
    );
    expect(lacking.map(({ at, field }) => [at, field.description])).toEqual([]);
  });

  test('at most 15 % of the fields of answers can be null', () => {
    const nullable = ANSWERS.filter(({ field }) => field.nullable);
    expect(nullable.length / ANSWERS.length).toBeLessThanOrEqual(0.15);
  });

  test('money says its unit, and a moment its format', () => {
    const all = [...ANSWERS, ...BODIES, ...PARAMETERS, ...EVENT_FIELDS];
    const numbers = all.filter(({ field }) => field.type === 'number');
    expect(numbers.filter(({ field }) => !/MAD|percent/.test(field.description ?? ''))).toEqual([]);
    const moments = all.filter(({ field }) => field.format === 'date-time');
    expect(moments.filter(({ field }) => !field.description?.includes('ISO 8601'))).toEqual([]);
  });

  test('what v2.3 does not show is marked, and nothing else', () => {
    const marked = [...ANSWERS, ...BODIES].filter(({ field }) => field['x-not-in-v2.3']);
    expect(marked.map(({ at }) => at)).toEqual(
      expect.arrayContaining([
        'executeTransfer.transactionReference',
        'readCard.schemaId',
        'listOperations.collection.cRequestId',
        'listBeneficiaries.collection.id',
        'readPrincipalAgent.account.balance',
      ]),
    );
    for (const shown of ['previewTransfer.feesAmount', 'readOperation.sender', 'executeBill.refReglement'])
      expect(marked.map(({ at }) => at)).not.toContain(shown);
  });
});

describe('codes', () => {
  const named = Object.entries(SCHEMAS).filter(([, schema]) => schema['x-enum-varnames']);

  test('each has a name, and each of its values too', () => {
    expect(named.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        ...['OperationType', 'OperationStatus', 'UnregisterReason', 'DocumentType', 'BillItemType'],
        ...['BillFieldConstraint', 'BillState', 'CardStatus', 'DeliveryStatus', 'CardApplicationStatus'],
      ]),
    );
    for (const [name, schema] of named) {
      expect(schema['x-enum-varnames'], name).toHaveLength(schema.enum?.length ?? 0);
      expect(schema.description, name).toMatch(/^[A-Z].+\. .+/);
    }
    expect(SCHEMAS.CardExpiry).toMatchObject({
      type: 'string',
      description: expect.stringContaining('YYMM'),
    });
  });

  test('one that can be null has null among its values', () => {
    const enums = [...ANSWERS, ...BODIES, ...EVENT_FIELDS].filter(
      ({ field }) => field.nullable && resolved(field).enum,
    );
    expect(enums.length).toBeGreaterThan(0);
    expect(enums.filter(({ field }) => !field.enum?.includes(null))).toEqual([]);
  });
});

test('no shape has the name of another operation', () => {
  const wrong = NAMES.flatMap((name) => {
    const shapes = [bodyName(name), ...(hasAnswer(name) ? [answerName(name)] : [])];
    return shapes.filter((shape) =>
      NAMES.some((other) => other !== name && new RegExp(`^${other}(Body|Answer)$`, 'i').test(shape)),
    );
  });
  expect(wrong).toEqual([]);
});

test('six executions answer all twelve fields of the operation', () => {
  const operations = NAMES.filter((name) => hasAnswer(name) && answerName(name) === 'OperationResult');
  expect(operations).toHaveLength(6);
  expect(Object.keys(SCHEMAS.OperationResult?.properties ?? {})).toHaveLength(12);
});

test('an item of a bill is typed', () => {
  const { prixTTC, typeArticle, idArticle } = SCHEMAS.BillItem?.properties ?? {};
  expect([prixTTC?.type, idArticle?.type, typeArticle?.allOf]).toEqual([
    'number',
    'string',
    [ref('BillItemType')],
  ]);
});
