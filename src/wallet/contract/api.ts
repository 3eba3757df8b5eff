import { bills } from './bills.ts';
import { customers } from './customers.ts';
import { merchant } from './merchant.ts';
import { operations } from './operations.ts';
import { telco } from './telco.ts';
import { transfers } from './transfers.ts';
import { vouchers } from './vouchers.ts';

/** Every operation of the Partner API v2.3 that Wasl knows, by name. */
export const API = {
  ...customers,
  ...transfers,
  ...operations,
  ...telco,
  ...bills,
  ...vouchers,
  ...merchant,
};
export type Api = typeof API;
export type ApiName = keyof Api;

/** The headers of every request (v2.3, "Authentication"). */
export const API_HEADERS = { key: 'Svc-Api-Key', requestId: 'C-Request-Id' } as const;
