import { StoreDown } from '../store/store.ts';
import type { Case } from './cases/case.ts';
import type { Cases } from './cases/cases.ts';
import type { Address } from './incoming.ts';
import { needsPerson } from './intents/intent.ts';
import type { Outcomes } from './intents/outcomes.ts';
import { type TellDeps, tellWallet } from './session/tell.ts';
import type { TurnDeps } from './turn-deps.ts';

/** A customer who got stuck and has been away for so long has given up. Nobody is asked to help them with that any more. */
const GIVEN_UP_MS = 10 * 60_000;

async function isStillHere({ sessions, now }: TurnDeps, address: Address): Promise<boolean> {
  const { session } = await sessions.load(address, now());
  return session.owner !== undefined || session.at > now() - GIVEN_UP_MS;
}

/** Tells a customer once that the promised answer is late, wherever they have asked for it. */
async function tellLate(deps: TellDeps, it: Case | undefined): Promise<void> {
  if (!it?.wallet || it.kind !== 'asked') return;
  const { id, wallet, breachedAt, firstAnswerAt, openedAt: since, due } = it;
  if (breachedAt === undefined || firstAnswerAt !== undefined) return;
  const values = { case: { code: id }, due: { date: due } };
  const screen = { key: 'help.lateFor', values, expects: 'nothing' } as const;
  const message = { id: `late-${id}`, screen, money: false, about: { state: 'asked', since } } as const;
  await tellWallet(deps, wallet, { name: `late-${id}`, message });
}

/** Looks at the cases that are due. @param isStuck whether a webhook still waits for a person */
export async function lookAtCases(
  {
    turns,
    cases,
    outcomes,
    push,
  }: {
    readonly turns: TurnDeps;
    readonly cases: Cases;
    readonly outcomes: Pick<Outcomes, 'intentOf'>;
    readonly push: TellDeps['pushed'];
  },
  isStuck: (webhook: string) => Promise<boolean>,
): Promise<void> {
  const isNeeded = async ({ kind, subject, address }: Case) => {
    if (kind === 'webhook') return isStuck(subject);
    if (kind === 'stuck' && address) return isStillHere(turns, address);
    if (kind !== 'payment') return true;
    const intent = await outcomes.intentOf(subject);
    return intent !== undefined && needsPerson(intent);
  };
  const failed: unknown[] = [];
  const look = async (id: string) => {
    await cases.look(id, isNeeded);
    await tellLate({ ...turns, pushed: push }, await cases.find(id));
  };
  for (const id of await cases.due())
    await look(id).catch((error) => {
      if (error instanceof StoreDown) throw error;
      // One that is damaged must not keep the others from being late.
      failed.push(error);
    });
  if (failed.length > 0) throw failed[0];
}
