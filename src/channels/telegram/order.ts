import type { Update } from 'grammy/types';

/**
 * Updates that were fetched, with what each waits for: what its customer did before, which may fail and be tried again. So a
 * customer's come in their order, which those that Telegram posts do not.
 */
export const fetched = new WeakMap<Update, Promise<void>>();
