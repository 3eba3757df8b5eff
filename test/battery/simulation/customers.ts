import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Incoming, Push, Reply } from '../../../src/conversation/incoming.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import type { Listener, Moment } from '../town/listener.ts';
import type { Fleet, Shared } from './fleet.ts';
import type { Wish } from './paid.ts';
import type { Payers } from './payers.ts';
import { begins, type Line, nextInput, noteAnswer, noteLink, walletOf } from './person.ts';
import type { Told } from './told.ts';

const SOMEBODY_ELSE = msisdn('+212699999999');
export const PIN = '4711';
/** Some are shorter than a call, and the last one is longer than every call. */
const DEADLINES_MS = [2_000, 8_000, 20_000];
/** How often an input without an answer is sent again. */
const TRIES = 3;

/** When an input came in, and the ledger of the moment when its answer left. */
type Left = Moment & { readonly askedAt: number };

interface Around {
  readonly fleet: Fleet;
  readonly payers: Payers;
  readonly listener: Listener;
  readonly lines: readonly Line[];
  readonly phones: readonly Msisdn[];
  readonly kinds: readonly Wish[];
  /** The moment now, as an answer leaves. */
  leaves(): Moment;
}

/** The customers of a history: they type, read, wait, try again, and look into their chats. */
export class Customers {
  /** Every sentence that they have read. */
  readonly told: Told[] = [];
  /** The last code by SMS of each number. */
  readonly codes = new Map<Msisdn, string>();
  readonly #shared: Shared;
  readonly #around: Around;

  constructor(shared: Shared, around: Around) {
    this.#shared = shared;
    this.#around = around;
  }

  live(line: Line): void {
    const { clock, random, inChaos } = this.#shared;
    const { kinds, phones } = this.#around;
    if (!inChaos) return;
    const others = [...phones, SOMEBODY_ELSE].filter((phone) => phone !== line.phone);
    const code = () => this.codes.get(line.phone);
    const incoming = nextInput(line, { random, now: clock.now(), pin: PIN, others, code, kinds });
    this.#attempt(line, incoming, TRIES);
  }

  lineAt(address: string): Line | undefined {
    return this.#around.lines.find((each) => each.address === address);
  }

  /** A customer dials or opens the chat once more. */
  visit(line: Line): void {
    this.#attempt(line, begins(line), TRIES);
  }

  #attempt(line: Line, incoming: Incoming, times: number): void {
    const { clock, random } = this.#shared;
    this.#send(line, incoming, (reply, left) => {
      if (reply) this.#see(line, reply, incoming, left);
      else if (times > 0 && random.chance(0.6)) {
        clock.after(random.between(100, 4_000), () => this.#attempt(line, incoming, times - 1), null);
        return;
      } else line.reply = undefined;
      if (reply && line.channel === 'web') this.#fetchMessages(line);
      const thinkMs = random.chance(0.15) ? random.between(60_000, 6 * 60_000) : random.between(500, 25_000);
      clock.after(thinkMs, () => this.live(line), null);
    });
  }

  /** Carries one input to a process. The answer, or its loss, comes back as a new event of the world. */
  #send(line: Line, incoming: Incoming, got: (reply: Reply | undefined, left: Left) => void): void {
    const { clock, random, faults, note, onError } = this.#shared;
    const { fleet, listener } = this.#around;
    const askedAt = clock.now();
    const leaves = () => ({ askedAt, ...this.#around.leaves() });
    listener.asks(line.address);
    const process = fleet.any();
    if (!process) return void clock.after(500, () => got(undefined, leaves()), null);
    const did = `${line.address} input ${incoming.id} to ${fleet.nameOf(process)}`;
    note(`${did}: ${JSON.stringify(incoming.inputs)}`);
    const isAnswered = fleet.expects(process, () => clock.after(2_000, () => got(undefined, leaves()), null));
    const back = (reply: Reply | undefined) => {
      const left = leaves();
      isAnswered();
      const isDropped = random.chance(faults.network);
      note(`${did} is answered ${reply?.screen.key}${isDropped ? ', which is lost' : ''}`);
      clock.after(random.between(5, 60), () => got(isDropped ? undefined : reply, left), null);
    };
    void clock
      .ask(process, () => process.engine.receive(incoming, random.pick(DEADLINES_MS)))
      .then(back, (error) => {
        onError(error, 'receive');
        back(undefined);
      });
    if (!random.chance(faults.network)) return;
    // A gateway repeats an input, or a finger taps twice.
    const seesToo = (reply: Reply | undefined, left: Left) => reply && this.#see(line, reply, incoming, left);
    const again = random.chance(0.5) ? 0 : random.between(1, 3_000);
    clock.after(again, () => this.#send(line, incoming, seesToo), null);
  }

  #see(line: Line, reply: Reply, incoming: Incoming, left: Left): void {
    const { payers, listener } = this.#around;
    // Nobody reads the answer to an older input: a gateway throws it away, and a page takes the first answer.
    if (Number(incoming.id) < line.inputs - 1) return;
    payers.visitBank(reply.screen.link);
    // The form shows nothing of the conversation. The chat shows it.
    if (incoming.elsewhere) {
      line.reply = undefined;
      return;
    }
    line.reply = reply;
    payers.findLink(reply.screen);
    noteLink(line, reply.screen);
    noteAnswer(line, incoming, reply.screen);
    listener.hearsReply(incoming, reply, left.askedAt, walletOf(line), left);
    this.#hear(line, reply.screen, 'screen', left.askedAt);
    for (const open of reply.screen.first ?? []) this.#hear(line, open, 'screen');
    if (reply.screen.notice) this.#hear(line, reply.screen.notice, 'screen');
    for (const { screen } of reply.missed) this.#hear(line, screen, 'missed');
  }

  #hear(line: Line, sentence: Sentence, how: Told['how'], askedAt = this.#shared.clock.now()): void {
    const { address, phone } = line;
    this.told.push({ at: this.#shared.clock.now(), askedAt, address, phone, line, sentence, how });
    this.#around.payers.findReference(sentence);
  }

  /** A message that Wasl sends on its own. */
  hearPush(line: Line, push: Push): void {
    const { payers, listener } = this.#around;
    this.#hear(line, push.screen, 'pushed');
    payers.findLink(push.screen);
    payers.visitBank(push.screen.link);
    listener.hearsPush(line.address, push, walletOf(line));
  }

  /** An open chat fetches its messages, and acknowledges them, sometimes. */
  #fetchMessages(line: Line): void {
    const { clock, random, faults, onError } = this.#shared;
    const process = this.#around.fleet.any();
    if (!process) return;
    const { engine } = process;
    void clock
      .ask(process, () => engine.waiting(line.address))
      .then(async (messages) => {
        for (const message of messages) this.hearPush(line, message);
        if (messages.length > 0 && !random.chance(faults.network))
          await engine.saw(
            line.address,
            messages.map(({ id }) => id),
          );
      })
      .catch((error) => onError(error, 'messages'));
  }
}
