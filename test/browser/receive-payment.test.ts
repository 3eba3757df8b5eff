import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createQrReader } from '../../src/channels/qr/decode.ts';
import { qrPicture, toPng } from '../channels/pictures.ts';
import { chatPhone, telegramPhone } from './pages.ts';
import { theStage } from './stage.ts';

const SHOP = '+212600000011';

const stage = theStage();

/** A smartphone on a simulator page of its own. Without an owner it is Youssef's. */
async function smartphone(owner?: string): Promise<Page> {
  const page = await stage.page({ height: 900 });
  await page.goto(stage.wasl.url);
  if (owner) await chatPhone(page).belongsTo(owner);
  return page;
}

async function onTelegram(page: Page) {
  const telegram = telegramPhone(page);
  await telegram.links();
  return telegram;
}

/** Another phone's camera sees the whole page, not the picture's own file. */
async function isPaid(shown: Page): Promise<void> {
  const youssef = await smartphone();
  const telegram = await onTelegram(youssef);
  const photo = await shown.screenshot();
  const file = { name: 'photo.png', mimeType: 'image/png', buffer: photo };
  await youssef.locator('#tg-photo').setInputFiles(file);
  await telegram.sees('Paiement de 45,50 DH');
  await telegram.taps('1234');
}

/** A picture has its place on the page before it is there. */
const drawn = (picture: Locator) =>
  picture.evaluate((img) => (img as unknown as { decode(): Promise<void> }).decode());

test('in the web chat a merchant shows a code, a customer photographs the screen and pays, and the merchant hears', async () => {
  const page = await smartphone(SHOP);
  const chat = chatPhone(page);
  await chat.links(/^Café/);
  await chat.chooses('Encaisser');
  await chat.writes('45,50');
  await chat.sees('Votre QR code pour 45,50 DH');
  await drawn(page.frameLocator('#chat-frame').locator('.bubble img'));
  await isPaid(page);
  await chat.sees('Paiement reçu : 45,50 DH');
});

test('in Telegram, too', async () => {
  const page = await smartphone(SHOP);
  const telegram = await onTelegram(page);
  await telegram.presses('Encaisser');
  await telegram.writes('45,50');
  await telegram.sees('Votre QR code pour 45,50 DH');
  await drawn(page.locator('#tg-log .bot img'));
  await isPaid(page);
  await telegram.sees('Paiement reçu : 45,50 DH');
});

test('in the web chat a customer sends the code of a merchant, saved as a dark picture on nothing', async () => {
  const page = await smartphone(SHOP);
  const chat = chatPhone(page);
  await chat.links(/^Café/);
  await chat.chooses('Encaisser');
  await chat.writes('45,50');
  await drawn(page.frameLocator('#chat-frame').locator('.bubble img'));
  const shown = await createQrReader({ maxMs: 60_000 })(await page.screenshot(), 'test');
  const [code = ''] = shown.kind === 'found' ? shown.texts : [];
  const buffer = toPng(await qrPicture(code), { transparent: true });
  const other = await smartphone();
  const youssef = chatPhone(other);
  await youssef.links('Youssef');
  const camera = other.frameLocator('#chat-frame').locator('#photo');
  await camera.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer });
  await youssef.sees('Paiement de 45,50 DH');
  await youssef.writes('1234');
  await chat.sees('Paiement reçu : 45,50 DH');
});

test('in the web chat a merchant chooses and drops the files of a document', async () => {
  const page = await smartphone(SHOP);
  const chat = chatPhone(page);
  const frame = page.frameLocator('#chat-frame');
  const photo = frame.locator('#photo');
  const file = (name: string, text: string) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.from(text),
  });
  const drops = (text: string) =>
    frame.locator('#scroll').evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], 'e.pdf', { type: 'application/pdf' }));
    document.getElementById('scroll').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await chat.links(/^Café/);
  await drops('%PDF-1.7 at the menu');
  await chat.sees('ne montre pas un QR code');
  await chat.chooses('Mon compte');
  await chat.chooses('Mes documents');
  await chat.chooses('Une société');
  await drops(`%PDF-1.7 ${'x'.repeat(3_000_000)}`);
  await chat.sees("Choisissez d'abord le document");
  await chat.chooses('identité du signataire');
  await chat.sees('envoyez ici le recto');
  await photo.setInputFiles(file('a.docx', 'PK'));
  await chat.sees('ni PNG, ni JPEG, ni PDF');
  await photo.setInputFiles(file('a.pdf', ''));
  await chat.sees('Ce fichier est vide');
  await photo.setInputFiles(file('a.pdf', '%PDF-1.7 front'));
  await chat.sees('Recto choisi');
  // The back is not taken for the front that a reload has lost.
  await page.reload();
  await chat.sees("Le recto choisi n'est plus là");
  await photo.setInputFiles(file('a.pdf', '%PDF-1.7 front'));
  await expect.poll(async () => (await chat.bubbles()).at(-1)).toContain('Recto choisi');
  await photo.setInputFiles([file('b.pdf', '%PDF-1.7'), file('c.pdf', '%PDF-1.7')]);
  await chat.sees('Trop de fichiers');
  await photo.setInputFiles(file('b.pdf', '%PDF-1.7 back'));
  await chat.sees('Nous ne gardons pas le fichier');
  await chat.chooses('Passeport');
  await chat.sees('envoyez-en ici');
  await photo.setInputFiles(file('a.zip', 'PK'));
  await chat.sees('ni PNG, ni JPEG, ni PDF');
  await photo.setInputFiles(file('d.pdf', `%PDF-${'x'.repeat(5_000_000)}`));
  await chat.sees('Ce fichier dépasse 5 Mo');
  await drops('%PDF-1.7 passport');
  await chat.sees('Passeport du signataire : envoyé');
});
