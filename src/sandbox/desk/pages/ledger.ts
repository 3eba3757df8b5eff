import { html } from 'hono/html';
import { STATUSES } from '../../../wallet/contract/fields.ts';
import { accountsOf, type ListedOperation, ledgerVerdict, operationFile, operationsOf } from '../books.ts';
import { at, type Visit } from './frame.ts';
import {
  badge,
  facts,
  figure,
  type Html,
  live,
  money,
  panel,
  search,
  type Tone,
  table,
  when,
} from './parts.ts';
import { stateBadge } from './webhooks.ts';

const TONES: Readonly<Record<number, Tone>> = {
  [STATUSES.OPEN]: 'wait',
  [STATUSES.COMPLETED]: 'good',
  [STATUSES.FAILED]: 'bad',
  [STATUSES.CANCELED]: 'bad',
};
const ABOUT: Readonly<Record<string, string>> = {
  float: 'where opening balances and test float come from',
  transit: 'open operations',
  fees: 'income',
  switch: 'other providers, operators, shops',
  banks: 'bank transfers',
  cash: 'the counters of agent networks',
  gateway: 'cards',
  agent: 'an agent’s float',
};

export function operationsTable(visit: Visit, operations: readonly ListedOperation[]): Html {
  return table(
    ['Operation', 'Type', 'From', 'To', 'Amount', 'Status', 'Time'],
    operations.map((each) => [
      html`<a href="${at(visit, `operations/${each.id}`)}">${each.reference}</a>`,
      each.typeName,
      each.sender,
      each.receiver,
      figure(each.amount),
      badge(each.statusName, TONES[each.status]),
      when(each.createdAt),
    ]),
    'No operation yet.',
  );
}

export function ledgerPage(visit: Visit): Html {
  const { deps, tenant } = visit;
  const check = ledgerVerdict(deps.core);
  const { accounts, wallets } = accountsOf(deps.core, tenant);
  const verdict = check.balanced
    ? html`<p class="verdict good">Balanced: ${
        check.isWhole
          ? 'every transaction adds up to zero, and every account holds what was posted to it.'
          : html`all balances add up to zero. <a href="/sandbox/ledger">Check every posting</a>`
      }</p>`
    : html`<div class="verdict bad"><p>Out of balance:</p><ul>${check.faults.map((each) => html`<li>${each}</li>`)}</ul></div>`;
  const rows = [
    ...accounts.map(({ id, kind, owner, amount }) => {
      return [id, owner ?? kind, owner ? kind : (ABOUT[kind] ?? ''), figure(amount)];
    }),
    [
      '',
      html`<a href="${at(visit, 'wallets')}">${wallets.count} wallets</a>`,
      'customers’ money',
      figure(wallets.total),
    ],
  ];
  return html`${live('verdict', verdict)}
<section class="panel"><h2>Operations</h2>${search(visit.search, 'Reference, number, reason, request id')}
${live('operations', operationsTable(visit, operationsOf(deps.core, tenant, visit.search)))}</section>
${live('accounts', panel('Accounts', table(['No.', 'Account', 'Holds', 'Balance, DH'], rows, '')))}`;
}

/** An operation with all that it has posted. Undefined where there is none. */
export function operationPage(visit: Visit, id: number): Html | undefined {
  const operation = operationFile(visit.deps.core, visit.tenant, id);
  if (!operation) return undefined;
  const { transactions, webhooks, next } = operation;
  const about = facts([
    ['Status', badge(operation.statusName, TONES[operation.status])],
    ['Type', `${operation.typeName} (${operation.type})`],
    ['Amount', `${money(operation.amount)} DH`],
    ['Fees', `${money(operation.fees)} DH`],
    ['From', operation.sender],
    ['To', operation.receiver],
    ['Reference', operation.reference],
    ['Reason', operation.reason],
    ['C-Request-Id', operation.requestId],
    ['Created', when(operation.createdAt)],
    ['Executed', operation.executedAt === null ? undefined : when(operation.executedAt)],
    ['Next', next && html`${next.statusName} at ${when(next.at)}`],
    ['Faults', operation.struck.join(', ')],
  ]);
  return live('operation', [
    panel(`Operation ${id}`, about),
    ...transactions.map((each) =>
      panel(
        `Transaction ${each.id}`,
        table(
          ['Account', 'Whose', 'Posted, DH'],
          each.postings.map(({ id: account, kind, owner, amount }) => [
            `${account} · ${kind}`,
            owner ?? ABOUT[kind] ?? '',
            html`<span class="number">${amount > 0 ? '+' : ''}${money(amount)}</span>`,
          ]),
          'Nothing was posted.',
        ),
        when(each.at),
      ),
    ),
    panel(
      'Webhooks',
      table(
        ['Event', 'State'],
        webhooks.map((each) => [
          html`<a href="${at(visit, `webhooks/${each.id}`)}">${each.event}</a>`,
          stateBadge(each.state),
        ]),
        'It has given rise to none, or the partner has no address for them.',
      ),
    ),
  ]);
}
