import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import { type ChannelName, channelOf, ownAddress, ownWallet } from '../conversation/channel.ts';
import type { SendCode } from '../conversation/effects/effect.ts';
import type { Engine } from '../conversation/engine.ts';
import type { EngineOptions } from '../conversation/engine-options.ts';
import type { Address, ChatAt, Deliver, Push } from '../conversation/incoming.ts';
import { leased } from '../conversation/lease.ts';
import { createProviderInbox, type ProviderInbox } from '../conversation/provider-inbox.ts';
import { paced } from '../conversation/sender-pace.ts';
import type { Served } from '../conversation/served.ts';
import { createSmsStops } from '../conversation/sms-stops.ts';
import { open as openPush } from '../push/open.ts';
import type { WebPush } from '../push/web-push.ts';
import type { Renderer } from '../screen/renderer.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { type ChannelParts, doorsOf, type PlayedWallet } from './doors.ts';
import { createQrReader } from './qr/decode.ts';
import { receiptFile } from './receipt-file.ts';
import { simulateTelegram } from './simulator/telegram.ts';
import { simulateWhatsApp } from './simulator/whatsapp.ts';
import { SMPP } from './smpp/dialects.ts';
import type { Smpp } from './smpp/open.ts';
import { africasTalkingSms } from './sms/africas-talking.ts';
import { createHttpSms } from './sms/http.ts';
import { answerSms } from './sms/incoming.ts';
import type { SmsEvents } from './sms/routes.ts';
import { createSmsInbox } from './sms/simulator.ts';
import type { SmsSender } from './sms/sms.ts';
import { createSpend } from './sms/spend.ts';
import { deliverUssd } from './ussd/deliver.ts';
import type { UssdGateway } from './ussd/dialect.ts';
import { pageOf } from './ussd/page.ts';
import { createTake } from './ussd/take.ts';
import { notifyOf } from './web/notifications.ts';
import { createStreams, deliverWeb, type Elsewhere } from './web/streams.ts';
import { createWhatsApp } from './whatsapp/whatsapp.ts';

/** How the channels show screens, and which messages they send by SMS. */
type ScreenSettings = 'noSms' | 'smsFor' | 'smsReceipts' | 'pagesOf' | 'drawReceipt' | 'identityPage';

/** The channels, before they have an engine: how each delivers, and the facts that the engine needs of them. */
interface Channels {
  readonly serves: Pick<EngineOptions, 'deliver' | 'chatAt' | 'sendCode'>;
  readonly screens: Pick<Served, ScreenSettings>;
  readonly inbox: ProviderInbox;
  open(engine: Engine): OpenChannels;
}

interface OpenChannels {
  doors(console?: () => string): readonly (readonly [path: string, routes: Hono])[];
  /** Begins to fetch what no request brings. @param url where the process is reached, if nothing else is configured */
  start(url: string): void;
  /** Ends the streams, which no request may wait for. */
  closeStreams(): void;
  close(): Promise<unknown>;
}

/** @param sandbox the wallet, where it is the one that Wasl brings along */
export async function open(
  config: Config,
  base: Base,
  { walletUrl, sandbox }: { readonly walletUrl: string; readonly sandbox: PlayedWallet | undefined },
): Promise<Channels> {
  const { store, secrets, renderer, failures, background, budgets, log, formAt } = base;
  const smsInbox = createSmsInbox();
  const smpp = await loadSmpp(config, base);
  const smsProvider = smsProviderOf(config);
  const secret = config.SMS_HTTP_SECRET ?? config.SMS_AT_API_KEY;
  const overHttp = smsProvider && createHttpSms({ provider: smsProvider, secret, log });
  const sms = smpp?.send ?? (sandbox ? smsInbox.send : overHttp);
  const streams = createStreams(throughStore(store), failures.onError);
  // One for all channels: pictures are decoded one after the other.
  const readQr = createQrReader();
  const inbox = createProviderInbox({ store, secrets, background, now: Date.now });
  const apps = await openApps(config, base, { walletUrl, readQr, inbox, isPlayed: sandbox !== undefined });
  const webPush = openPush(config, base);
  const paid = paidBySms(config, sms === undefined);
  const outcomes = sms && counted(sms, budgets, background);
  const spend = createSpend(budgets, paid, createSmsStops(store, secrets));
  const { deliver, chatAt } = byChannel({
    ussd: { deliver: deliverUssd({ sms: outcomes, renderer, formAt, spend }), chatAt: 'none' },
    web: { deliver: deliverWeb(streams, webPush && notifying(webPush, background)), chatAt: 'none' },
    telegram: apps.telegram ?? apps.played,
    whatsapp: apps.whatsapp ?? apps.playedWhatsApp,
  });
  const pages = pagesOf(config, sandbox);
  const parts = { ...apps, walletUrl, sandbox, smsInbox, streams, readQr, webPush, inbox, sms, smsProvider };
  return {
    serves: {
      deliver: base.measured.deliver(paced(deliver, { store })),
      chatAt,
      sendCode: codeSender(renderer, sms),
    },
    screens: {
      ...paid,
      pagesOf: (reply, origin) => pageOf(renderer, reply, config.USSD_PAGES[origin?.name ?? '']),
      drawReceipt: receiptFile(renderer),
      identityPage: () => (pages.ofProvider && pages.at ? `${pages.at}/identity` : undefined),
    },
    inbox,
    open: (engine) => openFor(engine, config, base, { ...parts, smpp, pages }),
  };
}

