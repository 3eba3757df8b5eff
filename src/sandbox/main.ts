import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxEnvironment } from '../config.ts';
import { helpOn } from '../help.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** `npm run sandbox`: the sandbox wallet alone, for a partner who develops against the API. */
helpOn(`npm run sandbox   the sandbox wallet alone, for partners who develop against the API
Settings: SANDBOX_PORT, HOST, DATA_DIR, SANDBOX_WEBHOOK_NETWORKS (docs/operator/settings.md)`);
const read = sandboxEnvironment.safeParse(process.env);
if (!read.success)
  refuseToStart(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
const { SANDBOX_PORT, SANDBOX_WEBHOOK_NETWORKS: webhookNetworks, HOST, DATA_DIR } = read.data;

const file = join(DATA_DIR, 'sandbox.db');
const sandbox = opened(file);
const server = await sandbox.listen(SANDBOX_PORT, HOST).catch((error: NodeJS.ErrnoException) => {
  const why = error.code === 'EADDRINUSE' ? 'it is in use; set SANDBOX_PORT to another' : error.message;
  return refuseToStart(`port ${SANDBOX_PORT} of ${HOST} cannot be used: ${why}`);
});
console.log(`Sandbox wallet on ${server.url}, key ${sandbox.apiKey}, data in ${file}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.close();
    await sandbox.close();
    process.exit(0);
  });
}

function opened(path: string): Sandbox {
  try {
    mkdirSync(DATA_DIR, { recursive: true });
    return createSandbox({ file: path, past: true, webhookNetworks });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuseToStart(
      /locked/.test(why) ? `${path} is in use by another process` : `${path} cannot be opened: ${why}`,
    );
  }
}

function refuseToStart(why: string): never {
  console.error(`The sandbox cannot start: ${why}.`);
  process.exit(1);
}
