import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTime, dateTimeOrNull, decimal, phone, text } from './fields.ts';
import { ifAny } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:network';

/** The effect of `withContext` is not shown. */
const query = z.object({ withContext: z.boolean().default(false) });
/** `entity`: who took or gave the cash. */
const body = z.object({ reference: text, entity: z.string().optional() });

/** Partner API v2.3, "Network execution result". */
const result = z.object({
  reference: text,
  entity: ifAny(z.string()),
  createdAt: dateTime,
  executedAt: dateTimeOrNull,
  phoneNumber: ifAny(phone),
  amount: decimal,
  description: ifAny(z.string().nullable()),
  partner: ifAny(z.string()),
});

/**
 * Partner API v2.3, "Reference-based cash-in / cash-out": what an agent network does at its counter. "In sandbox the partner
 * calls the network endpoints itself to complete test flows."
 */
export const network = {
  executeNetworkCashIn: endpoint('POST', '/api/network/operations/cashin', scope, {
    query,
    body,
    data: result,
  }),
  executeNetworkCashOut: endpoint('POST', '/api/network/operations/cashout', scope, {
    query,
    body,
    data: result,
  }),
};
