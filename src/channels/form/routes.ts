import { randomBytes } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { CHANNEL_NAMES, CHANNELS, type ChannelName, channelOf } from '../../conversation/channel.ts';
import type { IsFirstOpener } from '../../conversation/first-opener.ts';
import type { Address, Conversations, Form, Language, Reply } from '../../conversation/incoming.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { saysLocked } from '../../conversation/session/current-screen.ts';
import { formLeftMs } from '../../conversation/session/form.ts';
import { bodyAtMost, uploadAtMost } from '../../http/body-limit.ts';
import { files, LOOK } from '../../http/files.ts';
import { multipartIn } from '../../http/multipart.ts';
import { networkOf, networks, senderOf } from '../../http/network.ts';
import { isForgeable } from '../../http/origin.ts';
import { OWN_FILES_ONLY, pageHeaders } from '../../http/page-headers.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { DOCUMENT_BODY_BYTES_MAX } from '../../wallet/file-types.ts';
import { createInputIds, type InputIds } from '../digest.ts';
import { browserLanguage } from '../web/browser-language.ts';
import { entryOf, type Wrong } from './entry.ts';
import { fieldOf, textIn } from './fields.ts';
import { give } from './give.ts';
import {
  backPage,
  endingPage,
  LABELS,
  type PageOf,
  questionPage,
  refusedPage,
  sentencePage,
  toBankPage,
} from './page.ts';
import { type PayOptions, showPay, takePay } from './pay.ts';
import { TABLE_BODY_BYTES_MAX } from './table.ts';

const OPENER_COOKIE = 'wasl-form';
/** A sentence that begins so says that all is well. The chat says it, too. */
const SUCCESS = '✅';
/** Kinds of forms that bring files, and how much one may send. */
const FILES_MAX_BYTES: Readonly<Record<string, number>> = {
  document: DOCUMENT_BODY_BYTES_MAX,
  csv: TABLE_BODY_BYTES_MAX,
};
/** A secret and what a chat says of a launch. */
const BODY_MAX_BYTES = 8 * 1024;

/** How a channel knows who has opened a form that it led to. Without any, who has the link is whom it was given to. */
export interface Opener {
  /** The customer of a browser, by the cookie that it sends with every request. */
  readonly browser?: ((c: Context) => Address | undefined) | undefined;
  /** The customer of a Mini App, by the data that the page found in its own fragment. They are known only once the form is sent. */
  readonly launch?: (launch: string) => Address | undefined;
  /** For a chat that cannot tell who opens its links: true for the browser that has opened this one first. */
  readonly isFirst?: IsFirstOpener;
  /** Origins whose pages may hold the form in a frame. */
  readonly framedBy?: readonly string[];
}

export interface FormOptions {
  readonly conversations: Pick<Conversations, 'form' | 'cameBack' | 'receive' | 'fallback'>;
  /** The links by which strangers pay a merchant. */
  readonly cardLinks: PayOptions['cardLinks'];
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  readonly openers: { readonly [Name in ChannelName]?: Opener | undefined };
  /** Served over https (by a proxy in front of us). */
  readonly secure: boolean;
  /** Our own proxies, which are believed about `X-Forwarded-For`. */
  readonly proxies: readonly string[];
  readonly log: Log;
  readonly now?: () => number;
}

/**
 * The one form for secrets. `GET /:token` shows the question of the screen that the token belongs to. `POST /:token`
 * answers that screen, as a keypad in the chat would: the secret is in the request and the call, and nowhere else. The
 * next screen is shown in the chat. If it asks for another secret, this form asks for it at once.
 */
