import { describe, expect, onTestFinished, test } from 'vitest';
import { msisdn } from '../../src/wallet/phone.ts';
import { theWorld } from '../kit/world.ts';

const HOUR_MS = 3_600_000;

describe('what strangers may cost', () => {
  const world = theWorld();
  let last = 0;
  /** A fresh cookie. */
  const visitor = (network: string) => world.stranger({ channel: 'web' }).comesFrom(network);
  const number = () => msisdn(`+2127${String(last++).padStart(8, '0')}`);

  test('SMS pumping: 120 fresh cookies of one address have no more than 30 codes sent to 120 numbers', async () => {
    const numbers = Array.from({ length: 120 }, number);
    for (const phone of numbers) await visitor('203.0.113.1').opens().says(phone);
    const sent = numbers.flatMap((phone) => world.sms(phone));
    expect(sent).toHaveLength(30);
  });

  test('five strangers of one address do not keep a number from being linked by who has it', async () => {
    const fatima = world.customer({ channel: 'web' }).comesFrom('198.51.100.1');
    for (let i = 0; i < 5; i++) await visitor('203.0.113.2').opens().says(fatima.phone);
    await fatima
      .opens()
      .says(fatima.phone)
      .sees('linking.askCode')
      // Another stranger asks before she has typed hers.
      .meanwhile(() => visitor('203.0.113.3').opens().says(fatima.phone));
    const codes = world.sms(fatima.phone).map((text) => /\d{3}-\d{3}/.exec(text)?.[0] ?? '');
    await fatima.says(codes.at(-2) ?? '').sees('unlocking.askPin', { phone: fatima.phone });
  });
});
