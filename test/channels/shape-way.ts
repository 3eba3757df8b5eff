import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createSmpp, type Smpp } from '../../src/channels/smpp/open.ts';
import { type BindSettings, readBind } from '../../src/channels/smpp/settings.ts';
import type { UssdGateway, UssdPage, UssdRequest } from '../../src/channels/ussd/dialect.ts';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import { createTake } from '../../src/channels/ussd/take.ts';
import type { Address, Incoming, Input, Reply } from '../../src/conversation/incoming.ts';
import { OWN } from '../../src/conversation/lease.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Way } from '../kit/customer.ts';
import { engineNow } from '../kit/engine-now.ts';
import { fitting } from '../kit/engine-way.ts';
import { ussdShapeOfTest } from '../kit/rotation.ts';
import type { World } from '../kit/world.ts';
import { fakeLog } from './fakes.ts';
import { DIALECTS, HANDSETS, type Handset } from './handsets.ts';
import { type Smsc, startSmsc, typedAt } from './smpp/smsc.ts';

const PATIENCE_MS = 15_000;
/** No session lasts longer, on any gateway. */
const SESSION_MS = 180_000;
const CHANNEL = { secrets: [], addresses: [], proxies: [] };

/** The last request of a phone as the engine got it, and its answer. */
interface Last {
  incoming?: Incoming;
  reply?: Reply;
}

/** The engine of a world, whichever process runs it now, and what it has answered last to a phone. */
function listeningTo(world: World, waits: { ms: number }) {
  const last: Last = {};
  const conversations = engineNow(() => world.engine, {
    async receive(incoming) {
      last.incoming = incoming;
      last.reply = await world.engine.receive(incoming, waits.ms);
      return last.reply;
    },
    async settled(reply, withinMs) {
      last.reply = await world.engine.settled(reply, withinMs);
      return last.reply;
    },
  });
  return { conversations, last };
}

/** The handset sends what was typed, and gives the page that it then shows. */
type Send = (session: string, answers: readonly string[], isDial: boolean) => Promise<Shown>;
/** `ends`: the gateway ends its session with this page. */
interface Shown {
  readonly text: string;
  readonly ends?: boolean;
}

/** A phone behind this gateway. What it shows is compared with the screen that the engine has answered. */
export function shapeWay(world: World, phone: Msisdn, shape: string): Way {
  return shape === 'smpp' ? smppWay(world, phone) : httpWay(world, phone, shape);
}

function httpWay(world: World, phone: Msisdn, shape: string): Way {
  const handset = HANDSETS.find(({ name }) => name === shape) as Handset;
  const waits = { ms: PATIENCE_MS };
  const { conversations, last } = listeningTo(world, waits);
  const { renderer, secrets } = world;
  const app = ussdRoutes({
    ...{ conversations, renderer, secrets, dialects: DIALECTS, log: fakeLog().log },
    ...{ door: () => CHANNEL, serviceCode: '*123#', language: 'fr' },
  });
  const send: Send = async (session, answers, isDial) => {
    const turn = { phone, session, answers, deep: isDial };
    return handset.read(await app.request(handset.path(turn), handset.request(turn)), turn);
  };
  return wayOf(world, phone, {
    ...{ send, last, waits },
    ...{ joins: handset.joinsAnswers, hidesRepeats: !handset.tellsRepeats },
  });
}

/** The way of a phone in a machine's transcript. Undefined: it speaks with the engine. */
export function shapeWayOfTest(world: World, phone: Msisdn): Way | undefined {
  const shape = ussdShapeOfTest();
  return shape === undefined ? undefined : shapeWay(world, phone, shape);
}

/** Wasl's own end of SMPP. It brings each dialogue to the engine of its phone. */
export async function boundTo(smsc: Smsc): Promise<Smpp> {
  const settings = readBind(`smpp://wasl:pass@127.0.0.1:${smsc.port}?for=ussd&window=100`) as BindSettings;
  const { log } = fakeLog();
  const smpp = createSmpp({ binds: [settings], lease: () => OWN, log });
  const take: UssdGateway['take'] = async (request) => (await takes.get(keyOf(request))?.(request)) ?? NOBODY;
  smpp.open({
    ussd: { take, serviceCode: '*123#', log },
    ...{ sms: async () => {}, receipt: async () => {} },
  });
  await smsc.next('bind');
  return smpp;
}

