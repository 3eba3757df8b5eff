import { isIP } from 'node:net';
import { z } from 'zod';
import { SMPP } from './channels/smpp/dialects.ts';
import { GATEWAYS } from './channels/ussd/gateways.ts';
import { type CaseConfig, caseSettings, casesOf } from './config/cases.ts';
import { type CashConfig, cashOf, cashSettings } from './config/cash.ts';
import { withCommand, withFiles } from './config/files.ts';
import { certificates, gatewayList, httpSms, smppBinds, valuesOf } from './config/gateways.ts';
import { count, list, oneOf, whole } from './config/list.ts';
import { messageSettings } from './config/messages.ts';
import { withNearNames } from './config/names.ts';
import { type SafetyConfig, safetyOf, safetySettings } from './config/safety.ts';
import { isGuessable, looksGenerated } from './config/strength.ts';
import { WHATSAPP_NEEDS, type WhatsAppConfig, whatsAppOf, whatsAppSettings } from './config/whatsapp.ts';
import { CHANNEL_NAMES, type ChannelName } from './conversation/channel.ts';

const SECRETS_KEY_MIN_CHARS = 32;
/** For secrets that a stranger may try against a door of ours. */
const DOOR_SECRET_MIN_CHARS = 16;
/** A network with a shorter prefix is nearly everybody: more than one old class A network of IPv4, more than a provider's of IPv6. */
const PREFIX_MIN_BITS = { 4: 8, 6: 16 } as const;
/** They stand on a page beside the number to top up. */
const TOP_UP_AMOUNTS_MAX = 7;

const port = whole('must be a port number, 0 to 65535', 0, 65_535);
const milliseconds = whole('must be milliseconds, 0 to 999999', 0, 999_999);
const secretsKeys = list.refine(
  (all) => all.every(({ length }) => length >= SECRETS_KEY_MIN_CHARS),
  `must have at least ${SECRETS_KEY_MIN_CHARS} characters (a comma stands between two keys)`,
);
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const yesOrNo = z.stringbool({ error: 'must be true or false' });
const origins = list.refine((all) => all.every(isOrigin), 'must be origins such as https://bank.example');
const networks = list.refine(
  (all) => all.every(isNetwork),
  'must be addresses such as 196.201.1.2 or 10.0.0.0/8',
);
const gatewayNetworks = gatewayList.refine(
  (all) => all.every(({ value }) => isNetwork(value)),
  'must be addresses such as 196.201.1.2 or 10.0.0.0/8',
);
/** Of browsers: Chrome's and most others', Firefox's, Safari's, Edge's. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];
const pushServices = list
  .refine(
    (all) => all.join() === 'none' || all.every(isPushService),
    'must be hosts such as push.apple.com, or none',
  )
  .transform((all) => (all.join() === 'none' ? [] : all.length > 0 ? all : PUSH_SERVICES));
const redisUrls = z
  .string()
  .refine((text) => text.split(',').every(isRedisUrl), 'must be a redis:// or rediss:// address');

/** `wallet-support=agent,wallet-leads=supervisor`: what the provider calls somebody, and what that is here. */
const roles = list
  .refine(
    (all) => all.every((each) => /^[^=]+=(?:viewer|auditor|agent|supervisor|admin)$/.test(each)),
    'must be pairs such as wallet-support=agent (roles here: viewer, auditor, agent, supervisor, admin)',
  )
  .transform((all) => Object.fromEntries(all.map((each) => each.split('=') as [string, ConsoleRole])));

/** `africastalking=182/80`: how much of a page a gateway takes, in septets of GSM-7 and in characters of UCS-2. */
const ussdPages = list
  .refine(
    (all) => all.every(isUssdPage),
    `must be pairs such as ${GATEWAYS[0]?.name}=182/80 (gateways: ${[...GATEWAYS.map(({ name }) => name), SMPP].join(', ')}; from 140/60 to 182/80)`,
  )
  .transform((all) =>
    Object.fromEntries(
      all.map((each) => {
        const [gateway = '', size = ''] = each.split('=');
        const [septets, ucs2] = size.split('/').map(Number);
        return [gateway, { septets: septets ?? 0, ucs2: ucs2 ?? 0 }];
      }),
    ),
  );
/** `007=Attijariwafa bank,011=Bank of Africa`: how a customer reads the bank of a RIB, by its first three digits. */
const banks = list
  .refine(
    (all) => all.every((each) => /^\d{3}=\S.{0,24}$/.test(each)),
    'must be pairs such as 007=Name of the bank (three digits, and at most 25 characters)',
  )
  .transform((all) => Object.fromEntries(all.map((each) => [each.slice(0, 3), each.slice(4)])));

