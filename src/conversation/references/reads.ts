import type {
  CashDesk,
  EffectName,
  NumberedReference,
  ReferenceEntry,
  ReferenceHints,
} from '../../../machines/kit/effects.ts';
import { readDocs } from '../../store/update.ts';
import { ERRORS } from '../../wallet/contract/errors.ts';
import { BALANCE_MAX_CENTIMES } from '../../wallet/contract/limits.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { CashKind } from '../../wallet/services.ts';
import { abilitiesOf } from '../channel.ts';
import type { EffectEnv, EffectOf } from '../effects/effect.ts';
import { withBalance } from '../intents/side-reads.ts';
import { AMOUNT_TRIES } from '../session/amounts-tried.ts';
import { asksOfAmount, refusalOf } from '../session/safety.ts';
import type { CashSettings } from './cash-settings.ts';
import {
  looked,
  numberOf,
  openReferences,
  type Reference,
  referenceCodec,
  referenceKey,
} from './reference.ts';

/** How long the balance may keep a reference back. */
const BALANCE_MAX_MS = 3_000;
/** How many agents are named where the operator says nothing of their own. */
const POINTS_NAMED_MAX = 3;

type ReferenceRead = Extract<
  EffectName,
  'readCashDesk' | 'readReferences' | 'readReference' | 'previewWithdrawal'
>;

/** Reads about references. Their names, inputs and outputs are declared in `machines/kit/effects.ts`. */
export const REFERENCE_READS: { readonly [Name in ReferenceRead]: EffectOf<Name> } = {
  readCashDesk: {
    kind: 'read',
    async run({ wallet, kind }, env) {
      const {
        served: { cash },
        walletDoc,
        now,
      } = env;
      const [room, hints] = await Promise.all([roomOf(wallet, kind, env), hintsOf(env)]);
      const open = openReferences(walletDoc, now()).filter((each) => each.kind === kind);
      const value: CashDesk = { ways: cash.ways, open, hints, ...room };
      return { kind: 'ok', value };
    },
  },

  previewWithdrawal: {
    kind: 'read',
    async run({ wallet, amount }, env) {
      const refusal = refusalOf(env.walletDoc, amount, env);
      if (refusal && refusal.above === undefined) return refusal;
      // Beyond the budget the PIN comes first, as it does here anyway: the wallet decides after it.
      const mayTell = AMOUNT_TRIES.hasRoom(env.walletDoc, `cash-out ${amount}`, env.at);
      const balance = mayTell ? await balanceOf(wallet, env) : undefined;
      const fees = feesOf(amount, env.served.cash);
      if (balance !== undefined && balance < amount + (fees ?? 0))
        return withBalance(TOO_MUCH, { from: wallet, amount }, env);
      // A customer who waits for a limit to end would wait in vain without the money: that is said first.
      if (refusal) return refusal;
      const asks = asksOfAmount(env.walletDoc, amount, env);
      return { kind: 'ok', value: { asks, ...(fees !== undefined && { fees }) } };
    },
    learnt: (output, { amount }, { walletDoc, at }) =>
      output.kind === 'ok' ||
      (output.kind === 'refused' && (output.code === TOO_MUCH.code || output.above !== undefined))
        ? AMOUNT_TRIES.withOne(walletDoc, `cash-out ${amount}`, at)
        : {},
  },

  readReferences: {
    kind: 'read',
    async run(_, { walletDoc: { references = [] }, store, partition }) {
      const isOpenDeposit = ({ kind, state }: ReferenceEntry) => kind === 'cash-in' && state === 'open';
      const keys = references.filter(isOpenDeposit).map(({ id }) => referenceKey(id));
      const docs = keys.length > 0 ? await readDocs(store, partition, keys) : [];
      const deposits = docs.flatMap((doc) => referenceCodec.readable(doc) ?? []);
      const numbers = new Map(deposits.map(({ id, number }) => [id, number]));
      const value = references.map((each): NumberedReference => {
        const number = numbers.get(each.id);
        return number && 'code' in number ? { ...each, number } : each;
      });
      return { kind: 'ok', value: value.toReversed() };
    },
  },

  readReference: {
    kind: 'read',
    async run({ id }, env) {
      const { api, store, partition, secrets, call, now } = env;
      const [doc] = await readDocs(store, partition, [referenceKey(id)]);
      const reference = referenceCodec.read(doc);
      if (!reference) return NONE;
      const number = numberOf(reference, secrets, now());
      const answer = number ? await api.cashReference(reference.kind, number, call) : undefined;
      const current = answer?.kind === 'ok' ? looked(reference, answer.value, now()) : reference;
      const isAsKnown = answer !== undefined && answer.kind !== 'ok';
      const { sms: _notAgain, ...hints } = await hintsOf(env);
      return { kind: 'ok', value: { ...numbered(current), ...(isAsKnown && { isAsKnown }), hints } };
    },
  },
};

