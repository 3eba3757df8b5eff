import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Address, Conversations, FilesInHand, TypedSecret } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { bodyAtMost, uploadAtMost } from '../../http/body-limit.ts';
import { parseJson } from '../../http/json.ts';
import { networkOf, networks, senderOf } from '../../http/network.ts';
import { sameOrigin } from '../../http/origin.ts';
import { pageHeaders } from '../../http/page-headers.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { WebPush } from '../../push/web-push.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { DOCUMENT_BODY_BYTES_MAX } from '../../wallet/file-types.ts';
import { createDigest, createInputIds } from '../digest.ts';
import type { ReadQr } from '../qr/decode.ts';
import { documentFile } from './documents.ts';
import { events } from './events.ts';
import { type Message, readMessage, readPhotoQuery } from './message.ts';
import { appFiles, CHAT_PAGE, chatPolicy, publicFiles } from './page.ts';
import { pageScreen } from './page-screen.ts';
import { createFiles, createPhotos, PHOTO_BYTES_MAX, type ReadFiles, type ReadPhoto } from './photos.ts';
import { type WalletPictures, walletPictures } from './pictures.ts';
import { plainRoutes } from './plain.ts';
import type { Streams } from './streams.ts';
import { type TurnDeps, turn } from './turn.ts';
import { createVisitor, type Visitor } from './visitor.ts';

const BODY_MAX_BYTES = 16 * 1024;
const SEEN_MAX = 100;

const seen = z.strictObject({ ids: z.array(z.string().min(1).max(100)).min(1).max(SEEN_MAX) });

export interface WebOptions {
  readonly conversations: Conversations;
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly streams: Streams;
  /** Notifies browsers whose customers want it of new messages. Absent: nobody is asked. */
  readonly webPush?: WebPush | undefined;
  readonly readQr: ReadQr;
  /** Served over https (by a proxy in front of us). */
  readonly secure: boolean;
  /** Origins whose pages may hold the chat in a frame. */
  readonly embedOrigins: readonly string[];
  /** The origin of the wallet's pictures: relative ones are found there, and only those of that origin are shown. */
  readonly walletUrl: string;
  /** Our own proxies, which are believed about `X-Forwarded-For`. */
  readonly proxies: readonly string[];
  readonly log: Log;
}

/**
 * The web chat:
 * - `GET /`: the page
 * - `/plain`: the same without JavaScript
 * - `POST /messages`: one input of the customer, answered with the next screen
 * - `POST /photos`: a picture of a QR code
 * - `POST /files`: the sides of a document that is asked for
 * - `GET /events`: the messages that Wasl sends on its own
 * - `POST /seen`: their acknowledgement
 * - `GET /documents/…`: a receipt
 * - `/push`: its notifications
 * - `POST /leave`: a fresh start for the next person at this browser
 */
export function webRoutes(options: WebOptions): Hono {
  const deps = depsOf(options);
  const app = new Hono();
  protect(app, options);
  app.get('/', (c) => openPage(c, deps));
  app.route('/plain', plainRoutes(deps));
  app.route('/public', publicFiles());
  app.route('/', appFiles());
  app.get('/events', (c) => known(deps, c, (address) => events(c, address, deps)));
  app.post('/messages', (c) => known(deps, c, (address) => takeMessage(c, address, deps)));
  app.post('/photos', (c) => known(deps, c, (address) => takePhoto(c, address, deps)));
  app.post('/files', (c) => known(deps, c, (address) => takeFiles(c, address, deps)));
  app.post('/seen', (c) => known(deps, c, (address) => takeSeen(c, address, deps)));
  app.get('/documents/:kind/:id', (c) =>
    known(deps, c, (address) => documentFile(c, address, deps.conversations)),
  );
  app.get('/pictures/:digest', (c) => known(deps, c, () => deps.pictures.file(c)));
  if (deps.webPush) app.route('/push', pushRoutes(deps.webPush, deps));
  app.post('/leave', (c) => leave(c, deps));
  return app;
}

