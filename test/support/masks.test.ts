import { expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import {
  MASK,
  maskAnswer,
  maskContext,
  maskPhone,
  maskPhones,
  maskScreen,
  maskSentence,
  sightOf,
} from '../../src/support/masks.ts';
import { centimes } from '../../src/wallet/money.ts';
import { FATIMA, YOUSSEF } from './records.ts';

const agent = sightOf({ role: 'agent' });
const supervisor = sightOf({ role: 'supervisor' });
const revealed = sightOf({ role: 'agent' }, true);

const SCREEN: Screen = {
  key: 'transfer.confirmNamed',
  values: {
    to: { phone: YOUSSEF },
    recipientName: { name: 'Youssef Alami' },
    amount: { money: centimes(20_000) },
    balance: { money: centimes(99_900) },
    creditor: { name: 'Lydec (test)' },
    rib: { code: '007810000112345678901234' },
    reference: { code: 'AB12CD34' },
    facts: {
      lines: [
        { key: 'bill-payment.fact', values: { label: { text: 'Nom' }, value: { text: 'Fatima Zahra' } } },
      ],
    },
    code: { hidden: 'VOUCHER-CANARY' },
    at: { date: 0 },
  },
  choices: [{ id: YOUSSEF, key: 'top-up.recent', values: { to: { phone: YOUSSEF } } }],
  notice: { key: 'transfer.done', values: { beneficiary: { name: 'Salma' } } },
  expects: 'choice',
};

test('without a reveal personal data is masked, and a supervisor sees amounts', () => {
  const { values, choices, notice } = maskScreen(SCREEN, agent);
  expect(values).toEqual({
    to: { code: '+212 6•• •• •• 02' },
    recipientName: { name: 'Y••••' },
    amount: { code: '••••' },
    balance: { code: '••••' },
    creditor: { name: 'Lydec (test)' },
    rib: { code: '••••' },
    reference: { code: 'AB12CD34' },
    facts: {
      lines: [{ key: 'bill-payment.fact', values: { label: { text: 'Nom' }, value: { code: '••••' } } }],
    },
    code: { code: '••••' },
    at: { date: 0 },
  });
  expect(choices?.[0]?.values).toEqual({ to: { code: '+212 6•• •• •• 02' } });
  expect(notice?.values).toEqual({ beneficiary: { name: 'S••••' } });
  expect(maskScreen(SCREEN, sightOf({ role: 'viewer' })).values).toEqual(values);
  expect(maskScreen(SCREEN, supervisor).values).toEqual({ ...values, amount: SCREEN.values?.amount });
});

test.each([
  ['agent', false, false],
  ['agent', true, true],
  ['viewer', true, false],
  ['auditor', true, false],
  ['supervisor', false, true],
] as const)('a %s where agents may see amounts: %s, sees them: %s', (role, seesAmounts, sees) => {
  const sight = sightOf({ role, seesAmounts });
  expect(sight.amounts).toBe(sees);
  expect(sight.personal, 'no more than amounts').toBe(false);
  const { values } = maskSentence({ key: SCREEN.key, values: { balance: { money: centimes(100) } } }, sight);
  expect(values?.balance, 'the balance stays masked').toEqual({ code: MASK });
  const room = { limit: { money: centimes(400_000) }, left: { money: centimes(310_000) } };
  for (const key of ['profile.shown', 'upgrade.room', 'card-cash-in.overRoom'] as const) {
    const told = maskSentence({ key, values: room }, sight).values;
    expect(told?.left, `${key}: what is left below a limit tells the balance`).toEqual({ code: MASK });
  }
});

test('a reveal shows personal data, and no secret', () => {
  const { values } = maskScreen(SCREEN, revealed);
  expect(values).toEqual({ ...SCREEN.values, code: { code: '••••' } });
});

test.each([
  ['a phone number', '06 00 00 00 02', 'phone', '+212 6•• •• •• 02', '+212 600 00 00 02'],
  ['a phone number where none was asked', '0600000002', 'search', '+212 6•• •• •• 02', '+212 600 00 00 02'],
  ['a name', 'Fatima Zahra', 'name', '••••', 'Fatima Zahra'],
  ['what looks like a PIN', '4821', 'field', '••••', '••••'],
  ['a PIN in a sentence', 'mon code est 4821 merci', 'field', '••••', 'mon code est •••• merci'],
  ['a card number', '4242 4242 4242 4242', 'field', '••••', '••••'],
  ['a one-time code in Arabic digits', '٤٨٢١٣٣', 'field', '••••', '••••'],
  ['an amount', '200', 'amount', '••••', '200'],
  ['the number of an entry', '3', 'choice', '3', '3'],
  ['a PIN at a menu', '4821', 'choice', '••••', '••••'],
  ['a number where none is an entry', '3', 'field', '••••', '3'],
] as const)('an answer: %s', (_name, text, expects, masked, shown) => {
  expect(maskAnswer(text, expects, agent)).toBe(masked);
  expect(maskAnswer(text, expects, revealed)).toBe(shown);
});

test('only known harmless fields of a conversation are shown, and no sealed ones', () => {
  const sealed = 'A'.repeat(60);
  const context = {
    wallet: FATIMA,
    linked: true,
    firstName: 'Fatima',
    cin: 'AB123456',
    proof: sealed,
    order: { kind: 'transfer', from: FATIMA, amount: 20_000, creditor: { id: '7', name: 'Lydec' } },
    balance: 99_900,
    brands: [1, 2, 3],
    notice: undefined,
  };
  const shown = (sight: typeof agent) =>
    Object.fromEntries(
      maskContext(context, sight, 50).map(({ path, shown, isSealed }) => [path, isSealed ? 'sealed' : shown]),
    );
  expect(shown(agent)).toEqual({
    wallet: '+212 6•• •• •• 78',
    linked: 'true',
    firstName: '••••',
    cin: '••••',
    proof: 'sealed',
    'order.kind': 'transfer',
    'order.from': '+212 6•• •• •• 78',
    'order.amount': '••••',
    'order.creditor.id': '••••',
    'order.creditor.name': 'Lydec',
    balance: '••••',
    brands: '[3]',
  });
  expect(shown(revealed)).toMatchObject({ proof: 'sealed', firstName: 'Fatima', 'order.amount': '200.00' });
  expect(maskContext(context, agent, 3)).toHaveLength(3);
});

test('numbers in notes of agents are masked too', () => {
  expect(maskPhone(FATIMA)).toBe('+212 6•• •• •• 78');
  expect(maskPhones(`ussd:${FATIMA}, proposed for ${YOUSSEF}`)).toBe(
    'ussd:+212 6•• •• •• 78, proposed for +212 6•• •• •• 02',
  );
});
