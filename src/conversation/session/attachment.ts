import { randomUUID } from 'node:crypto';
import type { Sentence } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import type { Input, Unfetched } from '../incoming.ts';
import type { TurnDeps } from '../turn-deps.ts';
import { keepSentFile, type SentFile, type Unkept } from './sent-file.ts';
import type { Outgoing, Owner } from './session.ts';
import type { LoadedSession } from './sessions.ts';

/** The outcome for a file that was sent to the person who talks to the customer. */
export type Attachment = SentFile | Unkept | Exclude<Unfetched, 'tooLarge'>;

const WHY_NOT: Readonly<Record<Exclude<Attachment, SentFile>, SentenceKey>> = {
  empty: 'documents.emptyFile',
  tooLarge: 'documents.fileTooLarge',
  otherType: 'documents.otherType',
  active: 'support.fileActive',
  tooMany: 'support.fileTooMany',
  gone: 'support.fileNotNow',
  notNow: 'support.fileNotNow',
};

/**
 * Keeps the file of an input where a person talks to the customer. Undefined where no person does, or where there is no
 * file. The file is kept before the turn is committed. If that commit fails, the file stays for a week, and only the
 * list of files names it.
 */
export async function attachmentForPerson(
  deps: TurnDeps,
  { address, session, document }: LoadedSession,
  input: Input | undefined,
): Promise<Attachment | undefined> {
  if (!session.owner || input?.type !== 'photo') return undefined;
  const [inHand] = document?.take() ?? [];
  const fetched = inHand ?? (await fetchedFrom(deps, address, input.file));
  return typeof fetched === 'string' ? fetched : keepSentFile(deps, address, fetched);
}

async function fetchedFrom(
  { chatAt }: TurnDeps,
  address: LoadedSession['address'],
  file: string | undefined,
): Promise<Uint8Array | Unfetched> {
  // The input comes from an older page that reads QR codes itself. Once reloaded, the page sends the file.
  if (file === undefined) return 'gone';
  return (await chatAt(address)?.fetchFile(file)) ?? 'gone';
}

/** The message that tells the customer the outcome. */
export function messageFor(attachment: Attachment, { name }: Owner, now: number): Outgoing {
  const sentence: Sentence =
    typeof attachment === 'string'
      ? { key: WHY_NOT[attachment] }
      : { key: 'support.fileTaken', values: { agent: { name } } };
  const screen = { ...sentence, expects: 'nothing' } as const;
  return { id: randomUUID(), screen, money: false, tries: 0, tryAt: now };
}
