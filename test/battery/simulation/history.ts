import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Agent } from '../../../src/conversation/desk/desk.ts';
import {
  type Incoming,
  inHand,
  LANGUAGES,
  type Push,
  type Reply,
} from '../../../src/conversation/incoming.ts';
import { type Intent, intentKey } from '../../../src/conversation/intents/intent.ts';
import type { Secrets } from '../../../src/conversation/secrets.ts';
import { walletKey, walletStateOf, walletWrite } from '../../../src/conversation/session/wallet-doc.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { StoreDown } from '../../../src/store/store.ts';
import { type Centimes, centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import { falseOnConsole } from '../town/console.ts';
import { CARD } from '../town/kinds.ts';
import { createListener, type Heard, type Moment } from '../town/listener.ts';
import { type Random, randomOf } from '../town/random.ts';
import { createVirtualClock, installTimers, type Owner } from './clock.ts';
import { createMemory, type Memory, storeOf } from './memory-store.ts';
import { isSettlement, SETTLEMENTS } from './model-cards.ts';
import { DRAW_PREFIX } from './model-cash.ts';
import { PRINCIPAL_CODE } from './model-services.ts';
import { CODE_PREFIX, createModelWallet, executionOf } from './model-wallet.ts';
import { isOfPrincipal, listedName, type Paid, type PaidKind, type Wish } from './paid.ts';
import {
  BILL_PASSWORD,
  begins,
  type Line,
  lineOf,
  nextInput,
  noteAnswer,
  noteLink,
  walletOf,
} from './person.ts';
import { type Process, startProcess } from './process.ts';
import { createStates, numberIn, type ReferenceFigures, referenceVerdict } from './references.ts';
import type { Told } from './told.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { type Faults, weather } from './weather.ts';

const STARTS_AT = Date.UTC(2026, 10, 1, 8);
/** How long customers are active and everything may go wrong. */
const CHAOS_MS = 20 * 60_000;
/** The wallet retries webhooks for 72 h, and reconciliation goes on as long: after this all must be known. */
const UNTIL_ALL_IS_KNOWN_MS = 74 * 3_600_000;
/** A bank is waited for as long. */
const UNTIL_BANKS_ARE_KNOWN_MS = 15 * 24 * 3_600_000;
const FINAL_VISIT_MS = 20 * 60_000;
const SOMEBODY_ELSE = msisdn('+212699999999');
/** Whose number acts for the principal agent, where somebody does. */
const BOUND = msisdn('+212600000010');
/** Gives files: who has named a number gives none that it releases. */
const GIVER: Agent = { id: 'salma', name: 'Salma' };
/** Files that are given to be paid, and lines of each: to wallets, and one to a bank. */
const FILES = 2;
const FILE_LINES = 3;
/** Loads of the float that an administrator begins, each of another amount. */
const LOADS = 2;
const PIN = '4711';
const FORM_AT = 'https://wasl.test/form';
/** Longer than the longest call, so that some turns strike it and some do not. */
const DEADLINES_MS = [2_000, 8_000, 20_000];
/** When an input came in, and when its answer left. */
type Left = Moment & { readonly askedAt: number };
const AGENTS: readonly Agent[] = [
  { id: 'nadia', name: 'Nadia' },
  { id: 'omar', name: 'Omar' },
];
const ACTS = ['takeOver', 'takeOver', 'write', 'handBack', 'handBack', 'nudge', 'toMenu', 'end'] as const;
/** `heard`: what was said, and what of it was false; after `losses` nobody can know better. */
export type Played = Verdict & {
  readonly agentActs: number;
  /** How often an agent has read what the console says of all payments. */
  readonly agentLooks: number;
  readonly heard: Heard;
  readonly losses: number;
  /** Of every payment that was sent. */
  readonly kinds: readonly PaidKind[];
  /** What became of references, where somebody asks for them. */
  readonly references: ReferenceFigures | undefined;
};
const ASKED: ReadonlySet<Wish> = new Set<Wish>(['cash-in', 'cash-out', 'principal-float']);
/** A failover loses what was written in its last moments. */
const LOST_MS_MAX = 2_000;

/** Transfers, and payments to merchants by number and by code, are made twice as often as anything else. */
export const ALL_KINDS: readonly PaidKind[] = [
  'transfer',
  'transfer',
  'top-up',
  'bill-payment',
  'voucher',
  'merchant-payment',
  'merchant-payment',
];

/**
 * Plays one history: some customers, one or two processes, a wallet, a store, and everything that can go wrong.
 * @param kinds what customers pay; with another list a seed plays another history
 * @param withAgents support agents step in, at the worst moments too
 */
export async function playHistory(
  seed: number,
  secrets: Secrets,
  kinds: readonly Wish[] = ALL_KINDS,
  withAgents = false,
): Promise<Played> {
  const random = randomOf(seed);
  const clock = createVirtualClock(STARTS_AT);
  const restore = installTimers(clock);
  try {
    return await play(seed, random, clock, secrets, kinds, withAgents);
  } finally {
    restore();
  }
}

async function play(
  seed: number,
  random: Random,
  clock: ReturnType<typeof createVirtualClock>,
  secrets: Secrets,
  kinds: readonly Wish[],
  withAgents: boolean,
): Promise<Played> {
  const alone = random.chance(0.4);
  const faults = weather(random, alone);
  const ofPrincipal = kinds.some(isOfPrincipal);
  // A store that forgets a line and its payment has it paid once more (docs/safety.md, "The intent", the residue).
  if (ofPrincipal) faults.losses = 0;
  const memory = createMemory(clock.now);
  const phones = ofPrincipal
    ? [BOUND]
    : [msisdn('+212600000010'), ...(random.chance(0.3) ? [msisdn('+212600000011')] : [])];
  const wallet = createModelWallet(clock, random, faults, PIN, {
    webhook: arrive,
    sent,
    isFirst,
    areMerchants: kinds.some((kind) => kind === 'merchant-refund' || kind === 'card-payment'),
    ...(ofPrincipal && { principal: { phone: BOUND, isListed: random.chance(0.5) } }),
    asksCash: kinds.some((kind) => ASKED.has(kind)),
  });
  /** Links of merchants, and pages of banks, that somebody has opened. */
  const opened = new Set<string>();
  const ledger = () => wallet.moved.filter((each) => !isSettlement(each)).map(executionOf);
  const processes: Process[] = [];
  const waiting = new Map<Process, Set<() => void>>();
  const lines = phones.flatMap((phone) =>
    ofPrincipal || random.chance(0.5)
      ? [lineOf(phone, 'ussd'), lineOf(phone, 'web')]
      : [lineOf(phone, random.pick(['ussd', 'web']))],
  );
  const codes = new Map<Msisdn, string>();
  const told: Told[] = [];
  const listener = createListener({ now: clock.now, executions: () => ledger() });
  const bugs: string[] = [];
  /** What an agent has read at the console, and was false; how often one has looked. */
  const onConsole: string[] = [];
  let agentLooks = 0;
  let looked = '';
  const events: [number, string][] = [];
  /** When each document was written for the first time, by its key. */
  const writtenAt = new Map<string, number>();
  /** How references stood, as the store had it. */
  const states = createStates();
  let losses = 0;
  const lostAt: number[] = [];
  let steps = 0;
  let inChaos = true;

  const { commit } = memory;
  memory.commit = (partition, it) => {
    const stored = [...it.writes.map(({ value }) => value), JSON.stringify(it.turn ?? '')].join('\n');
    if (stored.includes(CODE_PREFIX)) bugs.push(`a voucher code is stored: ${stored}`);
    // After a failover the answer to a screen that is forgotten is taken for that of the screen before.
    if (stored.includes(DRAW_PREFIX)) bugs.push(`the number of a withdrawal is stored: ${stored}`);
    if (stored.includes(BILL_PASSWORD) && losses === 0) bugs.push(`a password is stored: ${stored}`);
    const done = commit(partition, it);
    if (done) states.note(it.writes, clock.now());
    return done;
  };
  const store = storeOf(memory, clock, (writes) => {
    const bad = random.chance(faults.store) ? random.pick(['before', 'after', 'slow'] as const) : undefined;
    const slowMs = bad === 'slow' ? random.between(100, 4_000) : 0;
    return {
      thereMs: slowMs + (writes || random.chance(0.2) ? random.between(1, 4) : 0),
      backMs: writes ? random.between(1, 4) : 0,
      fails: bad === 'slow' ? undefined : bad,
    };
  });
  memory.onDue = (at) => void clock.after(at - clock.now() + random.between(1, 500), workOnce, null);

  const onError = (error: unknown, where: string) => {
    if (error instanceof StoreDown) return;
    bugs.push(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
  const deliver = async (address: string, push: Push) => {
    if (random.chance(faults.network))
      return random.chance(0.5) ? 'later' : Promise.reject(new Error('down'));
    const line = lines.find((each) => each.address === address);
    if (line && (line.channel === 'ussd' ? push.money : random.chance(0.5))) hearPush(line, push);
    // As the channels do: an SMS with a secret is not shown again on the next dial.
    return line?.channel === 'ussd' && push.isSecret ? ('delivered' as const) : ('held' as const);
  };

  function boot(): void {
    const process = startProcess(clock, {
      store,
      api: wallet.api,
      secrets,
      alone,
      ...(kinds.some((kind) => kind === 'float-card' || kind.startsWith('card-')) && { formAt: FORM_AT }),
      deliver,
      onError,
      principal: ofPrincipal ? PRINCIPAL_CODE : undefined,
      codeSent: (to, code) => void codes.set(to, code),
    });
    processes.push(process);
    waiting.set(process, new Set());
  }

  const alive = () => processes.filter(({ dead }) => !dead);

  function crash(process: Process): void {
    process.dead = true;
    events.push([clock.now(), `CRASH of ${processes.indexOf(process)}`]);
    for (const lost of waiting.get(process) ?? []) lost();
    waiting.delete(process);
    clock.after(random.between(100, 20_000), boot, null);
  }

  /** Somebody looks at what is due, as each process does all the time. */
  function workOnce(): void {
    if (!memory.isDue()) return;
    const [process] = shuffled(alive().filter(({ frozenUntil }) => frozenUntil <= clock.now()));
    if (!process) return void clock.after(1_000, workOnce, null);
    void clock.ask(process, () => process.round()).catch((error) => onError(error, 'worker'));
  }

  /** The worst moment to lose the last writes is just after the first byte of a payment. */
  function sent(): void {
    if (faults.losses > 0 && random.chance(0.3)) clock.after(random.between(0, LOST_MS_MAX), fail, null);
  }

  function isFirst({ from, what }: Paid): boolean {
    if (wallet.sent.some(({ order }) => order.from === from && listedName(order.what) === listedName(what)))
      return false;
    return !lines.some(
      ({ phone, confirmed }) =>
        phone === from && confirmed.some((each) => each.what && listedName(each.what) === listedName(what)),
    );
  }

  /** A webhook reaches some process, and comes again until it is acknowledged. */
  function arrive(raw: string, afterMs: number): void {
    clock.after(
      afterMs,
      () => {
        const [process] = shuffled(alive());
        const again = () => arrive(raw, random.between(5_000, 60_000));
        if (!process) return again();
        const lost = expectation(process, again);
        void clock
          .ask(process, () => process.inbox.save(raw))
          .then(lost.met, (error) => {
            lost.met();
            onError(error, 'webhook');
            again();
          });
      },
      null,
    );
  }

  /** What is to be done if a process dies before it answers. */
  function expectation(process: Process, onLost: () => void) {
    const all = waiting.get(process);
    const lost = () => {
      all?.delete(lost);
      onLost();
    };
    all?.add(lost);
    return { met: () => void all?.delete(lost) };
  }

  /** Whatever a payer does at their bank; nothing but their confirmation moves money. */
  function visitBank(link: string | undefined): void {
    const bank = link === undefined ? undefined : wallet.atBank(link);
    if (!bank || link === undefined || opened.has(link)) return;
    opened.add(link);
    const does = random.pick([
      'confirms',
      'confirms',
      'confirms',
      'late',
      'twice',
      'leaves',
      'forges',
    ] as const);
    events.push([clock.now(), `${does} at ${link}`]);
    const confirms = does !== 'leaves' && does !== 'forges';
    const afterMs =
      does === 'late' ? random.between(20 * 60_000, 3 * 3_600_000) : random.between(1_000, 240_000);
    if (confirms) clock.after(afterMs, bank.confirm, null);
    if (does === 'twice') clock.after(afterMs + random.between(0, 2_000), bank.confirm, null);
    // The browser says that it went well, also where nothing has.
    if (does !== 'leaves') clock.after(afterMs + random.between(0, 2_000), () => comeBack(bank.token), null);
  }

  function comeBack(token: string | undefined): void {
    const [process] = shuffled(alive());
    if (!process || token === undefined) return;
    void clock.ask(process, () => process.engine.cameBack(token)).catch((error) => onError(error, 'return'));
  }

  /** Strangers get the link of a merchant: one, or two at once; whose card is refused tries another one. */
  function findLink({ key, values }: Sentence): void {
    const link =
      key === 'card-payment.link' && values?.link && 'code' in values.link ? values.link.code : undefined;
    if (link === undefined || opened.has(link)) return;
    opened.add(link);
    const id = link.split('/').at(-1) ?? '';
    const strangers = random.pick([0, 1, 1, 1, 2]);
    for (let i = 0; i < strangers; i++)
      clock.after(random.between(1_000, 90_000), () => payLink(id, 3), null);
  }

  /** Who has a reference goes to a till with it, soon, after a day, or never; also where somebody else has been there with it. */
  function findReference({ values }: Sentence): void {
    const { cash } = wallet;
    if (!cash || !values?.reference) return;
    const number = numberIn(values.reference);
    if (number === undefined || !random.chance(0.7)) return;
    const afterMs = random.pick([
      ...[random.between(1_000, 60_000), random.between(60_000, CHAOS_MS)],
      random.between(CHAOS_MS, 40 * 3_600_000),
    ]);
    const till = random.pick(['agent', 'network'] as const);
    clock.after(afterMs, () => cash.executes(number, till), null);
  }

  function payLink(id: string, times: number): void {
    if (times === 0) return;
    const again = () => clock.after(random.between(1_000, 20_000), () => payLink(id, times - 1), null);
    const [process] = shuffled(alive());
    if (!process) return void again();
    events.push([clock.now(), `a stranger pays by ${id}`]);
    const lost = expectation(process, again);
    void clock
      .ask(process, () => process.engine.payCardLink(id, inHand(CARD)))
      .then(
        (paid) => {
          lost.met();
          events.push([clock.now(), `a stranger is told ${paid?.kind} at ${id}`]);
          if (paid?.kind === 'bank') visitBank(paid.link);
          if (paid?.kind === 'refused') again();
        },
        (error) => {
          lost.met();
          onError(error, 'link');
          again();
        },
      );
  }

  function hear(line: Line, sentence: Sentence, how: Told['how'], askedAt = clock.now()): void {
    told.push({ at: clock.now(), askedAt, line, sentence, how });
    findReference(sentence);
  }

  function hearPush(line: Line, push: Push): void {
    hear(line, push.screen, 'pushed');
    findLink(push.screen);
    visitBank(push.screen.link);
    listener.hearsPush(line.address, push, walletOf(line));
  }

  function see(line: Line, reply: Reply, incoming: Incoming, left: Left): void {
    // What answers another request than the last one is read by nobody: a gateway throws it away, and a page asks nothing else
    // until it is answered, and takes the first answer.
    if (Number(incoming.id) < line.inputs - 1) return;
    visitBank(reply.screen.link);
    // The form shows nothing of the conversation: that is in the chat.
    if (incoming.elsewhere) {
      line.reply = undefined;
      return;
    }
    line.reply = reply;
    findLink(reply.screen);
    noteLink(line, reply.screen);
    noteAnswer(line, incoming, reply.screen);
    listener.hearsReply(incoming, reply, left.askedAt, walletOf(line), left);
    hear(line, reply.screen, 'screen', left.askedAt);
    for (const open of reply.screen.first ?? []) hear(line, open, 'screen');
    if (reply.screen.notice) hear(line, reply.screen.notice, 'screen');
    for (const { screen } of reply.missed) hear(line, screen, 'missed');
  }

  /** An agent looks at each payment of the store, in one language after the other, whenever one has changed. */
  function looks(): void {
    const stored = memory.all('intent:').map(({ value }) => value);
    const executions = ledger();
    const now = JSON.stringify([stored, executions]);
    if (now === looked) return;
    looked = now;
    // Of what changes a reservation the ledger here has no operation.
    const intents = stored
      .map((value): Intent => JSON.parse(value))
      .filter(({ order }) => !SETTLEMENTS.has(order.kind));
    const language = LANGUAGES[agentLooks++ % LANGUAGES.length] ?? 'fr';
    onConsole.push(...falseOnConsole(intents, executions, language));
  }

  /** The ledger as it is when a text leaves; it is on its way for a moment. */
  function leaves(askedAt: number): Left {
    looks();
    return { askedAt, at: clock.now(), executions: ledger() };
  }

  /** Carries one input to a process; its answer, or the lack of one, comes back as a new event of the world. */
  function send(line: Line, incoming: Incoming, got: (reply: Reply | undefined, left: Left) => void): void {
    const askedAt = clock.now();
    listener.asks(line.address);
    const [process] = shuffled(alive());
    if (!process) return void clock.after(500, () => got(undefined, leaves(askedAt)), null);
    const did = `${line.address} input ${incoming.id} to ${processes.indexOf(process)}`;
    events.push([clock.now(), `${did}: ${JSON.stringify(incoming.inputs)}`]);
    const back = (reply: Reply | undefined) => {
      const left = leaves(askedAt);
      lost.met();
      const dropped = random.chance(faults.network);
      events.push([
        clock.now(),
        `${did} is answered ${reply?.screen.key}${dropped ? ', which is lost' : ''}`,
      ]);
      clock.after(random.between(5, 60), () => got(dropped ? undefined : reply, left), null);
    };
    const lost = expectation(process, () => clock.after(2_000, () => got(undefined, leaves(askedAt)), null));
    void clock
      .ask(process, () => process.engine.receive(incoming, random.pick(DEADLINES_MS)))
      .then(back, (error) => {
        onError(error, 'receive');
        back(undefined);
      });
    if (random.chance(faults.network)) {
      // A gateway repeats, a finger taps twice.
      const again = random.chance(0.5) ? 0 : random.between(1, 3_000);
      clock.after(
        again,
        () => send(line, incoming, (reply, left) => reply && see(line, reply, incoming, left)),
        null,
      );
    }
  }

  function live(line: Line): void {
    if (!inChaos) return;
    const incoming = nextInput(line, {
      random,
      now: clock.now(),
      pin: PIN,
      others: [...phones, SOMEBODY_ELSE].filter((phone) => phone !== line.phone),
      code: () => codes.get(line.phone),
      isLazy: true,
      kinds,
    });
    attempt(line, incoming, 3);
  }

  function attempt(line: Line, incoming: Incoming, times: number): void {
    send(line, incoming, (reply, left) => {
      if (reply) see(line, reply, incoming, left);
      else if (times > 0 && random.chance(0.6)) {
        clock.after(random.between(100, 4_000), () => attempt(line, incoming, times - 1), null);
        return;
      } else line.reply = undefined;
      if (reply && line.channel === 'web') fetchMessages(line);
      const thinkMs = random.chance(0.15) ? random.between(60_000, 6 * 60_000) : random.between(500, 25_000);
      clock.after(thinkMs, () => live(line), null);
    });
  }

  /** An open chat looks for what was said, and acknowledges it, sometimes. */
  function fetchMessages(line: Line): void {
    const [process] = shuffled(alive());
    if (!process) return;
    const { engine } = process;
    void clock
      .ask(process, () => engine.waiting(line.address))
      .then(async (messages) => {
        for (const message of messages) hearPush(line, message);
        if (messages.length > 0 && !random.chance(faults.network))
          await engine.saw(
            line.address,
            messages.map(({ id }) => id),
          );
      })
      .catch((error) => onError(error, 'messages'));
  }

  function shuffled(all: Process[]): Process[] {
    const first = all.length > 0 ? random.pick(all) : undefined;
    return first ? [first] : [];
  }

  function freeze(process: Owner): void {
    process.frozenUntil = clock.now() + random.between(1_000, 90_000);
    events.push([clock.now(), `FREEZE until ${new Date(process.frozenUntil).toISOString()}`]);
  }

  /** The worst moment to freeze is between the commit that says "sent" and the first byte. */
  memory.onNew = (key) => {
    if (!writtenAt.has(key)) writtenAt.set(key, clock.now());
    const process = clock.current();
    if (process && key.startsWith('intent:') && faults.freezes > 0 && random.chance(0.2)) freeze(process);
  };

  /** A failover: what was written in the last moments is gone, and nobody is told. */
  function fail(): void {
    const lost = memory.loseSince(clock.now() - random.between(1, LOST_MS_MAX));
    losses += lost;
    if (lost > 0) lostAt.push(clock.now());
    events.push([clock.now(), `LOST ${lost} commits`]);
  }

  function chaos(): void {
    if (!inChaos) return;
    const [process] = shuffled(alive());
    if (process && random.chance(faults.crashes)) crash(process);
    else if (process && random.chance(faults.freezes)) freeze(process);
    if (random.chance(faults.losses)) fail();
    clock.after(random.between(200, 8_000), chaos, null);
  }

  /** Two agents who do whatever they may, in any order: no promise about money depends on them. */
  function stepIn(): void {
    if (!inChaos) return;
    const [process] = shuffled(alive());
    const line = random.pick(lines);
    const act = random.pick(ACTS);
    const by = random.pick(AGENTS);
    if (process) {
      const { desk } = process.engine;
      events.push([clock.now(), `${by.id}: ${act} at ${line.address}`]);
      void clock
        .ask(process, () =>
          act === 'write' ? desk.write(line.address, by, 'Bonjour') : desk[act](line.address, by),
        )
        .then((acted) => {
          if (acted === 'done') steps++;
        })
        .catch((error) => onError(error, act));
    }
    clock.after(random.between(2_000, 40_000), stepIn, null);
  }

  /** An administrator gives a file of payouts, and tries again where that comes to nothing. */
  function give(file: number): void {
    const [process] = shuffled(alive());
    const again = () => {
      if (inChaos) clock.after(5_000, () => give(file), null);
    };
    if (!process) {
      again();
      return;
    }
    const giving = async () => process.engine.desk.principal?.giveFile(fileOf(file), 'salaires', GIVER);
    void clock.ask(process, giving).catch(again);
  }

  /** An administrator begins a load of the float by card, and types one on its page, or leaves that to somebody else. */
  function load(amount: Centimes): void {
    const [process] = shuffled(alive());
    const again = () => {
      if (inChaos) clock.after(5_000, () => load(amount), null);
    };
    if (!process) {
      again();
      return;
    }
    const begins = async () => process.engine.desk.principal?.beginCardLoad({ amount, phone: BOUND }, GIVER);
    const lost = expectation(process, again);
    void clock.ask(process, begins).then(
      (begun) => {
        lost.met();
        if (begun?.kind !== 'ok') {
          again();
          return;
        }
        const { id } = begun.value;
        for (let i = random.pick([1, 1, 2]); i > 0; i--)
          clock.after(random.between(1_000, 90_000), () => payLink(id, 3), null);
      },
      () => {
        lost.met();
        again();
      },
    );
  }

  clock.after(0, boot, null);
  if (ofPrincipal) {
    bind(memory, BOUND);
    for (let file = 0; file < FILES; file++)
      clock.after(random.between(0, CHAOS_MS / 2), () => give(file), null);
    for (let i = kinds.includes('float-card') ? LOADS : 0; i > 0; i--)
      clock.after(random.between(0, CHAOS_MS / 2), () => load(centimes(30_000 + i)), null);
  }
  if (withAgents) {
    for (const line of lines) line.namesScreens = true;
    clock.after(5_000, stepIn, null);
  }
  if (!alone) clock.after(0, boot, null);
  for (const line of lines) clock.after(random.between(0, 30_000), () => live(line), null);
  clock.after(1_000, chaos, null);
  await clock.runUntil(STARTS_AT + CHAOS_MS);

  inChaos = false;
  for (const name of Object.keys(faults) as (keyof Faults)[]) faults[name] = 0;
  const hasBanks = kinds.includes('bank-transfer') || kinds.includes('payout-transfer');
  const untilMs = hasBanks ? UNTIL_BANKS_ARE_KNOWN_MS : UNTIL_ALL_IS_KNOWN_MS;
  await clock.runUntil(STARTS_AT + CHAOS_MS + untilMs);

  // Everybody comes back once more, on each channel, and reads what they are told.
  for (const line of lines) clock.after(0, () => attempt(line, begins(line), 3), null);
  await clock.runUntil(clock.now() + FINAL_VISIT_MS);
  const verdict = verdictOf({
    seed,
    alone,
    faults,
    memory,
    wallet,
    lines,
    told,
    bugs,
    ...{ losses, lostAt },
    events,
    now: clock.now(),
  });
  const intents = memory.all('intent:').map(({ value }): Intent => JSON.parse(value));
  const payments = intents.map((each) => ({ ...each, writtenAt: writtenAt.get(intentKey(each.id)) }));
  looks();
  const said = listener.verdict(payments);
  const heard = { ...said, lies: [...said.lies, ...onConsole] };
  const references =
    wallet.cash && referenceVerdict({ memory, cash: wallet.cash, lines, told, losses, writtenAt, states });

  const sentKinds = wallet.sent.map(({ order }) => order.kind);
  return {
    ...verdict,
    broken: [...verdict.broken, ...(references?.broken ?? [])],
    ...{ agentActs: steps, agentLooks, heard, losses, kinds: sentKinds, references: references?.figures },
  };
}

/** The document of a wallet as two administrators leave it, who have bound its number to the principal agent. */
function bind(memory: Memory, phone: Msisdn): void {
  const doc = { key: walletKey(phone), version: 0, value: '' };
  const state = walletStateOf(doc);
  const bound = { at: STARTS_AT, by: 'nadia', approvedBy: 'omar' };
  const principal = { code: PRINCIPAL_CODE, bound };
  memory.commit(partitionOf(phone), {
    writes: [walletWrite(phone, state, { ...state.value, principal })],
  });
}

/** Each line pays somebody else, so that what is executed says which line it was. */
function fileOf(file: number): Uint8Array {
  const lines = Array.from({ length: FILE_LINES }, (_, i) => {
    const number = `0655000${String(100 + file * FILE_LINES + i)}`;
    const to = i === FILE_LINES - 1 ? ribWith('007780', Number(number)) : number;
    return `${to};Salma Idrissi;${100 + i};salaire`;
  });
  return new TextEncoder().encode(lines.join('\n'));
}
