import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchHttp } from './http.ts';

console.table(await benchHttp(mkdtempSync(join(tmpdir(), 'wb-'))));
