import { expect } from 'vitest';
import { TEST_CARDS, THREE_DS_CODE } from '../../../src/sandbox/cards/test-cards.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { call, type Said } from '../kit.ts';

export const CAFE = '+212600000011';
export const GROCER = '+212600000012';
export const AGENT = 'PA-1001';

/** The card body as a partner sends it. */
export function card(amount: number, more: Record<string, unknown> = {}) {
  return {
    firstName: 'Fatima Zahra',
    lastName: 'El Amrani',
    cvv: '731',
    amount,
    pan: TEST_CARDS.accepted.pan,
    expiryDate: '2912',
    keepAlive: false,
    ...more,
  };
}

/** A payment to the café by card, without 3D Secure. */
export function paid(of: Sandbox, amount: number, more: Record<string, unknown> = {}): Promise<Said> {
  return call(of, 'executeCardPayment', {
    phoneNumber: CAFE,
    ...card(amount, { '3dSecure': false, ...more }),
  });
}

/** A payment to the café that is only authorised: the ids that capture and reverse ask for. */
export async function held(of: Sandbox, amount: number, more: Record<string, unknown> = {}) {
  const { body } = await paid(of, amount, { autoCapture: false, ...more });
  const { operationId, orderId, transactionTrackId } = body.data;
  return {
    operationId,
    ids: { PhoneNumber: CAFE, OrderId: orderId, TransactionTrackId: transactionTrackId },
  };
}

/** The payer answers the 3D Secure page. Returns the address that the browser is sent to, with its parameters. */
export async function answers(of: Sandbox, url: string, how: 'confirm' | 'decline' | { code: string }) {
  const answer = typeof how === 'string' ? how : 'confirm';
  const code = typeof how === 'string' ? THREE_DS_CODE : how.code;
  const response = await of.app.request(url, { method: 'POST', body: new URLSearchParams({ answer, code }) });
  expect(response.status).toBe(303);
  const location = new URL(response.headers.get('location') ?? '', url);
  const { origin, pathname, searchParams } = location;
  return { to: origin + pathname, ...Object.fromEntries(searchParams) } as Record<string, string>;
}

/** Every kind of account, in dirhams, that the ledger must balance over. */
export function ledgerOf(of: Sandbox) {
  const { balanced, faults, totals } = of.checkLedger();
  expect({ balanced, faults }).toEqual({ balanced: true, faults: [] });
  return Object.fromEntries(Object.entries(totals).map(([kind, total]) => [kind, total / 100]));
}
