import type { Agent } from '../../../src/conversation/desk/desk.ts';
import { LANGUAGES } from '../../../src/conversation/incoming.ts';
import type { Intent } from '../../../src/conversation/intents/intent.ts';
import { walletKey, walletStateOf, walletWrite } from '../../../src/conversation/session/wallet-doc.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import { falseOnConsole } from '../town/console.ts';
import type { Execution } from '../town/oracle.ts';
import { CHAOS_MS, type Fleet, type Shared } from './fleet.ts';
import type { Memory } from './memory-store.ts';
import { SETTLEMENTS } from './model-cards.ts';
import type { Payers } from './payers.ts';
import type { Line } from './person.ts';
import { PRINCIPAL_CODE } from './wallet-ledger.ts';

/** The number that acts for the principal agent. */
export const BOUND = msisdn('+212600000010');
/** Files to be paid, and lines of each: all go to wallets, and the last one to a bank. */
const FILES = 2;
const FILE_LINES = 3;
/** Loads of the float, each of another amount. */
const LOADS = 2;
const AGENTS: readonly Agent[] = [
  { id: 'nadia', name: 'Nadia' },
  { id: 'omar', name: 'Omar' },
];
/** She gives files. An administrator who has bound a number gives no file that this number releases. */
const GIVER: Agent = { id: 'salma', name: 'Salma' };
const ACTS = ['takeOver', 'takeOver', 'write', 'handBack', 'handBack', 'nudge', 'toMenu', 'end'] as const;

/** Support agents and administrators at the console. */
export class Staff {
  /** How often an agent acted, and how often one read the page of all payments. */
  acts = 0;
  looks = 0;
  /** False statements that the console showed. */
  readonly lies: string[] = [];
  readonly #shared: Shared;
  readonly #fleet: Fleet;
  readonly #ledger: () => readonly Execution[];
  #lastSeen = '';

  constructor(shared: Shared, fleet: Fleet, ledger: () => readonly Execution[]) {
    this.#shared = shared;
    this.#fleet = fleet;
    this.#ledger = ledger;
  }

  /** Two agents do whatever they may, in any order. No promise about money depends on them. */
  stepIn(lines: readonly Line[]): void {
    const { clock, random, note, onError, inChaos } = this.#shared;
    if (!inChaos) return;
    const process = this.#fleet.any();
    const { address } = random.pick(lines);
    const act = random.pick(ACTS);
    const by = random.pick(AGENTS);
    if (process) {
      const { desk } = process.engine;
      note(`${by.id}: ${act} at ${address}`);
      void clock
        .ask(process, () => (act === 'write' ? desk.write(address, by, 'Bonjour') : desk[act](address, by)))
        .then((acted) => {
          if (acted === 'done') this.acts++;
        })
        .catch((error) => onError(error, act));
    }
    clock.after(random.between(2_000, 40_000), () => this.stepIn(lines), null);
  }

  /** Administrators bind a number, give files of payouts and, where a card page is served, begin loads of the float. */
  servePrincipal(payers: Payers, hasLoads: boolean): void {
    const { clock, random, memory } = this.#shared;
    bind(memory, BOUND, clock.now());
    const soon = (work: () => void) => clock.after(random.between(0, CHAOS_MS / 2), work, null);
    for (let file = 0; file < FILES; file++) soon(() => this.#give(file));
    for (let i = hasLoads ? LOADS : 0; i > 0; i--) soon(() => this.#load(centimes(30_000 + i), payers));
  }

  /** An administrator gives a file, and tries again after a failure. */
  #give(file: number): void {
    const again = this.#again(() => this.#give(file));
    const process = this.#fleet.any();
    if (!process) return void again();
    const giving = async () => process.engine.desk.principal?.giveFile(fileOf(file), 'salaires', GIVER);
    void this.#shared.clock.ask(process, giving).catch(again);
  }

  /** An administrator begins a load by card. Somebody types a card on its page. */
  #load(amount: Centimes, payers: Payers): void {
    const again = this.#again(() => this.#load(amount, payers));
    const process = this.#fleet.any();
    if (!process) return void again();
    const begins = async () => process.engine.desk.principal?.beginCardLoad({ amount, phone: BOUND }, GIVER);
    const isAnswered = this.#fleet.expects(process, again);
    void this.#shared.clock.ask(process, begins).then(
      (begun) => {
        isAnswered();
        if (begun?.kind === 'ok') payers.payLater(begun.value.id, [1, 1, 2]);
        else again();
      },
      () => {
        isAnswered();
        again();
      },
    );
  }

  #again(work: () => void): () => void {
    return () => {
      if (this.#shared.inChaos) this.#shared.clock.after(5_000, work, null);
    };
  }

  /** An agent reads every payment of the store after each change, in one language after the other. */
  look(): void {
    const stored = this.#shared.memory.all('intent:').map(({ value }) => value);
    const executions = this.#ledger();
    const now = JSON.stringify([stored, executions]);
    if (now === this.#lastSeen) return;
    this.#lastSeen = now;
    // The ledger has no operation for a change of a reservation.
    const intents = stored
      .map((value): Intent => JSON.parse(value))
      .filter(({ order }) => !SETTLEMENTS.has(order.kind));
    const language = LANGUAGES[this.looks++ % LANGUAGES.length] ?? 'fr';
    this.lies.push(...falseOnConsole(intents, executions, language));
  }
}

/** Writes the document of a wallet whose number two administrators have bound to the principal agent. */
function bind(memory: Memory, phone: Msisdn, at: number): void {
  const state = walletStateOf({ key: walletKey(phone), version: 0, value: '' });
  const bound = { at, by: 'nadia', approvedBy: 'omar' };
  const principal = { code: PRINCIPAL_CODE, bound };
  memory.commit(partitionOf(phone), {
    writes: [walletWrite(phone, state, { ...state.value, principal })],
  });
}

/** Each line pays somebody else, so that each execution names its line. */
function fileOf(file: number): Uint8Array {
  const lines = Array.from({ length: FILE_LINES }, (_, i) => {
    const number = `0655000${String(100 + file * FILE_LINES + i)}`;
    const to = i === FILE_LINES - 1 ? ribWith('007780', Number(number)) : number;
    return `${to};Salma Idrissi;${100 + i};salaire`;
  });
  return new TextEncoder().encode(lines.join('\n'));
}
