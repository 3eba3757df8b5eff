import type { Hono } from 'hono';
import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import type { ChannelName } from '../conversation/channel.ts';
import { startOver } from '../conversation/desk/freezing.ts';
import type { Engine } from '../conversation/engine.ts';
import { firstOpeners } from '../conversation/first-opener.ts';
import { networkOf, networks, senderOf } from '../http/network.ts';
import type { WebPush } from '../push/web-push.ts';
import type { open as openSandbox } from '../sandbox/open.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { formRoutes, type Opener } from './form/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import type { createQrReader } from './qr/decode.ts';
import { simulatorRoutes } from './simulator/routes.ts';
import type { simulateTelegram } from './simulator/telegram.ts';
import type { simulateWhatsApp } from './simulator/whatsapp.ts';
import type { HttpSms } from './sms/http.ts';
import { type SmsEvents, smsRoutes } from './sms/routes.ts';
import type { createSmsInbox } from './sms/simulator.ts';
import { launchedBy, TELEGRAM_FRAMES } from './telegram/launch.ts';
import type { OpenTelegram } from './telegram/telegram.ts';
import { valuesFor } from './ussd/door.ts';
import { ussdRoutes } from './ussd/routes.ts';
import { webRoutes, webVisitor } from './web/routes.ts';
import type { createStreams } from './web/streams.ts';

/** The sandbox, where it is the wallet. */
export type PlayedWallet = NonNullable<Awaited<ReturnType<typeof openSandbox>>>;

/** The parts that the doors need besides the base and the engine. */
export interface ChannelParts {
  readonly walletUrl: string;
  readonly sandbox: PlayedWallet | undefined;
  readonly smsInbox: ReturnType<typeof createSmsInbox>;
  readonly streams: ReturnType<typeof createStreams>;
  readonly readQr: ReturnType<typeof createQrReader>;
  readonly webPush: WebPush | undefined;
  readonly bot: OpenTelegram | undefined;
  readonly whatsappRoutes: Hono | undefined;
  readonly played: ReturnType<typeof simulateTelegram> | undefined;
  readonly playedWhatsApp: ReturnType<typeof simulateWhatsApp> | undefined;
  readonly smsProvider: HttpSms | undefined;
  readonly smsEvents: SmsEvents;
  /** The link from the simulator page into the support console. */
  readonly console?: (() => string) | undefined;
  /** The address of the operator's page around the identity provider's SDK, shown in a frame of ours. */
  readonly providerPage: string | undefined;
}

type Doors = readonly [config: Config, base: Base, engine: Engine, parts: ChannelParts];

/** The doors for inputs of customers: the routes, with the paths that they are mounted at. */
export function doorsOf(...doors: Doors): readonly (readonly [path: string, routes: Hono])[] {
  const [config, { renderer, log }, engine, { providerPage }] = doors;
  const { secure } = config;
  const identity =
    providerPage && identityRoutes({ identifications: engine, renderer, providerPage, secure, log });
  const simulator = simulatorDoor(...doors);
  return [
    ...[...new Set(config.CHANNELS)].flatMap((channel) => {
      const { at, routes } = CHANNEL_DOORS[channel];
      const opened = routes(...doors);
      return opened ? [[at, opened] as const] : [];
    }),
    ...smsDoor(...doors),
    ['/form', formDoor(...doors)],
    ...(identity ? [['/identity', identity] as const] : []),
    ...(simulator ? [['/', simulator] as const] : []),
  ];
}

const CHANNEL_DOORS: Readonly<
  Record<ChannelName, { readonly at: string; readonly routes: (...doors: Doors) => Hono | undefined }>
> = {
  ussd: { at: '/ussd', routes: ussdDoor },
  web: { at: '/chat', routes: chatDoor },
  telegram: { at: '/telegram', routes: (...[, , , { bot }]) => bot?.routes },
  whatsapp: { at: '/whatsapp', routes: (...[, , , { whatsappRoutes }]) => whatsappRoutes },
};

