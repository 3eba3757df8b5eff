import { fileURLToPath } from 'node:url';
import type { Sentence } from '../../machines/kit/screen.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';

/** A few sentences to test the renderer with. They do not depend on the real ones. */
export const SAMPLE_LOCALES = fileURLToPath(new URL('locales', import.meta.url));
export const renderer = createRenderer(SAMPLE_LOCALES);

export const money = (amount: number) => ({ money: centimes(amount) });
export const phone = (text: string) => ({ phone: msisdn(text) });

/** A sentence alone on its screen. */
export const alone = (sentence: Sentence) => ({ ...sentence, expects: 'nothing' as const });
