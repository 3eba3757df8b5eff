/**
 * A secret as machines and stores may hold it: encrypted under `SECRETS_KEY`, bound to its session and purpose, useless
 * after two minutes (secrets pass through). Only an effect can open it.
 */
export type Sealed = string & { readonly kind: 'sealed' };
