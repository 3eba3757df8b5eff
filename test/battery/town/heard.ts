import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Address } from '../../../src/conversation/incoming.ts';
import type { Intent } from '../../../src/conversation/intents/intent.ts';
import { methodOf, PAYMENT_KINDS } from '../../../src/payments/payments.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import { fitsOrder } from './truth.ts';

/** One sentence that reached a customer. */
export interface Told {
  readonly at: number;
  readonly address: Address;
  /** The number of the customer. */
  readonly phone: Msisdn;
  readonly sentence: Sentence;
}

/** The end of an intent, in the words of its conversation. Success has several words. */
const OUTCOMES: Readonly<Record<Intent['state'], string>> = {
  ...{ sent: '', accepted: '', unknown: '' },
  rejected: 'refused',
  unsent: 'notSent',
  succeeded: 'done',
  failed: 'failed',
  reversed: 'reversed',
  'not-found': 'notFound',
  human: 'human',
};
const KINDS: ReadonlySet<string> = new Set(PAYMENT_KINDS);
/** The wallet has a second operation of a payment that a person looks at. No kind of payment has words of its own for it. */
const SECOND = /^pay\.(double|alike)$/;
const SUCCESS = /^(done(Settled|Stamped|WithoutCode)?|reserved)$/;

/** Payments whose end was never told to their customer. The lines of a file are told together. */
export function unheard(told: readonly Told[], intents: readonly Intent[]): string[] {
  return intents
    .filter((intent) => !methodOf(intent.order).inBulk && !isHeard(told, intent))
    .map(({ id, order, state }) => `the customer never heard of ${order.kind} ${id} (${state})`);
}

function isHeard(told: readonly Told[], intent: Intent): boolean {
  return told.some((each) => {
    if (saysNoSecond(each, intent)) return true;
    if (intent.state === 'human' && SECOND.test(each.sentence.key) && isAbout(each, intent)) return true;
    const { kind, outcome } = saidIn(each.sentence);
    return kind === intent.order.kind && outcome === OUTCOMES[intent.state] && isAbout(each, intent);
  });
}

/** The kind and the end of a payment that a sentence names. With a moment or without, every success is `done`. */
function saidIn({ key }: Sentence): { readonly kind: string | undefined; readonly outcome: string } {
  const [kind = '', outcome = ''] = key.split('.');
  const plain = outcome.replace(/At$/, '');
  return { kind: KINDS.has(kind) ? kind : undefined, outcome: SUCCESS.test(plain) ? 'done' : plain };
}

/** A payment that was not sent, or not made beside an equal one. No kind of payment has words of its own for it. */
function saysNoSecond({ sentence: { key, values }, address, at }: Told, intent: Intent): boolean {
  const { state, order, sentAt } = intent;
  const amount = values?.amount && 'money' in values.amount ? values.amount.money : undefined;
  const said: Readonly<Record<string, readonly string[]>> = {
    ...{ refused: ['pay.noSecond'], notSent: ['pay.noSecond'], failed: [`${order.kind}.noSecond`] },
    // Made twice, or listed twice.
    human: ['pay.double', 'pay.alike'],
  };
  const isSaid = said[OUTCOMES[state]]?.includes(key) === true;
  return isSaid && address === intent.address && at >= sentAt && amount === order.amount;
}

function isAbout({ sentence, address, phone }: Told, intent: Intent): boolean {
  const { id, wallet, order, operationId } = intent;
  if (phone !== wallet) return false;
  const reference = referenceIn(sentence);
  if (reference === undefined) return address === intent.address && fitsOrder(sentence, intent);
  const names = [String(operationId), shortName(id), ...takenFor(intent)];
  return [...names, methodOf(order).receipt?.reference?.(order)].includes(reference);
}

/** Operations that were taken for this payment while the store had forgotten whose they were. Its customer was told of them. */
function takenFor({ audit }: Intent): readonly string[] {
  return audit.flatMap(([, , why]) =>
    typeof why === 'object' && why.kind === 'learnt' && why.fact.kind === 'only-match'
      ? [String(why.fact.operationId)]
      : [],
  );
}

export function referenceIn({ values }: Sentence): string | undefined {
  return values?.reference && 'code' in values.reference ? values.reference.code : undefined;
}

export function shortName(id: string): string {
  return id.slice(0, 8).toUpperCase();
}
