import type { Reply, SentenceKey } from '../conversation/incoming.ts';

type Document = NonNullable<Reply['screen']['document']>;

/** The name under which a chat hands a file over, without its ending. */
export function fileName(document: Document): string {
  if (document.kind === 'agent-file') return 'wasl';
  return document.kind === 'receipt' ? `wasl-${document.id.slice(0, 8)}` : `wasl-${document.operationId}`;
}

/** What is said where the file could not be had. */
export function noFileOf({ kind }: Document): SentenceKey {
  if (kind === 'agent-file') return 'telegram.noFile';
  return kind === 'receipt' ? 'receipt.gone' : 'telegram.noReceipt';
}
