import { ownWallet } from '../../channel.ts';
import { runEffect } from '../../effects/run.ts';
import type { Address } from '../../incoming.ts';
import type { Made } from '../../record/record.ts';
import type { OpenPayment } from '../../session/book.ts';
import { currentScreen } from '../../session/current-screen.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { SendingPayment, TurnDeps } from '../../turn-deps.ts';
import type { ClaimedCall } from '../commit/claim.ts';
import type { Committed } from '../commit/commit.ts';
import { type Caller, callEnd } from './settle.ts';
import { settleUncertainClaim, settleUntilStored } from './settle-until-stored.ts';

/**
 * Runs the call that a commit has claimed, gives the conversation the answer, and so on until no call is left. Gives the
 * session as it is then.
 * @param running called with the session before each call: somebody may be waiting no longer
 */
export async function finish(
  deps: TurnDeps,
  first: Committed,
  caller: Caller,
  running: (loaded: LoadedSession) => void = () => {},
): Promise<LoadedSession> {
  let committed = first;
  while (committed.call) {
    const { loaded, call, isUncertain } = committed;
    if (isUncertain) {
      committed = await settleUncertainClaim(deps, loaded, call);
      continue;
    }
    running(loaded);
    committed = await run(deps, loaded, call, caller);
  }
  return committed.loaded;
}

/** The payments of the customer at this address that this process is sending now, ordered here or elsewhere. */
export function sendingFor({ sending }: Pick<TurnDeps, 'sending'>, address: Address): OpenPayment[] {
  const wallet = ownWallet(address);
  return [...sending.values()].filter((each) => each.address === address || each.wallet === wallet);
}

/** Makes a claimed call, once, and writes its answer down. */
async function run(
  deps: TurnDeps,
  loaded: LoadedSession,
  call: ClaimedCall,
  caller: Caller,
): Promise<Committed> {
  const { effect, invoked, env } = call;
  const startedAt = deps.now();
  const ran: Made[] = [];
  if (effect.kind === 'money') deps.sending.set(env.ref, sendingPayment(loaded, call));
  try {
    const output = await runEffect(effect, invoked, env, ran).catch(() => effect.lost);
    const cause = { event: callEnd(invoked, 'answered'), startedAt, ran };
    const settled = await settleUntilStored(deps, loaded, { call, output, cause, caller });
    // For support only: that it cannot be noted now changes nothing about the payment.
    if (effect.noted) {
      const notes = effect.noted(invoked.input, output, env).catch(() => {});
      deps.background.add(notes, 'Saved names could not be written down');
    }
    return settled;
  } finally {
    deps.sending.delete(env.ref);
  }
}

function sendingPayment({ session }: LoadedSession, { env }: ClaimedCall): SendingPayment {
  const { ref, at, address, wallet } = env;
  const { key, values } = currentScreen(session);
  return { id: ref, at, address, wallet, says: { key, ...(values && { values }) } };
}
