import type { Context } from 'hono';
import { z } from 'zod';
import {
  badRequest,
  implausible,
  latestAnswer,
  readJson,
  type UssdDialect,
  type UssdGateway,
} from '../../../src/channels/ussd/dialect.ts';

const request = z.object({
  sessionId: z.string(),
  ussdOperation: z.enum(['mo-init', 'mo-cont', 'mo-fin']),
  message: z.string(),
  sourceAddress: z.string().startsWith('tel:').max(40),
  requestId: z.string().max(100).optional(),
});

/** The page, as a request of ours to the gateway (`/ussd/send`). */
export interface SentPage {
  readonly applicationId: string;
  readonly password: string;
  readonly sessionId: string;
  readonly destinationAddress: string;
  readonly ussdOperation: 'mt-cont' | 'mt-fin';
  readonly message: string;
}

/**
 * A recipe, not shipped: the family of hSenid, as other people describe it (second-hand, see `docs/operator/gateways.md`).
 * The answer to a request only says that it came. The page is a request of its own.
 * @param send hands the page to the gateway. It is not tried again: the gateway may have shown it
 */
export function hsenid(
  account: Pick<SentPage, 'applicationId' | 'password'>,
  send: (page: SentPage) => Promise<void>,
): UssdDialect {
  return {
    name: 'hsenid',
    routes(app, gateway) {
      app.post('/', (c) => acknowledge(c, gateway, (page) => send({ ...account, ...page })));
    },
  };
}

async function acknowledge(
  c: Context,
  gateway: UssdGateway,
  send: (page: Omit<SentPage, 'applicationId' | 'password'>) => Promise<void>,
): Promise<Response> {
  const read = await readJson(c, request);
  if (read instanceof Response) return read;
  const { sessionId: session, ussdOperation, message, sourceAddress, requestId } = read;
  const phoneNumber = sourceAddress.slice('tel:'.length);
  if (ussdOperation === 'mo-fin') {
    await gateway.take({ phoneNumber, session, over: 'abort' });
    return c.json({ statusCode: 'S1000' });
  }
  const dial = { isDial: ussdOperation === 'mo-init', serviceCode: gateway.serviceCode };
  const latest = latestAnswer(message, dial);
  const asked = { phoneNumber, session, ...latest, ...(requestId && { repeatKey: ['request', requestId] }) };
  const refused = implausible(asked);
  if (refused) return badRequest(refused);
  const shown = gateway.take(asked).then(({ text, ends }) =>
    send({
      sessionId: session,
      destinationAddress: sourceAddress,
      ussdOperation: ends ? 'mt-fin' : 'mt-cont',
      message: text,
    }),
  );
  shown.catch((error: Error) => gateway.log.say('An error ended turns', { error: error.name }));
  return c.json({ statusCode: 'S1000' });
}
