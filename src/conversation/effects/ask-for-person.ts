import { z } from 'zod';
import { codec, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { caseOfStranger } from '../budgets.ts';
import { newCaseId } from '../cases/changes.ts';
import { afterOpenTime, opensAt } from '../cases/hours.ts';
import { caseUpdate } from '../cases/update.ts';
import type { Address, Language } from '../incoming.ts';
import type { RequestKnown } from '../session/session.ts';
import { type EffectOf, withRequest } from './effect.ts';

/** A request that nobody has answered is forgotten after this long. Until then it is scheduled, and so can be listed. */
const HELP_KEPT_MS = 7 * 24 * 3_600_000;

/** A customer's wish for a person. It lies in its address's partition, wherever the session moves. */
const help = z.object({
  address: textOf<Address>(),
  language: textOf<Language>(),
  /** In ms since 1970. */
  at: z.number(),
});
export type HelpDoc = z.infer<typeof help>;
export const helpCodec = codec('help request', help);

function helpKey(address: Address): string {
  return `help:${address}`;
}

/**
 * Writes down that the customer wants a person. The list of those who wait now keeps the first wish, and the commit of the answer carries a case.
 * Whether they have asked before, on any channel, is known by the wallet's document, or by a stranger's session: then the open case goes on here.
 */
export const askForPerson: EffectOf<'askForPerson'> = {
  kind: 'guarded',
  async run(_input, { store, budgets, address, language, wallet, at, walletDoc, served, came: { origin } }) {
    if (await budgets.charge(caseOfStranger(address, { wallet, origin }))) return { kind: 'tooMany' };
    const until = at + HELP_KEPT_MS;
    const doc = { key: helpKey(address), version: 0, value: '' };
    const write = helpCodec.write(doc, { address, language, at }, { dueAt: until, keepUntil: until });
    await store.commit(partitionOf(address), { writes: [write], durable: true });
    const { asked } = walletDoc;
    if (asked && asked.address !== address) await takeHelpBack(store, asked.address);
    const opens = opensAt(at, served.cases.hours);
    return { kind: 'ok', ...(opens !== undefined && { opensAt: opens }) };
  },

  settle(known, output, env) {
    if (output.kind !== 'ok') return { output };
    const { isLinked, request, address, language, wallet, place, at, served } = env;
    const before = openRequest((isLinked && known.wallet.asked) || request.asked, at);
    const asked = before ?? { at, case: newCaseId() };
    const facts = { ...(wallet && { wallet }), ...(place !== undefined && { about: place }) };
    const opening = { kind: 'asked', subject: address, address, language, ...facts } as const;
    const updates = [caseUpdate(at, { what: 'opened', case: asked.case, opening })];
    const due = afterOpenTime(asked.at, served.cases.levels.asked, served.cases.hours);
    const said = {
      case: asked.case,
      due,
      ...(due <= at && { isLate: true as const }),
      ...(before && { since: before.at }),
    };
    return {
      output: { ...output, ...said },
      caseUpdates: updates,
      ...withRequest(known, { ...request, asked }, env),
    };
  },
};

/** The request that is still open. A new one begins where it is too old. */
export function openRequest(asked: RequestKnown['asked'], at: number): RequestKnown['asked'] {
  return asked && asked.at < at && asked.at > at - HELP_KEPT_MS ? asked : undefined;
}

/** Takes the wish back: a person has come. False where there was none. */
export async function takeHelpBack(store: Store, address: Address): Promise<boolean> {
  const [partition, key] = [partitionOf(address), helpKey(address)];
  const [doc] = await store.read(partition, [key]);
  if (!doc) return false;
  return store.commit(partition, { writes: [{ key, version: doc.version, value: null }], durable: true });
}
