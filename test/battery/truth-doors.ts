import { randomUUID } from 'node:crypto';
import { createDigest } from '../../src/channels/digest.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import { webRoutes } from '../../src/channels/web/routes.ts';
import { createStreams } from '../../src/channels/web/streams.ts';
import { channelOf } from '../../src/conversation/channel.ts';
import type { Address, ChannelName, Conversations, Input, Reply } from '../../src/conversation/incoming.ts';
import { plain } from '../../src/screen/marks.ts';
import { type Msisdn, msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import { textOf } from '../channels/cloud-api/rules.ts';
import { ALONE, fakeLog } from '../channels/fakes.ts';
import { type Customer, createCustomer, type Way } from '../kit/customer.ts';
import { engineNow } from '../kit/engine-now.ts';
import { createWorld, PIN, type World, type WorldOptions } from '../kit/world.ts';
import { createListener, type Heard, type Listener } from './town/listener.ts';
import { byWhoAsked, type Execution, intentsOf } from './town/oracle.ts';
import { createRecorder, type Recorder } from './town/recorder.ts';
import type { Freezing } from './town/truth.ts';

interface DoorsOptions extends Omit<WorldOptions, 'ears'> {
  /** Breaks a rule on purpose: it changes each answer before a channel has it. */
  readonly broken?: (reply: Reply) => Reply;
}

/** A consumer with 500 dirhams where nothing else is said. */
export interface Who {
  readonly walletType?: 'P' | 'C';
  /** In dirhams. */
  readonly balance?: string;
}

/** A world with its real doors: whatever leaves them is heard, by its text, and compared with the ledger of that moment. */
export interface Doors {
  readonly world: World;
  readonly listener: Listener;
  /** A customer with 500 dirhams at the real USSD route, the real web chat, or in a chat of Telegram or WhatsApp. */
  customer(channel: ChannelName, who?: Who): Customer;
  /** The numbers of agents, by their codes: what they execute is theirs in the ledger. */
  readonly agents: Map<string, Msisdn>;
  /** Freezes a wallet by a support agent, or has two thaw it: from then on what is said of it is judged. */
  supportFreezes(customer: Customer): Promise<void>;
  supportThaws(customer: Customer): Promise<void>;
  /** The ledger, by who has asked for each execution. */
  executions(): readonly Execution[];
  /** Everything that was said so far, and what of it was false. */
  heard(): Promise<Heard>;
  close(): Promise<void>;
}

export async function createDoors({
  broken = (reply) => reply,
  ...options
}: DoorsOptions = {}): Promise<Doors> {
  const clock = { now: Date.now, executions: (): readonly Execution[] => [] };
  const agents = new Map<string, Msisdn>();
  const around = { now: () => clock.now(), executions: () => clock.executions() };
  const recorder = createRecorder(around);
  const listener = createListener(around);
  const linked = new Map<Address, Msisdn>();
  const replies = new Map<Address, Reply>();
  const patience: Patience = { ms: Number.POSITIVE_INFINITY };
  const conversations = (engine: () => Conversations): Conversations =>
    engineNow(engine, {
      async receive(incoming, deadlineMs, onTyped, sendingMs = patience.sendingMs) {
        const askedAt = clock.now();
        const deadline = Math.min(deadlineMs, patience.ms);
        const reply = broken(await engine().receive(incoming, deadline, onTyped, sendingMs));
        replies.set(incoming.address, reply);
        recorder.answers(incoming, reply, askedAt);
        return reply;
      },
    });
  const world = await createWorld({
    ...options,
    ears: { renderer: recorder.between, conversations, onForm: listener.asks },
  });
  clock.now = world.clock.now;
  clock.executions = () => byWhoAsked(world.sandbox.executions(), agents);
  const wallets = new Set<Msisdn>();
  const freezes: Freezing[] = [];
  const [one, other] = [
    { id: 'nadia', name: 'Nadia' },
    { id: 'omar', name: 'Omar' },
  ];
  const doors: Inside = {
    world,
    recorder,
    listener,
    replies,
    linked,
    patience,
    conversations: conversations(() => world.engine),
  };

  return {
    world,
    listener,
    agents,
    executions: () => clock.executions(),
    async supportFreezes({ phone: wallet }) {
      freezes.push({ wallet, at: clock.now(), by: 'support' });
      await world.engine.desk.freeze(wallet, one);
    },
    async supportThaws({ phone: wallet, address }) {
      await world.engine.desk.proposeThaw(wallet, one, 'seen with their card');
      const { proposal } = (await world.engine.desk.session(address))?.frozen ?? {};
      freezes.push({ wallet, at: clock.now(), by: 'nobody' });
      await world.engine.desk.approveThaw(wallet, other, proposal?.at ?? 0);
    },
    customer(channel, who = {}) {
      // The world makes the wallet, and has the real chats. The other ways go through the doors here.
      const isChat = channel === 'telegram' || channel === 'whatsapp';
      const made = world.customer({ channel: isChat ? channel : 'ussd', ...who });
      const { phone } = made;
      wallets.add(phone);
      if (isChat) {
        linked.set(made.address, phone);
        return made;
      }
      const way = channel === 'ussd' ? ussdWay(doors, phone) : webWay(doors);
      linked.set(way.address, phone);
      return createCustomer(world, phone, 'fr', way);
    },
    async heard() {
      await world.rests();
      hearChats(doors);
      hearSms(doors, wallets);
      const payments = await Promise.all([...wallets].map((wallet) => intentsOf(world.store, wallet)));
      return listener.verdict(payments.flat(), undefined, freezes);
    },
    close: world.close,
  };
}

/** The doors wait so long for a turn, and for a payment that is being sent, when that is shorter than their own deadline. */
interface Patience {
  ms: number;
  sendingMs?: number | undefined;
}

interface Inside {
  readonly world: World;
  readonly recorder: Recorder;
  readonly listener: Listener;
  readonly replies: ReadonlyMap<Address, Reply>;
  readonly linked: ReadonlyMap<Address, Msisdn>;
  readonly patience: Patience;
  readonly conversations: Conversations;
}

/** A phone before Africa's Talking's route: what is typed is joined by `*`, and a page is all that comes back. */
function ussdWay(
  { world, recorder, listener, replies, patience, conversations }: Inside,
  phone: Msisdn,
): Way {
  const { secrets, renderer } = world;
  const address: Address = `ussd:${phone}`;
  const app = ussdRoutes({
    conversations,
    renderer: recorder.between(renderer),
    secrets,
    door: () => ({ secrets: [], addresses: [], proxies: [] }),
    serviceCode: '*123#',
    language: 'fr',
    log: fakeLog().log,
  });
  let session: string | undefined;
  let answers: string[] = [];

  async function posts(isDial: boolean): Promise<void> {
    const askedAt = world.clock.now();
    const body = new URLSearchParams({
      sessionId: session ?? '',
      phoneNumber: phone,
      networkCode: '60401',
      serviceCode: '*123#',
      text: answers.join('*'),
    });
    const answer = await app.request('/africastalking', { method: 'POST', body });
    const [, kind = '', text = ''] = /^(CON|END) (\S[\s\S]*)$/.exec(await answer.text()) ?? [];
    const { sentences, isMenu, ...moment } = recorder.of('ussd', text);
    const ends = kind === 'END' ? 'ends' : 'goes on';
    const contact = isDial || isMenu ? 'starts' : ends;
    listener.hears({ askedAt, address, wallet: phone, contact, sentences }, moment);
  }

  return {
    channel: 'ussd',
    address,
    does(inputs, dialog) {
      const isDial = dialog !== session;
      if (isDial) answers = [];
      session = dialog;
      answers.push(...inputs.map(typedAs));
      return posts(isDial);
    },
    repeats: () => posts(false),
    reply: () => replies.get(address),
    waits: (ms, sendingMs) => {
      patience.ms = ms;
      patience.sendingMs = sendingMs;
    },
    waiting: () => world.engine.waiting(address),
    saw: async () => {},
    fits: () => {},
    shows: () => {},
  };
}

/** A browser before the routes of the chat. It fetches Wasl's own messages after each input, as the page does. */
function webWay({ world, recorder, listener, replies, linked, patience, conversations }: Inside): Way {
  const { secrets, renderer } = world;
  const cookie = randomUUID().replaceAll('-', '').slice(0, 22);
  const address: Address = `web:${createDigest(secrets)('web', cookie)}`;
  const show = recorder.between(renderer);
  const app = webRoutes({
    readQr: async () => ({ kind: 'none' }),
    conversations,
    renderer: show,
    secrets,
    streams: createStreams(ALONE),
    secure: false,
    embedOrigins: [],
    proxies: [],
    walletUrl: world.walletUrl,
    log: fakeLog().log,
  });
  let last = '';

  async function posts(body: string): Promise<void> {
    last = body;
    const askedAt = world.clock.now();
    const headers = {
      cookie: `wasl=${cookie}`,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      origin: 'http://localhost',
    };
    const answer = await app.request('/messages', { method: 'POST', headers, body });
    if (answer.status !== 200) return;
    const { text } = (await answer.json()) as { text: string };
    const { sentences, isMenu, ...moment } = recorder.of('chat', text);
    const ends = replies.get(address)?.screen.expects === 'nothing' ? 'ends' : 'goes on';
    const contact = isMenu || body.includes('"opened"') ? 'starts' : ends;
    listener.hears(
      { askedAt, address, wallet: ownWallet(replies, linked, address), contact, sentences },
      moment,
    );
  }

  return {
    channel: 'web',
    address,
    does: ([raw]) => {
      const { screenId } = replies.get(address) ?? {};
      const answers = raw?.type === 'chose' && screenId !== undefined ? { answers: screenId } : {};
      return posts(JSON.stringify({ id: randomUUID(), guess: 'fr', ...answers, ...messageOf(raw) }));
    },
    repeats: () => posts(last),
    reply: () => replies.get(address),
    waits: (ms, sendingMs) => {
      patience.ms = ms;
      patience.sendingMs = sendingMs;
    },
    waiting: () => world.engine.waiting(address),
    async saw(push) {
      show.chat(push.screen, push.language);
      listener.hearsPush(address, push, linked.get(address));
      await world.engine.saw(address, [push.id]);
    },
    fits: () => {},
    shows: ({ screen, language }) => void plain(renderer.chat(screen, language).text),
  };
}

/** The texts that Telegram or WhatsApp was sent for a chat since the last call, oldest first. */
function takenBy({ world }: Inside, address: Address): readonly string[] {
  const id = address.slice(address.indexOf(':') + 1);
  switch (channelOf(address)) {
    case 'telegram':
      return world.bot.api.chats
        .open(Number(id))
        .history.splice(0)
        .flatMap(({ by, text, document }) => (by === 'bot' && !document ? [text] : []));
    case 'whatsapp': {
      const { sent } = world.whatsapp.api;
      const theirs = sent.filter(({ to }) => to === id);
      sent.splice(0, sent.length, ...sent.filter(({ to }) => to !== id));
      return theirs.map(({ shown }) => textOf(shown));
    }
    default:
      return [];
  }
}

/** Every message in the chats of Telegram and WhatsApp. */
function hearChats(doors: Inside): void {
  const { recorder, listener, replies, linked } = doors;
  for (const [address, wallet] of linked) {
    for (const text of takenBy(doors, address)) {
      if (text === '') continue;
      const { sentences, askedAt, at, executions, ...turn } = recorder.of('chat', text);
      const contact = turn.isMenu || turn.opens ? 'starts' : turn.rests ? 'ends' : 'goes on';
      const isLinked = turn.screenKey === undefined || ownWallet(replies, linked, address) === wallet;
      const owner = isLinked && !BEFORE_LINKING.test(sentences[0]?.key ?? '') ? wallet : undefined;
      listener.hears(
        { askedAt: askedAt ?? at, address, wallet: owner, contact, sentences },
        { at, executions },
      );
    }
  }
}

/** Every SMS of ours: nothing leaves by SMS that was not rendered for it. */
function hearSms({ world, recorder, listener }: Inside, wallets: ReadonlySet<Msisdn>): void {
  for (const wallet of wallets) {
    const theirs = new Set(world.sandbox.sms(wallet).map(({ text }) => text));
    for (const text of world.sms(wallet).filter((each) => !theirs.has(each))) {
      const { sentences, at, executions } = recorder.of('sms', text);
      const address: Address = `ussd:${wallet}`;
      listener.hears({ askedAt: at, address, wallet, contact: 'goes on', sentences }, { at, executions });
    }
  }
}

/** A chat says nothing of a wallet before its PIN was entered there. */
const BEFORE_LINKING = /^(linking|unlocking|language|consent|onboarding)\./;

function ownWallet(
  replies: ReadonlyMap<Address, Reply>,
  linked: ReadonlyMap<Address, Msisdn>,
  address: Address,
): Msisdn | undefined {
  return BEFORE_LINKING.test(replies.get(address)?.screen.key ?? '') ? undefined : linked.get(address);
}

function typedAs(raw: Input): string {
  if (raw.type === 'said') return raw.text;
  if (raw.type === 'went')
    return { back: '0', menu: '00', more: '98', help: '99', cancel: '0', language: '0' }[raw.to];
  throw new Error(`nobody can do that on a phone: ${raw.type}`);
}

function messageOf(raw: Input | undefined): object {
  switch (raw?.type) {
    case 'said':
      return { text: raw.text };
    case 'chose':
      return { choice: raw.choice };
    case 'went':
      return { went: raw.to };
    case 'opened':
      return { opened: true };
    default:
      throw new Error(`nobody can do that in the web chat: ${raw?.type}`);
  }
}

/** The receiver: a number of another provider. */
const RECIPIENT = msisdn('+212655555555');

/** A customer sends money: from the menu to the PIN, which stands on the screen then. */
export function fillsTransfer(customer: Customer, amount = '100', to = RECIPIENT): Customer {
  return customer
    .sees('menu.choose')
    .chooses('transfer')
    .sees('transfer.askRecipient')
    .says(nationalNumber(to))
    .sees('transfer.askAmount')
    .says(amount)
    .sees(to === RECIPIENT ? 'transfer.askPinOpenLoop' : 'transfer.askPin');
}

/** And enters the PIN. */
export function sendsMoney(customer: Customer, amount = '100', to = RECIPIENT): Customer {
  return fillsTransfer(customer, amount, to).enters(PIN);
}

/** A new dial, or the chat opened again, and its menu. */
export function comesBack(customer: Customer): Customer {
  return customer.address.startsWith('ussd:') ? customer.dials() : customer.opens().goes('menu');
}
