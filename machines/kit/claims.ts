import type { FilesWith, LocaleFile, NameIn, SentenceKey } from './sentence-key.ts';
import { SENTENCES } from './sentence-names.ts';

/**
 * The claim of a sentence about the customer's own money.
 *
 * - `nothing`: no claim.
 * - `notMoved`: a payment took nothing, or its amount has stayed or is given back.
 * - `open`: a payment was made or is being made, and its outcome is not known yet.
 * - `moved`: a payment took its amount.
 * - `returned`: the amount came back.
 * - `received`: money came in.
 * - `notReceived`: an expected amount has not come in, or has gone again.
 */
export type Claim = 'nothing' | 'notMoved' | 'open' | 'moved' | 'returned' | 'received' | 'notReceived';

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Sentences of one file that claim the same, by their names. */
function says<const Names extends string>(claim: Claim, names: Names): Record<Words<Names> & string, Claim> {
  const rows = names.split(' ').map((name) => [name, claim]);
  return Object.fromEntries(rows) as Record<Words<Names> & string, Claim>;
}

/** The claims shared by every way to pay. A file below lists only its differences. */
const PAYING = {
  ...says('nothing', 'called resumePayment goOnWith givenUp'),
  ...says('notMoved', 'failed refused refusedAt cancelled notSent notSentAt waits'),
  ...says('open', 'processing notConfirmed notConfirmedAt notFound human'),
  ...says('moved', 'done'),
  ...says('returned', 'reversed'),
};
/** The same where the customer confirms with the PIN. */
const BY_PIN = {
  ...PAYING,
  ...says('nothing', 'confirm askPin'),
  ...says('open', 'confirmUnconfirmed'),
  ...says('moved', 'confirmAgain'),
};

/**
 * The files that speak of the customer's money, with a row for each of their sentences: a forgotten one, or a way to pay without rows, does
 * not compile. They are
 * the paying tail, the outcomes of intents and money received, which an intent, a webhook or an operation proves (docs/safety.md). All
 * other files claim nothing. A variant claims what its sentence claims. The lines of a list of operations (`statement`, histories) are
 * the wallet's own answer, read at that moment, and no claim of ours.
 */
