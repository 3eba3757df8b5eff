import { ERRORS } from '../../wallet/contract/errors.ts';
import { readVoucherCode as codeOf, vouchersOf } from '../session/voucher-codes.ts';
import { sealForWallet } from '../session/wallet-secret.ts';
import { type EffectOf, read } from './effect.ts';

/** There is no such code, or it cannot be opened. */
const NONE = { kind: 'refused', code: String(ERRORS.articleUnknown.code), description: '' } as const;

export const readVouchers: EffectOf<'readVouchers'> = read(async (_, { walletDoc, now }) => ({
  kind: 'ok',
  value: vouchersOf(walletDoc, now()),
}));

/** Sealed anew, for the screen that shows it to a customer who has proven that the wallet is theirs. */
export const readVoucherCode: EffectOf<'readVoucherCode'> = read(
  async ({ wallet, id }, { store, secrets, walletDoc, now }) => {
    if (vouchersOf(walletDoc, now()).find((voucher) => voucher.id === id)?.takenBack) return NONE;
    const code = await codeOf(store, secrets, wallet, id, now());
    return code === undefined ? NONE : { kind: 'ok', value: sealForWallet(secrets, code, wallet, now()) };
  },
);
