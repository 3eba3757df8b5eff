import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GATEWAYS } from '../src/channels/ussd/gateways.ts';
import { newKeys } from '../src/commands.ts';
import { reportOf, warningsOf } from '../src/config/report.ts';
import { looksGenerated } from '../src/config/strength.ts';
import { readConfig, SANDBOX_API_KEY } from '../src/config.ts';
import { CHANNEL_NAMES } from '../src/conversation/channel.ts';
import { API_KEY_DEFAULT } from '../src/sandbox/sandbox.ts';
import { newDirectory } from './kit/new-directory.ts';
import { configOf } from './kit/settings.ts';

type Env = Readonly<Record<string, string>>;

/** Everything that a real wallet needs, and nothing else. */
const PRODUCTION: Env = {
  WALLET_URL: 'https://wallet.example',
  WALLET_API_KEY: 'the partner key',
  SECRETS_KEY: 'q7Hn2VbXw9TzLr4Kd8Gy5Mc3Jf6Ps1Ra',
  WEBHOOK_KEYS: 'one webhook key of the tests',
  USSD_SECRETS: 'one ussd secret of the tests',
};

const RECORDS = 'postgres://wasl:a-password@records.example/wasl?sslmode=verify-full';

const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';

const OIDC: Env = {
  OIDC_ISSUER: 'https://sign-in.example',
  OIDC_CLIENT_ID: 'wasl',
  OIDC_CLIENT_SECRET: 'a secret',
  OIDC_ROLES: 'wallet-support=agent, wallet-leads=supervisor',
  PUBLIC_URL: 'https://wasl.example',
};

const SENTINELS =
  'REDIS_SENTINELS needs REDIS_URL with the name by which they know the primary: redis://user:password@name';

function withoutOidc(name: string): Env {
  return Object.fromEntries(Object.entries(OIDC).filter(([each]) => each !== name));
}

/** Everything that a real wallet needs, with one setting under another name. */
function rename(name: string, as: string): Env {
  return { ...without(name), [as]: PRODUCTION[name] as string };
}

function without(name: string): Env {
  return Object.fromEntries(Object.entries(PRODUCTION).filter(([each]) => each !== name));
}

test.each([
  'africastalking',
  'africastalking=183/80',
  'arkesel=139/70',
  'arkesel=160/81',
  'other=160/70',
  'arkesel=160/70=1',
  'arkesel=160',
])('USSD_PAGES=%s is refused', (pages) => {
  expect(readConfig({ USSD_PAGES: pages })).toEqual({
    refused: expect.stringContaining('USSD_PAGES must be pairs such as africastalking=182/80'),
  });
});

test.each(GATEWAYS.map(({ name }) => name))('USSD_PAGES knows the gateway %s', (name) => {
  expect(readConfig({ USSD_PAGES: `${name}=182/80` })).not.toHaveProperty('refused');
});

test('a gateway may take more or less than the usual page', () => {
  expect(readConfig({ USSD_PAGES: 'africastalking=182/80,arkesel=140/60' })).toMatchObject({
    USSD_PAGES: { africastalking: { septets: 182, ucs2: 80 }, arkesel: { septets: 140, ucs2: 60 } },
  });
  expect(readConfig({})).toMatchObject({ USSD_PAGES: {} });
});

const DOC_NUMBERS =
  'DRIVING_LICENSE=2,RESIDENCE_PERMIT=4,BANK_PROOF=5,STATUTES=6,MINUTES=7,TAX_CERTIFICATE=9,PROFESSIONAL_CARD=10,REPRESENTATIVES=11';
test.each([
  ['one is missing', DOC_NUMBERS.replace('MINUTES=7,', '')],
  ['one is there twice', `${DOC_NUMBERS},MINUTES=12`],
  ['a number has two documents', DOC_NUMBERS.replace('=7', '=6')],
  ['a number that the API shows for another', DOC_NUMBERS.replace('=7', '=8')],
  ['no number', DOC_NUMBERS.replace('=7', '=x')],
  ['no such document', DOC_NUMBERS.replace('MINUTES', 'DIARY')],
])('KYB_DOC_TYPES is refused: %s', (_, table) => {
  const refused = expect.stringContaining('KYB_DOC_TYPES must have one number each for DRIVING_LICENSE');
  expect(readConfig({ KYB_DOC_TYPES: table })).toEqual({ refused });
});

test('the numbers of documents are the operator’s, with the three that the API shows', () => {
  const table = { IDENTITY_CARD: 1, PASSPORT: 3, COMMERCIAL_REGISTER: 8, MINUTES: 70 };
  expect(readConfig({ KYB_DOC_TYPES: DOC_NUMBERS.replace('=7', '=70') })).toMatchObject({
    KYB_DOC_TYPES: table,
  });
  expect(readConfig({})).not.toHaveProperty('KYB_DOC_TYPES.MINUTES');
});

/** The sentence of the refusal, and settings that are refused. */
const NO_RECEIPT = `SMS_RECEIPTS must be channels (${CHANNEL_NAMES.join(', ')}), or kinds of payments there such as ussd:transfer or ussd:bill-payment`;

