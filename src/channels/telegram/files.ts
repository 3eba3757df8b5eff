import { type Api, GrammyError } from 'grammy';
import type { Message } from 'grammy/types';
import type { SentenceKey, Unfetched } from '../../conversation/incoming.ts';
import { DOCUMENT_FILE_BYTES_MAX } from '../../wallet/file-types.ts';
import { readUpTo } from '../read-up-to.ts';
import { erased } from './erase.ts';

const DOWNLOAD_MAX_MS = 10_000;
/** Plain names alone: the address that is made of it holds the token. */
const FILE_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

export interface FilesOptions {
  readonly api: Api;
  readonly token: string;
  readonly apiRoot?: string | undefined;
  /** In place of the network: the simulator's Telegram is in this process. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Fetches a file by Telegram's id of it, of which no more is read than `maxBytes`. An id that Telegram does not know any more is
 * `gone`. Never rejects.
 */
export async function download(
  { api, token, apiRoot = 'https://api.telegram.org', fetch = globalThis.fetch }: FilesOptions,
  fileId: string,
  maxBytes: number,
): Promise<Uint8Array | Unfetched> {
  try {
    const { file_path: path, file_size: size = 0 } = await api.getFile(fileId);
    if (size > maxBytes) return 'tooLarge';
    if (path === undefined || !FILE_PATH.test(path)) return 'gone';
    const signal = AbortSignal.timeout(DOWNLOAD_MAX_MS);
    const answer = await fetch(`${apiRoot}/file/bot${token}/${path}`, { signal, redirect: 'error' });
    if (!answer.ok) return answer.status === 404 ? 'gone' : 'notNow';
    return (await readUpTo(answer, maxBytes)) ?? 'tooLarge';
  } catch (error) {
    // The error is not logged: it may quote the address, and with it the token.
    if (!(error instanceof GrammyError) || error.error_code !== 400) return 'notNow';
    return /too big/i.test(error.description) ? 'tooLarge' : 'gone';
  }
}

/** The file of a message where one is asked for, as the conversation calls it: with its message, which is erased once it is sent. */
export function fileIn(message: Message): { readonly file: string } | { readonly say: SentenceKey } {
  const { photo, document, message_id: id } = message;
  const fits = ({ file_size: size = 0 }: { file_size?: number }) => size <= DOCUMENT_FILE_BYTES_MAX;
  // Telegram keeps a photo in several sizes, the largest one last.
  const kept = photo ? photo.findLast(fits) : document && fits(document) && document;
  if (!kept) return { say: 'documents.fileTooLarge' };
  return document?.file_size === 0 ? { say: 'documents.emptyFile' } : { file: `${id}:${kept.file_id}` };
}

/** The bytes of a file that `fileIn` has named. */
export function fetchFile(options: FilesOptions, file: string): Promise<Uint8Array | Unfetched> {
  return download(options, file.slice(file.indexOf(':') + 1), DOCUMENT_FILE_BYTES_MAX);
}

/** Erases the messages of such files. True where none is left. Telegram lets a bot do so for 48 hours. */
export async function eraseFiles(api: Api, chat: number, files: readonly string[]): Promise<boolean> {
  const gone = await Promise.all(files.map((file) => erased(api, chat, Number.parseInt(file, 10))));
  return gone.every(Boolean);
}
