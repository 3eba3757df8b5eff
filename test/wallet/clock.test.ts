import { describe, expect, test } from 'vitest';
import { createWallet } from '../../src/wallet/client.ts';
import { createWalletClock } from '../../src/wallet/clock.ts';
import { answering, FATIMA, HASTY_MS } from './answering.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 5, 0, 400);
const MINUTE_MS = 60_000;
/** A `Date` header, so far from our clock. */
const header = (aheadMs: number) => new Date(NOW + aheadMs).toUTCString();

/** The reading of a clock from these headers, each of an answer with this duration. */
function heard(headers: readonly (string | undefined)[], tookMs = 50) {
  const clock = createWalletClock(() => NOW);
  for (const date of headers) clock.answered(date, tookMs);
  return clock;
}

describe('the wallet’s clock', () => {
  test.each<[string, readonly (string | undefined)[], number, number]>([
    ['nothing heard', [], 0, 0],
    ['no header', [undefined], 0, 0],
    ['a header that is no date', ['soon', ''], 0, 0],
    ['the same second', [header(0)], 0, 0],
    ['within the second that a header leaves out', [header(-400)], 0, 0],
    ['three minutes ahead', [header(3 * MINUTE_MS)], 179_000, 180_000],
    ['three minutes behind', [header(-3 * MINUTE_MS)], -180_000, -179_000],
    ['one odd header among good ones', [header(0), header(9e6), header(0)], 0, 0],
    ['one good header among odd ones', [header(9e6), header(0), header(9e6)], 8_999_000, 9e6],
    ['set right since', [...Array(5).fill(header(9e6)), ...Array(3).fill(header(0))], 0, 0],
  ])('%s', (_case, headers, least, most) => {
    const skewMs = heard(headers).skewMs();
    expect(skewMs).toBeGreaterThanOrEqual(least);
    expect(skewMs).toBeLessThanOrEqual(most);
  });

  test('a slow answer proves no skew that its wait could explain', () => {
    expect(heard([header(-8_000)], 10_000).skewMs()).toBe(0);
    expect(heard([header(-20_000)], 10_000).skewMs()).toBeLessThan(-8_000);
  });

  test.each([
    [29_000, true],
    [-29_000, true],
    [33_000, false],
    [-33_000, false],
  ])('%d ms apart is right: %s', (aheadMs, isRight) => {
    expect(heard([header(aheadMs)]).isRight()).toBe(isRight);
  });

  test.each<[string, typeof fetch | undefined]>([
    ['its own connections', undefined],
    ['a fetch that somebody brings along', fetch],
  ])('is heard in refusals as in successes, over %s', async (_case, own) => {
    const clock = createWalletClock();
    const { url } = await answering((_, response) =>
      response.writeHead(404, { date: new Date(Date.now() + 3 * MINUTE_MS).toUTCString() }).end('{}'),
    );
    const wallet = createWallet({
      url,
      apiKey: 'key',
      clock,
      timeoutMs: HASTY_MS,
      ...(own && { fetch: own }),
    });
    expect((await wallet.balance(FATIMA)).kind).toBe('refused');
    expect(Math.round(clock.skewMs() / MINUTE_MS)).toBe(3);
  });
});