/** The chat apps: those of the operator's accounts. Beside a played wallet the simulator page plays the others. */
async function openApps(
  config: Config,
  { renderer, secrets, formAt, log }: Base,
  {
    isPlayed,
    ...parts
  }: Pick<ChannelParts, 'walletUrl' | 'readQr'> & {
    readonly inbox: ProviderInbox;
    readonly isPlayed: boolean;
  },
) {
  const { whatsapp: account, TELEGRAM_BOT_TOKEN: token, LANGUAGE: language, CHANNELS: channels } = config;
  const { TELEGRAM_API_ROOT: apiRoot, PUBLIC_URL: publicUrl } = config;
  const spoken = { ...parts, renderer, secrets, language, log };
  const whatsapp =
    account && channels.includes('whatsapp')
      ? createWhatsApp({ ...spoken, ...account, formAt: formAt ?? '' })
      : undefined;
  // grammY would slow down every other start. Telegram opens no page that is not served over https.
  const telegram =
    token && channels.includes('telegram')
      ? (await import('./telegram/telegram.ts')).createTelegram({
          ...{ ...spoken, token, apiRoot, publicUrl },
          formAt: publicUrl?.startsWith('https:') ? formAt : undefined,
        })
      : undefined;
  return {
    telegram,
    whatsapp,
    played: isPlayed && !telegram ? simulateTelegram({ ...spoken, formAt }) : undefined,
    playedWhatsApp:
      isPlayed && !whatsapp && formAt !== undefined ? simulateWhatsApp({ ...spoken, formAt }) : undefined,
  };
}

/** The channels with the engine that they bring inputs to. */
function openFor(
  engine: Engine,
  config: Config,
  base: Base,
  {
    telegram,
    whatsapp,
    smpp,
    pages,
    inbox,
    sms,
    ...rest
  }: Omit<ChannelParts, 'bot' | 'whatsappRoutes' | 'providerPage' | 'smsEvents'> &
    Pick<Awaited<ReturnType<typeof openApps>>, 'telegram' | 'whatsapp'> & {
      readonly inbox: ProviderInbox;
      readonly sms: SmsSender | undefined;
      readonly smpp: Smpp | undefined;
      readonly pages: ReturnType<typeof pagesOf>;
    },
): OpenChannels {
  // A worker works what a process with doors has stored and left behind.
  const [opened, whatsappRoutes] = [telegram?.open(engine), whatsapp?.open(engine)];
  const bot = config.ROLES.includes('doors') ? opened : undefined;
  const smsEvents = smsEventsOf(config, base, engine, { inbox, sms });
  const parts = { ...rest, smsEvents };
  return {
    doors: (console) =>
      doorsOf(config, base, engine, {
        ...{ ...parts, bot, whatsappRoutes, console },
        providerPage: pages.ofProvider,
      }),
    start(url) {
      pages.at ??= url;
      bot?.start();
      smpp?.open({ ussd: ussdGatewayOf(config, base, engine), ...smsEvents });
    },
    closeStreams: () => parts.streams.close(),
    close: () => Promise.all([bot?.close(), smpp?.close(), parts.played?.close()]),
  };
}

/** The pages that our links lead to: their public address, and the operator's page around the identity provider's SDK. */
function pagesOf(
  { PUBLIC_URL: publicUrl, IDENTITY_PAGE: configured }: Config,
  sandbox: PlayedWallet | undefined,
): { at: string | undefined; readonly ofProvider: string | undefined } {
  return { at: publicUrl?.replace(/\/$/, ''), ofProvider: configured ?? sandbox?.identityPage };
}

/** SMPP, loaded only where there is a bind. A process binds for what it does: USSD comes to doors, and any process sends SMS. */
async function loadSmpp(config: Config, { store, log }: Base): Promise<Smpp | undefined> {
  const { ROLES: roles, CHANNELS: channels } = config;
  const hasUssd = roles.includes('doors') && channels.includes('ussd');
  const isAtWork = roles.includes('doors') || roles.includes('worker');
  const binds = config.SMPP_BINDS.filter(({ use }) => hasUssd || (isAtWork && use.sms));
  if (binds.length === 0) return undefined;
  const { createSmpp } = await import('./smpp/open.ts');
  return createSmpp({ binds, lease: (name) => leased(store, name), log });
}

