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

/** Every setting there is, as the environment writes it. README lists them; a test compares the two. */
const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  REDIS_CLUSTER: z.stringbool().default(false),
  REDIS_REPLICAS_MIN: z.string().regex(/^\d$/, 'must be 0 to 9').transform(Number).default(0),
  SANDBOX_PORT: port.default(8081),
  WALLET_URL: url.optional(),
  WALLET_API_KEY: z.string().min(1).optional(),
  WEBHOOK_KEYS: list,
  SECRETS_KEY: secret.optional(),
  CHANNELS: list
    .transform((names) => (names.length > 0 ? names : ['ussd', 'web']))
    .pipe(z.array(z.enum(['ussd', 'web']))),
  LANGUAGE: z.enum(['fr', 'ar', 'en']).default('fr'),
  USSD_CODE: z
    .string()
    .regex(/^\*[\d*]+#$/, 'must look like *123#')
    .default('*123#'),
  USSD_SECRETS: list,
  USSD_ADDRESSES: list,
  TRUSTED_PROXIES: list,
  EMBED_ORIGINS: list,
  SECURE: z.stringbool().optional(),
  SMS_AT_USERNAME: z.string().min(1).optional(),
  SMS_AT_API_KEY: z.string().min(1).optional(),
  SMS_AT_SENDER: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export const SETTINGS = Object.keys(environment.shape);

/** Where the money is: the sandbox that Wasl brings along, or a partner's wallet. */
export type WalletConfig =
  | { readonly kind: 'sandbox'; readonly port: number }
  | { readonly kind: 'partner'; readonly url: string; readonly apiKey: string };

export type Config = Omit<z.output<typeof environment>, 'SECRETS_KEY' | 'WALLET_URL' | 'WALLET_API_KEY'> & {
  readonly wallet: WalletConfig;
  readonly secretsKey: string;
  readonly webhookKeys: readonly string[];
  readonly secure: boolean;
};

/** Play money needs no secrets; these exist only beside the sandbox (design rule 16). */
const SANDBOX_SECRETS_KEY = 'only beside the sandbox: no secret at all';
const SANDBOX_WEBHOOK_KEY = 'sandbox-webhook-key';

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
  const { WALLET_URL, WALLET_API_KEY, SECRETS_KEY, ...rest } = read.data;
  if (!WALLET_URL) {
    if (WALLET_API_KEY) return { refused: 'WALLET_API_KEY is set, but WALLET_URL is not' };
    return {
      ...rest,
      wallet: { kind: 'sandbox', port: rest.SANDBOX_PORT },
      secretsKey: SECRETS_KEY ?? SANDBOX_SECRETS_KEY,
      webhookKeys: rest.WEBHOOK_KEYS.length > 0 ? rest.WEBHOOK_KEYS : [SANDBOX_WEBHOOK_KEY],
      secure: rest.SECURE ?? false,
    };
  }
  if (!WALLET_API_KEY) return { refused: 'WALLET_URL is set, so WALLET_API_KEY must be set too' };
  if (!SECRETS_KEY)
    return { refused: 'SECRETS_KEY must be set with a real wallet (32 random characters or more)' };
  if (rest.WEBHOOK_KEYS.length === 0) return { refused: 'WEBHOOK_KEYS must be set with a real wallet' };
  if (rest.CHANNELS.includes('ussd') && rest.USSD_SECRETS.length + rest.USSD_ADDRESSES.length === 0) {
    return {
      refused:
        'USSD_SECRETS or USSD_ADDRESSES must be set with a real wallet, or CHANNELS=web to go without USSD',
    };
  }
  return {
    ...rest,
    wallet: { kind: 'partner', url: WALLET_URL, apiKey: WALLET_API_KEY },
    secretsKey: SECRETS_KEY,
    webhookKeys: rest.WEBHOOK_KEYS,
    secure: rest.SECURE ?? true,
  };
}
