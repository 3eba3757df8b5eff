import type { Context } from 'hono';
import {
  badRequest,
  conOrEnd,
  dialledAnswers,
  readFields,
  respond,
  type UssdDialect,
  type UssdGateway,
} from './dialect.ts';

/**
 * Advanta and the gateways like it: GET with `SESSIONID`, `USSDCODE`, `MSISDN` and `INPUT` in the address. `INPUT` is the
 * dialled string, to which every answer is added: `*123#`, then `*123*1#`, then `*123*1*0612345678#`. The reply is `CON …`
 * or `END …`. As with Africa's Talking, the number of answers and the whole text tell a repeated request (source:
 * Advanta's public API documentation, USSD guide).
 *
 * A PIN stands in the address. Let no proxy log addresses of this gateway.
 */
export const advanta: UssdDialect = {
  name: 'advanta',
  routes(app, gateway) {
    app.get('/', (c) => answer(c, gateway));
  },
};

async function answer(c: Context, gateway: UssdGateway): Promise<Response> {
  const query = readFields(new URL(c.req.url).search);
  if (!query) return badRequest('a field is given twice');
  const [session, phoneNumber, input] = [query.get('SESSIONID'), query.get('MSISDN'), query.get('INPUT')];
  if (!session) return badRequest('SESSIONID is missing');
  if (!phoneNumber) return badRequest('MSISDN is missing');
  if (input === undefined) return badRequest('INPUT is missing');
  const code = gateway.serviceCode.replace(/#$/, '');
  if (!`${input.trim().replace(/#$/, '')}*`.startsWith(`${code}*`))
    return badRequest('INPUT does not begin with the service code (USSD_CODE)');
  const answers = dialledAnswers(input, gateway.serviceCode);
  const repeatKey = [String(answers.length), ...answers];
  return respond(gateway, { phoneNumber, session, answers, repeatKey }, (page) => conOrEnd(page));
}