/** `10,20,50` or `5-1000`: whole dirhams. More of them leave no room on a page. */
const amounts = list.refine(
  (all) => all.length <= TOP_UP_AMOUNTS_MAX && all.every(isAmounts),
  `must be at most ${TOP_UP_AMOUNTS_MAX} amounts in whole dirhams, such as 10,20,50,100 or 5-1000`,
);

const FIXED_DOC_TYPES = { IDENTITY_CARD: 1, PASSPORT: 3, COMMERCIAL_REGISTER: 8 } as const;
const OTHER_DOC_TYPES = [
  'DRIVING_LICENSE',
  'RESIDENCE_PERMIT',
  'BANK_PROOF',
  'STATUTES',
  'MINUTES',
  'TAX_CERTIFICATE',
  'PROFESSIONAL_CARD',
  'REPRESENTATIVES',
] as const;
type DocTypes = Readonly<Record<keyof typeof FIXED_DOC_TYPES | (typeof OTHER_DOC_TYPES)[number], number>>;

/** Partner API v2.3 shows three numbers of merchants' documents. The operator knows the others (open question 10). */
const docTypes = list
  .refine(
    (all) => all.length === 0 || isWholeTable(all),
    `must have one number each for ${OTHER_DOC_TYPES.join(', ')}, such as BANK_PROOF=5; 1, 3 and 8 are taken`,
  )
  .transform((all): DocTypes | undefined =>
    all.length === 0 ? undefined : ({ ...FIXED_DOC_TYPES, ...docTypesIn(all) } as DocTypes),
  );

function docTypesIn(all: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(all.map((each) => each.split('=')).map(([name, value]) => [name, Number(value)]));
}

function isWholeTable(all: readonly string[]): boolean {
  const named = docTypesIn(all);
  const numbers = [...Object.values(FIXED_DOC_TYPES), ...Object.values(named)];
  return (
    all.every((each) => /^[A-Z_]+=\d{1,4}$/.test(each)) &&
    String(Object.keys(named).sort()) === String([...OTHER_DOC_TYPES].sort()) &&
    all.length === OTHER_DOC_TYPES.length &&
    new Set(numbers).size === numbers.length
  );
}

type ConsoleRole = 'viewer' | 'auditor' | 'agent' | 'supervisor' | 'admin';

/** A secret is sent there: by https, or to this very machine. */
function isSafe(text: string): boolean {
  return URL.canParse(text) && (text.startsWith('https:') || isThisMachine(new URL(text).hostname));
}

/** True for a host that no other machine can be, nor reach. */
export function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= bits;
}

/** Some networks carry less than the 160 and 70 of an SMS. None carries more than 182 and 80 (3GPP TS 24.080). */
function isUssdPage(text: string): boolean {
  const [, gateway, ...sizes] = /^([\w-]+)=(\d{3})\/(\d{2})$/.exec(text) ?? [];
  const [septets = 0, ucs2 = 0] = sizes.map(Number);
  const isKnown = gateway === SMPP || GATEWAYS.some(({ name }) => name === gateway);
  return isKnown && septets >= 140 && septets <= 182 && ucs2 >= 60 && ucs2 <= 80;
}

/** An amount, or the least and the most. */
function isAmounts(text: string): boolean {
  const [, least, most] = /^([1-9]\d{0,3})(?:-([1-9]\d{0,3}))?$/.exec(text) ?? [];
  return least !== undefined && (most === undefined || Number(least) < Number(most));
}

/** A host, or for trying it out a service on this machine. */
function isPushService(text: string): boolean {
  if (/^(?:[a-z\d-]+\.)+[a-z]{2,}$/.test(text)) return true;
  return isOrigin(text) && isThisMachine(new URL(text).hostname);
}

function isRedisUrl(text: string): boolean {
  return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol);
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}

/** The work of a process: it takes inputs and webhooks, does due work, or serves support agents. */
const ROLES = ['doors', 'worker', 'console'] as const;
type Role = (typeof ROLES)[number];

/**
 * Every setting there is, as the environment writes it. docs/operator/settings.md lists them, and a test compares the
 * two.
 */
