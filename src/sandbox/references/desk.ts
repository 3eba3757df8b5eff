import { Hono } from 'hono';
import { z } from 'zod';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import { carryOut, isRefusal, toBusinessError } from '../core/refusal.ts';
import { notFound, ordered } from '../desk/deps.ts';
import { ownPartner } from '../partners/partners.ts';
import type { DueWork } from '../time/due.ts';
import { findReferenceById, listReferences, type Reference, statusOf } from './book.ts';
import { atAgent, atNetwork } from './references.ts';

/** The executor of a reference: the first retail agent, of which no event tells, or a network, which sends one. */
const execution = z.strictObject({ at: z.enum(['agent', 'network']) });

/**
 * `GET /sandbox/references?phone=` and `POST /sandbox/references/{id}`: somebody pays in at a counter, or draws cash there, as
 * whoever tries a wallet out has no agent at hand.
 */
export function referenceRoutes(core: Core, due: Pick<DueWork, 'wake'>): Hono {
  return new Hono()
    .get('/references', (c) => {
      const tenant = ownPartner(core);
      const { phone = '%' } = c.req.query();
      return c.json(listReferences(core, tenant, phone).map((each) => shownReference(core, each)));
    })
    .post('/references/:id', async (c) => {
      const order = await ordered(c, execution);
      const tenant = ownPartner(core);
      const reference = findReferenceById(core, tenant, Number(c.req.param('id')) || 0);
      if (!reference) return notFound(c, 'reference');
      const request = { tenant, requestId: `desk-reference-${reference.id}`, struck: {} };
      const execute = order.at === 'agent' ? atAgent : atNetwork;
      const executed = carryOut(core.db, () => execute(core, request, reference));
      if (isRefusal(executed)) return c.json(toBusinessError(executed).body, 409);
      if (core.db.isPending()) due.wake();
      return c.json(shownReference(core, executed));
    });
}

/** A reference as the desk shows it: with its number, also where that is worth money. */
export function shownReference(core: Core, reference: Reference) {
  const { id, type, amount, phone, billNetwork, createdAt, expiresAt } = reference;
  return {
    id,
    reference: reference.reference,
    kind: type === OPERATION_TYPES.CASHIN ? ('cash-in' as const) : ('cash-out' as const),
    billNetwork: billNetwork === 1,
    phone,
    amount: toDecimal(amount),
    status: statusOf(core, reference),
    createdAt,
    expiresAt,
  };
}
