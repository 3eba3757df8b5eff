import { describe, expect, test } from 'vitest';
import { type Customer, NADIA, theWorld } from '../../kit/world.ts';

/** A customer has one open request, whichever channel they ask on. */
const world = theWorld({ bot: 'webhook' });
const desk = () => world.engine.desk;
const openOf = ({ phone }: Customer) => desk().cases.ofCustomer({ wallet: phone });

/** A customer who has asked on USSD, and has a chat besides. */
async function hasAsked() {
  const fatima = world.customer();
  const chat = world.chatOf(fatima);
  await chat.isAtMenu();
  await fatima.isAtMenu().asksForAdviser().sees('help.asked');
  const [it, ...others] = await openOf(fatima);
  expect(others).toEqual([]);
  return { fatima, chat, it: it?.id ?? '' };
}

describe('a request that is open', () => {
  test.each(['le virement de samedi manque toujours', "c'est encore le même problème avec mon argent"])(
    'is named on another channel, and "%s" goes into it',
    async (words) => {
      const { fatima, chat, it } = await hasAsked();
      world.clock.ahead += 60_000;
      await chat.goes('help').says(words).sees('help.added', { case: it });
      await chat.says('il est toujours bloqué').sees('help.added', { case: it }).isToldNothing();
      const [open, ...others] = await openOf(fatima);
      expect(open).toMatchObject({ id: it, address: chat.address, subject: chat.address });
      expect(open?.steps.map(({ what }) => what)).toContain('askedAgain');
      expect(others).toEqual([]);
      expect((await desk().helpRequests()).map(({ address }) => address)).not.toContain(fatima.address);
      world.clock.ahead += 60_000;
      await fatima.dials().goes('help').says(words).sees('help.added', { case: it });
      expect(await openOf(fatima)).toMatchObject([{ id: it, address: fatima.address }]);
    },
  );

  test.each([
    ['nothing else', '/menu', 'help.staysOpen'],
    ['a payment', '/transfer 0655000000', 'help.onlyNew'],
  ] as const)('is not denied to whoever gives up %s', async (_, before, key) => {
    const { fatima, chat } = await hasAsked();
    for (const it of [chat, fatima.dials()]) {
      await it.says(before).asksForAdviser().sees('help.askedBefore');
      await it.says('annuler').sees('menu.choose').isTold(key);
    }
    await chat.says('/transfer 0655000000').says('annuler').sees('menu.choose').isTold('help.onlyNew');
    expect(await openOf(fatima)).toHaveLength(1);
  });

  test('is named where the customer asks again, and says what was added', async () => {
    const { fatima, it } = await hasAsked();
    world.clock.ahead += 60_000;
    await fatima.dials().goes('help').chooses('adviser').sees('help.askedBefore', { case: it });
    await fatima.says('toujours rien').sees('help.added', { case: it });
  });

  test('is one no more once it is closed: what is said then opens another one', async () => {
    const { fatima, chat, it } = await hasAsked();
    world.clock.ahead += 60_000;
    await chat.asksForAdviser().sees('help.askedBefore');
    expect(await desk().closeCase(it, NADIA)).toBe('done');
    await fatima.dials().asksForAdviser().sees('help.asked');
    const [open] = await openOf(fatima);
    expect(open?.id).not.toBe(it);
    await chat.goes('menu').asksForAdviser().sees('help.askedBefore', { case: open?.id });
  });

  test('that was merged is over with the one in which it goes on', async () => {
    const { fatima, chat, it } = await hasAsked();
    const into = await desk().cases.open({ kind: 'stuck', subject: 'x', wallet: fatima.phone });
    await desk().cases.assign(into.id, NADIA, NADIA);
    // What was asked for is the one that goes on.
    expect(await desk().cases.merge(it, into.id, NADIA)).toBe('done');
    expect(await desk().closeCase(it, NADIA)).toBe('done');
    await chat.asksForAdviser().sees('help.asked');
  });

  test('is settled by its customer on either channel', async () => {
    const { fatima, chat, it } = await hasAsked();
    world.clock.ahead += 60_000;
    await chat.asksForAdviser().sees('help.askedBefore').chooses('continue');
    world.clock.ahead += 60_000;
    await fatima.dials().asksForAdviser().sees('help.askedBefore').chooses('settled');
    await fatima.sees('menu.choose').isTold('rating.closed');
    expect(await openOf(fatima)).toEqual([]);
    expect(await desk().cases.find(it)).toMatchObject({ end: 'byCustomer' });
    await chat.asksForAdviser().sees('help.asked');
  });

  test('is not told of to a chat that has not proven the PIN', async () => {
    const { fatima } = await hasAsked();
    const other = world.chatOf(fatima);
    await other.arrives().sees('unlocking.askPin').asksForAdviser().sees('help.asked');
    expect(await openOf(fatima)).toHaveLength(2);
  });
});

describe('what has become of it', () => {
  const words = [
    ['fr', "quel est l'état de ma réclamation"],
    ['fr', 'où en est ma demande ?'],
    ['fr', 'toujours pas de réponse à ma réclamation'],
    ['en', 'what is the status of my complaint'],
    ['en', 'any news about my request?'],
    ['ar', 'ما هي حالة شكايتي'],
    ['ar', 'أين وصلت شكايتي'],
    ['ar', 'واش جاوبتو على شكايتي'],
    ['fr', 'fin wslat chikayti'],
  ] as const;

  test.each(words)('is answered with its number, in %s: %s', async (language, text) => {
    const fatima = world.customer({ language });
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().asksForAdviser().sees('help.asked');
    const [it] = await openOf(fatima);
    world.clock.ahead += 60_000;
    await chat.says(text).sees('help.askedBefore', { case: it?.id });
    await chat.chooses('continue').sees('menu.choose').goes('help').says(text);
    await chat.sees('help.askedBefore', { case: it?.id });
    expect(await openOf(fatima)).toHaveLength(1);
  });

  test.each(words)('is answered where none is open, and opens none, in %s: %s', async (language, text) => {
    for (const channel of ['web', 'ussd'] as const) {
      const fatima = world.customer({ language, channel });
      await fatima.isAtMenu().says(text).sees('help.help').isTold('help.noRequest');
      expect(await openOf(fatima)).toEqual([]);
    }
  });

  test('can be asked in the middle of a request, which waits', async () => {
    const { fatima, it } = await hasAsked();
    world.clock.ahead += 60_000;
    await fatima.dials().chooses('transfer').says('où en est ma réclamation ?');
    await fatima.sees('help.askedBefore', { case: it }).chooses('continue').sees('transfer.askRecipient');
  });
});
