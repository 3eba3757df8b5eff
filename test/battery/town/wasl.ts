import { createBackground } from '../../../src/conversation/background.ts';
import { choresOf } from '../../../src/conversation/chores.ts';
import { createEngine } from '../../../src/conversation/engine.ts';
import type { EngineOptions } from '../../../src/conversation/engine-options.ts';
import { type Deliver, inHand } from '../../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../../src/conversation/references/cash-settings.ts';
import { createSecrets, type Secrets } from '../../../src/conversation/secrets.ts';
import type { Served } from '../../../src/conversation/served.ts';
import { startWorker } from '../../../src/conversation/worker.ts';
import { listening } from '../../../src/http/listening.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Wallet } from '../../../src/wallet/wallet.ts';
import { createApply } from '../../../src/webhooks/apply.ts';
import { createInbox } from '../../../src/webhooks/inbox.ts';
import { webhookRoutes } from '../../../src/webhooks/routes.ts';
import { CARD } from './kinds.ts';
import { PRINCIPAL } from './oracle.ts';
import type { Carded } from './payer.ts';

export const WEBHOOK_KEY = 'a webhook key of the battery';
/** A Wasl that is told to end waits so long for its store. */
const STOP_GRACE_MS = 1_000;
/** The worker acts when the test tells it to. It is the longest timer of Node, about. */
const NEVER_MS = 2_000_000_000;
const DEADLINE_MS = 15_000;
const [AICHA, BADR] = [
  { id: 'aicha', name: 'Aicha' },
  { id: 'badr', name: 'Badr' },
];
/** She gives files. An administrator who has bound a number gives no file that this number releases. */
const NADIA = { id: 'nadia', name: 'Nadia' };
/** Address of the pages that Wasl serves. Nobody opens them here. */
export const FORM = 'https://wasl.test/form';
const SECRETS = createSecrets('a secrets key of the battery, 32 characters');

/** The parts of Wasl that a test chooses. */
interface WaslParts {
  readonly store: Store;
  readonly api: Wallet;
  readonly deliver: Deliver;
  readonly now: () => number;
  /** True on the embedded store. */
  readonly alone: boolean;
  readonly secrets?: Secrets;
  readonly served?: EngineOptions['served'];
  readonly onError: (error: unknown, where: string) => void;
  readonly codeSent?: (to: Msisdn, code: string) => void;
  /** Wraps what the inbox does with an event. Absent: it is applied. */
  readonly apply?: (apply: ReturnType<typeof createApply>) => ReturnType<typeof createApply>;
}

/** The real engine alone. Nothing that is due happens by itself. */
export function engineOf({ secrets = SECRETS, served, codeSent, ...parts }: WaslParts) {
  const { store, api, deliver, now, alone, onError } = parts;
  return createEngine({
    ...{ store, api, secrets, deliver, alone, now, onError },
    ...(served && { served }),
    sendCode: async (to, code) => {
      codeSent?.(to, code);
      return codeSent ? 'sent' : 'none';
    },
  });
}

/** The real engine, worker and webhook inbox, joined as `main` joins them. */
export function joinWasl(parts: WaslParts) {
  const { store, api, now, onError, secrets = SECRETS, apply = (real) => real } = parts;
  const engine = engineOf(parts);
  const background = createBackground(onError);
  const inbox = createInbox({ store, secrets, apply: apply(createApply(engine, api)), background, now });
  const worker = startWorker(
    store,
    { ...choresOf(engine), webhook: inbox.process },
    { now, onError, pollMs: NEVER_MS },
  );
  background.add(engine.lookAtOpen(), 'Payments could not be woken');

  /** Does all due work, until nothing is due or under way. */
  async function rests(): Promise<void> {
    do {
      await background.done();
      await engine.close();
    } while ((await worker.round()) > 0);
    await background.done();
    await engine.close();
  }
  return { engine, inbox, worker, background, rests };
}

/** Cash in both ways, and the operator's principal agent where there is one. */
export function cashOf(principal: string | undefined): NonNullable<Served['cash']> {
  return { ...CASH_DEFAULTS, ways: ['agents', 'bill-network'], ...(principal && { ownAgent: principal }) };
}

/** A whole Wasl with its door for webhooks. The test owns time and the store. */
export async function bootWasl(
  options: Omit<WaslParts, 'onError'> & {
    /** Its channels wait so long for an answer. */
    readonly deadlineMs?: number;
  },
) {
  const { deadlineMs = DEADLINE_MS } = options;
  const errors: string[] = [];
  const onError = (error: unknown, where: string) =>
    void errors.push(`${where}: ${error instanceof Error ? error.stack : error}`);
  const codes = new Map<Msisdn, string>();
  const wasl = joinWasl({
    ...options,
    onError,
    codeSent: (to, code) => void codes.set(to, code),
    served: { cash: cashOf(PRINCIPAL), formAt: FORM },
  });
  const { engine, inbox, worker, background, rests } = wasl;
  const server = await listening(webhookRoutes({ inbox, keys: [WEBHOOK_KEY], onError }), 0, '127.0.0.1');
  return {
    ...atConsole(engine),
    webhookUrl: `${server.url}/wallet`,
    errors,
    rests,
    receive: ({ typedCard, ...incoming }: Carded) =>
      engine.receive({ ...incoming, ...(typedCard && { card: inHand(typedCard) }) }, deadlineMs),
    payCardLink: (id: string) => engine.payCardLink(id, inHand(CARD)),
    /** The last code by SMS to a number. */
    code: (to: Msisdn) => codes.get(to),

    async stop(): Promise<void> {
      await server.close();
      // As the program does: it gives up what the store does not take now. The store may be a replica by now.
      const givesUp = setTimeout(() => engine.stop(), STOP_GRACE_MS);
      await worker.stop();
      await background.done();
      await engine.close();
      clearTimeout(givesUp);
    },
  };
}

/** A line of a file of payouts, with the state of its payment or the code of its refusal. */
export interface PaidLine {
  readonly to: string;
  readonly state: string | undefined;
}

/** The deeds of administrators at the console. */
function atConsole({ desk: { principal } }: ReturnType<typeof createEngine>) {
  return {
    /** Two administrators let a number act for the principal agent. */
    async binds(phone: Msisdn): Promise<void> {
      await principal?.proposeBinding(phone, AICHA, 'verse les salaires');
      const proposed = (await principal?.numbers())?.find((each) => each.phone === phone)?.proposal?.at ?? 0;
      const bound = await principal?.approveBinding(phone, BADR, proposed);
      if (bound !== 'done') throw new Error(`${phone} is not bound: ${bound}`);
    },

    /** An administrator gives a file of payouts. The result is its id. */
    async gives(text: string): Promise<string> {
      const given = await principal?.giveFile(new TextEncoder().encode(text), 'salaires', NADIA);
      if (given?.kind !== 'given') throw new Error(`the file is not taken: ${JSON.stringify(given)}`);
      return given.id;
    },

    /** An administrator begins a load of the float by card. The result is the id of its page. */
    async loads(phone: Msisdn, amount: Centimes): Promise<string> {
      const begun = await principal?.beginCardLoad({ amount, phone }, NADIA);
      if (begun?.kind !== 'ok') throw new Error(`no load is begun: ${JSON.stringify(begun)}`);
      return begun.value.id;
    },

    /** Each line of a file, as the console shows it. */
    async results(id: string): Promise<PaidLine[]> {
      const lines: PaidLine[] = [];
      for await (const { to, refused, intent } of principal?.results(id) ?? [])
        lines.push({ to: 'phone' in to ? to.phone : to.rib, state: refused ?? intent?.state });
      return lines;
    },
  };
}