/**
 * The customer whose browser opens a page that the chat leads to. Inside another site's page the chat's cookie stays
 * there, so a page in a tab of its own has none. Then the holder of the link counts as the person it was given to.
 */
export function webVisitor(
  secrets: WebOptions['secrets'],
  { secure, embedOrigins }: Pick<WebOptions, 'secure' | 'embedOrigins'>,
): ((c: Context) => Address | undefined) | undefined {
  if (embedOrigins.length > 0) return undefined;
  return createVisitor({ digest: createDigest(secrets), secure, embedded: false }).of;
}

interface WebDeps extends TurnDeps, Pick<WebOptions, 'streams' | 'webPush'> {
  readonly visitor: Visitor;
  readonly pictures: WalletPictures;
  readonly readPhoto: ReadPhoto;
  readonly readFiles: ReadFiles;
}

function depsOf(options: WebOptions): WebDeps {
  const { conversations, renderer, secrets, streams, webPush, secure, embedOrigins, walletUrl, log } =
    options;
  const proxies = networks(options.proxies);
  const visitor = createVisitor({ digest: createDigest(secrets), secure, embedded: embedOrigins.length > 0 });
  const pictures = walletPictures(walletUrl, secrets);
  return {
    conversations,
    streams,
    webPush,
    log,
    inputIds: createInputIds(secrets),
    readPhoto: createPhotos(options.readQr),
    readFiles: createFiles(),
    networkOf: (c) => networkOf(senderOf(c, proxies)) || undefined,
    visitor,
    pictures,
    show: (of) => pageScreen(renderer, pictures.at, of),
  };
}

/** The rules for every request: the page's policy, the allowed origin, the size limit, the answer to a failure. */
function protect(app: Hono, { embedOrigins, secure, log }: WebOptions): void {
  const headers = {
    strictTransportSecurity: secure,
    // The policy names the sites that may frame the chat. These two headers know only this host.
    ...(embedOrigins.length > 0 && { xFrameOptions: false, crossOriginResourcePolicy: false }),
  } as const;
  const policy = chatPolicy(embedOrigins);
  const scripted = pageHeaders(policy, headers);
  const plain = pageHeaders(
    { ...policy, scriptSrc: ["'none'"], formAction: ["'self'"] },
    // Or browsers would not name a form's origin.
    { ...headers, referrerPolicy: 'same-origin' },
  );
  app.use((c, next) => (/\/plain(?:\/|$)/.test(c.req.path) ? plain : scripted)(c, next));
  app.use(sameOrigin);
  const tooLarge = (c: Context) => c.json({ error: 'too large' }, 413);
  const small = bodyAtMost(BODY_MAX_BYTES, tooLarge);
  const [photo, files] = [PHOTO_BYTES_MAX, DOCUMENT_BODY_BYTES_MAX].map((max) => uploadAtMost(max, tooLarge));
  const limits = { photos: photo, files } as const;
  app.use((c, next) => (limits[c.req.path.split('/').at(-1) as keyof typeof limits] ?? small)(c, next));
  app.onError((error, c) => {
    log.say('An error ended turns', { channel: 'web', ...thrown(error) });
    return c.json({ error: 'unavailable' }, 503);
  });
}

/** For browsers that have our cookie only. */
function known(
  { visitor }: WebDeps,
  c: Context,
  then: (address: Address) => Promise<Response> | Response,
): Promise<Response> | Response {
  const address = visitor.of(c);
  return address ? then(address) : c.json({ error: 'no chat: open the page first' }, 401);
}

function openPage(c: Context, { visitor }: WebDeps): Response | Promise<Response> {
  visitor.welcome(c);
  return c.html(CHAT_PAGE);
}

