import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPictures, type Picture } from '../../src/channels/picture.ts';
import { createQrReader } from '../../src/channels/qr/decode.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { listening } from '../../src/http/listening.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Message } from './bot-api/chats.ts';
import { type BotCustomer, createBotCustomer } from './bot-api/customer.ts';
import { buttonsOf } from './bot-api/person.ts';
import { theBotStage } from './bot-api/stage.ts';
import { plain, toPng } from './pictures.ts';

/** A bot whose log and requests are checked after each test. */
function theCheckedBot() {
  const stage = theBotStage();
  const someone = (language: Language = 'fr') =>
    createBotCustomer(stage, stage.world.customer({ balance: '1000' }).phone, language);
  const shown = ({ person }: BotCustomer) => person.visible().filter(({ photo }) => photo);
  const uploads = () =>
    stage.api.calls.filter(({ payload }) => JSON.stringify(payload).includes('attach://')).length;

  afterEach(() => {
    expect(stage.api.broken(), 'requests that the Bot API refuses').toEqual([]);
    expect(stage.log.lines).toEqual([]);
  });

  return { stage, someone, shown, uploads };
}

describe('a voucher with its picture', () => {
  const { someone, shown, uploads } = theCheckedBot();

  test.each(LANGUAGES)(
    'stands in the place of the list, with the buttons under it, in %s',
    async (language) => {
      const fatima = someone(language);
      await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('1');
      await fatima.sees('voucher.chooseArticle');
      const list = fatima.person.screen();
      await fatima.chooses('article1').sees('voucher.chooseForValid');
      const [picture] = shown(fatima);
      expect(picture?.id).toBe(list.id);
      expect(picture?.photo?.name).toBe('picture.png');
      expect(fatima.person.menus()).toEqual([picture]);
    },
  );

  test('gives way to the next screen, and comes again on the way back', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('1').chooses('article1');
    await fatima.sees('voucher.chooseForValid');
    const { length } = fatima.person.visible();
    await fatima.chooses('me').sees('voucher.askPin');
    const [chosen] = shown(fatima);
    expect(buttonsOf(chosen as Message), 'the choice, which does nothing any more').toEqual([
      { text: expect.any(String), disabled: {} },
    ]);
    const confirm = fatima.person.screen();
    await fatima.goes('back').sees('voucher.chooseForValid');
    expect(shown(fatima).map(({ id }) => id)).toEqual([chosen?.id, confirm.id]);
    await fatima.goes('back').sees('voucher.chooseArticle');
    expect(shown(fatima).map(({ id }) => id)).toEqual([chosen?.id]);
    expect(fatima.person.visible()).toHaveLength(length + 1);
  });

  test('stays above typed text, without its buttons', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('1').chooses('article1');
    await fatima.sees('voucher.chooseForValid');
    await fatima.says('comment ?').sees('voucher.chooseForValid').isTold('nav.chooseOne');
    expect(shown(fatima)).toHaveLength(2);
    expect(fatima.person.menus()).toHaveLength(1);
  });

  test('is not sent to Telegram a second time', async () => {
    const see = (fatima: BotCustomer) =>
      fatima
        .isAtMenu()
        .chooses('shopping')
        .chooses('voucher')
        .chooses('2')
        .chooses('article0')
        .sees('voucher.chooseForValid');
    const before = uploads();
    await see(someone());
    expect(uploads()).toBe(before + 1);
    const another = someone();
    await see(another);
    expect(uploads()).toBe(before + 1);
    expect(shown(another)).toHaveLength(1);
  });
});

describe('a voucher whose picture is lost', () => {
  const { stage, someone, shown } = theCheckedBot();

  test.each([
    ['that the wallet has not', '/pictures/none.png'],
    ['that is nowhere', 'https://wallet.invalid/a.png'],
    ['somewhere inside', 'http://127.0.0.1:1/a.png'],
    ['of a kind that Telegram does not show', '/logos/1002.svg'],
  ])('a picture %s: the text without it', async (_, picture) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').sees('voucher.chooseBrand');
    const article = { sku: 'A', providerId: 1, brandId: 1, name: 'Bon', price: centimes(5_000), picture };
    stage.world.wallet.next('voucherArticles', { kind: 'ok', value: { entries: [article], count: 1 } });
    await fatima.chooses('1').chooses('article0').sees('voucher.chooseForValid');
    expect(shown(fatima)).toEqual([]);
  });

  test('a picture that Telegram does not take: the text without it, and one menu', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('3');
    stage.api.goesWrong('editMessageMedia', { refuses: 'IMAGE_PROCESS_FAILED' });
    stage.api.goesWrong('sendPhoto', { refuses: 'IMAGE_PROCESS_FAILED' });
    await fatima.chooses('article0').sees('voucher.chooseForValid');
    expect(shown(fatima)).toEqual([]);
    await fatima.goes('back').chooses('article0').sees('voucher.chooseForValid');
    expect(shown(fatima), 'it is not tried again at once').toEqual([]);
  });

  test.each(['noConnection', 'lostAnswer', 'serverError'] as const)(
    'a picture that did not arrive comes later: %s',
    async (fault) => {
      const fatima = someone();
      await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('4');
      stage.api.goesWrong('editMessageMedia', fault);
      await fatima.chooses('article0');
      await stage.world.passes(2_000);
      await fatima.sees('voucher.chooseForValid').chooses('me').sees('voucher.askPin');
      expect(fatima.person.menus()).toHaveLength(1);
    },
  );
});

