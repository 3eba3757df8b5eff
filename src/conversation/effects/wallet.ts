import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { CustomerStatus } from '../../wallet/wallet.ts';
import type { Effect } from './effect.ts';

const EXPIRED = { kind: 'unknown', why: 'the secret is too old' } as const;
export const readStatus: Effect<{ wallet: Msisdn }, Answer<{ status: CustomerStatus }>> = {
  kind: 'read',
  run: ({ wallet }, { api, call }) => api.customerStatus(wallet, call),
};

export const readBalance: Effect<{ wallet: Msisdn }, Answer<Centimes>> = {
  kind: 'read',
  run: ({ wallet }, { api, call }) => api.balance(wallet, call),
};

export const register: Effect<
  { phone: Msisdn; firstName: string; lastName: string; cin: string },
  Answer<true>
> = {
  kind: 'guarded',
  run: (person, { api, call }) => api.register({ ...person, walletType: 'P' }, call),
};

export const confirmRegistration: Effect<{ phone: Msisdn; code: Sealed }, Answer<true>> = {
  kind: 'guarded',
  async run({ phone, code }, { api, call, open }) {
    const opened = open(code);
    return opened === undefined ? EXPIRED : api.confirm({ phone, code: opened }, call);
  },
};

export const resendOtp: Effect<{ phone: Msisdn }, Answer<true>> = {
  kind: 'guarded',
  run: ({ phone }, { api, call }) => api.resendOtp(phone, call),
};

export const createPin: Effect<
  { phone: Msisdn; first: Sealed; second: Sealed },
  Answer<true> | { kind: 'differ' }
> = {
  kind: 'guarded',
  async run({ phone, first, second }, { api, call, open }) {
    const pin = open(first);
    return pin === undefined || pin !== open(second)
      ? { kind: 'differ' }
      : api.createPin({ phone, pin }, call);
  },
};
