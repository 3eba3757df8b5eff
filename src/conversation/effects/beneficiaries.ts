import type { EffectOf } from './effect.ts';

/** The wallet saves doubles: who is there already is looked for first, by number or RIB. */
export const saveBeneficiary: EffectOf<'saveBeneficiary'> = {
  kind: 'guarded',
  async run({ wallet, beneficiary }, { api, call }) {
    const { phoneNumber, rib } = beneficiary;
    const account = phoneNumber ?? rib;
    const listed = await api.beneficiaries(wallet, { ...(account && { search: account }) }, call);
    if (listed.kind !== 'ok') return listed;
    const isThere = listed.value.entries.some(
      (each) => account !== undefined && [each.phoneNumber, each.rib].includes(account),
    );
    return isThere ? { kind: 'same' } : api.saveBeneficiary(wallet, beneficiary, call);
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
