import type { Charge } from '../budgets.ts';
import { hasOwner } from '../session/linking.ts';
import { type EffectEnv, type EffectOf, guarded } from './effect.ts';

/**
 * The budget that a code of the wallet is charged to, besides the one that its effect counts: the customer's USSD
 * gateway. In a chat our own code has proven the number before, and was charged.
 */
export function gatewayCharges({ came: { origin } }: EffectEnv): Charge[] {
  return origin?.kind === 'gateway' ? [{ budget: 'codesPerGateway', of: origin.name }] : [];
}

/** The wallet sends a code for each registration and whenever it is asked to: nothing else counts them. */
function registrationCharges(env: EffectEnv): Charge[] {
  return [{ budget: 'registrationCodes', of: env.address }, ...gatewayCharges(env)];
}

const EXPIRED = { kind: 'unknown', why: 'the secret is too old' } as const;

export const register: EffectOf<'register'> = {
  kind: 'guarded',
  // A request from an earlier release names no type. It opens a person's wallet.
  async run({ walletType = 'P', ...person }, env) {
    const spent = await env.budgets.charge(registrationCharges(env));
    return spent ? { kind: 'tooMany' } : env.api.register({ ...person, walletType }, env.call);
  },
  // The wallet registers only a number that has no wallet: nothing of an earlier owner is this customer's.
  settle: ({ wallet }, output) => ({
    output,
    ...(output.kind === 'ok' && hasOwner(wallet) && { wallet: { ...wallet, owner: null } }),
  }),
};

export const confirmRegistration: EffectOf<'confirmRegistration'> = guarded(
  async ({ phone, code }, { api, call, open }) => {
    const opened = open(code);
    return opened === undefined ? EXPIRED : api.confirm({ phone, code: opened }, call);
  },
);

export const resendOtp: EffectOf<'resendOtp'> = guarded(async ({ phone }, env) => {
  const spent = await env.budgets.charge(registrationCharges(env));
  return spent ? { kind: 'tooMany' } : env.api.resendOtp(phone, env.call);
});

export const createPin: EffectOf<'createPin'> = guarded(
  async ({ phone, first, second }, { api, call, open }) => {
    const pin = open(first);
    return pin === undefined || pin !== open(second)
      ? { kind: 'differ' }
      : api.createPin({ phone, pin }, call);
  },
);
