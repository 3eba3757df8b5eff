import { describe, expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { labelled, nearlyLabelled } from '../../src/conversation/turn/read/typed-label.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { theWorld } from '../kit/world.ts';

const labels = createRenderer().labels;
const NAMED = (name: string) => ({ key: 'beneficiaries.saved', values: { name: { name } } }) as const;

/** A question, a list of people that can change, a payment to confirm, and words that are looked for. */
const SCREENS = {
  question: {
    key: 'menu.choose',
    expects: 'choice',
    choices: [
      { id: 'transfer', key: 'menu.transfer' },
      { id: 'balance', key: 'menu.balance' },
      { id: 'language', key: 'account.language' },
    ],
  },
  people: {
    key: 'menu.choose',
    expects: 'choice',
    choices: ['Khadija', 'Khadijo', 'Brahim'].map((name) => ({ id: name, listed: true, ...NAMED(name) })),
  },
  payment: {
    key: 'menu.choose',
    expects: 'choice',
    choices: [
      { id: 'confirm', key: 'pay.confirm' },
      { id: 'cancel', key: 'pay.no' },
    ],
  },
  documents: {
    key: 'documents.choose',
    expects: 'choice',
    choices: [
      { id: 'ID', key: 'documents.identityCard' },
      { id: 'PASS', key: 'documents.passport' },
      { id: 'RIB', key: 'documents.bankProof' },
      { id: 'PERMIT', key: 'documents.residencePermit' },
    ],
  },
  search: { key: 'menu.choose', expects: 'search', choices: [{ id: 'balance', key: 'menu.balance' }] },
  field: { key: 'menu.choose', expects: 'field' },
  consent: {
    key: 'consent.ask',
    expects: 'choice',
    choices: [
      { id: 'agree', key: 'consent.agree' },
      { id: 'decline', key: 'consent.decline' },
    ],
  },
  password: { key: 'menu.choose', expects: 'password', choices: [{ id: 'cancel', key: 'pay.cancel' }] },
} as const satisfies Readonly<Record<string, Screen>>;

/** What is meant on each screen by words that stand between bars. */
const MEANT: readonly [on: keyof typeof SCREENS, meant: string | undefined, texts: string][] = [
  ['question', 'balance', 'Solde| SOLDE ! |balance|الرصيد|solda|sodle|et solde ?|and balance'],
  ['question', 'to back', 'Retour|retuor'],
  ['question', 'to menu', 'القائمة'],
  ['question', undefined, 'sol|xolde|solde 200|2||oui|et|and'],
  ['documents', 'PASS', 'passeport|mon Passeport|passport|جواز السفر'],
  ['documents', 'RIB', 'rib|attestation'],
  ['documents', undefined, 'carte|passeport rib|de|passeport 2'],
  ['documents', 'ID', "carte d'identité"],
  ['documents', 'PERMIT', 'carte de séjour'],
  ['people', 'Khadija', 'khadija'],
  ['people', 'Brahim', 'brahim'],
  ['people', undefined, 'brahin|khadije'],
  ['payment', 'confirm', 'Confirmer|oui|Oui !|yes|نعم|oui, confirmer|confirmer svp'],
  ['payment', undefined, 'confirmar|ok|oui mais non|oui 200|svp'],
  ['payment', 'cancel', 'annulre|non|no|لا|annuler merci'],
  ['search', 'balance', 'solde'],
  ['search', undefined, 'solda'],
  ['search', 'to menu', 'menu'],
  ['consent', 'agree', "oui j'accepte|Oui, j'accepte les conditions|J'accepte svp"],
  ['consent', 'agree', "J'accepte|j’accepte !|accepte|je les accepte|Je suis d'accord"],
  ['consent', 'agree', "J'accepte les conditions|I agree|agree|I accept|أوافق|اوافق|موافق|موافقة|أقبل"],
  ['consent', 'agree', "كنوافق|أنا موافق|متافق|kanwafe9|mwafe9|mtafe9|d'accord|oui|yes|نعم|واخا|wakha"],
  ['consent', undefined, "ok|OK|oki|yep|y|sure|fine|go|n'accepte|je n accepte|j'acepte|i agre|agreed?"],
  ['consent', undefined, 'نعام|اه|واخة|أوافقق|لا موافق|ما أوافق|waxa|ah|iyeh|safi|suis|les|merci'],
  ['consent', 'decline', "Je refuse|non|no|لا|لا أوافق|je n'accepte pas|I don't agree|i dont agree"],
  ['consent', 'decline', 'I do not agree|ما موافقش|ma mwafe9ch'],
  ['field', 'to back', 'retour'],
  ['field', undefined, 'retour de prêt|aide'],
  ['password', undefined, 'annuler'],
];

test.each(MEANT.flatMap(([on, meant, texts]) => texts.split('|').map((text) => [on, text, meant] as const)))(
  'on a %s, %j is %s',
  (on, text, meant) => {
    const screen: Screen = SCREENS[on];
    const found = labelled(text, screen, labels) ?? nearlyLabelled(text, screen, labels);
    const name =
      found &&
      { choice: 'id' in found && found.id, way: 'to' in found && `to ${found.to}`, either: 'either' }[
        found.kind
      ];
    expect(name).toBe(meant);
  },
);

test('of two equally near labels, neither is taken', () => {
  const choices = ['Service A1', 'Services A1'].map((name) => ({ id: name, ...NAMED(name) }));
  const screen: Screen = { key: 'menu.choose', expects: 'choice', choices };
  expect(nearlyLabelled('servicee a1', screen, labels)).toEqual({ kind: 'either' });
  expect(labelled('service a1', screen, labels)).toEqual({ kind: 'choice', id: 'Service A1' });
  expect(nearlyLabelled('servicee a2', screen, labels)).toBeUndefined();
});

describe('in a chat', () => {
  const world = theWorld({ bot: 'webhook' });

  test.each([
    ['web', 'fr'],
    ['telegram', 'ar'],
    ['telegram', 'en'],
  ] as const)('buttons are typed, on %s in %s', async (channel, language) => {
    const fatima = world.customer({ channel, language });
    const youssef = world.customer();
    const label = (id: string) => {
      const { choices } = world.renderer.chat(fatima.reply().screen, language);
      return choices.find((choice) => choice.id === id)?.label ?? '';
    };
    const back = { fr: 'retuor', ar: 'رجوع', en: 'bakc' }[language];
    await fatima.isAtMenu();
    await fatima.says(label('account')).sees('account.choose');
    await fatima.says(label('language')).sees('language.choose');
    await fatima.says(label(language)).sees('menu.choose');
    await fatima.chooses('account').sees('account.choose').says(back).sees('menu.choose');
    await fatima.says(label('transfer')).sees('transfer.askRecipient');
    await fatima.says(youssef.phone).sees('transfer.askAmount').says('200').sees('transfer.askPin');
    await fatima.says(label('cancel')).sees('transfer.cancelled');
    expect(world.wallet.calls(fatima.phone, 'login')).toHaveLength(1);
  });

  test.each(LANGUAGES)('customers ask to leave in the middle of a request, in %s', async (language) => {
    const fatima = world.customer({ channel: 'web', language });
    const [cancel, help] = {
      fr: ['laisse tomber', 'besoin d’aide'],
      ar: ['إلغاء', 'ساعدوني'],
      en: ['never mind', 'i need help'],
    }[language];
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await fatima.says(help ?? '').sees('help.help');
    await fatima.chooses('continue').sees('transfer.askRecipient');
    await fatima
      .says(cancel ?? '')
      .sees('menu.choose')
      .isTold('nav.cancelled');
  });

  test.each([
    ['fr', (to: string) => `envoyer 40 à ${to}`],
    ['ar', (to: string) => `إرسال 40 إلى ${to}`],
    ['en', (to: string) => `send 40 to ${to}`],
  ] as const)(
    'a whole order at the question for a recipient is that order, in %s',
    async (language, order) => {
      const fatima = world.customer({ channel: 'web', language });
      const youssef = world.customer();
      await fatima.isAtMenu().chooses('transfer').says('0612').isTold('mobile.notANumber');
      await fatima.says(order(youssef.phone)).sees('transfer.askPin', { to: youssef.phone, amount: 4000 });
      await fatima.goes('menu').chooses('transfer').says('100 dh').sees('transfer.askRecipient');
    },
  );
});
