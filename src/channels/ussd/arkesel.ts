import type { Context } from 'hono';
import { z } from 'zod';
import { latestAnswer, readJson, respond, type UssdDialect, type UssdGateway } from './dialect.ts';

const request = z.object({
  sessionID: z.string(),
  userID: z.string().max(200),
  newSession: z.boolean(),
  msisdn: z.string().min(1).max(30),
  userData: z.string(),
});

/**
 * Arkesel: JSON with the latest answer only. The first `userData` is the whole dialled string, `*123#` or a deep dial
 * `*123*1*0612345678#`. The reply is JSON.
 *
 * Nothing in a request tells the repetition of a new PIN from a repeated request either, and this gateway documents no
 * repeats. A repeat that arrives while the first is under way loses the race in the engine. One that arrives later is
 * taken as typed. Prefer a gateway that counts its requests or sends them whole.
 */
export const arkesel: UssdDialect = {
  name: 'arkesel',
  routes(app, gateway) {
    app.post('/', (c) => answer(c, gateway));
  },
};

async function answer(c: Context, gateway: UssdGateway): Promise<Response> {
  const read = await readJson(c, request);
  if (read instanceof Response) return read;
  const { sessionID, userID, newSession, msisdn, userData } = read;
  const { serviceCode } = gateway;
  return respond(
    gateway,
    {
      phoneNumber: msisdn,
      session: sessionID,
      ...latestAnswer(userData, { isDial: newSession, serviceCode }),
    },
    ({ text, ends }) => Response.json({ sessionID, userID, msisdn, message: text, continueSession: !ends }),
  );
}