const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1, 'must be a host name or address').default('127.0.0.1'),
  DEPLOY_WAIT_SECONDS: whole('must be a number of seconds, 0 to 9999', 0, 9_999).default(180),
  DATA_DIR: z.string().min(1, 'must be a folder').default('./data'),
  REDIS_URL: redisUrls.optional(),
  REDIS_CLUSTER: yesOrNo.default(false),
  REDIS_SENTINELS: redisUrls.optional(),
  REDIS_CA: z.string().startsWith('-----BEGIN CERTIFICATE-----', 'must be certificates as PEM').optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w:.-]{1,40}$/, 'may hold letters, digits and : . _ - only')
    .default('wasl:'),
  REDIS_REPLICAS_MIN: whole('must be 0 to 9', 0, 9).default(0),
  TURNS_MAX: count.default(10_000),
  RECORDS_URL: z
    .string()
    .refine(isPostgresUrl, 'must be a postgres:// address, such as postgres://user:password@host/database')
    .optional(),
  RECORDS_KEEP_EVENTS_DAYS: count.default(400),
  RECORDS_KEEP_PAYMENTS_DAYS: count.default(3_653),
  RECORDS_KEEP_NAMES_DAYS: count.default(400),
  RECORDS_KEEP_AUDIT_DAYS: count.default(730),
  SANDBOX: yesOrNo.optional(),
  SANDBOX_PORT: port.default(8081),
  SANDBOX_WEBHOOK_NETWORKS: networks,
  WALLET_URL: url.optional(),
  WALLET_INSECURE: yesOrNo.default(false),
  WALLET_API_KEY: z.string().min(1).optional(),
  WEBHOOK_KEYS: list,
  SECRETS_KEY: secretsKeys,
  SECRETS_KEY_COMMAND: z.string().optional(),
  SECRETS_KEY_LOST: yesOrNo.default(false),
  STORE_RESTORED: yesOrNo.default(false),
  CHANNELS: list.pipe(z.array(oneOf(...CHANNEL_NAMES))),
  BANKS: banks,
  KYB_DOC_TYPES: docTypes,
  LANGUAGE: oneOf('fr', 'ar', 'en').default('fr'),
  USSD_CODE: z
    .string()
    .regex(/^\*[\d*]+#$/, 'must look like *123#')
    .default('*123#'),
  USSD_PAGES: ussdPages,
  SUPPORT_PHONE: z
    .string()
    .regex(/^\+?\d[\d ]{1,18}\d$/, 'must be a number to call, such as 0801 000 000')
    .optional(),
  SUPPORT_URL: url.optional(),
  AGENTS_SEE_AMOUNTS: yesOrNo.default(false),
  SUPPORT_LINKS: list.refine(
    (all) => all.every((host) => /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(host)),
    'must be hosts such as wallet.example, help.wallet.example',
  ),
  RECIPIENT_NAMES: oneOf('off', 'masked').optional(),
  TERMS_URL: url.optional(),
  TERMS_URL_FR: url.optional(),
  TERMS_URL_AR: url.optional(),
  TERMS_URL_EN: url.optional(),
  FEES_URL: url.optional(),
  FEES_URL_FR: url.optional(),
  FEES_URL_AR: url.optional(),
  FEES_URL_EN: url.optional(),
  OUTCOME_WAIT_MS: whole('must be 0 to 8000', 0, 8_000).default(3_000),
  USSD_SECRETS: gatewayList,
  USSD_ADDRESSES: gatewayNetworks,
  USSD_CERTIFICATES: certificates,
  TRUSTED_PROXIES: networks,
  EMBED_ORIGINS: origins,
  PUSH_SERVICES: pushServices,
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a private key of 32 bytes as base64url')
    .optional(),
  SMPP_BINDS: smppBinds,
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{10,}$/, 'must be a token from @BotFather, such as 123456:ABC-DEF1234ghIkl')
    .optional(),
  TELEGRAM_API_ROOT: url.refine((text) => !text.endsWith('/'), 'must not end with /').optional(),
  ...whatsAppSettings,
  PUBLIC_URL: url.optional(),
  SECURE: yesOrNo.optional(),
  IDENTITY_PAGE: url.optional(),
  SMS_HTTP: httpSms,
  SMS_HTTP_SECRET: z.string().min(1).optional(),
  SMS_SECRETS: list,
  SMS_AT_USERNAME: z.string().min(1).optional(),
  SMS_AT_API_KEY: z.string().min(1).optional(),
  SMS_AT_SENDER: z.string().min(1).optional(),
  SMS_PER_HOUR_MAX: count.optional(),
  SMS_PER_DAY_MAX: count.optional(),
  ...messageSettings,
  TOP_UP_AMOUNTS: amounts.transform((all) => (all.length > 0 ? all.join(', ') : undefined)),
  REFUSED_CARDS_PER_DAY_MAX: count.optional(),
  ...cashSettings,
  ...safetySettings,
  ...caseSettings,
  SUPPORT: yesOrNo.optional(),
  AUDIT_WITNESS_URL: url.refine(isSafe, 'must be an https address').optional(),
  OIDC_ISSUER: url.refine(isSafe, 'must be an https address').optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_SCOPE: z
    .string()
    .regex(/^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/, 'must be words with one space between them')
    .refine((text) => text.split(' ').includes('openid'), 'must have the word openid')
    .default('openid profile'),
  OIDC_PROMPT: oneOf('select_account', 'login').optional(),
  OIDC_ROLE_CLAIM: z.string().min(1).default('roles'),
  OIDC_ROLES: roles,
  ROLES: list
    .pipe(z.array(oneOf(...ROLES)))
    .transform((named): readonly Role[] => (named.length > 0 ? named : ROLES)),
  CARDS: yesOrNo.optional(),
  AGENTS: yesOrNo.default(true),
  DRAIN_MS: milliseconds.optional(),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  LOG_TURNS_PERCENT: whole('must be 0 to 100', 0, 100).default(100),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),
});

