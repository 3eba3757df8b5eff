import { z } from 'zod';
import type { AgentWish } from '../../machines/kit/effects.ts';
import type { Sealed } from '../../machines/kit/secret.ts';
import { codec, textOf } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { readDocs, type Update, update } from '../store/update.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { Secrets } from './secrets.ts';

/** Proposals that wait at the same time: more than two people can look over. */
const WAITING_MAX = 50;
/** A proposal that nobody has approved by then is over. */
const PROPOSED_MS = 7 * 24 * 3_600_000;

/**
 * A number that shall serve for a retail agent, for a new one or an existing one. The holder of the number spends the
 * agent's float. The wallet is told of it once two administrators have agreed. It never hears of a proposal that is
 * withdrawn.
 */
export interface AgentProposal {
  /** When it was proposed, in ms since 1970: another one for each proposal of this principal agent. */
  readonly at: number;
  /** The administrator who has proposed it. Absent: a number has asked for it in its chat, and no administrator has taken it up. */
  readonly by?: string;
  /** The number that acts for the principal agent, where it was asked for in its chat. */
  readonly from?: Msisdn;
  readonly reason: string;
  readonly wish: AgentWish;
}

/** The place of one principal agent's proposals: sealed, as they name a person and their identity number. */
export interface Proposals {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly code: string;
}

type Stored = Omit<AgentProposal, 'wish'> & { readonly sealed: Sealed };

const proposalsCodec = codec<{ readonly proposals: readonly Stored[] }>(
  'proposed retail agents',
  z.object({
    proposals: z.array(
      z.looseObject({
        at: z.number(),
        by: z.string().exactOptional(),
        from: textOf<Msisdn>().exactOptional(),
        reason: z.string(),
        sealed: textOf<Sealed>(),
      }),
    ),
  }),
);

/** Those that wait, the earliest first. */
export async function listProposals(of: Proposals): Promise<readonly AgentProposal[]> {
  const key = keyOf(of);
  const [doc] = await readDocs(of.store, partitionOf(key), [key]);
  return (proposalsCodec.read(doc)?.proposals ?? []).flatMap((each) => opened(of, each) ?? []);
}

/** Adds one. `waits`: one for the same number waits already, and only one of them could succeed. `full`: too many wait. */
export function addProposal(
  of: Proposals,
  proposal: Omit<AgentProposal, 'at'>,
): Promise<'added' | 'waits' | 'full'> {
  const phone = numberIn(proposal.wish);
  return change<'added' | 'waits' | 'full'>(of, (waiting) => {
    if (waiting.some(({ wish }) => numberIn(wish) === phone)) return { result: 'waits' };
    if (waiting.length >= WAITING_MAX) return { result: 'full' };
    return { after: [...waiting, { ...proposal, at: next(of, waiting) }], result: 'added' };
  });
}

/** The holder of this number would serve as the agent. */
export function numberIn(wish: AgentWish): Msisdn {
  return 'open' in wish ? wish.open.phone : wish.phone;
}

/**
 * An administrator makes a proposal of a number's own request. That is another proposal then. False where the request
 * no longer waits, or where another administrator has taken it up.
 */
export function takeUpProposal(
  of: Proposals,
  at: number,
  { by, reason }: Pick<AgentProposal, 'by' | 'reason'>,
): Promise<boolean> {
  return change(of, (waiting) => {
    const asked = waiting.find((each) => each.at === at && each.by === undefined);
    if (!asked) return { result: false };
    const proposed = { ...asked, ...(by !== undefined && { by }), reason, at: next(of, waiting) };
    return { after: [...waiting.filter((each) => each !== asked), proposed], result: true };
  });
}

/** Takes a proposal out, as long as it `may`. Of several callers at once only one gets it, and nobody finds it again. */
export function removeProposal<No extends string = never>(
  of: Proposals,
  at: number,
  may: (proposal: AgentProposal) => No | undefined = () => undefined,
): Promise<AgentProposal | No | undefined> {
  return change<AgentProposal | No | undefined>(of, (waiting) => {
    const one = waiting.find((each) => each.at === at);
    const no = one && may(one);
    if (!one || no !== undefined) return { result: no };
    return { after: waiting.filter((each) => each !== one), result: one };
  });
}

function keyOf({ code }: Pick<Proposals, 'code'>): string {
  return `agent-proposals:${code}`;
}

/** No two have the same moment, as the moment names them. */
function next({ now }: Proposals, waiting: readonly AgentProposal[]): number {
  return Math.max(now(), ...waiting.map(({ at }) => at + 1));
}

function change<T>(
  of: Proposals,
  to: (waiting: readonly AgentProposal[]) => {
    readonly after?: readonly AgentProposal[];
    readonly result: T;
  },
): Promise<T> {
  const key = keyOf(of);
  return update(of.store, partitionOf(key), [key], (doc): Update<T> => {
    const waiting = (proposalsCodec.read(doc)?.proposals ?? []).flatMap((each) => opened(of, each) ?? []);
    const { after, result } = to(waiting);
    if (!after) return { result };
    const proposals = after.map((each) => sealed(of, each));
    const kept = { keepUntil: of.now() + PROPOSED_MS };
    return { writes: [proposalsCodec.write(doc, { proposals }, kept)], durable: true, result };
  });
}

function sealed(of: Proposals, { wish, ...rest }: AgentProposal): Stored {
  return { ...rest, sealed: of.secrets.seal(JSON.stringify(wish), boundTo(of, rest), rest.at) };
}

/** Undefined where it is over, or was changed by a person without the key. */
function opened(of: Proposals, { sealed: closed, ...rest }: Stored): AgentProposal | undefined {
  const text = of.secrets.open(closed, boundTo(of, rest), of.now(), PROPOSED_MS);
  return text === undefined ? undefined : { ...rest, wish: JSON.parse(text) };
}

/** The name of the proposer is sealed with it, so nobody proposes in another's name by writing to the store. */
function boundTo({ code }: Proposals, { at, by, from }: Pick<AgentProposal, 'at' | 'by' | 'from'>): string {
  return JSON.stringify(['agent-proposal', code, at, by ?? '', from ?? '']);
}
