import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

/** The version of the Graph API that this channel was written for. */
const API_ROOT = 'https://graph.facebook.com/v24.0';
const VERIFY_TOKEN_MIN_CHARS = 20;

export const whatsAppSettings = {
  WHATSAPP_TOKEN: z
    .string()
    .regex(/^[\w.|-]{20,}$/, 'must be the access token of a system user')
    .optional(),
  WHATSAPP_PHONE_ID: z
    .string()
    .regex(/^\d{6,20}$/, 'must be the id of the number, in digits, and not the number itself')
    .optional(),
  WHATSAPP_APP_SECRET: z
    .string()
    .regex(/^[\da-f]{32}$/, 'must be the app secret, 32 digits and letters a to f')
    .optional(),
  WHATSAPP_VERIFY_TOKEN: z
    .string()
    .min(VERIFY_TOKEN_MIN_CHARS, `must have at least ${VERIFY_TOKEN_MIN_CHARS} characters (\`wasl keys\`)`)
    .optional(),
  WHATSAPP_BUSINESS_ID: z
    .string()
    .regex(/^\d{6,20}$/, 'must be the id of the WhatsApp account, in digits')
    .optional(),
  WHATSAPP_TEMPLATES: z.stringbool({ error: 'must be true or false' }).default(false),
  WHATSAPP_FLOW_ID: z
    .string()
    .regex(/^\d{6,20}$/, 'must be the id of the Flow, in digits')
    .optional(),
  WHATSAPP_FLOW_KEY: z
    .string()
    .refine(isRsaKey, 'must be an RSA private key as PEM, of 2048 bits (openssl genrsa 2048)')
    .optional(),
  WHATSAPP_API_ROOT: z.url('must be an https address such as https://graph.facebook.com/v24.0').optional(),
};
const read = z.object(whatsAppSettings);
type WhatsAppSettings = z.output<typeof read>;

/** Settings that the channel cannot do without. */
export const WHATSAPP_NEEDS = [
  'WHATSAPP_TOKEN',
  'WHATSAPP_PHONE_ID',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
] as const;

export interface WhatsAppConfig {
  readonly token: string;
  readonly phoneId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly apiRoot: string;
  /** The account that has the templates, and whether they are approved. */
  readonly businessId?: string;
  readonly templates: boolean;
  /** The Flow that takes secrets. */
  readonly flow?: { readonly id: string; readonly privateKey: string };
}

/** Undefined where no number is configured. */
export function whatsAppOf(settings: WhatsAppSettings): WhatsAppConfig | undefined {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId, WHATSAPP_APP_SECRET: appSecret } = settings;
  const { WHATSAPP_VERIFY_TOKEN: verifyToken, WHATSAPP_API_ROOT: apiRoot = API_ROOT } = settings;
  const { WHATSAPP_FLOW_ID: id, WHATSAPP_FLOW_KEY: privateKey } = settings;
  if (!token || !phoneId || !appSecret || !verifyToken) return undefined;
  const { WHATSAPP_BUSINESS_ID: businessId, WHATSAPP_TEMPLATES: templates } = settings;
  const account = { templates, ...(businessId && { businessId }) };
  const flow = id && privateKey ? { flow: { id, privateKey } } : {};
  return { token, phoneId, appSecret, verifyToken, apiRoot: apiRoot.replace(/\/$/, ''), ...account, ...flow };
}

function isRsaKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === 'rsa' && asymmetricKeyDetails?.modulusLength === 2_048;
  } catch {
    return false;
  }
}
