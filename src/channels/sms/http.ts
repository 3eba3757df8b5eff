import { z } from 'zod';
import { parseJson } from '../../http/json.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { readUpTo } from '../read-up-to.ts';
import type { SmsAnswer, SmsReceipt, SmsSender } from './sms.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
);
const fields = z.record(z.string(), z.string());
const value = z.union([z.string(), z.number(), z.boolean()]);
/** `at`: where it stands in JSON, with dots (`messages.0.status`). Absent: in the whole text. `is`: what it says there. */
const sign = z.strictObject({ at: z.string().optional(), is: z.array(value).min(1) });

/**
 * How a provider of SMS is asked over HTTP, as the operator's configuration says it. In each text `{to}` is the number as
 * +212…, `{number}` as 212…, `{text}` the message and `{secret}` the setting `SMS_HTTP_SECRET`.
 */
export const httpSmsSchema = z
  .strictObject({
    method: z.enum(['POST', 'GET', 'PUT']).default('POST'),
    url: z.string().refine((text) => URL.canParse(text), 'must be an address'),
    query: fields.default({}),
    headers: fields.default({}),
    form: fields.optional(),
    json: json.optional(),
    /** Absent: every answer of 200 to 299 means that it was taken. */
    accepted: sign.optional(),
    refused: sign.optional(),
    id: z.string().optional(),
    receipt: z
      .strictObject({
        id: z.string(),
        number: z.string(),
        status: z.string(),
        delivered: z.array(value),
        failed: z.array(value),
      })
      .optional(),
    incoming: z.strictObject({ number: z.string(), text: z.string(), id: z.string().optional() }).optional(),
  })
  .refine(({ form, json }) => !(form && json !== undefined), 'has form and json: only one of them can be');

export type HttpSms = z.output<typeof httpSmsSchema>;

/** Reads a provider from JSON, or says which parts of it are wrong. */
export function readHttpSms(text: string): HttpSms | { readonly parts: readonly string[] } {
  const read = httpSmsSchema.safeParse(parseJson(text));
  if (read.success) return read.data;
  return {
    parts: read.error.issues.map(({ path, message }) => (path.length > 0 ? path.join('.') : message)),
  };
}

interface HttpSmsOptions {
  readonly provider: HttpSms;
  readonly secret?: string | undefined;
  readonly log: Log;
}

/** Sends SMS by a provider that has no code here. */
export function createHttpSms(options: HttpSmsOptions): SmsSender {
  return async (to, text, taken) => {
    try {
      const { meaning, code, id } = await ask(options, to, text);
      if (meaning !== 'accepted') options.log.say('An SMS was not taken', { code, meaning });
      else if (id) taken?.(id);
      return meaning;
    } catch (error) {
      options.log.say('An SMS was not taken', { meaning: 'later', ...thrown(error) });
      return 'later';
    }
  };
}

async function ask(
  { provider, secret = '' }: HttpSmsOptions,
  to: Msisdn,
  text: string,
): Promise<{ readonly meaning: SmsAnswer; readonly code: string; readonly id: string | undefined }> {
  const values: Readonly<Record<string, string>> = { to, number: to.slice(1), text, secret };
  const filled = (template: string) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const { form, json: body } = provider;
  const url = new URL(provider.url);
  for (const [name, template] of Object.entries(provider.query))
    url.searchParams.append(name, filled(template));
  const answer = await fetch(url, {
    method: provider.method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...mapped(provider.headers, filled),
    },
    ...(form && { body: new URLSearchParams(mapped(form, filled)) }),
    ...(body !== undefined && { body: JSON.stringify(inside(body, filled)) }),
    // A secret goes where the operator has said, and nowhere else.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const said = Buffer.from((await readUpTo(answer, ANSWER_MAX_BYTES)) ?? []).toString();
  const { accepted, refused, id } = provider;
  const found = accepted && at(said, accepted.at);
  const code = answer.ok && accepted?.at ? String(found ?? 'none') : String(answer.status);
  return {
    meaning: meaningOf(answer.ok, said, { accepted, refused }),
    code,
    id: id ? textAt(said, id) : undefined,
  };
}

function meaningOf(
  isOk: boolean,
  said: string,
  { accepted, refused }: Pick<HttpSms, 'accepted' | 'refused'>,
): SmsAnswer {
  if (refused && has(said, refused)) return 'refused';
  return isOk && (!accepted || has(said, accepted)) ? 'accepted' : 'later';
}

function has(said: string, { at: place, is }: z.output<typeof sign>): boolean {
  if (place === undefined) return is.some((each) => said.includes(String(each)));
  const found = at(said, place);
  return is.some((each) => String(each) === String(found));
}

/** The value at a place of a JSON text, or of a form. Undefined where there is none. */
function at(said: string, place = ''): unknown {
  let found: unknown = parseJson(said) ?? Object.fromEntries(new URLSearchParams(said));
  for (const name of place.split('.').filter(Boolean)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

function textAt(said: string, place: string): string | undefined {
  const found = at(said, place);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

function mapped(
  templates: Readonly<Record<string, string>>,
  filled: (template: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(templates).map(([name, each]) => [name, filled(each)]));
}

function inside(template: Json, filled: (text: string) => string): Json {
  if (typeof template === 'string') return filled(template);
  if (Array.isArray(template)) return template.map((each: Json) => inside(each, filled));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, inside(each, filled)]));
}

/** The delivery report in a provider's request. Undefined where it is none, or where nothing is decided yet. */
export function receiptIn(
  { receipt }: HttpSms,
  said: string,
): (SmsReceipt & { readonly number: string }) | undefined {
  if (!receipt) return undefined;
  const [id, number] = [textAt(said, receipt.id), textAt(said, receipt.number)];
  const says = (words: readonly unknown[]) => words.map(String).includes(String(at(said, receipt.status)));
  const status = says(receipt.delivered) ? 'delivered' : says(receipt.failed) ? 'failed' : undefined;
  return id && number && status ? { id, number, status } : undefined;
}

/** The SMS of a customer in a provider's request. Undefined where it is none. */
export function incomingIn(
  { incoming }: HttpSms,
  said: string,
): { readonly number: string; readonly text: string; readonly id: string | undefined } | undefined {
  if (!incoming) return undefined;
  const [number, text] = [textAt(said, incoming.number), textAt(said, incoming.text)];
  const id = incoming.id ? textAt(said, incoming.id) : undefined;
  return number !== undefined && text !== undefined ? { number, text, id } : undefined;
}
