import type { Payment } from '../../../machines/kit/effects.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import { StoreDown } from '../../store/store.ts';
import { sealAnswer } from './held-answer.ts';
import { ANSWER_KEPT_MS, pause } from './settle-until-stored.ts';
import type { TurnDeps } from './turn-deps.ts';

export type KeepDeps = Pick<TurnDeps, 'answeredLate' | 'answerLost' | 'stopping' | 'secrets' | 'now'>;

/**
 * Writes the wallet's answer to a payment down that no conversation waits for, for as long as it takes; at the limit it is logged, sealed.
 * @param of.docs the documents as the claim has left them
 */
export async function keepAnswer(
  deps: KeepDeps,
  { ref, docs }: { readonly ref: string; readonly docs: readonly KeyedDoc[] },
  answer: Payment,
): Promise<void> {
  const { answeredLate, answerLost, secrets, stopping, now } = deps;
  const until = now() + ANSWER_KEPT_MS;
  for (let tries = 0; !stopping.aborted && now() <= until; tries++) {
    try {
      return await answeredLate(ref, answer, { docs });
    } catch (error) {
      if (!(error instanceof StoreDown)) throw error;
      await pause(deps, tries);
    }
  }
  answerLost({ ref, sealed: sealAnswer(secrets, ref, answer, now()) });
}
