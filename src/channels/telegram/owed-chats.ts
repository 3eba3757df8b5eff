import type { Transformer } from 'grammy';
import type { Address, Deliver } from '../../conversation/incoming.ts';

/** The number of chats that are remembered. Messages owed to others come when they are due. */
const OWED_MAX = 1_000;

/** Chats that are owed a message since Telegram was away. The first call that succeeds again has them given it. */
export function createOwed(deliver: Deliver, give: (address: Address) => void) {
  const chats = new Set<Address>();
  const failing = new Set<string>();
  const isBack = () => {
    const owed = [...chats];
    failing.clear();
    chats.clear();
    owed.forEach(give);
  };
  const remembering: Deliver = async (address, push) => {
    const delivery = await deliver(address, push);
    // A 429 says itself how long that chat has to wait.
    const { status, afterMs } = typeof delivery === 'object' ? delivery : { status: delivery };
    const isOwed = (status === 'later' || status === 'unknown') && !afterMs;
    if (!isOwed) chats.delete(address);
    else if (chats.size < OWED_MAX) chats.add(address);
    return delivery;
  };
  /** A method that goes on failing is no sign of life, even if the others work. */
  const listening: Transformer = async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal).catch((error) => {
      failing.add(method);
      throw error;
    });
    if (!answer.ok && answer.error_code >= 500) failing.add(method);
    else if (failing.has(method)) isBack();
    return answer;
  };
  return { deliver: remembering, listening };
}