export const SETTINGS = Object.keys(environment.shape);

/** Those of the sandbox alone (`npm run sandbox`). */
export const sandboxEnvironment = environment.pick({
  SANDBOX_PORT: true,
  SANDBOX_WEBHOOK_NETWORKS: true,
  HOST: true,
  DATA_DIR: true,
});

/** The wallet that has the money: the sandbox that Wasl brings along, or a partner's wallet. */
export type WalletConfig =
  | { readonly kind: 'sandbox'; readonly port: number }
  | { readonly kind: 'partner'; readonly url: string; readonly apiKey: string };

export type Config = Omit<
  z.output<typeof environment>,
  | 'SECRETS_KEY'
  | 'SECRETS_KEY_COMMAND'
  | 'WALLET_URL'
  | 'WALLET_API_KEY'
  | 'SUPPORT'
  | 'SANDBOX'
  | 'DRAIN_MS'
  | 'CARDS'
> & {
  readonly wallet: WalletConfig;
  readonly cash: CashConfig;
  readonly safety: SafetyConfig;
  readonly cases: CaseConfig;
  /** The first one seals and digests. All of them open, and recognise digests. */
  readonly secretsKeys: readonly [string, ...string[]];
  readonly webhookKeys: readonly string[];
  readonly secure: boolean;
  /** How long the process says that it ends, on `/ready`, before it takes no more connections. */
  readonly DRAIN_MS: number;
  /** Whether payment cards are taken on pages of ours. */
  readonly CARDS: boolean;
  /** Whether the support console is open. */
  readonly SUPPORT: boolean;
  /** The company's own sign-in to the support console. */
  readonly oidc?: NonNullable<ReturnType<typeof oidcOf>>;
  readonly whatsapp?: WhatsAppConfig;
};

/** Play money needs no secrets. These exist only beside the sandbox ("no back door"). */
const SANDBOX_SECRETS_KEY = 'only beside the sandbox: no secret at all';
const SANDBOX_WEBHOOK_KEY = 'sandbox-webhook-key';
/** The key that the sandbox takes from us, also where it runs alone. */
export const SANDBOX_API_KEY = 'sandbox-key';

/** True for what everybody can read here. */
export function isPublished(secret: string): boolean {
  return [SANDBOX_SECRETS_KEY, SANDBOX_WEBHOOK_KEY, SANDBOX_API_KEY].includes(secret);
}

const GUESSED = 'can be guessed: take a random one, for example from `openssl rand -base64 32`';

/** Customers may ask about a payment for so long. */
const PAYMENTS_KEPT_MIN_DAYS = 30;
/** The console's acts can be asked about for a year at least. */
const AUDIT_KEPT_MIN_DAYS = 365;

/** A balancer that asks every 2 s, waits a second for the answer and believes the third has noticed by then. */
const DRAIN_DEFAULT_MS = 8_000;

type Settings = z.output<typeof environment>;

/** The settings that a channel cannot do without. */
const NEEDED_BY: Readonly<
  Record<ChannelName, readonly ('TELEGRAM_BOT_TOKEN' | (typeof WHATSAPP_NEEDS)[number])[]>
> = {
  ussd: [],
  web: [],
  telegram: ['TELEGRAM_BOT_TOKEN'],
  whatsapp: WHATSAPP_NEEDS,
};

