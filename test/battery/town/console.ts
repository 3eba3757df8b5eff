import type { Language } from '../../../src/conversation/incoming.ts';
import { type Intent, isOpen } from '../../../src/conversation/intents/intent.ts';
import { createRenderer } from '../../../src/screen/renderer.ts';
import { sightOf } from '../../../src/support/masks.ts';
import type { View } from '../../../src/support/pages/parts.ts';
import { paymentPart, paymentsPart } from '../../../src/support/pages/payment.ts';
import { suggestion } from '../../../src/support/suggestions.ts';
import { STATUSES } from '../../../src/wallet/contract/fields.ts';
import type { Execution } from './oracle.ts';

/** The meaning of a word for an agent. */
type Claim = 'moved' | 'notMoved' | 'returned' | 'open';

/** The words of the console for how a payment stands, as an agent reads them. */
const WORDS: Readonly<Record<Language, Readonly<Record<string, Claim>>>> = {
  fr: {
    effectué: 'moved',
    ...{ échoué: 'notMoved', refusé: 'notMoved', 'jamais parti': 'notMoved' },
    annulé: 'returned',
    ...{ envoyé: 'open', 'en cours': 'open', 'pas encore confirmé': 'open', 'introuvable à ce jour': 'open' },
    ...{ 'à vérifier': 'open', réservé: 'open' },
  },
  en: {
    done: 'moved',
    ...{ failed: 'notMoved', refused: 'notMoved', 'never sent': 'notMoved' },
    cancelled: 'returned',
    ...{ sent: 'open', processing: 'open', 'not confirmed yet': 'open', 'not found so far': 'open' },
    ...{ 'to check': 'open', reserved: 'open' },
  },
  ar: {
    تم: 'moved',
    ...{ 'لم ينجح': 'notMoved', مرفوض: 'notMoved', 'لم يرسل': 'notMoved' },
    ملغى: 'returned',
    ...{ مرسل: 'open', 'قيد المعالجة': 'open', 'لم يتم التأكيد بعد': 'open', 'لم يعثر عليه بعد': 'open' },
    ...{ 'يجب التحقق منه': 'open', محجوز: 'open' },
  },
};
const BADGE = /<span class="badge[^"]*">([^<]+)<\/span>/;
const renderer = createRenderer();

/**
 * False statements of the console about some payments, one line each. It reads the row beside a conversation, the page
 * of each payment, and the suggested next step.
 * @param executions the wallet's ledger at the moment when the page is made
 */
export function falseOnConsole(
  intents: readonly Intent[],
  executions: readonly Execution[],
  language: Language,
): string[] {
  const view: View = {
    ...{ language, now: 0, sight: sightOf({ role: 'agent' }) },
    who: { id: 'nadia', name: 'Nadia', role: 'agent' } as View['who'],
  };
  const listed = String(paymentsPart(intents, view, renderer));
  const lies = intents.flatMap((intent) => {
    const row = listed.slice(listed.indexOf(`id="payment-${intent.id}"`));
    const pages = { 'its row': row, 'its page': String(paymentPart(intent, [], view, renderer)) };
    return Object.entries(pages).flatMap(([place, page]) => {
      const word = BADGE.exec(page)?.[1] ?? '';
      const why = whyFalse(WORDS[language][word], made(intent, executions));
      return why ? [`${place} says ${word} of ${intent.order.kind} ${intent.id}: ${why}`] : [];
    });
  });
  const situation = { session: { address: 'ussd:+212600000001', screen: { key: '' } }, asked: false };
  const step = suggestion({ ...situation, stuck: false, payments: intents } as never);
  const warns = step === 'console.suggestOpenPayment' || step === 'console.suggestPayment';
  if (intents.some(isOpen) && !warns) lies.push('the agent is not warned of a payment that is open');
  return lies;
}

/** The operations of a payment in the ledger. */
function made({ id, operationId }: Intent, executions: readonly Execution[]): readonly Execution[] {
  return executions.filter((each) => each.requestId === id || each.operationId === operationId);
}

function whyFalse(claim: Claim | undefined, own: readonly Execution[]): string | undefined {
  const has = (...statuses: readonly number[]) => own.some(({ status }) => statuses.includes(status));
  switch (claim) {
    case undefined:
      return 'nobody knows what it claims';
    case 'open':
      return undefined;
    case 'moved':
      // Money that has come back was paid, until Wasl hears of the return.
      return has(STATUSES.COMPLETED, STATUSES.CANCELED) ? undefined : 'no such operation is completed';
    case 'notMoved':
      return has(STATUSES.OPEN, STATUSES.COMPLETED) ? 'the wallet has made it' : undefined;
    case 'returned':
      return has(STATUSES.CANCELED) ? undefined : 'no such operation was reversed';
  }
}
