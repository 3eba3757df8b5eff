import type { EffectName } from '../../../machines/kit/effects.ts';
import { lookAgain, preview } from '../intents/look-alikes.ts';
import { pay } from '../intents/pay.ts';
import { REFERENCE_READS } from '../references/reads.ts';
import { requestReference } from '../references/request.ts';
import { changePin, createQr, deleteSavedCard, resetPin, sendResetCode, unregister } from './account.ts';
import { becomeAgent, findCash, requestDeposit } from './agent.ts';
import { askForPerson } from './ask-for-person.ts';
import { changeBeneficiary, deleteBeneficiary, saveBeneficiary } from './beneficiaries.ts';
import { createCardLink } from './card-links.ts';
import { applyForCard, changeCard } from './cards.ts';
import { keepContract } from './contracts.ts';
import { sendDocument } from './documents.ts';
import type { Effect, EffectOf } from './effect.ts';
import { freeze, thaw } from './freeze.ts';
import { sendIdentityLink } from './identity-link.ts';
import { checkLinkCode, sendLinkCode, showLinkCode } from './link-code.ts';
import { login } from './login.ts';
import { givePayouts, releasePayouts } from './payouts.ts';
import { askForRetailAgent, changeRetailAgent, requestFloat } from './principal.ts';
import { closeCase, rateCase } from './rate-case.ts';
import { READS } from './reads.ts';
import { confirmRegistration, createPin, register, resendOtp } from './registration.ts';

/** Every call a machine can ask for. A name without a row, or a row of other types than the machine's, does not compile. */
const TABLE: { readonly [Name in EffectName]: EffectOf<Name> } = {
  ...READS,
  ...REFERENCE_READS,
  preview,
  sendLinkCode,
  checkLinkCode,
  showLinkCode,
  register,
  confirmRegistration,
  resendOtp,
  createPin,
  login,
  changePin,
  sendResetCode,
  resetPin,
  freeze,
  thaw,
  unregister,
  askForPerson,
  closeCase,
  rateCase,
  saveBeneficiary,
  changeBeneficiary,
  deleteBeneficiary,
  keepContract,
  createQr,
  createCardLink,
  sendDocument,
  deleteSavedCard,
  changeCard,
  applyForCard,
  sendIdentityLink,
  requestReference,
  becomeAgent,
  findCash,
  requestDeposit,
  requestFloat,
  askForRetailAgent,
  changeRetailAgent,
  givePayouts,
  releasePayouts,
  lookAgain,
  pay,
};

/** The effect of that name, as the engine runs it: its input was typed where the machine asked for it. */
export function effectNamed(name: string): Effect<unknown> {
  const effect = (TABLE as unknown as Record<string, Effect<unknown>>)[name];
  if (!effect) throw new Error(`no effect is called ${name}`);
  return effect;
}
