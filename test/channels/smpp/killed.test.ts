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
/** What is killed, and when the wallet answers an execution and settles it. A webhook must find a process. */
const PROCESS = { slowMs: 10_000, settlesMs: 5_000 };
const LINK = { slowMs: 2_000, settlesMs: 500 };

/** A wallet, an SMSC, and a process of Wasl that is bound to it and can be killed and started again. */
async function stage({ settlesMs }: typeof PROCESS) {
  const sandbox = createSandbox({ file: ':memory:', settings: { settleAfterMs: settlesMs } });
  const served = await sandbox.listen(0);
  let smsc = await startSmsc();
  /** The SMS to the customer from SMSCs that are gone. */
  const before: Told[] = [];
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
  const allSms = () => smsc.told.filter(isSms);
  return {
    sandbox,
    dials() {
      session++;
      return types('*123#', true);
    },
    enters: (text: string) => types(text),
    /** Enters something whose page never comes. */
    sends: (text: string) => void types(text).catch(() => {}),
    sms: async () => textOf(await smsc.next('submit', isSms)),
    countsSms: () => before.length + allSms().length,
    kills: {
      async process() {
        await program.kill();
        await smsc.next('closed');
        program = await begins();
      },
      async bind() {
        smsc.tell({ do: 'cut' });
        await smsc.next('bind');
      },
      async SMSC() {
        before.push(...allSms());
        await smsc.kill();
        smsc = await startSmsc(smsc.port);
        await smsc.next('bind');
      },
    },
  };
}

const isSms = ({ did, type, to }: Told) => did === 'submit' && type !== 'USSD' && to === PHONE;

type Stage = Awaited<ReturnType<typeof stage>>;

async function asksForAmount({ dials, enters }: Stage): Promise<void> {
  expect(await dials()).toContain('Français');
  expect(await enters('1')).toContain('Envoyer');
  await enters('1');
  expect(await enters('0698765432')).toContain('Montant');
}

async function pays({ enters, sandbox }: Stage): Promise<void> {
  expect(await enters('50')).toMatch(/50,00 DH[\s\S]*PIN/);
  expect(await enters(PIN)).toMatch(/50,00 DH/);
  expect(sandbox.executions()).toHaveLength(1);
}

test('the process is killed in the middle of a dialogue: the next one goes on with it', async () => {
  const all = await stage(PROCESS);
  await asksForAmount(all);
  await all.kills.process();
  await pays(all);
});

test.each(['bind', 'SMSC'] as const)(
  'the %s is killed in the middle of a dialogue: the next dial offers to go on with it',
  async (what) => {
    const all = await stage(LINK);
    const { kills, dials, enters } = all;
    await asksForAmount(all);
    await kills[what]();
    expect(await dials()).toMatch(/Continuer/);
    expect(await enters('1')).toContain('Montant');
    await pays(all);
  },
);

/** Nobody knows what has become of a process's payment until the next look at it, three quarters of a minute later. */
const IN_PAYMENT = [
  ['bind', LINK],
  ['SMSC', LINK],
  ...(process.env.LONG === '1' ? [['process', PROCESS] as const] : []),
] as const;
test.each(IN_PAYMENT)(
  'the %s is killed in the middle of a payment: its outcome comes by SMS, once, and nothing is sent twice',
  async (what, times) => {
    const all = await stage(times);
    const { sandbox, enters, sends, sms, dials, countsSms, kills } = all;
    await asksForAmount(all);
    await enters('50');
    sandbox.faults.set({ name: 'slowAnswer', operation: 'executeTransfer', count: 1, delayMs: times.slowMs });
    sends(PIN);
    await expect.poll(() => sandbox.executions().length).toBe(1);
    await kills[what]();
    expect(await sms()).toMatch(/50,00 DH/);
    expect(sandbox.executions()).toHaveLength(1);
    expect(await dials()).toMatch(/50,00 DH/);
    expect(countsSms()).toBe(1);
  },
);
