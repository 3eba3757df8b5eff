import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../src/config.ts';

type Env = Readonly<Record<string, string>>;

/** Everything that a real wallet needs, and nothing else. */
const PRODUCTION: Env = {
  WALLET_URL: 'https://wallet.example',
  WALLET_API_KEY: 'the partner key',
  SECRETS_KEY: 'x'.repeat(32),
  WEBHOOK_KEYS: 'one webhook key',
  USSD_SECRETS: 'one ussd secret',
};

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

function accepted(env: Env): Config {
  const config = readConfig(env);
  if ('refused' in config) throw new Error(config.refused);
  return config;
}

function without(name: string): Env {
  return Object.fromEntries(Object.entries(PRODUCTION).filter(([each]) => each !== name));
}

describe('a setting that cannot be meant stops the start with a sentence that names it', () => {
  test.each<[string, Env]>([
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
    ['SECRETS_KEY must have at least 32 characters', { SECRETS_KEY: 'short' }],
    ['CHANNELS must be ussd or web or telegram', { CHANNELS: 'ussd,fax' }],
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
    ['LANGUAGE must be fr or ar or en', { LANGUAGE: 'de' }],
    ['USSD_CODE must look like *123#', { USSD_CODE: '123' }],
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
    ['SMS_AT_USERNAME and SMS_AT_API_KEY must be set together', { SMS_AT_SENDER: 'Wasl' }],
    ['SUPPORT must be true or false', { SUPPORT: 'perhaps' }],
    ['OIDC_ISSUER must be an https address', { OIDC_ISSUER: 'http://sign-in.example' }],
    [
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together',
      { OIDC_ISSUER: 'https://sign-in.example' },
    ],
    ['PUBLIC_URL must be set with OIDC_ISSUER, which sends people back there', withoutOidc('PUBLIC_URL')],
    ['OIDC_ROLES must be set with OIDC_ISSUER: nobody could sign in otherwise', withoutOidc('OIDC_ROLES')],
    [
      'OIDC_ROLES must be pairs such as wallet-support=agent (roles here: viewer, agent, supervisor, admin)',
      { ...OIDC, OIDC_ROLES: 'wallet-support=boss' },
    ],
    ['LOG_LEVEL must be debug or info or warn or error or silent', { LOG_LEVEL: 'loud' }],
  ])('%s: %j', (refused, env) => {
    expect(readConfig(env)).toEqual({ refused });
  });
});

describe('a real wallet is refused without what protects it', () => {
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
    const sandbox = accepted({});
    expect(readConfig({ ...PRODUCTION, SECRETS_KEY: sandbox.secretsKey })).toHaveProperty('refused');
    expect(readConfig({ ...PRODUCTION, WEBHOOK_KEYS: sandbox.webhookKeys.join() })).toHaveProperty('refused');
  });
});

describe('settings that are accepted', () => {
  test('nothing set: the sandbox, on ports 8080 and 8081, for this machine alone', () => {
    expect(accepted({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      CHANNELS: ['ussd', 'web'],
      wallet: { kind: 'sandbox', port: 8081 },
      secure: false,
    });
  });

  test('a real wallet, by https and with its own keys only', () => {
    expect(accepted(PRODUCTION)).toMatchObject({
      wallet: { kind: 'partner', url: 'https://wallet.example', apiKey: 'the partner key' },
      secretsKey: 'x'.repeat(32),
      webhookKeys: ['one webhook key'],
      secure: true,
    });
  });

  test.each<[string, Env, boolean]>([
    ['beside the sandbox it is open', {}, true],
    ['unless it is closed', { SUPPORT: 'false' }, false],
    ['with a real wallet it is closed', PRODUCTION, false],
    ['unless it is opened', { ...PRODUCTION, SUPPORT: 'true' }, true],
  ])('the support console: %s', (_, env, isOpen) => {
    expect(accepted(env).SUPPORT).toBe(isOpen);
  });

  test('the company’s own sign-in, and what its roles are here', () => {
    expect(accepted({}).oidc).toBeUndefined();
    expect(accepted(OIDC).oidc).toEqual({
      issuer: 'https://sign-in.example',
      clientId: 'wasl',
      clientSecret: 'a secret',
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
    expect(accepted(env).CHANNELS).toEqual(channels);
  });

  test.each<[string, Env]>([
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
    ['two webhook keys while one replaces the other', { ...PRODUCTION, WEBHOOK_KEYS: 'old,new' }],
    ['nodes of a Redis Cluster', { REDIS_URL: 'redis://a:7000,redis://b:7000', REDIS_CLUSTER: 'true' }],
    ['a chat in a partner’s page', { ...PRODUCTION, EMBED_ORIGINS: 'https://bank.example' }],
    ['an empty setting is one that is not set', { PORT: '', REDIS_URL: '', SECURE: '' }],
    ['variables that are not ours', { PATH: '/usr/bin', PORTAL: 'x' }],
  ])('%s', (_, env) => {
    accepted(env);
  });
});
