import { isIP } from 'node:net';
import { z } from 'zod';

/** A list of words separated by commas. */
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  );
const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number, 0 to 65535');
const secret = z.string().min(32, 'must have at least 32 characters');
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const oneOf = <const T extends string>(...words: readonly [T, ...T[]]) =>
  z.enum(words, { error: `must be ${words.join(' or ')}` });
const yesOrNo = z.stringbool({ error: 'must be true or false' });
const origins = list.refine((all) => all.every(isOrigin), 'must be origins such as https://bank.example');
const networks = list.refine(
  (all) => all.every(isNetwork),
  'must be addresses such as 196.201.1.2 or 10.0.0.0/8',
);
const redisUrls = z
  .string()
  .refine((text) => text.split(',').every(isRedisUrl), 'must be a redis:// or rediss:// address');

/** `wallet-support=agent,wallet-leads=supervisor`: what the provider calls somebody, and what that is here. */
const roles = list
  .refine(
    (all) => all.every((each) => /^[^=]+=(?:viewer|agent|supervisor|admin)$/.test(each)),
    'must be pairs such as wallet-support=agent (roles here: viewer, agent, supervisor, admin)',
  )
  .transform((all) => Object.fromEntries(all.map((each) => each.split('=') as [string, ConsoleRole])));

type ConsoleRole = 'viewer' | 'agent' | 'supervisor' | 'admin';

/** A secret is sent there: by https, or to this very machine. */
function isSafe(text: string): boolean {
  return (
    URL.canParse(text) &&
    (text.startsWith('https:') || /^(?:127\.0\.0\.1|localhost)$/.test(new URL(text).hostname))
  );
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= bits;
}

function isRedisUrl(text: string): boolean {
  return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol);
}

/** Every setting there is, as the environment writes it. docs/operating.md lists them; a test compares the two. */
const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1, 'must be a host name or address').default('127.0.0.1'),
  DATA_DIR: z.string().min(1, 'must be a folder').default('./data'),
  REDIS_URL: redisUrls.optional(),
  REDIS_CLUSTER: yesOrNo.default(false),
  REDIS_SENTINELS: redisUrls.optional(),
  REDIS_CA: z.string().startsWith('-----BEGIN CERTIFICATE-----', 'must be certificates as PEM').optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w:.-]{1,40}$/, 'may hold letters, digits and : . _ - only')
    .default('wasl:'),
  REDIS_REPLICAS_MIN: z.string().regex(/^\d$/, 'must be 0 to 9').transform(Number).default(0),
  SANDBOX_PORT: port.default(8081),
  WALLET_URL: url.optional(),
  WALLET_API_KEY: z.string().min(1).optional(),
  WEBHOOK_KEYS: list,
  SECRETS_KEY: secret.optional(),
  CHANNELS: list.pipe(z.array(oneOf('ussd', 'web', 'telegram'))),
  LANGUAGE: oneOf('fr', 'ar', 'en').default('fr'),
  USSD_CODE: z
    .string()
    .regex(/^\*[\d*]+#$/, 'must look like *123#')
    .default('*123#'),
  USSD_SECRETS: list,
  USSD_ADDRESSES: networks,
  TRUSTED_PROXIES: networks,
  EMBED_ORIGINS: origins,
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{10,}$/, 'must be a token from @BotFather, such as 123456:ABC-DEF1234ghIkl')
    .optional(),
  TELEGRAM_API_ROOT: url.refine((text) => !text.endsWith('/'), 'must not end with /').optional(),
  PUBLIC_URL: url.optional(),
  SECURE: yesOrNo.optional(),
  SMS_AT_USERNAME: z.string().min(1).optional(),
  SMS_AT_API_KEY: z.string().min(1).optional(),
  SMS_AT_SENDER: z.string().min(1).optional(),
  SUPPORT: yesOrNo.optional(),
  OIDC_ISSUER: url.refine(isSafe, 'must be an https address').optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_ROLE_CLAIM: z.string().min(1).default('roles'),
  OIDC_ROLES: roles,
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),
});

export const SETTINGS = Object.keys(environment.shape);

/** Those of the sandbox alone (`npm run sandbox`). */
export const sandboxEnvironment = environment.pick({ SANDBOX_PORT: true, HOST: true, DATA_DIR: true });

/** Where the money is: the sandbox that Wasl brings along, or a partner's wallet. */
export type WalletConfig =
  | { readonly kind: 'sandbox'; readonly port: number }
  | { readonly kind: 'partner'; readonly url: string; readonly apiKey: string };

export type Config = Omit<
  z.output<typeof environment>,
  'SECRETS_KEY' | 'WALLET_URL' | 'WALLET_API_KEY' | 'SUPPORT'
> & {
  readonly wallet: WalletConfig;
  readonly secretsKey: string;
  readonly webhookKeys: readonly string[];
  readonly secure: boolean;
  /** Whether the support console is open. */
  readonly SUPPORT: boolean;
  /** The company's own sign-in to the support console. */
  readonly oidc?: NonNullable<ReturnType<typeof oidcOf>>;
};

/** Play money needs no secrets; these exist only beside the sandbox ("no back door"). */
const SANDBOX_SECRETS_KEY = 'only beside the sandbox: no secret at all';
const SANDBOX_WEBHOOK_KEY = 'sandbox-webhook-key';

