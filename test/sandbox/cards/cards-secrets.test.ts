import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDirectory } from '../../kit/new-directory.ts';
import { call, FATIMA, sandbox } from '../kit.ts';
import { receiver } from '../receiver.ts';
import { AGENT, answers, CAFE, card } from './cards-kit.ts';

/** Numbers that pass the Luhn check, and a CVV that stands in nothing else. */
const PANS = ['4916338506082832', '5425233430109903', '4539578763621486'];
const CVV = '649';

/** Every text that leaves the sandbox, and every byte of its file. */
test('no number and no CVV of a card is in an answer, a page, a webhook, a log or the file', async () => {
  const folder = newDirectory('cards');
  const said: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void said.push(words.join(' ')));
  onTestFinished(() => void vi.restoreAllMocks());
  const partner = await receiver();
  const wallet = sandbox({ file: join(folder, 'sandbox.db'), webhookUrl: partner.url });

  const asks = async (name: Parameters<typeof call>[1], given: Record<string, unknown>) => {
    const answer = await call(wallet, name, given);
    said.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]));
    return answer;
  };
  for (const pan of PANS) {
    const body = card(10, { pan, cvv: CVV, keepAlive: true, notificationUrl: partner.url });
    for (const more of [
      { '3dSecure': false },
      { autoCapture: false },
      { pan: `${pan}1` },
      { expiryDate: '2001' },
    ]) {
      await asks('executeCardCashIn', { phoneNumber: FATIMA, ...body, ...more });
      await asks('executeAgentCardCashIn', { code: AGENT, ...body, ...more });
      const { body: paid } = await asks('executeCardPayment', { phoneNumber: CAFE, ...body, ...more });
      const url = paid.data?.redirectionURL;
      if (!url) continue;
      said.push(await (await wallet.app.request(url)).text());
      said.push(JSON.stringify(await answers(wallet, url, 'confirm')));
    }
  }
  await asks('executeSavedCardCashIn', { PhoneNumber: FATIMA, cardId: 1, Cvv: CVV, Amount: 5 });
  await asks('executeSavedCardCashIn', { PhoneNumber: FATIMA, cardId: 99, Cvv: CVV, Amount: 5 });
  await asks('listCustomerCards', { PhoneNumber: FATIMA });
  await asks('listAgentCards', { code: AGENT });
  await wallet.clock.advance(3_600_000);
  for (const path of ['/', '/sandbox/webhooks', '/sandbox/executions', '/sandbox/ledger'])
    said.push(await (await wallet.app.request(path)).text());
  said.push(...partner.received.map(({ text }) => text));
  expect(said.length).toBeGreaterThan(60);

  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
  );
  expect(files.join('')).toContain('cardPayments');
  for (const pan of PANS) {
    // All of it, or all but the last four digits of it.
    expect([...said, ...files].filter((text) => text.includes(pan.slice(0, 12)))).toEqual([]);
  }
  // Three digits stand in many numbers, so a CVV is looked for as a value of its own.
  const asValue = new RegExp(`["':= ]${CVV}["'&, }]|cvv`, 'i');
  expect(said.filter((text) => new RegExp(`["'= ]${CVV}["'& ]`).test(text))).toEqual([]);
  expect(said.filter((text) => /"cvv":/i.test(text))).toEqual([]);
  expect(files.filter((text) => asValue.test(text.replace(/INVALID_CVV|withoutCvv/g, '')))).toEqual([]);
});