/** Settings that contradict each other, or leave something without protection: every one that holds is said. */
const REFUSALS: readonly (readonly [
  is: (settings: Settings) => unknown,
  sentence: string | ((settings: Settings) => string),
])[] = [
  [
    (s) => s.SANDBOX && s.WALLET_URL,
    'SANDBOX=true is play money and WALLET_URL is not: only one of them can be set',
  ],
  [(s) => s.SANDBOX === false && !s.WALLET_URL, 'WALLET_URL must be set with SANDBOX=false'],
  [
    (s) => s.SANDBOX === undefined && !s.WALLET_URL && !isThisMachine(s.HOST),
    ({ HOST }) =>
      `WALLET_URL must be set, or SANDBOX=true where a demo with play money is meant to be open to the network (HOST=${HOST})`,
  ],
  [(s) => s.WALLET_API_KEY && !s.WALLET_URL, 'WALLET_API_KEY is set, but WALLET_URL is not'],
  [(s) => s.WALLET_URL && !s.WALLET_API_KEY, 'WALLET_URL is set, so WALLET_API_KEY must be set too'],
  [
    (s) => s.WALLET_URL && (s.SECRETS_KEY.length === 0 || s.SECRETS_KEY.includes(SANDBOX_SECRETS_KEY)),
    'SECRETS_KEY must be set with a real wallet (32 random characters or more)',
  ],
  [(s) => s.SECRETS_KEY.some(isGuessable), `SECRETS_KEY ${GUESSED}`],
  [
    (s) => s.WALLET_URL && s.SECRETS_KEY.some((key) => !isGuessable(key) && !looksGenerated(key)),
    'SECRETS_KEY does not look generated: take the one that `wasl keys` makes',
  ],
  [
    (s) => sameSecrets(s).length > 0,
    (s) => `${sameSecrets(s).join(' and ')} are the same secret: each needs one of its own (\`wasl keys\`)`,
  ],
  [(s) => s.WALLET_URL && s.WEBHOOK_KEYS.length === 0, 'WEBHOOK_KEYS must be set with a real wallet'],
  [
    (s) => s.WALLET_URL && s.WEBHOOK_KEYS.includes(SANDBOX_WEBHOOK_KEY),
    'WEBHOOK_KEYS names the key of the sandbox, which everybody knows',
  ],
  ...(['WEBHOOK_KEYS', 'USSD_SECRETS', 'SMS_SECRETS'] as const).flatMap((name) => [
    [
      (s: Settings) => isExposed(s) && valuesOf(s[name]).some(isShort),
      `${name} must have at least ${DOOR_SECRET_MIN_CHARS} characters each`,
    ] as const,
    [
      (s: Settings) =>
        isExposed(s) && !valuesOf(s[name]).some(isShort) && valuesOf(s[name]).some(isGuessable),
      `${name} ${GUESSED}`,
    ] as const,
  ]),
  ...(['USSD_ADDRESSES', 'TRUSTED_PROXIES'] as const).map(
    (name) =>
      [
        (s: Settings) => valuesOf(s[name]).some(isNearlyEverybody),
        (s: Settings) =>
          `${name} must name networks, not nearly everybody (${valuesOf(s[name]).filter(isNearlyEverybody).join(', ')})`,
      ] as const,
  ),
  [
    (s) => s.WALLET_URL && !s.WALLET_INSECURE && !isSafe(s.WALLET_URL),
    'WALLET_URL must be https, as PINs are sent there (WALLET_INSECURE=true allows http in a network of your own)',
  ],
  [
    (s) =>
      s.WALLET_URL &&
      s.WALLET_API_KEY === SANDBOX_API_KEY &&
      !s.WALLET_INSECURE &&
      !isThisMachine(new URL(s.WALLET_URL).hostname),
    'WALLET_API_KEY is the key of the sandbox, which everybody knows',
  ],
  [
    (s) =>
      s.WALLET_URL &&
      channelsOf(s).includes('ussd') &&
      !s.SMPP_BINDS.some(({ use }) => use.ussd) &&
      ![s.USSD_SECRETS, s.USSD_ADDRESSES, s.USSD_CERTIFICATES].some(({ length }) => length > 0),
    'USSD_SECRETS or USSD_ADDRESSES must be set with a real wallet, or CHANNELS=web to go without USSD',
  ],
  [
    (s) => s.USSD_CERTIFICATES.length > 0 && s.TRUSTED_PROXIES.length === 0,
    'USSD_CERTIFICATES needs TRUSTED_PROXIES: a proxy checks the certificate and hands it on',
  ],
  [
    (s) => s.SMPP_BINDS.some(({ heldBy }) => heldBy === 'one') && !s.REDIS_URL,
    'SMPP_BINDS with held=one needs REDIS_URL: several processes share a lease there',
  ],
  [
    (s) => s.EMBED_ORIGINS.length > 0 && !isSecure(s),
    'EMBED_ORIGINS needs https (SECURE=true), as browsers send no cookie of ours to another page otherwise',
  ],
  [
    (s) => channelsClosed(s).length,
    (s) =>
      channelsClosed(s)
        .map((name) => `${lackedBy(name, s).join(', ')} must be set for CHANNELS=${name}`)
        .join('; '),
  ],
  [
    (s) => s.TELEGRAM_BOT_TOKEN && s.PUBLIC_URL && !s.PUBLIC_URL.startsWith('https:') && !s.TELEGRAM_API_ROOT,
    'PUBLIC_URL must be an https address: Telegram sends updates to no other',
  ],
  [
    (s) => WHATSAPP_NEEDS.some((name) => s[name]) && lackedBy('whatsapp', s).length > 0,
    (s) => `${lackedBy('whatsapp', s).join(', ')} must be set too: WhatsApp needs all of its settings`,
  ],
  [
    (s) => Boolean(s.WHATSAPP_FLOW_ID) !== Boolean(s.WHATSAPP_FLOW_KEY),
    'WHATSAPP_FLOW_ID and WHATSAPP_FLOW_KEY must be set together',
  ],
  [
    (s) => s.WHATSAPP_TOKEN && !s.WHATSAPP_API_ROOT && !s.PUBLIC_URL?.startsWith('https:'),
    'PUBLIC_URL must be an https address with WHATSAPP_TOKEN: Meta sends messages to no other, and PINs are given on a page there',
  ],
  [
    (s) => s.CARDS && s.WALLET_URL && !s.PUBLIC_URL?.startsWith('https:'),
    'PUBLIC_URL must be an https address with CARDS=true: cards are typed on a page there',
  ],
  [
    (s) => s.IDENTITY_PAGE && !isSafe(s.IDENTITY_PAGE),
    'IDENTITY_PAGE must be an https address: browsers give a camera to no other',
  ],
  [
    (s) => s.IDENTITY_PAGE && s.WALLET_URL && !s.PUBLIC_URL,
    'PUBLIC_URL must be set with IDENTITY_PAGE: the links to it are sent by SMS and in chats',
  ],
  [
    (s) => !s.SMS_AT_USERNAME !== !s.SMS_AT_API_KEY || (s.SMS_AT_SENDER && !s.SMS_AT_USERNAME),
    'SMS_AT_USERNAME and SMS_AT_API_KEY must be set together',
  ],
  [
    (s) => s.SMS_HTTP && s.SMS_AT_USERNAME,
    'SMS_HTTP and SMS_AT_USERNAME are both set: only one of them can be',
  ],
  [(s) => s.SMS_HTTP && s.WALLET_URL && !isSafe(s.SMS_HTTP.url), 'SMS_HTTP must have an https address'],
  [
    (s) => !s.CASE_WEBHOOK_URL !== !s.CASE_WEBHOOK_KEY,
    'CASE_WEBHOOK_URL and CASE_WEBHOOK_KEY must be set together',
  ],
  [(s) => s.CASE_WEBHOOK_URL && !isSafe(s.CASE_WEBHOOK_URL), 'CASE_WEBHOOK_URL must be an https address'],
  [(s) => s.CASE_WEBHOOK_KEY && isGuessable(s.CASE_WEBHOOK_KEY), `CASE_WEBHOOK_KEY ${GUESSED}`],
  [
    (s) => new Set([!s.CASH_POINTS_FR, !s.CASH_POINTS_AR, !s.CASH_POINTS_EN]).size > 1,
    'CASH_POINTS_FR, CASH_POINTS_AR and CASH_POINTS_EN must be set together: every customer reads where to go',
  ],
  [
    (s) => s.CASH_IN_FEES_PERCENT !== undefined && s.CASH_IN === 'agents',
    'CASH_IN_FEES_PERCENT needs CASH_IN=bill-network or CASH_IN=both',
  ],
  [
    (s) => new Set([!s.OIDC_ISSUER, !s.OIDC_CLIENT_ID, !s.OIDC_CLIENT_SECRET]).size > 1,
    'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together',
  ],
  [
    (s) => s.OIDC_ISSUER && !Object.keys(s.OIDC_ROLES).length,
    'OIDC_ROLES must be set with OIDC_ISSUER: nobody could sign in otherwise',
  ],
  [
    (s) => s.OIDC_ISSUER && !s.SUPPORT_URL && !s.PUBLIC_URL,
    'PUBLIC_URL must be set with OIDC_ISSUER, which sends people back there',
  ],
  [
    (s) => !s.REDIS_URL && (s.REDIS_CLUSTER || s.REDIS_REPLICAS_MIN > 0),
    'REDIS_CLUSTER and REDIS_REPLICAS_MIN need REDIS_URL',
  ],
  [
    (s) => lacksRecords(s) && isRealMoney(s),
    'RECORDS_URL must be set with Redis and a real wallet: Redis holds what is alive, and not what has happened',
  ],
  [
    (s) => s.RECORDS_KEEP_PAYMENTS_DAYS < PAYMENTS_KEPT_MIN_DAYS,
    `RECORDS_KEEP_PAYMENTS_DAYS must be ${PAYMENTS_KEPT_MIN_DAYS} or more, as payments are looked at for so long`,
  ],
  [
    (s) => s.RECORDS_KEEP_AUDIT_DAYS < AUDIT_KEPT_MIN_DAYS,
    `RECORDS_KEEP_AUDIT_DAYS must be ${AUDIT_KEPT_MIN_DAYS} or more, as what was done at the console is asked about for so long`,
  ],
  [
    (s) => s.RECORDS_KEEP_AUDIT_DAYS < s.RECORDS_KEEP_EVENTS_DAYS,
    'RECORDS_KEEP_AUDIT_DAYS must be RECORDS_KEEP_EVENTS_DAYS or more: what agents did is known for longer than what they did it about',
  ],
  [
    (s) => ROLES.some((role) => !s.ROLES.includes(role)) && !(s.REDIS_URL && s.WALLET_URL),
    'ROLES needs REDIS_URL and WALLET_URL: the embedded store and the sandbox belong to one process',
  ],
  [
    (s) => s.SUPPORT === true && lacksRecords(s),
    'SUPPORT=true with Redis needs RECORDS_URL: the console keeps its audit in PostgreSQL',
  ],
  [(s) => s.ROLES.join() === 'console' && !s.SUPPORT, 'ROLES=console needs SUPPORT=true'],
  [
    (s) => s.REDIS_SENTINELS && (!s.REDIS_URL || s.REDIS_CLUSTER || s.REDIS_URL.includes(',')),
    'REDIS_SENTINELS needs REDIS_URL with the name by which they know the primary: redis://user:password@name',
  ],
];

