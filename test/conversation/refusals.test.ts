import { describe, expect, test } from 'vitest';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import type { FaultOrder } from '../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../src/wallet/contract/api.ts';
import { SANDBOX_ERRORS } from '../../src/wallet/contract/errors.ts';
import { readText } from '../kit/tree.ts';
import { type Customer, theWorld } from '../kit/world.ts';
import { agentAtMenu, agentIn, referenceOf } from '../machines/agent-orders.ts';
import { KARIM } from '../machines/bank-orders.ts';
import {
  agrees,
  formOf,
  makesLink,
  PDF,
  paidByCard,
  sends,
  sendsFiles,
  typedCard,
} from '../machines/card-forms.ts';
import { issue } from '../machines/card-issuing.ts';
import { merchantIn, paidBy } from '../machines/merchant-orders.ts';

const world = theWorld({ form: true });

/** The refused call, the way there, and the customer's sentence. Absent: the general sentence of the code. */
type Row = readonly [code: number, operation: ApiName, what: string, path: Path, said?: SentenceKey];
/** Goes there with the fault set just before the call that it refuses, which `fails` does. */
type Path = (fails: () => void) => Promise<readonly [Customer]>;
const stands = async (customer: Customer): Promise<readonly [Customer]> => {
  await customer;
  return [customer];
};

const user = () => world.customer({ channel: 'web', balance: '900' }).isAtMenu();
const sending: Path = (fails) =>
  stands(user().chooses('transfer').says('0655000001').meanwhile(fails).says('20'));

const banking: Path = (fails) =>
  stands(user().says('virement').says(KARIM).says('Karim').meanwhile(fails).says('20'));
const depositing: Path = (fails) => stands(user().says('/cash-in 30').meanwhile(fails).chooses('agents'));
const drawing: Path = (fails) => stands(user().says('/cash-out 30').meanwhile(fails).enters());
const renaming: Path = async (fails) => {
  const fatima = user();
  await fatima;
  await world.api.saveBeneficiary(fatima.phone, { name: 'Maman', phoneNumber: '+212655000001' });
  await fatima.says('bénéficiaires');
  const [first] = fatima.reply().screen.choices ?? [];
  return stands(
    fatima
      .chooses(first?.id ?? '')
      .chooses('rename')
      .meanwhile(fails)
      .says('Mère'),
  );
};
const depositingByCard: Path = async (fails) => {
  const fatima = user();
  await fatima.says('/card-cash-in 100').walks(agrees).sees('card-cash-in.askCard');
  fails();
  await sends(formOf(world, fatima), typedCard());
  return stands(fatima.opens());
};
const suspending: Path = async (fails) => {
  const fatima = user();
  await fatima;
  await issue(world, fatima);
  return stands(fatima.says('ma carte').meanwhile(fails).chooses('suspend'));
};
const ordering: Path = (fails) => {
  const fatima = user().says('commander une carte').chooses('1').meanwhile(fails);
  return stands(fatima.enters());
};
const givingBack: Path = async (fails) => {
  const shop = merchantIn(world);
  await shop.isAtMenu();
  await paidByCard(world, shop);
  await shop.chooses('card-payments').chooses('card-refund').says('1').chooses('all');
  return stands(shop.meanwhile(fails).enters());
};
const refunding: Path = async (fails) => {
  const shop = merchantIn(world);
  const id = await paidBy(world, world.customer(), shop, '45,50');
  await shop.isAtMenu().chooses('merchant-refund').chooses(String(id)).meanwhile(fails);
  return stands(shop.chooses('all'));
};
const settling =
  (way: 'capture' | 'release'): Path =>
  async (fails) => {
    const shop = merchantIn(world);
    await shop.isAtMenu();
    await paidByCard(world, shop, '80', 'reserve');
    await shop.chooses('card-payments').chooses('reservations').says('1').chooses(way);
    if (way === 'capture') await shop.chooses('all');
    return stands(shop.meanwhile(fails).enters());
  };
const agentTakes =
  (kind: 'cash-in' | 'cash-out'): Path =>
  async (fails) => {
    const { agent } = await agentAtMenu(world, 'web');
    const reference = await referenceOf(world, kind, world.customer({ balance: '900' }).phone, 50);
    await agent.chooses(`agent-${kind}`).says(reference).meanwhile(fails);
    return stands(agent.enters());
  };
const asking: Path = async (fails) => {
  const { agent } = await agentAtMenu(world, 'web');
  const reference = await referenceOf(world, 'cash-in', world.customer().phone, 50);
  return stands(agent.chooses('agent-cash-in').meanwhile(fails).says(reference));
};
const becoming: Path = async (fails) => {
  const { agent, code } = await agentIn(world, 'web');
  await agent.isAtMenu().chooses('account').chooses('agent').meanwhile(fails);
  return stands(agent.says(code));
};
const documenting: Path = async (fails) => {
  const shop = merchantIn(world, 'web');
  await shop.isAtMenu().chooses('account').chooses('documents').chooses('company').chooses('STATUTES');
  fails();
  await sendsFiles(formOf(world, shop), { front: PDF });
  return stands(shop.opens());
};
const linking: Path = async (fails) => {
  const shop = merchantIn(world, 'web');
  await shop.isAtMenu().meanwhile(fails).walks(makesLink());
  return stands(shop);
};

