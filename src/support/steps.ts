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
    case 'quoted':
      return say(language, 'console.whyQuoted');
    case 'confirmed':
      return say(language, 'console.whyConfirmed');
    case 'rebuilt':
      return say(language, 'console.whyRebuilt', codes({ event: why.event }));
    case 'restored':
      return say(language, 'console.whyRestored');
    case 'learnt':
      return learntName(why.fact, why.conflict, language);
    case 'proposed': {
      const as = { name: endName(why.as, language) };
      return say(language, 'console.whyProposed', {
        ...codes({ by: why.by, evidence: why.evidence }),
        as,
      });
    }
    case 'withdrawn':
      return say(language, 'console.whyWithdrawn', codes({ by: why.by }));
    case 'handed-over':
      return agreedName(why, language);
    case 'told-again':
      return say(language, 'console.whyToldAgain', codes({ by: why.by }));
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

/** How a fact was learnt. */
function factName(fact: Fact, language: Language): string {
  switch (fact.kind) {
    case 'answer':
      return say(language, 'console.whyAnswer');
    case 'no-answer':
      return say(language, 'console.whyNoAnswer');
    case 'webhook':
      return say(language, 'console.whyWebhook', codes({ event: fact.event }));
    case 'read':
      return say(language, 'console.whyAskedById');
    case 'own-key':
      return fact.operationId === undefined && fact.ended
        ? say(language, 'console.whyItselfSays', { kind: { name: flowName(fact.order, language) } })
        : say(language, 'console.whyFoundByKey');
    case 'only-match':
      return say(language, 'console.whyOnlyMatch');
    case 'several':
      return say(language, 'console.whySeveral', codes({ operations: fact.operationIds.join(', ') }));
    case 'contested':
      return say(language, 'console.whyLooksAlike');
    case 'look-alikes':
      return fact.operationIds.length > 0
        ? say(language, 'console.whyLookAlikes', codes({ operations: fact.operationIds.join(', ') }))
        : say(language, 'console.whyNoLookAlikes');
    case 'horizon':
      return horizonName(fact, language);
    case 'unfinished':
      return say(language, fact.declined ? 'console.whyCameBackDeclined' : 'console.whyUnfinished');
    case 'settled':
      return agreedName(fact, language);
    case 'earlier':
      return say(language, 'console.whyEarlier');
  }
}

function horizonName(
  { operationId, exists }: Extract<Fact, { readonly kind: 'horizon' }>,
  language: Language,
): string {
  if (operationId !== undefined) return say(language, 'console.whyNoOutcome', codes({ id: operationId }));
  return say(language, exists ? 'console.whyNoOutcomeUnnumbered' : 'console.whyNotFound');
}

function codes(texts: Readonly<Record<string, string | number>>): Values {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { code: String(text) }]));
}
