import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { Conversations, Incoming, Language, Reply, SentenceKey } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { bodyAtMost } from '../../http/body-limit.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { UssdLimits } from '../../screen/pages.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { readPhone } from '../../wallet/phone.ts';
import { createNames, type NameInput } from '../digest.ts';
import {
  badRequest,
  implausible,
  typed,
  type UssdDialect,
  type UssdGateway,
  type UssdPage,
  type UssdRequest,
} from './dialect.ts';
import { type Door, guard } from './door.ts';
import { GATEWAYS } from './gateways.ts';
import { endsWith, pageOf } from './page.ts';

/** Africa's Talking hangs up after 10,000 ms. The rest is for the network and the page itself. Aim: 3,000. */
const DEADLINE_MS = 8_000;
/** A page that waits for an outcome goes out a second before the gateway hangs up. */
const OUTCOME_BY_MS = 9_000;
/** A request is a few hundred bytes. A session of 100 long answers is 30 kB. */
const BODY_MAX_BYTES = 64 * 1024;

interface UssdOptions {
  readonly conversations: Conversations;
  readonly renderer: Pick<Renderer, 'ussd'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  readonly door: Door;
  /** The code that customers dial, `*123#`. */
  readonly serviceCode: string;
  /** True where the outcome of a payment is sent to its customer by SMS. */
  readonly outcomesBySms?: boolean;
  /** Spoken to a caller whom we cannot serve or find. */
  readonly language: Language;
  readonly log: Log;
  /** How much a page holds at a gateway, by its name. Absent: the careful default. */
  readonly limits?: Readonly<Record<string, UssdLimits>>;
  /** The gateways that are spoken with. Absent: all that Wasl knows. */
  readonly dialects?: readonly UssdDialect[];
}

/**
 * The USSD gateways: each dialect's own routes below `/<name>`, all behind the same door. A request we cannot read is
 * answered 400 (403 at the door, 413 when too large). Every mistake of a customer is answered with a page.
 */
export function ussdRoutes(options: UssdOptions): Hono {
  const { dialects = GATEWAYS, serviceCode, log } = options;
  const names = createNames(options.secrets);
  const app = new Hono();
  app.use(guard(options.door));
  app.use(bodyAtMost(BODY_MAX_BYTES, (c) => c.text('request too large\n', 413)));
  for (const dialect of dialects) {
    const routes = new Hono();
    const take: UssdGateway['take'] = (request, write) =>
      answer(request, write, dialect.name, names, options);
    dialect.routes(routes, { take, serviceCode, log });
    app.route(`/${dialect.name}`, routes);
  }
  return app;
}

async function answer(
  request: UssdRequest,
  write: (page: UssdPage) => Response,
  dialect: string,
  names: NameInput,
  options: UssdOptions,
): Promise<Response> {
  const why = implausible(request);
  if (why) return badRequest(why);
  const phone = readPhone(request.phoneNumber);
  if (!phone) return write(last(options, 'ussd.foreignNumber', options.language));
  const { session, answers, repeatKey } = request;
  const incoming: Incoming = {
    address: `ussd:${phone}`,
    origin: { kind: 'gateway', name: dialect },
    // Gateways use session ids again, and two gateways may use the same one.
    ...names(
      [dialect, phone, session, ...(repeatKey ?? [randomUUID()])],
      ['dialog', dialect, phone, session],
    ),
    inputs: answers.map(typed),
  };
  return write(await pageFor(incoming, dialect, options));
}

async function pageFor(incoming: Incoming, dialect: string, options: UssdOptions): Promise<UssdPage> {
  const { conversations, language, log } = options;
  const started = performance.now();
  try {
    const reply = await conversations.receive(incoming, DEADLINE_MS);
    const left = OUTCOME_BY_MS - (performance.now() - started);
    return show(reply.underway ? await conversations.settled(reply, left) : reply, dialect, options);
  } catch (error) {
    log.say('An error ended turns', { channel: 'ussd', gateway: dialect, ...thrown(error) });
    return show(conversations.fallback(incoming.address, language), dialect, options);
  }
}

/**
 * The page of a reply. The session ends where the customer has nothing more to answer. A last screen with an offer can
 * still be answered.
 */
function show(answer: Reply, dialect: string, { renderer, limits, outcomesBySms }: UssdOptions): UssdPage {
  const reply = answer.underway && outcomesBySms ? withSms(answer) : answer;
  const { text, page, pages } = pageOf(renderer, reply, limits?.[dialect]);
  return { text, ends: endsWith(reply) && page === pages - 1, step: reply.screen.key };
}

/** The reply that says how its customer will hear how the payment ended. */
function withSms(reply: Reply): Reply {
  return { ...reply, screen: { ...reply.screen, below: { key: 'ussd.outcomeBySms' } } };
}

function last({ renderer }: UssdOptions, key: SentenceKey, language: Language): UssdPage {
  const { text } = renderer.ussd({ key, expects: 'nothing' }, language, 0);
  return { text, ends: true, step: key };
}
