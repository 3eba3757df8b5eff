import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Expected, Screen } from '../../machines/kit/screen.ts';
import { isKnown, MACHINES } from '../../src/conversation/chart/machines.ts';
import { keptIn } from '../../src/conversation/chart/release-files.ts';
import { loadRelease, onWords } from '../../src/conversation/chart/releases.ts';
import { createEngine } from '../../src/conversation/engine.ts';
import { type Address, type Input, LANGUAGES, type Reply } from '../../src/conversation/incoming.ts';
import { type Intent, intentKey } from '../../src/conversation/intents/intent.ts';
import type { Paying } from '../../src/conversation/intents/pay.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Book } from '../../src/conversation/session/book.ts';
import type { Session } from '../../src/conversation/session/session.ts';
import { homeKey, sessionKey } from '../../src/conversation/session/sessions.ts';
import { type WalletDoc, walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { partitionOf } from '../../src/store/partition.ts';
import type { Write } from '../../src/store/store.ts';
import { type Centimes, centimes } from '../../src/wallet/money.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { numberOf } from '../kit/number.ts';
import { ROOT } from '../kit/tree.ts';
import { STORED_AT, statesWithScreen, storableScreens, storableStates, WALLET } from './golden-walk.ts';
import { createVirtualClock } from './simulation/clock.ts';
import { createMemory, storeOf } from './simulation/memory-store.ts';
import { report } from './town/oracle.ts';
import { type Random, randomOf } from './town/random.ts';

const DIRECTORY = join(import.meta.dirname, 'golden');
const UPDATE = process.env.UPDATE_GOLDEN === '1';
/** Versions whose conversations end at the menu, on purpose: `<machine>-<version>`, and why. */
const LANDED: Readonly<Record<string, string>> = {};
const ADDRESS: Address = `ussd:${WALLET}`;
/** A chat of that wallet, in its partition. */
const CHAT = Array.from({ length: 10_000 }, (_, i): Address => `web:${i}`).find(
  (address) => partitionOf(address) === partitionOf(WALLET),
) as Address;
const DEADLINE_MS = 15_000;

interface Golden {
  readonly machine: string;
  readonly version: string;
  readonly sessions: Readonly<Record<string, Session>>;
}

const renderer = createRenderer();
onWords((release, { sentences }) => renderer.learn(release, sentences));
/** The release before this one: what it has stored goes on, on its own charts, in this engine. */
const KEPT = keptIn(ROOT);
for (const { release } of KEPT) await loadRelease(release);
const secrets = createSecrets('a secrets key of the golden ones, 32 chars');

/** `UPDATE_GOLDEN=1` adds new sessions. It never takes a stored one back. */
if (UPDATE) {
  for (const [machine, { version = '' }] of Object.entries(MACHINES)) {
    const file = join(DIRECTORY, `${machine}-${version}.json`);
    const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden).sessions : {};
    const added = [...storableStates(machine)].filter(([state]) => !(state in kept));
    if (added.length === 0) continue;
    const sessions = { ...kept, ...Object.fromEntries(added) };
    writeFileSync(file, written({ machine, version, sessions }));
  }
}

/** One session a line: a new state is a line of the diff, and the files are a tenth as long. */
function written({ machine, version, sessions }: Golden): string {
  const lines = Object.entries(sessions).map(
    ([state, session]) => `    ${JSON.stringify(state)}: ${JSON.stringify(session)}`,
  );
  return `{
  "machine": ${JSON.stringify(machine)},
  "version": ${JSON.stringify(version)},
  "sessions": {\n${lines.join(',\n')}\n  }
}\n`;
}

const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.json'));
const goldens = files.map((name) => JSON.parse(readFileSync(join(DIRECTORY, name), 'utf8')) as Golden);
const stored = goldens.flatMap(({ machine, version, sessions }) =>
  Object.entries(sessions).map(([state, session]) => [`${machine}-${version}`, state, session] as const),
);

const storedBefore = KEPT.flatMap(({ version, release }) =>
  stored.flatMap(([name, state, session]) => {
    const { conversation } = session;
    const begun = conversation && { ...conversation, release };
    return begun && isKnown(begun)
      ? [[`${name} of release ${version}`, state, { ...session, conversation: begun }] as const]
      : [];
  }),
);

