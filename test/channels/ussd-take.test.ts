import { expect, test } from 'vitest';
import { createTake } from '../../src/channels/ussd/take.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { theWorld } from '../kit/world.ts';
import { fakeLog } from './fakes.ts';

const world = theWorld();

/** A gateway without HTTP, such as one that speaks SMPP. */
function handset(phone: string, session = 'one') {
  const { engine: conversations, renderer, secrets } = world;
  const { log } = fakeLog();
  const take = createTake({ conversations, renderer, secrets, language: 'fr', log });
  const contact = { phoneNumber: phone, session };
  return {
    types: (...answers: string[]) => take({ ...contact, answers, repeatKey: undefined }, 'smpp'),
    ends: (over: 'abort' | 'release' | 'timeout') => take({ ...contact, over }, 'smpp'),
  };
}

const atMenu = async () => {
  const fatima = world.customer({ language: 'fr' });
  await fatima.isAtMenu();
  return fatima.phone;
};

test('a page has its text, its choices with the answers that choose them, and what it asks', async () => {
  const page = await handset(await atMenu()).types();
  expect(page).toMatchObject({ asks: 'choice', ends: false, step: 'menu.choose' });
  expect(page.choices[0]).toEqual({ answer: '1', label: expect.stringMatching(/^\S/) });
  for (const { answer, label } of page.choices) expect(page.text).toContain(`${answer} ${label}`);
  expect(page.text.startsWith(page.body)).toBe(true);
  expect(page.body).not.toMatch(/^1 /m);
});

test('a question says the kind of its answer', async () => {
  const page = await handset(await atMenu()).types('1');
  expect(page).toMatchObject({
    asks: 'account',
    choices: [{ answer: '1' }],
    ends: false,
  });
  expect(page.body).toMatch(/destinataire/);
});

test.each(['abort', 'release', 'timeout'] as const)(
  'after the end of a session (%s) the same session id is a new dial',
  async (over) => {
    const caller = handset(await atMenu());
    await caller.types('1');
    expect(await caller.types('0655000000')).toMatchObject({ asks: 'amount' });
    expect(await caller.ends(over)).toMatchObject({ text: '', ends: true, asks: 'nothing' });
    expect((await caller.types()).step, 'what broke off is offered').toBe('transfer.resume');
  },
);

test('the end of an earlier session, or of one that nobody began, changes nothing', async () => {
  const phone = await atMenu();
  const caller = handset(phone, 'two');
  await caller.types('1');
  await handset(phone, 'one').ends('abort');
  await handset('+212699999999' as Msisdn).ends('abort');
  expect(await caller.types('0655000000')).toMatchObject({ asks: 'amount' });
});

test.each([
  ['no session id', '+212600000001', '', ['1']],
  ['more answers than a handset can send', '+212600000001', 'one', Array.from({ length: 101 }, () => '1')],
])('%s: the page says why the request is refused', async (_, phone, session, answers) => {
  const page = await handset(phone, session).types(...answers);
  expect(page).toMatchObject({ text: '', ends: true, refused: expect.any(String) });
});

test('a number of another country gets a page that ends the session, and its end gets nothing', async () => {
  expect(await handset('+33612345678').types()).toMatchObject({ ends: true, step: 'ussd.foreignNumber' });
  expect(await handset('+33612345678').ends('abort')).toMatchObject({ text: '', ends: true });
});
