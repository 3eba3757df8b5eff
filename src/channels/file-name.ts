import type { Reply, SentenceKey } from '../conversation/incoming.ts';
import type { WalletFile } from '../wallet/services.ts';

type Document = NonNullable<Reply['screen']['document']>;

/** The types of file that a phone or a browser is given. Any other goes as bytes, so that no stranger's page opens. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
};

/** The type as which a file is handed over, and the ending of its name, if it has one. */
export function handedAs(file: WalletFile): { readonly type: string; readonly ending: string } {
  const type = file.type.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = ENDINGS[type];
  return ending === undefined ? { type: 'application/octet-stream', ending: '' } : { type, ending };
}

/** True for the name of a file that brings lines of a table. Its type says little, as telephones differ in it. */
export function isTable(name = ''): boolean {
  return /\.(?:csv|xlsx?|ods)$/i.test(name);
}

/** The name under which a chat hands a file over, without its ending. */
export function fileName(document: Document): string {
  if (document.kind === 'agent-file') return 'wasl';
  return document.kind === 'receipt' ? `wasl-${document.id.slice(0, 8)}` : `wasl-${document.operationId}`;
}

/** The text where the file could not be had. */
export function noFileOf({ kind }: Document): SentenceKey {
  if (kind === 'agent-file') return 'telegram.noFile';
  return kind === 'receipt' ? 'receipt.gone' : 'telegram.noReceipt';
}
