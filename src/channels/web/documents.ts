import type { Context } from 'hono';
import type { Address, Conversations, Reply } from '../../conversation/incoming.ts';
import { handedAs } from '../file-name.ts';

type Document = NonNullable<Reply['screen']['document']>;

/** Ids of the wallet are whole numbers. Ours are UUIDs. */
const OPERATION_ID = /^[1-9]\d{0,14}$/;
const FILE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The path from which the chat page fetches a file, below the chat's own address. */
export function documentPath(document: Document): string {
  return `/documents/${document.kind}/${'id' in document ? document.id : document.operationId}`;
}

/** The file that a page asks for. Undefined for an impossible id. */
function wantedIn(kind: string, id: string): Document | undefined {
  if (kind === 'agent-file' || kind === 'receipt') return FILE_ID.test(id) ? { kind, id } : undefined;
  return kind === 'bill-receipt' && OPERATION_ID.test(id) ? { kind, operationId: Number(id) } : undefined;
}

/** A file for this chat's own customer, to be saved and kept in no cache. Answers 404 where there is none for this chat. */
export async function documentFile(
  c: Context,
  address: Address,
  conversations: Pick<Conversations, 'document'>,
): Promise<Response> {
  const [kind = '', id = ''] = [c.req.param('kind'), c.req.param('id')];
  const wanted = wantedIn(kind, id);
  const file = wanted && (await conversations.document(address, wanted));
  if (!file) return c.json({ error: 'no such document' }, 404);
  const { type, ending } = handedAs(file);
  return c.body(Uint8Array.from(file.bytes), 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="wasl-${id.slice(0, 15)}${ending}"`,
    'cache-control': 'private, no-store',
  });
}