const ROWS: readonly Row[] = [
  [90010, 'previewTransfer', 'money for somebody', sending, 'pay.short'],
  [90010, 'requestCashOut', 'a withdrawal', drawing],
  [90010, 'executeAgentCashIn', 'an agent’s deposit', agentTakes('cash-in'), 'agent-cash-in.floatTooLow'],
  [90011, 'previewTransfer', 'money for somebody', sending],
  [90011, 'requestCashIn', 'a deposit of one’s own', depositing, 'cash-in.overLimit'],
  [90011, 'previewCardPayment', 'a merchant’s link', linking],
  [90014, 'previewTransfer', 'money for somebody', sending],
  [90014, 'requestCashIn', 'a deposit of one’s own', depositing, 'cash-in.cannotReceive'],
  [90024, 'readRetailAgent', 'an agent’s code', becoming, 'problem.90140'],
  [90100, 'previewTransfer', 'money for somebody', sending, 'pay.noFloat'],
  [90101, 'updateBeneficiary', 'a saved recipient who is gone', renaming],
  [90102, 'previewBankTransfer', 'an account', banking],
  ...([90110, 90111, 90112, 90113] as const).map(
    (code): Row => [code, 'previewChargeback', 'a payment to give back', refunding],
  ),
  [90120, 'readCashInRequest', 'a reference at an agent', asking, 'agent-cash-in.noSuch'],
  [90121, 'readCashInRequest', 'a reference at an agent', asking],
  [90121, 'executeAgentCashOut', 'a withdrawal at an agent', agentTakes('cash-out')],
  [90122, 'executeAgentCashIn', 'a deposit at an agent', agentTakes('cash-in')],
  [90133, 'uploadMerchantDocuments', 'a document', documenting],
  [90140, 'readRetailAgent', 'an agent’s code', becoming],
  [90150, 'previewTransfer', 'a saved recipient who has changed', sending],
  ...([90200, 90201, 90202, 90203] as const).map(
    (code): Row => [code, 'executeCardCashIn', 'a card', depositingByCard],
  ),
  ...([90205, 90206, 90207, 90210] as const).map(
    (code): Row => [code, 'captureCardPayment', 'a reservation that is taken', settling('capture')],
  ),
  [90208, 'reverseCardPayment', 'a reservation that is released', settling('release')],
  [90209, 'refundCardPayment', 'a card payment that is given back', givingBack],
  [90300, 'createCardApplication', 'a card that is ordered', ordering],
  ...([90303, 90304] as const).map((code): Row => [code, 'suspendCard', 'an issued card', suspending]),
];

const whole = ([code, operation, what, path, said]: Row) =>
  [code, operation, what, path, said ?? (`problem.${code}` as SentenceKey)] as const;

/** Flows that only a page of ours, or nobody in a conversation, comes to: each has its test where that is. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  90130: 'test/machines/upgrade.test.ts',
  90131: 'test/machines/upgrade.test.ts',
  90132: 'test/machines/upgrade.test.ts',
  90134: 'test/machines/upgrade.test.ts',
  90141: 'test/machines/principal-agents.test.ts',
  90204: 'test/machines/saved-cards.test.ts',
};
/** Codes of an application belong to an issuer alone. 90301 and 90302 answer its own calls. */
const OF_ISSUERS: readonly number[] = [90301, 90302];

describe('a refusal of the wallet, forced at the sandbox’s desk', () => {
  test.each(ROWS.map(whole))('%i by %s, of %s', async (code, operation, _, path, said) => {
    const fault = { name: 'refused', code, operation, count: 1 };
    const [customer] = await path(() => world.sandbox.faults.set(fault as FaultOrder));
    const { key, notice } = customer.reply().screen;
    expect([notice?.key, key]).toContain(said);
    expect(world.sandbox.faults.list(), 'it has struck').toEqual([]);
  });

  test('is in a table with every code for cash, cards and refunds', () => {
    const forced = new Set(ROWS.map(([code]) => code));
    const others = [...Object.keys(ELSEWHERE).map(Number), ...OF_ISSUERS];
    const all = Object.values(SANDBOX_ERRORS)
      .map(({ code }) => code)
      .filter((code) => code >= 90_100);
    expect(all.filter((code) => !forced.has(code) && !others.includes(code))).toEqual([]);
    for (const [code, file] of Object.entries(ELSEWHERE)) expect(readText(file)).toContain(code);
  });
});
