import type { Value } from '../../machines/kit/screen.ts';
import type { Settlement } from '../conversation/desk/desk.ts';
import type { Language } from '../conversation/incoming.ts';
import { FSI, LRI } from '../screen/marks.ts';
import { flowName, stateName } from './names.ts';
import { say } from './sentences.ts';

const ENDS: Readonly<Record<Settlement['as'], string>> = {
  succeeded: 'console.settleSucceeded',
  failed: 'console.settleFailed',
  reversed: 'console.settleReversed',
  handedOver: 'console.settleHandedOver',
};
/**
 * Why a step was taken, as the engine writes it down (`intents/`, `desk/settling.ts`), and how that is said. The parts in
 * names are the values of the sentence.
 */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^answer of the wallet$/, 'console.whyAnswer'],
  [/^settled by (?<by>\S+), approved by (?<with>\S+): (?<evidence>[\s\S]*)$/, 'console.whyApproved'],
  [/^read by id$/, 'console.whyAskedById'],
  [/^concluded by an earlier version$/, 'console.whyEarlier'],
  [/^confirmed and authenticated$/, 'console.whyConfirmed'],
  [/^found by its own key$/, 'console.whyFoundByKey'],
  [/^the (?<kind>[\w-]+) itself says so$/, 'console.whyItselfSays'],
  [/^another payment looks just like this one$/, 'console.whyLooksAlike'],
  [/^no answer was ever saved$/, 'console.whyNoAnswer'],
  [/^operation (?<id>\d+) has no outcome after 72 h$/, 'console.whyNoOutcome'],
  [/^operation without an id has no outcome after 72 h$/, 'console.whyNoOutcomeUnnumbered'],
  [/^no other operation looks like it$/, 'console.whyNoLookAlikes'],
  [/^nothing was found in 72 h$/, 'console.whyNotFound'],
  [/^operations that look like it: (?<operations>[\d, ]+)$/, 'console.whyLookAlikes'],
  [/^rebuilt from webhook (?<event>[\w.-]+)$/, 'console.whyRebuilt'],
  [/^the only match$/, 'console.whyOnlyMatch'],
  [
    /^(?<by>\S+) proposes (?<as>succeeded|failed|reversed|handedOver): (?<evidence>[\s\S]*)$/,
    'console.whyProposed',
  ],
  [/^as quoted$/, 'console.whyQuoted'],
  [/^several operations match: (?<operations>[\d, ]+)$/, 'console.whySeveral'],
  [/^told again by (?<by>\S+)$/, 'console.whyToldAgain'],
  [/^webhook (?<event>[\w.-]+)$/, 'console.whyWebhook'],
  [/^(?<by>\S+) takes the proposal back$/, 'console.whyWithdrawn'],
  [/^(?<why>.*): operation (?<id>\d+) is another payment$/, 'console.whyAnotherPayment'],
  [/^(?<why>.*): operation (?<id>\d+) belongs to (?<other>\S+)$/, 'console.whyBelongs'],
  [/^(?<why>.*): operation (?<id>\d+), not (?<other>\d+)$/, 'console.whyOtherOperation'],
  [/^(?<why>.*): (?<state>[a-z-]+) after (?<before>[a-z-]+)$/, 'console.whyUnexplained'],
];

/** How a person says that a payment ended. */
export function endName(as: Settlement['as'], language: Language): string {
  return say(language, ENDS[as]);
}

/** Why a step was taken, in words; what nothing is known of is left as it was written. */
export function reasonName(why: string, language: Language): string {
  for (const [pattern, key] of REASONS) {
    const parts = pattern.exec(why);
    if (!parts) continue;
    const values = Object.entries(parts.groups ?? {}).map(([name, text]) => [
      name,
      partOf(name, text, language),
    ]);
    // What a person wrote has a direction of its own.
    return say(language, key, Object.fromEntries(values)).replaceAll(LRI, FSI);
  }
  return why;
}

function partOf(name: string, text: string, language: Language): Value {
  switch (name) {
    case 'why':
      return { code: reasonName(text, language) };
    case 'state':
    case 'before':
      return { name: stateName(text, language) };
    case 'kind':
      return { name: flowName(text, language) };
    case 'as':
      return { name: endName(text as Settlement['as'], language) };
    default:
      return { code: text };
  }
}
