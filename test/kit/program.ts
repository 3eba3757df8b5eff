import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { COMPILED } from './tree.ts';

/** A program of this project that runs in a process of its own. */
export interface Program {
  readonly url: string;
  /** From its start to the line that says where it listens. */
  readonly startMs: number;
  /** The processor time used so far, in nanoseconds (Linux's schedstat). */
  cpuSeconds(): number;
  /** Sends SIGTERM and waits for the end. Does nothing after the end. */
  stop(): Promise<void>;
  /** Kills it at once (SIGKILL), and waits for the end. */
  kill(): Promise<void>;
}

/**
 * Starts a file of this project, and waits for the first line of its output that says where it listens.
 * @param path from the project's folder
 */
export async function startProgram(
  path: string,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Program> {
  const startedAt = performance.now();
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const env = { ...process.env, ...COMPILED, ...environment };
  const child = spawn(process.execPath, [...flags, file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await listeningAt(child);
  return {
    url,
    startMs: performance.now() - startedAt,
    cpuSeconds: () => cpuSecondsOf(child),
    stop: () => ended(child, 'SIGTERM'),
    kill: () => ended(child, 'SIGKILL'),
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function listeningAt(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('a program that cannot be heard');
  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error(`it did not start: ${said.join('\n')}`);
}

/** Of all its threads, the collector's too. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return threads.reduce((sum, ns) => sum + ns, 0) / 1e9;
}
