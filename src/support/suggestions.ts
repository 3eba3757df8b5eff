import type { Intent, Watched } from '../conversation/desk/desk.ts';
import { isOpen, needsPerson } from '../conversation/intents/intent.ts';
import { saysLocked } from '../conversation/session/current-screen.ts';
import type { ConsoleKey } from './sentences.ts';

/** The known facts about a customer whom an agent looks at. */
export interface Situation {
  readonly session: Watched;
  readonly payments: readonly Intent[];
  readonly asked: boolean;
  readonly stuck: boolean;
}

/** The suggested next steps, the most important first. The first line that holds is shown. */
const STEPS: readonly (readonly [is: (situation: Situation) => boolean, key: ConsoleKey])[] = [
  [({ payments }) => payments.some(needsPerson), 'console.suggestPayment'],
  [({ payments }) => payments.some(isOpen), 'console.suggestOpenPayment'],
  [({ session }) => saysLocked(session.screen), 'console.suggestLocked'],
  [({ asked, session }) => asked && !session.canPush, 'console.suggestCall'],
  [({ asked, session }) => asked && !session.owner, 'console.suggestAnswer'],
  [({ stuck }) => stuck, 'console.suggestMisses'],
];

/** The next step for an agent. Undefined where no line holds. */
export function suggestion(situation: Situation): ConsoleKey | undefined {
  return STEPS.find(([is]) => is(situation))?.[1];
}
