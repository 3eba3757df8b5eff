import type { LocaleFile, NameIn, SentenceKey } from './sentence-key.ts';

/**
 * What a sentence says of the customer's own money.
 * `nothing`: nothing at all. `notMoved`: a payment took nothing, or what it took has stayed or is given back. `open`: one
 * has been made, or is being made, and its outcome is not known yet. `moved`: one took its amount. `returned`: the amount
 * came back. `received`: money came in. `notReceived`: an amount that was to come in has not, or has gone again.
 */
export type Claim = 'nothing' | 'notMoved' | 'open' | 'moved' | 'returned' | 'received' | 'notReceived';

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Rows of the table: the sentences of one file that claim the same, by their names. */
function says<Page extends LocaleFile, const Names extends string>(
  file: Page,
  claim: Claim,
  names: Words<Names> extends NameIn<Page> ? Names : never,
): Record<`${Page}.${Words<Names> & string}`, Claim> {
  return Object.fromEntries(names.split(' ').map((name) => [`${file}.${name}`, claim])) as Record<
    `${Page}.${Words<Names> & string}`,
    Claim
  >;
}

/**
 * One row for every sentence in every language (a forgotten one does not compile). Only the paying tail, the outcomes of
 * intents and money received may say anything: they are proven by an intent, a webhook or an operation (docs/safety.md).
 * A variant claims what its sentence claims. The words of a list of operations (`statement`, histories) are the wallet's
 * own answer, read at that moment, and no claim of ours.
 */
