import type { Answer } from '../../../src/wallet/answer.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { STATUSES } from '../../../src/wallet/contract/fields.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import type { CashKind, CashReference } from '../../../src/wallet/services.ts';
import type { Call, OperationStatus, Wallet } from '../../../src/wallet/wallet.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kit/durations.ts';
import type { ReferenceKind } from '../town/kinds.ts';
import type { ModelWallet } from './model-wallet.ts';
import { nameOf, type Paid } from './paid.ts';
import { ok } from './wallet-faults.ts';
import { ELSEWHERE, type Moved, PRINCIPAL_CODE } from './wallet-ledger.ts';

/** The till that takes or gives cash. No customer has this number. */
const TILL = msisdn('+212600000090');
/** Prefix of every withdrawal's number. Nothing else begins so. */
export const DRAW_PREFIX = 'DRAW-';
const PREFIXES = { 'cash-in': 'PAY-', 'cash-out': DRAW_PREFIX, 'principal-float': 'LOAD-' } as const;
const BALANCE = centimes(1_000_000);

/** A request for a reference, at the moment when its first byte arrived. */
export interface Requested {
  readonly kind: ReferenceKind;
  readonly requestId: string;
  readonly phone: Msisdn;
  readonly amount: Centimes;
  readonly at: number;
}

/** A reference that the wallet has made. While it is open, it has none of the three dates. */
export interface Made extends Requested {
  readonly number: string;
  executedAt?: number;
  reversedAt?: number;
  expiredAt?: number;
  /** From this moment on a look-up shows its execution. */
  shownAt: number;
  /** When a look-up last said that it was open. */
  saidOpenAt?: number;
  /** The operation of its execution. */
  operationId?: number;
  /** It was executed before its number was told. */
  isEarly?: boolean;
}

