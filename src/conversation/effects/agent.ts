import type { FoundCash, InputOf, OutputOf } from '../../../machines/kit/effects.ts';
import type { CashNumber } from '../../payments/agent-cash.ts';
import type { Answer } from '../../wallet/answer.ts';
import { ERRORS, EXPIRED_CODE, SAFETY_CODES } from '../../wallet/contract/errors.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { CashKind, CashReference } from '../../wallet/services.ts';
import { AGENT_KNOWN_MS, agentOf } from '../session/agent.ts';
import { counter } from '../session/counter.ts';
import { sealForWallet } from '../session/wallet-secret.ts';
import { type EffectEnv, type EffectOf, read } from './effect.ts';

/** The number of codes that one wallet may try in an hour. A person who guesses one finds out only that it is not theirs. */
const CODES_PER_HOUR_MAX = 5;
/** References that one agent may ask for in a day: each is left behind at the wallet where nobody pays it in. */
const DEPOSITS_PER_DAY_MAX = 500;
/** References that may be a withdrawal's and that the wallet does not know, of one agent in an hour: customers bring theirs. */
const GUESSES_PER_HOUR_MAX = 10;
const HOUR_MS = 3_600_000;
const CODES = counter({ name: 'agent-codes', max: CODES_PER_HOUR_MAX, ms: HOUR_MS });
const DEPOSITS = counter({ name: 'agent-deposits', max: DEPOSITS_PER_DAY_MAX, ms: 24 * HOUR_MS });

const GUESSES = counter({ name: 'agent-references', max: GUESSES_PER_HOUR_MAX, ms: HOUR_MS });

const refused = (code: string) => ({ kind: 'refused', code, description: '' }) as const;
const UNKNOWN_REFERENCE = refused(String(ERRORS.referenceUnknown.code));
export const NO_AGENT = refused(SAFETY_CODES.noAgent);
/** Partner API v2.3, "Bill-network variant". */
const OF_BILL_NETWORK = /^BILLREF-/i;

/**
 * Makes a customer an agent. The API authenticates none (open question 110): the code is only a name. The proof is the
 * number of the session, which the SIM or our own code has shown to be theirs.
 */
export const becomeAgent: EffectOf<'becomeAgent'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { at }) {
    return wallet.agent?.stopped ? { instead: { kind: 'stopped' } } : CODES.count(wallet, at);
  },
  async run({ wallet, code }, { api, call }) {
    const answer = await api.retailAgent(code, call);
    return answer.kind === 'ok' && answer.value.phone !== wallet ? { kind: 'notYours' } : answer;
  },
  settle({ wallet }, output, { now }) {
    if (output.kind !== 'ok' || wallet.agent?.stopped) return { output };
    const { code, name } = output.value;
    const agent = { code, name, until: now() + AGENT_KNOWN_MS };
    return { output, wallet: { ...CODES.clear(wallet), agent } };
  },
  lost: { kind: 'unknown', why: 'the process that has asked brings no answer' },
};

export const readAgent: EffectOf<'readAgent'> = read(async (_input, { api, call, walletDoc }) => {
  const agent = agentOf(walletDoc);
  return agent ? api.retailAgent(agent.code, call) : NO_AGENT;
});

/** Reads the reference that was given at the counter for a deposit. */
export const readCash: EffectOf<'readCash'> = read((input, env) =>
  findNumber({ ...input, kind: 'cash-in' }, env),
);

/**
 * The same where the number may be a withdrawal's, so it is sealed before it goes anywhere. A person who guesses one
 * takes its cash. So each look is counted before the wallet is asked, and the count is given back where it was no
 * guess.
 */
export const findCash: EffectOf<'findCash'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { at }) {
    const counted = GUESSES.count(wallet, at);
    return 'instead' in counted ? { instead: refused(SAFETY_CODES.manyReferences) } : counted;
  },
  run: findNumber,
  settle({ wallet }, output, { at }) {
    const isGuess = output.kind === 'refused' || output.kind === 'number';
    return isGuess ? { output } : { output, wallet: GUESSES.giveBack(wallet, at) };
  },
  lost: { kind: 'unknown', why: 'the process that has asked brings no answer' },
};

async function findNumber(
  { given: sealed, kind, takesNumber = false }: InputOf<'findCash'>,
  env: EffectEnv,
): Promise<OutputOf<'findCash'>> {
  if (!agentOf(env.walletDoc)) return NO_AGENT;
  const text = env.open(sealed)?.replace(/\s/g, '');
  if (text === undefined) return refused(EXPIRED_CODE);
  const [phone, found] = [takesNumber ? readPhone(text) : undefined, await looked(text, kind, env)];
  if (phone && found.kind === 'ok') return { kind: 'either', phone, found: found.value };
  if (phone && found.kind === 'refused') return { kind: 'number', phone };
  return OF_BILL_NETWORK.test(text) ? { kind: 'billNetwork' } : found;
}

/** A reference of a kind, or of either. */
async function looked(text: string, kind: CashKind | undefined, env: EffectEnv): Promise<Answer<FoundCash>> {
  const kinds: readonly CashKind[] = kind ? [kind] : ['cash-in', 'cash-out'];
  let answer: Answer<FoundCash> = UNKNOWN_REFERENCE;
  for (const each of kinds) {
    const found = await env.api.cashReference(each, text, env.call);
    if (found.kind !== 'refused')
      return found.kind === 'ok' ? { kind: 'ok', value: foundOf(each, found.value, env) } : found;
    answer = found;
  }
  return answer;
}

/**
 * A reference for the number of a customer who has none. The agent executes it next. If the answer is lost, nobody
 * knows its number. So nobody can pay it, and asking again harms nobody.
 */
export const requestDeposit: EffectOf<'requestDeposit'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { at }) {
    return agentOf(wallet) ? DEPOSITS.count(wallet, at) : { instead: NO_AGENT };
  },
  async run({ customer, amount }, env) {
    const answer = await env.api.requestCashIn({ phone: customer, amount }, env.call);
    if (answer.kind !== 'ok') return answer;
    return { kind: 'ok', value: { ...foundOf('cash-in', answer.value, env), customer } };
  },
  lost: { kind: 'unknown', why: 'the process that has asked brings no answer' },
};

function foundOf(kind: CashKind, found: CashReference, env: EffectEnv): FoundCash {
  const { amount, status, madeAt, phone } = found;
  return {
    kind,
    number: numberOf(kind, found, env),
    amount,
    status,
    madeAt,
    ...(phone && { customer: phone }),
  };
}

function numberOf(
  kind: CashKind,
  { reference }: CashReference,
  { secrets, wallet, now }: EffectEnv,
): CashNumber {
  if (kind === 'cash-in' || !wallet) return { code: reference };
  return { sealed: sealForWallet(secrets, reference, wallet, now()) };
}
