import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedIn, missingIn } from '../tools/generated.ts';
import { newDirectory } from './kit/new-directory.ts';
import { ROOT, readText } from './kit/tree.ts';

describe('the lists that follow from the folders', () => {
  test.each(Object.entries(generatedIn(ROOT)))('%s is fresh (else: npm run generate)', (path, text) => {
    expect(readText(path) === text).toBe(true);
  });

  test('every conversation and way to pay has its files', () => {
    expect(missingIn(ROOT)).toEqual([]);
  });
});

describe('a new conversation', () => {
  const tree = newDirectory('tree');
  mkdirSync(join(tree, 'test/machines'), { recursive: true });
  for (const folder of ['locales', 'machines', 'src/payments', 'test/machines'])
    cpSync(join(ROOT, folder), join(tree, folder), { recursive: true });
  writeFileSync(join(tree, 'machines/donation.ts'), '');
  writeFileSync(join(tree, 'locales/fr/donation.json'), '{ "ask": "Combien ?", "ask_ussd": "Combien ?" }');

  test('is told which of its files are missing', () => {
    expect(missingIn(tree).sort()).toEqual([
      'locales/ar/donation.json is missing',
      'locales/en/donation.json is missing',
      'test/machines/donation.test.ts is missing',
    ]);
  });

  test('is in the lists once they are generated', () => {
    const files = generatedIn(tree);
    expect(files['machines/kit/sentence-names.ts']).toContain("  'donation': ['ask'],\n");
    expect(files['src/conversation/chart/machine-list.ts']).toContain(
      "export { donation } from '../../../machines/donation.ts';\n",
    );
  });

  test('that pays has the sentences of every payment, too', () => {
    writeFileSync(join(tree, 'locales/fr/donation.json'), '{ "called": "votre don", "brief": "Don" }');
    writeFileSync(
      join(tree, 'src/payments/donation.ts'),
      'export const donation = {\n} satisfies PaymentMethod<DonationOrder>;\n',
    );
    const files = generatedIn(tree);
    expect(files['machines/kit/sentence-names.ts']).toContain("  'donation': ['called', 'processing', ");
    expect(files['src/payments/list.ts']).toContain("  'donation': donation,\n");
  });
});
