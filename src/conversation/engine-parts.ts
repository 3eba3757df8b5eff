import { randomBytes } from 'node:crypto';
import type { Payment } from '../../machines/kit/effects.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { costsSms } from './answer-way.ts';
import { type Background, createBackground } from './background.ts';
import { createBudgets } from './budgets.ts';
import { type Cases, createCases } from './cases/cases.ts';
import { NO_CASES } from './cases/table.ts';
import { OWN_RELEASE } from './chart/releases.ts';
import type { Desk } from './desk/desk.ts';
import { open as openDesk } from './desk/open.ts';
import type { EngineOptions } from './engine-options.ts';
import { createIdentifications, type Identifications } from './identity.ts';
import { NO_ARCHIVE } from './intents/archive.ts';
import { createOutcomes, type Outcomes } from './intents/outcomes.ts';
import { createPulse } from './intents/pulse.ts';
import type { RebuildDeps } from './intents/rebuild.ts';
import { type RecipientDeps, tellRecipient } from './intents/recipient.ts';
import { createReconciliation, type Reconciliation } from './intents/reconcile.ts';
import { createPayouts, type Payouts } from './payouts/run.ts';
import { createPending, type PendingRequests } from './pending/follow.ts';
import { createReferences, type References, type ReferencesDeps } from './references/follow.ts';
import { documentsOf } from './screens.ts';
import { SERVED_DEFAULTS } from './served.ts';
import { createDelivery, type Deliveries } from './session/delivery.ts';
import { createReceived } from './session/received.ts';
import { createReplies } from './session/replies.ts';
import { createSessions, type LoadedSession } from './session/sessions.ts';
import type { TellDeps } from './session/tell.ts';
import { type ReceiveDeps, TooLate } from './turn/receive.ts';
import type { TurnDeps } from './turn-deps.ts';
import { pushNew } from './wake.ts';

export interface EngineParts extends ReceiveDeps {
  readonly delivery: Deliveries;
  readonly outcomes: Outcomes;
  readonly reconciliation: Reconciliation;
  readonly rebuilding: RebuildDeps;
  readonly references: References;
  readonly tellReceived: RecipientDeps['tellReceived'];
  readonly pending: PendingRequests;
  readonly identifications: Identifications;
  readonly payouts: Payouts;
  readonly fleet: NonNullable<EngineOptions['fleet']>;
  readonly cases: Cases;
  readonly desk: Desk;
  readonly background: Background;
  readonly stopping: AbortController;
}

/** Every process runs this release. */
const UNIFORM: NonNullable<EngineOptions['fleet']> = {
  begins: () => OWN_RELEASE,
  isKnownElsewhere: () => false,
};

export function joinParts(options: EngineOptions): EngineParts {
  const { store, secrets, deliver, now = Date.now, onError = () => {}, alone } = options;
  const { fleet = UNIFORM, deskStore = store, archive = NO_ARCHIVE, chatAt = () => undefined } = options;
  const { budgets = createBudgets({ store, secrets, now }), answerLost = () => {}, sendCode } = options;
  const { served, pays } = servedBy(options);
  const stopping = new AbortController();
  const background = createBackground((error, ...line) => {
    if (!(error instanceof TooLate)) onError(error, ...line);
  });
  const sessions = createSessions(store, served.language);
  const { caseTable: table = NO_CASES, alert = () => {} } = options;
  const cases = createCases({ table, settings: served.cases, now });
  const push = (loaded: LoadedSession) => pushNew({ delivery, background, now }, loaded);
  const outcomes = createOutcomes({ store, archive, sessions, pushed: push, alert, now, served, pays });
  const { pulse, api, backgroundApi } = listenToWallet(options, outcomes, background);
  const recipients = recipientsOf({ store, sessions, api: backgroundApi, secrets, pushed: push, now, pays });
  const { references, tellReceived } = recipients;
  const turns: TurnDeps = {
    store,
    sessions,
    api,
    secrets,
    budgets,
    sendCode,
    chatAt,
    ...{ served, pays },
    skewMs: options.skewMs ?? (() => 0),
    lookAtVisit: (loaded) => lookInBackground(references.lookAtVisit(loaded), background),
    now,
    process: { by: randomBytes(6).toString('base64url'), alone, begins: fleet.begins },
    onError,
    background,
    answerLost,
    answeredLate: (ref, answer, claimed) => outcomes.answered(ref, answer as Payment, claimed),
    took: listening({ background, outcomes, recipients }),
    sending: new Map(),
    stopping: stopping.signal,
  };
  const files = { document: documentsOf(turns, outcomes) };
  const delivery = createDelivery({ sessions, secrets, deliver, chatAt, ...files, now });
  const written = { store, archive, sessions, outcomes, cases, pushed: push, now, pays };
  return {
    turns,
    cases,
    push,
    fleet,
    language: served.language,
    outcomes,
    references,
    delivery,
    background,
    stopping,
    replies: createReplies(secrets, now),
    reconciliation: createReconciliation({ ...recipients, outcomes, api: backgroundApi, pulse }),
    rebuilding: { ...written, api: backgroundApi, secrets, alert },
    tellReceived,
    ...goingOnOf(turns, { ...written, api: backgroundApi }),
    desk: openDesk(deskStore, archive, backgroundApi, turns, written),
  };
}

