import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { check } from './check.ts';
import { commandIn, helpText, newKeys } from './commands.ts';
import { type Config, readConfig } from './config.ts';
import { openLog } from './log.ts';
import type { RecordsCommand } from './records/commands.ts';

/** A running Wasl. */
export interface Wasl {
  readonly url: string;
  readonly sandboxUrl: string | undefined;
  /** Signs in to the support console as a demo admin, once. Exists only beside the sandbox. */
  readonly supportUrl: string | undefined;
  /** The address that Prometheus reads. Undefined where nothing is measured. */
  readonly metricsUrl: string | undefined;
  /** Says on `/ready` that it ends, and serves on until balancers have noticed (`DRAIN_MS`). */
  drain(): Promise<void>;
  close(): Promise<void>;
}

type Start = (config: Config) => Promise<Wasl>;

/** `wasl`: does what it is told, and ends the process where that is over. */
export async function run(
  typed: readonly string[],
  environment: NodeJS.ProcessEnv,
  start: Start,
): Promise<void> {
  const command = commandIn(typed);
  if (command.kind === 'help') return console.log(helpText());
  if (command.kind === 'keys') return console.log(newKeys());
  if (command.kind === 'wrong') return end(`${command.why}\n\n${helpText()}`);
  const config = readConfig(environment);
  if ('refused' in config) return refuse(config.refused);
  if (command.kind === 'start') return runUntilStopped(config, start);
  if (command.kind === 'check') return runCheck(config);
  if (command.kind === 'whatsapp-templates') return runTemplates(config, command.submits);
  return runRecordsCommand(config, command);
}

async function runUntilStopped(config: Config, start: Start): Promise<void> {
  try {
    const wasl = await start(config);
    let isStopping = false;
    const stop = async (signal: NodeJS.Signals) => {
      // A terminal and npm may both tell us.
      if (isStopping) return;
      isStopping = true;
      // SIGINT comes from a terminal, where nobody wants to wait.
      if (signal === 'SIGTERM') await wasl.drain();
      await wasl.close();
      process.exit(0);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, (name) => void stop(name));
    announce(wasl, config);
  } catch (error) {
    const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
    const settings = ['PORT', 'METRICS_PORT', 'SANDBOX_PORT'] as const;
    const setting = settings.find((name) => config[name] === port) ?? 'PORT';
    refuse(code === 'EADDRINUSE' ? `port ${port} is in use: set ${setting} to another` : message);
  }
}

/** Says where everything is, at every level of the log: to people at a terminal in words, else in a line like all others. */
function announce({ url, supportUrl, sandboxUrl, metricsUrl }: Wasl, { ROLES: roles }: Config): void {
  if (!process.stdout.isTTY) {
    const places = { url, metricsUrl, supportUrl, sandboxUrl };
    openLog('info', `${roles}`, process.stdout).say('Wasl is ready', places);
    return;
  }
  console.log('\nWasl is ready. Open in a browser:');
  console.log(`  ${sandboxUrl ? 'Two phones to try it with' : 'Wasl                     '}   ${url}`);
  if (supportUrl) console.log(`  Support console (one use)   ${supportUrl}`);
  if (sandboxUrl) console.log(`  The wallet behind it        ${sandboxUrl}`);
  console.log('Ctrl+C stops it.\n');
}

async function runCheck(config: Config): Promise<void> {
  try {
    process.exitCode = (await check(config, console.log)) ? 0 : 1;
  } catch (error) {
    refuse((error as Error).message);
  }
}

async function runTemplates({ whatsapp }: Config, submits: boolean): Promise<void> {
  if (!whatsapp?.businessId)
    return end('Nothing was done: WhatsApp is not configured, or WHATSAPP_BUSINESS_ID is not set.');
  const { compareTemplates } = await import('./channels/whatsapp/templates.ts');
  try {
    const { lines, isWell } = await compareTemplates(
      { ...whatsapp, businessId: whatsapp.businessId },
      submits,
    );
    for (const line of lines) console.log(line);
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    end(`Nothing was done: ${(error as Error).message}.`);
  }
}

/** `wasl verify` and `wasl customer`: what is kept of the past, without starting anything. */
async function runRecordsCommand(config: Config, command: RecordsCommand): Promise<void> {
  const { recordsCommand } = await import('./records/commands.ts');
  try {
    const { lines, isWell } = await recordsCommand(config, command, ask);
    for (const line of lines) console.log(line);
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    console.error(`Nothing was done: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** The answer typed to a question. Empty where no terminal is there to type. The question is no part of the output. */
async function ask(question: string): Promise<string> {
  const typed = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(typed, 'close').then(() => '');
  return Promise.race([typed.question(question), ended]).finally(() => typed.close());
}

function refuse(why: string): void {
  end(`Wasl cannot start: ${why.replace(/\.$/, '')}.`);
}

function end(why: string): void {
  console.error(why);
  process.exit(1);
}
