import type { EffectOf } from './effect.ts';

const EXPIRED = { kind: 'unknown', why: 'the secret is too old' } as const;

export const register: EffectOf<'register'> = {
  kind: 'guarded',
  run: (person, { api, call }) => api.register({ ...person, walletType: 'P' }, call),
};

export const confirmRegistration: EffectOf<'confirmRegistration'> = {
  kind: 'guarded',
  async run({ phone, code }, { api, call, open }) {
    const opened = open(code);
    return opened === undefined ? EXPIRED : api.confirm({ phone, code: opened }, call);
  },
};

export const resendOtp: EffectOf<'resendOtp'> = {
  kind: 'guarded',
  run: ({ phone }, { api, call }) => api.resendOtp(phone, call),
};

export const createPin: EffectOf<'createPin'> = {
  kind: 'guarded',
  async run({ phone, first, second }, { api, call, open }) {
    const pin = open(first);
    return pin === undefined || pin !== open(second)
      ? { kind: 'differ' }
      : api.createPin({ phone, pin }, call);
  },
};
