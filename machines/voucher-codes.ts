import { assign } from 'xstate';
import { shopOf } from '../src/payments/voucher.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import type { VoucherEntry } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Screen } from './kit/screen.ts';
import type { Sealed } from './kit/secret.ts';

interface LookingAtCodes extends Authenticating {
  vouchers?: readonly VoucherEntry[];
  chosen?: VoucherEntry | undefined;
  code?: Sealed | undefined;
  /** The purchase whose receipt has led here. */
  payment?: string | undefined;
}

const DAY_MS = 24 * 3_600_000;

const { call, choose, state } = parts<LookingAtCodes>();

const BUY = { id: 'voucher', key: 'shopping.voucher' } as const;

/** The customer sees the codes of their vouchers again, after the PIN: a code is worth what the voucher is. */
export const voucherCodes = machine<LookingAtCodes>({
  id: 'voucher-codes',
  context: ({ input: { wallet, filled } }) => ({ wallet: known(wallet), payment: filled?.payment }),
  initial: 'looking',
  states: {
    /** Nobody types their PIN to read that there is nothing to show. */
    looking: call('readVouchers', {
      says: 'voucher-codes.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [{ if: (vouchers) => vouchers.length === 0, target: 'none' }, 'askingPin'],
    }),
    ...authentication<LookingAtCodes>(() => ({ key: 'voucher-codes.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readVouchers', {
      says: 'voucher-codes.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (vouchers) => vouchers.length === 0, target: 'none' },
        {
          if: (vouchers, { payment }) => vouchers.some(({ id }) => id === payment),
          target: 'opening',
          know: (vouchers, { payment }) => ({ vouchers, chosen: vouchers.find(({ id }) => id === payment) }),
        },
        { target: 'listing', know: (vouchers) => ({ vouchers }) },
      ],
    }),
    listing: state({
      tags: 'private',
      shows: ({ vouchers = [] }) => ({
        key: 'voucher-codes.choose',
        choices: vouchers.map((entry, place) => voucherChoice(entry, place, vouchers)),
        expects: 'choice',
      }),
      chose: choose({
        target: 'opening',
        know: (choice, context) => ({ chosen: context.vouchers?.find((_, i) => idOf(i) === choice) }),
      }),
      back: 'left',
    }),
    opening: call('readVoucherCode', {
      says: 'voucher-codes.reading',
      input: ({ wallet, chosen }) => ({ wallet, id: known(chosen).id }),
      ok: { target: 'showing', know: (code) => ({ code }) },
      failed: { target: 'listing', know: () => ({ notice: { key: 'voucher-codes.gone' } }) },
    }),
    showing: state({
      tags: 'private',
      shows: codeScreen,
      exit: assign({ code: undefined }),
      chose: 'listing',
      back: 'listing',
    }),
    none: last(() => ({ key: 'voucher-codes.none', choices: [BUY] }), {
      output: { offer: { choice: BUY.id, next: 'voucher', filled: {} } },
    }),
    left: { type: 'final', output: { next: 'shopping' } },
  },
});

function idOf(place: number): string {
  return `voucher${place}`;
}

function voucherChoice(
  { article, at, takenBack }: VoucherEntry,
  place: number,
  all: readonly VoucherEntry[],
): Choice {
  // Two of one article within a day are told apart by their time.
  const alike = all.filter((each) => each.article === article && Math.abs(each.at - at) < DAY_MS);
  return {
    id: idOf(place),
    listed: true,
    key: takenBack ? 'voucher-codes.lineCancelled' : 'voucher-codes.line',
    values: { article: { name: article }, at: alike.length > 1 ? { date: at } : { day: at } },
  };
}

function codeScreen({ chosen, code }: LookingAtCodes): Screen {
  const { article, brand, at } = known(chosen);
  return {
    key: 'voucher-codes.shown',
    values: {
      article: { name: article },
      shop: shopOf(article, brand),
      at: { date: at },
      code: { sealed: known(code) },
    },
    choices: [{ id: 'list', key: 'voucher-codes.list' }],
    expects: 'choice',
  };
}
