import type { Order } from '../../../machines/kit/order.ts';
import type { Answer } from '../../wallet/answer.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import type { Call, Execution, Preview, Wallet } from '../../wallet/wallet.ts';

/** What the recipient's wallet sees where the customer was not asked for a reason. */
const REASON = 'Wasl';

interface Way<O extends Order> {
  /** Partner API v2.3, "Operation types". */
  readonly type: number;
  preview(api: Wallet, order: O, call: Call): Promise<Answer<Preview>>;
  execute(api: Wallet, order: O, call: Call & { readonly requestId: string }): Promise<Answer<Execution>>;
}

/** How each kind of order is previewed, executed and found again. A new way to pay is a new row. */
export const WAYS: { readonly [Kind in Order['kind']]: Way<Extract<Order, { kind: Kind }>> } = {
  transfer: {
    type: OPERATION_TYPES.TRANSFER,
    preview: (api, { from, to, amount }, call) =>
      api.previewTransfer({ from, to, amount, reason: REASON }, call),
    execute: (api, { from, to, amount }, call) => api.transfer({ from, to, amount, reason: REASON }, call),
  },
};
