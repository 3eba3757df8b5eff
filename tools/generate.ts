import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpOn } from '../src/help.ts';
import { generatedIn, missingIn } from './generated.ts';

/** `npm run generate`: writes the lists that follow from the folders, and says which files a new conversation still lacks. */
helpOn(
  'npm run generate   writes the lists of sentences, machines and ways to pay that follow from the folders',
);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

for (const [path, text] of Object.entries(generatedIn(ROOT))) writeFileSync(join(ROOT, path), text);
for (const sentence of missingIn(ROOT)) {
  console.error(sentence);
  process.exitCode = 1;
}
