import { readPhone } from '../../wallet/phone.ts';
import { plausible, typed, type UssdDialect, type UssdReading } from './dialect.ts';

const STEP_MAX_CHARS = 99;

/**
 * Africa's Talking: a form with `sessionId`, `phoneNumber`, `networkCode`, `serviceCode` and `text`, which holds all
 * answers so far joined by `*` (a typed `*` cannot be told apart from the joint); the reply is `CON …` or `END …`.
 * A PIN stays in `text` until the session ends, so it is never logged, and the request's id is an HMAC: the gateway
 * gives none (source: developers.africastalking.com, USSD).
 */
export const africasTalking: UssdDialect = {
  name: 'africastalking',

  read(body, _serviceCode, digest) {
    const form = readForm(body);
    if (!form) return malformed('a field is given twice');
    const { sessionId, phoneNumber, text } = form;
    if (!sessionId || sessionId.length > 200) return malformed('sessionId is missing or too long');
    if (!phoneNumber) return malformed('phoneNumber is missing');
    if (text === undefined) return malformed('text is missing');
    const answers = text === '' ? [] : text.split('*');
    if (!plausible(answers)) return malformed('text is too long');
    const phone = readPhone(phoneNumber);
    if (!phone) return { kind: 'foreign' };
    const id = digest('africastalking', phone, sessionId, String(answers.length), text);
    return { kind: 'turn', turn: { phone, session: sessionId, id, inputs: answers.map(typed) } };
  },

  write({ text, ends, step }) {
    return new Response(`${ends ? 'END' : 'CON'} ${text}`, {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'at-ussd-hop-metadata': step.replaceAll('|', '-').slice(0, STEP_MAX_CHARS),
      },
    });
  },
};

/** What may be known of an ended session: never `input`, which holds the PIN, nor `lastAppResponse`. */
export interface UssdEnd {
  readonly status: string;
  readonly hops: number;
  readonly durationMs: number;
}

/** Reads the notification that Africa's Talking sends when a session has ended; undefined when it is not one. */
export function readEnd(body: string): UssdEnd | undefined {
  const form = readForm(body);
  const status = form?.status;
  if (!form || !status || !['Success', 'Incomplete', 'Failed'].includes(status)) return undefined;
  return { status, hops: whole(form.hopsCount), durationMs: whole(form.durationInMillis) };
}

/**
 * Reads a form's fields, once; undefined when a field is given twice, for then two readers could read two different
 * values. An unescaped `+212…` arrives as ` 212…`, which the parser of numbers takes as well.
 */
function readForm(body: string): Partial<Record<string, string>> | undefined {
  const pairs = [...new URLSearchParams(body)];
  const form = Object.fromEntries(pairs);
  return Object.keys(form).length === pairs.length ? form : undefined;
}

function whole(text: string | undefined): number {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function malformed(why: string): UssdReading {
  return { kind: 'malformed', why };
}
