import { nameOf } from '../channels/smpp/settings.ts';
import { type Config, isPublished, isThisMachine } from '../config.ts';
import { CHANNEL_NAMES, type ChannelName } from '../conversation/channel.ts';
import { valuesOf } from './gateways.ts';
import { bitsOf, looksGenerated } from './strength.ts';

/** From here on nobody finds a secret by trying, and between the two nobody does at a door with limits. */
const STRONG_BITS = 100;
const GOOD_BITS = 60;

/**
 * The meaning of the settings, in lines for the operator (`wasl check`): which money, which doors are open to whom, how
 * strong each secret is. No line quotes a secret.
 */
export function reportOf(config: Config): string[] {
  const { wallet, HOST, PORT } = config;
  return [
    wallet.kind === 'sandbox'
      ? `Money: play money, the sandbox that Wasl brings along on ${HOST}:${wallet.port}`
      : `Money: real, the wallet at ${new URL(wallet.url).origin}`,
    `Roles: ${config.ROLES.join(', ')}`,
    `Listening on ${HOST}:${PORT}`,
    `Metrics: ${config.METRICS_PORT === undefined ? 'nothing is measured (METRICS_PORT is not set)' : `on ${HOST}:${config.METRICS_PORT}`}`,
    `Customers are told to call: ${config.SUPPORT_PHONE ?? nobodyIn(config)}`,
    `They read the terms of use at: ${pagesOf(config, 'TERMS_URL')}`,
    `They read the tariffs at: ${pagesOf(config, 'FEES_URL')}`,
    ...doorsIn(config),
    ...secretsIn(config),
    `Cash: ${cashIn(config)}`,
    `Safety: ${safetyIn(config)}`,
    `Store: ${storeIn(config)}`,
    `Records: ${recordsIn(config)}`,
  ];
}

/** Warns of unprotected doors and missing services, at the start and in `wasl check`. */
export function warningsOf(config: Config): string[] {
  const { wallet, CHANNELS, PUBLIC_URL, REDIS_URL, RECORDS_URL, HOST } = config;
  const isReal = wallet.kind === 'partner';
  const isSmsMissing = isReal && !sendsSms(config);
  const inClear = config.SMPP_BINDS.filter(({ tls, host }) => !tls && !isThisMachine(host)).map(nameOf);
  const isInClear = isReal && wallet.url.startsWith('http:') && !isThisMachine(new URL(wallet.url).hostname);
  const warnings: readonly (readonly [holds: boolean, sentence: string])[] = [
    [
      isReal && !config.secure,
      'SECURE=false: the cookie of the chat also goes over http, where others can take it',
    ],
    [isInClear, 'WALLET_INSECURE=true: PINs go to the wallet in clear'],
    [
      inClear.length > 0,
      `SMPP_BINDS: PINs come in clear from ${inClear.join(', ')} (ssmpp:// is encrypted, as a VPN is)`,
    ],
    [
      config.SECRETS_KEY_LOST,
      'SECRETS_KEY_LOST=true: any key is taken for the one that was lost; take the setting away again',
    ],
    [
      config.STORE_RESTORED,
      'STORE_RESTORED=true: an old copy of the live store would be started with; take the setting away again',
    ],
    [
      !isReal && !isThisMachine(HOST),
      'SANDBOX=true: whoever reaches this address is an administrator of the demo',
    ],
    [
      isReal && !PUBLIC_URL?.startsWith('https:'),
      'PUBLIC_URL is no https address: no link can lead customers here',
    ],
    [
      isSmsMissing,
      'no SMS is configured: outcomes wait for the next dial, and chats are linked by a code that USSD shows',
    ],
    [
      CHANNELS.includes('web') && config.secure && config.TRUSTED_PROXIES.length === 0,
      'TRUSTED_PROXIES is not set: behind a proxy all chats share one network address and its limits',
    ],
    [
      isReal && hasAudit(config) && !config.AUDIT_WITNESS_URL,
      'AUDIT_WITNESS_URL is not set, from which workers send the witness: an audit that was put back to an older state, or wiped, verifies as whole',
    ],
    [
      isReal && config.METRICS_PORT === undefined,
      'METRICS_PORT is not set: nothing is measured, and no alert can wake anybody',
    ],
    [
      isOpenRedis(REDIS_URL),
      'REDIS_URL is not rediss://: whoever is on the way reads and changes conversations',
    ],
    [
      REDIS_URL !== undefined && RECORDS_URL === undefined,
      'nothing is recorded: Redis keeps the last turns only (set RECORDS_URL)',
    ],
  ];
  return warnings.flatMap(([holds, sentence]) => (holds ? [sentence] : []));
}

function sendsSms({ SMS_HTTP: provider, SMS_AT_USERNAME: account, SMPP_BINDS: binds }: Config): boolean {
  return provider !== undefined || account !== undefined || binds.some(({ use }) => use.sendsSms);
}