/** The operator's settings, and whether they pay an SMS for a message. */
function servedBy(options: Pick<EngineOptions, 'served'>): Pick<TurnDeps, 'served' | 'pays'> {
  const served = { ...SERVED_DEFAULTS, ...options.served };
  return { served, pays: (topic) => costsSms(topic, served) };
}

/** The looks of a visit continue in the background, whether the customer waits for them or not. */
function lookInBackground(looks: Promise<boolean>, background: Background): Promise<boolean> {
  background.add(looks, 'References could not be looked at');
  return looks.catch(() => false);
}

/** The work without a customer: pending requests, checks of identity, and files of payouts. */
function goingOnOf(
  turns: TurnDeps,
  written: Parameters<typeof createPending>[0] & { readonly api: Wallet; readonly outcomes: Outcomes },
): Pick<EngineParts, 'pending' | 'identifications' | 'payouts'> {
  const { store, secrets, api, now } = turns;
  return {
    pending: createPending(written),
    identifications: createIdentifications({ store, secrets, api, now }),
    payouts: createPayouts({ ...turns, ...written }),
  };
}

function recipientsOf(deps: ReferencesDeps & TellDeps & Pick<RecipientDeps, 'api'>): ReferencesDeps &
  RecipientDeps & {
    readonly references: References;
  } {
  return { ...deps, references: createReferences(deps), tellReceived: createReceived(deps) };
}

/** Listens to the wallet's connections. Its first sign of life after a silence wakes the work that waits for it. */
function listenToWallet(
  options: Pick<EngineOptions, 'api' | 'backgroundApi'>,
  outcomes: Outcomes,
  background: Background,
): { readonly pulse: ReturnType<typeof createPulse>; readonly api: Wallet; readonly backgroundApi: Wallet } {
  const pulse = createPulse((ids) => background.add(outcomes.hasten(ids), 'Payments could not be woken'));
  const api = pulse.hear(options.api);
  const backgroundApi = options.backgroundApi ? pulse.hear(options.backgroundApi) : api;
  return { pulse, api, backgroundApi };
}

/** The listeners to the turns that the store has taken. */
function listening({
  background,
  outcomes,
  recipients,
}: Pick<EngineParts, 'background' | 'outcomes'> & {
  readonly recipients: RecipientDeps;
}): TurnDeps['took'] {
  return ({ newOutcomeOf }) => {
    if (newOutcomeOf)
      background.add(
        tellOthers(outcomes, recipients, newOutcomeOf),
        'What a payment led to could not be told elsewhere',
      );
  };
}

/** Tells the recipient of a payment whose outcome an answer has brought. */
async function tellOthers(outcomes: Outcomes, recipients: RecipientDeps, id: string): Promise<void> {
  const intent = await outcomes.intentOf(id);
  if (intent) await tellRecipient(recipients, intent);
}
