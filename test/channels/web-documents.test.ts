import { describe, expect, test } from 'vitest';
import type { Choice, Document, Screen } from '../../machines/kit/screen.ts';
import { createQrReader } from '../../src/channels/qr/decode.ts';
import { webRoutes } from '../../src/channels/web/routes.ts';
import { shown } from '../../src/channels/web/shown.ts';
import { createStreams } from '../../src/channels/web/streams.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { StoreDown } from '../../src/store/store.ts';
import type { WalletFile } from '../../src/wallet/services.ts';
import { ALONE, fakeConversations, fakeLog, push, reply, secrets } from './fakes.ts';

const WALLET_URL = 'https://wallet.example/partner';
const renderer = createRenderer();

/** A chat whose wallet gives this file, or fails so. */
function chat(file: WalletFile | Error | undefined) {
  const asked: [string, Document][] = [];
  const conversations = {
    ...fakeConversations(),
    document: async (address: string, document: Document) => {
      asked.push([address, document]);
      if (file instanceof Error) throw file;
      return file;
    },
  };
  const { log } = fakeLog();
  const web = webRoutes({
    readQr: async () => ({ kind: 'none' }),
    conversations,
    renderer,
    secrets,
    streams: createStreams(ALONE),
    secure: false,
    embedOrigins: [],
    proxies: [],
    walletUrl: WALLET_URL,
    log,
  });
  const get = async (path: string) => {
    const cookie = (await web.request('/')).headers.get('set-cookie')?.split(';')[0] ?? '';
    return web.request(path, { headers: { cookie } });
  };
  return { web, get, asked };
}

const bytes = new TextEncoder().encode('%PDF-1.7 <script>');

describe('a receipt', () => {
  test.each([
    ['application/pdf', 'application/pdf', 'wasl-77.pdf'],
    ['Application/PDF; charset=binary', 'application/pdf', 'wasl-77.pdf'],
    ['image/png', 'image/png', 'wasl-77.png'],
    ['image/jpeg', 'image/jpeg', 'wasl-77.jpg'],
    ['text/html', 'application/octet-stream', 'wasl-77'],
    ['image/svg+xml', 'application/octet-stream', 'wasl-77'],
    ['', 'application/octet-stream', 'wasl-77'],
  ])('that the wallet calls %j is handed on as %s, to be saved', async (type, as, name) => {
    const { get, asked } = chat({ type, bytes });
    const file = await get('/documents/bill-receipt/77');
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe(as);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    expect(asked).toEqual([[expect.stringMatching(/^web:/), { kind: 'bill-receipt', operationId: 77 }]]);
  });

  test.each(['0', '-1', '1.5', '077', '1e3', 'abc', '9999999999999999', '1%2f2', "1'--"])(
    'of %j is none, and the wallet is not asked',
    async (id) => {
      const { get, asked } = chat({ type: 'application/pdf', bytes });
      expect((await get(`/documents/bill-receipt/${id}`)).status).toBe(404);
      expect(asked).toEqual([]);
    },
  );

  test('that is not there, or not this customer’s, is not found', async () => {
    expect((await chat(undefined).get('/documents/bill-receipt/77')).status).toBe(404);
  });

  test('is given to no browser without a chat', async () => {
    const { web, asked } = chat({ type: 'application/pdf', bytes });
    expect((await web.request('/documents/bill-receipt/77')).status).toBe(401);
    expect(asked).toEqual([]);
  });

  test('that cannot be looked up now is said to be so', async () => {
    expect((await chat(new StoreDown('full')).get('/documents/bill-receipt/77')).status).toBe(503);
  });
});

describe('what the page is told', () => {
  const choosing = async (picture: string) => {
    const option = { option: { text: 'Redal' } };
    const choices: Choice[] = [{ id: '1', key: 'bill-payment.option', values: option, picture }];
    const screen: Screen = { key: 'bill-payment.chooseCreditor', expects: 'search', choices };
    return (await shown(renderer, WALLET_URL, reply(screen))).choices[0];
  };

  test.each([
    ['/logos/1.svg', 'https://wallet.example/logos/1.svg'],
    ['https://wallet.example/1.png', 'https://wallet.example/1.png'],
    ['https://elsewhere.example/1.png', undefined],
    ['//elsewhere.example/1.png', undefined],
    ['http://wallet.example/1.png', undefined],
    ['javascript:alert(1)', undefined],
    ['data:image/png;base64,AA', undefined],
  ])('a picture at %s is shown from %s', async (picture, from) => {
    expect((await choosing(picture))?.picture).toBe(from);
    const about = { key: 'menu.locked', expects: 'nothing', picture } as const;
    expect((await shown(renderer, WALLET_URL, reply(about))).picture).toBe(from);
  });

  test('a QR code as a picture in which a camera reads what it says', async () => {
    const qr = `CAFÉ ${'x'.repeat(200)} ١٢`;
    const screen = { key: 'menu.locked', expects: 'nothing', picture: { qr } } as const;
    const { qr: address = '', ...rest } = await shown(renderer, WALLET_URL, reply(screen));
    expect(rest).not.toHaveProperty('picture');
    const [type, png = ''] = address.split(',');
    expect(type).toBe('data:image/png;base64');
    expect(await createQrReader({ maxMs: 60_000 })(Buffer.from(png, 'base64'), 'tests')).toEqual({
      kind: 'found',
      texts: [qr],
    });
  });

  test('what no QR code can hold: the text without it', async () => {
    const screen = { key: 'menu.locked', expects: 'nothing', picture: { qr: 'x'.repeat(5_000) } } as const;
    expect(await shown(renderer, WALLET_URL, reply(screen))).not.toHaveProperty('qr');
  });

  test('where the receipt is', async () => {
    const document = { kind: 'bill-receipt', operationId: 77 } as const;
    const screen = { key: 'nav.cancelled', expects: 'nothing', document } as const;
    expect((await shown(renderer, WALLET_URL, reply(screen))).document).toBe(
      '/chat/documents/bill-receipt/77',
    );
  });

  test('that a message is a secret', async () => {
    const screen = { key: 'menu.locked', expects: 'nothing' } as const;
    expect((await shown(renderer, WALLET_URL, push('a', { screen, isSecret: true }))).isSecret).toBe(true);
    expect(await shown(renderer, WALLET_URL, push('a', { screen }))).not.toHaveProperty('isSecret');
  });

  test('the page may load pictures of the wallet, and of nobody else', async () => {
    const policy = (await chat(undefined).web.request('/')).headers.get('content-security-policy');
    expect(policy).toContain("img-src 'self' data: https://wallet.example;");
  });
});