/** The worker sends the witness. Where it serves no console itself, another process may. */
function hasAudit({ SUPPORT, ROLES }: Config): boolean {
  return SUPPORT || (ROLES.includes('worker') && !ROLES.includes('console'));
}

function isOpenRedis(urls: string | undefined): boolean {
  return (urls?.split(',') ?? [])
    .map((url) => new URL(url))
    .some(({ protocol, hostname }) => protocol === 'redis:' && !isThisMachine(hostname));
}

/** The parts that only a trial can check, and that `wasl check` does not try. */
export function untriedIn(config: Config): string[] {
  const { wallet, CHANNELS, oidc } = config;
  const untried: readonly (readonly [isSet: boolean, what: string])[] = [
    [wallet.kind === 'partner', 'which scopes the key has, and that webhooks of the wallet come here'],
    ...CHANNELS.flatMap((channel) => {
      const { untried } = DOORS[channel];
      return untried ? [[true, untried] as const] : [];
    }),
    [sendsSms(config), 'SMS'],
    [config.SMPP_BINDS.length > 0, 'that each SMSC lets us bind'],
    [config.PUBLIC_URL !== undefined, 'that PUBLIC_URL leads here'],
    [oidc !== undefined, 'a whole sign-in of the company'],
    [config.AUDIT_WITNESS_URL !== undefined, 'that the witness of the audit is taken'],
    [true, 'that the ports are free'],
  ];
  return untried.flatMap(([isSet, what]) => (isSet ? [what] : []));
}

/** The door of a channel: its name, to whom it is open, and what only a first customer shows of it. */
interface ChannelDoor {
  readonly name: string;
  readonly whom: (config: Config) => string;
  readonly untried?: string;
}

const DOORS: Readonly<Record<ChannelName, ChannelDoor>> = {
  ussd: { name: 'USSD', whom: ussdDoor, untried: 'that the USSD gateway comes here' },
  web: {
    name: 'web chat',
    whom: ({ EMBED_ORIGINS: origins, secure }) =>
      `by ${secure ? 'https' : 'http'}${origins.length ? `, also in pages of ${origins.join(', ')}` : ''}`,
  },
  telegram: {
    name: 'Telegram',
    whom: ({ PUBLIC_URL: at }) => (at ? `updates come to ${at}` : 'updates are fetched'),
    untried: 'the token of the Telegram bot',
  },
  whatsapp: {
    name: 'WhatsApp',
    whom: ({ PUBLIC_URL: at }) => `webhooks come to ${at}/whatsapp/webhook, signed by Meta`,
    untried: 'the token and the number of WhatsApp',
  },
};

function doorsIn(config: Config): string[] {
  const { CHANNELS, ROLES, TRUSTED_PROXIES: proxies, oidc } = config;
  const hasDoors = ROLES.includes('doors');
  const doors: readonly (readonly [isOpen: boolean, name: string, whom: string])[] = [
    ...CHANNEL_NAMES.map(
      (channel) =>
        [hasDoors && CHANNELS.includes(channel), DOORS[channel].name, DOORS[channel].whom(config)] as const,
    ),
    [hasDoors, 'webhooks of the wallet', `with one of ${config.webhookKeys.length} keys`],
    [
      config.SUPPORT && ROLES.includes('console'),
      'support console',
      oidc ? `password and code, or ${oidc.issuer}` : 'password and code',
    ],
    [
      config.wallet.kind === 'sandbox',
      'simulator, sandbox and a demo administrator',
      'anybody who reaches them',
    ],
  ];
  return [
    ...doors.map(([isOpen, name, whom]) => (isOpen ? `Open: ${name} (${whom})` : `Closed: ${name}`)),
    `Believed about X-Forwarded-For: ${proxies.length ? proxies.join(', ') : 'nobody'}`,
  ];
}

function ussdDoor(config: Config): string {
  const { USSD_SECRETS: secrets, USSD_CERTIFICATES: certificates, USSD_PAGES: sizes } = config;
  const addresses = config.USSD_ADDRESSES.map(({ gateway, value }) =>
    [gateway, value].filter(Boolean).join('='),
  );
  const keys = [
    ...(secrets.length ? [`with one of ${secrets.length} secrets`] : []),
    ...(addresses.length ? [`from ${addresses.join(', ')}`] : []),
    ...(certificates.length ? [`with one of ${certificates.length} certificates`] : []),
  ];
  const pages = Object.entries(sizes).map(
    ([gateway, { septets, ucs2 }]) => `; pages of ${septets}/${ucs2} at ${gateway}`,
  );
  const binds = config.SMPP_BINDS.filter(({ use }) => use.ussd).map((bind) => `; SMPP ${nameOf(bind)}`);
  const isClosed = config.wallet.kind === 'partner' && keys.length === 0;
  const whom = keys.join(', ') || (isClosed ? 'no gateway over HTTP' : 'anybody who reaches it');
  return whom + pages.join('') + binds.join('');
}

