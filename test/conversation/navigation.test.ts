import { describe, expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { isRequest, mainConversation } from '../../src/conversation/chart/main-conversation.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { MENUS } from '../../src/conversation/session/current-screen.ts';
import { createSessions, sessionWrite } from '../../src/conversation/session/sessions.ts';
import { isPaymentKind } from '../../src/payments/payments.ts';
import { type Customer, theWorld } from '../kit/world.ts';
import { PLACES, placesThereAre } from './places.ts';

test('every place has its path', () => {
  expect(Object.keys(PLACES).sort()).toEqual(placesThereAre().sort());
});

/** Sentences that ask for nothing. */
const NONSENSE = {
  fr: 'les nuages passent doucement',
  ar: 'تمر السحب ببطء فوق البحر',
  en: 'clouds drift slowly above',
} as const;

/** Words that were not understood are never dropped: the same question, or the menu, says so above itself. */
function wasTold(asked: string, { key, notice }: Screen): void {
  if (key === asked || MENUS.has(key)) expect(notice?.key, `${key} says why it is shown`).toBeDefined();
}

/** Notices beside the screen that `cancel` leads to, where nothing was given up. */
const BESIDE: Readonly<Record<string, string>> = {
  'menu.choosing': 'help.idle',
  'onboarding.left': 'onboarding.begun',
};
/** What a customer reads where giving up leaves something as it was. */
const STAYS_OPEN: ReadonlySet<string> = new Set(['references.stays', 'help.staysOpen', 'closing.kept']);

describe('back, menu, cancel, help, language, 98 and 99', () => {
  const world = theWorld({ form: true });

  test.each(Object.entries(PLACES))('at %s', async (name, place) => {
    const { path, back, menu = 'menu.choose', cancel = menu, cancelled, after, again } = place;
    const customer = path(world);
    await customer;
    // New messages are shown before any answer to them counts.
    if ((await world.session(customer)).unseen) await customer.says('98');
    const session = await world.session(customer);
    const { conversation } = session;
    const main = mainConversation(session);
    expect(`${conversation?.machine}.${conversation?.state}`).toBe(name);
    // A page that was read before says less in front of its question.
    const { notice: _said, wasRead: _read, ...here } = customer.reply().screen;
    const returns = await rememberedPlace(customer);
    const isBack = () => {
      const { wasRead: _again, ...screen } = customer.reply().screen;
      expect(after ? screen.key : screen).toEqual(after ?? here);
    };

    // A receipt is not read twice.
    const isReceipt = main?.ended !== undefined && isPaymentKind(main.machine);
    const isBackFromHelp = () => (isReceipt ? expect(customer.reply().screen.key).toBe(menu) : isBack());

    await customer.says('/help').sees('help.help').chooses('continue').meanwhile(isBackFromHelp);
    await returns();
    for (const language of LANGUAGES) {
      await customer.says('/language').sees('language.choose').chooses(language);
      // The first choice of a language leads on to what it was asked for.
      if (name === 'language.choosing') await customer.sees('menu.choose');
      else isBack();
      expect(customer.reply().language).toBe(language);
      await customer.says(NONSENSE[language]).meanwhile(() => wasTold(here.key, customer.reply().screen));
      await returns();
    }

    if (here.expects === 'choice' || here.expects === 'search')
      await customer.says('99').sees('help.help').chooses('continue').meanwhile(isBackFromHelp);
    else await customer.says('99').meanwhile(() => expect(customer.reply().screen.key).not.toBe('help.help'));
    await returns();
    if (here.expects !== 'amount') await customer.says('98').sees(again ?? here.key);
    await returns();

    await customer.goes('back').sees(back);
    await returns();
    await customer.goes('menu').sees(menu);
    await returns();
    await customer.says('/cancel').sees(cancel);
    const isGivenUp = cancel === menu || cancel === 'consent.ask';
    const isTold = isGivenUp && cancelled !== false && main !== undefined && isRequest(main);
    const { notice } = customer.reply().screen;
    // A reference, a request or a wallet that stays open is named.
    if (STAYS_OPEN.has(notice?.key ?? '')) return;
    if (isTold)
      expect(notice?.key).toMatch(/^nav\.cancelled(?:New)?$|\.(?:givenUp|cancelled)$|^pay\.noSecond$/);
    else expect(notice?.key).toBe(BESIDE[name]);
  });

  /** Puts a customer back to where they stand now, as often as that is wanted. */
  async function rememberedPlace({ address }: Customer): Promise<() => Promise<void>> {
    const stood = await createSessions(world.store).load(address, world.clock.now());
    return async () => {
      // A delivery that is under way would move the session between the two.
      await world.rests();
      const stands = await createSessions(world.store).load(address, world.clock.now());
      const write = sessionWrite({ ...stands, session: stood.session });
      expect(await world.store.commit(stands.partition, { writes: [write] })).toBe(true);
    };
  }
});
