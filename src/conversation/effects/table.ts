import type { effects } from '../../../machines/kit/effects.ts';
import { lookAgain, preview } from '../intents/look-alikes.ts';
import { pay } from '../intents/pay.ts';
import { changePin, readOperations, readProfile, resetPin, sendResetCode, unregister } from './account.ts';
import { askForPerson } from './ask-for-person.ts';
import type { Effect } from './effect.ts';
import { checkLinkCode, sendLinkCode } from './link-code.ts';
import { login } from './login.ts';
import {
  createQr,
  readArticles,
  readBillForm,
  readBillPayments,
  readBrands,
  readCreditors,
  readReceivables,
  readStaticQr,
  readTopUpProducts,
  readTopUps,
  readUnpaid,
} from './services.ts';
import { confirmRegistration, createPin, readBalance, readStatus, register, resendOtp } from './wallet.ts';

/** Every call a machine can ask for. A name without a row, or a row without a name, does not compile. */
const TABLE = {
  readStatus,
  readBalance,
  readProfile,
  readOperations,
  preview,
  sendLinkCode,
  checkLinkCode,
  register,
  confirmRegistration,
  resendOtp,
  createPin,
  login,
  changePin,
  sendResetCode,
  resetPin,
  unregister,
  askForPerson,
  readTopUpProducts,
  readTopUps,
  readCreditors,
  readReceivables,
  readBillForm,
  readUnpaid,
  readBillPayments,
  readBrands,
  readArticles,
  readStaticQr,
  createQr,
  lookAgain,
  pay,
} satisfies Record<keyof typeof effects, Effect<never>>;

/** The effect of that name, as the engine runs it: its input was typed where the machine asked for it. */
export function effectNamed(name: string): Effect<unknown> {
  const effect = (TABLE as unknown as Record<string, Effect<unknown>>)[name];
  if (!effect) throw new Error(`no effect is called ${name}`);
  return effect;
}