type Settings = z.output<typeof environment>;
type Channel = Settings['CHANNELS'][number];

/** Settings that contradict each other, or leave a real wallet without protection: the first that holds stops the start. */
const REFUSALS: readonly (readonly [is: (settings: Settings) => unknown, sentence: string])[] = [
  [(s) => s.WALLET_API_KEY && !s.WALLET_URL, 'WALLET_API_KEY is set, but WALLET_URL is not'],
  [(s) => s.WALLET_URL && !s.WALLET_API_KEY, 'WALLET_URL is set, so WALLET_API_KEY must be set too'],
  [
    (s) => s.WALLET_URL && (s.SECRETS_KEY ?? SANDBOX_SECRETS_KEY) === SANDBOX_SECRETS_KEY,
    'SECRETS_KEY must be set with a real wallet (32 random characters or more)',
  ],
  [
    (s) => s.WALLET_URL && s.WEBHOOK_KEYS.every((key) => key === SANDBOX_WEBHOOK_KEY),
    'WEBHOOK_KEYS must be set with a real wallet',
  ],
  [
    (s) =>
      s.WALLET_URL && channelsOf(s).includes('ussd') && !s.USSD_SECRETS.length && !s.USSD_ADDRESSES.length,
    'USSD_SECRETS or USSD_ADDRESSES must be set with a real wallet, or CHANNELS=web to go without USSD',
  ],
  [
    (s) => s.EMBED_ORIGINS.length > 0 && !isSecure(s),
    'EMBED_ORIGINS needs https (SECURE=true), as browsers send no cookie of ours to another page otherwise',
  ],
  [
    (s) => s.CHANNELS.includes('telegram') && !s.TELEGRAM_BOT_TOKEN,
    'TELEGRAM_BOT_TOKEN must be set for CHANNELS=telegram',
  ],
  [
    (s) => s.TELEGRAM_BOT_TOKEN && s.PUBLIC_URL && !s.PUBLIC_URL.startsWith('https:') && !s.TELEGRAM_API_ROOT,
    'PUBLIC_URL must be an https address: Telegram sends updates to no other',
  ],
  [
    (s) => !s.SMS_AT_USERNAME !== !s.SMS_AT_API_KEY || (s.SMS_AT_SENDER && !s.SMS_AT_USERNAME),
    'SMS_AT_USERNAME and SMS_AT_API_KEY must be set together',
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
    (s) => s.OIDC_ISSUER && !s.PUBLIC_URL,
    'PUBLIC_URL must be set with OIDC_ISSUER, which sends people back there',
  ],
  [
    (s) => !s.REDIS_URL && (s.REDIS_CLUSTER || s.REDIS_REPLICAS_MIN > 0),
    'REDIS_CLUSTER and REDIS_REPLICAS_MIN need REDIS_URL',
  ],
  [
    (s) => s.REDIS_SENTINELS && (!s.REDIS_URL || s.REDIS_CLUSTER || s.REDIS_URL.includes(',')),
    'REDIS_SENTINELS needs REDIS_URL with the name by which they know the primary: redis://user:password@name',
  ],
];

/**
 * Reads the settings. Gives the configuration, or one sentence that says what to change. With a real wallet nothing has
 * a default that protects nothing.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): Config | { readonly refused: string } {
  const set = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => SETTINGS.includes(name) && value !== ''),
  );
  const read = environment.safeParse(set);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { refused: `${issue?.path[0]?.toString()} ${issue?.message}` };
  }
  const refusal = REFUSALS.find(([is]) => is(read.data));
  if (refusal) return { refused: refusal[1] };

  const {
    WALLET_URL: walletUrl,
    WALLET_API_KEY: apiKey,
    SECRETS_KEY: secretsKey,
    SUPPORT: support = walletUrl === undefined,
    ...rest
  } = read.data;
  const oidc = oidcOf(read.data);
  return {
    ...rest,
    CHANNELS: channelsOf(read.data),
    wallet:
      walletUrl && apiKey
        ? { kind: 'partner', url: walletUrl, apiKey }
        : { kind: 'sandbox', port: rest.SANDBOX_PORT },
    secretsKey: secretsKey ?? SANDBOX_SECRETS_KEY,
    webhookKeys: rest.WEBHOOK_KEYS.length > 0 ? rest.WEBHOOK_KEYS : [SANDBOX_WEBHOOK_KEY],
    secure: isSecure(read.data),
    SUPPORT: support,
    ...(oidc && { oidc }),
  };
}

function oidcOf(s: Settings) {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    PUBLIC_URL: publicUrl,
  } = s;
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined;
  return { issuer, clientId, clientSecret, roleClaim: s.OIDC_ROLE_CLAIM, roles: s.OIDC_ROLES, publicUrl };
}

/** The doors that are open: the ones that are named, else all that need nothing more. */
function channelsOf({ CHANNELS: named, TELEGRAM_BOT_TOKEN: token }: Settings): Channel[] {
  if (named.length > 0) return named;
  return token ? ['ussd', 'web', 'telegram'] : ['ussd', 'web'];
}

/** Real money is served over https, by a proxy in front of us. */
function isSecure({ SECURE: secure, WALLET_URL: walletUrl }: Settings): boolean {
  return secure ?? walletUrl !== undefined;
}
