import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect } from 'vitest';
import { SANDBOX_API_KEY } from '../../src/config.ts';
import type { Wasl } from '../../src/program.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { ASKS_FROM_500_DH } from '../kit/first-payments.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startWasl } from '../kit/start-wasl.ts';
import { PAGE_MAX_MS, theBrowser } from './pages.ts';

const browser = await theBrowser();

/**
 * Wasl as `npm start` runs it, new for each test, and a browser. A page's complaints fail its test unless it `expects`
 * them.
 */
export function theStage({
  expects,
  settings,
}: {
  readonly expects?: RegExp;
  readonly settings?: Readonly<Record<string, string>>;
} = {}) {
  let wasl: Wasl;
  let troubles: string[];

  beforeEach(async () => {
    const env = {
      PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: newDirectory('browser'),
      LOG_LEVEL: 'silent',
      ...ASKS_FROM_500_DH,
      ...settings,
    };
    wasl = await startWasl(env);
    troubles = [];
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await wasl.close();
    expect(troubles).toEqual([]);
  });

  const wallet = () => createWallet({ url: wasl.sandboxUrl ?? '', apiKey: SANDBOX_API_KEY });
  return {
    get wasl(): Wasl {
      return wasl;
    },
    /** Money goes from one wallet to another one, past Wasl. */
    async sends(dirhams: number, from: string, to: string): Promise<void> {
      const order = { from: msisdn(from), to: msisdn(to), amount: centimes(dirhams * 100), reason: 'Test' };
      expect(await wallet().transfer(order, { requestId: randomUUID() })).toMatchObject({ kind: 'ok' });
    },
    async changesPin(phone: string, oldPin: string, newPin: string): Promise<void> {
      const changed = await wallet().changePin({ phone: msisdn(phone), oldPin, newPin });
      expect(changed).toMatchObject({ kind: 'ok' });
    },
    /** The balance of a wallet in centimes, and its operations, oldest first. */
    async ledger(of: string) {
      const balance = await wallet().balance(msisdn(of));
      const listed = await wallet().operations(msisdn(of), { pageSize: 100 });
      if (balance.kind !== 'ok' || listed.kind !== 'ok') throw new Error('the sandbox does not answer');
      return { balance: balance.value, operations: listed.value.operations.toSorted((a, b) => a.id - b.id) };
    },
    /** Somebody at a counter executes a reference of this wallet, the newest or this one, as the desk of the sandbox plays it. */
    async counter(phone: string, reference?: string): Promise<void> {
      const at = `${wasl.sandboxUrl}/sandbox/references`;
      const answer = await fetch(`${at}?${new URLSearchParams({ phone })}`);
      const listed = (await answer.json()) as { readonly id: number; readonly reference: string }[];
      const id = listed.find((each) => [each.reference, undefined].includes(reference))?.id;
      const body = JSON.stringify({ at: 'network' });
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(`${at}/${id}`, { method: 'POST', headers, body })).status).toBe(200);
    },
    /** A page in a browser profile of its own. */
    async page({ locale = 'fr-MA', width = 1280, height = 800 } = {}): Promise<Page> {
      const context = await browser.newContext({ locale, viewport: { width, height } });
      context.setDefaultTimeout(PAGE_MAX_MS);
      const page = await context.newPage();
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // Some browsers ask for the icon of any page, and a page of data has none.
        if (message.location().url.endsWith('/favicon.ico')) return;
        if (message.type() === 'error' && !expects?.test(message.text())) troubles.push(message.text());
      });
      return page;
    },
  };
}