function secretsIn(config: Config): string[] {
  const { wallet, oidc } = config;
  const secrets: Readonly<Record<string, readonly (string | undefined)[]>> = {
    SECRETS_KEY: config.secretsKeys,
    WEBHOOK_KEYS: config.webhookKeys,
    USSD_SECRETS: valuesOf(config.USSD_SECRETS),
    WALLET_API_KEY: [wallet.kind === 'partner' ? wallet.apiKey : undefined],
    SMS_SECRETS: config.SMS_SECRETS,
    SMS_AT_API_KEY: [config.SMS_AT_API_KEY],
    VAPID_PRIVATE_KEY: [config.VAPID_PRIVATE_KEY],
    WHATSAPP_VERIFY_TOKEN: [config.whatsapp?.verifyToken],
    OIDC_CLIENT_SECRET: [oidc?.clientSecret],
  };
  return Object.entries(secrets).flatMap(([name, all]) =>
    all.flatMap((secret, i) => {
      if (secret === undefined) return [];
      const which = all.length > 1 ? ` (${i + 1} of ${all.length})` : '';
      return `Secret: ${name}${which}: ${strengthOf(secret)}`;
    }),
  );
}

function strengthOf(secret: string): string {
  if (isPublished(secret)) return 'published, as play money needs none';
  const bits = bitsOf(secret);
  const word = bits >= STRONG_BITS && looksGenerated(secret) ? 'strong' : bits >= GOOD_BITS ? 'good' : 'weak';
  return `${word} (${secret.length} characters, at most ${bits} bits)`;
}

function nobodyIn({ wallet }: Config): string {
  const isDemo = wallet.kind === 'sandbox';
  return isDemo ? "a number of the demonstration, which is nobody's" : 'nobody (SUPPORT_PHONE is not set)';
}

function pagesOf(config: Config, name: 'TERMS_URL' | 'FEES_URL'): string {
  const languages = [`${name}_FR`, `${name}_AR`, `${name}_EN`] as const;
  const named = new Set(
    languages.map((each) => config[each] ?? config[name]).filter((url) => url !== undefined),
  );
  if (named.size > 0) return [...named].join(', ');
  return config.wallet.kind === 'sandbox'
    ? 'a page of the demonstration'
    : `no address is named (${name} is not set)`;
}

function cashIn({ cash: { ways, feesPercent, validHours, points, principalAgent, sms } }: Config): string {
  const at = ways.map((way) =>
    way === 'agents' ? 'at agents' : `at counters of the bill network (${feesPercent} % on top)`,
  );
  const where = points
    ? 'where to go is said as you have set it'
    : principalAgent
      ? `the retail agents of ${principalAgent} that have an address are named`
      : 'nobody is told where to go';
  const valid = validHours === undefined ? 'for a time that is not known' : `for ${validHours} hours`;
  return `paid in ${at.join(' or ')}; references are valid ${valid}; ${where}; SMS of references ${sms ? 'on' : 'off'}`;
}

function safetyIn({ safety }: Config): string {
  const { newRecipientFromDirhams, unusualFactor, unusualFromDirhams, coolDownAboveDirhams, coolDownHours } =
    safety;
  return `asked about once more: from ${newRecipientFromDirhams} DH on the first payment to somebody, from ${unusualFromDirhams} DH on more than ${unusualFactor} times the usual; after a new link or PIN more than ${coolDownAboveDirhams} DH waits ${coolDownHours} hours`;
}

function storeIn(config: Config): string {
  const {
    REDIS_URL: url,
    REDIS_CLUSTER: cluster,
    REDIS_SENTINELS: sentinels,
    REDIS_REPLICAS_MIN: replicas,
    DATA_DIR: directory,
  } = config;
  if (!url)
    return `embedded, in ${directory}; every payment is on the disk before it is sent; one process only`;
  const nodes = url.split(',').map((each) => new URL(each).host);
  const single = sentinels ? 'Redis behind Sentinels' : 'Redis';
  const kind = cluster || nodes.length > 1 ? 'a Redis Cluster' : single;
  const wire = url.split(',').every((each) => each.startsWith('rediss:')) ? 'TLS' : 'no TLS';
  return `${kind} at ${nodes.join(', ')} (${wire}); a payment waits for ${replicas} replicas before it is sent`;
}

function recordsIn(config: Config): string {
  const { RECORDS_URL: url, REDIS_URL: redis, DATA_DIR: directory } = config;
  const {
    RECORDS_KEEP_EVENTS_DAYS: events,
    RECORDS_KEEP_PAYMENTS_DAYS: payments,
    RECORDS_KEEP_NAMES_DAYS: names,
    RECORDS_KEEP_AUDIT_DAYS: audit,
  } = config;
  const kept = `turns are kept for ${events} days, payments for ${payments}, what names are found by for ${names}, the console's audit for ${audit}`;
  if (url) return `PostgreSQL at ${new URL(url).host}; ${kept}`;
  return redis ? 'none: Redis keeps the last turns only' : `embedded, in ${directory}; ${kept}`;
}
