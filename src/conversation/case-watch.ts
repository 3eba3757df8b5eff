import type { Background } from './background.ts';
import { type Cases, createCases } from './cases/cases.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Address } from './incoming.ts';
import { type Intent, needsPerson } from './intents/intent.ts';
import type { Outcomes } from './intents/outcomes.ts';
import type { Served } from './served.ts';
import type { TurnDeps } from './turn-deps.ts';

/** The cases, and the alert that opens one for a payment that needs people, besides the line in the log. */
export function casesOf(
  { store, alert = () => {} }: EngineOptions,
  { cases: settings }: Pick<Served, 'cases'>,
  background: Background,
  now: () => number,
): { readonly cases: Cases; readonly alert: NonNullable<EngineOptions['alert']> } {
  const cases = createCases({ store, settings, now });
  const openCase = (intent: Intent) => {
    const { id, wallet, address, order } = intent;
    const opening = { kind: 'payment', subject: id, wallet, address, about: order.kind } as const;
    background.add(cases.open(opening), 'A case could not be written down');
    alert(intent);
  };
  return { cases, alert: openCase };
}

/** A customer who got stuck and has been away for so long has given up. Nobody is asked to help them with that any more. */
const GIVEN_UP_MS = 10 * 60_000;

async function isStillHere({ sessions, now }: TurnDeps, address: Address): Promise<boolean> {
  const { session } = await sessions.load(address, now());
  return session.owner !== undefined || session.at > now() - GIVEN_UP_MS;
}

/** Looks at a case that is due. @param isStuck whether a webhook still waits for a person */
export async function lookAtCase(
  {
    turns,
    cases,
    outcomes,
  }: { readonly turns: TurnDeps; readonly cases: Cases; readonly outcomes: Pick<Outcomes, 'intentOf'> },
  id: string,
  isStuck: (webhook: string) => Promise<boolean>,
): Promise<void> {
  await cases.look(id, async ({ kind, subject, address }) => {
    if (kind === 'webhook') return isStuck(subject);
    if (kind === 'stuck' && address) return isStillHere(turns, address);
    if (kind !== 'payment') return true;
    const intent = await outcomes.intentOf(subject);
    return intent !== undefined && needsPerson(intent);
  });
}
