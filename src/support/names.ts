import type { Language } from '../conversation/incoming.ts';
import type { IntentState } from '../conversation/intents/intent.ts';
import { say } from './sentences.ts';

/** Conversations, by the id of their machine; orders have the name of the one that makes them. */
const FLOWS: Readonly<Record<string, string>> = {
  account: 'console.flowAccount',
  balance: 'console.flowBalance',
  'bill-payment': 'console.flowBillPayment',
  closing: 'console.flowClosing',
  consent: 'console.flowConsent',
  help: 'console.flowHelp',
  language: 'console.flowLanguage',
  linking: 'console.flowLinking',
  menu: 'console.flowMenu',
  'merchant-payment': 'console.flowMerchantPayment',
  onboarding: 'console.flowOnboarding',
  'pin-change': 'console.flowPinChange',
  'pin-reset': 'console.flowPinReset',
  profile: 'console.flowProfile',
  'receive-payment': 'console.flowReceivePayment',
  resume: 'console.flowResume',
  statement: 'console.flowStatement',
  'top-up': 'console.flowTopUp',
  transfer: 'console.flowTransfer',
  unlink: 'console.flowUnlink',
  unlocking: 'console.flowUnlocking',
  voucher: 'console.flowVoucher',
};

/** Where a conversation stands, by the name of its state. */
const STEPS: Readonly<Record<string, string>> = {
  agreed: 'console.stepAgreed',
  answered: 'console.stepAnswered',
  asked: 'console.stepAsked',
  asking: 'console.stepAsking',
  askingAmount: 'console.stepAskingAmount',
  askingCin: 'console.stepAskingCin',
  askingCode: 'console.stepAskingCode',
  askingFirstName: 'console.stepAskingFirstName',
  askingLastName: 'console.stepAskingLastName',
  askingMerchant: 'console.stepAskingMerchant',
  askingName: 'console.stepAskingName',
  askingNewPin: 'console.stepAskingNewPin',
  askingNumber: 'console.stepAskingNumber',
  askingOldPin: 'console.stepAskingOldPin',
  askingPhone: 'console.stepAskingPhone',
  askingPin: 'console.stepAskingPin',
  askingReason: 'console.stepAskingReason',
  askingRecipient: 'console.stepAskingRecipient',
  askingWhatWasMeant: 'console.stepAskingWhatWasMeant',
  authenticating: 'console.stepAuthenticating',
  busy: 'console.stepBusy',
  cancelled: 'console.stepCancelled',
  changed: 'console.stepChanged',
  changing: 'console.stepChanging',
  checking: 'console.stepChecking',
  checkingCode: 'console.stepCheckingCode',
  choosing: 'console.stepChoosing',
  choosingArticle: 'console.stepChoosingArticle',
  choosingBrand: 'console.stepChoosingBrand',
  choosingCreditor: 'console.stepChoosingCreditor',
  choosingFilter: 'console.stepChoosingFilter',
  choosingFor: 'console.stepChoosingFor',
  choosingOperator: 'console.stepChoosingOperator',
  choosingProduct: 'console.stepChoosingProduct',
  choosingReceivable: 'console.stepChoosingReceivable',
  chosen: 'console.stepChosen',
  closed: 'console.stepClosed',
  confirming: 'console.stepConfirming',
  creating: 'console.stepCreating',
  creatingPin: 'console.stepCreatingPin',
  declined: 'console.stepDeclined',
  empty: 'console.stepEmpty',
  explaining: 'console.stepExplaining',
  fillingIn: 'console.stepFillingIn',
  finding: 'console.stepFinding',
  helped: 'console.stepHelped',
  helping: 'console.stepHelping',
  interrupted: 'console.stepInterrupted',
  kept: 'console.stepKept',
  lapsed: 'console.stepLapsed',
  leaving: 'console.stepLeaving',
  left: 'console.stepLeft',
  listing: 'console.stepListing',
  locked: 'console.stepLocked',
  lockedForNow: 'console.stepLockedForNow',
  lookingAgain: 'console.stepLookingAgain',
  notConfirmed: 'console.stepNotConfirmed',
  notEnabled: 'console.stepNotEnabled',
  notKnown: 'console.stepNotKnown',
  notMerchant: 'console.stepNotMerchant',
  notSent: 'console.stepNotSent',
  nothingToPay: 'console.stepNothingToPay',
  offering: 'console.stepOffering',
  opened: 'console.stepOpened',
  paying: 'console.stepPaying',
  previewing: 'console.stepPreviewing',
  processing: 'console.stepProcessing',
  proven: 'console.stepProven',
  reading: 'console.stepReading',
  readingArticles: 'console.stepReadingArticles',
  readingBrands: 'console.stepReadingBrands',
  readingForm: 'console.stepReadingForm',
  readingHistory: 'console.stepReadingHistory',
  readingName: 'console.stepReadingName',
  readingProducts: 'console.stepReadingProducts',
  readingReceivables: 'console.stepReadingReceivables',
  readingUnpaid: 'console.stepReadingUnpaid',
  refused: 'console.stepRefused',
  refusedLogin: 'console.stepRefusedLogin',
  registering: 'console.stepRegistering',
  remembering: 'console.stepRemembering',
  repeatingPin: 'console.stepRepeatingPin',
  resending: 'console.stepResending',
  reset: 'console.stepReset',
  resetting: 'console.stepResetting',
  reviewing: 'console.stepReviewing',
  selecting: 'console.stepSelecting',
  sending: 'console.stepSending',
  sendingCode: 'console.stepSendingCode',
  settled: 'console.stepSettled',
  showing: 'console.stepShowing',
  showingHistory: 'console.stepShowingHistory',
  showingPayment: 'console.stepShowingPayment',
  shown: 'console.stepShown',
  toMerchant: 'console.stepToMerchant',
  unavailable: 'console.stepUnavailable',
  unchanged: 'console.stepUnchanged',
  unlinked: 'console.stepUnlinked',
  unlocked: 'console.stepUnlocked',
  unreached: 'console.stepUnreached',
  unread: 'console.stepUnread',
  unregistering: 'console.stepUnregistering',
};
/** Calls to the wallet, and the few of our own, by their names in records. */
const CALLS: Readonly<Record<string, string>> = {
  askForPerson: 'console.callAskForPerson',
  changePin: 'console.callChangePin',
  checkLinkCode: 'console.callCheckLinkCode',
  confirmRegistration: 'console.callConfirmRegistration',
  createPin: 'console.callCreatePin',
  createQr: 'console.callCreateQr',
  login: 'console.callLogin',
  lookAgain: 'console.callLookAgain',
  pay: 'console.callPay',
  preview: 'console.callPreview',
  readArticles: 'console.callReadArticles',
  readBalance: 'console.callReadBalance',
  readBillForm: 'console.callReadBillForm',
  readBillPayments: 'console.callReadBillPayments',
  readBrands: 'console.callReadBrands',
  readCreditors: 'console.callReadCreditors',
  readOperations: 'console.callReadOperations',
  readProfile: 'console.callReadProfile',
  readReceivables: 'console.callReadReceivables',
  readStaticQr: 'console.callReadStaticQr',
  readStatus: 'console.callReadStatus',
  readTopUpProducts: 'console.callReadTopUpProducts',
  readTopUps: 'console.callReadTopUps',
  readUnpaid: 'console.callReadUnpaid',
  register: 'console.callRegister',
  resendOtp: 'console.callResendOtp',
  resetPin: 'console.callResetPin',
  sendLinkCode: 'console.callSendLinkCode',
  sendResetCode: 'console.callSendResetCode',
  unregister: 'console.callUnregister',
};

