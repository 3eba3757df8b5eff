import { afterEach, describe, expect, test } from 'vitest';
import { DOC_TYPES } from '../../src/wallet/contract/kyc.ts';
import { LOST } from '../kit/meddler.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';
import { plain, toPng } from './pictures.ts';

const FILES = {
  jpeg: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1),
  png: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1),
  pdf: new TextEncoder().encode('%PDF-1.7 statutes'),
  webp: new TextEncoder().encode('RIFF0000WEBPVP8 '),
  heic: new TextEncoder().encode('0000ftypheic0000'),
  gif: new TextEncoder().encode('GIF89a'),
  zip: new TextEncoder().encode('PK\u0003\u0004'),
  html: new TextEncoder().encode('<html>%PDF-'),
  nothing: new Uint8Array(),
  tooMuch: Buffer.concat([Buffer.from('%PDF-'), new Uint8Array(5_000_000)]),
};

/** A bot whose log and requests are checked after each test. */
function theCheckedBot() {
  const stage = theBotStage();
  const someone = () => createBotCustomer(stage, stage.world.customer({ balance: '500' }).phone);

  afterEach(() => {
    expect(stage.api.broken()).toEqual([]);
    expect(stage.log.lines).toEqual([]);
  });
  return { stage, someone };
}

/** A file that Telegram does not have. */
const file = { file_id: 'gone', file_unique_id: 'gone' };

