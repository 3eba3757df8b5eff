import { Hono } from 'hono';
import type { Acted, Agent, Desk, Watched } from '../../conversation/desk/desk.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Act as Allowed } from '../access/roles.ts';
import type { Audited } from '../audit/deeds.ts';
import { texts } from '../form.ts';
import { answer, audited, found } from './answer.ts';
import { whyNotApproved } from './approval.ts';
import { ownerOf } from './case-acts.ts';
import type { Tools } from './options.ts';
import { REASON, typedIn } from './words.ts';

interface Act {
  readonly desk: Desk;
  readonly wallet: Msisdn;
  readonly by: Agent;
  readonly why: string;
  /** The `at` of the proposal that was read. */
  readonly at: number;
}

/**
 * The acts of a support agent on a freeze, and on a retail agent. A row has the end of the path, the name in the audit, whether it needs a reason,
 * and the function.
 */
const ACTS: readonly (readonly [
  path: string,
  act: Audited,
  hasReason: boolean,
  run: (act: Act) => Promise<Acted>,
])[] = [
  ['freeze', 'freeze', true, ({ desk, wallet, by }) => desk.freeze(wallet, by)],
  ['propose-thaw', 'proposeThaw', true, ({ desk, wallet, by, why }) => desk.proposeThaw(wallet, by, why)],
  ['approve-thaw', 'approveThaw', false, ({ desk, wallet, by, at }) => desk.approveThaw(wallet, by, at)],
  ['withdraw-thaw', 'withdrawThaw', false, ({ desk, wallet, by }) => desk.withdrawThaw(wallet, by)],
  ['stop-agent', 'stopAgent', true, ({ desk, wallet, by, why }) => desk.stopAgent(wallet, by, why)],
  [
    'propose-restore',
    'proposeRestore',
    true,
    ({ desk, wallet, by, why }) => desk.proposeRestore(wallet, by, why),
  ],
  [
    'approve-restore',
    'approveRestore',
    false,
    ({ desk, wallet, by, at }) => desk.approveRestore(wallet, by, at),
  ],
  ['withdraw-restore', 'withdrawRestore', false, ({ desk, wallet, by }) => desk.withdrawRestore(wallet, by)],
];

/** Support agents freeze a wallet's payments and stop retail agents, and undo either in twos. Each act is in the audit before it is done. */
export function freezeRoutes(tools: Tools): Hono<Guarded> {
  const { desk, ids } = tools;
  const app = new Hono<Guarded>();
  for (const [path, act, hasReason, run] of ACTS) {
    app.post(`/sessions/:id/${path}`, async (c) => {
      const session = found(await desk.session(found(ids.addressOf(c.req.param('id')))));
      const wallet = found(session.wallet);
      const back = `${BASE}/sessions/${c.req.param('id')}`;
      const form = await texts(c);
      const [{ text: why, no: noReason }, at] = [typedIn(form.why, REASON), Number(form.at)];
      if (hasReason && noReason) return answer(c, noReason, back);
      await audited(tools, c, act, { on: session.address, about: wallet, ...(hasReason && { why }) });
      const { proposes, in: placeIn } = APPROVED[act] ?? {};
      const no = proposes && (await whyNotApproved(tools, c, placeIn?.(session), { at, proposes }));
      return answer(c, no ?? (await run({ desk, wallet, by: ownerOf(c.var.who), why, at })), back);
    });
  }
  return app;
}

/** Proposals that a second person approves: the place of the proposal, and the act that its proposer needed. */
const APPROVED: {
  readonly [act in Audited]?: {
    readonly in: (session: Watched) => { readonly by: string; readonly at: number } | undefined;
    readonly proposes: Allowed;
  };
} = {
  approveThaw: { in: ({ frozen }) => frozen?.proposal, proposes: 'proposeThaw' },
  approveRestore: { in: ({ agent }) => agent?.stopped?.proposal, proposes: 'proposeRestore' },
};
