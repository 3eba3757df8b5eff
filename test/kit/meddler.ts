import type { Answer } from '../../src/wallet/answer.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';

type Name = keyof Wallet;
type Answered<N extends Name> = Awaited<ReturnType<Wallet[N]>>;
/** An answer in place of the wallet's own, or a function for the call. `ask` makes the real one. */
type Instead<N extends Name> = Answered<N> | ((ask: () => ReturnType<Wallet[N]>) => Promise<Answered<N>>);

/** The wallet answers this. */
export const ok = <Value>(value: Value) => ({ kind: 'ok', value }) as const satisfies Answer<Value>;
/** The wallet says no, with a code of the Partner API. */
export const refused = (code: string, remainingAttempts?: number) =>
  ({
    kind: 'refused',
    code,
    description: '',
    ...(remainingAttempts !== undefined && { remainingAttempts }),
  }) as const satisfies Answer<never>;
/** The call may have happened or not. */
export const LOST = { kind: 'unknown', why: 'timeout' } as const satisfies Answer<never>;
/** The call is proven never to have left. */
export const UNSENT = { kind: 'unsent', why: 'ECONNREFUSED' } as const satisfies Answer<never>;
/** The call is made, and its answer never arrives. */
export const loses = async (ask: () => Promise<unknown>) => {
  await ask();
  return LOST;
};

/**
 * Stands between Wasl and the wallet. It counts every call, and makes the wallet say what the sandbox never would, for
 * one call at a time.
 */
export function createMeddler() {
  const made: { name: Name; order: unknown; args: readonly unknown[] }[] = [];
  const waiting = new Map<Name, Instead<Name>[]>();

  return {
    between(api: Wallet): Wallet {
      const calls = Object.entries(api).map(([name, call]: [string, (...args: unknown[]) => unknown]) => [
        name,
        (...args: unknown[]) => {
          made.push({ name: name as Name, order: args[0], args });
          const instead = waiting.get(name as Name)?.shift();
          const ask = () => call(...args);
          if (instead === undefined) return ask();
          return typeof instead === 'function' ? instead(ask as never) : Promise.resolve(instead);
        },
      ]);
      return Object.fromEntries(calls) as Wallet;
    },

    /** Sets the answer to the next call of that name. A second one waits for the call after it. */
    next<N extends Name>(name: N, instead: Instead<N>): void {
      waiting.set(name, [...(waiting.get(name) ?? []), instead as Instead<Name>]);
    },

    /**
     * Holds the next call back until `go` is called. `reached` resolves when it is being made.
     * @param answer the answer at the end. Absent: the wallet's own
     */
    holds(name: Name, answer?: Answer<never>): { readonly reached: Promise<void>; go(): void } {
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      this.next(name, (async (ask: () => Promise<unknown>) => {
        reached.resolve();
        await gate.promise;
        return answer ?? ask();
      }) as never);
      return { reached: reached.promise, go: gate.resolve };
    },

    /** The next call is never made nor answered, as in a process that dies. Resolves when it would be made. */
    dies(name: Name): Promise<void> {
      const reached = Promise.withResolvers<void>();
      this.next(name, () => {
        reached.resolve();
        return new Promise<never>(() => {});
      });
      return reached.promise;
    },

    /** The calls made so far, by name, for one number: the wallet is shared by all tests of a world. */
    calls(phone: string, name?: Name): Name[] {
      return made
        .filter(({ order }) => phoneOf(order) === phone)
        .map((call) => call.name)
        .filter((each) => name === undefined || each === name);
    },

    /** How often a reference for cash was looked up. */
    looks(reference: string): number {
      return made.filter(({ name, args }) => name === 'cashReference' && args[1] === reference).length;
    },

    /** The arguments of the calls of that name for one number, without the last argument, which is about the call. */
    told(phone: string, name: Name): (readonly unknown[])[] {
      return made
        .filter((call) => call.name === name && phoneOf(call.order) === phone)
        .map(({ args }) => args.slice(0, -1));
    },
  };
}

/** The number that a call is about: its first argument, or a field of it. */
function phoneOf(order: unknown): unknown {
  if (typeof order !== 'object' || order === null) return order;
  const { phone, from, merchant, wallet, code } = order as Partial<
    Record<'phone' | 'from' | 'merchant' | 'wallet' | 'code', string>
  >;
  return phone ?? from ?? merchant ?? wallet ?? code;
}