function ussdDoor(...[config, { renderer, secrets, log }, conversations]: Doors): Hono {
  const { LANGUAGE: language, USSD_CODE: serviceCode, TRUSTED_PROXIES: proxies, USSD_PAGES: limits } = config;
  const door = (gateway: string) => ({
    secrets: valuesFor(gateway, config.USSD_SECRETS),
    addresses: valuesFor(gateway, config.USSD_ADDRESSES),
    certificates: valuesFor(gateway, config.USSD_CERTIFICATES),
    proxies,
    needsProof: config.wallet.kind === 'partner',
  });
  const spoken = { renderer, serviceCode, language, limits };
  return ussdRoutes({ conversations, secrets, door, ...spoken, log });
}

/** The provider of SMS brings its reports here, and the SMS of customers. */
function smsDoor(...[config, , , { smsProvider, smsEvents }]: Doors): readonly (readonly [string, Hono])[] {
  if (!smsProvider) return [];
  const { SMS_SECRETS: secrets, TRUSTED_PROXIES: proxies } = config;
  const door = { secrets, addresses: [], proxies, needsProof: config.wallet.kind === 'partner' };
  return [['/sms', smsRoutes(smsProvider, door, smsEvents)]];
}

function chatDoor(...[config, { renderer, secrets, log }, conversations, parts]: Doors): Hono {
  const { streams, webPush, walletUrl, readQr } = parts;
  const { secure, EMBED_ORIGINS: embedOrigins, TRUSTED_PROXIES: proxies } = config;
  const served = { secure, embedOrigins, proxies, walletUrl, readQr, webPush };
  return webRoutes({ conversations, renderer, secrets, streams, ...served, log });
}

/** The one form for secrets, and how each channel knows who has opened it. */
function formDoor(...[config, { store, renderer, secrets, log }, conversations, parts]: Doors): Hono {
  const { secure, EMBED_ORIGINS: embedOrigins, TRUSTED_PROXIES: proxies, TELEGRAM_BOT_TOKEN: token } = config;
  const openers: Readonly<Record<ChannelName, Opener | undefined>> = {
    // Its link came by SMS to the phone that dialled.
    ussd: undefined,
    web: { browser: webVisitor(secrets, { secure, embedOrigins }) },
    telegram: token
      ? { launch: (launch) => launchedBy(token, launch, Date.now()), framedBy: TELEGRAM_FRAMES }
      : undefined,
    whatsapp: {
      isFirst: firstOpeners({ store, secrets }),
      // The simulator page shows it on its phone.
      ...(parts.playedWhatsApp && { framedBy: ["'self'"] }),
    },
  };
  const served = { conversations, cardLinks: conversations, renderer, secrets, openers };
  return formRoutes({ ...served, secure, proxies, log });
}

/** Only beside the sandbox ("no back door"). */
function simulatorDoor(
  ...[config, { store, secrets, budgets, log }, engine, { sandbox, smsInbox, console, ...parts }]: Doors
): Hono | undefined {
  const { secure, EMBED_ORIGINS: embedOrigins } = config;
  if (!sandbox) return undefined;
  const { customers, balance, counter, faults, url: sandboxUrl } = sandbox;
  const proxies = networks(config.TRUSTED_PROXIES);
  return simulatorRoutes({
    conversations: engine,
    customers,
    balance,
    console,
    async startOver(phone, c) {
      sandbox.restoreCustomer(phone);
      await startOver(store, phone);
      const network = networkOf(senderOf(c, proxies));
      await budgets.giveBack({ budget: 'codesPerAsker', of: `${network} ${phone}` });
      await budgets.giveBack({ budget: 'codesPerNumber', of: phone });
    },
    counter,
    faults,
    tariffs: sandbox.tariffs,
    behind: {
      watch: engine.desk.watch,
      calls: sandbox.requests,
      webhooks: sandbox.attempts,
      visitor: webVisitor(secrets, { secure, embedOrigins }) ?? (() => undefined),
      log,
    },
    inbox: async (phone: Msisdn) =>
      [...smsInbox.of(phone), ...sandbox.sms(phone)].sort((a, b) => a.at - b.at),
    serviceCode: config.USSD_CODE,
    sandboxUrl,
    ...(parts.played && { telegram: parts.played.open(engine) }),
    ...(parts.playedWhatsApp && { whatsapp: parts.playedWhatsApp.open(engine) }),
  });
}