describe('pictures that are fetched', () => {
  const fetched: string[] = [];
  let url: string;
  let close: () => void;
  const png = toPng(plain(40, 30));

  beforeAll(async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      fetched.push(c.req.path);
      await next();
    });
    app.get('/good.png', (c) => c.body(Uint8Array.from(png)));
    app.get('/large.png', (c) => c.body(Buffer.concat([png, Buffer.alloc(5_000_000)])));
    app.get('/endless.png', (c) => c.body(endless()));
    app.get('/wide.png', (c) => c.body(Uint8Array.from(toPng(plain(210, 10)))));
    app.get('/enormous.png', (c) => c.body(Uint8Array.from(toPng(plain(9_000, 1_001)))));
    app.get('/text.png', (c) => c.text('no picture'));
    app.get('/empty.png', (c) => c.body(null));
    app.get('/moved.png', (c) => c.redirect('/good.png'));
    app.get('/broken.png', () => new Response(null, { status: 500 }));
    app.get('/slow.png', async (c) => {
      await sleep(10_000, undefined, { ref: false });
      return c.body(Uint8Array.from(png));
    });
    ({ url, close } = await listening(app, 0, '127.0.0.1'));
  });
  afterAll(() => close());

  test.each(['/good.png', 'good.png', '/../good.png'])('a path on the wallet’s own: %s', async (path) => {
    expect((await createPictures(url)(path))?.file).toMatchObject({ kind: 'png' });
  });

  test('an address of the wallet’s own', async () => {
    expect((await createPictures(`${url}/api/`)(`${url}/good.png`))?.file).toMatchObject({ kind: 'png' });
  });

  test.each([
    ...['/large.png', '/endless.png', '/wide.png', '/enormous.png', '/text.png', '/empty.png'],
    ...['/moved.png', '/broken.png', '/none.png', '/slow.png', 'http://', 'data:image/png;base64,AAAA'],
  ])('nothing comes of %s', async (path) => {
    expect(await createPictures(url)(path)).toBeUndefined();
  });

  test('nothing is fetched without a picture or a wallet with pictures', async () => {
    fetched.length = 0;
    expect(await createPictures(url)(undefined)).toBeUndefined();
    expect(await createPictures()('/good.png')).toBeUndefined();
    expect(fetched).toEqual([]);
  });

  test('a QR code is drawn without the wallet, and text that is too long for a code is not', async () => {
    for (const find of [createPictures(), createPictures(url)]) {
      const { file } = (await find({ qr: 'MERCHANT 1' })) ?? {};
      expect(await read(file)).toEqual({ kind: 'found', texts: ['MERCHANT 1'] });
      expect(await find({ qr: 'x'.repeat(5_000) })).toBeUndefined();
    }
  });

  test('each QR code is a picture of its own, and is drawn once', async () => {
    const find = createPictures();
    (await find({ qr: 'MERCHANT 1' }))?.sent('one');
    expect((await find({ qr: 'MERCHANT 1' }))?.file).toBe('one');
    expect((await find({ qr: 'MERCHANT 2' }))?.file).toMatchObject({ kind: 'png' });
  });

  test('a missing picture is fetched again after a while, and one that Telegram has is not', async () => {
    let at = 0;
    const find = createPictures(url, () => at);
    fetched.length = 0;
    await find('/none.png');
    await find('/none.png');
    expect(fetched).toHaveLength(1);
    at += 60_001;
    await find('/none.png');
    expect(fetched).toHaveLength(2);
    (await find('/good.png'))?.sent('large');
    expect((await find('/good.png'))?.file).toBe('large');
    expect(fetched).toHaveLength(3);
    at += 3_600_001;
    expect((await find('/good.png'))?.file).toMatchObject({ kind: 'png' });
  });
});

async function read(file: Picture['file'] | undefined) {
  if (typeof file !== 'object') return undefined;
  return createQrReader({ maxMs: 60_000 })(file.bytes, 'tests');
}

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(100_000)) });
}
