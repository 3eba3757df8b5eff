import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyAtMost } from '../../http/body-limit.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { type Door, guard } from '../ussd/door.ts';
import { type HttpSms, incomingIn, receiptIn } from './http.ts';
import type { SmsReceipt } from './sms.ts';

const BODY_MAX_BYTES = 64 * 1024;

/** Takes incoming SMS and reports. Each is kept before its provider has an answer. Rejects where it cannot be kept. */
export interface SmsEvents {
  readonly sms: (from: Msisdn, text: string, id?: string) => Promise<void>;
  readonly receipt: (of: Msisdn, receipt: SmsReceipt) => Promise<void>;
}

/** The doors of the provider of SMS: its delivery reports, and the SMS of customers. Each is JSON, a form or a query. */
export function smsRoutes(provider: HttpSms, door: Door, events: SmsEvents): Hono {
  const app = new Hono();
  app.use(guard(door));
  app.use(bodyAtMost(BODY_MAX_BYTES, (c) => c.text('request too large\n', 413)));
  app.on(['POST', 'GET'], '/receipts', async (c) => {
    const receipt = receiptIn(provider, await saidIn(c));
    const number = readPhone(receipt?.number ?? '');
    // A report that decides nothing is taken all the same: its provider would bring it again.
    if (receipt && number) await events.receipt(number, { id: receipt.id, status: receipt.status });
    return c.text('ok\n');
  });
  app.on(['POST', 'GET'], '/incoming', async (c) => {
    const said = await saidIn(c);
    const sms = incomingIn(provider, said);
    if (!sms) return c.text('bad request: no SMS as SMS_HTTP describes it\n', 400);
    const number = readPhone(sms.number);
    const id = sms.id ?? createHash('sha256').update(said).digest('base64url');
    if (number) await events.sms(number, sms.text, id);
    return c.text('ok\n');
  });
  return app;
}

async function saidIn(c: Context): Promise<string> {
  return c.req.method === 'GET' ? new URL(c.req.url).search.slice(1) : c.req.text();
}
