import type { Customer, World } from '../kit/world.ts';

/** The newest reference of a wallet, as somebody at a counter knows it. */
export async function numberOf(world: World, { phone }: Pick<Customer, 'phone'>): Promise<string> {
  const found = (await referencesOf(world, phone)).at(-1);
  if (!found) throw new Error(`no reference of ${phone}`);
  return found;
}

/** The references that the wallet has made for a number, the oldest first. */
export async function referencesOf(world: World, phone: string): Promise<string[]> {
  return world.sandbox
    .references(phone)
    .map(({ reference }) => reference)
    .reverse();
}

/** Somebody executes a reference: an agent, of which nobody is told, or a network, which sends an event. */
export async function executes(
  world: World,
  by: 'agent' | 'network',
  kind: 'cash-in' | 'cash-out',
  reference: string,
): Promise<number> {
  const way = kind === 'cash-in' ? 'cashin' : 'cashout';
  const [path, body] =
    by === 'agent'
      ? [`/api/operations/${way}/agent`, { Code: 'RA-2001', Reference: reference }]
      : [`/api/network/operations/${way}`, { reference, entity: 'Guichet 12' }];
  const answer = await fetch(world.walletUrl + path, {
    method: 'POST',
    headers: { 'svc-api-key': world.sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status;
}
