import type { AgentWish } from '../../../machines/kit/effects.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import {
  type AgentProposal,
  addProposal,
  listProposals,
  type Proposals,
  removeProposal,
  takeUpProposal,
} from '../agent-proposals.ts';
import { changeAgent, openAgent, whyInVain } from '../principal-agent.ts';
import type { Secrets } from '../secrets.ts';
import { withoutSecrets } from '../session/talk.ts';
import { type Announcement, type TellDeps, tellWallet } from '../session/tell.ts';
import type { Acted, Agent } from './desk.ts';

/** How long one answer of the wallet may take: an administrator waits for it. */
export const PATIENCE = { timeoutMs: 15_000 };

/**
 * The numbers of retail agents. The holder of an agent's number spends its float, and the API knows no other proof
 * (open question 110). So one administrator proposes the number of a new agent, or another number for an existing one.
 * Another administrator agrees, and only then the wallet is asked. A request that a number has made in its chat needs
 * the agreement of two administrators as well.
 */
export interface Numbering {
  /** Those that wait: for a week, then they are over. */
  proposedAgents(): Promise<readonly AgentProposal[]>;
  /** `notNow`: too many wait. */
  proposeAgent(wish: AgentWish, by: Agent, reason: string): Promise<Acted | InVain>;
  /** Proposes a number's own request. @param at the `at` of the request that they have read */
  takeUpAgent(at: number, by: Agent, reason: string): Promise<Acted | InVain>;
  /**
   * Approves a proposal, by a second administrator. Then the wallet is asked, once. The proposal is over, however the
   * wallet answers. `unknown`: nobody knows whether the wallet has done it.
   * @param at the `at` of the proposal that they have read
   */
  approveAgent(at: number, by: Agent): Promise<Exclude<Acted, 'done'> | Answer<{ readonly code: string }>>;
  withdrawAgent(at: number): Promise<Acted>;
}

/** The reason why a proposal could not succeed: one for this number waits already, or the wallet would refuse it. */
type InVain = 'waits' | NonNullable<Awaited<ReturnType<typeof whyInVain>>>;

export interface NumberingDeps extends TellDeps {
  readonly api: Wallet;
  readonly secrets: Secrets;
}

export function createNumbering(deps: NumberingDeps, code: string): Numbering {
  const of: Proposals = { ...deps, code };
  return {
    proposedAgents: () => listProposals(of),
    async proposeAgent(wish, { id: by }, reason) {
      const no = await whyInVain(deps.api, code, wish, PATIENCE);
      if (no) return no;
      const added = await addProposal(of, { by, reason: withoutSecrets(reason), wish });
      return added === 'full' ? 'notNow' : added === 'waits' ? added : 'done';
    },
    async takeUpAgent(at, { id: by }, reason) {
      const asked = (await listProposals(of)).find((each) => each.at === at);
      const no = asked && (await whyInVain(deps.api, code, asked.wish, PATIENCE));
      if (no) return no;
      return (await takeUpProposal(of, at, { by, reason: withoutSecrets(reason) })) ? 'done' : 'notNow';
    },
    approveAgent: (at, by) => approve(deps, of, at, by),
    async withdrawAgent(at) {
      const proposal = await removeProposal(of, at);
      if (!proposal) return 'notNow';
      await tell(deps, proposal, { key: 'principal-agents.declined' });
      return 'done';
    },
  };
}

async function approve(
  deps: NumberingDeps,
  of: Proposals,
  at: number,
  { id }: Agent,
): ReturnType<Numbering['approveAgent']> {
  const proposal = await removeProposal(of, at, ({ by }) => {
    if (by === undefined) return 'notNow';
    return by === id ? 'sameAgent' : undefined;
  });
  if (proposal === undefined) return 'notNow';
  if (typeof proposal === 'string') return proposal;
  const answer = await asked(deps.api, of.code, proposal.wish);
  await tell(deps, proposal, outcomeSentence(proposal.wish, answer));
  return answer;
}

async function asked(
  api: Wallet,
  principal: string,
  wish: AgentWish,
): Promise<Answer<{ readonly code: string }>> {
  if ('open' in wish) return openAgent(api, principal, wish.open, PATIENCE);
  const { code, phone } = wish;
  const answer = await changeAgent(api, code, { phone }, PATIENCE);
  return answer.kind === 'ok' ? { kind: 'ok', value: { code } } : answer;
}

/** The wallet's refusals of a code or a number that was right when it was proposed. */
const REFUSALS = ['90140', '90141'] as const;

type OutcomeSentence = Pick<Announcement['message']['screen'], 'key' | 'values'>;

function outcomeSentence(wish: AgentWish, answer: Answer<{ readonly code: string }>): OutcomeSentence {
  if (answer.kind === 'unknown') return { key: 'principal-agents.notKnown' };
  const why = answer.kind === 'refused' && REFUSALS.find((each) => each === answer.code);
  if (why) return { key: 'principal-agents.refused', values: { why: { say: `problem.${why}` } } };
  if (answer.kind !== 'ok') return { key: 'principal-agents.declined' };
  const code = { code: answer.value.code };
  return 'open' in wish
    ? { key: 'principal-agents.opened', values: { code, name: { name: wish.open.name } } }
    : { key: 'principal-agents.changed', values: { code } };
}

/** Tells the outcome to the customer who has asked for it in a chat. */
async function tell(
  deps: NumberingDeps,
  { from, at }: AgentProposal,
  sentence: OutcomeSentence,
): Promise<void> {
  if (from === undefined) return;
  const name = `agent-proposal-${at}`;
  await tellWallet(deps, from, {
    name,
    message: { id: name, screen: { ...sentence, expects: 'nothing' }, money: false },
  });
}