describe('T8: what is kept of each version', () => {
  test.each(Object.entries(MACHINES))(
    '%s: every state that can be stored, of today',
    (machine, { version }) => {
      const today = goldens.find((golden) => golden.machine === machine && golden.version === version);
      const missing = statesWithScreen(machine).filter((state) => !today?.sessions[state]);
      expect(missing, 'keep them with UPDATE_GOLDEN=1').toEqual([]);
    },
  );

  test.each(Object.keys(MACHINES))('%s: the walk that keeps them finds every state', (machine) => {
    const found = storableStates(machine);
    expect(statesWithScreen(machine).filter((state) => !found.has(state))).toEqual([]);
  });

  test('nothing of it is empty', () => {
    expect(stored.length).toBeGreaterThan(40);
    const inputs = stored.reduce((sum, [, , session]) => sum + inputsOn(session).length, 0);
    report('T8 golden', { versions: goldens.length, states: stored.length, inputs });
  });
});

describe.each([...stored, ...storedBefore])('T8: %s in %s', (version, _state, session) => {
  test('is loaded and shown in each language, on each channel', async () => {
    const { shows, errors } = play(session);
    // What has ended may say that it is over: a chart may lead on from where it rested before.
    const wrong = session.conversation?.ended ? /^nav\.(?!over$)/ : /^nav\./;
    for (const language of LANGUAGES) {
      const reply = await shows(language);
      expect(reply.screen.key).not.toMatch(wrong);
      render(reply);
    }
    expect(errors).toEqual([]);
  });

  test('accepts what is answered there', async () => {
    for (const raw of inputsOn(session)) {
      const { hears, errors } = play(session);
      const reply = await hears(raw);
      render(reply);
      expect([raw, reply.screen.notice?.key]).not.toEqual([raw, expect.stringMatching(NOT_HEARD)]);
      expect(errors).toEqual([]);
    }
  });

  test('goes on when time passes', async () => {
    const { clock, wakes, errors, hears } = play(session);
    for (const ms of [46_000, 130_000, 31 * 60_000]) {
      await clock.runUntil(STORED_AT + ms);
      await wakes();
    }
    render(await hears({ type: 'went', to: 'menu' }));
    expect(errors).toEqual([]);
  });

  test('is not landed at the menu unless it is meant to be', async () => {
    const { shows } = play(session);
    const reply = await shows('fr');
    const isLanded = reply.screen.key.startsWith('menu.') && !version.startsWith('menu-');
    expect(isLanded).toBe(version in LANDED);
  });
});

/** What a customer may do on any screen, though it asks for something else. */
const ANYTHING: readonly Input[] = [
  ...['xyzzy', '', '7', '1234', '150,50', '0612345678', 'oui', 'enregistrer', 'bloquer', 'solde'].map(said),
  ...['envoyer 50 à 0612345678', 'facture redal 12345672', 'recharge 20', 'retirer 100'].map(said),
  { type: 'secret', secret: '4711' },
  { type: 'chose', choice: 'continue' },
  { type: 'photo' },
  { type: 'opened' },
  { type: 'went', to: 'more' },
];
/** What may be true of the wallet: its payments are frozen, another one is under way, or an adviser was asked for. */
const WALLETS: readonly WalletDoc[] = [
  { entries: [] },
  { entries: [], safety: { frozen: { at: STORED_AT } } },
  { entries: [{ id: 'other', alike: 'transfer', at: STORED_AT - 20_000, state: 'open' }] },
  { entries: [], asked: { at: STORED_AT, case: 'c-2345678', address: ADDRESS } },
];
const LONG = process.env.LONG === '1';

describe.each(Object.keys(MACHINES))('T8: %s, whatever its customer does', (machine) => {
  const random = randomOf(20_261_130);

  test('each screen answers with a page, and so does a dial', async () => {
    for (const session of storableScreens(machine))
      for (const wallet of LONG ? WALLETS : [random.pick(WALLETS)])
        await doesAnything(session, wallet, random);
  }, 60_000);
});

