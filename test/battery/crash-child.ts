import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, SHORT_LIVED } from '../kit/bundled.ts';
import type { Answer } from './process.ts';

/** The process died before it answered. */
export class Died extends Error {
  override name = 'Died';
}

export interface Child {
  webhookUrl: string;
  ask(method: string, args: readonly unknown[]): Promise<unknown>;
  kill(): void;
}

const program = await bundled(join(import.meta.dirname, 'process.ts'));

/** Starts a process that waits with everything loaded, so that a successor is there at once. */
export function prefork(kind: 'sqlite' | 'redis'): Child {
  const child = spawn(process.execPath, [...SHORT_LIVED, program, kind], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'wasl-compile-cache') },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  let dead: Died | undefined;
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
  });
  child.on('message', ({ id, value, error }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error !== undefined) call?.reject(new Error(error));
    else call?.resolve(value);
  });
  child.once('exit', (code, signal) => {
    dead = new Died(`the process ended by ${signal ?? code}`);
    for (const { reject } of waiting.values()) reject(dead);
    waiting.clear();
  });
  return {
    webhookUrl: '',
    async ask(method, args) {
      await ready;
      if (dead) throw dead;
      const answer = Promise.withResolvers<unknown>();
      const id = asked++;
      waiting.set(id, answer);
      child.send({ id, method, args }, (error) => {
        if (error && !dead) answer.reject(new Died(error.message));
      });
      return answer.promise;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
