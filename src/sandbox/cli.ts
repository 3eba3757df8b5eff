#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { driftCommand } from './drift/command.ts';
import { startSandbox } from './library.ts';

const USAGE = `wasl-sandbox [options]                  serves the Partner API v2.3 with play money
wasl-sandbox [options] -- command …     serves it while the command runs, with WALLET_URL and WALLET_API_KEY set
wasl-sandbox drift [--page drift.html] [--writes]
                                        says where the wallet of WALLET_URL and WALLET_API_KEY differs from v2.3 and from the
                                        sandbox. WALLET_PHONE is a customer there. It only reads, unless --writes lets 1 DH move
npm run drift [-- --page drift.html]    the same within Wasl

  --port 8081           absent: 8081, or a free one for a command
  --host 127.0.0.1
  --file sandbox.db     absent: in memory
  --key sandbox-key
  --seed demo           same seed and same requests: same ids, codes and references
  --scenario file.json  customers, balances, faults, clock and webhooks to begin with
  --past                customers have used their wallets before`;

const PORT_DEFAULT = 8081;

/** The command as it was typed. Ends the process where it makes no sense. */
function typed() {
  const separator = process.argv.indexOf('--');
  const words = separator < 0 ? process.argv : process.argv.slice(0, separator);
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      args: words.slice(2),
      options: {
        ...{ port: text, host: text, file: text, key: text, seed: text, scenario: text },
        ...{ page: text, writes: flag, past: flag, help: { ...flag, short: 'h' } },
      },
      allowPositionals: true,
    });
    if (positionals.some((word) => word !== 'drift'))
      throw new Error(`${positionals.join(' ')} is no command of it`);
    const port = Number(values.port ?? PORT_DEFAULT);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${values.port} is no port`);
    return {
      ...values,
      port,
      isDrift: positionals.length > 0,
      command: separator < 0 ? [] : process.argv.slice(separator + 1),
    };
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  console.error(`wasl-sandbox: ${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exit(2);
}

const { key, help, port, page, writes, isDrift, command, ...options } = typed();
if (help) {
  console.log(USAGE);
  process.exit(0);
}
if (isDrift) {
  const {
    WALLET_URL: url,
    WALLET_API_KEY: apiKey,
    WALLET_PHONE: phone,
    WALLET_RECIPIENT: recipient,
  } = process.env;
  if (!url || !URL.canParse(url) || !apiKey) refuse('WALLET_URL and WALLET_API_KEY must name the wallet');
  const isAlike = await driftCommand({ url, apiKey, phone, recipient, page, writes }).catch(refuse);
  process.exit(isAlike ? 0 : 1);
}
const [program, ...args] = command;
const sandbox = await startSandbox({
  ...options,
  port: program && process.argv.every((word) => !word.startsWith('--port')) ? 0 : port,
  ...(key && { apiKey: key }),
}).catch(refuse);

if (program) {
  const env = { ...process.env, WALLET_URL: sandbox.url, WALLET_API_KEY: sandbox.apiKey };
  const child = spawn(program, args, { stdio: 'inherit', env });
  child.once('error', async (error) => {
    await sandbox.close();
    refuse(error);
  });
  child.once('exit', async (code, signal) => {
    await sandbox.close();
    process.exit(signal ? 1 : (code ?? 1));
  });
} else {
  console.log(`Sandbox wallet on ${sandbox.url}, key ${sandbox.apiKey}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      await sandbox.close();
      process.exit(0);
    });
}
