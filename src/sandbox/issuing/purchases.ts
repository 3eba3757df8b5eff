import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { CARD_STATUSES } from '../../wallet/contract/card-management.ts';
import { decimal, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core/core.ts';
import { barred, type Customer, customerById } from '../customers/customer.ts';
import { type IssuedCard, STATUS_NAMES, statusAt } from './card.ts';

/** The request of a shop or a cash machine. */
const purchase = z.strictObject({
  amount: decimal.positive().refine((dirhams) => toDecimal(fromDecimal(dirhams)) === dirhams),
  channel: z.enum(['ATM', 'ONLINE', 'POS']),
  contactless: z.boolean().default(false),
  merchant: z.string().min(1).max(60).default('Commerce de passage (test)'),
});
type Purchase = z.output<typeof purchase>;
const SERVICE_OF = { ATM: 'allowAtm', ONLINE: 'allowOnline', POS: 'allowPos' } as const;

/**
 * `POST /sandbox/cards/{id}/purchases`: somebody pays with an issued card, which no call of the Partner API can do. It makes
 * transactions, and shows what the services of a card allow. Accepted or declined, it is one of the card's transactions. The
 * wallet pays at once, to the gateway, without an operation: v2.3 lists transactions of cards by themselves.
 */
export function purchases(core: Core, tenant: (c: Context) => Tenant | undefined): Hono {
  return new Hono().post('/sandbox/cards/:id/purchases', async (c) => {
    const order = purchase.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return c.json({ message: z.prettifyError(order.error) }, 400);
    const sql = 'SELECT * FROM issuedCards WHERE tenant = ? AND id = ?';
    const card = core.db.get<IssuedCard>(sql, tenant(c)?.id ?? 0, c.req.param('id'));
    if (!card) return c.json({ message: 'no card has this id' }, 404);
    return c.json(core.db.transaction(() => pay(core, card, order.data)));
  });
}

function pay(core: Core, card: IssuedCard, order: Purchase) {
  const { db, ledger, clock } = core;
  const customer = customerById(core, card.customer);
  if (!customer) throw new Error(`card ${card.id} is nobody’s`);
  const amount = fromDecimal(order.amount);
  const reason = declines(core, card, customer, order, amount);
  const { channel, merchant } = order;
  const createdAt = clock.now();
  const status = reason === undefined ? STATUSES.COMPLETED : STATUSES.FAILED;
  const id = db.insert('cardTransactions', { card: card.id, amount, merchant, channel, status, createdAt });
  if (reason === undefined) {
    ledger.post(card.tenant, createdAt, null, [
      [card.account, -amount],
      [ledger.own(card.tenant, 'gateway'), amount],
    ]);
  }
  return { id, accepted: reason === undefined, declined: reason };
}

/** Why a purchase is declined. Undefined where it is not. */
function declines(
  { ledger, clock }: Core,
  card: IssuedCard,
  customer: Customer,
  order: Purchase,
  amount: Centimes,
): string | undefined {
  const status = statusAt(card, clock.now());
  if (status !== CARD_STATUSES.ACTIVATED) return `the card is ${STATUS_NAMES[status]}`;
  const service = SERVICE_OF[order.channel];
  if (!card[service]) return `${service} is off`;
  if (order.contactless && !card.contactlessEnabled) return 'contactlessEnabled is off';
  if (customer.status === 0 || barred(customer)) return 'the wallet may not be used';
  return ledger.balance(card.account) < amount ? 'the balance does not cover it' : undefined;
}