/** What came of a call (`src/wallet/answer.ts`, `machines/kit/effects.ts`). */
const CAME: Readonly<Record<string, string>> = {
  accepted: 'console.cameAccepted',
  busy: 'console.cameBusy',
  differ: 'console.cameDiffer',
  expired: 'console.cameExpired',
  later: 'console.cameLater',
  lost: 'console.cameLost',
  noSms: 'console.cameNoSms',
  ok: 'console.cameOk',
  refused: 'console.cameRefused',
  rejected: 'console.cameRejected',
  right: 'console.cameRight',
  same: 'console.cameSame',
  sent: 'console.cameSent',
  settled: 'console.cameSettled',
  tooMany: 'console.cameTooMany',
  unknown: 'console.cameUnknown',
  unsent: 'console.cameUnsent',
  wrong: 'console.cameWrong',
};

/** How far a payment has come; `previewed` is only ever a step. */
const STATES: Readonly<Record<IntentState | 'previewed', string>> = {
  previewed: 'console.statePreviewed',
  sent: 'console.stateSent',
  accepted: 'console.stateAccepted',
  unknown: 'console.stateUnknown',
  rejected: 'console.stateRejected',
  unsent: 'console.stateUnsent',
  succeeded: 'console.stateSucceeded',
  failed: 'console.stateFailed',
  reversed: 'console.stateReversed',
  'not-found': 'console.stateNotFound',
  human: 'console.stateHuman',
};

/** A conversation in words: `transfer` is "Money transfer". What has no words is said by its name, here and below. */
export function flowName(machine: string, language: Language): string {
  return inWords(FLOWS, machine, language);
}

/** Where a conversation stands: `transfer.askingPin` is "Money transfer · asking the PIN". */
export function placeName(place: string, language: Language): string {
  const [machine = ''] = place.split('.');
  return [flowName(machine, language), stepName(place, language)].filter(Boolean).join(' · ');
}

/** The same within a conversation: "asking the PIN". */
export function stepName(place: string, language: Language): string {
  return inWords(STEPS, place.split('.')[1] ?? '', language);
}

export function callName(src: string, language: Language): string {
  return inWords(CALLS, src, language);
}

/** What came of a call, with the wallet's code where it has refused: `refused 20005` is "refused 20005", in every language. */
export function cameName(came: string, language: Language): string {
  const [kind = '', ...code] = came.split(' ');
  return [inWords(CAME, kind, language), ...code].join(' ');
}

/** The state of a payment. */
export function stateName(state: string, language: Language): string {
  return inWords(STATES, state, language);
}

/** What the world did, as records call it: `intent succeeded`, a call, `pay lost`. */
export function eventName(event: string, language: Language): string {
  if (event === 'time') return say(language, 'console.timePassed');
  if (event === 'not safely stored') return say(language, 'console.eventNotStored');
  const [first = '', second = ''] = event.split(' ');
  return first === 'intent'
    ? say(language, 'console.eventPayment', { state: { name: stateName(second, language) } })
    : [callName(first, language), second && cameName(second, language)].filter(Boolean).join(' · ');
}

function inWords(names: Readonly<Record<string, string>>, name: string, language: Language): string {
  const key = Object.hasOwn(names, name) ? names[name] : undefined;
  return key ? say(language, key) : name;
}
