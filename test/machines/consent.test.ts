import { describe, expect, test } from 'vitest';
import { TERMS_VERSION } from '../../machines/consent.ts';
import { STORES, theWorld } from '../kit/world.ts';

describe.each(STORES)('agreeing to the terms, on %s', (store) => {
  const world = theWorld({ store });

  test('a customer who declines is asked nothing, and may come back', async () => {
    const salma = world.stranger();
    await salma.arrives().sees('consent.ask').chooses('decline').sees('consent.declined');
    await salma.dials().sees('consent.ask').chooses('decline').says('Salma').sees('consent.ask');
    expect((await world.session(salma)).consent).toBeUndefined();
    expect(new Set(world.wallet.calls(salma.phone))).toEqual(new Set(['customerStatus']));
  });

  test('the accepted terms are recorded with the moment', async () => {
    const salma = world.stranger({ channel: 'web' });
    const before = world.clock.now();
    await salma.arrives().sees('consent.ask').chooses('agree').sees('onboarding.askFirstName');
    const { consent } = await world.session(salma);
    expect(consent?.version).toBe(TERMS_VERSION);
    expect(consent?.at).toBeGreaterThanOrEqual(before);
  });

  test('the language can be changed before the agreement, and is not asked for again', async () => {
    const salma = world.stranger({ language: 'fr' });
    await salma.arrives().sees('consent.ask').chooses('language').sees('language.choose').chooses('ar');
    await salma.sees('consent.ask');
    expect(salma.reply().language).toBe('ar');
    await salma.dials().sees('consent.ask').chooses('agree').sees('onboarding.askFirstName');
    expect(salma.reply().language).toBe('ar');
  });

  test('a dial that was learnt for the menu does not agree', async () => {
    const salma = world.stranger({ language: 'ar' });
    await salma.arrives().sees('consent.ask').dials('1', '0655000000').sees('consent.ask');
    expect((await world.session(salma)).consent).toBeUndefined();
    await salma.dials('1').sees('consent.ask').dials('2').sees('consent.ask');
    await salma.chooses('agree');
  });

  test.each([
    ['ussd', ['oui', '4', '', 'J’accepte']],
    ['web', ['ok', 'OK !', 'oki', 'sure', 'safi', '4', 'j’acepte', 'je n accepte']],
  ] as const)('neither yes nor no is asked back, on %s', async (channel, answers) => {
    const salma = world.stranger({ channel });
    await salma.arrives().sees('consent.ask');
    for (const answer of answers) await salma.says(answer).sees('consent.ask').isTold('nav.chooseOne');
    expect((await world.session(salma)).consent).toBeUndefined();
  });

  test('words that agree do', async () => {
    const salma = world.stranger({ channel: 'web' });
    await salma.arrives().sees('consent.ask').says('كنوافق');
  });
});
