import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { FILE_BYTES_MAX } from '../../src/wallet/client/call.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { type Ask, answering, asked, error, FATIMA, HASTY_MS, ok, refused, unknown } from './answering.ts';

const receipt: Ask = (wallet) => wallet.billReceipt(FATIMA, 12);
const UNREADABLE = unknown('unreadable');
const PHONE = '%2B212600000001';

const file =
  (type: string | undefined, bytes: Uint8Array) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(bytes);
const PDF = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0xfe, 0x0a]);

test.each<[string, string | undefined, Uint8Array, unknown]>([
  ['a PDF', 'application/pdf', PDF, ok({ type: 'application/pdf', bytes: PDF })],
  ['its parameters', 'Application/PDF; name="x"', PDF, ok({ type: 'application/pdf', bytes: PDF })],
  ['no type', undefined, PDF, ok({ type: 'application/octet-stream', bytes: PDF })],
  ['a type that is none', 'pdf', PDF, ok({ type: 'application/octet-stream', bytes: PDF })],
  ['an empty file', 'application/pdf', new Uint8Array(), UNREADABLE],
  ['JSON', 'application/json; charset=utf-8', new TextEncoder().encode('{}'), UNREADABLE],
  [
    'the largest',
    'image/png',
    new Uint8Array(FILE_BYTES_MAX).fill(7),
    expect.objectContaining({ kind: 'ok' }),
  ],
  ['one byte more', 'image/png', new Uint8Array(FILE_BYTES_MAX + 1).fill(7), UNREADABLE],
])('%s', async (_, type, bytes, expected) => {
  const { wallet, requests } = await answering(file(type, bytes));
  expect(await receipt(wallet)).toEqual(expected);
  expect(requests[0]?.line).toBe(`GET /api/bills/bill-receipt/12?phoneNumber=${PHONE}`);
  expect(requests[0]?.headers.accept).toBe('*/*');
});

test.each<[number, unknown, unknown]>([
  [204, '', UNREADABLE],
  [400, error(90025), refused('90025', 'No')],
  [404, '', refused('http404')],
  [302, '', unknown('http302')],
  [500, '', unknown('http500')],
])('%i', async (status, body, expected) => {
  expect((await asked(status, body, receipt)).answer).toEqual(expected);
});

test('one that never ends: unreadable when too large, unknown when the time is up', async () => {
  const endless = await answering((_, response) => {
    const more = () => response.write(new Uint8Array(1_000_000)) && setImmediate(more);
    response.writeHead(200, { 'content-type': 'application/pdf' }).on('drain', more);
    more();
  });
  expect(await receipt(endless.wallet)).toEqual(UNREADABLE);
  const stalled = await answering((_, response) => void response.writeHead(200).write('%PDF'));
  expect(await receipt(createWallet({ url: stalled.url, apiKey: 'key', timeoutMs: HASTY_MS }))).toEqual(
    unknown('timeout'),
  );
});