export const CLAIMS = {
  ...says('account', 'nothing', 'choose profile pin-change pin-reset receive-payment language closing'),
  ...says('account', 'nothing', 'unlink'),
  ...says('amount', 'nothing', 'notAnAmount ambiguous tooPrecise zero tooLarge'),
  ...says('balance', 'nothing', 'askPin reading shown unavailable resume'),
  ...says('bill-payment', 'nothing', 'finding chooseCreditor found noMatch option history reading'),
  ...says('bill-payment', 'nothing', 'chooseReceivable ask askUnder askDate askDateUnder offer offerUnder'),
  ...says('bill-payment', 'nothing', 'fill skip emptyAnswer digitsOnly lettersOnly lettersAndDigitsOnly'),
  ...says('bill-payment', 'nothing', 'dateOnly tooShort tooLong askWhetherBack askWhetherMenu isAnswer'),
  ...says('bill-payment', 'nothing', 'toBack toMenu nothingToPay changeAnswers anotherCreditor review'),
  ...says('bill-payment', 'nothing', 'reviewFor fact item fixedItem fee stampFee mandatory payAll paySome'),
  ...says('bill-payment', 'nothing', 'select selectWith chosen notChosen paySelected chooseOne'),
  ...says('bill-payment', 'nothing', 'readingHistory noHistory listHistory payment undatedPayment older'),
  ...says('bill-payment', 'nothing', 'newer detail bareDetail factReceivable factDate factSettlement'),
  ...says('bill-payment', 'nothing', 'factReference backToHistory stateWaiting stateProcessing stateDone'),
  ...says('bill-payment', 'nothing', 'stateCancelled stateRefunded stateFailed stateUnknown resume'),
  ...says('bill-payment', 'nothing', 'confirm askPin closed notEnabled called'),
  ...says('bill-payment', 'notMoved', 'failed refused cancelled'),
  ...says('bill-payment', 'open', 'confirmUnconfirmed processing notConfirmed notFound human'),
  ...says('bill-payment', 'open', 'notConfirmedAt'),
  ...says('bill-payment', 'moved', 'confirmAgain done doneSettled doneStamped'),
  ...says('bill-payment', 'returned', 'reversed'),
  ...says('cash', 'nothing', 'choose card-cash-in saved-cards'),
  ...says('card-cash-in', 'nothing', 'called askAmount notEnabled confirm askPin chooseCard card'),
  ...says('card-cash-in', 'nothing', 'overLevel anotherCard askCard askCvv formSms lapsed goOn resume'),
  ...says('card-cash-in', 'notReceived', 'failed refused cancelled reversed'),
  ...says('card-cash-in', 'open', 'atBank confirmUnconfirmed processing notConfirmed notConfirmedAt'),
  ...says('card-cash-in', 'open', 'notFound human'),
  ...says('card-cash-in', 'received', 'confirmAgain done'),
  ...says('closing', 'nothing', 'askReason ending lostPhone other explain continue keep askPin confirm'),
  ...says('closing', 'nothing', 'close waiting closed kept lost notKnown resume'),
  ...says('consent', 'nothing', 'ask agree decline declined'),
  ...says('help', 'nothing', 'help continue adviser waiting asked'),
  ...says('language', 'nothing', 'choose fr ar en'),
  ...says('linking', 'nothing', 'askPhone waiting askCode resend codeFormat wrongCode tooMany'),
  ...says('linking', 'nothing', 'tooManyToday'),
  ...says('linking', 'nothing', 'noSms later codeSms linkedElsewhere codeExpired'),
  ...says('menu', 'nothing', 'choose balance transfer help checking lockedForNow locked top-up'),
  ...says('menu', 'nothing', 'cash bill-payment shopping statement account pin-reset unavailable'),
  ...says('merchant-payment', 'nothing', 'askMerchant toYourself byCode byCodeIn unnamed askAmount'),
  ...says('merchant-payment', 'nothing', 'confirm confirmNamed askPin askPinNamed resume otherMoney'),
  ...says('merchant-payment', 'nothing', 'notEnabled called'),
  ...says('merchant-payment', 'notMoved', 'failed refused cancelled'),
  ...says('merchant-payment', 'open', 'confirmUnconfirmed processing notConfirmed notFound human'),
  ...says('merchant-payment', 'open', 'notConfirmedAt'),
  ...says('merchant-payment', 'moved', 'confirmAgain done'),
  ...says('merchant-payment', 'returned', 'reversed'),
  ...says('mobile', 'nothing', 'notANumber'),
  ...says('nav', 'nothing', 'back menu more help stale chooseOne notUnderstood tooLong noQr photoLater'),
  ...says('nav', 'nothing', 'busy slow slowOnly down unavailable cardNumber expired cancelled tooManyOpen'),
  ...says('onboarding', 'nothing', 'askFirstName askLastName askCin notAName notACin review confirm'),
  ...says('onboarding', 'nothing', 'change waiting askCode resend codeFormat codeSent askNewPin repeatPin'),
  ...says('onboarding', 'nothing', 'tooMany'),
  ...says('onboarding', 'nothing', 'pinsDiffer opened refused interrupted resume'),
  // Of the payment that is being asked for, before it is one: no other can be meant by it.
  ...says('pay', 'nothing', 'confirm cancel again previewing changed noSecond unavailable notSent'),
  ...says('pay', 'nothing', 'free pinLost notNow'),
  ...says('pay', 'open', 'alikeSince busy checkingPin moreOpen double'),
  ...says('pin-change', 'nothing', 'askOldPin same changed unchanged notKnown resume'),
  ...says('pin-reset', 'nothing', 'explain send waiting sent maybeSent tooMany askCode resend codeFormat'),
  ...says('pin-reset', 'nothing', 'reset notKnown refused resume'),
  ...says('pin', 'nothing', 'format checking wrong wrongWithTries lastTry lost continue tooMany locked'),
  ...says('pin', 'nothing', 'askNew repeatNew differ lapsed refused unchecked'),
  ...says('problem', 'nothing', '10001 20000 20005 20006 20008 20009 20017 26001 26004 26005 90001 90002'),
  ...says('problem', 'nothing', '90003 90004 90005 90006 90007 90008 90009 90011 90012 90013 90014 90015'),
  ...says('problem', 'nothing', '90016 90017 90018 90020 90022 90023 90024 90025 90026 90027 90028 90029'),
  ...says('problem', 'nothing', '90200 90201 90202 90203 90204'),
  ...says('problem', 'nothing', 'http403 http404 bill104 bill107 bill109 expired unavailable'),
  ...says('problem', 'nothing', '90010 90019 90021 other'),
  ...says('profile', 'nothing', 'askPin reading shown shownOther noRib needsLevel2 needsLevel3'),
  ...says('profile', 'nothing', 'needsLevel4 highest unavailable resume'),
  ...says('receive-payment', 'nothing', 'choose withAmount withoutAmount askAmount preparing shown'),
  ...says('receive-payment', 'nothing', 'shownFor notMerchant notEnabled'),
  ...says('received', 'received', 'from money payment paymentOnly several'),
  ...says('resume', 'nothing', 'continue leave'),
  ...says('saved-cards', 'nothing', 'askPin reading choose card confirm delete keep deleting deleted'),
  ...says('saved-cards', 'nothing', 'none notKnown unavailable notEnabled resume'),
  ...says('shopping', 'nothing', 'choose merchant-payment voucher'),
  ...says('statement', 'nothing', 'askPin reading list none empty unavailable line lineNotDone older'),
  ...says('statement', 'nothing', 'newer filter chooseFilter all transfers bankTransfers topUps bills'),
  ...says('statement', 'nothing', 'vouchers deposits withdrawals payments refunds deposit withdrawal sent'),
  ...says('statement', 'nothing', 'received payment refund bankTransfer topUp voucher bill operation open'),
  ...says('statement', 'nothing', 'completed failed cancelled unknown backToList resume detail detailTo'),
  ...says('statement', 'nothing', 'detailFrom paymentReceived'),
  ...says('support', 'nothing', 'talking leave sent left message ended atMenu revealed'),
  ...says('telegram', 'nothing', 'openForm shareNumber moment previous cancel expired notShown edited'),
  ...says('telegram', 'nothing', 'photoTooLarge photoKind photoTooSlow photoNotNow privateOnly pinErased'),
  ...says('telegram', 'nothing', 'eraseIt erasedToBeSafe noReceipt ways copyReference copyRib copyVoucher'),
  ...says('telegram', 'nothing', 'typeAmount typePhone typeName typeNationalId typeCode typeSearch'),
  ...says('telegram', 'nothing', 'typeAnswer typePassword description about notRead'),
  ...says('top-up', 'nothing', 'askNumber me recent openHistory chooseOperator operator sameOperator'),
  ...says('top-up', 'nothing', 'askAmount chooseProduct classic product noCatalog history line noHistory'),
  ...says('top-up', 'nothing', 'created open completed failedThen cancelledThen otherState confirm askPin'),
  ...says('top-up', 'nothing', 'resume notEnabled called'),
  ...says('top-up', 'notMoved', 'failed refused cancelled'),
  ...says('top-up', 'open', 'confirmUnconfirmed processing notConfirmed notFound human'),
  ...says('top-up', 'open', 'notConfirmedAt'),
  ...says('top-up', 'moved', 'confirmAgain done'),
  ...says('top-up', 'returned', 'reversed'),
  ...says('transfer', 'nothing', 'askRecipient merchant toYourself askAmount confirm'),
  ...says('transfer', 'nothing', 'confirmNamed confirmOpenLoop askPin askPinNamed askPinOpenLoop'),
  ...says('transfer', 'nothing', 'resume called'),
  ...says('transfer', 'notMoved', 'failed refused cancelled'),
  ...says('transfer', 'open', 'processing notConfirmed confirmUnconfirmed notFound human'),
  ...says('transfer', 'open', 'notConfirmedAt'),
  ...says('transfer', 'moved', 'done confirmAgain'),
  ...says('transfer', 'returned', 'reversed'),
  ...says('unlink', 'nothing', 'confirm unlink keep unlinked'),
  ...says('unlocking', 'nothing', 'askPin unlocked resume'),
  ...says('ussd', 'nothing', 'foreignNumber'),
  ...says('voucher', 'nothing', 'chooseBrand brand more noMatch chooseArticle article noArticles'),
  ...says('voucher', 'nothing', 'chooseFor chooseForValid me gift askNumber askName notAName confirm'),
  ...says('voucher', 'nothing', 'askPin resume notEnabled unread called validFor'),
  ...says('voucher', 'notMoved', 'failed refused cancelled'),
  ...says('voucher', 'open', 'confirmUnconfirmed processing notConfirmed notFound human'),
  ...says('voucher', 'open', 'notConfirmedAt'),
  ...says('voucher', 'moved', 'confirmAgain done doneWithoutCode code codeExpired'),
  ...says('voucher', 'returned', 'reversed'),
  ...says('web', 'nothing', 'title tagline conversation language back menu help send typing you hidden'),
  ...says('web', 'nothing', 'receipt reveal offline unsent retry cookies writeChoice writeAmount'),
  ...says('web', 'nothing', 'writePhone writeName writeNationalId writePin writeNewPin writeOtp'),
  ...says('web', 'nothing', 'openForm goOn writeCard writeCvv'),
  ...says('web', 'nothing', 'writeSearch writeField writePassword writeNothing'),
} satisfies Record<SentenceKey, Claim>;

/** What a sentence claims. Throws for a key without a row, and for a variant's own: `transfer.done_sms`. */
export function claimOf(key: string): Claim {
  if (!Object.hasOwn(CLAIMS, key)) throw new Error(`no row in the table of claims: ${key}`);
  return CLAIMS[key as SentenceKey];
}

/**
 * Sentences and labels that invite to do it again. Where a payment of the wallet is open, they may only stand under the
 * sentence that names it: whoever tries again would pay twice.
 */
export const INVITES_AGAIN: ReadonlySet<string> = new Set<SentenceKey>([
  'balance.unavailable',
  'linking.tooMany',
  'linking.tooManyToday',
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
 * Sentences for a moment at which nobody can say whether a payment is open (the store is down): "if you have just paid,
 * please don't pay again" is true in both cases.
 */
export const HOLDS_EITHER_WAY: ReadonlySet<string> = new Set<SentenceKey>(['nav.unavailable', 'web.unsent']);
