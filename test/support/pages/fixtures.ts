import type { Case } from '../../../src/conversation/cases/case.ts';
import type { Details, Intent, Principal, Watched } from '../../../src/conversation/desk/desk.ts';
import { createSecrets } from '../../../src/conversation/secrets.ts';
import type { WebhookContent } from '../../../src/support/queue.ts';
import { createSessionIds } from '../../../src/support/session-id.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { WalletFile } from '../../../src/wallet/services.ts';
import { FATIMA, NOW, YOUSSEF } from '../records.ts';

export const secrets = createSecrets('a secrets key of the tests, 32 characters');
export const ids = createSessionIds(secrets);
export const HERE = `ussd:${FATIMA}` as const;
/** The pages of Fatima's session and of Fatima. */
export const session = `/sessions/${ids.idOf(HERE)}`;
export const person = `/persons/${ids.idOf(HERE)}`;
/** Two days and a half: however long a test takes, the page says `2d`. */
export const AGO_MS = 2.5 * 24 * 3_600_000;

export const SESSION: Watched = {
  address: HERE,
  wallet: FATIMA,
  language: 'fr',
  canPush: false,
  at: NOW,
  machine: 'transfer',
  state: 'askingAmount',
  context: { to: YOUSSEF, proof: 'A'.repeat(60) },
  screen: { key: 'menu.checking', expects: 'nothing' },
  waiting: 0,
};

const PROPOSED = {
  kind: 'proposed',
  by: 'omar',
  as: 'failed',
  evidence: `the bank knows nothing of ${FATIMA}`,
} as const;

export const PAYMENT: Intent = {
  id: '3b174c73-f011-4abc-8abc-0123456789ab',
  wallet: FATIMA,
  address: HERE,
  order: { kind: 'transfer', from: FATIMA, to: YOUSSEF, amount: centimes(25_000) },
  quote: {
    fees: centimes(200),
    total: centimes(25_200),
    openLoop: false,
    at: NOW,
    alike: [],
  } as Intent['quote'],
  state: 'human',
  sentAt: NOW,
  before: [],
  evidence: [],
  audit: [[NOW, 'human', PROPOSED]],
};
/** Another payment. */
export const OTHER = '44174c73-f011-4abc-8abc-0123456789ab';
/** The event id of an applied webhook: the wallet may send any string. */
export const WEBHOOK = `Late.evt:${'x'.repeat(100)}_4711`;
/** A request to the wallet. */
export const CALL = '99174c73-f011-4abc-8abc-0123456789ab';

export const CASE: Case = {
  id: 'c-2345678',
  kind: 'asked',
  subject: HERE,
  address: HERE,
  wallet: FATIMA,
  state: 'open',
  openedAt: NOW,
  due: NOW,
  steps: [{ at: NOW, what: 'opened' }],
};
/** A case that is nowhere. */
export const MISSING = 'c-7777777';

export const STUCK = {
  id: 'w1',
  since: NOW,
  tries: 3,
  state: 'kept',
  event: 'transfer.received',
  operationId: 4211,
} as const;

/** The wallet's data of the customer: every field, so that the test of masks sees a new one. */
export const DETAILS: Required<Details> = { fullName: 'Fatima Zahra', level: 2, status: 3 };

export const CONTENT: WebhookContent = {
  fields: [
    ['EventId', 'transfer.received'],
    ['OperationId', '4211'],
    ['Amount', '250'],
    ['PrimaryAccountNumber', FATIMA],
    ['BankTransferBeneficiaryName', 'Driss Lahlou'],
    ['Method', '<script>alert(1)</script>'],
  ],
  wallet: FATIMA,
  amount: centimes(25_000),
  operationId: 4211,
};

export const FILES: Readonly<Record<string, WalletFile>> = {
  png: { type: 'image/png', bytes: Buffer.from('picture') },
  pdf: { type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') },
  html: { type: 'text/html', bytes: Buffer.from('<script>') },
};

export const LOST = { kind: 'unknown', why: 'lost' } as const;
const ACTS = [
  ...['change', 'load', 'proposeBinding', 'proposeUnbinding', 'approveBinding', 'withdrawBinding'],
  ...['proposeAgent', 'takeUpAgent', 'approveAgent', 'withdrawAgent'],
  ...['beginCardLoad', 'renameCard', 'deleteCard', 'giveFile', 'withdrawFile'],
];
const notAsked = () => Promise.reject(new Error('no test asks for it'));
/** A principal agent without any data: the wallet does not answer. */
export const PRINCIPAL = {
  code: 'PA-1',
  pageSize: 20,
  account: async () => LOST,
  agents: async () => LOST,
  numbers: async () => [],
  proposedAgents: async () => [],
  takesCards: true,
  cardLoads: async () => [],
  cardLoad: async () => undefined,
  cards: async () => ({ kind: 'ok', value: [] }),
  files: async () => [],
  file: async () => undefined,
  async *results() {},
  ...Object.fromEntries(ACTS.map((act) => [act, notAsked])),
} as unknown as Principal;

/** A label, a team, a macro and a quick answer, as supervisors write them. */
export const LABEL = {
  id: '1a2b3c4d',
  'name-fr': 'Client pro',
  'name-ar': 'مهني',
  'name-en': 'Business',
  colour: 'blue',
};
export const TEAM = { name: 'Paiements', member: 'omar', kind: 'payment' };
export const MACRO = {
  id: 'aaaa1111',
  name: 'Merci et clore',
  answer: 'console.cannedBye',
  label: LABEL.id,
  give: 'bbbb2222',
  close: 'answered by phone',
};
export const CANNED = {
  id: 'cccc3333',
  ...{ 'text-ar': 'شكرا لكم', 'word-ar': 'تحية', 'text-fr': 'Merci', 'word-fr': 'salut' },
  ...{ 'text-en': 'Thank you for your message', 'word-en': 'greet' },
};

type Field = readonly [name: string, value: string];

/** A form in which a field may stand several times. */
function asForm(fields: readonly Field[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** A form of the inbox for several cases. */
export function bulkForm(chosen: readonly string[], fields: Readonly<Record<string, string>>): FormData {
  return asForm([...chosen.map((id): Field => ['id', id]), ...Object.entries(fields)]);
}

/** A page without the marks that keep names apart. */
export function plain(text: string): string {
  return text.replace(/[\u2066-\u2069]/g, '');
}

/** The words of a page, without its tags. */
export function wordsOf(page: string): string {
  return page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

/** The sentence that a redirect leads to, by its name. */
export function saidBy({ headers }: Response): string | null {
  return new URLSearchParams(headers.get('location')?.split('?')[1]).get('said');
}

/** Reads a stream up to a text. */
export async function readUntil(response: Response, until: string): Promise<string> {
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(until)) text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  return text;
}
