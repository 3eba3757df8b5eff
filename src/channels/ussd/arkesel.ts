import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readPhone } from '../../wallet/phone.ts';
import { plausible, typed, type UssdDialect } from './dialect.ts';

const request = z.object({
  sessionID: z.string().min(1).max(200),
  userID: z.string().max(200),
  newSession: z.boolean(),
  msisdn: z.string().min(1).max(30),
  userData: z.string(),
});

/**
 * Arkesel: JSON with the latest answer only; the first `userData` is the whole dialled string, `*123#` or a deep dial
 * `*123*1*0612345678#`. The reply is JSON.
 *
 * Nothing in a request tells a repeat of `1` from a second `1`, nor the repetition of a new PIN from a repeated request,
 * and this gateway documents no repeats. So only the dial has an id of its own; every later request is a new answer.
 * A repeat that arrives while the first is under way loses the race in the engine; one that arrives later is taken as
 * typed. Prefer a gateway that counts its requests or sends them whole.
 */
export const arkesel: UssdDialect = {
  name: 'arkesel',

  read(body, serviceCode, digest) {
    const read = request.safeParse(json(body));
    if (!read.success) {
      const fields = read.error.issues.map((issue) => issue.path.join('.')).filter(Boolean);
      return {
        kind: 'malformed',
        why: fields.length ? `wrong or missing: ${fields.join(', ')}` : 'not JSON',
      };
    }
    const { sessionID, userID, newSession, msisdn, userData } = read.data;
    const echo = { sessionID, userID, msisdn };
    const answers = newSession ? deepDial(userData, serviceCode) : [userData];
    if (!plausible(answers)) return { kind: 'malformed', why: 'userData is too long' };
    const phone = readPhone(msisdn);
    if (!phone) return { kind: 'foreign', echo };
    const id = newSession ? digest('arkesel', phone, sessionID) : randomUUID();
    return { kind: 'turn', turn: { phone, session: sessionID, id, inputs: answers.map(typed), echo } };
  },

  write({ text, ends, echo }) {
    return Response.json({ ...echo, message: text, continueSession: !ends });
  },
};

/** The answers behind the service code of a dialled string: `*123*1*0612345678#` → `1`, `0612345678`. */
function deepDial(dialled: string, serviceCode: string): string[] {
  const code = serviceCode.replace(/#$/, '');
  const plain = dialled.trim().replace(/#$/, '');
  const rest = plain.startsWith(`${code}*`) ? plain.slice(code.length + 1) : '';
  return rest === '' ? [] : rest.split('*');
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
