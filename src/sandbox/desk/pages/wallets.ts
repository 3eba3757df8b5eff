import { html } from 'hono/html';
import { agentsOf, type WalletLine, walletFile, walletsOf } from '../wallets.ts';
import { at, type Visit } from './frame.ts';
import { operationsTable } from './ledger.ts';
import { act, badge, facts, type Html, live, money, panel, search, type Tone, table, when } from './parts.ts';

/** What somebody pays who tries a card. */
const PURCHASE = { amount: 45.5, channel: 'POS' } as const;
const TONES: Readonly<Record<number, Tone>> = { 1: 'wait', 2: 'wait', 3: 'good', 4: 'bad', 5: 'bad' };

function statusBadge({ status, statusMessage }: Pick<WalletLine, 'status' | 'statusMessage'>): Html {
  return badge(statusMessage, TONES[status]);
}

export function walletsPage(visit: Visit): Html {
  const { deps, tenant } = visit;
  const { wallets, count } = walletsOf(deps.core, tenant, visit.search);
  const agents = agentsOf(deps.core, tenant);
  return html`${search(visit.search, 'Number, name, identity number')}
${live('wallets', [
  table(
    ['Customer', 'Number', 'Status', 'Level', 'Balance, DH'],
    wallets.map((each) => [
      html`<a href="${at(visit, `wallets/${each.id}`)}">${each.name}</a>${each.walletType === 'C' ? html` ${badge('merchant')}` : ''}`,
      each.phone,
      statusBadge(each),
      each.level,
      html`<span class="number">${money(each.balance)}</span>`,
    ]),
    'No wallet is like that.',
  ),
  html`${count > wallets.length ? html`<p class="about">The first ${wallets.length} of ${count}.</p>` : ''}`,
  panel(
    'Agents',
    table(
      ['Agent', 'Code', 'Kind', 'Float, DH'],
      agents.map((each) => [
        each.name,
        each.code,
        each.kind,
        html`<span class="number">${money(each.balance)}</span>`,
      ]),
      'No agent.',
    ),
  ),
])}`;
}

/** Everything about one wallet; undefined where there is none. */
export function walletPage(visit: Visit, which: string): { title: string; body: Html } | undefined {
  const wallet = walletFile(visit.deps.core, visit.tenant, which);
  if (!wallet) return undefined;
  const { issuedCards, savedCards, beneficiaries, documents } = wallet;
  const profile = facts([
    ['Balance', html`<b class="sum">${money(wallet.balance)} DH</b>`],
    ['Number', wallet.phone],
    ['Status', statusBadge(wallet)],
    ['Kind', wallet.walletType === 'C' ? 'merchant' : 'person'],
    ['Level', wallet.level],
    ['National ID', wallet.cin],
    ['RIB', wallet.rib],
    ['PIN', wallet.hasPin ? `set, ${wallet.attemptsLeft} tries left` : 'none yet'],
    ['Reach', wallet.closeLoop ? 'this provider only' : undefined],
    ['Account', wallet.account],
    [
      'QR code',
      wallet.walletType === 'C'
        ? html`<a href="/qr/0${wallet.phone.slice(4)}.svg?partner=${visit.tenant.id}">to be paid</a>`
        : undefined,
    ],
  ]);
  const body = live('wallet', [
    panel('Profile', profile),
    panel('Operations', operationsTable(visit, wallet.operations)),
    panel(
      'SMS',
      table(
        ['Text', 'Time'],
        wallet.sms.map(({ text, at: sentAt }) => [text, when(sentAt)]),
        'None was sent.',
      ),
    ),
    panel(
      'Cards',
      html`${table(
        ['Card', 'Status', 'Until', 'Do'],
        issuedCards.map((each) => [
          each.maskedPan,
          badge(each.status),
          when(each.expiresAt),
          act('Pay 45.50 in a shop', `POST /sandbox/cards/${each.id}/purchases`, PURCHASE),
        ]),
        'None was issued.',
      )}${
        savedCards.length > 0
          ? table(
              ['Saved card', 'Name', 'Scheme', 'Until (YYMM)'],
              savedCards.map((each) => [each.maskedPan, each.cardName, each.scheme, each.expiryDate]),
              '',
            )
          : ''
      }`,
    ),
    panel(
      'Beneficiaries',
      table(
        ['Name', 'Number', 'RIB'],
        beneficiaries.map(({ name, phone, rib }) => [name, phone ?? '–', rib ?? '–']),
        'None was saved.',
      ),
    ),
    ...(documents
      ? [
          panel(
            'Documents',
            table(
              ['Kind', 'Side', 'Type', 'Bytes', 'Time'],
              documents.kept.map(({ docType, side, type, bytes, at: sentAt }) => [
                docType,
                side,
                type,
                bytes,
                when(sentAt),
              ]),
              'None was sent.',
            ),
          ),
        ]
      : []),
  ]);
  return { title: wallet.name, body };
}
