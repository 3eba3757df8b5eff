import type { Context } from 'hono';
import { z } from 'zod';
import {
  latestAnswer,
  readJson,
  respond,
  type UssdDialect,
  type UssdEnd,
  type UssdGateway,
} from './dialect.ts';

const LABEL_MAX_CHARS = 60;

const request = z.object({
  Type: z
    .string()
    .transform((type) => type.toLowerCase())
    .pipe(z.enum(['initiation', 'response', 'release', 'timeout'])),
  Mobile: z.string().min(1).max(30),
  SessionId: z.string(),
  Message: z.string().nullish(),
  Sequence: z.union([z.string().min(1).max(20), z.int()]),
});

const ENDS: Readonly<Record<string, UssdEnd['over']>> = { release: 'release', timeout: 'timeout' };

/**
 * Hubtel, "Programmable Services": JSON with the latest answer only. `Sequence` counts the requests of a session, so
 * that a repeated request is known for certain. The first `Message` is the dialled string, and is empty when the service is
 * opened in Hubtel's app. `Type` says `release` or `timeout` once the session is over (source:
 * developers.hubtel.com, Programmable Services). `ClientState` is not used: a session is known by its id.
 */
export const hubtel: UssdDialect = {
  name: 'hubtel',
  routes(app, gateway) {
    app.post('/', (c) => answer(c, gateway));
  },
};

async function answer(c: Context, gateway: UssdGateway): Promise<Response> {
  const read = await readJson(c, request);
  if (read instanceof Response) return read;
  const { Type, Mobile: phoneNumber, SessionId: session, Message, Sequence } = read;
  const over = ENDS[Type];
  if (over) {
    await gateway.take({ phoneNumber, session, over });
    return Response.json({ SessionId: session, Type: 'release', Message: '' });
  }
  const dial = { isDial: Type === 'initiation', serviceCode: gateway.serviceCode };
  const { answers } = latestAnswer(Message ?? '', dial);
  return respond(
    gateway,
    { phoneNumber, session, answers, repeatKey: ['sequence', String(Sequence)] },
    ({ text, ends }) =>
      Response.json({
        SessionId: session,
        Type: ends ? 'release' : 'response',
        Message: text,
        Label: (text.split('\n')[0] ?? '').slice(0, LABEL_MAX_CHARS),
        DataType: ends ? 'display' : 'input',
        FieldType: 'text',
      }),
  );
}
