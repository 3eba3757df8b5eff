import type { AgentMark } from '../../../machines/kit/effects.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { About } from '../session/state-of.ts';
import { withoutSecrets } from '../session/talk.ts';
import { type TellDeps, tellWallet } from '../session/tell.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import type { Acted, Agent, DeskStopping } from './desk.ts';
import { changeWallet } from './freezing.ts';

/**
 * Support stops a retail agent at once: the API has no such call, so it binds Wasl's channels alone. To restore them, one support agent
 * says why, and another one agrees.
 */
export function createStopping(deps: TellDeps): DeskStopping {
  return {
    stopAgent: (wallet, by, reason) => stopAgent(deps, wallet, by, reason),
    proposeRestore: (wallet, by, reason) => proposeRestore(deps, wallet, by, reason),
    approveRestore: (wallet, by, at) => approveRestore(deps, wallet, by, at),
    withdrawRestore: (wallet) => withdrawRestore(deps, wallet),
  };
}

async function stopAgent(deps: TellDeps, wallet: Msisdn, by: Agent, reason: string): Promise<Acted> {
  const at = deps.now();
  const stopped = { by: by.id, at, reason: withoutSecrets(reason) };
  const acted = await change(deps, wallet, (agent) => (agent.stopped ? 'notNow' : { ...agent, stopped }));
  const about = { state: 'agentStopped', since: at } as const;
  if (acted === 'done') await tell(deps, wallet, `agent-stopped-${at}`, 'problem.noAgent', about);
  return acted;
}

function proposeRestore(deps: TellDeps, wallet: Msisdn, by: Agent, reason: string): Promise<Acted> {
  const proposal = { by: by.id, at: deps.now(), reason: withoutSecrets(reason) };
  return change(deps, wallet, ({ stopped, ...agent }) =>
    stopped && !stopped.proposal ? { ...agent, stopped: { ...stopped, proposal } } : 'notNow',
  );
}

function withdrawRestore(deps: TellDeps, wallet: Msisdn): Promise<Acted> {
  return change(deps, wallet, ({ stopped, ...agent }) => {
    if (!stopped?.proposal) return 'notNow';
    const { proposal: _withdrawn, ...rest } = stopped;
    return { ...agent, stopped: rest };
  });
}

async function approveRestore(deps: TellDeps, wallet: Msisdn, by: Agent, at: number): Promise<Acted> {
  const restoredAt = deps.now();
  const acted = await change(deps, wallet, ({ stopped, ...agent }) => {
    // An administrator approves only the proposal that they have read. It may have been taken back, and another one
    // made.
    if (stopped?.proposal?.at !== at) return 'notNow';
    // The wallet is asked first whose code it is now.
    return stopped.proposal.by === by.id ? 'sameAgent' : { ...agent, until: 0 };
  });
  if (acted === 'done')
    await tell(deps, wallet, `agent-restored-${restoredAt}`, 'agent.restored', { state: 'agentStopped' });
  return acted;
}

function tell(deps: TellDeps, wallet: Msisdn, name: string, key: SentenceKey, about: About): Promise<void> {
  return tellWallet(deps, wallet, {
    name,
    message: { id: name, screen: { key, expects: 'nothing' }, money: false, about },
  });
}

/** Changes the known data of a wallet's agent. Does nothing where there is none. */
function change(
  { store }: TellDeps,
  wallet: Msisdn,
  to: (agent: AgentMark) => AgentMark | Exclude<Acted, 'done'>,
): Promise<Acted> {
  return changeWallet(store, wallet, (doc): WalletDoc | Exclude<Acted, 'done'> => {
    const agent = doc.agent && to(doc.agent);
    if (agent === undefined) return 'notNow';
    return typeof agent === 'string' ? agent : { ...doc, agent };
  });
}