export function formRoutes(options: FormOptions): Hono {
  const deps: FormDeps = {
    ...options,
    inputIds: createInputIds(options.secrets),
    trusted: networks(options.proxies),
  };
  const app = new Hono();
  app.onError((error, c) => {
    options.log.say('A request failed', { channel: 'form', ...thrown(error) });
    const language = browserLanguage(c);
    const screen = { key: 'nav.unavailable', expects: 'nothing' } as const;
    return c.html(sentencePage({ language }, options.renderer.chat(screen, language).text), 503);
  });
  app.route('/public', publicFiles());
  app.use('/back/*', pageHeaders(OWN_FILES_ONLY, { strictTransportSecurity: options.secure }));
  app.get('/back/:token/:how', (c) => showBack(c, deps));
  app.use(
    '/back/*',
    bodyAtMost(BODY_MAX_BYTES, (c) => c.text('too large\n', 413)),
  );
  app.post('/back/:token/notified', (c) => takeNotice(c, deps));
  // Some gateways have the payer's browser post the result.
  app.post('/back/:token/:how', (c) => showBack(c, deps));
  app.use('/pay/*', headers({ ...deps, openers: {} }));
  app.use(
    '/pay/*',
    bodyAtMost(BODY_MAX_BYTES, (c) => c.text('too large\n', 413)),
  );
  app.get('/pay/:link', (c) => showPay(c, deps));
  app.post('/pay/:link', (c) => takePay(c, deps));
  app.use('/:token', headers(deps));
  app.get('/:token', (c) => show(c, deps));
  const small = bodyAtMost(BODY_MAX_BYTES, (c) => c.text('too large\n', 413));
  const large = new Map(
    Object.entries(FILES_MAX_BYTES).map(([kind, max]) => [kind, uploadAtMost(max, (c) => tooLarge(c, deps))]),
  );
  // The kind in a token is bound to it, but this is checked only later. So a large body needs no token of ours.
  app.use('/:token', (c, next) => (large.get(kindOf(tokenIn(c))) ?? small)(c, next));
  app.post('/:token', (c) => take(c, deps));
  return app;
}

interface FormDeps extends FormOptions {
  readonly inputIds: InputIds;
  readonly trusted: ReturnType<typeof networks>;
}

function publicFiles(): Hono {
  return new Hono()
    .route('/', files(LOOK, ['palette.css', 'look.css', 'sheet.css', 'icon.svg']))
    .route('/', files(new URL('./public/', import.meta.url), ['form.css', 'form.js']));
}

/** Nobody's frame but of the pages that the form's channel is shown in. */
function headers({ openers, secure }: FormDeps): MiddlewareHandler {
  const policy = ({ framedBy = [] }: Opener = {}) =>
    pageHeaders(
      { ...OWN_FILES_ONLY, frameAncestors: framedBy.length > 0 ? [...framedBy] : ["'none'"] },
      {
        strictTransportSecurity: secure,
        // The address is a key: no other site reads it. Our own pages do, or browsers would not name a form's origin.
        referrerPolicy: 'same-origin',
        // These headers know no other host than ours: the policy names who may frame the page.
        xFrameOptions: framedBy.length > 0 ? false : 'DENY',
        ...(framedBy.length > 0 && { crossOriginResourcePolicy: false, crossOriginOpenerPolicy: false }),
      },
    );
  const closed = policy();
  const own = new Map(Object.entries(openers).map(([channel, opener]) => [channel, policy(opener)]));
  return (c, next) => (own.get(channelIn(c) ?? '') ?? closed)(c, next);
}

/** The kind in the token, read in the same way. */
function kindOf(token: string): string {
  return token.split('.')[1] ?? '';
}

/** The channel in the token. It is true for a token of ours, as it is bound to it. */
function channelIn(c: Context): ChannelName | undefined {
  const [channel] = tokenIn(c).split('.');
  return CHANNEL_NAMES.find((name) => name === channel);
}

/** `GET`: opening the form uses nothing up, however often a browser or a messenger fetches it. */
async function show(c: Context, deps: FormDeps): Promise<Response> {
  const form = await deps.conversations.form(tokenIn(c));
  if (!form) return gone(c, deps);
  if (!(await isTheirs(c, deps, form))) return notTheirs(c, deps, form);
  return ask(c, deps, form, { launch: '' });
}

