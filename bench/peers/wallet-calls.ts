import { API, API_HEADERS } from '../../src/wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../src/wallet/contract/fields.ts';

/**
 * The wallet calls of a transfer. All peers make the same ones in the same turns, as Wasl does: the status at the menu, the saved
 * recipients, a preview and the list, then a login, the list and the execution. After the webhook: a read for each side.
 */

const RECENT_MS = 15 * 60_000;

export interface Order {
  readonly from: string;
  readonly to: string;
  /** Dirhams. */
  readonly amount: number;
}
interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}
/** Makes one call with the HTTP library of a peer. Gives the body of a 200, else nothing. */
type Send = (request: Request) => Promise<unknown>;

/** What the wallet says in the body of its webhook, as far as a peer reads it. */
export interface WebhookBody {
  readonly data: {
    readonly OperationId: number;
    readonly PrimaryAccountNumber: string;
    readonly SecondaryAccountNumber: string;
  };
}

type WalletCalls = ReturnType<typeof walletCalls>;

/** @param key the partner's key */
export function walletCalls(key: string, send: Send) {
  const call = async <T>(
    { method, path }: { readonly method: string; readonly path: string },
    query?: Record<string, string>,
    body?: object,
  ): Promise<T | undefined> => {
    const answer = await send({
      method,
      path: query ? `${path}?${new URLSearchParams(query)}` : path,
      headers: { [API_HEADERS.key]: key, [API_HEADERS.requestId]: crypto.randomUUID() },
      ...(body && { body }),
    });
    return (answer as { data?: T } | undefined)?.data;
  };
  return {
    status: (PhoneNumber: string) => call(API.customerStatus, { PhoneNumber }),
    beneficiaries: (PhoneNumber: string) =>
      call(API.listBeneficiaries, { PhoneNumber, PageSize: '50', PageNumber: '1' }),
    preview: (order: Order) => call<{ feesAmount?: number }>(API.previewTransfer, undefined, bodyOf(order)),
    execute: (order: Order) => call<{ id: number }>(API.executeTransfer, undefined, bodyOf(order)),
    login: (phoneNumber: string, pin: string) =>
      call<{ logged: boolean }>(API.loginCustomer, undefined, { phoneNumber, pin }),
    /** The transfers of the last 15 minutes, one of which may look like this one. */
    recent: (PhoneNumber: string) =>
      call(API.listOperations, {
        PhoneNumber,
        PageSize: '50',
        PageNumber: '1',
        From: new Date(Date.now() - RECENT_MS).toISOString(),
        OperationType: `${OPERATION_TYPES.TRANSFER}`,
      }),
    operation: (id: number, PhoneNumber: string) =>
      call({ method: 'GET', path: API.readOperation.path.replace('{id}', `${id}`) }, { PhoneNumber }),
  };
}

/** After a webhook: reads its operation as each side sees it, and keeps what was read. */
export async function keepOutcomes(
  wallet: WalletCalls,
  { data }: WebhookBody,
  keep: (key: string, text: string) => Promise<unknown>,
): Promise<void> {
  for (const phone of [data.PrimaryAccountNumber, data.SecondaryAccountNumber]) {
    const operation = await wallet.operation(data.OperationId, phone);
    if (operation) await keep(`peer:outcome:${phone}`, JSON.stringify(operation));
  }
}

/** The settings of a peer, which `bench/http.ts` gives it. */
export function settings(): { readonly redis: string; readonly wallet: string; readonly key: string } {
  const { PEER_REDIS = '', PEER_WALLET = '', PEER_KEY = '' } = process.env;
  return { redis: PEER_REDIS, wallet: PEER_WALLET, key: PEER_KEY };
}

function bodyOf({ from, to, amount }: Order): object {
  return { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: amount, Reason: 'envoi' };
}
