import type { Context } from 'hono';
import type { Address, Conversations } from '../../conversation/incoming.ts';

/** The types of file that a browser is given, and their names. Anything else is bytes: no page of somebody's making. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
};
/** Ids of the wallet are whole numbers. */
const OPERATION_ID = /^[1-9]\d{0,14}$/;

/** A file of the customer's own wallet, to be saved and kept in no cache; 404 where there is none for this chat. */
export async function documentFile(
  c: Context,
  address: Address,
  conversations: Pick<Conversations, 'document'>,
): Promise<Response> {
  const id = c.req.param('operationId') ?? '';
  const file = OPERATION_ID.test(id)
    ? await conversations.document(address, { kind: 'bill-receipt', operationId: Number(id) })
    : undefined;
  if (!file) return c.json({ error: 'no such document' }, 404);
  const type = file.type.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = ENDINGS[type];
  return c.body(Uint8Array.from(file.bytes), 200, {
    'content-type': ending ? type : 'application/octet-stream',
    'content-disposition': `attachment; filename="wasl-${id}${ending ?? ''}"`,
    'cache-control': 'private, no-store',
  });
}
