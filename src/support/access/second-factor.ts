import { Secret, TOTP } from 'otpauth';
import { drawQr } from '../../wallet/qr/draw.ts';

/** One step of 30 s before and after: clocks of phones are not exact (RFC 6238). */
const STEPS_AROUND = 1;
/** Of the picture that an app reads from a screen. */
const SQUARE_PIXELS = 4;

/** A new secret for an authenticator app, in base32 as people type it. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The step of 30 s that a code belongs to. Undefined when it is wrong, or its step or a later one was used before. */
export function stepOf(
  code: string,
  { secret, usedTo, now }: { readonly secret: string; readonly usedTo: number; readonly now: number },
): number | undefined {
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp: now, window: STEPS_AROUND });
  const step = totp.counter({ timestamp: now }) + (delta ?? 0);
  return delta === null || step <= usedTo ? undefined : step;
}

/** A picture of what an authenticator app must know, as the address of an image. */
export async function pictureOf(secret: string, account: string): Promise<string> {
  const uri = new TOTP({ issuer: 'Wasl', label: account, secret }).toString();
  const { svg } = (await drawQr(uri, SQUARE_PIXELS)) ?? { svg: '' };
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
