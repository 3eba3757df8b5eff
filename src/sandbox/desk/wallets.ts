import { type Centimes, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Agent } from '../agents/agents.ts';
import { maskedPan } from '../cards/test-cards.ts';
import type { Core, Tenant } from '../core/core.ts';
import { ribOf } from '../core/random.ts';
import type { Beneficiary } from '../customers/beneficiaries.ts';
import type { Customer } from '../customers/customer.ts';
import { STATUS_MESSAGES } from '../customers/profiles.ts';
import type { IssuedCard } from '../issuing/card.ts';
import { STATUS_NAMES, statusAt } from '../issuing/lifecycle.ts';
import { merchantFile } from '../kyc/documents.ts';
import { NEWEST_FIRST } from '../operations/listing.ts';
import { listed } from './books.ts';

const WALLETS_MAX = 200;
const OPERATIONS_MAX = 50;
const MESSAGES_MAX = 20;

/** Each side by its own index, and no further: a busy wallet has many. */
const newestOf = (side: 'senderId' | 'receiverId') =>
  `SELECT id FROM (SELECT id FROM operations WHERE ${side} = ? ${NEWEST_FIRST} LIMIT ${OPERATIONS_MAX})`;

/** One line of the list. Amounts are dirhams, as everywhere behind `/sandbox` but where a name says centimes. */
export interface WalletLine {
  readonly id: number;
  readonly phone: string;
  readonly name: string;
  readonly walletType: 'P' | 'C';
  readonly level: number;
  readonly status: number;
  readonly statusMessage: string;
  readonly balance: number;
}

type Row = Pick<Customer, 'id' | 'phone' | 'firstName' | 'lastName' | 'walletType' | 'level' | 'status'> & {
  readonly balance: Centimes;
};

const WALLETS = `customers JOIN accounts ON accounts.id = customers.account WHERE customers.tenant = ?
  AND customers.phone || ' ' || firstName || ' ' || lastName || ' ' || cin LIKE ?`;

/** Customers with their wallets, the closed ones too, and the agents. */
export function createWallets(core: Core) {
  const { db, clock, settings } = core;
  const line = ({ firstName, lastName, balance, ...row }: Row): WalletLine => ({
    ...row,
    name: `${firstName} ${lastName}`,
    statusMessage: row.status === 0 ? 'Closed' : STATUS_MESSAGES[row.status],
    balance: toDecimal(balance),
  });

  return {
    /** @param search a part of a number, as people write it or not, of a name or an identity number */
    list(tenant: Tenant, search = '') {
      const like = `%${search.trim().replace(/^0(?=\d)/, '')}%`;
      const rows = db.all<Row>(
        `SELECT customers.id, phone, firstName, lastName, walletType, level, status, balance FROM ${WALLETS}
         ORDER BY customers.id LIMIT ?`,
        ...[tenant.id, like, WALLETS_MAX],
      );
      const count = db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${WALLETS}`, tenant.id, like)?.n ?? 0;
      return { wallets: rows.map(line), count };
    },

    agents: (tenant: Tenant) =>
      db
        .all<Agent & { balance: Centimes }>(
          'SELECT agents.*, balance FROM agents JOIN accounts ON accounts.id = account WHERE agents.tenant = ? ORDER BY code',
          tenant.id,
        )
        .map(({ id, kind, code, name, phone, balance }) => ({
          id,
          kind,
          code,
          name,
          phone,
          balance: toDecimal(balance),
        })),

    /**
     * Everything about one wallet. PIN and one-time code are no part of it: the latter is in its SMS.
     * @param which its id, or its phone number, which finds it while it is not closed
     */
    read(tenant: Tenant, which: string) {
      const phone = readPhone(which);
      const customer = phone
        ? db.get<Customer>(
            'SELECT * FROM customers WHERE tenant = ? AND phone = ? AND status <> 0',
            tenant.id,
            phone,
          )
        : db.get<Customer>(
            'SELECT * FROM customers WHERE tenant = ? AND id = ?',
            tenant.id,
            Number(which) || 0,
          );
      if (!customer) return undefined;
      const { id, account, firstName, lastName, walletType, level, status, cin, closeLoop, attemptsLeft } =
        customer;
      const balance = db.get<{ balance: Centimes }>(
        'SELECT balance FROM accounts WHERE id = ?',
        account,
      )?.balance;
      const of = <Row>(table: string, by: string, value: number) =>
        db.all<Row>(`SELECT * FROM ${table} WHERE ${by} = ? ORDER BY id`, value);

      return {
        ...line({
          id,
          phone: customer.phone,
          firstName,
          lastName,
          walletType,
          level,
          status,
          balance: balance as Centimes,
        }),
        cin,
        account,
        rib: ribOf(account),
        hasPin: customer.pinHash !== null,
        attemptsLeft: Math.min(attemptsLeft, settings.pinAttemptsMax),
        closeLoop: closeLoop === 1,
        operations: listed(
          db,
          `id IN (${newestOf('senderId')} UNION ALL ${newestOf('receiverId')})`,
          [id, id],
          OPERATIONS_MAX,
        ),
        sms: db.all<{ id: number; text: string; at: number }>(
          'SELECT id, text, at FROM messages WHERE tenant = ? AND phone = ? ORDER BY id DESC LIMIT ?',
          ...[tenant.id, customer.phone, MESSAGES_MAX],
        ),
        beneficiaries: of<Beneficiary>('beneficiaries', 'customer', id).map(
          ({ name, phone, rib, email }) => ({
            name,
            phone,
            rib,
            email,
          }),
        ),
        savedCards: of<{
          id: number;
          last4: string;
          scheme: string;
          cardName: string;
          expiryDate: string;
          removed: 0 | 1;
        }>('savedCards', 'account', account)
          .filter(({ removed }) => removed === 0)
          .map(({ id, last4, scheme, cardName, expiryDate }) => ({
            id,
            maskedPan: maskedPan(last4),
            scheme,
            cardName,
            expiryDate,
          })),
        issuedCards: of<IssuedCard>('issuedCards', 'customer', id).map((card) => ({
          id: card.id,
          maskedPan: maskedPan(card.last4),
          status: STATUS_NAMES[statusAt(card, clock.now())],
          expiresAt: card.expiresAt,
        })),
        documents: walletType === 'C' ? merchantFile(core, customer) : undefined,
      };
    },
  };
}
export type Wallets = ReturnType<typeof createWallets>;
export type WalletFile = NonNullable<ReturnType<Wallets['read']>>;
