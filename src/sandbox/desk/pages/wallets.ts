import { html } from 'hono/html';
import type { KeptDocument } from '../../kyc/documents.ts';
import { agentsOf, type WalletFile, type WalletLine, walletFile, walletsOf } from '../wallets.ts';
import { at, type Visit } from './frame.ts';
import { operationsTable } from './ledger.ts';
import {
  act,
  badge,
  choice,
  facts,
  field,
  figure,
  form,
  type Html,
  live,
  money,
  panel,
  search,
  type Tone,
  table,
  when,
} from './parts.ts';

const KINDS = [
  ['P', 'a person'],
  ['C', 'a merchant'],
] as const;
/** The payment of an agent who tries a card. */
const PURCHASE = { amount: 45.5, channel: 'POS' } as const;
const TONES: Readonly<Record<number, Tone>> = { 1: 'wait', 2: 'wait', 3: 'good', 4: 'bad', 5: 'bad' };

function statusBadge({ status, statusMessage }: Pick<WalletLine, 'status' | 'statusMessage'>): Html {
  return badge(statusMessage, TONES[status]);
}

export function walletsPage(visit: Visit): Html {
  const { deps, tenant } = visit;
  const { wallets, count } = walletsOf(deps.core, tenant, visit.search);
  const agents = agentsOf(deps.core, tenant);
  const made = form('POST /sandbox/customers', 'Make a customer', [
    field('First name', 'firstName', { hint: 'Everything may be left out.' }),
    field('Number', 'phone', { hint: 'As +212650000001. Empty: a free one.' }),
    field('Balance, DH', 'balance', { type: 'number', value: 1_000 }),
    choice('Kind', 'walletType', KINDS, 'P'),
  ]);
  return html`${search(visit.search, 'Number, name, identity number')}
${live('wallets', [
  table(
    ['Customer', 'Number', 'Status', 'Level', 'Balance, DH'],
    wallets.map((each) => [
      html`<a href="${at(visit, `wallets/${each.id}`)}">${each.name}</a>${each.walletType === 'C' ? html` ${badge('merchant')}` : ''}`,
      each.phone,
      statusBadge(each),
      each.level,
      figure(each.balance),
    ]),
    'No wallet is like that.',
  ),
  html`${count > wallets.length ? html`<p class="about">The first ${wallets.length} of ${count}.</p>` : ''}`,
  panel(
    'Agents',
    table(
      ['Agent', 'Code', 'Kind', 'Float, DH'],
      agents.map(({ name, code, kind, balance }) => [name, code, kind, figure(balance)]),
      'No agent.',
    ),
  ),
])}
${panel('One more', made, 'Active, with PIN 1234. A script does it by the same call: POST /sandbox/customers.')}`;
}

/** Everything about one wallet. Undefined where there is none. */
export function walletPage(visit: Visit, which: string): { title: string; body: Html } | undefined {
  const wallet = walletFile(visit.deps.core, visit.tenant, which);
  if (!wallet) return undefined;
  const sms = table(
    ['Text', 'Time'],
    wallet.sms.map(({ text, at: sentAt }) => [text, when(sentAt)]),
    'None was sent.',
  );
  const beneficiaries = table(
    ['Name', 'Number', 'RIB'],
    wallet.beneficiaries.map(({ name, phone, rib }) => [name, phone ?? '–', rib ?? '–']),
    'None was saved.',
  );
  const body = live('wallet', [
    panel('Profile', profile(visit, wallet)),
    panel('Operations', operationsTable(visit, wallet.operations)),
    panel('Cash', references(wallet), 'References for cash. A button plays the counter where one is used.'),
    panel('SMS', sms),
    panel('Cards', cards(wallet)),
    panel('Beneficiaries', beneficiaries),
    ...(wallet.documents ? [panel('Documents', documents(wallet.documents.kept))] : []),
  ]);
  return { title: wallet.name, body };
}

function profile({ deps }: Visit, wallet: WalletFile): Html {
  const isMerchant = wallet.walletType === 'C';
  const picture = `/qr/0${wallet.phone.slice(4)}.svg?partner=${deps.id}`;
  return facts([
    ['Balance', html`<b class="sum">${money(wallet.balance)} DH</b>`],
    ['Number', wallet.phone],
    ['Status', statusBadge(wallet)],
    ['Kind', isMerchant ? 'merchant' : 'person'],
    ['Level', wallet.level],
    ['National ID', wallet.cin],
    ['RIB', wallet.rib],
    ['PIN', wallet.hasPin ? `set, ${wallet.attemptsLeft} tries left` : 'none yet'],
    ['Reach', wallet.closeLoop ? 'this provider only' : undefined],
    ['Account', wallet.account],
    ['QR code', isMerchant ? html`<a href="${picture}">to be paid</a>` : undefined],
  ]);
}

const REFERENCE_STATES: Readonly<Record<number, readonly [string, Tone]>> = {
  1: ['open', 'wait'],
  2: ['executed', 'good'],
  3: ['expired', 'bad'],
  4: ['cancelled', 'bad'],
};

function references(wallet: WalletFile): Html {
  return table(
    ['Reference', 'Kind', 'Amount, DH', 'State', 'Until', 'Do'],
    wallet.references.map((each) => {
      const call = `POST /sandbox/references/${each.id}`;
      const [state, tone] = REFERENCE_STATES[each.status] ?? [each.status, 'plain'];
      const byAgent = each.billNetwork ? '' : act('At an agent', call, { at: 'agent' });
      const doing = html`${byAgent} ${act('At a network', call, { at: 'network' })}`;
      return [
        each.reference,
        each.kind,
        figure(each.amount),
        badge(state, tone),
        when(each.expiresAt),
        each.status === 1 ? doing : '–',
      ];
    }),
    'None was asked for.',
  );
}

function cards({ issuedCards, savedCards }: WalletFile): Html {
  const issued = table(
    ['Card', 'Status', 'Until', 'Do'],
    issuedCards.map((each) => [
      each.maskedPan,
      badge(each.status),
      when(each.expiresAt),
      act('Pay 45.50 in a shop', `POST /sandbox/cards/${each.id}/purchases`, PURCHASE),
    ]),
    'None was issued.',
  );
  if (savedCards.length === 0) return issued;
  const saved = table(
    ['Saved card', 'Name', 'Scheme', 'Until (YYMM)'],
    savedCards.map((each) => [each.maskedPan, each.cardName, each.scheme, each.expiryDate]),
    '',
  );
  return html`${issued}${saved}`;
}

function documents(kept: readonly KeptDocument[]): Html {
  return table(
    ['Kind', 'Side', 'Type', 'Bytes', 'Time'],
    kept.map(({ docType, side, type, bytes, at: sentAt }) => [docType, side, type, bytes, when(sentAt)]),
    'None was sent.',
  );
}
