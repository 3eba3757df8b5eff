import { type HttpSms, httpSmsSchema } from './http.ts';

/**
 * Africa's Talking (`POST /version1/messaging`). The answer is HTTP 201 even when a recipient was not served: the truth is
 * each recipient's `statusCode`. 100 is processed, 101 sent, 102 queued. 403 is an invalid number, 404 an unsupported one,
 * 406 one whose user refuses, 409 one that must not be disturbed. The reports go to `/sms/receipts`, the SMS of customers
 * to `/sms/incoming` (source: developers.africastalking.com, SMS).
 */
export function africasTalkingSms(
  { username, from }: { readonly username: string; readonly from?: string | undefined },
  url = 'https://api.africastalking.com',
): HttpSms {
  const code = 'SMSMessageData.Recipients.0.statusCode';
  return httpSmsSchema.parse({
    url: `${url}/version1/messaging`,
    headers: { apikey: '{secret}', accept: 'application/json' },
    form: { username, to: '{to}', message: '{text}', bulkSMSMode: '1', ...(from && { from }) },
    accepted: { at: code, is: [100, 101, 102] },
    refused: { at: code, is: [403, 404, 406, 409] },
    id: 'SMSMessageData.Recipients.0.messageId',
    receipt: {
      ...{ id: 'id', number: 'phoneNumber', status: 'status' },
      ...{ delivered: ['Success'], failed: ['Failed', 'Rejected', 'AbsentSubscriber', 'Expired'] },
    },
    incoming: { number: 'from', text: 'text', id: 'id' },
  });
}
