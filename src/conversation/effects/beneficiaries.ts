import { readPhone } from '../../wallet/phone.ts';
import { ribIn } from '../../wallet/rib.ts';
import { isSaved } from '../intents/saved.ts';
import { withSaved } from '../session/safety.ts';
import type { EffectOf } from './effect.ts';

/** The wallet saves doubles: who is there already is looked for first, by number or RIB. */
export const saveBeneficiary: EffectOf<'saveBeneficiary'> = {
  kind: 'guarded',
  claim({ wallet }, { beneficiary: { phoneNumber = '', rib = '' } }, { at }) {
    const accounts = [readPhone(phoneNumber), ribIn(rib)].filter((each) => each !== undefined);
    return { wallet: withSaved(wallet, accounts, at) };
  },
  async run({ wallet, beneficiary }, { api, call }) {
    const { phoneNumber, rib = '' } = beneficiary;
    const saved = await isSaved(api, wallet, phoneNumber ?? rib, call);
    if (saved.kind !== 'ok') return saved;
    return saved.value ? { kind: 'same' } : api.saveBeneficiary(wallet, beneficiary, call);
  },
};

export const changeBeneficiary: EffectOf<'changeBeneficiary'> = {
  kind: 'guarded',
  run: ({ wallet, beneficiary }, { api, call }) => api.changeBeneficiary(wallet, beneficiary, call),
};

export const deleteBeneficiary: EffectOf<'deleteBeneficiary'> = {
  kind: 'guarded',
  run: ({ wallet, id }, { api, call }) => api.deleteBeneficiary(wallet, id, call),
};
