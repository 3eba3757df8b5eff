import { expect, test } from 'vitest';
import { API } from '../../../src/wallet/contract/api.ts';
import { sandbox } from '../kit.ts';

/** Many tools read the patterns of OpenAPI, and few know the flags of JavaScript. */
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape; the assertions say which
const document = async (): Promise<any> => (await sandbox().app.request('/openapi.json')).json();

test('every pattern can be read without a flag, which few tools know', async () => {
  const source = await (await sandbox().app.request('/openapi.json')).text();
  const patterns = new Set<string>();
  JSON.parse(source, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(5);
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\[pPkuU]|\(\?[^:]/);
    expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
  }
});

test.each([
  ['Fatima Zahra', true],
  ['El-Idrissi', true],
  ["N'Diaye", true],
  ['Hélène Œuvrard', true],
  ['E\u0301lise\u0301', true],
  ['Tiɣri Ɛli', true],
  ['Ḥasan', true],
  ['A', false],
  ['علي', false],
  ['Али', false],
  ['Ali 2', false],
  ['Ali×Baba', false],
  ['-Ali', false],
  ['<b>Ali</b>', false],
])('a name like %s: %s, by the pattern as by the contract', async (name, isOne) => {
  const { components } = await document();
  const { pattern, minLength } = components.schemas.Registration.properties.firstName;
  expect(new RegExp(pattern).test(name) && name.length >= minLength).toBe(isOne);
  expect(API.registerCustomer.body.shape.firstName.safeParse(name).success).toBe(isOne);
});

test.each([
  ['Loyer 11/2026 (1er étage)', true],
  ['Ḥisāb', true],
  ['كراء', false],
  ['Loyer\n', false],
  ['10 €', false],
])('a reason for a bank like %s: %s, by the pattern as by the contract', async (reason, isOne) => {
  const { components } = await document();
  const { pattern } = components.schemas.BankTransferPreviewOrder.properties.Reason;
  expect(new RegExp(pattern).test(reason)).toBe(isOne);
  expect(API.previewBankTransfer.body.shape.Reason.safeParse(reason).success).toBe(isOne);
});
