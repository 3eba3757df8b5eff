import type { Centimes } from '../../wallet/money.ts';
import type { Database } from '../core/database.ts';

/**
 * The accounts of a partner in addition to its customers' wallets. Money enters from `float` (opening balances), rests in
 * `transit` while an operation is open, and leaves to `fees` (income), `switch` (other providers, operators, shops) or
 * `banks`. Over the counters of agent networks it comes and goes as `cash`, with cards through
 * the `gateway`.
 */
export const OWN_ACCOUNTS = ['float', 'transit', 'fees', 'switch', 'banks', 'cash', 'gateway'] as const;
type OwnAccount = (typeof OWN_ACCOUNTS)[number];

const BALANCE = 'SELECT balance FROM accounts WHERE id = ?';

export type LedgerCheck = ReturnType<Ledger['check']>;

/** A double-entry ledger: the sides of a transaction add up to zero. Above zero an account gains. */
export class Ledger {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  openAccount(tenant: number, kind: OwnAccount | 'wallet' | 'agent'): number {
    return this.#db.insert('accounts', { tenant, kind });
  }

  own(tenant: number, kind: OwnAccount): number {
    const sql = 'SELECT id FROM accounts WHERE tenant = ? AND kind = ?';
    const account = this.#db.lasting<{ id: number }>(sql, tenant, kind);
    if (!account) throw new Error(`tenant ${tenant} has no ${kind} account`);
    return account.id;
  }

  balance(account: number): Centimes {
    const row = this.#db.lasting<{ balance: Centimes }>(BALANCE, account);
    if (!row) throw new Error(`no account ${account}`);
    return row.balance;
  }

  /**
   * Writes one transaction and gives its id. Throws, and so undoes the request, when its sides do not add up or a
   * wallet would fall below zero: whoever posts has checked before, so either is a bug.
   */
  post(
    tenant: number,
    at: number,
    operation: number | null,
    sides: readonly (readonly [account: number, amount: number])[],
  ): number {
    if (sides.reduce((sum, [, amount]) => sum + amount, 0) !== 0) throw new Error('the sides do not add up');
    const transaction = this.#db.run(
      'INSERT INTO transactions (tenant, operation, at) VALUES (?, ?, ?)',
      ...[tenant, operation, at],
    );
    for (const [account, amount] of sides) {
      if (amount === 0) continue;
      this.#db.run(
        'INSERT INTO postings ("transaction", account, amount) VALUES (?, ?, ?)',
        ...[transaction, account, amount],
      );
      this.#db.run('UPDATE accounts SET balance = balance + ? WHERE id = ?', amount, account);
      this.#db.forget(BALANCE, account);
    }
    return transaction;
  }

  bring(tenant: number, at: number, account: number, to: Centimes): void {
    const missing = to - this.balance(account);
    const sides = [[this.own(tenant, 'float'), -missing] as const, [account, missing] as const];
    if (missing !== 0) this.post(tenant, at, null, sides);
  }

  /** Checks the whole ledger, from its first posting. */
  check() {
    const db = this.#db;
    const count = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0;
    const kinds = db.all<{ kind: string; total: number }>(
      'SELECT kind, SUM(balance) AS total FROM accounts GROUP BY kind',
    );
    const faults = INVARIANTS.flatMap(({ broken, says }) =>
      db.all<{ id: number }>(broken).map(({ id }) => says(id)),
    );
    return {
      balanced: faults.length === 0,
      /** The errors, one sentence each. */
      faults,
      transactions: count('SELECT COUNT(*) AS n FROM transactions'),
      postings: count('SELECT COUNT(*) AS n FROM postings'),
      /** Centimes by kind of account. They add up to zero. */
      totals: Object.fromEntries(kinds.map(({ kind, total }) => [kind, total])),
    };
  }
}

/** The invariants: each query finds the ids that break one. */
const INVARIANTS: readonly { readonly broken: string; says(id: number): string }[] = [
  {
    broken: 'SELECT "transaction" AS id FROM postings GROUP BY "transaction" HAVING SUM(amount) <> 0',
    says: (id) => `transaction ${id} does not add up`,
  },
  {
    broken: `SELECT transactions.id FROM transactions LEFT JOIN postings ON "transaction" = transactions.id
      GROUP BY transactions.id HAVING COUNT(postings.id) < 2`,
    says: (id) => `transaction ${id} has fewer than two sides`,
  },
  {
    broken: `SELECT accounts.id FROM accounts LEFT JOIN postings ON account = accounts.id
      GROUP BY accounts.id HAVING balance <> COALESCE(SUM(amount), 0)`,
    says: (id) => `account ${id} does not hold what was posted to it`,
  },
  {
    broken: `SELECT id FROM accounts WHERE kind IN ('wallet', 'agent') AND balance < 0`,
    says: (id) => `account ${id} is below zero`,
  },
  {
    broken: `SELECT tenant AS id FROM accounts WHERE kind = 'transit' AND balance <> (
      SELECT COALESCE(SUM(amount + fees), 0) FROM operations
      WHERE status = 1 AND status <> settlesAs AND tenant = accounts.tenant)`,
    says: (id) => `tenant ${id} holds in transit what is not its open operations`,
  },
  {
    broken: `WITH given AS (SELECT original AS id, SUM(amount) AS amount FROM operations
        WHERE original IS NOT NULL AND status IN (1, 2) GROUP BY original)
      SELECT given.id FROM postings CROSS JOIN transactions ON transactions.id = "transaction"
        JOIN given ON given.id = operation JOIN operations ON operations.id = operation
      WHERE account = payer GROUP BY given.id HAVING given.amount + SUM(postings.amount) > 0`,
    says: (id) => `operation ${id} has given back more than was paid`,
  },
];
