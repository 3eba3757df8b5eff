import { z } from 'zod';
import { codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { AgentCard } from '../../wallet/bank-cards.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { ownAddress } from '../channel.ts';
import { type CardLink, cardLinkCodec, cardLinkKey, cardLinkWrite, stateOf } from '../intents/card-link.ts';
import type { Intent } from '../intents/intent.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { isOurRef, newRef, partitionOfRef } from '../record/ref.ts';
import type { Secrets } from '../secrets.ts';
import { principalOf } from '../session/agent.ts';
import { FROZEN } from '../session/safety.ts';
import type { TellDeps } from '../session/tell.ts';
import { walletKey, walletStateOf } from '../session/wallet-doc.ts';
import type { Agent } from './desk.ts';
import { PATIENCE } from './numbering.ts';

/** Loads of one principal agent that are listed, the newest first. */
const LISTED_MAX = 20;

export interface FloatLoad {
  readonly id: string;
  readonly amount: Centimes;
  readonly fees: Centimes;
  /** The number that hears of it. */
  readonly phone: Msisdn;
  /** The account that has begun it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `open`: its page waits for a card. `over`: nobody can type one any more. `used`: its payment says how it stands. */
  readonly state: 'open' | 'used' | 'over';
  /** Cards that were refused on its page. */
  readonly refused: number;
  /** The address where a card is typed, while it is open. */
  readonly page?: string;
  readonly payment?: Pick<Intent, 'id' | 'state' | 'operationId'> & {
    /** A browser has come back from the bank's page and says that nothing was paid: that proves nothing. */
    readonly saidDeclined?: true;
  };
}

/** The float of the principal agent loaded by card, for administrators. */
export interface FloatCards {
  /** False where cards are off, or browsers cannot reach us. */
  readonly takesCards: boolean;
  /** The newest first. */
  cardLoads(): Promise<readonly FloatLoad[]>;
  cardLoad(id: string): Promise<FloatLoad | undefined>;
  /**
   * Asks the wallet for the fees, and makes the page on which a card is typed, once, within ten minutes. Nothing moves
   * by this. `notBound`: the number does not act for the agent.
   */
  beginCardLoad(
    of: { readonly amount: Centimes; readonly phone: Msisdn },
    by: Agent,
  ): Promise<Answer<{ readonly id: string }> | { readonly kind: 'notBound' }>;
  cards(): Promise<Answer<readonly AgentCard[]>>;
  renameCard(id: number, name: string): Promise<Answer<true>>;
  deleteCard(id: number): Promise<Answer<true>>;
}

export interface FloatCardsDeps extends Pick<TellDeps, 'store' | 'now'> {
  readonly api: Wallet;
  readonly outcomes: Pick<Outcomes, 'intentOf'>;
  readonly secrets: Secrets;
  /** The address of the form for browsers, `https://…/form`. Undefined where they cannot reach us, or cards are off. */
  readonly cardFormAt: string | undefined;
}

const listCodec = codec<{ readonly ids: readonly string[] }>(
  'loads of a float',
  z.object({ ids: z.array(z.string()) }),
);
const listKey = (code: string) => `float-loads:${code}`;

export function createFloatCards(deps: FloatCardsDeps, code: string): FloatCards {
  const { api } = deps;
  return {
    takesCards: deps.cardFormAt !== undefined,
    cardLoads: () => loads(deps, code),
    cardLoad: (id) => load(deps, code, id),
    beginCardLoad: (of, by) => begin(deps, code, of, by),
    cards: () => api.agentCards(code, PATIENCE),
    renameCard: (id, name) => rename(api, { code, id, name }),
    deleteCard: (id) => remove(api, { code, id }),
  };
}

async function begin(
  { store, api, secrets, cardFormAt, now }: FloatCardsDeps,
  code: string,
  { amount, phone }: { readonly amount: Centimes; readonly phone: Msisdn },
  by: Agent,
): ReturnType<FloatCards['beginCardLoad']> {
  if (cardFormAt === undefined) return { kind: 'refused', code: 'http404', description: 'no public address' };
  const partition = partitionOf(phone);
  const [walletDoc] = await readDocs(store, partition, [walletKey(phone)]);
  const { value } = walletStateOf(walletDoc);
  if (principalOf(value, code) !== code) return { kind: 'notBound' };
  if (value.safety?.frozen) return FROZEN;
  const quote = await api.previewFloatByCard({ code, amount }, PATIENCE);
  if (quote.kind !== 'ok') return quote;
  const id = newRef(partition, secrets);
  const link: CardLink = {
    ...{ id, wallet: phone, address: ownAddress(phone), merchant: code, amount },
    ...{ fees: quote.value.fees, at: now(), float: { code, by: by.id } },
  };
  // The list is written first: it misses none.
  const key = listKey(code);
  await update(store, partitionOf(key), [key], (doc): Update<void> => {
    const ids = [id, ...(listCodec.read(doc)?.ids ?? [])].slice(0, LISTED_MAX);
    return { writes: [listCodec.write(doc, { ids })], durable: true, result: undefined };
  });
  await update(
    store,
    partition,
    [cardLinkKey(id)],
    (doc): Update<void> => ({
      writes: [cardLinkWrite(doc, link)],
      durable: true,
      result: undefined,
    }),
  );
  return { kind: 'ok', value: { id } };
}

async function loads(deps: FloatCardsDeps, code: string): Promise<readonly FloatLoad[]> {
  const key = listKey(code);
  const [doc] = await readDocs(deps.store, partitionOf(key), [key]);
  const all = await Promise.all((listCodec.read(doc)?.ids ?? []).map((id) => load(deps, code, id)));
  return all.filter((each) => each !== undefined);
}

async function load(
  { store, outcomes, secrets, cardFormAt, now }: FloatCardsDeps,
  code: string,
  id: string,
): Promise<FloatLoad | undefined> {
  const partition = isOurRef(id, secrets) ? partitionOfRef(id) : undefined;
  if (partition === undefined) return undefined;
  const [doc] = await readDocs(store, partition, [cardLinkKey(id)]);
  const link = cardLinkCodec.readable(doc);
  if (link?.float?.code !== code) return undefined;
  const { wallet: phone, amount, fees, at, float, refused = 0 } = link;
  const state = stateOf(link, now());
  const intent = link.payment === undefined ? undefined : await outcomes.intentOf(link.payment);
  const { operationId, evidence = [] } = intent ?? {};
  const saidDeclined = evidence.some((fact) => fact.kind === 'unfinished' && fact.declined);
  return {
    ...{ id, amount, fees, phone, by: float.by, at, state, refused },
    ...(state === 'open' && cardFormAt !== undefined && { page: `${cardFormAt}/pay/${id}` }),
    ...(intent && {
      payment: {
        ...{ id: intent.id, state: intent.state },
        ...(operationId !== undefined && { operationId }),
        ...(saidDeclined && { saidDeclined }),
      },
    }),
  };
}

/** Without an answer the card is read: a name can be given again. */
async function rename(
  api: Wallet,
  of: { readonly code: string; readonly id: number; readonly name: string },
): Promise<Answer<true>> {
  const answer = await api.renameAgentCard(of, PATIENCE);
  if (answer.kind !== 'unknown') return answer;
  const read = await api.agentCards(of.code, PATIENCE);
  const isSo = read.kind === 'ok' && read.value.some(({ id, name }) => id === of.id && name === of.name);
  return isSo ? { kind: 'ok', value: true } : answer;
}

/** Without an answer the list tells. */
async function remove(
  api: Wallet,
  of: { readonly code: string; readonly id: number },
): Promise<Answer<true>> {
  const answer = await api.deleteAgentCard(of, PATIENCE);
  if (answer.kind !== 'unknown') return answer;
  const read = await api.agentCards(of.code, PATIENCE);
  const isGone = read.kind === 'ok' && read.value.every(({ id }) => id !== of.id);
  return isGone ? { kind: 'ok', value: true } : answer;
}