/** `POST`: the secret goes to the screen that has asked for it. */
async function take(c: Context, deps: FormDeps): Promise<Response> {
  if (isForgeable(c)) return c.text('wrong origin\n', 403);
  if (!c.req.header('content-type')?.startsWith(enctypeOf(tokenIn(c)))) return c.text('not a form\n', 415);
  const form = await deps.conversations.form(tokenIn(c));
  if (!form) return gone(c, deps);
  const fields = await formData(c);
  const launch = textIn(fields, 'launch');
  if (!(await isTheirs(c, deps, form, launch))) return notTheirs(c, deps, form);
  const { now = Date.now } = deps;
  const isCancelled = fields.get('cancel') === 'yes';
  const answer = isCancelled
    ? ({ inputs: [{ type: 'went', to: 'cancel' }] } as const)
    : ((await entryOf(form.reply.screen)?.read(fields, now())) ?? { wrong: [] });
  if ('wrong' in answer) return ask(c, deps, form, { launch, ...answer });
  const network = networkOf(senderOf(c, deps.trusted));
  const origin = network && { origin: { kind: 'network', name: network } as const };
  const next = await give(deps, form, { ...answer, ...origin }, { page: 'form' });
  const page = pageOf(deps, form);
  if ('unavailable' in next) return c.html(sentencePage(page, next.unavailable), 503);
  if (next.stale || next.repeated) return gone(c, deps, form);
  if (isCancelled && !next.underway) return c.html(endingPage(page, 'cancelled'));
  const { form: token, screen } = next;
  if (screen.link !== undefined) return c.html(toBankPage(page, screen.link));
  const why = noticeOf(deps, next);
  if (token !== undefined) {
    // A notice above another question is news, and belongs to it.
    const isAgain = screen.expects === form.reply.screen.expects;
    return ask(c, deps, { address: form.address, reply: next }, { launch, token, ...(isAgain && { why }) });
  }
  const { text } = deps.renderer.chat(screen, next.language);
  // The third wrong PIN locks the wallet, and the screen itself says so.
  if (saysLocked(screen)) return c.html(refusedPage(page, text));
  if (why === undefined || why.startsWith(SUCCESS)) return c.html(endingPage(page, 'given'));
  // Of its last screen the conversation says all, which has also what became of the money.
  return c.html(refusedPage(page, screen.expects === 'nothing' ? text : why));
}

/** The conversation's notice above its next screen, such as that a PIN was wrong. */
function noticeOf({ renderer }: FormDeps, { screen: { notice }, language }: Reply): string | undefined {
  return notice && renderer.chat({ ...notice, expects: 'nothing' }, language).text;
}

/** `GET` or `POST /back/…`: a payer's browser comes back from their bank's page. It only has the payment looked at. */
async function showBack(c: Context, deps: FormDeps): Promise<Response> {
  // Only the code zero means success. Without a code, the address tells the result.
  const posted = c.req.method === 'POST' ? await c.req.parseBody().catch(() => undefined) : undefined;
  const code = posted?.RESPONSE_CODE ?? c.req.query('RESPONSE_CODE');
  const isDeclined = code === undefined ? c.req.param('how') === 'declined' : code !== '0';
  const back = await deps.conversations.cameBack(tokenIn(c), isDeclined);
  if (!back) return gone(c, deps);
  const payer = back.isOperator ? 'operator' : back.isStranger ? 'stranger' : 'customer';
  const language = payer === 'customer' ? back.language : browserLanguage(c);
  return c.html(backPage(pageIn(deps, back.channel, language), isDeclined, payer));
}

/** v2.3 does not show its body (open question 54): the parameters of the redirect, in `data` or at the root. */
const ENDED = z.object({ RESPONSE_CODE: z.union([z.string(), z.number()]).optional() });
const NOTICE = ENDED.extend({ data: ENDED.optional() });

/**
 * `POST /back/…/notified`: the wallet says that the transaction has ended, also where its customer has closed the bank's
 * page. Nobody signs it: it is a reason to look, and to look no longer than a moment.
 */
async function takeNotice(c: Context, { conversations }: FormDeps): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => undefined);
  const { data: notice, ...rest } = NOTICE.safeParse(body).data ?? {};
  const code = (notice ?? rest).RESPONSE_CODE;
  const back = await conversations.cameBack(tokenIn(c), code !== undefined && String(code) !== '0');
  return c.body(null, back ? 204 : 404);
}

/**
 * Data about the person who opened the form decide, where there are any. Data that come only with the sent form are
 * waited for.
 */