function numbered({ id, kind, way, amount, at, state, number }: Reference): NumberedReference {
  return { id, kind, amount, at, state, ...(way && { way }), ...(number && { number }) };
}

const TOO_MUCH = { kind: 'refused', code: String(ERRORS.insufficientFunds.code), description: '' } as const;
const NONE = { kind: 'refused', code: String(ERRORS.referenceUnknown.code), description: '' } as const;

/** The price of a withdrawal by the operator's tariff. Undefined where that does not say it. */
function feesOf(amount: Centimes, { outFees = [] }: CashSettings): Centimes | undefined {
  const step = outFees.find(({ upToDirhams: upTo }) => upTo === undefined || amount <= upTo * 100);
  return step && centimes(Math.round(step.feeDirhams * 100));
}

/** The balance of a wallet. Undefined where the wallet does not tell it in time. */
export async function balanceOf(
  wallet: Msisdn,
  { api }: Pick<EffectEnv, 'api'>,
): Promise<Centimes | undefined> {
  const answer = await api.balance(wallet, { timeoutMs: BALANCE_MAX_MS });
  return answer.kind === 'ok' ? answer.value : undefined;
}

/**
 * The most that the wallet may hold: only for money that comes in, and only where the API says it (open question 46). What is left below it
 * tells the balance, so a PIN must have opened that a moment ago.
 */
async function roomOf(
  wallet: Msisdn,
  kind: CashKind,
  { api, call, mayView }: EffectEnv,
): Promise<Pick<CashDesk, 'limit' | 'left'>> {
  if (kind === 'cash-out') return {};
  const profile = await api.profile(wallet, call);
  // A verified merchant is at level 4 too, and has negotiated its own.
  const { 4: _perhapsNegotiated, ...limits }: Readonly<Record<number, number>> = BALANCE_MAX_CENTIMES;
  const limit = profile.kind === 'ok' ? limits[profile.value.level] : undefined;
  if (profile.kind !== 'ok' || limit === undefined) return {};
  const left = centimes(Math.max(0, limit - profile.value.balance));
  return { limit: centimes(limit), ...(mayView && { left }) };
}

/** The operator's settings for cash: how long a reference is valid, where to go, and whether an SMS follows. */
async function hintsOf(env: EffectEnv): Promise<ReferenceHints> {
  const {
    served: { cash },
    language,
    address,
  } = env;
  const points = cash.points?.[language] ?? (await agentsNamed(env));
  const saysBySms = cash.sms && !abilitiesOf(address).keepsShown;
  return {
    ...(cash.validHours !== undefined && { hours: cash.validHours }),
    ...(points && { points }),
    ...(saysBySms && { sms: true }),
  };
}

async function agentsNamed({ api, served: { cash }, call }: EffectEnv): Promise<string | undefined> {
  if (cash.principalAgent === undefined) return undefined;
  const answer = await api.cashPoints(cash.principalAgent, call);
  if (answer.kind !== 'ok') return undefined;
  return answer.value
    .slice(0, POINTS_NAMED_MAX)
    .map(({ name, address }) => `${name}, ${address}`)
    .join(' ; ');
}