async function takeMessage(c: Context, address: Address, deps: WebDeps): Promise<Response> {
  const message = readMessage(await json(c));
  return message ? take(c, address, message, deps) : c.json({ error: 'bad message' }, 400);
}

async function takePhoto(c: Context, address: Address, deps: WebDeps): Promise<Response> {
  const sent = readPhotoQuery(c.req.query());
  const input = sent && (await deps.readPhoto(c, address, deps.networkOf(c)));
  if (input === 'busy') return c.json({ error: 'busy' }, 503);
  return input ? take(c, address, { ...sent, input }, deps) : c.json({ error: 'bad photo' }, 400);
}

/** Files are read only where a screen asks for them, as any visitor with a cookie could send some. */
async function takeFiles(c: Context, address: Address, deps: WebDeps): Promise<Response> {
  const sent = readPhotoQuery(c.req.query());
  if (!sent || !c.req.header('content-type')?.startsWith('multipart/form-data'))
    return c.json({ error: 'bad files' }, 400);
  const photo = { ...sent, input: { type: 'photo' } } as const;
  // A store that is down is the turn's to tell of.
  const asked = await deps.conversations.asksFile(address).catch(() => undefined);
  if (asked !== 'now') return take(c, address, photo, deps);
  const files = await deps.readFiles(c, address, deps.networkOf(c));
  if (files === 'busy') return c.json({ error: 'busy' }, 503);
  return files ? take(c, address, photo, deps, files) : c.json({ error: 'bad files' }, 400);
}

/** Carries a message through its turn: the answer is the screen that follows. */
async function take(
  c: Context,
  address: Address,
  message: Message,
  deps: WebDeps,
  document?: FilesInHand,
): Promise<Response> {
  const onTyped = (secret: TypedSecret | undefined) => {
    if (secret) c.header('x-typed-secret', secret);
  };
  const turned = await turn(c, address, message, deps, { document, onTyped });
  // Said to a person: they answer when they have read it.
  if (turned.kind === 'toPerson') return c.body(null, 204);
  if (turned.kind === 'screen')
    return c.json({ ...turned.screen, ...(turned.reader !== undefined && { reader: turned.reader }) });
  // The page tries again, and says meanwhile what this process knows.
  const { text, direction } = turned.says;
  return c.json({ error: 'unavailable', says: { text, direction } }, 503);
}

async function takeSeen(c: Context, address: Address, { conversations }: WebDeps): Promise<Response> {
  const read = seen.safeParse(await json(c));
  if (!read.success) return c.json({ error: 'bad message' }, 400);
  await conversations.saw(address, read.data.ids);
  return c.body(null, 204);
}

/**
 * Gives the key that a browser subscribes with, takes its subscription, and forgets it. This needs a chat with a
 * wallet, as no other is ever notified. So invented visitors leave nothing in the store.
 */
function pushRoutes(webPush: WebPush, deps: WebDeps): Hono {
  return new Hono()
    .get('/', (c) => known(deps, c, async () => c.json({ key: await webPush.publicKey() })))
    .post('/', (c) =>
      known(deps, c, async (address) => {
        const isKept =
          (await deps.conversations.isLinked(address)) && (await webPush.subscribe(address, await json(c)));
        return isKept ? c.body(null, 204) : c.json({ error: 'bad subscription' }, 400);
      }),
    )
    .delete('/', (c) =>
      known(deps, c, async (address) => {
        await webPush.unsubscribe(address);
        return c.body(null, 204);
      }),
    );
}

async function leave(c: Context, { visitor, webPush }: WebDeps): Promise<Response> {
  const address = visitor.of(c);
  if (address) await webPush?.unsubscribe(address);
  visitor.renew(c);
  return c.body(null, 204);
}

/** The body as JSON. Undefined when it is none. Only `application/json` is read: no HTML form can send that. */
async function json(c: Context): Promise<unknown> {
  if (!c.req.header('content-type')?.startsWith('application/json')) return undefined;
  return parseJson(await c.req.text());
}
