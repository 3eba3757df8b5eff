import { centimes } from '../../../wallet/money.ts';
import { abilitiesOf } from '../../channel.ts';
import { openRequest } from '../../effects/ask-for-person.ts';
import { requestOf } from '../../effects/effect.ts';
import { effectEnv, runEffect } from '../../effects/run.ts';
import { effectNamed } from '../../effects/table.ts';
import { learntIn, type Made } from '../../record/record.ts';
import { newPlainRef } from '../../record/ref.ts';
import { agentOf, principalOf } from '../../session/agent.ts';
import type { Attachment } from '../../session/attachment.ts';
import { isBusy } from '../../session/book.ts';
import { wordsNow } from '../../session/open-first.ts';
import { findResumeOffer, isMadeSince } from '../../session/resume-offer.ts';
import { refusalOf } from '../../session/safety.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import type { StepEnv } from './thought.ts';

/** Above it every limit counts. */
const ANY_AMOUNT = centimes(Number.MAX_SAFE_INTEGER);

/** Conversations that go on by a link: on a handset it comes by SMS. */
const BY_LINK = ['card-cash-in', 'card-payment'];

/**
 * The environment of thinking about a session: the moment, and the way to run a *read* effect.
 * @param ran where the reads are noted, for the turn record
 * @param signal aborts the reads
 * @param attachment the file that the input has brought for a person
 */
export function stepEnv(
  deps: TurnDeps,
  loaded: LoadedSession,
  ran: Made[],
  signal?: () => AbortSignal,
  attachment?: Attachment,
): StepEnv {
  const { secrets, process } = deps;
  const { advisers, without, identityPage, labelsOf, cash, noSms } = deps.served;
  const opensNone = noSms && abilitiesOf(loaded.address).opensPages === 'sms';
  const now = deps.now();
  let [wallet, reads] = [loaded.wallet.value, 0];
  // A read sees what the reads before it in this turn have learnt.
  const walletNow = () => {
    if (ran.length > reads) [wallet, reads] = [learntIn(loaded.wallet.value, ran), ran.length];
    return wallet;
  };
  return {
    address: loaded.address,
    now,
    secrets,
    labelsOf,
    advisers,
    openCase: openRequest(requestOf(loaded).asked, now)?.case,
    without: opensNone ? [...without, ...BY_LINK] : without,
    identifies: !opensNone && identityPage() !== undefined,
    busy: isBusy(loaded.wallet.value, now),
    isFrozen: loaded.wallet.value.safety?.frozen !== undefined,
    atMost: () =>
      refusalOf(walletNow(), ANY_AMOUNT, { address: loaded.address, at: now, served: deps.served }),
    wordsNow: (screen) => wordsNow(screen, loaded),
    begins: process.begins(),
    isMerchant: () => walletNow().merchant?.is === true,
    agent: () => agentOf(walletNow())?.code,
    principal: () => principalOf(walletNow(), cash.ownAgent),
    cannotSend: deps.store.lacksReplicas(loaded.partition),
    attachment,
    isMade: (conversation) => isMadeSince(conversation, walletNow()),
    findResumeOffer: (only) => findResumeOffer(deps.sessions, loaded, { now, only }),
    read: async (session, invoked) => {
      const effect = effectNamed(invoked.src);
      if (effect.kind !== 'read') return undefined;
      const known = { ...loaded, wallet: { ...loaded.wallet, value: walletNow() } };
      const env = effectEnv(deps, known, session, newPlainRef(), signal);
      return { output: await runEffect(effect, invoked, env, ran) };
    },
  };
}
