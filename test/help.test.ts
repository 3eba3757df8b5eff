import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { newDirectory } from './kit/new-directory.ts';
import { COMPILED, ROOT, readText } from './kit/tree.ts';

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
const COMMANDS = Object.entries(scripts).filter(
  ([name, line]) => /\bnode .*\.ts$/.test(line) && !name.startsWith('pre'),
);

async function runs(line: string, cwd: string) {
  const env = {
    ...process.env,
    ...COMPILED,
    PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  };
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out: `${out}`, err: `${err}` };
}

test.each(COMMANDS)('npm run %s -- --help says how it is used, and does nothing', async (name, line) => {
  const { code, out, err } = await runs(`${line} --help`, ROOT);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(name === 'start' ? /^wasl /m : new RegExp(`^npm (?:run )?${name}\\b`, 'm'));
});

test('npm run support works in the image, which has no lock file and installs nothing', async () => {
  const image = newDirectory('image');
  const copied = [...readText('Dockerfile').matchAll(/^COPY (?!--)(\S+) (?:\1|\.\/)$/gm)].map(
    ([, name = '']) => name,
  );
  for (const name of copied) cpSync(join(ROOT, name), join(image, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(image, 'node_modules'));
  const before = readdirSync(image);
  const { code, out } = await runs('npm run --silent support -- --help', image);
  expect([code, out]).toEqual([0, expect.stringContaining('npm run support -- add-admin')]);
  expect(readdirSync(image)).toEqual(before);
});
