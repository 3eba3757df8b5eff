import type { Screen } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import type { Address } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import type { Outgoing } from './session.ts';

/**
 * The kinds of sealed values that wait for a customer: how long each can be opened, and the sentence after that
 * ("secrets pass through").
 */
const KINDS = {
  'voucher code': { keptMs: 72 * 3_600_000, expired: 'voucher.codeExpired' },
  link: { keptMs: 10 * 60_000, expired: 'upgrade.linkExpired' },
} as const satisfies Readonly<Record<string, { readonly keptMs: number; readonly expired: SentenceKey }>>;
type Kind = keyof typeof KINDS;

/** Seals a voucher code for one address: nothing but its delivery there can open it. */
export function sealVoucherCode(secrets: Secrets, code: string, address: Address, now: number): Sealed {
  return secrets.seal(code, boundTo(address, 'voucher code'), now);
}

/** The same for a link that only this customer may open. */
export function sealLink(secrets: Secrets, link: string, address: Address, now: number): Sealed {
  return secrets.seal(link, boundTo(address, 'link'), now);
}

/**
 * A message as its channel gets it. Its sealed values are opened now, at the moment of delivery, and are stored nowhere
 * else. A value that can no longer be opened becomes a sentence that says so.
 */
export function unsealed(
  { screen, sealed, sealedAs }: Pick<Outgoing, 'screen' | 'sealed' | 'sealedAs'>,
  address: Address,
  secrets: Secrets,
  now: number,
): Screen {
  if (!sealed) return screen;
  const kind = sealedAs ?? 'voucher code';
  const { keptMs, expired } = KINDS[kind];
  const bound = boundTo(address, kind);
  const opened = Object.entries(sealed).map(
    ([name, each]) => [name, secrets.open(each, bound, now, keptMs)] as const,
  );
  if (opened.some(([, text]) => text === undefined)) return { ...screen, key: expired };
  const values = opened.map(([name, text]) => [name, { hidden: text ?? '' }]);
  return { ...screen, values: { ...screen.values, ...Object.fromEntries(values) } };
}

function boundTo(address: Address, kind: Kind): string {
  return `${address} ${kind}`;
}
