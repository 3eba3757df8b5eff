import { z } from 'zod';
import { BARE, endpoint } from './endpoint.ts';
import { accountLevel, cin, dateTime, decimal, pageNumber, pageSize, phone, text } from './fields.ts';
import { NAME_LENGTH_MAX, NAME_LENGTH_MIN } from './limits.ts';
import { ifAny } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'agents';

const name = z.string().min(NAME_LENGTH_MIN).max(NAME_LENGTH_MAX);
const details = {
  PhoneNumber: phone,
  Name: text.max(NAME_LENGTH_MAX),
  FirstName: name,
  LastName: name,
  Cin: cin,
};

/** Partner API v2.3, "Retail agent", in the cases it is written in. The fields that may be missing are not shown. */
const retailAgent = z.object({
  code: text,
  PhoneNumber: phone,
  Name: z.string(),
  FirstName: ifAny(z.string()),
  LastName: ifAny(z.string()),
  Cin: ifAny(z.string()),
  Address: ifAny(z.string().nullable()),
  Email: ifAny(z.string().nullable()),
  Gender: ifAny(z.string().nullable()),
});

/**
 * Partner API v2.3, "Agent object plus an Account object (balance, RIB, level, etc.); their detailed fields are not
 * shown": those of a customer stand in for them.
 */
const principalAgent = z.object({
  agent: z.object({ code: text, name: ifAny(z.string()) }),
  account: z.object({
    balance: decimal,
    rib: ifAny(z.string()),
    accountLevel: ifAny(accountLevel),
  }),
});

/** Partner API v2.3, "Agents". */
export const agents = {
  /** v2.3 does not show whose code it is. Here it is the principal agent's, and the list has its retail agents. */
  listRetailAgents: endpoint('GET', '/api/agents/retail', scope, {
    query: z.object({
      Code: text,
      PageSize: pageSize,
      PageNumber: pageNumber,
      From: dateTime.optional(),
      To: dateTime.optional(),
    }),
    data: z.object({ collection: z.array(retailAgent), count: z.int().min(0) }),
  }),
  readRetailAgent: endpoint('GET', '/api/agents/retail/{code}', scope, {
    params: z.object({ code: text }),
    data: retailAgent,
  }),
  createRetailAgent: endpoint('POST', '/api/agents/retail', scope, {
    body: z.object({ ...details, Address: z.string().nullish(), Email: z.email().nullish() }),
    data: retailAgent,
  }),
  /** v2.3 does not show the effect of null. Here it changes nothing, like a missing field. */
  updateRetailAgent: endpoint('PUT', '/api/agents/retail/{code}', scope, {
    params: z.object({ code: text }),
    body: z.object({
      Name: details.Name.nullish(),
      FirstName: name.nullish(),
      LastName: name.nullish(),
      PhoneNumber: phone.nullish(),
      Cin: cin.nullish(),
      Address: z.string().nullish(),
      Email: z.email().nullish(),
      Gender: z.string().nullish(),
    }),
    problems: true,
    status: 204,
    ...BARE,
  }),
  readPrincipalAgent: endpoint('GET', '/api/agents/principal/{code}', scope, {
    params: z.object({ code: text }),
    data: principalAgent,
  }),
};
