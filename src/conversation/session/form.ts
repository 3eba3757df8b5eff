import { CARDS, type Expected, FILES, SECRETS } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { abilitiesOf, type ChannelName, channelOf } from '../channel.ts';
import type { Address } from '../incoming.ts';
import { SEALED_MS, type Secrets, sealedAt } from '../secrets.ts';

/**
 * The kinds of a form and how long its address is valid, in ms. A card takes longer: the customer looks for it and has
 * more to type.
 */
const VALID_MS = { secret: SEALED_MS, card: 10 * 60_000, document: 10 * 60_000, csv: 10 * 60_000 } as const;
type FormKind = keyof typeof VALID_MS;
/** A payer comes back from their bank within this time. Later the payment is looked for anyway. */
const RETURN_VALID_MS = 2 * 3_600_000;
const RETURN = 'return from the bank';

interface FormOf {
  readonly address: Address;
  readonly screen: number;
}

/**
 * The token in a form's address, `telegram.secret.…`. It is sealed, so nobody can make one or read whose it is. It is
 * valid for one screen of one address, so the answer uses it up, and for as long as its kind allows. Its channel and
 * kind are readable, because they decide which sites may frame the form and how old it may be. They are bound with the
 * rest.
 * @returns undefined where the screen asks for nothing that is given on a form, or the channel cannot lead to it
 */
export function formToken(
  { address, screen }: FormOf,
  expects: Expected,
  secrets: Pick<Secrets, 'seal'>,
  now: number,
): string | undefined {
  const kind = kindOf(address, expects);
  if (!kind) return undefined;
  const channel = channelOf(address);
  return `${channel}.${kind}.${secrets.seal(`${screen} ${address}`, boundTo(channel, kind), now)}`;
}

/** The address, kind and screen that a token was made for. Undefined for a token that is not ours, or too old. */
export function readFormToken(
  token: string,
  secrets: Pick<Secrets, 'open'>,
  now: number,
): FormOf | undefined {
  const [channel = '', kind = '', sealed = ''] = token.split('.');
  if (!isKind(kind)) return undefined;
  const text = secrets.open(sealed as Sealed, boundTo(channel, kind), now, VALID_MS[kind]);
  const [screen, address] = text?.split(' ') ?? [];
  return address === undefined ? undefined : { address: address as Address, screen: Number(screen) };
}

/** How long a token of ours is still valid, in ms. */
export function formLeftMs(token: string, now: number): number {
  const [, kind = '', sealed = ''] = token.split('.');
  return isKind(kind) ? Math.max(0, sealedAt(sealed as Sealed) + VALID_MS[kind] - now) : 0;
}

/** The token in the address that a payer's browser comes back to: it names a payment, and is good for nothing but a look at it. */
export function returnToken(intent: string, secrets: Pick<Secrets, 'seal'>, now: number): string {
  return secrets.seal(intent, RETURN, now);
}

/** The payment that a token names. Undefined for a token that is not ours, or too old. */
export function readReturnToken(
  token: string,
  secrets: Pick<Secrets, 'open'>,
  now: number,
): string | undefined {
  return secrets.open(token as Sealed, RETURN, now, RETURN_VALID_MS);
}

/** A secret only where the chat itself leads to the form: an SMS that links to a page for a PIN trains people to be phished. */
function kindOf(address: Address, expects: Expected): FormKind | undefined {
  if (CARDS.has(expects)) return 'card';
  if (FILES.has(expects)) {
    if (abilitiesOf(address).opensPages !== 'button') return undefined;
    return expects === 'csv' ? 'csv' : 'document';
  }
  return SECRETS.has(expects) && abilitiesOf(address).secretBy.includes('form') ? 'secret' : undefined;
}

function isKind(kind: string): kind is FormKind {
  return Object.hasOwn(VALID_MS, kind);
}

/** It opens nothing else that is sealed. */
function boundTo(channel: ChannelName | string, kind: FormKind): string {
  return `form of ${channel} for a ${kind}`;
}
