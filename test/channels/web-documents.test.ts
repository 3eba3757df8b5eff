import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { Choice, Document, Screen } from '../../machines/kit/screen.ts';
import { createQrReader } from '../../src/channels/qr/decode.ts';
import { chatPolicy } from '../../src/channels/web/page.ts';
import { pageScreen } from '../../src/channels/web/page-screen.ts';
import { walletPictures } from '../../src/channels/web/pictures.ts';
import { webRoutes } from '../../src/channels/web/routes.ts';
import { createStreams } from '../../src/channels/web/streams.ts';
import { listening } from '../../src/http/listening.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { StoreDown } from '../../src/store/store.ts';
import type { WalletFile } from '../../src/wallet/services.ts';
import { ALONE, fakeConversations, fakeLog, push, reply, secrets } from './fakes.ts';

const WALLET_URL = 'https://wallet.example/partner';
const renderer = createRenderer();
const pictures = walletPictures(WALLET_URL, secrets);

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
  ])('with the type %j is passed on as %s, to be saved', async (type, as, name) => {
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

  test('that is missing or another customer’s is not found', async () => {
    expect((await chat(undefined).get('/documents/bill-receipt/77')).status).toBe(404);
  });

  test('is given to no browser without a chat', async () => {
    const { web, asked } = chat({ type: 'application/pdf', bytes });
    expect((await web.request('/documents/bill-receipt/77')).status).toBe(401);
    expect(asked).toEqual([]);
  });

  test('is reported as unavailable when the wallet cannot be read', async () => {
    expect((await chat(new StoreDown('full')).get('/documents/bill-receipt/77')).status).toBe(503);
  });
});

describe('the content of the page', () => {
  const choosing = async (picture: string) => {
    const option = { option: { text: 'Redal' } };
    const choices: Choice[] = [{ id: '1', key: 'bill-payment.option', values: option, picture }];
    const screen: Screen = { key: 'bill-payment.chooseCreditor', expects: 'search', choices };
    return (await pageScreen(renderer, pictures.at, reply(screen))).choices[0];
  };

  test.each([
    ['/logos/1.svg', '/logos/1.svg'],
    ['https://wallet.example/1.png?size=2', '/1.png?size=2'],
    ['https://elsewhere.example/1.png', undefined],
    ['//elsewhere.example/1.png', undefined],
    ['http://wallet.example/1.png', undefined],
    ['javascript:alert(1)', undefined],
    ['data:image/png;base64,AA', undefined],
  ])('a picture at %s is shown from %s', async (picture, from) => {
    const at = from && expect.stringMatching(/^\/chat\/pictures\/[\w-]+\?at=/);
    expect((await choosing(picture))?.picture).toEqual(at);
    expect(pictures.at(picture)?.split('?at=')[1]).toBe(from && encodeURIComponent(from));
    const about = { key: 'menu.locked', expects: 'nothing', picture } as const;
    expect((await pageScreen(renderer, pictures.at, reply(about))).picture).toEqual(at);
  });

  test('a picture of the wallet’s comes from us: its address is in no header and no message', async () => {
    const asked: string[] = [];
    const wallet = await listening(
      new Hono().get('/logos/:file', (c) => {
        asked.push(c.req.path);
        const type = { png: 'image/png', svg: 'image/svg+xml', html: 'text/html' }[
          c.req.param('file').split('.')[1] ?? ''
        ];
        return c.body(c.req.param('file') === 'large.png' ? 'x'.repeat(1_000_001) : 'a picture', 200, {
          'content-type': type ?? '',
        });
      }),
      0,
      '127.0.0.1',
    );
    const { at, file } = walletPictures(wallet.url, secrets);
    const page = new Hono().get('/chat/pictures/:digest', file);
    const fetched = async (picture: string) => page.request(at(picture) ?? '');
    for (const [picture, type] of [
      ['/logos/1.png', 'image/png'],
      ['/logos/1.svg', 'image/svg+xml'],
    ] as const) {
      const answer = await fetched(picture);
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
        200,
        type,
        'a picture',
      ]);
    }
    for (const picture of ['/logos/1.html', '/logos/large.png', '/none.png'])
      expect([picture, (await fetched(picture)).status]).toEqual([picture, 404]);
    asked.length = 0;
    const forged = (at('/logos/1.png') ?? '').replace('logos%2F1.png', 'logos%2Fsecret.png');
    expect((await page.request(forged)).status).toBe(404);
    expect(asked).toEqual([]);
    await wallet.close();
    expect((await fetched('/logos/1.png')).status, 'the wallet is away').toBe(404);
    expect(JSON.stringify(chatPolicy([]))).not.toContain('http');
  });

  test('a screen tells the page that a message about money comes before it', async () => {
    const plain = reply({ key: 'menu.locked', expects: 'nothing' });
    expect(await pageScreen(renderer, pictures.at, { ...plain, hasMoneyMessage: true })).toMatchObject({
      news: true,
    });
    expect(await pageScreen(renderer, pictures.at, plain)).not.toHaveProperty('news');
  });

  test('a QR code is a picture that a camera can read', async () => {
    const qr = `CAFÉ ${'x'.repeat(200)} ١٢`;
    const screen = { key: 'menu.locked', expects: 'nothing', picture: { qr } } as const;
    const { qr: address = '', ...rest } = await pageScreen(renderer, pictures.at, reply(screen));
    expect(rest).not.toHaveProperty('picture');
    const [type, png = ''] = address.split(',');
    expect(type).toBe('data:image/png;base64');
    expect(await createQrReader({ maxMs: 60_000 })(Buffer.from(png, 'base64'), 'tests')).toEqual({
      kind: 'found',
      texts: [qr],
    });
  });

  test('text that is too long for a QR code comes without one', async () => {
    const screen = { key: 'menu.locked', expects: 'nothing', picture: { qr: 'x'.repeat(5_000) } } as const;
    expect(await pageScreen(renderer, pictures.at, reply(screen))).not.toHaveProperty('qr');
  });

  test('the address of the receipt', async () => {
    const document = { kind: 'bill-receipt', operationId: 77 } as const;
    const screen = { key: 'nav.cancelled', expects: 'nothing', document } as const;
    expect((await pageScreen(renderer, pictures.at, reply(screen))).document).toBe(
      '/chat/documents/bill-receipt/77',
    );
  });

  test('the mark of a secret message', async () => {
    const screen = { key: 'menu.locked', expects: 'nothing' } as const;
    expect((await pageScreen(renderer, pictures.at, push('a', { screen, isSecret: true }))).isSecret).toBe(
      true,
    );
    expect(await pageScreen(renderer, pictures.at, push('a', { screen }))).not.toHaveProperty('isSecret');
  });

  test('the page may load our own pictures, and names no address of the wallet', async () => {
    const policy = (await chat(undefined).web.request('/')).headers.get('content-security-policy');
    expect(policy).toContain("img-src 'self' data:;");
  });
});
