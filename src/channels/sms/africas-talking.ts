import ky, { HTTPError, type KyInstance } from 'ky';
import { z } from 'zod';
import { type Log, thrown } from '../../log/thrown.ts';
import type { SmsAnswer, SmsSender } from './sms.ts';

const AFRICAS_TALKING_URL = 'https://api.africastalking.com';
const TIMEOUT_MS = 10_000;

interface AfricasTalkingSmsOptions {
  readonly username: string;
  readonly apiKey: string;
  /** A registered sender name. Absent: the provider's own. */
  readonly from?: string;
  readonly url?: string;
  readonly log: Log;
}

/** 100 processed, 101 sent, 102 queued. */
const ACCEPTED: ReadonlySet<number> = new Set([100, 101, 102]);
/** 403 invalid number, 404 unsupported number, 406 blacklisted by its user, 409 do not disturb: no use in trying again. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 406, 409]);

const answerSchema = z.object({
  SMSMessageData: z.object({
    Recipients: z.array(z.object({ statusCode: z.number() })),
  }),
});

/**
 * SMS over Africa's Talking (`POST /version1/messaging`). The answer is HTTP 201 even when a recipient was not served:
 * the truth is each recipient's `statusCode`, and an empty list when the whole request was turned down.
 */
export function createAfricasTalkingSms(options: AfricasTalkingSmsOptions): SmsSender {
  const http = ky.create({
    retry: 0,
    timeout: TIMEOUT_MS,
    headers: { apikey: options.apiKey, accept: 'application/json' },
  });
  return (to, text) => send(http, options, to, text);
}

async function send(
  http: KyInstance,
  { username, from, url = AFRICAS_TALKING_URL, log }: AfricasTalkingSmsOptions,
  to: string,
  text: string,
): Promise<SmsAnswer> {
  const body = new URLSearchParams({ username, to, message: text, bulkSMSMode: '1', ...(from && { from }) });
  try {
    const answer = answerSchema.safeParse(await http.post(`${url}/version1/messaging`, { body }).json());
    const code = answer.data?.SMSMessageData.Recipients[0]?.statusCode;
    const meaning = meaningOf(code);
    if (meaning !== 'accepted') log.say('An SMS was not taken', { code: `${code ?? 'none'}`, meaning });
    return meaning;
  } catch (error) {
    const status = error instanceof HTTPError ? error.response.status : undefined;
    log.say('An SMS was not taken', { status, meaning: 'later', ...thrown(error) });
    return 'later';
  }
}

function meaningOf(code: number | undefined): SmsAnswer {
  if (code !== undefined && ACCEPTED.has(code)) return 'accepted';
  return code !== undefined && REFUSED.has(code) ? 'refused' : 'later';
}
