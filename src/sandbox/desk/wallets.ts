import { type Centimes, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Agent } from '../agents/agents.ts';
import type { SavedCard } from '../cards/saved-cards.ts';
import { maskedPan } from '../cards/test-cards.ts';
import type { Core, Tenant } from '../core/core.ts';
import type { Beneficiary } from '../customers/beneficiaries.ts';
import { type Customer, findCustomer } from '../customers/customer.ts';
import { STATUS_MESSAGES } from '../customers/profiles.ts';
import { type IssuedCard, STATUS_NAMES, statusAt } from '../issuing/card.ts';
import { merchantFile } from '../kyc/documents.ts';
import { NEWEST_FIRST } from '../operations/listing.ts';
import { listReferences } from '../references/book.ts';
import { shownReference } from '../references/desk.ts';
import { ribOf } from '../transfers/rib.ts';
import { listed } from './books.ts';

const WALLETS_MAX = 200;
const OPERATIONS_MAX = 50;
const MESSAGES_MAX = 20;

/** Each side by its own index, and no further: a busy wallet has many. */
function newestOf(side: 'senderId' | 'receiverId'): string {
  return `SELECT id FROM (SELECT id FROM operations WHERE ${side} = ? ${NEWEST_FIRST} LIMIT ${OPERATIONS_MAX})`;
}

/** One line of the list. Amounts are dirhams, as everywhere behind `/sandbox` but where a name says centimes. */
export type WalletLine = ReturnType<typeof walletLine>;

type Row = Pick<Customer, 'id' | 'phone' | 'firstName' | 'lastName' | 'walletType' | 'level' | 'status'> & {
  readonly balance: Centimes;
};

const WALLETS = `customers JOIN accounts ON accounts.id = customers.account WHERE customers.tenant = ?
  AND customers.phone || ' ' || firstName || ' ' || lastName || ' ' || cin LIKE ?`;

/**
 * Customers with their wallets, the closed ones too.
 * @param search a part of a number, as people write it or not, of a name or an identity number
 */
export function walletsOf({ db }: Core, tenant: Tenant, search = '') {
  const like = `%${search.trim().replace(/^0(?=\d)/, '')}%`;
  const rows = db.all<Row>(
    `SELECT customers.id, phone, firstName, lastName, walletType, level, status, balance FROM ${WALLETS}
     ORDER BY customers.id LIMIT ?`,
    ...[tenant.id, like, WALLETS_MAX],
  );
  const count = db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${WALLETS}`, tenant.id, like)?.n ?? 0;
  return { wallets: rows.map(walletLine), count };
}

function walletLine({ firstName, lastName, balance, ...row }: Row) {
  return {
    ...row,
    name: `${firstName} ${lastName}`,
    statusMessage: row.status === 0 ? 'Closed' : STATUS_MESSAGES[row.status],
    balance: toDecimal(balance),
  };
}

/** The agents of a partner with their float. */
export function agentsOf({ db }: Core, tenant: Tenant) {
  const sql =
    'SELECT agents.*, balance FROM agents JOIN accounts ON accounts.id = account WHERE agents.tenant = ? ORDER BY code';
  const rows = db.all<Agent & { balance: Centimes }>(sql, tenant.id);
  return rows.map(({ id, kind, code, name, phone, balance }) => {
    return { id, kind, code, name, phone, balance: toDecimal(balance) };
  });
}

/**
 * Everything about one wallet. Undefined where there is none. PIN and one-time code are no part of it: the latter is in its SMS.
 * @param which its id, or its phone number, which finds it while it is not closed
 */
export function walletFile(core: Core, tenant: Tenant, which: string) {
  const { db, ledger, settings } = core;
  const phone = readPhone(which);
  const sql = 'SELECT * FROM customers WHERE tenant = ? AND id = ?';
  const customer = phone
    ? findCustomer(core, tenant, phone)
    : db.get<Customer>(sql, tenant.id, Number(which) || 0);
  if (!customer) return undefined;
  const { id, account, firstName, lastName, walletType, level, status } = customer;
  const balance = ledger.balance(account);
  return {
    ...walletLine({ id, phone: customer.phone, firstName, lastName, walletType, level, status, balance }),
    cin: customer.cin,
    account,
    rib: ribOf(account),
    hasPin: customer.pinHash !== null,
    attemptsLeft: Math.min(customer.attemptsLeft, settings.pinAttemptsMax),
    closeLoop: customer.closeLoop === 1,
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
    beneficiaries: beneficiariesOf(core, id),
    savedCards: savedCardsOf(core, account),
    issuedCards: issuedCardsOf(core, id),
    references: listReferences(core, tenant, customer.phone).map((each) => shownReference(core, each)),
    documents: walletType === 'C' ? merchantFile(core, customer) : undefined,
  };
}

function beneficiariesOf({ db }: Core, customer: number) {
  const rows = db.all<Beneficiary>('SELECT * FROM beneficiaries WHERE customer = ? ORDER BY id', customer);
  return rows.map(({ name, phone, rib, email }) => ({ name, phone, rib, email }));
}

function savedCardsOf({ db }: Core, account: number) {
  const sql = 'SELECT * FROM savedCards WHERE account = ? AND removed = 0 ORDER BY id';
  return db.all<SavedCard>(sql, account).map(({ id, last4, scheme, cardName, expiryDate }) => {
    return { id, maskedPan: maskedPan(last4), scheme, cardName, expiryDate };
  });
}

function issuedCardsOf({ db, clock }: Core, customer: number) {
  const sql = 'SELECT * FROM issuedCards WHERE customer = ? ORDER BY id';
  return db.all<IssuedCard>(sql, customer).map((card) => ({
    id: card.id,
    maskedPan: maskedPan(card.last4),
    status: STATUS_NAMES[statusAt(card, clock.now())],
    expiresAt: card.expiresAt,
  }));
}

export type WalletFile = NonNullable<ReturnType<typeof walletFile>>;