const ROWS = {
  'agent-cash-in': {
    ...BY_PIN,
    ...says('nothing', 'somebody ask notThat looking choose isReference isNumber askAmount notMade'),
    ...says('nothing', 'tooMany billNetwork floatTooLow notEnabled resume noSecond noSuch'),
  },
  'agent-cash-out': {
    ...BY_PIN,
    ...says('nothing', 'ask notThat looking byReferenceOnly used balanceTooLow notEnabled resume noSecond'),
    ...says('nothing', 'noSuch'),
    ...says('moved', 'doneAt'),
  },
  'b2b-top-up': {
    ...BY_PIN,
    ...says('nothing', 'askNumber floatTooLow notEnabled resume'),
  },
  'bank-transfer': {
    ...BY_PIN,
    ...says('nothing', 'holder accountAt askRib notARib wrongKey moment askHolder notAHolder askAmount'),
    ...says('nothing', 'reason askReason notAReason askHolderFor notEnabled resume'),
    ...says('open', 'accepted acceptedAt'),
  },
  'bill-payment': {
    ...BY_PIN,
    ...says(
      'nothing',
      'finding chooseCreditor found foundOnly creditorFirst noMatch option history reading chooseReceivable ask',
    ),
    ...says('nothing', 'askUnder askDate askDateUnder offer offerUnder fill skip emptyAnswer digitsOnly'),
    ...says(
      'nothing',
      'lettersOnly lettersAndDigitsOnly dateOnly digitsExactly digitsAtLeast digitsAtMost tooShort tooLong askWhetherBack',
    ),
    ...says('nothing', 'askWhetherMenu isAnswer toBack toMenu nothingToPay changeAnswers anotherCreditor'),
    ...says(
      'nothing',
      'review reviewFor fact item fixedItem fee stampFee mandatory payAll payOne paySome whichBills otherBills select',
    ),
    ...says(
      'nothing',
      'selectWith selectNone selectNoneWith chosen notChosen paySelected notSeveral readingHistory noHistory',
    ),
    ...says('nothing', 'listHistory payment undatedPayment older newer detail bareDetail factReceivable'),
    ...says('nothing', 'factDate factSettlement factReference backToHistory stateWaiting stateProcessing'),
    ...says('nothing', 'left factNetwork'),
    ...says('nothing', 'stateDone stateCancelled stateRefunded stateFailed stateUnknown resume closed'),
    ...says(
      'nothing',
      'notEnabled partial payShown payShownOf payAllOf selectOne askPinAll askPinAllFree askPinKept askPinKeptFree sumAdded askPinAddedFree',
    ),
    ...says('nothing', 'keep kept contract another forget forgotten nothingKept billCount contractEnd due'),
    ...says('moved', 'doneSettled doneStamped'),
  },
  'card-capture': {
    ...BY_PIN,
    ...says('received', 'confirmAgain done'),
    ...says('notReceived', 'reversed'),
  },
  'card-cash-in': {
    ...BY_PIN,
    ...says('nothing', 'resumeLink askAmount notEnabled chooseCard card overLevel anotherCard askCard'),
    ...says('nothing', 'askCvv formSms lapsed goOn resume askAmountWithin askAmountLeft overRoom'),
    ...says('open', 'atBank unfinished'),
    ...says('received', 'confirmAgain done'),
    ...says('notReceived', 'failed refused refusedAt cancelled notSent notSentAt reversed'),
  },
  'card-payment': {
    ...PAYING,
    ...says('nothing', 'askAmount chooseWay collect reserve creating tooMany resume notEnabled link'),
    ...says('nothing', 'linkSent reserved toPay toReserve paid used over unsure notTaken'),
    ...says('received', 'done'),
    ...says('notReceived', 'refused refusedAt failed notSent notSentAt reversed'),
  },
  'card-refund': {
    ...BY_PIN,
    ...says('nothing', 'notEnabled'),
  },
  'card-reverse': {
    ...BY_PIN,
    ...says('nothing', 'confirmAgain done'),
  },
  'cash-in': {
    ...says('nothing', 'preparing requesting askAmount askAmountWithin alike showAgain another chooseWay'),
    ...says('nothing', 'agents billNetwork shown toAgent toCounter where validFor validForNow bySms'),
    ...says('nothing', 'reference tooMany cannotReceive overLevel overLimit lost notEnabled resume'),
    ...says('nothing', 'ownOnly askPin room askAmountLeft'),
    ...says('received', 'executed'),
    ...says('notReceived', 'expired reversed'),
  },
  'cash-out': {
    ...says('nothing', 'preparing requesting askAmount alike askPin askPinPriced askPinAgain shown held'),
    ...says('nothing', 'askUnusual reference waiting lost notEnabled resume named'),
    ...says('notMoved', 'expired'),
    ...says('moved', 'executed executedPriced'),
    ...says('returned', 'reversed'),
  },
  'float-card': {
    ...PAYING,
    ...says('nothing', 'toPay paid used over unsure notTaken'),
    ...says('received', 'done'),
    ...says('notReceived', 'refused refusedAt failed notSent notSentAt reversed'),
  },
  'merchant-payment': {
    ...BY_PIN,
    ...says('nothing', 'askMerchant toYourself byCode byCodeIn unnamed askAmount confirmNamed askPinNamed'),
    ...says('nothing', 'resume otherMoney notEnabled'),
    ...says('moved', 'doneNamed'),
  },
  'merchant-refund': {
    ...BY_PIN,
    ...says('nothing', 'reading list line lineOnly older newer none notRead notHere howMuch all part'),
    ...says('nothing', 'askAmount tooMuch resume notEnabled howMuchLeft rest lineBack givenBack'),
    ...says('nothing', 'byTransfer'),
  },
  // Of the payment that is asked for, before it is one: its reader may take it for another one of that amount.
  pay: {
    ...says(
      'nothing',
      'confirm cancel no again check previewing changed noSecond free notNow askNew newElsewhere',
    ),
    ...says(
      'nothing',
      'askUnusual askBoth goOn otherAmount unavailable atMost atMostUntil newLink newPin newThaw short shortOf shortAt seeLeft askLeft askCost aboveLimit newRecipient newMerchant',
    ),
    ...says('notMoved', 'noFloat pinLost'),
    ...says('open', 'alikeSince busy stillBusy checkingPin moreOpen double alike'),
    ...says('moved', 'debited receipt'),
    ...says('returned', 'debitUndone'),
  },
  payout: PAYING,
  'payout-transfer': PAYING,
  received: {
    ...says('moved', 'withdrawal withdrawalPriced'),
    ...says('received', 'from money payment paymentOnly refund several deposit'),
    ...says('notReceived', 'undone'),
  },
  'top-up': {
    ...BY_PIN,
    ...says(
      'nothing',
      'anotherOperator askNumber me recent openHistory chooseOperator operator sameOperator pass',
    ),
    ...says('nothing', 'askAmount chooseProduct classic product noCatalog history line noHistory created'),
    ...says('nothing', 'recentSaved'),
    ...says('nothing', 'open completed failedThen cancelledThen otherState resume notEnabled amountRefused'),
  },
  transfer: {
    ...BY_PIN,
    ...says('nothing', 'askRecipient merchant toYourself askAmount confirmNamed confirmOpenLoop'),
    ...says('nothing', 'askPinNamed askPinOpenLoop askPinOpenLoopNamed resume resumeAmount askAmountSaved'),
    ...says('moved', 'doneNamed'),
  },
  voucher: {
    ...BY_PIN,
    ...says(
      'nothing',
      'chooseArticleValid chooseBrand chooseBrandGift brand ofShop more noMatch chooseArticle article noArticles chooseFor',
    ),
    ...says('nothing', 'chooseForValid me gift askNumber askName notAName resume notEnabled unread'),
    ...says('nothing', 'validFor unpricedArticle askPinGift seeCode'),
    ...says('moved', 'doneWithoutCode code codeExpired'),
  },
} satisfies { readonly [Page in LocaleFile]?: Readonly<Record<NameIn<Page>, Claim>> } & {
  readonly [Page in FilesWith<'called'>]: unknown;
};

