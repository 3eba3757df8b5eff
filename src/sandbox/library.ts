import { readFileSync } from 'node:fs';
import { parseJson } from '../http/json.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import type { Scenario } from './scenario/scenario.ts';

export type { Partner } from './room.ts';
export type { FaultOrder, Settings } from './sandbox.ts';
export type { Played, Scenario } from './scenario/scenario.ts';

type Opened = Omit<SandboxOptions, 'clock' | 'partners' | 'webhookNetworks'>;

/** How a sandbox is started from a program or a test. Everything may be left out: it is then in memory, with `sandbox-key`. */
interface StartOptions extends Partial<Opened> {
  /** Absent: a free one. */
  readonly port?: number;
  /** Absent: this machine alone. */
  readonly host?: string;
  /** A scenario to begin with: a file of JSON, or its content. */
  readonly scenario?: string | Scenario;
}

/** A sandbox that is served, and what is needed to drive it. */
export interface Running extends Omit<Sandbox, 'app' | 'listen' | 'close'> {
  /** `http://127.0.0.1:41873`. */
  readonly url: string;
  readonly port: number;
  /** Ends the server, the timers and the file. */
  close(): Promise<void>;
}

/**
 * Starts the Partner API v2.3 with play money, on a port of this machine:
 * `const sandbox = await startSandbox()`, then `sandbox.url`, `sandbox.apiKey`, and at the end `await sandbox.close()`.
 * Rejects if the port is taken, or the scenario makes no sense.
 */
export async function startSandbox(options: StartOptions = {}): Promise<Running> {
  const { port = 0, host, scenario, file = ':memory:', ...more } = options;
  const { listen, app: _, close, ...sandbox } = createSandbox({ file, ...more });
  try {
    const server = await listen(port, host);
    if (scenario !== undefined) await sandbox.play(contentOf(scenario));
    return {
      ...sandbox,
      url: server.url,
      port: server.port,
      async close() {
        await server.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param scenario a path, or the content itself, which is checked when it is played */
function contentOf(scenario: string | Scenario): unknown {
  if (typeof scenario !== 'string') return scenario;
  const content = parseJson(readFileSync(scenario, 'utf8'));
  if (content === undefined) throw new Error(`${scenario} is no JSON`);
  return content;
}
