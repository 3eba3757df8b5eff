import { afterEach, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../src/sandbox/cards/test-cards.ts';
import { API_HEADERS } from '../../../src/wallet/contract/api.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { HOUR_MS, LOST, loses, NADIA, theWorld, UNSENT } from '../../kit/world.ts';
import { atBank, CARD, pageShown, sends, typedCard } from '../../machines/card-forms.ts';
import { boundAtMenu, PRINCIPAL, principalDesk, unbound } from '../../machines/principal-orders.ts';

const world = theWorld({ form: true });

afterEach(() => {
  expect(world.errors).toEqual([]);
  expect(world.formLog.lines).toEqual([]);
});

const principal = () => principalDesk(world);
let dirhams = 100;
/** Begun by an administrator for a number that acts for the agent: each is another amount, so that it is told from the others. */
async function begun() {
  const aicha = boundAtMenu(world);
  await aicha;
  const amount = centimes(++dirhams * 100);
  const made = await principal().beginCardLoad({ amount, phone: aicha.phone }, NADIA);
  if (made.kind !== 'ok') throw new Error(made.kind);
  const { id } = made.value;
  const load = () => principal().cardLoad(id);
  return { aicha, amount, id, load, page: (await load())?.page ?? '' };
}
const sent = () => world.wallet.calls(PRINCIPAL, 'loadFloatByCard').length;

test('the float is loaded once, by the page that names it, and the number hears when the wallet confirms it', async () => {
  const { aicha, amount, id, load, page } = await begun();
  const before = world.sandbox.float();
  const calls = sent();
  expect(await load()).toMatchObject({ state: 'open', amount, by: 'nadia', phone: aicha.phone });
  const asked = await pageShown(page);
  expect(asked.html).toContain(
    `Charger l&#39;avance de l&#39;agent principal PA-1001 de ${amount / 100},00 DH`,
  );
  expect(asked.html).not.toContain('name="keep"');
  const { status, bank } = await sends(page, typedCard(CARD, { keep: 'yes' }));
  expect(status).toBe(200);
  expect(await load()).toMatchObject({ state: 'used', payment: { state: 'accepted' } });
  expect(world.sandbox.float(), 'nothing moves before the bank').toBe(before);
  const back = await atBank(bank);
  expect(back.html).toContain('console');
  await world.passes(2_000);
  expect(await load()).toMatchObject({ payment: { state: 'succeeded' } });
  expect(world.sandbox.float()).toBe(before + amount);
  await aicha.hearsNothing();
  expect(world.sms(aicha.phone).at(-1)).toMatch(/PA-1001/);
  // The back button, and the page reloaded: it is used.
  expect((await sends(page, typedCard())).status).toBe(410);
  expect((await pageShown(page)).html).toContain('déjà été commencé');
  expect(sent()).toBe(calls + 1);
  expect((await principal().cardLoads())[0]).toMatchObject({ id });
  expect(await principal().cards(), 'no card is kept').toEqual({ kind: 'ok', value: [] });
  const stored = await world.everythingStored();
  for (const secret of [CARD, '737', 'Fatima Zahra Alaoui']) expect(stored).not.toContain(`"${secret}"`);
  expect(stored).not.toContain(CARD);
});

test('a declined load is followed whatever a browser brings back, and after an hour there is no trace of it', async () => {
  const { load, page } = await begun();
  const before = world.sandbox.float();
  const { bank } = await sends(page, typedCard(TEST_CARDS.forgedReturn.pan));
  const { back } = await atBank(bank);
  expect(back).toContain('/accepted');
  await world.passes(2_000);
  expect(await load()).toMatchObject({ payment: { state: 'accepted' } });
  await world.passes(HOUR_MS + 60_000);
  expect(await load()).toMatchObject({ payment: { state: 'not-found' } });
  expect(world.sandbox.float()).toBe(before);
});

test('a browser that comes back declined is shown, and nobody hears of it', async () => {
  const { aicha, load, page } = await begun();
  const { bank } = await sends(page, typedCard());
  await atBank(bank, 'decline');
  await world.passes(2_000);
  expect(await load()).toMatchObject({ payment: { state: 'accepted', saidDeclined: true } });
  await aicha.hearsNothing();
});

test('after a refused card the page takes another one, five times', async () => {
  const { load, page } = await begun();
  for (let i = 0; i < 5; i++) {
    const answer = await sends(page, typedCard(TEST_CARDS.international.pan));
    expect(answer.status).toBe(i < 4 ? 422 : 410);
  }
  expect(await load()).toMatchObject({ state: 'over', refused: 5 });
  expect((await sends(page, typedCard())).status).toBe(410);
});

test.each([
  ['lost, so that nobody knows', loses, 200, 'Nous ne savons pas encore', 'unknown'],
  ['lost on the way there', LOST, 200, 'Nous ne savons pas encore', 'unknown'],
  ['never sent, so that it can be tried once more', UNSENT, 422, 'pas été envoyé', undefined],
])('the answer is %s', async (_case, instead, status, says, state) => {
  const { load, page } = await begun();
  const calls = sent();
  world.wallet.next('loadFloatByCard', instead as never);
  const answer = await sends(page, typedCard());
  expect(answer.status).toBe(status);
  expect(answer.html).toContain(says);
  expect((await load())?.payment?.state).toBe(state);
  expect((await sends(page, typedCard())).status).toBe(status === 422 ? 200 : 410);
  expect(sent()).toBe(calls + (status === 422 ? 2 : 1));
});

test('two people who send it at once send it once', async () => {
  const { page } = await begun();
  const calls = sent();
  const both = await Promise.all([sends(page, typedCard()), sends(page, typedCard())]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  expect(sent()).toBe(calls + 1);
});

test('a mistyped card is asked for again, and after ten minutes or for an unbound number nobody can type one', async () => {
  const { page, load } = await begun();
  expect((await sends(page, typedCard('4242424242424241'))).status).toBe(422);
  await world.passes(10 * 60_000 + 1);
  expect((await sends(page, typedCard())).status).toBe(410);
  expect((await pageShown(page)).html).toContain('n&#39;est plus valable');
  expect(await load()).toMatchObject({ state: 'over' });
  const other = await begun();
  await unbound(world, other.aicha.phone);
  expect((await sends(other.page, typedCard())).status).toBe(410);
  const asked = { amount: centimes(10_000), phone: other.aicha.phone };
  expect(await principal().beginCardLoad(asked, NADIA)).toEqual({ kind: 'notBound' });
  expect(await principal().cardLoad(page.slice(-36).replace(/.$/, 'x'))).toBeUndefined();
});

test('a wallet without cards and a silent wallet are named', async () => {
  const aicha = boundAtMenu(world);
  await aicha;
  const asked = { amount: centimes(10_000), phone: aicha.phone };
  world.wallet.next('previewFloatByCard', { kind: 'refused', code: 'http404', description: '' });
  expect(await principal().beginCardLoad(asked, NADIA)).toMatchObject({ kind: 'refused', code: 'http404' });
  world.wallet.next('previewFloatByCard', LOST);
  expect(await principal().beginCardLoad(asked, NADIA)).toMatchObject({ kind: 'unknown' });
});

test('a saved card is renamed and deleted, and the effect of a lost answer is read', async () => {
  // Another system of the operator's has saved it.
  const saved = await fetch(`${world.walletUrl}/api/operations/cashin/card/agent?code=${PRINCIPAL}`, {
    method: 'POST',
    headers: { [API_HEADERS.key]: world.sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ firstName: 'Nadia', lastName: 'Idrissi', pan: CARD, cvv: '737', expiryDate: '3008', amount: 10 },
      ...{ keepAlive: true, cardName: 'Caisse', '3dSecure': false },
    }),
  });
  expect(saved.status).toBe(200);
  const kept = await principal().cards();
  const id = kept.kind === 'ok' ? (kept.value[0]?.id ?? 0) : 0;
  world.wallet.next('renameAgentCard', loses as never);
  expect(await principal().renameCard(id, 'Société')).toEqual({ kind: 'ok', value: true });
  expect(await principal().cards()).toEqual({ kind: 'ok', value: [{ id, last4: '4242', name: 'Société' }] });
  world.wallet.next('renameAgentCard', LOST);
  expect(await principal().renameCard(id, 'Autre')).toMatchObject({ kind: 'unknown' });
  world.wallet.next('deleteAgentCard', LOST);
  expect(await principal().deleteCard(id)).toMatchObject({ kind: 'unknown' });
  world.wallet.next('deleteAgentCard', loses as never);
  expect(await principal().deleteCard(id)).toEqual({ kind: 'ok', value: true });
  expect(await principal().deleteCard(id)).toMatchObject({ kind: 'refused' });
});
