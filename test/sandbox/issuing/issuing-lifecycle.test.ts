import { describe, expect, test } from 'vitest';
import { CARD_ACTIONS, type CardAction } from '../../../src/sandbox/issuing/card.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { call, errorOf, KHADIJA, NOBODY, sandbox, YOUSSEF } from '../kit.ts';

type State = 'issued' | 'activated' | 'blocked' | 'suspended' | 'expired' | 'cancelled';
const STATUS: Readonly<Record<State, number>> = {
  issued: 1,
  activated: 2,
  blocked: 3,
  suspended: 4,
  expired: 5,
  cancelled: 6,
};
/** The way of a new card into each state. */
const LEADS: Readonly<Record<State, readonly CardAction[]>> = {
  issued: [],
  activated: ['activate'],
  blocked: ['block'],
  suspended: ['activate', 'suspend'],
  expired: ['activate'],
  cancelled: ['cancel'],
};
/** The table of v2.3, written by hand. Every other change is refused. */
const ALLOWED: Readonly<Record<State, Partial<Record<CardAction, State>>>> = {
  issued: { activate: 'activated', block: 'blocked', suspend: 'suspended', cancel: 'cancelled' },
  activated: { block: 'blocked', suspend: 'suspended', cancel: 'cancelled' },
  blocked: { cancel: 'cancelled' },
  suspended: { block: 'blocked', reactivate: 'activated', cancel: 'cancelled' },
  expired: { cancel: 'cancelled' },
  cancelled: {},
};
const SERVICES = { allowAtm: false, allowOnline: false, allowPos: false, contactlessEnabled: false };
const CARD = { id: 2, PhoneNumber: YOUSSEF };

const act = (of: Sandbox, action: CardAction, more = {}) =>
  call(of, `${action}Card` as ApiName, { ...CARD, ...more });

async function in_(state: State): Promise<Sandbox> {
  const wallet = sandbox();
  await call(wallet, 'createCardApplication', { PhoneNumber: YOUSSEF, cardProgramId: 2 });
  await call(wallet, 'validateCardApplication', { id: 1 });
  for (const action of LEADS[state]) await act(wallet, action);
  if (state === 'expired') await wallet.clock.advance(400 * 24 * 3_600_000);
  return wallet;
}
const statusIn = async (of: Sandbox) => (await call(of, 'readCard', { id: CARD.id })).body.data.cardStatus;

describe.each(Object.keys(STATUS) as State[])('a card that is %s', (state) => {
  test.each(Object.keys(CARD_ACTIONS) as CardAction[])('%s', async (action) => {
    const wallet = await in_(state);
    expect(await statusIn(wallet)).toBe(STATUS[state]);
    const said = await act(wallet, action);
    const next = ALLOWED[state][action];
    if (next)
      expect(said).toMatchObject({ status: 200, body: { data: { id: 2, cardStatus: STATUS[next] } } });
    else expect(said).toMatchObject(errorOf('issuedCardState'));
    expect(await statusIn(wallet)).toBe(STATUS[next ?? state]);
  });

  test('its services', async () => {
    const said = await call(await in_(state), 'setCardServices', { ...CARD, ...SERVICES });
    const may = ['issued', 'activated', 'suspended'].includes(state);
    if (may) expect(said.body).toEqual({ data: true });
    else expect(said).toMatchObject(errorOf('issuedCardState'));
  });
});

describe('a reason', () => {
  test.each(['block', 'suspend', 'cancel'] as const)('is kept by %s', async (action) => {
    const said = await act(await in_('activated'), action, { Reason: 'Perdue' });
    expect(said.body.data).toMatchObject({ reason: 'Perdue' });
  });

  test('is gone when the card is active again', async () => {
    const wallet = await in_('activated');
    await act(wallet, 'suspend', { Reason: 'Voyage' });
    expect((await act(wallet, 'reactivate')).body.data).toMatchObject({ reason: null, cardStatus: 2 });
  });

  test.each([
    ['a number', 5],
    ['a novel', 'x'.repeat(201)],
  ])('is not %s', async (_, Reason) => {
    expect(await act(await in_('activated'), 'block', { Reason })).toMatchObject(errorOf('parameterInvalid'));
  });
});

describe.each(Object.keys(CARD_ACTIONS) as CardAction[])('%s is refused', (action) => {
  test.each([
    ['to another customer', { PhoneNumber: KHADIJA }, 'issuedCardUnknown'],
    ['to nobody', { PhoneNumber: NOBODY }, 'customerNotFound'],
    ['without a number', { PhoneNumber: '' }, 'missingParameters'],
    ['for a card there is not', { id: 77 }, 'issuedCardUnknown'],
    ['for a word', { id: 'mine' }, 'parameterInvalid'],
  ] as const)('%s', async (_, wrong, error) => {
    const wallet = await in_('issued');
    expect(await act(wallet, action, wrong)).toMatchObject(errorOf(error));
    expect(await statusIn(wallet)).toBe(1);
  });
});
