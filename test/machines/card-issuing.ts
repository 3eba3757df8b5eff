import { createOperations, type Operations } from '../kit/operations.ts';
import type { Customer, World } from '../kit/world.ts';

/** The sandbox's programmes: plastic, and two that nobody makes. */
export const PLASTIC = 1;
export const VIRTUAL = 2;

/** The issuer's side of the sandbox. */
export function issuer(world: World): Operations {
  return createOperations({ url: world.walletUrl, apiKey: world.sandbox.apiKey });
}

/** The value of a wallet call, which must succeed. */
export async function told<T>(answer: Promise<{ kind: string; value?: T }>): Promise<T> {
  const { kind, value, ...rest } = await answer;
  if (kind !== 'ok' || value === undefined) throw new Error(`${kind} ${JSON.stringify(rest)}`);
  return value;
}

/** Issues a card to a customer and returns its id. The card is activated unless `isNew`. */
export async function issue(
  world: World,
  { phone }: Pick<Customer, 'phone'>,
  { program = VIRTUAL, isNew = false } = {},
): Promise<number> {
  const api = issuer(world);
  const query = { PhoneNumber: phone, cardProgramId: program };
  const { id } = await told(api.createCardApplication({ query }));
  const { cardId } = await told(api.validateCardApplication({ params: { id } }));
  if (typeof cardId !== 'number') throw new Error('no card was issued');
  if (!isNew) await told(api.activateCard({ params: { id: cardId }, query: { PhoneNumber: phone } }));
  return cardId;
}

/** The card as the wallet has it. */
export function cardAt(world: World, id: number) {
  return told(issuer(world).readCard({ params: { id } }));
}

/** Pays with a card at the sandbox's desk. Returns false when the card is not accepted. */
export async function purchase(world: World, card: number, order: object): Promise<boolean> {
  const response = await fetch(`${world.walletUrl}/sandbox/cards/${card}/purchases`, {
    method: 'POST',
    headers: { 'x-api-key': world.sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { accepted: boolean }).accepted;
}
