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
      { id: 'cancel', key: 'pay.cancel' },
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

test.each<[on: keyof typeof SCREENS, text: string, meant: string | undefined]>([
  ['question', 'Solde', 'balance'],
  ['question', ' SOLDE ! ', 'balance'],
  ['question', 'balance', 'balance'],
  ['question', 'الرصيد', 'balance'],
  ['question', 'solda', 'balance'],
  ['question', 'sodle', 'balance'],
  ['question', 'Retour', 'to back'],
  ['question', 'القائمة', 'to menu'],
  ['question', 'retuor', 'to back'],
  ['question', 'sol', undefined],
  ['question', 'xolde', undefined],
  ['question', 'solde 200', undefined],
  ['question', '2', undefined],
  ['question', '', undefined],
  ['documents', 'passeport', 'PASS'],
  ['documents', 'mon Passeport', 'PASS'],
  ['documents', 'passport', 'PASS'],
  ['documents', 'جواز السفر', 'PASS'],
  ['documents', 'rib', 'RIB'],
  ['documents', 'attestation', 'RIB'],
  ['documents', 'carte', undefined],
  ['documents', "carte d'identité", 'ID'],
  ['documents', 'carte de séjour', 'PERMIT'],
  ['documents', 'passeport rib', undefined],
  ['documents', 'de', undefined],
  ['documents', 'passeport 2', undefined],
  ['people', 'khadija', 'Khadija'],
  ['people', 'brahim', 'Brahim'],
  ['people', 'brahin', undefined],
  ['people', 'khadije', undefined],
  ['payment', 'Confirmer', 'confirm'],
  ['payment', 'confirmar', undefined],
  ['payment', 'oui', undefined],
  ['payment', 'annulre', 'cancel'],
  ['search', 'solde', 'balance'],
  ['search', 'solda', undefined],
  ['search', 'menu', 'to menu'],
  ['consent', "J'accepte", 'agree'],
  ['consent', 'j’accepte !', 'agree'],
  ['consent', 'accepte', 'agree'],
  ['consent', 'je les accepte', 'agree'],
  ['consent', "Je suis d'accord", 'agree'],
  ['consent', "J'accepte les conditions", 'agree'],
  ['consent', 'I agree', 'agree'],
  ['consent', 'agree', 'agree'],
  ['consent', 'I accept', 'agree'],
  ['consent', 'أوافق', 'agree'],
  ['consent', 'اوافق', 'agree'],
  ['consent', 'موافق', 'agree'],
  ['consent', 'موافقة', 'agree'],
  ['consent', 'أقبل', 'agree'],
  ['consent', 'كنوافق', 'agree'],
  ['consent', 'أنا موافق', 'agree'],
  ['consent', 'متافق', 'agree'],
  ['consent', 'kanwafe9', 'agree'],
  ['consent', 'mwafe9', 'agree'],
  ['consent', 'mtafe9', 'agree'],
  ['consent', 'ok', undefined],
  ['consent', 'OK', undefined],
  ['consent', 'oki', undefined],
  ['consent', "d'accord", 'agree'],
  ['consent', 'oui', 'agree'],
  ['consent', 'yes', 'agree'],
  ['consent', 'yep', undefined],
  ['consent', 'y', undefined],
  ['consent', 'sure', undefined],
  ['consent', 'fine', undefined],
  ['consent', 'go', undefined],
  ['consent', "n'accepte", undefined],
  ['consent', 'je n accepte', undefined],
  ['consent', "j'acepte", undefined],
  ['consent', 'i agre', undefined],
  ['consent', 'agreed?', undefined],
  ['consent', 'نعم', 'agree'],
  ['consent', 'نعام', undefined],
  ['consent', 'اه', undefined],
  ['consent', 'واخا', 'agree'],
  ['consent', 'واخة', undefined],
  ['consent', 'أوافقق', undefined],
  ['consent', 'لا موافق', undefined],
  ['consent', 'ما أوافق', undefined],
  ['consent', 'wakha', 'agree'],
  ['consent', 'waxa', undefined],
  ['consent', 'ah', undefined],
  ['consent', 'iyeh', undefined],
  ['consent', 'safi', undefined],
  ['consent', 'suis', undefined],
  ['consent', 'les', undefined],
  ['consent', 'merci', undefined],
  ['consent', 'Je refuse', 'decline'],
  ['consent', 'non', 'decline'],
  ['consent', 'no', 'decline'],
  ['consent', 'لا', 'decline'],
  ['consent', 'لا أوافق', 'decline'],
  ['consent', "je n'accepte pas", 'decline'],
  ['consent', "I don't agree", 'decline'],
  ['consent', 'i dont agree', 'decline'],
  ['consent', 'I do not agree', 'decline'],
  ['consent', 'ما موافقش', 'decline'],
  ['consent', 'ma mwafe9ch', 'decline'],
  ['question', 'oui', undefined],
  ['field', 'retour', 'to back'],
  ['field', 'retour de prêt', undefined],
  ['field', 'aide', undefined],
  ['password', 'annuler', undefined],
])('on a %s, %j is %s', (on, text, meant) => {
  const screen: Screen = SCREENS[on];
  const found = labelled(text, screen, labels) ?? nearlyLabelled(text, screen, labels);
  const name =
    found &&
    { choice: 'id' in found && found.id, way: 'to' in found && `to ${found.to}`, either: 'either' }[
      found.kind
    ];
  expect(name).toBe(meant);
});

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