describe('a photo in a chat', () => {
  const { stage, someone } = theCheckedBot();

  test('a photo without a code', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    await fatima.person.sendsPhoto(toPng(plain(200, 200)));
    await fatima.sees('menu.choose').isTold('nav.noQr');
  });

  const sentAs = (mime: string, size: number) => ({
    document: { ...file, mime_type: mime, file_size: size },
  });
  test.each([
    ['no picture at all', new Uint8Array([1, 2, 3]), /^Ce format d'image/],
    ['of a kind that only telephones read', sentAs('image/heic', 2_000_000), /^Ce format d'image/],
    ['too large a file', sentAs('image/jpeg', 5_000_001), /^Cette image est trop lourde/],
    [
      'too large a photo',
      { photo: [{ ...file, width: 1, height: 1, file_size: 5_000_001 }] },
      /^Cette image est trop/,
    ],
    [
      'too many pixels',
      toPng(plain(6_000, 6_000), { data: Buffer.alloc(9) }),
      /^Cette image est trop lourde/,
    ],
    [
      'one that Telegram has not',
      { photo: [{ ...file, width: 1, height: 1 }] },
      /^Votre photo n'a pas pu être lue/,
    ],
  ])('a picture that cannot be read is said why: %s', async (_, sent, why) => {
    const fatima = someone();
    await fatima.isAtMenu();
    await (sent instanceof Uint8Array ? fatima.person.sendsPhoto(sent) : fatima.person.sendsOther(sent));
    await fatima.sees('menu.choose');
    expect(fatima.person.screen().text).toMatch(why);
  });

  test.each([
    ['paie.csv', 'text/csv', 'nav.noFile'],
    ['PAIE.XLSX', 'application/octet-stream', 'nav.noFile'],
    ['paie.csv.exe', 'text/csv', undefined],
    [undefined, 'text/csv', undefined],
  ])('a file of lines (%s, %s) that was not asked for', async (name, mime, says) => {
    const fatima = someone();
    await fatima.isAtMenu();
    await fatima.person.sendsOther({
      document: { ...file, mime_type: mime, ...(name && { file_name: name }) },
    });
    await fatima.sees('menu.choose');
    if (says) await fatima.isTold(says);
    else expect(fatima.person.screen().text).toMatch(/^Seuls les textes/);
  });

  test("a photo of a merchant's code begins the payment", async () => {
    const fatima = someone();
    const picture = await stage.world.sandbox.app.request('/qr/0600000011.png?amount=45.50');
    await fatima.isAtMenu();
    await fatima.person.sendsPhoto(new Uint8Array(await picture.arrayBuffer()));
    expect(stage.replies.get(fatima.address)?.screen.key).toMatch(/^merchant-payment\./);
    expect(fatima.person.menus()).toHaveLength(1);
  });
});

/** A company that sends its documents to the bot. */
function theDocuments() {
  const { stage, someone } = theCheckedBot();
  /** A company's list of documents. */
  const shopAtList = () => {
    const shop = createBotCustomer(stage, stage.world.customer({ walletType: 'C', balance: '10' }).phone);
    shop.isAtMenu().chooses('account').chooses('documents').chooses('company').sees('documents.choose');
    return shop;
  };
  let files = 0;
  const uploaded = (bytes: Uint8Array) => {
    const id = `document${++files}`;
    stage.api.addFile(id, bytes);
    return id;
  };
  const sends = ({ person }: Shop, bytes: Uint8Array, mime = 'application/pdf', size?: number) =>
    person.sendsOther({
      document: {
        file_id: uploaded(bytes),
        file_unique_id: 'x',
        mime_type: mime,
        ...(size !== undefined && { file_size: size }),
      },
    });
  const photographs = ({ person }: Shop, album?: string, bytes: Uint8Array = FILES.jpeg) =>
    person.sendsPhoto(bytes, uploaded(bytes), album);
  const sent = ({ phone }: Shop) =>
    stage.world.wallet.told(phone, 'sendMerchantDocument').map(([order]) => {
      const { docType, front, back } = order as { docType: number } & Record<string, { type: string }>;
      return [docType, front?.type, back?.type];
    });
  /** The person's messages after their contact card that are still in the chat. */
  const left = ({ person }: Shop) =>
    person.chat.messages.filter(({ by, text }) => by === 'person' && !text).slice(1);

  return {
    stage,
    someone,
    shopAtList,
    uploaded,
    sends,
    photographs,
    sent,
    left,
    lastFile: () => `document${files}`,
  };
}
type Shop = ReturnType<typeof createBotCustomer>;

describe('a document in a chat', () => {
  const { stage, shopAtList, sends, photographs, sent, left, lastFile } = theDocuments();

  test.each([
    ['a photo', (shop: Shop) => photographs(shop), 'image/jpeg'],
    ['a PDF', (shop: Shop) => sends(shop, FILES.pdf), 'application/pdf'],
    ['a picture called something else', (shop: Shop) => sends(shop, FILES.png, 'text/plain'), 'image/png'],
  ] as const)('%s is sent as the document that is asked for, and erased', async (_, send, type) => {
    const shop = shopAtList();
    await shop.chooses('STATUTES').sees('documents.askFile');
    await send(shop);
    await shop.sees('documents.choose').isTold('documents.sentErased');
    expect(sent(shop)).toEqual([[DOC_TYPES.STATUTES, type, undefined]]);
    expect(left(shop)).toEqual([]);
    const stored = await stage.world.everythingStored();
    expect(stored).not.toContain(lastFile());
    expect(stored).not.toContain('%PDF-1.7');
  });

  test.each([
    ['WebP', (shop: Shop) => sends(shop, FILES.webp, 'image/webp'), 'otherType'],
    ['HEIC', (shop: Shop) => sends(shop, FILES.heic, 'image/heic'), 'otherType'],
    ['GIF', (shop: Shop) => sends(shop, FILES.gif, 'image/gif'), 'otherType'],
    ['a ZIP', (shop: Shop) => sends(shop, FILES.zip, 'application/zip'), 'otherType'],
    ['a page that is called a PDF', (shop: Shop) => sends(shop, FILES.html), 'otherType'],
    ['nothing', (shop: Shop) => sends(shop, FILES.nothing), 'emptyFile'],
    ['more than it said', (shop: Shop) => sends(shop, FILES.tooMuch), 'fileTooLarge'],
    [
      'what Telegram has not any more',
      ({ person }: Shop) => person.sendsOther({ photo: [{ ...file, width: 1, height: 1 }] }),
      'fileGone',
    ],
  ] as const)('%s is asked for again, and is told why', async (_, send, why) => {
    const shop = shopAtList();
    await shop.chooses('PASSPORT').sees('documents.askFile');
    await send(shop);
    await shop.sees('documents.askFile').isTold(`documents.${why}`);
    expect(sent(shop)).toEqual([]);
    await photographs(shop);
    await shop.sees('documents.choose');
    expect(sent(shop)).toHaveLength(1);
  });

  test.each([
    ['20 MB', { document: { ...file, file_size: 20_000_000 } }, /^Ce fichier dépasse 5 Mo/],
    ['zero bytes', { document: { ...file, file_size: 0 } }, /^Ce fichier est vide/],
    ['a sticker', { sticker: { ...file, type: 'regular' } }, /^Ce fichier n'est ni PNG/],
    ['a voice message', { voice: { ...file, duration: 1 } }, /^Ce fichier n'est ni PNG/],
  ])('%s is not fetched, and its sentence replaces the one before', async (_, message, why) => {
    const shop = shopAtList();
    await shop.chooses('PASSPORT').sees('documents.askFile');
    await sends(shop, FILES.zip, 'application/zip');
    await shop.sees('documents.askFile').isTold('documents.otherType');
    await shop.person.sendsOther(message);
    await shop.sees('documents.askFile');
    expect(shop.person.screen().text).toMatch(why);
    expect(shop.person.screen().text.match(/rien n'a été envoyé/g)).toHaveLength(1);
    expect(sent(shop)).toEqual([]);
  });
});

describe('several files in a chat', () => {
  const { stage, someone, shopAtList, uploaded, sends, photographs, sent, left, lastFile } = theDocuments();

  test('while an adviser has the chat, a picture goes to them, and another file is refused', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const { desk } = stage.world.engine;
    await desk.takeOver(fatima.address, { id: 'nadia', name: 'Nadia' });
    await stage.world.rests();
    const { person } = fatima;
    await person.sendsPhoto(FILES.jpeg, uploaded(FILES.jpeg));
    await stage.world.rests();
    expect(person.visible().at(-1)?.text).toMatch(/^Votre fichier est transmis à .?Nadia.?\.$/);
    const [{ event } = expect.fail()] = await desk.turns(fatima.address, 1);
    const input = event.kind === 'input' && event.input.type === 'photo' ? event.input : expect.fail();
    expect(await desk.sentFile(fatima.address, input.file?.id ?? '')).toEqual({
      type: 'image/jpeg',
      bytes: Buffer.from(FILES.jpeg),
    });
    await person.sendsPhoto(FILES.zip, uploaded(FILES.zip));
    await stage.world.rests();
    expect(person.visible().at(-1)?.text).toMatch(/^Ce fichier n'est ni PNG, ni JPEG, ni PDF/);
    expect(await stage.world.everythingStored()).not.toContain(lastFile());
  });

  test('an album is both sides of a document, and one sentence says that the rest is not sent', async () => {
    const shop = shopAtList();
    await shop.chooses('IDENTITY_CARD').sees('documents.askBothSides');
    await photographs(shop, 'card');
    await shop.sees('documents.askBack');
    await photographs(shop, 'card');
    await shop.sees('documents.choose').isTold('documents.sentErased');
    await photographs(shop, 'card', toPng(plain(50, 50)));
    await shop.sees('documents.choose').isTold('documents.oneByOne');
    const { length } = shop.person.visible();
    await photographs(shop, 'card', toPng(plain(50, 50)));
    expect(shop.person.visible()).toHaveLength(length);
    expect(sent(shop)).toEqual([[DOC_TYPES.IDENTITY_CARD, 'image/jpeg', 'image/jpeg']]);
    expect(left(shop)).toHaveLength(2);
  });

  test('two sides are sent one after the other, the wrong one again, by whichever process is there', async () => {
    const shop = shopAtList();
    await shop.chooses('IDENTITY_CARD').sees('documents.askBothSides');
    await photographs(shop);
    await shop.sees('documents.askBack');
    await stage.world.restarts();
    await sends(shop, FILES.gif, 'image/gif');
    await shop.sees('documents.askBack').isTold('documents.otherType');
    await sends(shop, FILES.png, 'image/png');
    await shop.sees('documents.choose').isTold('documents.sentErased');
    expect(sent(shop)).toEqual([[DOC_TYPES.IDENTITY_CARD, 'image/jpeg', 'image/png']]);
    await shop.chooses('IDENTITY_CARD').sees('documents.askBothSides');
    await photographs(shop);
    await shop.sees('documents.askBack').goes('back').sees('documents.askBothSides');
    await photographs(shop);
    await shop.sees('documents.askBack');
  });

  test('a file that nobody has asked for is not taken', async () => {
    const shop = shopAtList();
    await shop;
    await sends(shop, FILES.pdf);
    await shop.sees('documents.choose').isTold('documents.oneByOne');
    await shop.goes('menu');
    await sends(shop, FILES.pdf);
    expect(shop.person.screen().text).toMatch(/^Seuls les textes et les photos/);
    expect(sent(shop)).toEqual([]);
  });

  test('a file that cannot be erased is said to be there still', async () => {
    const shop = shopAtList();
    await shop.chooses('PASSPORT').sees('documents.askFile');
    stage.api.goesWrong('deleteMessage', { refuses: "message can't be deleted" });
    await photographs(shop);
    await shop.sees('documents.choose').isTold('documents.sentLeft');
    expect(left(shop)).toHaveLength(1);
  });

  test('a file whose answer was lost stays, as it may be sent again', async () => {
    const shop = shopAtList();
    await shop.chooses('PASSPORT').sees('documents.askFile');
    stage.world.wallet.next('sendMerchantDocument', LOST);
    await photographs(shop);
    await shop.sees('documents.choose').isTold('documents.notKnown');
    expect(left(shop)).toHaveLength(1);
  });
});