/** References for cash, and for the float of a principal agent. Each request makes one. Others execute it, or it expires. */
export function modelCash(wallet: ModelWallet) {
  const { clock, random, faults, moved } = wallet;
  const { principal } = wallet.around;
  const requested: Requested[] = [];
  const made: Made[] = [];
  /** True when this wallet takes a withdrawal from the balance at once (open question 66). */
  const holds = random.chance(0.5);

  const ofCustomer =
    (kind: CashKind) => (order: { readonly phone: Msisdn; readonly amount: Centimes }, call?: Call) =>
      request({ ...order, kind }, call);
  const requestFloat: Wallet['requestFloat'] = ({ amount }, call) =>
    request({ kind: 'principal-float', phone: principal?.phone ?? TILL, amount }, call);
  const api: Partial<Wallet> = principal
    ? { requestFloat }
    : {
        requestCashIn: ofCustomer('cash-in'),
        requestBillNetworkCashIn: ofCustomer('cash-in'),
        requestCashOut: ofCustomer('cash-out'),
        cashReference: (kind, number, call) =>
          wallet.read(call, () => {
            const one = made.find((each) => each.kind === kind && each.number === number);
            if (!one) return { kind: 'refused', code: String(ERRORS.referenceUnknown.code), description: '' };
            if (seen(one).status === STATUSES.OPEN) one.saidOpenAt = clock.now();
            return ok(seen(one));
          }),
        balance: (phone, call) => wallet.read(call, () => ok(balanceOf(phone))),
      };
  return { api, requested, made, holds, executes };

  async function request(
    order: Omit<Requested, 'requestId' | 'at'>,
    call: Call = {},
  ): Promise<Answer<CashReference>> {
    const asked = { ...order, requestId: call.requestId ?? '', at: clock.now() };
    requested.push(asked);
    const { fault, afterMs: makesAfterMs } = wallet.drawFault();
    let one: Made | undefined;
    const makes = () => {
      one = make(asked);
    };
    if (makesAfterMs !== undefined) clock.after(makesAfterMs, makes, null);
    const ms = (makesAfterMs ?? 0) + random.between(20, 400);
    return wallet.answered(call, ms, fault, () =>
      one ? ok(seen(one)) : { kind: 'unknown', why: 'the model has not made it' },
    );
  }

  function make(asked: Requested): Made {
    const number = `${PREFIXES[asked.kind]}${String(made.length).padStart(6, '0')}`;
    const one: Made = { ...asked, number, shownAt: 0 };
    made.push(one);
    const isShort = random.chance(0.2);
    const validMs = isShort
      ? random.between(3 * MINUTE_MS, 15 * MINUTE_MS)
      : random.between(24 * HOUR_MS, 70 * HOUR_MS);
    clock.after(validMs, () => expire(one), null);
    // The event of its execution may come before its number.
    one.isEarly = random.chance(0.1);
    if (one.isEarly) clock.after(random.between(0, 20), () => executes(number, 'network'), null);
    return one;
  }

  function expire(one: Made): void {
    if (one.executedAt === undefined) one.expiredAt = clock.now();
  }

  /** Somebody executes it at a till, once. No event tells of an agent's till. */
  function executes(number: string, till: 'agent' | 'network'): void {
    const one = made.find((each) => each.number === number);
    if (!one || one.executedAt !== undefined || one.expiredAt !== undefined) return;
    const at = clock.now();
    one.executedAt = at;
    one.shownAt = at + (random.chance(faults.listLag) ? random.between(1_000, 90_000) : 0);
    const each: Moved = {
      id: 5_000_001 + moved.length,
      requestId: `${ELSEWHERE}till-${number}`,
      order: atTill(one, till),
      at,
      listedAt: one.shownAt,
      status: STATUSES.COMPLETED,
      completedAt: at,
      announcedAt: undefined,
    };
    one.operationId = each.id;
    moved.push(each);
    wallet.announce(each);
    if (!random.chance(0.25)) return;
    const reverse = () => {
      one.reversedAt = clock.now();
      Object.assign(each, { status: STATUSES.CANCELED, reversedAt: one.reversedAt });
    };
    clock.after(random.between(SECOND_MS, 50 * MINUTE_MS), reverse, null);
  }

  function seen(one: Made): CashReference {
    const { number: reference, amount, at: madeAt, executedAt } = one;
    const status = statusOf(one);
    return {
      ...{ reference, amount, status, madeAt },
      ...(executedAt !== undefined && status !== STATUSES.OPEN && { executedAt }),
    };
  }

  /** v2.3 does not show the status of an expired reference. Wasl takes both for the end (open question 28). */
  function statusOf({ executedAt, reversedAt, expiredAt, shownAt, at }: Made): OperationStatus {
    if (reversedAt !== undefined) return STATUSES.CANCELED;
    if (executedAt !== undefined) return shownAt <= clock.now() ? STATUSES.COMPLETED : STATUSES.OPEN;
    if (expiredAt !== undefined) return at % 2 === 0 ? STATUSES.FAILED : STATUSES.CANCELED;
    return STATUSES.OPEN;
  }

  function balanceOf(phone: Msisdn): Centimes {
    const open = made.filter(
      ({ kind, phone: owner, expiredAt }) => holds && kind === 'cash-out' && owner === phone && !expiredAt,
    );
    return centimes(BALANCE - open.reduce((sum, { amount }) => sum + amount, 0));
  }
}

/** The operation in the wallet's list, under the number that asked for the reference. */
function atTill({ kind, phone, amount, number }: Made, till: 'agent' | 'network'): Paid {
  const isOut = kind === 'cash-out';
  const ofCash = isOut ? 'agent-cash-out' : 'agent-cash-in';
  const owner = kind === 'principal-float' ? PRINCIPAL_CODE : phone;
  const sides = isOut ? { from: phone, to: TILL } : { from: TILL, to: owner };
  return { kind: ofCash, ...sides, amount, what: nameOf(ofCash, phone, amount), reference: number, till };
}
