import type { VoucherEntry } from '../../../machines/kit/effects.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Partition, Store, Write } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Secrets } from '../secrets.ts';
import type { WalletDoc } from './wallet-doc.ts';

const DAY_MS = 24 * 3_600_000;
/** How long a code can be seen again: as long as vouchers are usually worth something. */
const CODE_KEPT_MS = 365 * DAY_MS;
/** The number of codes of one wallet. Above it the oldest one is dropped. */
export const CODES_MAX = 50;
/** How often a code is sealed again: twice within the time that docs/operator/keys.md leaves between two keys. */
const RESEALED_EVERY_MS = DAY_MS;

/** The code of a voucher that was bought, sealed for the wallet that has paid. Nothing else holds it once it was delivered. */
interface VoucherCode {
  readonly wallet: Msisdn;
  /** When it was bought, ms since 1970. */
  readonly at: number;
  readonly sealed: Sealed;
}

const voucherCodec = codec<VoucherCode>(
  'voucher-code',
  (value) =>
    isObject(value) &&
    typeof value.wallet === 'string' &&
    typeof value.at === 'number' &&
    typeof value.sealed === 'string',
);

/** @param id of the payment */
export function voucherCodeKey(id: string): string {
  return `voucher-code:${id}`;
}

/** Seals a code for the wallet that has bought it. */
export function sealForBuyer(
  secrets: Secrets,
  code: string,
  { id, wallet }: { readonly id: string; readonly wallet: Msisdn },
  now: number,
): Sealed {
  return secrets.seal(code, boundTo(wallet, id), now);
}

/** How a code is written: due to be sealed again, and kept for a year. */
export function voucherCodeWrite(doc: KeyedDoc | undefined, code: VoucherCode, now: number): Write {
  return voucherCodec.write(doc, code, {
    dueAt: now + RESEALED_EVERY_MS,
    keepUntil: code.at + CODE_KEPT_MS,
  });
}

export function withVoucher(wallet: WalletDoc, entry: VoucherEntry): WalletDoc {
  const others = (wallet.vouchers ?? []).filter(({ id }) => id !== entry.id);
  return { ...wallet, vouchers: [...others, entry].slice(-CODES_MAX) };
}

/** The vouchers whose codes can be seen again, the newest first. */
export function vouchersOf({ vouchers = [] }: WalletDoc, now: number): VoucherEntry[] {
  return vouchers.filter(({ at }) => at > now - CODE_KEPT_MS).reverse();
}

/** The code of one of them. Undefined where it is not kept any more, or was sealed under a key that nobody has. */
export async function readVoucherCode(
  store: Store,
  secrets: Secrets,
  wallet: Msisdn,
  id: string,
  now: number,
): Promise<string | undefined> {
  const [doc] = await readDocs(store, partitionOf(wallet), [voucherCodeKey(id)]);
  const kept = voucherCodec.read(doc);
  return kept?.wallet === wallet ? opened(secrets, kept, id, now) : undefined;
}

/**
 * Seals a code under today's key, so that an earlier key can go (docs/operator/keys.md). Deletes a code that nobody can
 * list any more. Called when it is due.
 */
export function resealVoucherCode(
  { store, secrets, now }: { readonly store: Store; readonly secrets: Secrets; readonly now: () => number },
  partition: Partition,
  id: string,
): Promise<void> {
  return update(store, partition, [voucherCodeKey(id)], (doc): Update<void> => {
    const kept = voucherCodec.read(doc);
    if (!kept) return { result: undefined };
    const code = opened(secrets, kept, id, now());
    const write =
      code === undefined
        ? { key: doc.key, version: doc.version, value: null }
        : voucherCodeWrite(
            doc,
            { ...kept, sealed: sealForBuyer(secrets, code, { ...kept, id }, now()) },
            now(),
          );
    return { writes: [write], result: undefined };
  });
}

/** Forgets every code of a wallet: it is closed, or its customer is erased. */
export async function forgetVouchers(store: Store, wallet: Msisdn, doc: WalletDoc): Promise<Write[]> {
  const keys = (doc.vouchers ?? []).map(({ id }) => voucherCodeKey(id));
  const docs = await readDocs(store, partitionOf(wallet), keys);
  return docs.flatMap(({ key, version }) => (version > 0 ? [{ key, version, value: null }] : []));
}

function opened(
  secrets: Secrets,
  { sealed, wallet, at }: VoucherCode,
  id: string,
  now: number,
): string | undefined {
  return at > now - CODE_KEPT_MS ? secrets.open(sealed, boundTo(wallet, id), now, CODE_KEPT_MS) : undefined;
}

function boundTo(wallet: Msisdn, id: string): string {
  return `${wallet} voucher ${id}`;
}
