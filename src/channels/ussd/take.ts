import { randomUUID } from 'node:crypto';
import { nameOf } from '../../conversation/channel.ts';
import type {
  AnswerComes,
  Conversations,
  Incoming,
  Language,
  Reply,
  SentenceKey,
} from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { UssdLimits } from '../../screen/pages.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { readPhone } from '../../wallet/phone.ts';
import { createInputIds, type InputIds } from '../digest.ts';
import { implausible, typed, type UssdEnd, type UssdPage, type UssdRequest } from './dialect.ts';
import { endsWith, pageOf } from './page.ts';

/** Africa's Talking hangs up after 10,000 ms. The rest is for the network and the page itself. Aim: 3,000. */
const DEADLINE_MS = 8_000;
/** A page that waits for an outcome goes out a second before the gateway hangs up. */
const OUTCOME_BY_MS = 9_000;

export interface TakeOptions {
  readonly conversations: Conversations;
  readonly renderer: Pick<Renderer, 'ussd'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  /** Spoken to a caller whom we cannot serve or find. */
  readonly language: Language;
  readonly log: Log;
  /** How much a page holds at a gateway, by its name. Absent: the careful default. */
  readonly limits?: Readonly<Record<string, UssdLimits>>;
}

/** `UssdGateway.take` of each gateway, by its name. It knows no HTTP, so a gateway may bring requests in any way. */
export function createTake(
  options: TakeOptions,
): (request: UssdRequest | UssdEnd, gateway: string) => Promise<UssdPage> {
  const inputIds = createInputIds(options.secrets);
  return (request, gateway) => take(request, gateway, inputIds, options);
}

/** Nothing to show, and nothing more to come. */
const EMPTY_PAGE: UssdPage = { text: '', body: '', choices: [], asks: 'nothing', ends: true, step: 'over' };

async function take(
  request: UssdRequest | UssdEnd,
  gateway: string,
  inputIds: InputIds,
  options: TakeOptions,
): Promise<UssdPage> {
  const isOver = 'over' in request;
  const refused = implausible(isOver ? { ...request, answers: [] } : request);
  if (refused !== undefined) return { ...EMPTY_PAGE, refused };
  const phone = readPhone(request.phoneNumber);
  if (!phone) return isOver ? EMPTY_PAGE : closingPage(options, 'ussd.foreignNumber', options.language);
  const { session } = request;
  const repeatKey = isOver ? ['over'] : (request.repeatKey ?? [randomUUID()]);
  const incoming: Incoming = {
    address: `ussd:${phone}`,
    origin: { kind: 'gateway', name: gateway },
    // Gateways use session ids again, and two gateways may use the same one.
    ...inputIds([gateway, phone, session, ...repeatKey], ['dialog', gateway, phone, session]),
    inputs: isOver ? [] : request.answers.map(typed),
  };
  if (!isOver) return pageFor(incoming, gateway, options);
  await options.conversations
    .left({ ...incoming, ...(request.unseen && { unseen: true }), ...(request.shown && { shown: true }) })
    .catch((error) => {
      options.log.say('An error ended turns', { channel: 'ussd', gateway, ...thrown(error) });
    });
  return EMPTY_PAGE;
}

async function pageFor(incoming: Incoming, gateway: string, options: TakeOptions): Promise<UssdPage> {
  const { conversations, language, log } = options;
  const started = performance.now();
  try {
    const reply = await conversations.receive(incoming, DEADLINE_MS);
    const left = OUTCOME_BY_MS - (performance.now() - started);
    const latest = reply.underway ? await conversations.settled(reply, left) : reply;
    return show(await withAnswerWay(latest, conversations, hasOnePage(gateway, options)), gateway, options);
  } catch (error) {
    log.say('An error ended turns', { channel: 'ussd', gateway, ...thrown(error) });
    return show(conversations.fallback(incoming.address, language), gateway, options);
  }
}

/**
 * The page of a reply. The session ends where the customer has nothing more to answer. A last screen with an offer can
 * still be answered.
 */
function show(reply: Reply, gateway: string, { renderer, limits }: TakeOptions): UssdPage {
  const { text, parts, page, pages } = pageOf(renderer, reply, limits?.[gateway]);
  const ends = endsWith(reply) && page === pages - 1;
  const { body, choices } = parts();
  return {
    ...{ text, body, ends, step: reply.screen.key },
    choices: choices.map(asChoice),
    asks: ends ? 'nothing' : reply.screen.expects,
  };
}

/** Tells whether all of a reply is one page at this gateway. */
function hasOnePage(gateway: string, { renderer, limits }: TakeOptions): (reply: Reply) => boolean {
  return (reply) => pageOf(renderer, reply, limits?.[gateway]).pages === 1;
}

/**
 * A reply that waits for an outcome says how its customer will read it, where one page holds that too. Another page would keep the
 * session open for nothing.
 */
async function withAnswerWay(
  reply: Reply,
  conversations: Pick<Conversations, 'answerComes'>,
  isOnePage: (reply: Reply) => boolean,
): Promise<Reply> {
  const comes = reply.underway && (await conversations.answerComes(reply));
  const key = comes && SAYS_WAY[comes.way];
  if (!comes || !key) return reply;
  const values = comes.channel && { channel: { text: nameOf(comes.channel) } };
  const said = { ...reply, screen: { ...reply.screen, below: { key, ...(values && { values }) } } };
  return isOnePage(said) ? said : reply;
}

/** Nothing is said where the answer comes in the very place. */
const SAYS_WAY: Readonly<Partial<Record<AnswerComes['way'], SentenceKey>>> = {
  sms: 'ussd.outcomeBySms',
  chat: 'ussd.outcomeInChat',
  dial: 'ussd.outcomeAtDial',
};

function closingPage({ renderer }: TakeOptions, key: SentenceKey, language: Language): UssdPage {
  const { text } = renderer.ussd({ key, expects: 'nothing' }, language, 0);
  return { ...EMPTY_PAGE, text, body: text, step: key };
}

/** `1 Solde` as an answer and its label. */
function asChoice(line: string): UssdPage['choices'][number] {
  const [answer = '', ...label] = line.split(' ');
  return { answer, label: label.join(' ') };
}
