import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import { correlated } from '../correlation.ts';
import { centimes } from '../wallet/money.ts';
import { abilitiesOf } from './channel.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Served } from './served.ts';
import type { SafetySettings } from './session/safety.ts';

/** The machines that take cards, offered only where the operator has turned cards on (`CARDS`). */
const CARD_MACHINES = ['card-cash-in', 'saved-cards', 'card-payments', 'card-payment'];
/** The machine that makes a customer an agent (`AGENTS`). Without it nobody has an agent's menu. */
const AGENT_MACHINES = ['agent'];

/**
 * The engine with the operator's settings, measured and traced. Inputs that come in by no request, such as those that a
 * bot fetches, get an id of their own.
 * @param parts the wallet, and how the channels deliver
 * @param screens how the channels show screens, and where their pages are
 */
export function open(
  config: Config,
  base: Base,
  parts: Pick<EngineOptions, 'api' | 'backgroundApi' | 'skewMs' | 'deliver' | 'chatAt' | 'sendCode'>,
  screens: Pick<Served, 'noSms' | 'smsFor' | 'smsReceipts' | 'pagesOf' | 'drawReceipt' | 'identityPage'>,
): Engine {
  const { store, consoleStore, archive, records, secrets, budgets, renderer, fleet, measured, tracing } =
    base;
  const { LANGUAGE: language, OUTCOME_WAIT_MS: outcomeWaitMs, BANKS: banks, cases, cash } = config;
  const conversations = measured.conversations(
    createEngine({
      ...{ store, deskStore: consoleStore, archive, secrets, budgets, fleet },
      ...(records && { caseTable: records.cases }),
      ...parts,
      served: {
        ...screens,
        cash: { ...cash, sms: cash.sms && !screens.noSms },
        safety: safetySettings(config),
        namesPayees: config.RECIPIENT_NAMES === 'masked',
        labelsOf: renderer.labels,
        ...{ outcomeWaitMs, language, banks, cases },
        advisers: config.SUPPORT,
        ...offeredBy(config),
        formAt: base.formAt,
      },
      alone: !config.REDIS_URL,
      ...alarms(base),
      onError: base.failures.onError,
    }),
  );
  const engine = tracing?.engine(conversations) ?? conversations;
  return { ...engine, receive: (...turn) => correlated(() => engine.receive(...turn)) };
}

/** The conversations that nobody is offered, as the operator has not turned them on. */
function offeredBy(config: Config): Pick<Served, 'without'> & Partial<Pick<Served, 'docTypes'>> {
  const { CARDS, AGENTS, KYB_DOC_TYPES: docTypes, wallet } = config;
  // The sandbox has numbers of its own. Another wallet's numbers are not known until its operator configures them.
  const isUnknown = docTypes === undefined && wallet.kind !== 'sandbox';
  const without = [
    ...(CARDS ? [] : CARD_MACHINES),
    ...(AGENTS ? [] : AGENT_MACHINES),
    ...(isUnknown ? ['documents'] : []),
    ...(config.CHANNELS.some((name) => abilitiesOf(`${name}:`).provesNumberBy.includes('network'))
      ? []
      : ['link-chat']),
  ];
  return { without, ...(docTypes && { docTypes }) };
}

/** The operator's settings for payments that customers are asked about once more, and for those that wait. */
function safetySettings({ safety }: Config): SafetySettings {
  const dirhams = (amount: number) => centimes(amount * 100);
  return {
    newRecipientFrom: dirhams(safety.newRecipientFromDirhams),
    unusualFactor: safety.unusualFactor,
    unusualFrom: dirhams(safety.unusualFromDirhams),
    coolDownAbove: dirhams(safety.coolDownAboveDirhams),
    coolDownMs: safety.coolDownHours * 3_600_000,
  };
}

/** Troubles that only a person can put right go to the log. */
function alarms({ log }: Pick<Base, 'log'>): Pick<EngineOptions, 'alert' | 'answerLost'> {
  return {
    alert: ({ id, operationId }) => log.say('A person must look at this payment', { id, operationId }),
    answerLost: ({ ref, sealed }) =>
      log.say('The wallet has answered, and the store did not take it', { id: ref, sealed }),
  };
}