/**
 * Reads the settings, from the environment and from the files that it names (`SECRETS_KEY_FILE`). Gives the configuration,
 * or the sentences that say what to change, all of them at once. With a real wallet nothing has a default that protects
 * nothing, and a mistyped name is not taken for one that is not set.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): Config | { readonly refused: string } {
  const named = withNearNames(env, SETTINGS);
  const filled = withCommand(withFiles(named.env, SETTINGS));
  const set = Object.fromEntries(
    Object.entries(filled.env).filter(([name, value]) => SETTINGS.includes(name) && value !== ''),
  );
  const read = environment.safeParse(set);
  const wrong = read.success
    ? REFUSALS.filter(([is]) => is(read.data)).map(([, say]) =>
        typeof say === 'string' ? say : say(read.data),
      )
    : read.error.issues.map(({ path, message }) => `${path[0]?.toString()} ${message}`);
  const refusals = [...named.refusals, ...filled.refusals, ...wrong];
  if (!read.success || refusals.length > 0) return { refused: [...new Set(refusals)].join('; ') };
  return configOf(read.data);
}

function configOf(settings: Settings): Config {
  const {
    WALLET_URL: walletUrl,
    WALLET_API_KEY: apiKey,
    SECRETS_KEY: [firstKey = SANDBOX_SECRETS_KEY, ...olderKeys],
    SUPPORT: support = walletUrl === undefined && !lacksRecords(settings),
    SANDBOX: _asked,
    SECRETS_KEY_COMMAND: _ran,
    ...rest
  } = settings;
  const oidc = oidcOf(settings);
  const whatsapp = whatsAppOf(settings);
  return {
    ...rest,
    CHANNELS: channelsOf(settings),
    wallet:
      walletUrl && apiKey
        ? { kind: 'partner', url: walletUrl, apiKey }
        : { kind: 'sandbox', port: rest.SANDBOX_PORT },
    secretsKeys: [firstKey, ...olderKeys],
    cash: cashOf(settings, walletUrl === undefined),
    safety: safetyOf(settings),
    cases: casesOf(settings),
    webhookKeys: rest.WEBHOOK_KEYS.length > 0 ? rest.WEBHOOK_KEYS : [SANDBOX_WEBHOOK_KEY],
    secure: isSecure(settings),
    SUPPORT: support,
    CARDS: settings.CARDS ?? walletUrl === undefined,
    RECIPIENT_NAMES: settings.RECIPIENT_NAMES ?? (walletUrl === undefined ? 'masked' : 'off'),
    DRAIN_MS: settings.DRAIN_MS ?? (walletUrl ? DRAIN_DEFAULT_MS : 0),
    ...(oidc && { oidc }),
    ...(whatsapp && { whatsapp }),
  };
}

/** The settings that hold a secret which another one holds too: who is told one would have the other. */
function sameSecrets(s: Settings): string[] {
  const { SECRETS_KEY, WEBHOOK_KEYS, WALLET_API_KEY, CASE_WEBHOOK_KEY } = s;
  const USSD_SECRETS = [...valuesOf(s.USSD_SECRETS)];
  const { SMS_SECRETS, SMS_HTTP_SECRET } = s;
  const { OIDC_CLIENT_SECRET, SMS_AT_API_KEY, VAPID_PRIVATE_KEY, TELEGRAM_BOT_TOKEN } = s;
  const { WHATSAPP_TOKEN, WHATSAPP_APP_SECRET, WHATSAPP_VERIFY_TOKEN } = s;
  const lists = Object.entries({
    ...{ SECRETS_KEY, WEBHOOK_KEYS, USSD_SECRETS, WALLET_API_KEY, CASE_WEBHOOK_KEY },
    ...{ SMS_SECRETS, SMS_HTTP_SECRET },
    ...{ OIDC_CLIENT_SECRET, SMS_AT_API_KEY, VAPID_PRIVATE_KEY, TELEGRAM_BOT_TOKEN },
    ...{ WHATSAPP_TOKEN, WHATSAPP_APP_SECRET, WHATSAPP_VERIFY_TOKEN },
  }).map(([name, value]) => [name, [value ?? []].flat()] as const);
  return lists
    .filter(([name, own]) =>
      lists.some(([other, theirs]) => other !== name && own.some((each) => theirs.includes(each))),
    )
    .map(([name]) => name);
}

