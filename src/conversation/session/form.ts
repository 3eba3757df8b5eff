import { type Expected, SECRETS } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { abilitiesOf, type ChannelName, channelOf } from '../channel.ts';
import type { Address } from '../incoming.ts';
import { SEALED_MS, type Secrets } from '../secrets.ts';

/** The screen that a form answers. */
export interface FormOf {
  readonly address: Address;
  readonly screen: number;
}

/**
 * The token in a form's address, `telegram.…`: sealed, so that nobody can make one or read whose it is. It is good for one
 * screen of one address, so it is used up by the answer, and for as long as a sealed secret. Its channel is said in clear, as
 * it decides who may frame the form, and is bound with the rest.
 * @returns undefined where the screen asks for no secret, or the channel cannot lead to a form
 */
export function formToken(
  { address, screen }: FormOf,
  expects: Expected,
  secrets: Pick<Secrets, 'seal'>,
  now: number,
): string | undefined {
  if (!abilitiesOf(address).secretBy.includes('form') || !SECRETS.has(expects)) return undefined;
  const channel = channelOf(address);
  return `${channel}.${secrets.seal(`${screen} ${address}`, boundTo(channel), now)}`;
}

/** What a token was made for; undefined for one that is not ours, or too old. */
export function readFormToken(
  token: string,
  secrets: Pick<Secrets, 'open'>,
  now: number,
): FormOf | undefined {
  const [channel = '', sealed = ''] = token.split('.');
  const [screen, address] =
    secrets.open(sealed as Sealed, boundTo(channel), now, SEALED_MS)?.split(' ') ?? [];
  return address === undefined ? undefined : { address: address as Address, screen: Number(screen) };
}

/** It opens nothing else that is sealed. */
function boundTo(channel: ChannelName | string): string {
  return `form of ${channel}`;
}
