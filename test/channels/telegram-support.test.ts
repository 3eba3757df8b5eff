import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { sessionKey } from '../../src/conversation/session/sessions.ts';
import { partitionOf } from '../../src/store/partition.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { NADIA } from '../kit/world-options.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { theBotStage } from './bot-api/stage.ts';

describe('a person talks in a Telegram chat', () => {
  const stage = theBotStage();
  const desk = () => stage.world.engine.desk;
  const someone = (language: (typeof LANGUAGES)[number] = 'fr') =>
    createBotCustomer(stage, stage.world.customer().phone, language);
  const texts = ({ person }: ReturnType<typeof someone>) => person.visible().map(({ text }) => text);

  test.each(LANGUAGES)('asked for, come, gone, in %s', async (language) => {
    const fatima = someone(language);
    await fatima.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount').goes('help');
    await fatima.chooses('adviser').sees('help.asked').chooses('continue').sees('transfer.askAmount');
    expect(await desk().takeOver(fatima.address, NADIA)).toBe('done');
    await fatima.hears('support.talking', { agent: 'Nadia' });
    await desk().write(fatima.address, NADIA, '<b>200</b> & plus ?');
    await fatima.hears('support.message', { text: '<b>200</b> & plus ?' });
    await stage.world.rests();
    const before = texts(fatima);
    await fatima.says('Oui, 200 s’il vous plaît');
    await stage.world.rests();
    // The bot says nothing: a person will.
    expect(texts(fatima)).toEqual(before);
    await desk().handBack(fatima.address, NADIA);
    await fatima.hears('transfer.askAmount').says('200').sees('transfer.askPinOpenLoop');
    expect(stage.api.broken()).toEqual([]);
  });

  test('a card’s number written to the person is deleted, and the customer is warned beside', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    await fatima.hears('support.talking').says('ma carte : 4111 1111 1111 1111');
    await stage.world.rests();
    expect(texts(fatima).join()).not.toContain('4111');
    expect(JSON.stringify(await desk().turns(fatima.address, 20))).not.toMatch(/4111 ?1111/);
  });

  test('the customer goes back by the button', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await desk().takeOver(fatima.address, NADIA);
    await fatima.hears('support.talking');
    await fatima.person.presses('Revenir au service automatique');
    await fatima.sees('transfer.askRecipient').isTold('support.left');
    expect((await desk().session(fatima.address))?.owner).toBeUndefined();
  });

  test('a message given during a delivery follows it at once', async () => {
    const fatima = someone();
    await fatima.isAtMenu().asksForAdviser().sees('help.asked').chooses('continue');
    await desk().takeOver(fatima.address, NADIA);
    await fatima.hears('support.talking');
    const slow = stage.api.holds('sendMessage');
    await desk().write(fatima.address, NADIA, 'C’est corrigé.');
    await desk().handBack(fatima.address, NADIA);
    // The worker has looked as well, and has left both to the process that is handing the first one over.
    const due = async () => {
      const place = fatima.phone as Msisdn;
      const [session] = await stage.world.store.scheduled(partitionOf(place), sessionKey(fatima.address), 1);
      return (session?.at ?? 0) - stage.world.clock.now();
    };
    await expect.poll(due).toBeGreaterThan(10_000);
    slow.go();
    await fatima.hears('rating.ask');
  });

  test('an agent’s file comes into the chat as one', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    await desk().takeOver(fatima.address, NADIA);
    await desk().sendFile(fatima.address, NADIA, new TextEncoder().encode('%PDF-1.7 how to pay a bill'));
    await fatima.hears('support.document', { agent: 'Nadia' });
    await stage.world.rests();
    const files = fatima.person.visible().flatMap(({ document }) => document ?? []);
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1').slice(0, 5)])).toEqual(
      [['wasl.pdf', '%PDF-']],
    );
  });

  test('the customer says by the button that it is settled, and how it was', async () => {
    const fatima = someone();
    await fatima.isAtMenu().asksForAdviser().sees('help.asked').chooses('continue');
    await desk().takeOver(fatima.address, NADIA);
    await desk().write(fatima.address, NADIA, 'Voilà.');
    await fatima.hears('support.message');
    await fatima.person.presses('Mon problème est réglé');
    await fatima.sees('rating.askClosed').chooses('fair').sees('menu.choose').isTold('rating.thanks');
  });
});
