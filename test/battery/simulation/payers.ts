import type { Sentence } from '../../../machines/kit/screen.ts';
import { inHand } from '../../../src/conversation/incoming.ts';
import { CARD } from '../town/kinds.ts';
import { CHAOS_MS, type Fleet, type Shared } from './fleet.ts';
import type { ModelWallet } from './model-wallet.ts';
import { numberIn } from './references.ts';

const HOUR_MS = 3_600_000;
/** How often a stranger types a card for a link that did not take one. */
const TRIES = 3;
const AT_BANK = ['confirms', 'confirms', 'confirms', 'late', 'twice', 'leaves', 'forges'] as const;

/** People outside the conversations: payers at their bank, strangers with a merchant's link, and tills that execute references. */
export class Payers {
  readonly #shared: Shared;
  readonly #fleet: Fleet;
  readonly #wallet: ModelWallet;
  /** Links of merchants, and pages of banks, that somebody has opened. */
  readonly #opened = new Set<string>();

  constructor(shared: Shared, fleet: Fleet, wallet: ModelWallet) {
    this.#shared = shared;
    this.#fleet = fleet;
    this.#wallet = wallet;
  }

  /** A payer does something at their bank. Only a confirmation moves money. */
  visitBank(link: string | undefined): void {
    const { clock, random, note } = this.#shared;
    const bank = link === undefined ? undefined : this.#wallet.atBank(link);
    if (!bank || link === undefined || this.#opened.has(link)) return;
    this.#opened.add(link);
    const does = random.pick(AT_BANK);
    note(`${does} at ${link}`);
    const isConfirmed = does !== 'leaves' && does !== 'forges';
    const afterMs =
      does === 'late' ? random.between(20 * 60_000, 3 * HOUR_MS) : random.between(1_000, 240_000);
    if (isConfirmed) clock.after(afterMs, bank.confirm, null);
    if (does === 'twice') clock.after(afterMs + random.between(0, 2_000), bank.confirm, null);
    // The browser reports success, even when nothing was paid.
    if (does !== 'leaves')
      clock.after(afterMs + random.between(0, 2_000), () => this.#comeBack(bank.token), null);
  }

  #comeBack(token: string | undefined): void {
    const { clock, onError } = this.#shared;
    const process = this.#fleet.any();
    if (!process || token === undefined) return;
    void clock.ask(process, () => process.engine.cameBack(token)).catch((error) => onError(error, 'return'));
  }

  /** Strangers get the link of a merchant: nobody, one, or two at once. */
  findLink({ key, values }: Sentence): void {
    const link =
      key === 'card-payment.link' && values?.link && 'code' in values.link ? values.link.code : undefined;
    if (link === undefined || this.#opened.has(link)) return;
    this.#opened.add(link);
    const id = link.split('/').at(-1) ?? '';
    this.payLater(id, [0, 1, 1, 1, 2]);
  }

  /** So many strangers pay by a link, soon. */
  payLater(id: string, strangers: readonly number[]): void {
    const { clock, random } = this.#shared;
    for (let i = random.pick(strangers); i > 0; i--)
      clock.after(random.between(1_000, 90_000), () => this.#payLink(id, TRIES), null);
  }

  #payLink(id: string, times: number): void {
    const { clock, random, note, onError } = this.#shared;
    if (times === 0) return;
    const again = () => clock.after(random.between(1_000, 20_000), () => this.#payLink(id, times - 1), null);
    const process = this.#fleet.any();
    if (!process) return void again();
    note(`a stranger pays by ${id}`);
    const isAnswered = this.#fleet.expects(process, again);
    void clock
      .ask(process, () => process.engine.payCardLink(id, inHand(CARD)))
      .then(
        (paid) => {
          isAnswered();
          note(`a stranger is told ${paid?.kind} at ${id}`);
          if (paid?.kind === 'bank') this.visitBank(paid.link);
          if (paid?.kind === 'refused') again();
        },
        (error) => {
          isAnswered();
          onError(error, 'link');
          again();
        },
      );
  }

  /** Somebody takes a reference to a till: soon, after a day, or never. Another till may have executed it before. */
  findReference({ values }: Sentence): void {
    const { clock, random } = this.#shared;
    const { cash } = this.#wallet;
    if (!cash || !values?.reference) return;
    const number = numberIn(values.reference);
    if (number === undefined || !random.chance(0.7)) return;
    const afterMs = random.pick([
      ...[random.between(1_000, 60_000), random.between(60_000, CHAOS_MS)],
      random.between(CHAOS_MS, 40 * HOUR_MS),
    ]);
    const till = random.pick(['agent', 'network'] as const);
    clock.after(afterMs, () => cash.executes(number, till), null);
  }
}
