import { writeFileSync } from 'node:fs';
import { createSandbox } from '../sandbox.ts';
import { drift, type Target } from './drift.ts';
import { driftPage, driftText } from './page.ts';

const NOBODY = '+212600099999';

/** The command's options: the wallet, from the environment, and the file of the page. */
interface DriftOptions {
  readonly url: string;
  readonly apiKey: string;
  /** A customer of the partner's wallet, and whom they pay. Absent: those of the sandbox. */
  readonly phone?: string | undefined;
  readonly recipient?: string | undefined;
  readonly page?: string | undefined;
  readonly writes: boolean;
}

/**
 * Asks a partner's real wallet and our sandbox the same questions, prints where they differ, and writes one page about it. Gives
 * whether they answer alike and as v2.3 says. It only reads, unless `writes` is true: then 1 DH moves.
 */
export async function driftCommand(options: DriftOptions): Promise<boolean> {
  const { url, apiKey, page, writes } = options;
  const { phone = '+212600000001', recipient = '+212600000002' } = options;
  const sandbox = createSandbox({ file: ':memory:', past: true });
  try {
    const ours: Target = {
      ...{ url: 'http://sandbox', apiKey: sandbox.apiKey },
      known: { phone: '+212600000001', recipient: '+212600000002', nobody: NOBODY },
      send: (request) => sandbox.app.fetch(request),
    };
    const theirs: Target = {
      ...{ url, apiKey, known: { phone, recipient, nobody: NOBODY } },
      send: (request) => fetch(request),
    };
    const report = await drift(ours, theirs, writes);
    if (page) writeFileSync(page, driftPage(report, url, new Date()));
    console.log(driftText(report));
    return report.rows.length === 0;
  } finally {
    await sandbox.close();
  }
}
