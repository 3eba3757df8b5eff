import type { Budgets } from '../../conversation/budgets.ts';
import { ALL_SMS } from '../../conversation/budgets.ts';
import type { SentenceKey } from '../../conversation/incoming.ts';
import type { SmsStops } from '../../conversation/sms-stops.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { requestIn, type SmsRequest } from './keywords.ts';
import type { SmsSender } from './sms.ts';

interface IncomingDeps {
  readonly sms: SmsSender | undefined;
  readonly stops: SmsStops;
  readonly budgets: Pick<Budgets, 'charge'>;
  readonly renderer: Pick<Renderer, 'sms'>;
  /** The code that customers dial, `*123#`. */
  readonly serviceCode: string;
}

const SAYS: Readonly<Record<SmsRequest, SentenceKey>> = {
  balance: 'sms.balance',
  help: 'sms.help',
  stop: 'sms.stopped',
  start: 'sms.started',
};

/**
 * Answers the SMS of a customer by one SMS. It says only what anybody may read who holds the phone: no amount, no secret
 * and no link. A STOP is kept before its answer goes. Few answers go to one number, so that two machines do not write
 * to each other for ever. Rejects with `StoreDown`: the SMS is brought again.
 */
export async function answerSms(deps: IncomingDeps, from: Msisdn, text: string): Promise<void> {
  const { sms, stops, budgets, renderer, serviceCode } = deps;
  const { request = 'help', language } = requestIn(text);
  if (request === 'stop' || request === 'start') await stops.set(from, request === 'stop');
  if (!sms || (await budgets.charge([{ budget: 'smsAnswers', of: from }, ...ALL_SMS]))) return;
  const screen = { key: SAYS[request], values: { dial: { code: serviceCode } }, expects: 'nothing' } as const;
  await sms(from, renderer.sms(screen, language).text);
}
