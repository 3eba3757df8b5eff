import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Address } from '../../conversation/incoming.ts';
import { parseJson } from '../../http/json.ts';
import { knows } from '../../http/secret.ts';

/** Telegram's web clients show Mini Apps in a frame. Every other client opens a window of its own. */
export const TELEGRAM_FRAMES = ['https://web.telegram.org'];
/** A Mini App that was opened longer ago proves nothing any more: a form is done with sooner. */
const LAUNCH_MAX_AGE_MS = 10 * 60_000;
/** Telegram's clock and ours may differ by so much. */
const SKEW_MS = 60_000;
const userIn = z.object({ id: z.int().positive() });
/** Far above what Telegram says of a launch. */
const LAUNCH_MAX_CHARS = 4_096;

/**
 * The customer whose Mini App has sent these launch data (facts B4). Telegram signs its data about a Mini App's user
 * with a key made from the bot's token. The form has them from its fragment, which no server sees before the form is
 * sent.
 * @param launch `tgWebAppData`, decoded once: `query_id=…&user=…&auth_date=…&hash=…`
 * @returns undefined for data that Telegram has not signed for this bot, or too long ago
 */
export function launchedBy(token: string, launch: string, now: number): Address | undefined {
  if (launch.length > LAUNCH_MAX_CHARS) return undefined;
  const fields = new URLSearchParams(launch);
  const hash = fields.get('hash') ?? '';
  fields.delete('hash');
  if (!isSigned(token, fields, hash)) return undefined;
  const age = now - Number(fields.get('auth_date')) * 1_000;
  if (!(age <= LAUNCH_MAX_AGE_MS && age >= -SKEW_MS)) return undefined;
  const user = userOf(fields.get('user') ?? '');
  return user === undefined ? undefined : `telegram:${user}`;
}

/** The HMAC is over all other fields, decoded, in the order of their names. */
function isSigned(token: string, fields: URLSearchParams, hash: string): boolean {
  const checked = Array.from(fields, ([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n');
  const key = createHmac('sha256', 'WebAppData').update(token).digest();
  return knows([createHmac('sha256', key).update(checked).digest('hex')])(hash);
}

function userOf(json: string): number | undefined {
  return userIn.safeParse(parseJson(json)).data?.id;
}