async function doesAnything(session: Session, wallet: WalletDoc, random: Random): Promise<void> {
  const { conversation, underway } = session;
  const address = conversation?.context.isChat ? CHAT : ADDRESS;
  const { dials, hears, errors } = play(session, underway ? undefined : wallet, address);
  const did: unknown[] = [conversation?.machine, conversation?.state, wallet];
  try {
    renderAll(await dials());
    for (let inputs = 0; inputs < (LONG ? 8 : 3); inputs++) {
      did.push(random.pick([...inputsOn(session), ...ANYTHING]));
      renderAll(await (random.chance(0.3) ? dials() : hears(did.at(-1) as Input)));
    }
  } catch (error) {
    throw new Error(`after ${JSON.stringify(did)}`, { cause: error });
  }
  expect(errors).toEqual([]);
}

describe('T8: a version that nobody knows', () => {
  const [, , known] =
    stored.find(([version, state]) => version.startsWith('transfer-') && state === 'askingAmount') ?? [];
  const changed = (more: object): Session => {
    if (!known?.conversation) throw new Error('no transfer is kept');
    return { ...known, conversation: { ...known.conversation, ...more } };
  };

  test.each<[string, Session, string | undefined]>([
    ['another version', changed({ version: '999' }), 'nav.expired'],
    ['a state that is gone', changed({ state: 'askingTheMoon' }), 'nav.expired'],
    ['a machine that is gone', changed({ machine: 'lottery' }), 'nav.expired'],
    ['with money under way', { ...changed({ version: '999' }), intent: 'some intent' }, undefined],
  ])('%s lands at the menu, and only what was never sent has expired', async (_case, session, notice) => {
    const { hears, errors } = play(session);
    const reply = await hears({ type: 'said', text: '200' });
    expect([reply.screen.key, reply.screen.notice?.key]).toEqual(['menu.choose', notice]);
    render(reply);
    expect(errors).toEqual([]);
  });
});

/** Screens that would mean that an input of the screen itself was not understood. */
const NOT_HEARD = /^nav\.(notUnderstood|chooseOne|expired|stale|tooLong)/;

function said(text: string): Input {
  return { type: 'said', text };
}

/** Everything that the screen of a stored session asks for, as it would be typed, and the ways away from it. */
function inputsOn({ conversation, underway }: Session): Input[] {
  const screen = conversation && (screenIn(conversation) as Screen | undefined);
  if (!screen || underway) return [];
  const answers: Readonly<Record<Expected, readonly Input[]>> = {
    choice: (screen.choices ?? []).map(({ id }) => said(numberOf(screen.choices, id))),
    amount: [said('200'), said('1 200,50')],
    phone: [said('0612345678')],
    account: [said(screen.key === 'transfer.askRecipient' ? '0612345678' : ribWith('007780', 1))],
    name: [said('Salma')],
    nationalId: [said('AB123456')],
    pin: [said('4711')],
    newPin: [said('4711')],
    search: [...(screen.choices ?? []).map(({ id }) => said(numberOf(screen.choices, id))), said('eau')],
    field: [said('1234567')],
    password: [said('mot de passe')],
    otp: [said('123-456'), ...(screen.choices ?? []).map(({ id }) => said(numberOf(screen.choices, id)))],
    reference: [said('936100000001'), said('0612345678')],
    card: [{ type: 'carded' }],
    cvv: [{ type: 'carded' }],
    document: [{ type: 'photo' }],
    twoSided: [{ type: 'photo' }],
    csv: [{ type: 'photo' }],
    nothing: [],
  };
  const ways = (['back', 'menu', 'cancel', 'help', 'language'] as const).map(
    (to): Input => ({ type: 'went', to }),
  );
  return [...answers[screen.expects], ...ways];
}

function screenIn({ machine, state, context }: NonNullable<Session['conversation']>): unknown {
  const meta = MACHINES[machine]?.states[state]?.meta as { screen(context: unknown): Screen } | undefined;
  return meta?.screen(context);
}

