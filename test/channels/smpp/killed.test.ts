import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { ASKS_FROM_500_DH } from '../../kit/first-payments.ts';
import { freePort } from '../../kit/free-port.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { startProgram } from '../../kit/program.ts';
import { startSmsc, type Told, textOf, typedAt } from './smsc.ts';

const PHONE = '212612345678';
const RECIPIENT = '212698765432';
const PIN = '7391';
const WEBHOOK_KEY = 'a webhook key of the test';
/** The wallet answers an execution after this time. The process is killed meanwhile. */
const SLOW_MS = 10_000;
/** Longer than a process takes to start: the webhook finds the next one. */
const SETTLES_MS = 5_000;

/** A wallet, an SMSC, and a process of Wasl that is bound to it and can be killed and started again. */
async function stage() {
  const sandbox = createSandbox({ file: ':memory:', settings: { settleAfterMs: SETTLES_MS } });
  const served = await sandbox.listen(0);
  const smsc = await startSmsc();
  const port = await freePort();
  const person = { lastName: 'Alami', level: 2, status: 3, pin: PIN } as const;
  for (const [phone, firstName] of [
    [PHONE, 'Fatima'],
    [RECIPIENT, 'Youssef'],
  ] as const)
    sandbox.addCustomer({ ...person, phone: msisdn(`+${phone}`), firstName, balance: centimes(50_000) });
  sandbox.setWebhook(`http://127.0.0.1:${port}/webhooks/wallet`, WEBHOOK_KEY);
  const environment = {
    PORT: `${port}`,
    DATA_DIR: newDirectory('smpp-killed'),
    WALLET_URL: served.url,
    WALLET_API_KEY: sandbox.apiKey,
    WEBHOOK_KEYS: WEBHOOK_KEY,
    SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
    CHANNELS: 'ussd',
    SMPP_BINDS: `smpp://wasl:secret@127.0.0.1:${smsc.port}?from=WASL`,
    SECURE: 'false',
    LOG_LEVEL: 'silent',
    ...ASKS_FROM_500_DH,
  };
  const begins = async () => {
    const program = await startProgram('src/main.ts', environment);
    await smsc.next('bind');
    return program;
  };
  let program = await begins();
  onTestFinished(async () => {
    await program.kill();
    await smsc.kill();
    await served.close();
    await sandbox.close();
  });
  let session = 0x0a00;
  const types = (text: string, isDial = false) =>
    typedAt(smsc, { number: PHONE, info: session.toString(16).padStart(4, '0'), text, isDial });
  return {
    sandbox,
    smsc,
    dials() {
      session++;
      return types('*123#', true);
    },
    enters: (text: string) => types(text),
    /** Enters something whose page never comes. */
    sends: (text: string) => void types(text).catch(() => {}),
    async sms() {
      return textOf(await smsc.next('submit', ({ type, to }) => type !== 'USSD' && to === PHONE));
    },
    async dies() {
      await program.kill();
      await smsc.next('closed');
      program = await begins();
    },
  };
}

/** From the dial to the question for the PIN. The process is killed at the amount. */
async function asksForPin({ dials, enters, dies }: Awaited<ReturnType<typeof stage>>): Promise<void> {
  expect(await dials()).toContain('Francais');
  expect(await enters('1')).toContain('Envoyer');
  await enters('1');
  expect(await enters('0698765432')).toContain('Montant');
  await dies();
  expect(await enters('50')).toMatch(/50,00 DH[\s\S]*PIN/);
}

test('a process that is killed in the middle of a dialogue: the next one goes on with it', async () => {
  const all = await stage();
  await asksForPin(all);
  expect(await all.enters(PIN)).toMatch(/50,00 DH/);
  expect(all.sandbox.executions()).toHaveLength(1);
});

/** Nobody knows what has become of the payment until the next look at it, three quarters of a minute later. */
if (process.env.LONG === '1')
  test('a process that is killed in the middle of a payment: its outcome comes by SMS, once, and nothing is sent twice', async () => {
    const all = await stage();
    const { sandbox, smsc, sends, sms, dials, dies } = all;
    await asksForPin(all);
    sandbox.faults.set({ name: 'slowAnswer', operation: 'executeTransfer', count: 1, delayMs: SLOW_MS });
    sends(PIN);
    await expect.poll(() => sandbox.executions().length).toBe(1);
    await dies();
    expect(await sms()).toMatch(/50,00 DH/);
    expect(sandbox.executions()).toHaveLength(1);
    expect(await dials()).toMatch(/50,00 DH/);
    const isSms = ({ did, type, to }: Told) => did === 'submit' && type !== 'USSD' && to === PHONE;
    expect(smsc.told.filter(isSms)).toHaveLength(1);
  });
