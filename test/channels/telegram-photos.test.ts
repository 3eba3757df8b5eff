import { afterEach, describe, expect, test } from 'vitest';
import { createBotCustomer } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';
import { plain, toPng } from './pictures.ts';

describe('what is sent as a picture', () => {
  const stage = theBotStage();
  const someone = () => createBotCustomer(stage, stage.world.customer({ balance: '500' }).phone);

  afterEach(() => {
    expect(stage.api.broken()).toEqual([]);
    expect(stage.log.lines).toEqual([]);
  });

  test('a photo without a code', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    await fatima.person.sendsPhoto(toPng(plain(200, 200)));
    await fatima.sees('menu.choose').isTold('nav.noQr');
  });

  const file = { file_id: 'gone', file_unique_id: 'gone' };
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
    ['too many pixels', toPng(plain(6_000, 6_000), Buffer.alloc(9)), /^Cette image est trop lourde/],
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

  test("a photo of a merchant's code begins the payment", async () => {
    const fatima = someone();
    const picture = await stage.world.sandbox.app.request('/qr/0600000011.png?amount=45.50');
    await fatima.isAtMenu();
    await fatima.person.sendsPhoto(new Uint8Array(await picture.arrayBuffer()));
    expect(stage.replies.get(fatima.address)?.screen.key).toMatch(/^merchant-payment\./);
    expect(fatima.person.menus()).toHaveLength(1);
  });
});
