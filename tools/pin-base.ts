import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpOn } from '../src/help.ts';

/**
 * `npm run pin-base [Dockerfile]`: run before a release is built. Pulls the base image that the Dockerfile names, by its name, and
 * writes the digest of what came behind that name, so that the same sources give the same image. Needs docker.
 */
helpOn(
  'npm run pin-base [Dockerfile]   writes the digest of the base image into the Dockerfile; needs docker',
);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BASE = /^ARG BASE=([^\s@]+)(?:@sha256:[\da-f]{64})?$/m;
const DIGEST = /@(sha256:[\da-f]{64})\s*$/;

const file = process.argv[2] ?? join(ROOT, 'Dockerfile');
const text = readFileSync(file, 'utf8');
const name = BASE.exec(text)?.[1];
if (!name) refuse(`${file} names no base image (ARG BASE=…)`);
docker('pull', '--quiet', name);
const repository = docker('image', 'inspect', '--format', '{{index .RepoDigests 0}}', name);
const digest = DIGEST.exec(repository)?.[1];
if (!digest) refuse(`docker knows no digest of ${name}`);
writeFileSync(file, text.replace(BASE, `ARG BASE=${name}@${digest}`));
console.log(`The base image is ${name}@${digest} from now on.`);

function docker(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' });
  if (error) refuse(`docker cannot be run: ${error.message}`);
  if (status !== 0) refuse(`docker ${args[0]}: ${stderr.trim()}`);
  return stdout.trim();
}

function refuse(why: string): never {
  console.error(`The base image was not pinned: ${why}.`);
  process.exit(1);
}