/** The engines behind the dialogues of the world that plays now. */
const takes = new Map<string, UssdGateway['take']>();
let playing: World | undefined;
const NOBODY: UssdPage = { text: '', body: '', choices: [], asks: 'nothing', ends: true, step: 'over' };
const keyOf = ({ phoneNumber, session }: Pick<UssdRequest, 'phoneNumber' | 'session'>) =>
  `${phoneNumber} ${session}`;

/** One SMSC and one bind for all transcripts of a worker: they end with its process. */
let shared: Promise<Smsc> | undefined;
function sharedSmsc(): Promise<Smsc> {
  shared ??= startSmsc().then(async (smsc) => {
    await boundTo(smsc);
    return smsc;
  });
  return shared;
}

/** A phone behind an SMSC. Of an SMSC's repeats only those of one that counts can be known. */
export function smppWay(world: World, phone: Msisdn, smsc: () => Promise<Smsc> = sharedSmsc): Way {
  const waits = { ms: PATIENCE_MS };
  const { conversations, last } = listeningTo(world, waits);
  const { renderer, secrets } = world;
  const take = createTake({ conversations, renderer, secrets, language: 'fr', log: fakeLog().log });
  const number = phone.slice(1);
  const send: Send = async (session, answers, isDial) => {
    const at = await smsc();
    if (playing !== world) {
      playing = world;
      takes.clear();
      at.forget();
    }
    const info = session.slice(0, 4);
    const key = keyOf({ phoneNumber: number, session: String(Number.parseInt(info, 16)) });
    takes.set(key, (request) => take(request, 'smpp'));
    const text = isDial ? `*123${answers.map((each) => `*${each}`).join('')}#` : (answers.at(-1) ?? '');
    return { text: await typedAt(at, { number, info, text, isDial }) };
  };
  return wayOf(world, phone, { send, last, waits, hidesRepeats: true });
}

interface Wiring {
  readonly send: Send;
  readonly last: Last;
  readonly waits: { ms: number };
  /** A repeated request cannot be told from a new one: the transcript stands for a gateway that tells it. */
  readonly hidesRepeats?: boolean;
  /** All answers of a session come in one text. */
  readonly joins?: true | undefined;
}

function wayOf(world: World, phone: Msisdn, { send, last, waits, joins, hidesRepeats }: Wiring): Way {
  const address: Address = `ussd:${phone}`;
  let session = '';
  let answers: string[] = [];
  let stands: (() => Promise<void>) | undefined;
  let over = 0;
  const shows = async (isDial: boolean) => {
    const { text, ends = false } = await send(session, answers, isDial);
    over = ends ? 0 : world.clock.now() + SESSION_MS;
    if (!last.reply) throw new Error('nothing came to the engine');
    // A page that waits for an outcome also says how it comes, and so has other words above.
    if (last.reply.underway) return;
    // A gateway may write choices in its own way: the words above them are the same.
    const shown = pageOf(world.renderer, last.reply);
    expect(words(text)).toContain(words(shown.parts().body).slice(0, 30));
  };
  return {
    channel: 'ussd',
    address,
    async does(inputs, dialog) {
      const typed = inputs.map(typedAs);
      const isDial = dialog !== undefined && dialog !== session;
      if (typed.includes(undefined) || (joins && (stands || world.clock.now() > over) && !isDial)) {
        // No handset sends this: the transcript stands for another way in. Joined answers go on with the next dial, also
        // where their session has ended.
        const id = randomUUID();
        stands = async () => {
          last.reply = await world.engine.receive({ address, id, inputs }, waits.ms);
        };
        return stands();
      }
      stands = undefined;
      if (isDial) answers = [];
      session = dialog ?? (session || randomUUID());
      answers.push(...typed.filter((each) => each !== undefined));
      await shows(isDial || answers.length === 0);
    },
    async repeats() {
      if (stands) return stands();
      if (!hidesRepeats || !last.incoming) return shows(answers.length === 0);
      last.reply = await world.engine.receive(last.incoming, waits.ms);
    },
    reply: () => last.reply,
    waits: (ms) => {
      waits.ms = ms;
    },
    waiting: () => world.engine.waiting(address),
    saw: async () => {},
    ...fitting(world, 'ussd'),
  };
}

function typedAs(input: Input): string | undefined {
  if (input.type === 'said') return input.text;
  return input.type === 'went' ? (input.typed ?? TYPED[input.to]) : undefined;
}

/** Help is typed where choices are. A question for text reads 99 as an answer. */
const TYPED: Readonly<Record<string, string>> = { back: '0', menu: '00', more: '98' };

function words(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
