import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTime, dateTimeIfAny, decimal, phone, text } from './fields.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:network';

/** The effect of `withContext` is not shown. */
const query = z.object({ withContext: z.boolean().default(false) });
/** `entity`: who took or gave the cash. */
const body = z.object({ reference: text, entity: z.string().optional() });

/** Partner API v2.3, "Network execution result". */
const result = z.object({
  reference: text,
  entity: z.string().nullish(),
  createdAt: dateTime,
  executedAt: dateTimeIfAny,
  phoneNumber: phone.nullish(),
  amount: decimal,
  description: z.string().nullish(),
  partner: z.string().nullish(),
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
