import { randomInt } from 'node:crypto';
import type { Expected } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { abilitiesOf } from '../channel.ts';
import type { Address, Keypad } from '../incoming.ts';
import { SEALED_MS, type Secrets } from '../secrets.ts';
import type { Session } from './session.ts';

/** Partner API v2.3, Limits: a PIN has exactly 4 digits. */
const PIN_DIGITS = 4;
const KEYS = 10;

/** A keypad as a session holds it: the order of its keys and the digits tapped, sealed for one address and screen. */
export interface SealedKeypad {
  readonly screen: number;
  /** When it was made, in ms since 1970: its seal is never renewed, so nothing tapped can be opened for longer. */
  readonly at: number;
  readonly sealed: Sealed;
}

interface KeypadEnv {
  readonly address: Address;
  readonly secrets: Secrets;
  readonly now: number;
}

/**
 * The session with the keypad that its screen needs: a new one in a new order for each prompt, none anywhere else. So
 * the tapped digits are erased as soon as they are used or the screen is left.
 */
export function withKeypad(session: Session, expects: Expected, env: KeypadEnv): Session {
  if (!abilitiesOf(env.address).secretBy.includes('keypad')) return session;
  const { keypad, ...rest } = session;
  if (expects !== 'pin' && expects !== 'newPin') return keypad ? rest : session;
  if (keypad && isUsable(keypad, session, env.now)) return session;
  const made = { screen: session.screen, at: env.now };
  return { ...rest, keypad: { ...made, sealed: seal(made, shuffled(), '', env) } };
}

/** The keypad to show. Undefined where there is none. */
export function keypadOf(session: Session, env: KeypadEnv): Keypad | undefined {
  const open = opened(session, env);
  return open && { keys: open.keys, typed: open.digits.length };
}

/** The session after a tap, and the PIN once it is whole. Undefined: there is no such key any more. */
export function tapped(
  session: Session,
  position: number | 'erase',
  env: KeypadEnv,
): { readonly session: Session; readonly pin?: string } | undefined {
  const open = opened(session, env);
  const { keypad, ...rest } = session;
  if (!open || !keypad) return undefined;
  const key = position === 'erase' ? '' : open.keys[position];
  if (key === undefined) return undefined;
  const digits = position === 'erase' ? open.digits.slice(0, -1) : `${open.digits}${key}`;
  if (digits.length === PIN_DIGITS) return { session: rest, pin: digits };
  return { session: { ...rest, keypad: { ...keypad, sealed: seal(keypad, open.keys, digits, env) } } };
}

function isUsable({ screen, at }: SealedKeypad, session: Session, now: number): boolean {
  return screen === session.screen && now - at < SEALED_MS;
}

function opened(session: Session, env: KeypadEnv) {
  const { keypad } = session;
  if (!keypad || !isUsable(keypad, session, env.now)) return undefined;
  const text = env.secrets.open(keypad.sealed, boundTo(keypad, env), env.now);
  return text === undefined
    ? undefined
    : { keys: Array.from(text.slice(0, KEYS), Number), digits: text.slice(KEYS).trim() };
}

/** Always as long as a whole PIN, so the sealed length does not tell how many digits were tapped. */
function seal(
  keypad: Omit<SealedKeypad, 'sealed'>,
  keys: readonly number[],
  digits: string,
  env: KeypadEnv,
): Sealed {
  const text = keys.join('') + digits.padEnd(PIN_DIGITS);
  return env.secrets.seal(text, boundTo(keypad, env), keypad.at);
}

function boundTo({ screen }: Omit<SealedKeypad, 'sealed'>, { address }: KeypadEnv): string {
  return `${address} keypad ${screen}`;
}

/** The ten digits in an order that nobody can guess (Fisher and Yates). */
function shuffled(): number[] {
  const keys = Array.from({ length: KEYS }, (_, digit) => digit);
  for (let i = KEYS - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [keys[i], keys[j]] = [keys[j] as number, keys[i] as number];
  }
  return keys;
}
