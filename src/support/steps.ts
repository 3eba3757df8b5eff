import type { Values } from '../../machines/kit/screen.ts';
import type { Settlement } from '../conversation/desk/desk.ts';
import type { Language } from '../conversation/incoming.ts';
import type { Conflict } from '../conversation/intents/conclusion.ts';
import type { Agreed, Fact } from '../conversation/intents/evidence.ts';
import type { Reason } from '../conversation/intents/intent.ts';
import { FSI, LRI } from '../screen/marks.ts';
import { flowName, stateName } from './names.ts';
import { keyIn, say } from './sentences.ts';

/** How a person says that a payment ended. */
export function endName(as: Settlement['as'], language: Language): string {
  return say(language, keyIn('settle', as));
}

/** The reason why a payment has taken a step, in words. A text that an earlier version has written is left as it is. */
export function reasonName(why: Reason | string, language: Language): string {
  if (typeof why === 'string') return why;
  // A text that a person wrote has a direction of its own.
  return wordsOf(why, language).replaceAll(LRI, FSI);
}

function wordsOf(why: Reason, language: Language): string {
  switch (why.kind) {
    case 'learnt':
      return learntName(why.fact, why.conflict, language);
    case 'proposed':
      return say(language, 'console.whyProposed', { ...codes(why), as: { name: endName(why.as, language) } });
    case 'handed-over':
      return agreedName(why, language);
    default:
      return say(language, keyIn('why', why.kind), codes(why));
  }
}

function agreedName({ by, approvedBy, evidence }: Agreed, language: Language): string {
  return say(language, 'console.whyApproved', codes({ by, with: approvedBy, evidence }));
}

function learntName(fact: Fact, conflict: Conflict | undefined, language: Language): string {
  const why = factName(fact, language);
  switch (conflict?.kind) {
    case undefined:
    case 'frozen':
      return why;
    case 'not-ours':
      return say(language, 'console.whyAnotherPayment', codes({ why, id: conflict.operationId }));
    case 'owned': {
      const { operationId: id, owner: other } = conflict;
      return say(language, 'console.whyBelongs', codes({ why, id, other }));
    }
    case 'second':
      return say(
        language,
        'console.whyOtherOperation',
        codes({ why, id: conflict.operationId, other: conflict.own }),
      );
    case 'contradicts':
      return say(language, 'console.whyUnexplained', {
        ...codes({ why }),
        state: { name: stateName(conflict.state, language) },
        before: { name: stateName(conflict.after, language) },
      });
  }
}

function factName(fact: Fact, language: Language): string {
  switch (fact.kind) {
    case 'own-key':
      return fact.operationId === undefined && fact.ended
        ? say(language, 'console.whyItselfSays', { kind: { name: flowName(fact.order, language) } })
        : say(language, 'console.whyFoundByKey');
    case 'several':
    case 'look-alikes': {
      const operations = fact.operationIds.join(', ');
      const isNone = fact.kind === 'look-alikes' && operations === '';
      return say(
        language,
        isNone ? 'console.whyNoLookAlikes' : keyIn('why', fact.kind),
        codes({ operations }),
      );
    }
    case 'horizon':
      return horizonName(fact, language);
    case 'unfinished':
      return say(language, fact.declined ? 'console.whyCameBackDeclined' : 'console.whyUnfinished');
    case 'settled':
      return agreedName(fact, language);
    default:
      return say(language, keyIn('why', fact.kind), codes(fact));
  }
}

function horizonName(
  { operationId, exists }: Extract<Fact, { readonly kind: 'horizon' }>,
  language: Language,
): string {
  if (operationId !== undefined) return say(language, 'console.whyNoOutcome', codes({ id: operationId }));
  return say(language, exists ? 'console.whyNoOutcomeUnnumbered' : 'console.whyNotFound');
}

/** The texts and numbers of something, as values of a sentence. */
function codes(of: object): Values {
  const texts = Object.entries(of).filter(([, text]) => typeof text === 'string' || typeof text === 'number');
  return Object.fromEntries(texts.map(([name, text]) => [name, { code: String(text) }]));
}
