import type { Hono } from 'hono';
import type { Address, ChatAt, Conversations, Deliver, Language, Push } from '../../conversation/incoming.ts';
import type { ProviderInbox } from '../../conversation/provider-inbox.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Log } from '../../log/thrown.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { createInputIds } from '../digest.ts';
import { inOrder } from '../in-order.ts';
import { createPictures } from '../picture.ts';
import type { ReadQr } from '../qr/decode.ts';
import { delivering } from '../trouble.ts';
import { type ApiOptions, type CloudApi, createApi } from './api.ts';
import { flowRoutes, openFlow } from './flow.ts';
import { readMessage, readWebhook, type StatusCame } from './input.ts';
import { createSender, type Sender } from './show.ts';
import { templateOf } from './templates.ts';
import { troubleOf, troubleOfCode, whatsAppTroubles } from './trouble.ts';
import { createTurns, noteOf } from './turn.ts';
import { webhookRoutes } from './webhook.ts';
import { createScribe, type OpenForm, urlButton } from './write.ts';

export interface WhatsAppOptions extends ApiOptions {
  readonly appSecret: string;
  readonly verifyToken: string;
  /** The address of our forms, `https://…/form`. */
  readonly formAt: string;
  /** The origin of the wallet's pictures. Absent: none are shown but those that are drawn. */
  readonly walletUrl?: string | undefined;
  /** The Flow that takes secrets in place of the page. Absent: the page does. */
  readonly flow?: { readonly id: string; readonly privateKey: string } | undefined;
  /** Meta has approved our templates: they say what comes outside the 24 hours. */
  readonly templates?: boolean | undefined;
  readonly renderer: Pick<Renderer, 'chat' | 'shortLabels'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  readonly readQr: ReadQr;
  readonly inbox: ProviderInbox;
  readonly language: Language;
  readonly log: Log;
  readonly now?: () => number;
}

/** The WhatsApp channel: it delivers by itself, and `open` has it listen for an engine. */
export interface WhatsApp {
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  /** `GET` and `POST /webhook`, and `POST /flow` where there is a Flow, to be mounted at `/whatsapp`. */
  open(conversations: Conversations): Hono;
}

export function createWhatsApp(options: WhatsAppOptions): WhatsApp {
  const { renderer, formAt, now = Date.now, log } = options;
  const api = createApi(options);
  const byLink: OpenForm = ({ form, language }, text) =>
    urlButton(text, scribe.say('whatsapp.openForm', language), `${formAt}/${form}`);
  const openForm = options.flow
    ? openFlow(options.flow.id, ({ language }) => scribe.say('whatsapp.openForm', language), byLink)
    : byLink;
  const scribe = createScribe({ renderer, openForm });
  const sender = createSender(api, scribe, createPictures(options.walletUrl, now));
  return {
    deliver: deliverWhatsApp(
      sender,
      log,
      options.templates ? templated(sender, renderer) : async () => undefined,
    ),
    chatAt: chatsOf(api, sender),
    open: (conversations) => open({ ...options, now }, { api, sender }, conversations),
  };
}

function open(
  options: WhatsAppOptions & { readonly now: () => number },
  parts: { readonly api: CloudApi; readonly sender: Sender },
  conversations: Conversations,
): Hono {
  const { inbox, secrets, phoneId, log } = options;
  const inputIds = createInputIds(secrets);
  const takeTurn = createTurns({ ...options, ...parts, conversations, inputIds });
  inbox.works('whatsapp', async (from, body) => {
    const message = readMessage(body);
    if (message) await takeTurn(from, message);
  });
  const take = async (raw: string) => {
    const { messages = [], statuses = [] } = readWebhook(raw, phoneId) ?? {};
    let failed: { readonly error: unknown } | undefined;
    const fail = (error: unknown) => {
      failed = { error };
    };
    for (const status of statuses) await noteStatus(conversations, status, log).catch(fail);
    for (const { from, message } of messages) {
      const { id, timestamp: order } = message;
      await inbox.save(from, [{ id, order, body: JSON.stringify(message) }]).catch(fail);
    }
    // Meta brings all of it again, and the inbox knows what it has.
    if (failed) throw failed.error;
  };
  const routes = webhookRoutes({ ...options, take });
  const { flow } = options;
  return flow ? routes.route('/flow', flowRoutes({ ...options, ...flow, conversations, inputIds })) : routes;
}

/** Hands on what has become of a message that we have sent by ourselves. Of a reply its customer sees that themselves. */
async function noteStatus(
  conversations: Conversations,
  { name, about, status, code }: StatusCame,
  log: Log,
): Promise<void> {
  const trouble = code === undefined ? undefined : troubleOfCode(code, 400);
  // A request that was accepted is none that was refused.
  if (trouble?.kind === 'ours') whatsAppTroubles(log).report(trouble, 'message', undefined);
  if (about?.startsWith('whatsapp:')) await conversations.statusCame(about as Address, name, status);
}

/** Says a message outside the 24 hours. Undefined where it must not be said there. */
type SayClosed = (address: Address, push: Push) => Promise<string | undefined>;

function templated(sender: Sender, renderer: Pick<Renderer, 'chat'>): SayClosed {
  return async (address, push) => {
    const template = templateOf(push, renderer);
    return template && sender.send(address, template, address);
  };
}

/**
 * Delivers to `whatsapp:` addresses. The Cloud API only accepts a message: its status comes later. Too many messages to one
 * person wait.
 */
function deliverWhatsApp(sender: Sender, log: Log, sayClosed: SayClosed): Deliver {
  return delivering(whatsAppTroubles(log), async (address, push) => {
    if (push.isClosed) {
      const as = await sayClosed(address, push);
      return as === undefined ? 'held' : { status: 'accepted', ...(as && { as }) };
    }
    const as = await sender.show(address, push, { about: address });
    const { screenId } = push;
    return {
      status: 'accepted',
      ...(as && { as }),
      ...(screenId !== undefined && { view: noteOf(screenId) }),
    };
  });
}

function chatsOf(api: CloudApi, sender: Sender): ChatAt {
  return (address) => ({
    inOrder: (work) => inOrder(address, work),
    showTyping: () => sender.showTyping(address),
    async sendFile({ screen: { document }, language }, file) {
      if (document) await sender.sendFile(address, document, language, file).catch(troubleOf);
    },
    fetchFile: (file) => api.download(file),
    // The customer's own messages stay on their phone, whatever we do.
    eraseFiles: async () => false,
  });
}