function oidcOf(s: Settings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = s;
  const publicUrl = s.SUPPORT_URL ?? s.PUBLIC_URL;
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined;
  const { OIDC_SCOPE: scope, OIDC_PROMPT: prompt, OIDC_ROLE_CLAIM: roleClaim, OIDC_ROLES } = s;
  return { issuer, clientId, clientSecret, scope, prompt, roleClaim, roles: OIDC_ROLES, publicUrl };
}

/** The doors that are open: the ones that are named, else all that need nothing more. */
function channelsOf(settings: Settings): ChannelName[] {
  const { CHANNELS: named } = settings;
  return named.length > 0 ? named : CHANNEL_NAMES.filter((name) => hasWhatItNeeds(name, settings));
}

/** The channels that are named, and miss a setting. */
function channelsClosed(settings: Settings): ChannelName[] {
  return settings.CHANNELS.filter((name) => !hasWhatItNeeds(name, settings));
}

function hasWhatItNeeds(name: ChannelName, settings: Settings): boolean {
  return lackedBy(name, settings).length === 0;
}

/** The settings that a channel needs and that are not set. */
function lackedBy(name: ChannelName, settings: Settings): readonly string[] {
  return NEEDED_BY[name].filter((needed) => !settings[needed]);
}

/** Real money is served over https, by a proxy in front of us. */
function isSecure({ SECURE: secure, WALLET_URL: walletUrl }: Settings): boolean {
  return secure ?? walletUrl !== undefined;
}

/**
 * The key marks production: the sandbox's key is in this file, and every other one leads to real money. The address
 * does not mark it, as a proxy on this very machine may stand before the wallet.
 */
function isRealMoney({ WALLET_URL: walletUrl, WALLET_API_KEY: key }: Settings): boolean {
  return walletUrl !== undefined && key !== SANDBOX_API_KEY;
}

/** Redis keeps what is alive, and not what has happened. */
function lacksRecords({ REDIS_URL: redisUrl, RECORDS_URL: recordsUrl }: Settings): boolean {
  return redisUrl !== undefined && recordsUrl === undefined;
}

/** True where others than this machine's own people may try its doors. */
function isExposed({ HOST: host, WALLET_URL: walletUrl }: Settings): boolean {
  return walletUrl !== undefined || !isThisMachine(host);
}

function isShort({ length }: string): boolean {
  return length < DOOR_SECRET_MIN_CHARS;
}

function isNearlyEverybody(network: string): boolean {
  const [address = '', prefix] = network.split('/');
  return prefix !== undefined && Number(prefix) < PREFIX_MIN_BITS[isIP(address) === 4 ? 4 : 6];
}