const REFUSED: readonly [sentence: string, Env][] = [
  ['PORT must be a port number, 0 to 65535', { PORT: 'abc' }],
  ['PORT must be a port number, 0 to 65535', { PORT: '65536' }],
  ['PORT must be a port number, 0 to 65535', { PORT: '80.5' }],
  ['SANDBOX_PORT must be a port number, 0 to 65535', { SANDBOX_PORT: '-1' }],
  ['REDIS_URL must be a redis:// or rediss:// address', { REDIS_URL: 'foo' }],
  ['REDIS_URL must be a redis:// or rediss:// address', { REDIS_URL: 'http://127.0.0.1' }],
  ['REDIS_URL must be a redis:// or rediss:// address', { REDIS_URL: 'redis://a:1,b:2' }],
  ['REDIS_CLUSTER must be true or false', { REDIS_CLUSTER: 'perhaps' }],
  ['REDIS_CLUSTER and REDIS_REPLICAS_MIN need REDIS_URL', { REDIS_CLUSTER: 'true' }],
  ['REDIS_CLUSTER and REDIS_REPLICAS_MIN need REDIS_URL', { REDIS_REPLICAS_MIN: '1' }],
  ['REDIS_PREFIX may hold letters, digits and : . _ - only', { REDIS_PREFIX: '{wasl}' }],
  ['REDIS_CA must be certificates as PEM', { REDIS_CA: '/etc/ca.pem' }],
  ['REDIS_SENTINELS must be a redis:// or rediss:// address', { REDIS_SENTINELS: 'sentinel-1:26379' }],
  [SENTINELS, { REDIS_SENTINELS: 'redis://one:26379' }],
  [SENTINELS, { REDIS_SENTINELS: 'redis://one:26379', REDIS_URL: 'redis://wallet', REDIS_CLUSTER: 'true' }],
  [SENTINELS, { REDIS_SENTINELS: 'redis://one:26379', REDIS_URL: 'redis://a,redis://b' }],
  ['REDIS_REPLICAS_MIN must be 0 to 9', { REDIS_REPLICAS_MIN: 'all' }],
  ['WALLET_URL must be an http or https address', { WALLET_URL: 'wallet.example' }],
  ['WALLET_URL must be an http or https address', { WALLET_URL: 'file:///etc' }],
  ['WALLET_API_KEY is set, but WALLET_URL is not', { WALLET_API_KEY: 'key' }],
  [
    'SECRETS_KEY must have at least 32 characters (a comma stands between two keys)',
    { SECRETS_KEY: 'short' },
  ],
  ['CHANNELS must be ussd, web, telegram or whatsapp, not fax', { CHANNELS: 'ussd,fax' }],
  ['TELEGRAM_BOT_TOKEN must be set for CHANNELS=telegram', { CHANNELS: 'web,telegram' }],
  [
    'TELEGRAM_BOT_TOKEN must be a token from @BotFather, such as 123456:ABC-DEF1234ghIkl',
    { TELEGRAM_BOT_TOKEN: 'my bot' },
  ],
  ['TELEGRAM_API_ROOT must be an http or https address', { TELEGRAM_API_ROOT: 'telegram.example' }],
  ['TELEGRAM_API_ROOT must not end with /', { TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/' }],
  ['PUBLIC_URL must be an http or https address', { PUBLIC_URL: 'wasl.example' }],
  [
    'PUBLIC_URL must be an https address: Telegram sends updates to no other',
    { TELEGRAM_BOT_TOKEN: TOKEN, PUBLIC_URL: 'http://wasl.example' },
  ],
  ['IDENTITY_PAGE must be an http or https address', { IDENTITY_PAGE: 'identity.example' }],
  [
    'IDENTITY_PAGE must be an https address: browsers give a camera to no other',
    { IDENTITY_PAGE: 'http://identity.example/sdk' },
  ],
  [
    'PUBLIC_URL must be set with IDENTITY_PAGE: the links to it are sent by SMS and in chats',
    { ...PRODUCTION, PUBLIC_URL: '', IDENTITY_PAGE: 'https://identity.example/sdk' },
  ],
  ['ROLES must be doors, worker or console, not door', { ROLES: 'door,worker' }],
  [
    'ROLES needs REDIS_URL and WALLET_URL: the embedded store and the sandbox belong to one process',
    { ROLES: 'doors' },
  ],
  [
    'ROLES needs REDIS_URL and WALLET_URL: the embedded store and the sandbox belong to one process',
    { ...PRODUCTION, ROLES: 'doors,worker' },
  ],
  [
    'ROLES=console needs SUPPORT=true',
    { ...PRODUCTION, REDIS_URL: 'redis://one', RECORDS_URL: RECORDS, ROLES: 'console' },
  ],
  [
    'RECORDS_URL must be set with Redis and a real wallet: Redis holds what is alive, and not what has happened',
    { ...PRODUCTION, REDIS_URL: 'redis://one' },
  ],
  [
    'SUPPORT=true with Redis needs RECORDS_URL: the console keeps its audit in PostgreSQL',
    { REDIS_URL: 'redis://one', SUPPORT: 'true' },
  ],
  [
    'RECORDS_URL must be a postgres:// address, such as postgres://user:password@host/database',
    { RECORDS_URL: 'mysql://one' },
  ],
  [
    'RECORDS_URL must be a postgres:// address, such as postgres://user:password@host/database',
    { RECORDS_URL: 'records' },
  ],
  [
    'RECORDS_KEEP_PAYMENTS_DAYS must be 30 or more, as payments are looked at for so long',
    { RECORDS_KEEP_PAYMENTS_DAYS: '29' },
  ],
  [
    'RECORDS_KEEP_AUDIT_DAYS must be 365 or more, as what was done at the console is asked about for so long',
    { RECORDS_KEEP_AUDIT_DAYS: '364', RECORDS_KEEP_EVENTS_DAYS: '90' },
  ],
  [
    'RECORDS_KEEP_AUDIT_DAYS must be RECORDS_KEEP_EVENTS_DAYS or more: what agents did is known for longer than what they did it about',
    { RECORDS_KEEP_EVENTS_DAYS: '731' },
  ],
  ['RECORDS_KEEP_EVENTS_DAYS must be a number from 1 to 99999999', { RECORDS_KEEP_EVENTS_DAYS: '0' }],
  ['TURNS_MAX must be a number from 1 to 99999999', { TURNS_MAX: '-1' }],
  ['DRAIN_MS must be milliseconds, 0 to 999999', { DRAIN_MS: '5s' }],
  ['METRICS_PORT must be a port number, 0 to 65535', { METRICS_PORT: 'yes' }],
  ['LANGUAGE must be fr, ar or en, not de', { LANGUAGE: 'de' }],
  ['CASH_IN must be agents, bill-network or both, not banks', { CASH_IN: 'banks' }],
  ['CASH_IN_FEES_PERCENT must be a percentage such as 1.5', { CASH_IN: 'both', CASH_IN_FEES_PERCENT: '1,5' }],
  ['CASH_IN_FEES_PERCENT must be a percentage such as 1.5', { CASH_IN: 'both', CASH_IN_FEES_PERCENT: '101' }],
  ['COOL_DOWN_HOURS must be hours, 0 to 720', { COOL_DOWN_HOURS: '721' }],
  ['UNUSUAL_FROM must be dirhams, 0 to 1000000', { UNUSUAL_FROM: '1 000' }],
  ['UNUSUAL_FACTOR must be a number of times, 0 to 1000', { UNUSUAL_FACTOR: '-1' }],
  ['CASH_IN_FEES_PERCENT needs CASH_IN=bill-network or CASH_IN=both', { CASH_IN_FEES_PERCENT: '1' }],
  [
    'CASH_POINTS_FR, CASH_POINTS_AR and CASH_POINTS_EN must be set together: every customer reads where to go',
    { CASH_POINTS_FR: 'Agences Atlas', CASH_POINTS_EN: 'Atlas branches' },
  ],
  ['CASH_POINTS_AR must have at most 120 characters', { CASH_POINTS_AR: 'م'.repeat(121) }],
  ['REFERENCE_VALID_HOURS must be hours, 1 to 2400', { REFERENCE_VALID_HOURS: '0' }],
  ['REFERENCE_VALID_HOURS must be hours, 1 to 2400', { REFERENCE_VALID_HOURS: '2 jours' }],
  ...[
    '500=5;2000=10',
    '5,500=5',
    '2000=10,500=5',
    '500=5,500=6',
    '500=-5',
    '500=',
    '=5',
    'gratuit',
    '1.5=5',
    '500=5,10 DH',
  ].map((CASH_OUT_FEES): [string, Record<string, string>] => [
    'CASH_OUT_FEES must be what a withdrawal costs up to an amount, such as 500=5,2000=10,15 (dirhams, the amounts in their order)',
    { CASH_OUT_FEES },
  ]),
  ['REFERENCE_SMS must be true or false', { REFERENCE_SMS: 'often' }],
  ['USSD_CODE must look like *123#', { USSD_CODE: '123' }],
  ['SUPPORT_PHONE must be a number to call, such as 0801 000 000', { SUPPORT_PHONE: 'our help desk' }],
  ...['5;10', '0,5', '10.5', 'dix', '50-10', '5-', '1,2,3,4,5,6,7,8', '20000'].map(
    (TOP_UP_AMOUNTS): [string, Record<string, string>] => [
      'TOP_UP_AMOUNTS must be at most 7 amounts in whole dirhams, such as 10,20,50,100 or 5-1000',
      { TOP_UP_AMOUNTS },
    ],
  ),
  ['RECIPIENT_NAMES must be off or masked, not full', { RECIPIENT_NAMES: 'full' }],
  ['RECIPIENT_NAMES must be off or masked, not true', { RECIPIENT_NAMES: 'true' }],
  ['TERMS_URL_AR must be an http or https address', { TERMS_URL_AR: 'wallet.example' }],
  ['FEES_URL must be an http or https address', { FEES_URL: 'wallet.example/fees' }],
  ['TERMS_URL must be an http or https address', { TERMS_URL: 'wallet.example/terms' }],
  [
    'USSD_ADDRESSES must be addresses such as 196.201.1.2 or 10.0.0.0/8',
    { USSD_ADDRESSES: 'gateway.example' },
  ],
  ['USSD_ADDRESSES must be addresses such as 196.201.1.2 or 10.0.0.0/8', { USSD_ADDRESSES: '10.0.0.0/33' }],
  [
    'TRUSTED_PROXIES must be addresses such as 196.201.1.2 or 10.0.0.0/8',
    { TRUSTED_PROXIES: '10.0.0.0/8/8' },
  ],
  ['EMBED_ORIGINS must be origins such as https://bank.example', { EMBED_ORIGINS: 'bank.example' }],
  [
    'EMBED_ORIGINS must be origins such as https://bank.example',
    { EMBED_ORIGINS: "https://a.example; script-src 'unsafe-inline'", SECURE: 'true' },
  ],
  [
    'EMBED_ORIGINS needs https (SECURE=true), as browsers send no cookie of ours to another page otherwise',
    { EMBED_ORIGINS: 'https://bank.example' },
  ],
  ['SECURE must be true or false', { SECURE: 'maybe' }],
  ['SMS_AT_USERNAME and SMS_AT_API_KEY must be set together', { SMS_AT_USERNAME: 'wasl' }],
  ['SMS_FOR must be a list of outcome, received, debit, or none', { SMS_FOR: 'outcome,everything' }],
  [NO_RECEIPT, { SMS_RECEIPTS: 'ussd:lottery' }],
  [NO_RECEIPT, { SMS_RECEIPTS: 'pigeon' }],
  ['SMS_MESSAGES_PER_DAY_MAX must be a number from 1 to 99999999', { SMS_MESSAGES_PER_DAY_MAX: '0' }],
  ['SMS_PER_HOUR_MAX must be a number from 1 to 99999999', { SMS_PER_HOUR_MAX: '0' }],
  ['SMS_PER_HOUR_MAX must be a number from 1 to 99999999', { SMS_PER_HOUR_MAX: 'many' }],
  ['SMS_PER_DAY_MAX must be a number from 1 to 99999999', { SMS_PER_DAY_MAX: '-5' }],
  ['SMS_PER_DAY_MAX must be a number from 1 to 99999999', { SMS_PER_DAY_MAX: '1000000000' }],
  ['SMS_AT_USERNAME and SMS_AT_API_KEY must be set together', { SMS_AT_SENDER: 'Wasl' }],
  ['SUPPORT must be true or false', { SUPPORT: 'perhaps' }],
  ['OIDC_ISSUER must be an https address', { OIDC_ISSUER: 'http://sign-in.example' }],
  [
    'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together',
    withoutOidc('OIDC_CLIENT_SECRET'),
  ],
  ['PUBLIC_URL must be set with OIDC_ISSUER, which sends people back there', withoutOidc('PUBLIC_URL')],
  ['OIDC_ROLES must be set with OIDC_ISSUER: nobody could sign in otherwise', withoutOidc('OIDC_ROLES')],
  ['OIDC_SCOPE must have the word openid', { ...OIDC, OIDC_SCOPE: 'profile roles' }],
  ['OIDC_SCOPE must be words with one space between them', { ...OIDC, OIDC_SCOPE: 'openid  profile' }],
  [
    'OIDC_ROLES must be pairs such as wallet-support=agent (roles here: viewer, auditor, agent, supervisor, admin)',
    { ...OIDC, OIDC_ROLES: 'wallet-support=boss' },
  ],
  ['LOG_LEVEL must be debug, info, warn, error or silent, not loud', { LOG_LEVEL: 'loud' }],
];

describe('a setting that cannot be meant stops the start with a sentence that names it', () => {
  test.each(REFUSED)('%s: %j', (refused, env) => {
    expect(readConfig(env)).toEqual({ refused });
  });
});

describe('a real wallet is refused without its protection', () => {
  test.each<[string, Env]>([
    ['WALLET_URL is set, so WALLET_API_KEY must be set too', without('WALLET_API_KEY')],
    ['SECRETS_KEY must be set with a real wallet (32 random characters or more)', without('SECRETS_KEY')],
    ['WEBHOOK_KEYS must be set with a real wallet', without('WEBHOOK_KEYS')],
    ['WEBHOOK_KEYS must be set with a real wallet', { ...PRODUCTION, WEBHOOK_KEYS: ' , ' }],
    [
      'USSD_SECRETS or USSD_ADDRESSES must be set with a real wallet, or CHANNELS=web to go without USSD',
      without('USSD_SECRETS'),
    ],
  ])('%s', (refused, env) => {
    expect(readConfig(env)).toEqual({ refused });
  });

  test('the keys that the sandbox is happy with are none', () => {
    const sandbox = configOf({});
    expect(readConfig({ ...PRODUCTION, SECRETS_KEY: sandbox.secretsKeys.join() })).toHaveProperty('refused');
    expect(readConfig({ ...PRODUCTION, WEBHOOK_KEYS: sandbox.webhookKeys.join() })).toHaveProperty('refused');
  });
});

/** Unusual settings that are accepted. */
const ACCEPTED: readonly [what: string, Env][] = [
  ['a webhook for Telegram', { TELEGRAM_BOT_TOKEN: TOKEN, PUBLIC_URL: 'https://wasl.example' }],
  [
    'a Bot API server of one’s own, which may send by http',
    {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: 'http://127.0.0.1:8082',
      PUBLIC_URL: 'http://10.0.0.7:8080',
    },
  ],
  ['a real wallet without USSD', { ...without('USSD_SECRETS'), CHANNELS: 'web' }],
  [
    'a gateway known by its addresses',
    { ...without('USSD_SECRETS'), USSD_ADDRESSES: '196.201.1.2, 10.0.0.0/8, 2001:db8::/32' },
  ],
  [
    'two webhook keys while one replaces the other',
    { ...PRODUCTION, WEBHOOK_KEYS: 'the old key: qmvwtzk,the new key: pbxhdry' },
  ],
  ['records in PostgreSQL beside the embedded store', { ...PRODUCTION, RECORDS_URL: RECORDS }],
  [
    'Redis without records beside a sandbox that runs alone',
    {
      ...PRODUCTION,
      WALLET_URL: 'http://127.0.0.1:1',
      WALLET_API_KEY: SANDBOX_API_KEY,
      REDIS_URL: 'redis://one',
    },
  ],
  ['Redis and its records', { ...PRODUCTION, REDIS_URL: 'redis://one', RECORDS_URL: RECORDS }],
  ['nodes of a Redis Cluster', { REDIS_URL: 'redis://a:7000,redis://b:7000', REDIS_CLUSTER: 'true' }],
  ['a chat in a partner’s page', { ...PRODUCTION, EMBED_ORIGINS: 'https://bank.example' }],
  ['an empty setting is one that is not set', { PORT: '', REDIS_URL: '', SECURE: '' }],
  [
    'variables that are not ours',
    { PATH: '/usr/bin', HOME: '/root', HOSTNAME: 'wasl-1', PORTAL: 'x', LANG: 'fr_MA' },
  ],
  [
    'what Kubernetes makes of services called wasl, wallet, redis and sandbox',
    {
      ...PRODUCTION,
      WASL_SERVICE_HOST: '10.0.0.1',
      WASL_SERVICE_PORT: '8080',
      WASL_SERVICE_PORT_HTTP: '8080',
      WALLET_PORT: 'tcp://10.0.0.2:443',
      WALLET_PORT_443_TCP: 'tcp://10.0.0.2:443',
      WALLET_PORT_443_TCP_PROTO: 'tcp',
      WALLET_PORT_443_TCP_PORT: '443',
      WALLET_PORT_443_TCP_ADDR: '10.0.0.2',
      REDIS_SERVICE_HOST: '10.0.0.3',
      // Ours by its name, theirs by what it says.
      SANDBOX_PORT: 'tcp://10.0.0.4:8081',
    },
  ],
  ['the demo on a public interface that is asked for', { HOST: '0.0.0.0', SANDBOX: 'true' }],
  ['the demo of this machine alone', { HOST: 'localhost' }],
  ['a wallet on this very machine, by http', { ...PRODUCTION, WALLET_URL: 'http://127.0.0.1:8081' }],
  [
    'a wallet in a network of one’s own, by http',
    { ...PRODUCTION, WALLET_URL: 'http://wallet:8081', WALLET_INSECURE: 'true' },
  ],
  [
    'keys of 32 random hexadecimal digits',
    { ...PRODUCTION, SECRETS_KEY: '9f86d081884c7d659a2feaa0c55ad015' },
  ],
];

describe('settings that are accepted', () => {
  test('nothing set: the sandbox, on ports 8080 and 8081, for this machine alone', () => {
    expect(configOf({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      CHANNELS: ['ussd', 'web'],
      wallet: { kind: 'sandbox', port: 8081 },
      secure: false,
    });
  });

  test('a real wallet, by https and with its own keys only', () => {
    expect(configOf(PRODUCTION)).toMatchObject({
      wallet: { kind: 'partner', url: 'https://wallet.example', apiKey: 'the partner key' },
      secretsKeys: [PRODUCTION.SECRETS_KEY],
      webhookKeys: ['one webhook key of the tests'],
      secure: true,
    });
  });

  test.each<[string, Env, boolean]>([
    ['beside the sandbox it is open', {}, true],
    ['unless it is closed', { SUPPORT: 'false' }, false],
    ['unless a Redis has no records beside it', { REDIS_URL: 'redis://one' }, false],
    ['with a real wallet it is closed', PRODUCTION, false],
    ['unless it is opened', { ...PRODUCTION, SUPPORT: 'true' }, true],
  ])('the support console: %s', (_, env, isOpen) => {
    expect(configOf(env).SUPPORT).toBe(isOpen);
  });

  test('the company’s own sign-in, and its roles here', () => {
    expect(configOf({}).oidc).toBeUndefined();
    const SUPPORT_URL = 'https://console.internal';
    expect(configOf({ ...OIDC, SUPPORT_URL }).oidc?.publicUrl).toBe(SUPPORT_URL);
    expect(configOf(OIDC).oidc).toEqual({
      issuer: 'https://sign-in.example',
      clientId: 'wasl',
      clientSecret: 'a secret',
      scope: 'openid profile',
      roleClaim: 'roles',
      roles: { 'wallet-support': 'agent', 'wallet-leads': 'supervisor' },
      publicUrl: 'https://wasl.example',
    });
  });

  test.each<[string, Env, readonly string[]]>([
    ['a token opens Telegram', { TELEGRAM_BOT_TOKEN: TOKEN }, ['ussd', 'web', 'telegram']],
    ['only what is named is open', { TELEGRAM_BOT_TOKEN: TOKEN, CHANNELS: 'web' }, ['web']],
    ['Telegram alone', { TELEGRAM_BOT_TOKEN: TOKEN, CHANNELS: 'telegram' }, ['telegram']],
  ])('%s', (_, env, channels) => {
    expect(configOf(env).CHANNELS).toEqual(channels);
  });

  test.each(ACCEPTED)('%s', (_, env) => {
    configOf(env);
  });
});

describe('a name that is nearly a setting’s is refused with the one that was meant', () => {
  test.each<[string, string, Env]>([
    ['another case', 'WALLET_URl is not a setting: WALLET_URL is', rename('WALLET_URL', 'WALLET_URl')],
    ['in small letters', 'redis_url is not a setting: REDIS_URL is', { redis_url: 'redis://a' }],
    [
      'a letter too many',
      'PUBLIC_URLS is not a setting: PUBLIC_URL is',
      { PUBLIC_URLS: 'https://a.example' },
    ],
    ['a letter missing', 'SECRET_KEY is not a setting: SECRETS_KEY is', rename('SECRETS_KEY', 'SECRET_KEY')],
    ['two letters swapped', 'WALLET_RUL is not a setting: WALLET_URL is', rename('WALLET_URL', 'WALLET_RUL')],
    ['another sign between words', 'LOG-LEVEL is not a setting: LOG_LEVEL is', { 'LOG-LEVEL': 'info' }],
    ['no sign between words', 'USSDCODE is not a setting: USSD_CODE is', { USSDCODE: '*1#' }],
    ['our name before it', 'WASL_REDIS_URL is not a setting: REDIS_URL is', { WASL_REDIS_URL: 'redis://a' }],
    [
      'near to none, of a family of ours',
      'WALLET_TOKEN is not a setting (docs/operator/settings.md lists them)',
      { WALLET_TOKEN: 'x' },
    ],
    [
      'near to none, with our name',
      'WASL_MODE is not a setting (docs/operator/settings.md lists them)',
      { WASL_MODE: 'demo' },
    ],
  ])('%s: %s', (_, refused, env) => {
    expect(readConfig(env)).toEqual({ refused });
  });

  test('an empty one is not set', () => {
    configOf({ WALLET_URl: '' });
  });
});

describe('the demo is asked for', () => {
  const OPEN =
    'WALLET_URL must be set, or SANDBOX=true where a demo with play money is meant to be open to the network';
  test.each<[string, Env]>([
    [`${OPEN} (HOST=0.0.0.0)`, { HOST: '0.0.0.0' }],
    [`${OPEN} (HOST=::)`, { HOST: '::' }],
    [`${OPEN} (HOST=192.0.2.7)`, { HOST: '192.0.2.7' }],
    [
      'SANDBOX=true is play money and WALLET_URL is not: only one of them can be set',
      { ...PRODUCTION, SANDBOX: 'true' },
    ],
    ['WALLET_URL must be set with SANDBOX=false', { SANDBOX: 'false' }],
    ['SANDBOX must be true or false', { SANDBOX: 'please' }],
  ])('%s', (refused, env) => {
    expect(readConfig(env)).toEqual({ refused });
  });

  test('a mistyped WALLET_URL does not open it to the world', () => {
    const env = { ...rename('WALLET_URL', 'WALLET_URl'), HOST: '0.0.0.0' };
    expect(readConfig(env)).toEqual({ refused: 'WALLET_URl is not a setting: WALLET_URL is' });
  });
});

describe('least strengths', () => {
  const guessed = 'can be guessed: take a random one, for example from `openssl rand -base64 32`';
  test.each<[string, Env]>([
    [`SECRETS_KEY ${guessed}`, { SECRETS_KEY: 'x'.repeat(32) }],
    [`SECRETS_KEY ${guessed}`, { SECRETS_KEY: 'changeme'.repeat(5) }],
    [`SECRETS_KEY ${guessed}`, { SECRETS_KEY: '0123456789abcdefghijklmnopqrstuvwxyz' }],
    [`SECRETS_KEY ${guessed}`, { SECRETS_KEY: `${PRODUCTION.SECRETS_KEY},${'y'.repeat(40)}` }],
    ...[
      'MySuperSecretKeyForProduction2024!',
      'correct horse battery staple and more',
      'Th3-Wallet-Of-Our-Customers-Is-S3cret!',
      'une longue phrase que personne ne connait',
    ].map((key): [string, Env] => [
      'SECRETS_KEY does not look generated: take the one that `wasl keys` makes',
      { ...PRODUCTION, SECRETS_KEY: key },
    ]),
    ...(['WEBHOOK_KEYS', 'USSD_SECRETS', 'WALLET_API_KEY'] as const).map((name): [string, Env] => [
      `SECRETS_KEY and ${name} are the same secret: each needs one of its own (\`wasl keys\`)`,
      { ...PRODUCTION, [name]: PRODUCTION.SECRETS_KEY as string },
    ]),
    [
      'WEBHOOK_KEYS and USSD_SECRETS are the same secret: each needs one of its own (`wasl keys`)',
      { ...PRODUCTION, USSD_SECRETS: `another secret of the tests,${PRODUCTION.WEBHOOK_KEYS}` },
    ],
    ['WEBHOOK_KEYS must have at least 16 characters each', { ...PRODUCTION, WEBHOOK_KEYS: 'a' }],
    [
      'WEBHOOK_KEYS must have at least 16 characters each',
      { ...PRODUCTION, WEBHOOK_KEYS: `${PRODUCTION.WEBHOOK_KEYS},short` },
    ],
    [`WEBHOOK_KEYS ${guessed}`, { ...PRODUCTION, WEBHOOK_KEYS: '1234567890123456' }],
    ['USSD_SECRETS must have at least 16 characters each', { ...PRODUCTION, USSD_SECRETS: 'gateway' }],
    [`USSD_SECRETS ${guessed}`, { ...PRODUCTION, USSD_SECRETS: 'passwordpassword' }],
    [
      'WEBHOOK_KEYS names the key of the sandbox, which everybody knows',
      { ...PRODUCTION, WEBHOOK_KEYS: `${PRODUCTION.WEBHOOK_KEYS},sandbox-webhook-key` },
    ],
    [
      'WALLET_API_KEY is the key of the sandbox, which everybody knows',
      { ...PRODUCTION, WALLET_API_KEY: API_KEY_DEFAULT },
    ],
    [
      'USSD_ADDRESSES must name networks, not nearly everybody (0.0.0.0/0)',
      { ...PRODUCTION, USSD_ADDRESSES: '196.201.1.2,0.0.0.0/0' },
    ],
    ['USSD_ADDRESSES must name networks, not nearly everybody (0.0.0.0/1)', { USSD_ADDRESSES: '0.0.0.0/1' }],
    ['TRUSTED_PROXIES must name networks, not nearly everybody (::/0)', { TRUSTED_PROXIES: '::/0' }],
    [
      'WALLET_URL must be https, as PINs are sent there (WALLET_INSECURE=true allows http in a network of your own)',
      { ...PRODUCTION, WALLET_URL: 'http://wallet.example' },
    ],
    [
      'WALLET_URL must be https, as PINs are sent there (WALLET_INSECURE=true allows http in a network of your own)',
      { ...PRODUCTION, WALLET_URL: 'http://127.0.0.1.wallet.example' },
    ],
  ])('%s: %j', (refused, env) => {
    expect(readConfig(env)).toEqual({ refused });
  });
});

test('everything that is missing is named at once', () => {
  expect(readConfig({ WALLET_URL: 'https://wallet.example', PUBLIC_URl: 'https://a.example' })).toEqual({
    refused: [
      'PUBLIC_URl is not a setting: PUBLIC_URL is',
      'WALLET_URL is set, so WALLET_API_KEY must be set too',
      'SECRETS_KEY must be set with a real wallet (32 random characters or more)',
      'WEBHOOK_KEYS must be set with a real wallet',
      'USSD_SECRETS or USSD_ADDRESSES must be set with a real wallet, or CHANNELS=web to go without USSD',
    ].join('; '),
  });
  expect(readConfig({ PORT: 'abc', LANGUAGE: 'de' })).toEqual({
    refused: 'PORT must be a port number, 0 to 65535; LANGUAGE must be fr, ar or en, not de',
  });
});

describe('cases', () => {
  const KEY = 'bS7vQ2nX9wLr4TzKp8YcHj3MdF6gA1eU';
  const minutes = (count: number) => count * 60_000;

  test.each<[string, Env, object]>([
    [
      'by themselves',
      {},
      {
        levels: { asked: minutes(15), stuck: minutes(30), payment: minutes(240), webhook: minutes(480) },
        notifies: false,
      },
    ],
    [
      'as the operator says',
      {
        CASE_MINUTES: 'asked=5, payment=60',
        SUPPORT_HOURS: 'Sat-Sun 10:00-12:00, Mon 13:00-18:00, Mon 08:30-12:30',
        CASE_WEBHOOK_URL: 'https://tools.example/cases',
        CASE_WEBHOOK_KEY: KEY,
      },
      {
        levels: { asked: minutes(5), stuck: minutes(30), payment: minutes(60), webhook: minutes(480) },
        hours: [
          [[600, 720]],
          [
            [510, 750],
            [780, 1_080],
          ],
          [],
          [],
          [],
          [],
          [[600, 720]],
        ],
        notifies: true,
      },
    ],
  ])('%s', (_name, env, cases) => {
    expect(readConfig(env)).toMatchObject({ cases });
  });

  test.each<[string, Env]>([
    ['CASE_MINUTES', { CASE_MINUTES: 'asked' }],
    ['CASE_MINUTES', { CASE_MINUTES: 'asked=0' }],
    ['CASE_MINUTES', { CASE_MINUTES: 'loans=5' }],
    ['SUPPORT_HOURS', { SUPPORT_HOURS: 'always' }],
    ['SUPPORT_HOURS', { SUPPORT_HOURS: 'Mon 18:00-08:00' }],
    ['SUPPORT_HOURS', { SUPPORT_HOURS: 'Lun 08:00-18:00' }],
    ['SUPPORT_HOURS', { SUPPORT_HOURS: 'Mon 08:00-25:00' }],
    ['CASE_WEBHOOK_KEY must be set together', { CASE_WEBHOOK_URL: 'https://tools.example/cases' }],
    [
      'CASE_WEBHOOK_URL must be an https',
      { CASE_WEBHOOK_URL: 'http://tools.example', CASE_WEBHOOK_KEY: KEY },
    ],
    [
      'CASE_WEBHOOK_KEY must have at least 32',
      { CASE_WEBHOOK_URL: 'https://t.example', CASE_WEBHOOK_KEY: 'short' },
    ],
    [
      'CASE_WEBHOOK_KEY can be guessed',
      { CASE_WEBHOOK_URL: 'https://t.example', CASE_WEBHOOK_KEY: 'a'.repeat(40) },
    ],
  ])('a wrong value is refused: %s %o', (why, env) => {
    expect(readConfig(env)).toEqual({ refused: expect.stringContaining(why) });
  });
});

describe('cash', () => {
  const POINTS = {
    CASH_POINTS_FR: 'Agences Atlas',
    CASH_POINTS_AR: 'وكالات أطلس',
    CASH_POINTS_EN: 'Atlas branches',
  };
  const { CASH_POINTS_FR: fr, CASH_POINTS_AR: ar, CASH_POINTS_EN: en } = POINTS;

  test.each<[string, Env, object]>([
    [
      'beside the sandbox',
      {},
      {
        ways: ['agents'],
        feesPercent: 0,
        outFees: [{ feeDirhams: 0 }],
        sms: true,
        validHours: 48,
        ownAgent: 'PA-1001',
        principalAgent: 'PA-1001',
      },
    ],
    [
      'with a real wallet nothing is known',
      PRODUCTION,
      { ways: ['agents'], feesPercent: 0, outFees: [], sms: true },
    ],
    [
      'as the operator says',
      {
        ...PRODUCTION,
        ...POINTS,
        CASH_IN: 'both',
        CASH_IN_FEES_PERCENT: '1.25',
        CASH_OUT_FEES: '500=5, 2000=7.5, 15',
        REFERENCE_VALID_HOURS: '72',
        REFERENCE_SMS: 'false',
        CASH_POINTS_AGENT: 'PA-7',
      },
      {
        ways: ['agents', 'bill-network'],
        feesPercent: 1.25,
        outFees: [
          { upToDirhams: 500, feeDirhams: 5 },
          { upToDirhams: 2000, feeDirhams: 7.5 },
          { feeDirhams: 15 },
        ],
        sms: false,
        validHours: 72,
        principalAgent: 'PA-7',
        points: { fr, ar, en },
      },
    ],
  ])('%s', (_, env, cash) => {
    expect(configOf(env).cash).toEqual(cash);
  });

  test.each<[string, Env, string]>([
    ['beside the sandbox', {}, 'the retail agents of PA-1001 that have an address are named'],
    ['with sentences of one’s own', POINTS, 'where to go is said as you have set it'],
    [
      'at both',
      { CASH_IN: 'both', CASH_IN_FEES_PERCENT: '2' },
      'at agents or at counters of the bill network (2 % on top)',
    ],
    ['without SMS', { REFERENCE_SMS: 'false' }, 'SMS of references off'],
  ])('`wasl check` says how it is paid in: %s', (_, env, said) => {
    expect(reportOf(configOf(env)).find((line) => line.startsWith('Cash: '))).toContain(said);
  });
});

describe('`wasl check` names the work of a process', () => {
  const doors = { ...PRODUCTION, REDIS_URL: 'rediss://redis.example', RECORDS_URL: RECORDS, SUPPORT: 'true' };
  test.each<[string, Env, readonly string[]]>([
    [
      'of doors',
      { ROLES: 'doors', METRICS_PORT: '9464' },
      [
        'Roles: doors',
        'Open: USSD (with one of 1 secrets)',
        'Closed: support console',
        'Metrics: on 127.0.0.1:9464',
      ],
    ],
    [
      'of a console',
      { ROLES: 'console' },
      [
        'Roles: console',
        'Closed: USSD',
        'Closed: web chat',
        'Closed: webhooks of the wallet',
        'Open: support console (password and code)',
        'Metrics: nothing is measured (METRICS_PORT is not set)',
      ],
    ],
  ])('%s', (_, env, lines) => {
    const config = configOf({ ...doors, ...env });
    expect(reportOf(config)).toEqual(expect.arrayContaining([...lines]));
    expect(warningsOf(config).some((line) => line.startsWith('METRICS_PORT'))).toBe(
      env.METRICS_PORT === undefined,
    );
  });

  test.each([
    ['a worker, which sends it', { ROLES: 'worker' }, true],
    ['a console', { ROLES: 'console', SUPPORT: 'true' }, true],
    ['doors', { ROLES: 'doors' }, false],
    ['all of them, without a console', { SUPPORT: 'false' }, false],
  ])('an audit without a witness is named to %s', (_, env, isNamed) => {
    const warnings = warningsOf(configOf({ ...doors, SUPPORT: 'false', ...env }));
    expect(warnings.some((line) => line.startsWith('AUDIT_WITNESS_URL'))).toBe(isNamed);
  });
});

describe('settings of confirmations and waiting times', () => {
  test.each<[string, Env, readonly number[]]>([
    ['where nothing is set', {}, [0, 3, 1_000, 1_000, 24]],
    [
      'as the operator says',
      {
        NEW_RECIPIENT_ASKS_FROM: '500',
        UNUSUAL_FACTOR: '5',
        UNUSUAL_FROM: '2000',
        COOL_DOWN_ABOVE: '300',
        COOL_DOWN_HOURS: '48',
      },
      [500, 5, 2_000, 300, 48],
    ],
  ])('%s', (_, env, values) => {
    expect(Object.values(configOf(env).safety)).toEqual(values);
    const said = reportOf(configOf(env)).find((line) => line.startsWith('Safety: '));
    expect(said?.match(/\d+/g)?.map(Number)).toEqual([values[0], values[2], values[1], values[3], values[4]]);
  });
});

describe('settings from files, as container secrets come', () => {
  const directory = newDirectory('settings');
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };

  test('a file has the value of its setting, without the line end', () => {
    const { SECRETS_KEY: _key, WEBHOOK_KEYS: _keys, ...others } = PRODUCTION;
    const config = configOf({
      ...others,
      SECRETS_KEY_FILE: file('key', `${PRODUCTION.SECRETS_KEY}\n`),
      WEBHOOK_KEYS_FILE: file('keys', 'one webhook key of the tests\r\n'),
    });
    expect(config.secretsKeys).toEqual([PRODUCTION.SECRETS_KEY]);
    expect(config.webhookKeys).toEqual(['one webhook key of the tests']);
  });

  test.each<[string, () => Env]>([
    ['SECRETS_KEY_FILE cannot be read (ENOENT)', () => ({ SECRETS_KEY_FILE: join(directory, 'none') })],
    ['SECRETS_KEY_FILE cannot be read (EISDIR)', () => ({ SECRETS_KEY_FILE: directory })],
    ['SECRETS_KEY_FILE is empty', () => ({ SECRETS_KEY_FILE: file('empty', '\n') })],
    [
      'SECRETS_KEY_FILE has more than 65536 bytes',
      () => ({ SECRETS_KEY_FILE: file('long', 'x'.repeat(70_000)) }),
    ],
    [
      'REDIS_URL and REDIS_URL_FILE are both set: only one of them can be',
      () => ({ REDIS_URL: 'redis://a', REDIS_URL_FILE: file('url', 'redis://b') }),
    ],
    [
      'SECRETS_KEY_FIEL is not a setting: SECRETS_KEY_FILE is',
      () => ({ SECRETS_KEY_FIEL: file('meant', PRODUCTION.SECRETS_KEY as string) }),
    ],
    ['PORT must be a port number, 0 to 65535', () => ({ PORT_FILE: file('port', 'abc') })],
  ])('%s', (refused, env) => {
    expect(readConfig(env())).toEqual({ refused });
  });
});

test('the key that the sandbox takes is the one that is refused elsewhere', () => {
  expect(SANDBOX_API_KEY).toBe(API_KEY_DEFAULT);
});

describe('`wasl keys`', () => {
  test('makes one of each, which the settings take, and others each time', () => {
    const made = () =>
      Object.fromEntries(
        newKeys()
          .split('\n')
          .map((line) => line.split('=')),
      );
    const all = Array.from({ length: 200 }, made);
    for (const keys of all) configOf({ ...PRODUCTION, CASE_WEBHOOK_URL: 'https://cases.example', ...keys });
    expect(new Set(all.flatMap((keys) => Object.values(keys)))).toHaveProperty('size', 800);
  });

  test.each([
    ['hexadecimal', (bytes: Buffer) => bytes.toString('hex')],
    ['Base64', (bytes: Buffer) => bytes.toString('base64')],
    ['half of it', (bytes: Buffer) => bytes.subarray(0, 16).toString('hex')],
  ])('nearly every generated key looks generated: %s', (_, written) => {
    const keys = Array.from({ length: 2_000 }, (__, i) =>
      written(createHash('sha256').update(`${i}`).digest()),
    );
    expect(keys.filter((key) => !looksGenerated(key)).length).toBeLessThan(5);
  });
});

describe('SECRETS_KEY_COMMAND', () => {
  const { SECRETS_KEY: key = '', ...others } = PRODUCTION;
  const prints = (text: string) =>
    `"${process.execPath}" -e "process.stdout.write(${JSON.stringify(text).replaceAll('"', "'")})"`;

  test('runs the operator’s program, which prints the key, or the ring of keys', () => {
    expect(configOf({ ...others, SECRETS_KEY_COMMAND: prints(`${key}\n`) }).secretsKeys).toEqual([key]);
    const ring = `${key},Zt4vQm9Lw2Xc7Bn5Kd8Rf3Hs6Jp1Yg0A`;
    expect(configOf({ ...others, SECRETS_KEY_COMMAND: prints(ring) }).secretsKeys).toHaveLength(2);
  });

  test.each<[string, Env]>([
    ['SECRETS_KEY_COMMAND does not work (3)', { SECRETS_KEY_COMMAND: 'exit 3' }],
    ['SECRETS_KEY_COMMAND does not work (127)', { SECRETS_KEY_COMMAND: 'no-such-program-of-ours 2>&-' }],
    ['SECRETS_KEY_COMMAND prints nothing', { SECRETS_KEY_COMMAND: 'true' }],
    [
      'SECRETS_KEY must have at least 32 characters (a comma stands between two keys)',
      { SECRETS_KEY_COMMAND: 'echo short' },
    ],
    [
      'SECRETS_KEY_COMMAND and SECRETS_KEY are both set: only one of them can be',
      { SECRETS_KEY: key, SECRETS_KEY_COMMAND: 'true' },
    ],
  ])('%s', (refused, env) => {
    const said = readConfig({ ...others, ...env });
    expect(said).toHaveProperty('refused', expect.stringContaining(refused));
    expect(JSON.stringify(said)).not.toContain(key);
  });
});