/** The engine of today on a store that holds one session of then. */
function play(session: Session, wallet?: Partial<WalletDoc>, address = ADDRESS) {
  const clock = createVirtualClock(STORED_AT + 1_000);
  const memory = createMemory(clock.now);
  const store = storeOf(memory, clock, () => ({ thereMs: 0, backMs: 0 }));
  const partition = partitionOf(WALLET);
  const write = { key: sessionKey(address), version: 0, value: JSON.stringify(session) };
  const writes = [write, ...paymentOf(session), ...homeOf(address)];
  if (wallet) writes.push({ key: walletKey(WALLET), version: 0, value: JSON.stringify(wallet) });
  memory.commit(partition, { writes });
  const errors: unknown[] = [];
  const engine = createEngine({
    store,
    api: WILLING,
    secrets,
    alone: false,
    served: { labelsOf: renderer.labels, advisers: true },
    now: clock.now,
    onError: (error) => errors.push(error),
    sendCode: async () => 'sent',
    deliver: async () => 'held',
  });
  let inputs = 0;
  let dialog = 'dial';
  const receives = (made: readonly Input[]) => {
    const dialled = address === ADDRESS && { dialog };
    return engine.receive({ address, id: `${inputs++}`, ...dialled, inputs: made }, DEADLINE_MS);
  };
  return {
    clock,
    errors,
    hears: (raw: Input) => receives([raw]),
    /** Comes anew. */
    dials: () => {
      dialog = `dial ${inputs}`;
      return receives(address === ADDRESS ? [] : [{ type: 'opened' }]);
    },
    /** The same input once more: the screen that stands. */
    shows: async (language: (typeof LANGUAGES)[number]): Promise<Reply> => {
      const seen = session.seen.at(-1) as string;
      const reply = await engine.receive({ address: ADDRESS, id: seen, dialog, inputs: [] }, DEADLINE_MS);
      return { ...reply, language };
    },
    wakes: () => engine.wake(ADDRESS),
  };
}

/** Of a chat, the wallet that it is linked to. */
function homeOf(address: Address): Write[] {
  return address === ADDRESS
    ? []
    : [{ key: homeKey(address), version: 0, value: JSON.stringify({ wallet: WALLET }) }];
}

/** The intent and the book that were written in the commit which stored a payment under way. */
function paymentOf({ underway, conversation }: Session): Write[] {
  if (underway?.src !== 'pay' || !conversation) return [];
  const { order, quote, before } = conversation.context as unknown as Paying;
  const { ref: id } = underway;
  const intent: Intent = {
    id,
    wallet: WALLET,
    address: ADDRESS,
    order,
    quote,
    before,
    state: 'sent',
    sentAt: STORED_AT,
    evidence: [],
    audit: [],
  };
  const book: Book = { entries: [{ id, alike: 'transfer', at: STORED_AT, state: 'open' }] };
  return [
    { key: intentKey(id), version: 0, value: JSON.stringify(intent) },
    { key: walletKey(WALLET), version: 0, value: JSON.stringify(book) },
  ];
}

function renderAll(reply: Reply): void {
  for (const language of LANGUAGES) render({ ...reply, language });
}

function render({ screen, language, missed }: Reply): void {
  for (const each of [screen, ...missed.map((notice) => notice.screen)]) {
    const { pages } = renderer.ussd(each, language, 0);
    for (let page = 0; page < pages; page++) {
      const { units, max } = renderer.ussd(each, language, page);
      expect(units).toBeLessThanOrEqual(max);
    }
    expect(renderer.chat(each, language).text).not.toBe('');
  }
}

const answers =
  <T>(value: T) =>
  async () => ({ kind: 'ok' as const, value });
const neverAsked = async () => ({ kind: 'unknown' as const, why: 'never asked' });
const quoted = async ({ amount }: { readonly amount: Centimes }) =>
  answers({ fees: centimes(0), total: amount, openLoop: false })();
const numbered =
  (reference: string) =>
  ({ amount }: { readonly amount: Centimes }) =>
    answers({ reference, amount, status: 1 as const, madeAt: STORED_AT })();
type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
/** The same call under each of these names. */
const each = <Ask, const Names extends string>(ask: Ask, names: Names) =>
  Object.fromEntries(names.split(' ').map((name) => [name, ask])) as Record<Words<Names> & keyof Wallet, Ask>;

