import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import ar from '../../../locales/ar/simulator.json' with { type: 'json' };
import en from '../../../locales/en/simulator.json' with { type: 'json' };
import fr from '../../../locales/fr/simulator.json' with { type: 'json' };
import { type Conversations, LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { bodyAtMost } from '../../http/body-limit.ts';
import { files, pageWithLabels } from '../../http/files.ts';
import { parseJson } from '../../http/json.ts';
import { sameOrigin } from '../../http/origin.ts';
import { pageHeaders } from '../../http/page-headers.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { PlayedWallet } from '../doors.ts';
import type { Sms } from '../sms/simulator.ts';
import { chatPolicy } from '../web/page.ts';
import { demoPages } from './demo/pages.ts';
import { type BehindSources, createBehind } from './events-behind.ts';

const DIRECTORY = new URL('./public/', import.meta.url);
const PAGE = pageWithLabels(new URL('simulator.html', DIRECTORY), { fr, ar, en });
const FILES = [
  'simulator.css',
  'handset.css',
  'simulator.js',
  'handset.js',
  'phone.js',
  'septets.js',
  'faults.js',
  'behind.js',
  'behind.css',
  'tour.js',
  'bot-chat.js',
  'bot-message.js',
  'bot-chat.css',
  'sheet.js',
  'business-chat.css',
];
const DEADLINE_MS = 5_000;
const SMALL_BODY = bodyAtMost(1024);

const speaks = z.strictObject({
  phone: z.string(),
  language: z.enum(LANGUAGES as [Language, ...Language[]]),
});

const OVER_MAX = 2;
const startsOver = z.strictObject({ phones: z.array(z.string()).max(OVER_MAX) });
const wantsCash = z.strictObject({ phone: z.string(), id: z.int() });
const wantsFault = z.strictObject({ name: z.string(), times: z.enum(['once', 'always', 'off']) });

type Faults = Pick<PlayedWallet['faults'], 'names' | 'list' | 'set' | 'clear'>;
type Counter = PlayedWallet['counter'];

interface SimulatorOptions {
  readonly conversations: Conversations;
  /** Those whom the sandbox was seeded with. */
  readonly customers: PlayedWallet['customers'];
  /** Every SMS a number has received: ours and the wallet's own. */
  readonly inbox: (phone: Msisdn) => Promise<readonly Sms[]>;
  /** The code that the handset dials, `*123#`. */
  readonly serviceCode: string;
  /** The sandbox's page of events in the wallet. */
  readonly sandboxUrl: string;
  readonly balance?: PlayedWallet['balance'];
  /** The link into the support console, new each time. Absent: the page has none. */
  readonly console?: (() => string) | undefined;
  /**
   * Gives a seeded customer their PIN and money back, and gives the network of the request one more code for them.
   * @param c the request, which tells the network
   */
  readonly startOver?: (phone: Msisdn, c: Context) => Promise<void>;
  /** The counter that takes references for cash, as testers have no agent at hand. What is absent is not on the page. */
  readonly counter?: Counter;
  readonly faults?: Faults;
  /** By which the sandbox charges. */
  readonly tariffs?: PlayedWallet['tariffs'];
  readonly behind?: BehindSources;
  /** The routes of the views of both apps. A real bot has none. */
  readonly telegram?: Hono;
  readonly whatsapp?: Hono;
}

/**
 * The simulator: `GET /` is a page with a keypad phone, which speaks to `POST /ussd/africastalking` as the gateway
 * would, and a smartphone with the real chat of `/chat` and Telegram. It knows PINs and reads SMS, so it is mounted only where there is
 * no real wallet (no back door).
 */
export function simulatorRoutes(options: SimulatorOptions): Hono {
  const { faults, telegram, whatsapp, behind, counter, console, tariffs } = options;
  const app = new Hono();
  app.get('/', pageHeaders(chatPolicy([])), (c) => c.html(PAGE));
  app.route('/simulator/public', files(DIRECTORY, FILES));
  app.get('/simulator/start', (c) => start(c, options));
  app.get('/simulator/inbox', (c) => readInbox(c, options));
  app.get('/simulator/balance', (c) => readBalance(c, options));
  if (console) app.get('/simulator/console', (c) => c.redirect(console()));
  app.post('/simulator/language', sameOrigin, SMALL_BODY, (c) => chooseLanguage(c, options));
  app.post('/simulator/start-over', sameOrigin, SMALL_BODY, (c) => beginAgain(c, options));
  if (tariffs) app.route('/simulator', demoPages(tariffs));
  if (counter) app.route('/simulator/counter', counterRoutes(counter));
  if (behind) app.get('/simulator/behind', createBehind(behind));
  if (telegram) app.route('/simulator/telegram', telegram);
  if (whatsapp) app.route('/simulator/whatsapp', whatsapp);
  if (faults) app.route('/simulator/faults', faultRoutes(faults));
  return app;
}

/** `GET /simulator/start`: the data that the page begins with. */
async function start(c: Context, options: SimulatorOptions): Promise<Response> {
  const { customers, serviceCode, sandboxUrl, faults, telegram, whatsapp, behind, console } = options;
  return c.json({
    serviceCode,
    sandboxUrl,
    console: console !== undefined,
    customers: await customers(),
    faults: faults?.names ?? [],
    telegram: telegram !== undefined,
    whatsapp: whatsapp !== undefined,
    behind: behind !== undefined,
  });
}

async function readInbox(c: Context, { inbox }: SimulatorOptions): Promise<Response> {
  const phone = readPhone(c.req.query('phone') ?? '');
  return phone ? c.json(await inbox(phone)) : c.json({ error: 'not a mobile number' }, 400);
}

async function readBalance(c: Context, { balance }: SimulatorOptions): Promise<Response> {
  const phone = readPhone(c.req.query('phone') ?? '');
  if (!phone) return c.json({ error: 'not a mobile number' }, 400);
  return c.json({ balance: (await balance?.(phone)) ?? null });
}

/** `POST /simulator/language`: the page's language becomes that of the phone's sessions. */
async function chooseLanguage(c: Context, { conversations }: SimulatorOptions): Promise<Response> {
  const read = speaks.safeParse(parseJson(await c.req.text()));
  const phone = readPhone(read.data?.phone ?? '');
  if (!read.data || !phone) return c.json({ error: 'bad request' }, 400);
  const { language } = read.data;
  await conversations.receive(
    { address: `ussd:${phone}`, id: randomUUID(), inputs: [{ type: 'speaks', language }], language },
    DEADLINE_MS,
  );
  return c.body(null, 204);
}

/** `POST /simulator/start-over`: the owners of both phones are as they were at first, where the sandbox was seeded with them. */
async function beginAgain(c: Context, { customers, startOver }: SimulatorOptions): Promise<Response> {
  const read = startsOver.safeParse(parseJson(await c.req.text())).data;
  if (!read) return c.json({ error: 'bad request' }, 400);
  const seeded = (await customers()).filter(({ phone }) => read.phones.includes(phone));
  for (const { phone } of seeded) await startOver?.(phone, c);
  return c.body(null, 204);
}

/** `GET ?phone=` lists the open references, `POST` executes one of them. */
function counterRoutes(counter: Counter): Hono {
  return new Hono()
    .get('/', (c) => {
      const phone = readPhone(c.req.query('phone') ?? '');
      return phone ? c.json(counter.open(phone)) : c.json({ error: 'not a mobile number' }, 400);
    })
    .post('/', sameOrigin, SMALL_BODY, async (c) => {
      const read = wantsCash.safeParse(parseJson(await c.req.text())).data;
      const phone = readPhone(read?.phone ?? '');
      const isOpen = phone && counter.open(phone).some(({ id }) => id === read?.id);
      if (!read || !isOpen) return c.json({ error: 'bad request' }, 400);
      await counter.execute(read.id);
      return c.body(null, 204);
    });
}

/** One fault at a time: the page's new fault takes the place of the one before. */
function faultRoutes(faults: Faults): Hono {
  const app = new Hono();
  app.get('/', (c) => c.json(faults.list()));
  app.post('/', sameOrigin, SMALL_BODY, (c) => setFault(c, faults));
  return app;
}

async function setFault(c: Context, faults: Faults): Promise<Response> {
  const read = wantsFault.safeParse(parseJson(await c.req.text())).data;
  const name = faults.names.find((each) => each === read?.name);
  if (!read || !name) return c.json({ error: 'bad request' }, 400);
  const { times } = read;
  faults.clear();
  if (times !== 'off') faults.set({ name, operation: 'money', ...(times === 'once' && { count: 1 }) });
  return c.json(faults.list());
}
