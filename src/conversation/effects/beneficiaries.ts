import { readPhone } from '../../wallet/phone.ts';
import { ribIn } from '../../wallet/rib.ts';
import { isSaved } from '../intents/side-reads.ts';
import { withSaved } from '../session/safety.ts';
import type { EffectOf } from './effect.ts';

/*
 * Saved recipients are paid with one digit. A person who changes them in one chat may not be the wallet's owner, so its
 * other chats are told.
 */

/** The wallet saves doubles. So an existing recipient is looked for first, by number or RIB. */
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
  settle: (_, output) => ({
    output,
    ...(output.kind === 'ok' && {
      tellsOthers: { key: 'beneficiaries.savedElsewhere', values: { name: { name: output.value.name } } },
    }),
  }),
};

export const changeBeneficiary: EffectOf<'changeBeneficiary'> = {
  kind: 'guarded',
  run: ({ wallet, beneficiary }, { api, call }) => api.changeBeneficiary(wallet, beneficiary, call),
  settle: (_, output) => ({
    output,
    ...(output.kind === 'ok' && {
      tellsOthers: { key: 'beneficiaries.renamedElsewhere', values: { name: { name: output.value.name } } },
    }),
  }),
};

export const deleteBeneficiary: EffectOf<'deleteBeneficiary'> = {
  kind: 'guarded',
  async run({ wallet, beneficiary: { id, name } }, { api, call }) {
    const answer = await api.deleteBeneficiary(wallet, id, call);
    return answer.kind === 'ok' ? { kind: 'ok', value: name } : answer;
  },
  settle: (_, output) => ({
    output,
    ...(output.kind === 'ok' && {
      tellsOthers: { key: 'beneficiaries.deletedElsewhere', values: { name: { name: output.value } } },
    }),
  }),
};