const MAMAN = { id: 7, name: 'Maman', phoneNumber: '+212612345678', rib: ribWith('007780', 1) };
const BILL = { id: '1', description: 'Juin', date: '01/06/2026', amount: centimes(10_000), type: 0 };
const ARTICLE = { sku: 'L100', providerId: 1, brandId: 1, name: 'Livres 100', price: centimes(10_000) };
const CARD = { state: 'active', last4: '8189' } as const;

/** A wallet that says yes to everything. */
const WILLING: Wallet = {
  ...each(answers(true as const), 'register confirm resendOtp login createPin changePin resetPin'),
  ...each(answers(true as const), 'unregister renameAgentCard deleteAgentCard deleteBeneficiary'),
  ...each(answers(true as const), 'sendMerchantDocument changeCard setCardServices changeRetailAgent'),
  ...each(quoted, 'previewTransfer previewBankTransfer previewFloatByCard previewTopUp'),
  ...each(quoted, 'previewChargeback previewMerchantPayment previewCardPayment previewCardRefund'),
  ...each(answers({}), 'transfer bankTransfer loadFloatByCard payMerchant maskedName shopName'),
  ...each(answers({ isFinal: true as const }), 'topUp payBill chargeback captureCard reverseCard'),
  ...each(answers({ isFinal: true as const }), 'refundCard topUpB2b'),
  ...each(answers({ status: 2 as const, isFinal: true as const }), 'agentCashIn agentCashOut'),
  ...each(answers([]), 'agentCards cardApplications cardTransactions'),
  ...each(answers({ entries: [], count: 0 }), 'billPayments retailAgents'),
  ...each(neverAsked, 'operation billReceipt payByCard qrByReference previewCardCashIn cashInByCard'),
  ...each(neverAsked, 'deleteSavedCard startIdentification requestUpgrade cashReference cashPoints'),
  ...each(neverAsked, 'principalAgent requestFloat agentOperations previewAgentTransfer agentTransfer'),
  ...each(answers(MAMAN), 'saveBeneficiary changeBeneficiary'),
  customerStatus: answers({ status: 3 }),
  isDefaultWallet: answers(true),
  balance: answers(centimes(1_000)),
  profile: (phone) =>
    answers({ fullName: 'Salma Idrissi', phone, balance: centimes(1_000), level: 2, status: 3 as const })(),
  operations: answers({ operations: [], count: 0 }),
  topUpProducts: answers([{ code: 1, name: '*3' }]),
  topUps: answers({ entries: [] }),
  creditors: answers([{ id: '1001', name: 'Eau' }]),
  receivables: answers([{ id: '01', name: 'Factures' }]),
  billForm: answers([{ kind: 'text', name: 'contrat', label: 'Contrat', options: [], required: true }]),
  unpaidBills: answers({ reference: '123456789012', items: [BILL], shown: [], params: [] }),
  previewBill: ({ items }) =>
    quoted({ amount: centimes(items.reduce((sum, { amount }) => sum + amount, 0)) }),
  billStatus: answers(undefined),
  voucherBrands: answers({ entries: [{ id: 1, name: 'Livres' }], count: 1 }),
  voucherArticles: answers({ entries: [ARTICLE], count: 1 }),
  previewVoucher: () => quoted({ amount: centimes(10_000) }),
  buyVoucher: answers({ isFinal: true, voucherCode: 'ABCD-1234' }),
  beneficiaries: answers({ entries: [MAMAN], count: 1 }),
  staticQr: answers({ content: 'MERCHANT 1', reference: 'R1' }),
  dynamicQr: answers({ content: 'MERCHANT 2', reference: 'R2' }),
  savedCards: answers([{ id: 1, last4: '4242', scheme: 'VISA' }]),
  cardPrograms: answers([{ id: 1, name: 'Carte Zellige', kind: 'physical' }]),
  applyForCard: answers({ id: 1, programId: 1, state: 'pending' }),
  issuedCards: answers([{ id: 7, ...CARD }]),
  issuedCard: (_, id) => answers({ id, ...CARD })(),
  requestCashIn: numbered('936100000001'),
  requestBillNetworkCashIn: numbered('BILLREF-936100000001'),
  requestCashOut: numbered('215500000005'),
  retailAgent: (code) => answers({ code, phone: WALLET, name: 'Tabac' })(),
  createRetailAgent: ({ phone, name }) => answers({ code: 'RA-1', phone, name })(),
};