async function isTheirs(
  c: Context,
  { openers, secure }: FormDeps,
  { address }: Form,
  launch?: string,
): Promise<boolean> {
  const { browser, launch: launchedBy, isFirst } = openers[channelOf(address)] ?? {};
  if (browser && browser(c) !== address) return false;
  if (isFirst && !(await isFirst(tokenIn(c), browserOf(c, secure)))) return false;
  return !launchedBy || launch === undefined || launchedBy(launch) === address;
}

/** A name for the browser, which it keeps until it is closed. A form that leads to the next one is opened by the same. */
function browserOf(c: Context, secure: boolean): string {
  const known = getCookie(c, OPENER_COOKIE);
  if (known !== undefined && /^[\w-]{32}$/.test(known)) return known;
  const name = randomBytes(24).toString('base64url');
  setCookie(c, OPENER_COOKIE, name, { path: '/form', httpOnly: true, sameSite: 'Lax', secure });
  return name;
}

interface Asked extends Partial<Wrong> {
  readonly launch: string;
  /** Absent: the one in the page's own address. */
  readonly token?: string;
  /** Why the conversation asks again. */
  readonly why?: string | undefined;
}

function ask(
  c: Context,
  deps: FormDeps,
  form: Form,
  { token = tokenIn(c), launch, wrong, why }: Asked,
): Response | Promise<Response> {
  const { renderer, now = Date.now } = deps;
  const { screen, language } = form.reply;
  const labels = LABELS[language];
  const entry = entryOf(screen);
  if (!entry) return gone(c, deps, form);
  const { notice: _why, ...question } = screen;
  const page = questionPage({
    ...pageOf(deps, form),
    text: renderer.chat(why === undefined ? screen : question, language).text,
    // A secret's own field says why.
    ...(!fieldOf(screen) && { why }),
    fields: entry.fields(labels, wrong, why),
    hint: entry.hint(labels),
    enctype: enctypeOf(token),
    token,
    launch,
    leftMs: formLeftMs(token, now()),
  });
  return c.html(page, wrong ? 422 : 200);
}

/** Somebody has chosen a file that is far too large. Nothing of it was read, so nobody knows more of them than their browser says. */
async function tooLarge(c: Context, deps: FormDeps): Promise<Response> {
  const form = await deps.conversations.form(tokenIn(c));
  const isKnown = form !== undefined && (await isTheirs(c, deps, form));
  const of = isKnown ? pageOf(deps, form) : { language: browserLanguage(c) };
  const labels = LABELS[of.language];
  return c.html(
    sentencePage(
      of,
      `${labels.fileTooLarge} ${kindOf(tokenIn(c)) === 'csv' ? labels.tableFormat : labels.fileFormat}`,
    ),
    413,
  );
}

function gone(c: Context, deps: FormDeps, form?: Form): Response | Promise<Response> {
  const page = form ? pageOf(deps, form) : pageIn(deps, channelIn(c), browserLanguage(c));
  return c.html(endingPage(page, 'gone'), 410);
}

function notTheirs(c: Context, deps: FormDeps, form: Form): Response | Promise<Response> {
  return c.html(endingPage(pageOf(deps, form), 'notYours'), 403);
}

function pageOf(deps: FormDeps, { address, reply: { language } }: Form): PageOf {
  return pageIn(deps, channelOf(address), language);
}

/** A page that belongs to a channel. */
function pageIn(
  { openers }: Pick<FormDeps, 'openers'>,
  channel: ChannelName | undefined,
  language: Language,
): PageOf {
  if (channel === undefined) return { language };
  const isDialled = CHANNELS[channel].shows === 'pages';
  return { language, isDialled, isMiniApp: openers[channel]?.launch !== undefined };
}

/** How a page sends its fields. */
function enctypeOf(token: string): string {
  return kindOf(token) in FILES_MAX_BYTES ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
}

function tokenIn(c: Context): string {
  return c.req.param('token') ?? '';
}

/** The data of a page's form. Of files it reads no more than the request's own memory holds. */
async function formData(c: Context): Promise<FormData> {
  return kindOf(tokenIn(c)) in FILES_MAX_BYTES
    ? ((await multipartIn(c)) ?? new FormData())
    : c.req.formData();
}
