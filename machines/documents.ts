import { assign } from 'xstate';
import type { DocTypeName } from '../src/wallet/contract/kyc.ts';
import { latinDigits } from '../src/wallet/digits.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { known, last, machine, type Remembered } from './kit/conversation.ts';
import type { KybClient, SentDocument, UnfitFile } from './kit/effects.ts';
import type { MachineEvent } from './kit/input.ts';
import { parts } from './kit/parts.ts';
import type { Choice } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

/** As long as the address of the form is good. */
const FILE_PROMPT_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** Partner API v2.3, "Merchant KYB documents": the certificate of the commercial register was "issued under 90 days ago". */
const REGISTER_DAYS_MAX = 90;

/** The same: what each type of client sends. Those that are only needed "if" are offered last. */
const ALWAYS: readonly DocTypeName[] = ['IDENTITY_CARD', 'PASSPORT', 'BANK_PROOF'];
const NEEDED: Readonly<Record<KybClient, readonly DocTypeName[]>> = {
  company: [...ALWAYS, 'STATUTES', 'COMMERCIAL_REGISTER', 'TAX_CERTIFICATE', 'MINUTES'],
  professional: [...ALWAYS, 'PROFESSIONAL_CARD', 'TAX_CERTIFICATE', 'COMMERCIAL_REGISTER', 'STATUTES'],
  association: [...ALWAYS, 'STATUTES', 'REPRESENTATIVES', 'MINUTES'],
};
const CLIENTS: readonly (readonly [KybClient, SentenceKey])[] = [
  ['company', 'documents.company'],
  ['professional', 'documents.professional'],
  ['association', 'documents.association'],
];
/** "docBack: required for IdentityCard, DrivingLicense, ResidencePermit." */
const TWO_SIDED: readonly DocTypeName[] = ['IDENTITY_CARD', 'DRIVING_LICENSE', 'RESIDENCE_PERMIT'];

/** By where the files are that the chat has kept. */
const SENT = {
  none: 'documents.sent',
  erased: 'documents.sentErased',
  left: 'documents.sentLeft',
} as const satisfies Record<string, SentenceKey>;

/** The reason why a file is not sent. The customer is asked for another one. */
const UNFIT = {
  empty: 'documents.emptyFile',
  tooLarge: 'documents.fileTooLarge',
  otherType: 'documents.otherType',
  gone: 'documents.fileGone',
  notNow: 'documents.fileNotNow',
} as const satisfies Record<UnfitFile, SentenceKey>;

const NAMES = {
  IDENTITY_CARD: 'documents.identityCard',
  DRIVING_LICENSE: 'documents.drivingLicense',
  PASSPORT: 'documents.passport',
  RESIDENCE_PERMIT: 'documents.residencePermit',
  BANK_PROOF: 'documents.bankProof',
  STATUTES: 'documents.statutes',
  MINUTES: 'documents.minutes',
  COMMERCIAL_REGISTER: 'documents.commercialRegister',
  TAX_CERTIFICATE: 'documents.taxCertificate',
  PROFESSIONAL_CARD: 'documents.professionalCard',
  REPRESENTATIVES: 'documents.representatives',
} as const satisfies Record<DocTypeName, SentenceKey>;

type Filed = Extract<MachineEvent, { type: 'filed' }>;

interface Sending extends Remembered {
  wallet: Msisdn;
  client?: KybClient | undefined;
  sent: readonly SentDocument[];
  document?: DocTypeName | undefined;
  /** The sides that were sent in the chat so far, by what it calls them. */
  files: readonly string[];
}

const { call, choose, state } = parts<Sending>();
/** The call that follows fetches it: what is kept is its name. */
const keepsFile = assign<Sending, Filed, undefined, MachineEvent, never>(
  ({ context: { files }, event: { file } }) => ({ files: file === undefined ? files : [...files, file] }),
);
const LAPSES = {
  [FILE_PROMPT_MS]: {
    target: 'listing',
    actions: assign<Sending, MachineEvent, undefined, MachineEvent, never>({
      notice: { key: 'documents.lapsed' },
    }),
  },
};

/**
 * A merchant sends the documents that verify the business, one at a time. The bot says "sent" and no more: the API does
 * not tell what it has accepted or what is missing. Only a new level says that it is enough. Files stay in the memory
 * of one request. Where the chat keeps files, their ids are known here until they are sent. Elsewhere all sides come
 * together.
 */