export const CLAIMS: ReadonlyMap<string, Claim> = new Map(
  Object.entries(SENTENCES).flatMap(([file, names]) => {
    const rows: Readonly<Record<string, Claim>> = ROWS[file as keyof typeof ROWS] ?? {};
    return names.map((name) => [`${file}.${name}`, rows[name] ?? 'nothing'] as const);
  }),
);

/** How the outcome of a payment comes: in this chat, in another chat, by SMS, or when its customer dials again. */
export type AnswerWay = 'here' | 'chat' | 'sms' | 'dial';

/** The sentences on a page that promise an outcome, with the way that they name. No other sentence of a page names one. */
export const PROMISES: ReadonlyMap<string, AnswerWay> = new Map<SentenceKey, AnswerWay>([
  ['ussd.outcomeBySms', 'sms'],
  ['ussd.outcomeInChat', 'chat'],
  ['ussd.outcomeAtDial', 'dial'],
]);

/** The claim of a sentence. Throws for a key that no sentence has, and for the key of a variant: `transfer.done_sms`. */
export function claimOf(key: string): Claim {
  const claim = CLAIMS.get(key);
  if (!claim) throw new Error(`no row in the table of claims: ${key}`);
  return claim;
}

/**
 * Sentences and labels that invite the customer to try again. While a payment of the wallet is open, they may only
 * stand under the sentence that names it: a second try would pay twice.
 */
export const INVITES_AGAIN: ReadonlySet<string> = new Set<SentenceKey>([
  'balance.unavailable',
  'help.tooMany',
  'menu.unavailable',
  'nav.slow',
  'onboarding.tooMany',
  'pay.again',
  'pin-reset.tooMany',
  'pin.tooMany',
  'profile.unavailable',
  'statement.unavailable',
]);

/**
 * Sentences for data that could not be read. They are true at that moment only. A customer who opens the chat again
 * begins at the menu, and can ask again there.
 */
export const NOT_READ: ReadonlySet<string> = new Set<SentenceKey>([
  'agent-day.unavailable',
  'agent-record.unavailable',
  'balance.unavailable',
  'beneficiaries.unavailable',
  'bill-payment.closed',
  'cards.unavailable',
  'menu.unavailable',
  'merchant-refund.notRead',
  'payouts.unavailable',
  'principal-agents.unavailable',
  'principal-float.unavailable',
  'profile.unavailable',
  'saved-cards.unavailable',
  'statement.unavailable',
  'takings.unavailable',
  'upgrade.unavailable',
  'voucher.unread',
]);

/**
 * Sentences for a moment at which nobody can know whether a payment is open (the store is down). "If you have just
 * paid, please don't pay again" is true in both cases.
 */
export const HOLDS_EITHER_WAY: ReadonlySet<string> = new Set<SentenceKey>([
  'nav.unavailable',
  'web.noNetwork',
  'web.unsent',
]);
