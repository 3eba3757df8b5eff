import type { Context } from 'hono';
import { z } from 'zod';
import {
  latestAnswer,
  readJson,
  respond,
  type UssdDialect,
  type UssdGateway,
} from '../../src/channels/ussd/dialect.ts';

const request = z.object({ msisdn: z.string().min(1).max(30), text: z.string() });
const ended = z.object({ exitCode: z.int(), reason: z.string() });
const DONE = { responseExitCode: 200, responseMessage: '' };

/**
 * A gateway that Wasl does not ship, to prove that a dialect is one file: JSON as Infobip's API for applications has it,
 * with the session and what happens to it in the path (`facts.md`, A2). Its verbs are not documented: POST and PUT are taken.
 */
export const infobip: UssdDialect = {
  name: 'infobip',
  routes(app, gateway) {
    app.on(['POST', 'PUT'], '/session/:id/start', (c) => answer(c, gateway, 'start'));
    app.on(['POST', 'PUT'], '/session/:id/response', (c) => answer(c, gateway, 'response'));
    app.on(['POST', 'PUT'], '/session/:id/end', (c) => noteEnd(c, gateway));
    app.get('/session/:id/status', (c) => c.json({ ...DONE, sessionActive: true }));
  },
};

async function answer(c: Context, gateway: UssdGateway, step: 'start' | 'response') {
  const read = await readJson(c, request);
  if (read instanceof Response) return read;
  const { msisdn, text } = read;
  const { serviceCode } = gateway;
  return respond(
    gateway,
    {
      phoneNumber: msisdn,
      session: c.req.param('id') ?? '',
      ...latestAnswer(text, { isDial: step === 'start', serviceCode }),
    },
    (page) => Response.json({ ...DONE, ussdMenu: page.text, shouldClose: page.ends }),
  );
}

async function noteEnd(c: Context, { log }: UssdGateway) {
  const read = await readJson(c, ended);
  if (read instanceof Response) return read;
  log.say('A USSD session ended', { exitCode: read.exitCode });
  return c.json(DONE);
}