/** USSD over SMPP. */
function ussdGatewayOf(config: Config, { renderer, secrets, log }: Base, engine: Engine): UssdGateway {
  const { LANGUAGE: language, USSD_CODE: serviceCode, USSD_PAGES: limits } = config;
  const take = createTake({ conversations: engine, renderer, secrets, language, limits, log });
  return { take: (request) => take(request, SMPP), serviceCode, log };
}

/** How processes on one store tell each other what waits for a chat: any partition will do, and that of its address spreads them. */
function throughStore(store: Store): Elsewhere {
  return { tell: (address, name) => store.tell(partitionOf(address), name), listen: store.listen };
}

function notifying(webPush: WebPush, background: Base['background']) {
  const notifyBrowser = notifyOf(webPush);
  return (address: Address, push: Push) =>
    background.add(notifyBrowser(address, push), 'A notification of a browser failed');
}

function paidBySms(
  { SMS_FOR, SMS_RECEIPTS: smsReceipts }: Config,
  noSms: boolean,
): Pick<Served, 'noSms' | 'smsFor' | 'smsReceipts'> {
  const smsFor = [...SMS_FOR, ...(smsReceipts.length > 0 ? (['receipt'] as const) : [])];
  return { noSms, smsFor, smsReceipts };
}

function smsProviderOf({ SMS_HTTP: provider, SMS_AT_USERNAME: username, SMS_AT_SENDER: from }: Config) {
  return provider ?? (username ? africasTalkingSms({ username, from }) : undefined);
}

/** Keeps what comes by SMS, whichever way it came, until it is worked. */
export function smsEventsOf(
  { USSD_CODE: serviceCode }: Pick<Config, 'USSD_CODE'>,
  { store, secrets, budgets, renderer }: Pick<Base, 'store' | 'secrets' | 'budgets' | 'renderer'>,
  engine: Pick<Engine, 'statusCame'>,
  { inbox, sms }: { readonly inbox: ProviderInbox; readonly sms: SmsSender | undefined },
): SmsEvents {
  const stops = createSmsStops(store, secrets);
  const keep = (number: Parameters<typeof ownAddress>[0], id: string, kept: z.input<typeof keptSms>) =>
    inbox.save(ownAddress(number), [{ id, order: Date.now(), body: JSON.stringify(kept) }]);
  inbox.works('ussd', async (address, body) => {
    const { text, receipt } = keptSms.parse(JSON.parse(body));
    const number = ownWallet(address);
    if (receipt) await engine.statusCame(address, receipt.id, receipt.status);
    if (number && text !== undefined)
      await answerSms({ sms, stops, budgets, renderer, serviceCode }, number, text);
  });
  return {
    sms: (from, text, id = randomUUID()) => keep(from, `sms ${id}`, { text }),
    receipt: (of, receipt) => keep(of, `receipt ${receipt.id} ${receipt.status}`, { receipt }),
  };
}

/** An SMS of a customer, or a report on one of ours. */
const keptSms = z.object({
  text: z.string().exactOptional(),
  receipt: z.object({ id: z.string(), status: z.enum(['delivered', 'failed']) }).exactOptional(),
});

/** SMS that are sent in any case, as outcomes of payments are: counted behind their back, so that none waits for it. */
function counted(sms: SmsSender, budgets: Base['budgets'], background: Base['background']): SmsSender {
  return async (to, text, taken) => {
    const sent = await sms(to, text, taken);
    if (sent === 'accepted') background.add(budgets.countSms(), 'Sent SMS could not be counted');
    return sent;
  };
}

function codeSender(renderer: Renderer, sms: SmsSender | undefined): SendCode {
  return async (to, code, language) => {
    if (!sms) return 'none';
    const screen = { key: 'linking.codeSms', values: { code: { code } }, expects: 'nothing' } as const;
    const sent = await sms(to, renderer.sms(screen, language).text);
    return sent === 'accepted' ? 'sent' : 'later';
  };
}

/** The way to the customers of a channel: its messages, and its chats where it shows them in chats of its own. */
interface Reach {
  readonly deliver: Deliver;
  readonly chatAt: ChatAt | 'none';
}

/** Messages for a channel that is not open are held. */
function byChannel(
  channels: Readonly<Record<ChannelName, Reach | undefined>>,
): Required<Pick<EngineOptions, 'deliver' | 'chatAt'>> {
  return {
    deliver: async (address, push) => channels[channelOf(address)]?.deliver(address, push) ?? 'held',
    chatAt(address) {
      const { chatAt = 'none' } = channels[channelOf(address)] ?? {};
      return chatAt === 'none' ? undefined : chatAt(address);
    },
  };
}