export const documents = machine<Sending>({
  id: 'documents',
  context: ({ input: { wallet } }) => ({ wallet: known(wallet), sent: [], files: [] }),
  initial: 'reading',
  states: {
    reading: call('readDocuments', {
      says: 'documents.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: ({ takesFiles }) => !takesFiles, target: 'elsewhere' },
        { if: ({ client }, c) => (c.client ?? client) === undefined, target: 'choosingClient' },
        { target: 'listing', know: ({ client, sent }, c) => ({ client: c.client ?? client, sent }) },
      ],
    }),
    choosingClient: state({
      shows: () => ({
        key: 'documents.askClient',
        choices: CLIENTS.map(([id, key]): Choice => ({ id, key })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'listing',
        know: (choice) => ({ client: CLIENTS.find(([id]) => id === choice)?.[0] }),
      }),
      back: 'left',
    }),
    listing: state({
      entry: assign({ files: [] }),
      shows: (c) => ({
        key: 'documents.choose',
        choices: lines(c),
        expects: 'choice',
        // The second picture of an album for a document of one side comes here, too.
        filesLater: { key: 'documents.oneByOne' },
      }),
      chose: choose(
        { if: 'client', target: 'choosingClient' },
        {
          if: 'COMMERCIAL_REGISTER',
          target: 'askingDate',
          know: () => ({ document: 'COMMERCIAL_REGISTER' as const }),
        },
        { target: 'askingFile', know: (choice, context) => ({ document: documentIn(context, choice) }) },
      ),
      back: 'left',
    }),
    /** We do not read the picture. The customer is asked for its date, and nothing else is claimed. */
    askingDate: state({
      shows: () => ({ key: 'documents.askDate', expects: 'field', takesLongNumber: true }),
      said: [
        { guard: ({ event }) => isRecent(event.text, event.at), target: 'askingFile' },
        {
          actions: assign(({ event }) => ({
            notice: {
              key: wrongDate(event.text, event.at),
            },
          })),
        },
      ],
      back: 'listing',
    }),
    askingFile: state({
      entry: assign({ files: [] }),
      shows: ({ document }) => ({
        key: isTwoSided(document) ? 'documents.askBothSides' : 'documents.askFile',
        values: { document: { say: NAMES[known(document)] } },
        expects: isTwoSided(document) ? 'twoSided' : 'document',
      }),
      after: LAPSES,
      filed: [
        {
          guard: ({ context, event }) => event.file !== undefined && isTwoSided(context.document),
          target: 'askingBack',
          actions: keepsFile,
        },
        { target: 'sending', actions: keepsFile },
      ],
      back: 'listing',
    }),
    askingBack: state({
      shows: ({ document }) => ({
        key: 'documents.askBack',
        values: { document: { say: NAMES[known(document)] } },
        expects: 'document',
      }),
      after: LAPSES,
      filed: { target: 'sending', actions: keepsFile },
      back: 'askingFile',
    }),
    sending: call('sendDocument', {
      says: 'documents.sending',
      input: ({ wallet, client, document, files }) => ({
        wallet,
        client: known(client),
        document: known(document),
        sides: isTwoSided(document) ? 2 : 1,
        files,
      }),
      ok: { target: 'reading', know: ({ inChat }, c) => ({ notice: said(SENT[inChat ?? 'none'], c) }) },
      none: { target: 'askingFile', know: () => ({ notice: { key: 'documents.notThere' } }) },
      unfit: [
        {
          // Files in hand are gone: the front is there still only where the chat keeps it.
          if: ({ side }, { files }) => side === 1 && files.length > 0,
          target: 'askingBack',
          know: ({ why }, { files }) => ({ files: files.slice(0, 1), notice: { key: UNFIT[why] } }),
        },
        { target: 'askingFile', know: ({ why }) => ({ notice: { key: UNFIT[why] } }) },
      ],
      tooMany: { target: 'listing', know: () => ({ notice: { key: 'documents.tooMany' } }) },
      // It may have arrived: to send it once more does no harm.
      unknown: { target: 'listing', know: (_, c) => ({ notice: said('documents.notKnown', c) }) },
      notEnabled: 'notEnabled',
      failed: 'askingFile',
      lost: { target: 'listing', know: (_, c) => ({ notice: said('documents.notKnown', c) }) },
    }),
    elsewhere: last('documents.elsewhere'),
    notEnabled: last('documents.notEnabled', { output: { notEnabled: 'documents' } }),
    left: { type: 'final' },
  },
});

function lines({ client, sent }: Sending): Choice[] {
  return [
    ...NEEDED[known(client)].map((id): Choice => {
      const document = { say: NAMES[id] } as const;
      const at = sent.find((each) => each.document === id)?.at;
      return at === undefined
        ? { id, key: NAMES[id] }
        : { id, key: 'documents.sentOn', values: { document, at: { day: at } } };
    }),
    { id: 'client', key: 'documents.otherClient' },
  ];
}

function documentIn({ client }: Sending, choice: string): DocTypeName | undefined {
  return NEEDED[known(client)].find((each) => each === choice);
}

function isTwoSided(document: DocTypeName | undefined): boolean {
  return document !== undefined && TWO_SIDED.includes(document);
}

function said(key: (typeof SENT)[keyof typeof SENT] | 'documents.notKnown', { document }: Sending) {
  return { key, values: { document: { say: NAMES[known(document)] } } } as const;
}

function wrongDate(text: string, now: number) {
  const at = dateIn(text);
  if (at === undefined) return 'documents.notADate' as const;
  return at > now ? ('documents.notYet' as const) : ('documents.tooOld' as const);
}

/** Reads `15/09/2026` as ms since 1970. Undefined for an invalid date. */
function dateIn(text: string): number | undefined {
  const [, day = 0, month = 0, year = 0] = (
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(latinDigits(text.trim())) ?? []
  ).map(Number);
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1 && year > 0 ? at : undefined;
}

function isRecent(text: string, now: number): boolean {
  const at = dateIn(text);
  return at !== undefined && at <= now && at > now - REGISTER_DAYS_MAX * DAY_MS;
}
