import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Conversations, Language, Reply } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { createDigest, type Digest } from '../digest.ts';
import { type Log, thrown } from '../log.ts';
import { africasTalking, readEnd } from './africas-talking.ts';
import { arkesel } from './arkesel.ts';
import type { UssdDialect, UssdPage, UssdTurn } from './dialect.ts';
import { type Door, guard } from './door.ts';

const DIALECTS: readonly UssdDialect[] = [africasTalking, arkesel];

/** Africa's Talking hangs up after 10,000 ms; what is left is for the network and the page itself. Aim: 3,000. */
const DEADLINE_MS = 8_000;
/** A request is a few hundred bytes; a session of 100 long answers is 30 kB. */
const BODY_MAX_BYTES = 64 * 1024;

export interface UssdOptions {
  readonly conversations: Conversations;
  readonly renderer: Pick<Renderer, 'ussd'>;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly door: Door;
  /** What customers dial, `*123#`. */
  readonly serviceCode: string;
  /** Spoken to a caller whom we cannot serve or find. */
  readonly language: Language;
  readonly log: Log;
}

/**
 * The USSD gateways: `POST /<dialect>` for each dialect, and Africa's Talking's end notification. A request we cannot
 * read is answered 400 (403 at the door, 413 when too large); everything a customer can cause is answered with a page.
 */
export function ussdRoutes(options: UssdOptions): Hono {
  const digest = createDigest(options.secrets);
  const app = new Hono();
  app.use(guard(options.door));
  app.use(bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (c) => c.text('request too large\n', 413) }));
  for (const dialect of DIALECTS) app.post(`/${dialect.name}`, (c) => answer(c, dialect, digest, options));
  app.post('/africastalking/end', async (c) => {
    const end = readEnd(await c.req.text());
    if (!end) return c.text('bad request: not an end notification\n', 400);
    options.log.info({ channel: 'ussd', ...end }, 'ussd session ended');
    return c.text('ok\n');
  });
  return app;
}

async function answer(
  c: Context,
  dialect: UssdDialect,
  digest: Digest,
  options: UssdOptions,
): Promise<Response> {
  const { serviceCode, language } = options;
  const reading = dialect.read(await c.req.text(), serviceCode, digest);
  if (reading.kind === 'malformed') return c.text(`bad request: ${reading.why}\n`, 400);
  const page =
    reading.kind === 'foreign'
      ? { ...last(options, 'ussd.foreignNumber', language), ...(reading.echo && { echo: reading.echo }) }
      : await take(reading.turn, dialect, digest, options);
  return dialect.write(page);
}

async function take(
  turn: UssdTurn,
  dialect: UssdDialect,
  digest: Digest,
  options: UssdOptions,
): Promise<UssdPage> {
  const { conversations, language, log } = options;
  const echo = turn.echo && { echo: turn.echo };
  const started = performance.now();
  const address = `ussd:${turn.phone}` as const;
  try {
    const reply = await conversations.receive(
      {
        address,
        id: turn.id,
        // Gateways use session ids again, and two gateways may use the same one.
        dialog: digest('dialog', dialect.name, turn.phone, turn.session),
        inputs: turn.inputs,
      },
      DEADLINE_MS,
    );
    const page = show(reply, options);
    const durationMs = Math.round(performance.now() - started);
    log.info(
      { channel: 'ussd', dialect: dialect.name, step: page.step, ends: page.ends, durationMs },
      'turn',
    );
    return { ...page, ...echo };
  } catch (error) {
    log.error({ channel: 'ussd', dialect: dialect.name, ...thrown(error) }, 'turn lost');
    return { ...show(conversations.fallback(address, language), options), ...echo };
  }
}

/** The page of a reply: what was missed stands first. The session ends where nothing more can be answered. */
function show(reply: Reply, { renderer }: UssdOptions): UssdPage {
  const missed = reply.missed.map((notice) => notice.screen);
  const { text, page, pages } = renderer.ussd(reply.screen, reply.language, reply.page, undefined, missed);
  const rests = reply.rests || reply.screen.expects === 'nothing';
  return { text, ends: rests && page === pages - 1, step: reply.screen.key };
}

function last({ renderer }: UssdOptions, key: string, language: Language): UssdPage {
  const { text } = renderer.ussd({ key, expects: 'nothing' }, language, 0);
  return { text, ends: true, step: key };
}
