import { z } from 'zod';

/** A place where v2.3 can be read in several ways. The sandbox takes the first value, unless it is set otherwise. */
export interface Reading<Value extends string = string> {
  /** Of docs/api-open-questions.md. */
  readonly question: number;
  readonly of: string;
  /** Each value, and how the sandbox then behaves. */
  readonly values: Readonly<Record<Value, string>>;
}

function reading<Value extends string>(
  question: number,
  of: string,
  values: Reading<Value>['values'],
): Reading<Value> {
  return { question, of, values };
}

/** Every reading that can be changed, so that a partner meets the other one before production does. */
export const READINGS = {
  unknownStatus: reading(1, 'The status of an unknown number', {
    zero: 'is 0',
    refused: 'is refused with 20005',
  }),
  wrongPin: reading(2, 'A wrong PIN', {
    refused: 'is refused with 26001',
    notLogged: 'succeeds with logged: false',
  }),
  resetCode: reading(4, 'confirm/resend-otp for a confirmed customer', {
    sent: 'sends a code to reset the PIN',
    refused: 'is refused with 20017',
  }),
  autoActivate: reading(5, 'autoActivate: true', {
    active: 'leads to status 3',
    confirmed: 'leads to status 2',
  }),
  executions: reading(6, 'The answer to an execution', {
    operation: 'is the operation',
    bare: 'names neither its id nor its status',
  }),
  transferEvent: reading(7, 'A transfer', { sent: 'has the event transfer.received', none: 'has no event' }),
  otherEvents: reading(8, 'Top-ups, vouchers, chargebacks, refunds and cash at an agent', {
    none: 'have no event',
    sent: 'have operation.completed, which v2.3 does not list',
  }),
  stateErrors: reading(9, 'A request that the state forbids', {
    unprocessable: 'is answered with 422',
    badRequest: 'is answered with 400',
  }),
  errorCodes: reading(9, 'An error code that v2.3 does not show', {
    own: 'is one of the sandbox, from 90000 on',
    other: 'is 77777, which no document explains',
  }),
  docTypes: reading(10, 'Documents of a type', { all: 'can be of 1 to 11', shown: 'can be of 1, 3 and 8' }),
  autoCapture: reading(11, 'A card payment without autoCapture', {
    captured: 'is captured',
    held: 'is authorised',
  }),
  customData: reading(13, 'CustomData of a card payment', {
    sent: 'is its externalReference',
    requestId: 'is its request id',
  }),
  payeeWithoutName: reading(14, 'A QR code, card payment or load that names nobody', {
    first: 'is for the first merchant or principal agent',
    refused: 'is refused with 10001',
  }),
  cardPreview: reading(15, 'The preview of a card payment', { mobile: 'has type 5', card: 'has type 24' }),
  beneficiaryId: reading(17, 'The id of a beneficiary', { short: 'is id', long: 'is beneficiaryId' }),
  agentFields: reading(18, 'The fields of agents in answers', {
    pascal: 'are written as v2.3 writes them',
    camel: 'begin with a small letter',
  }),
  billReferences: reading(19, 'A BILLREF-', {
    cashIn: 'is found by the lookup of cash-in',
    hidden: 'is found by no lookup',
  }),
  blockedCard: reading(20, 'A blocked card', {
    cancelled: 'can only be cancelled',
    reactivated: 'can be reactivated',
  }),
  billPreview: reading(21, 'The answer to bills/preview', {
    root: 'is at the root',
    enveloped: 'is in data',
  }),
  globalParams: reading(22, 'globalParams of a payment', {
    either: 'have valChamp or valeurChamp',
    shown: 'must have valChamp',
  }),
  waitingBill: reading(24, 'A bill that was found and not confirmed', {
    listed: 'is EN_ATTENTE',
    noContent: 'is no transaction: 204',
  }),
  webhookEnds: reading(25, 'A webhook is tried again', { only200: 'until a 200', any2xx: 'until any 2xx' }),
  voucherKeyword: reading(27, 'The keyword of vouchers', {
    all: 'is looked for in name, description and brand',
    name: 'is looked for in the name',
  }),
  expiredReference: reading(28, 'A reference that has expired', {
    failed: 'has status 3',
    cancelled: 'has status 4',
  }),
  topUpCatalog: reading(29, 'The catalog of top-ups', { full: 'has products', empty: 'is empty' }),
  topUpStatuses: reading(30, 'A top-up that waits', { created: 'has status 0', open: 'has status 1' }),
  webhookIds: reading(31, 'A webhook that is tried again', {
    same: 'keeps its WebhookId',
    new: 'has a new WebhookId',
  }),
  formatChamp: reading(33, 'formatChamp of a bill form', {
    told: 'tells form and options',
    empty: 'is empty',
  }),
  emptyLists: reading(35, 'An empty list that may be left out', {
    collection: 'is empty',
    noContent: 'is a 204',
  }),
  paidQr: reading(36, 'A dynamic QR code that was paid', {
    refused: 'is refused with 90029',
    again: 'can be paid again',
  }),
  documents: reading(37, 'An incomplete set of documents', {
    added: 'is added to',
    whole: 'is refused with 90133',
  }),
  levelEvent: reading(39, 'customer.level.updated', {
    zero: 'has type 0, status 2 and amount 0',
    bare: 'has neither of them',
  }),
  beneficiaries: reading(40, 'A BeneficiaryId', {
    checked: 'must be that of the paid number or RIB',
    free: 'is not compared',
  }),
  retailFloat: reading(41, 'A new retail agent', { given: 'has 20,000 DH', none: 'has no float' }),
  agentNull: reading(42, 'Null in a change of an agent', {
    kept: 'changes nothing',
    removed: 'removes the value',
  }),
  problemDetails: reading(43, 'Problem details', { coded: 'have an errorCode', plain: 'have no errorCode' }),
  closeLoopOnly: reading(45, 'A wallet of closeLoopOnly', {
    closed: 'cannot pay wallets of other providers',
    open: 'is like any other',
  }),
  merchantLevel: reading(46, 'The level of a new merchant', { one: 'is 1', four: 'is 4' }),
  internationalCards: reading(50, 'An international card without allowInternationalCards', {
    refused: 'is refused with 90202',
    accepted: 'is accepted',
  }),
  refusedCard: reading(51, 'A payment by a refused card', {
    code: 'is a 200 with its responseCode',
    refused: 'is refused with 90203',
  }),
  savedCards: reading(52, 'A saved card', {
    secured: 'goes through 3D Secure',
    charged: 'is charged at once',
  }),
  captureEvent: reading(53, 'The capture of a card payment', {
    none: 'has no event',
    sent: 'has payment.card.authorized again',
  }),
  expiredPage: reading(54, 'A 3D Secure page that expires', {
    notified: 'is told to notificationUrl',
    silent: 'is not told',
  }),
  cardPrice: reading(56, 'A card payment without feesPercent', {
    nothing: 'costs nothing',
    percent: 'costs 1 %, also in its preview',
  }),
  refundAmount: reading(57, 'refundAmount of a capture', {
    back: 'is what goes back to the card',
    captured: 'is what was captured',
  }),
  agentFloat: reading(60, 'Debits without float on the principal agent', {
    refused: 'are refused with 90100',
    accepted: 'are accepted',
  }),
  ribKey: reading(62, 'The key of a RIB', { checked: 'is checked', unchecked: 'is not checked' }),
  chargebacks: reading(64, 'A chargeback', { parts: 'can return a part', whole: 'returns the whole amount' }),
  cashOutFunds: reading(66, 'A request for cash-out above the balance', {
    checked: 'is refused with 90010',
    later: 'is accepted, and refused at the counter',
  }),
  counterEvents: reading(68, 'The event of cash paid in at a counter', {
    both: 'names the customer twice',
    primary: 'names nobody as secondary',
  }),
  includeDetails: reading(69, 'includeDetails', { more: 'adds fields', same: 'adds nothing' }),
  feesPercent: reading(71, 'FeesPercent of a reference', {
    added: 'is paid on top',
    taken: 'is taken from the amount',
  }),
  articlesWithoutBrand: reading(72, 'The articles of no brand', {
    all: 'are those of all brands',
    refused: 'are refused with 10001',
  }),
  emptyFields: reading(73, 'An optional field that is empty or null', {
    refused: 'is an error',
    ignored: 'is as if it was left out',
  }),
  cardSender: reading(77, 'The sender of a deposit by card', {
    masked: 'is the masked card',
    empty: 'is empty',
  }),
  repeatedBlock: reading(79, 'A card that is blocked again', {
    refused: 'is refused with 90304',
    accepted: 'is a success',
  }),
  cardsListed: reading(80, 'The list of cards', { own: 'has those of customerId', all: 'has all cards' }),
  walletType: reading(82, 'The type of a wallet', {
    hidden: 'is not in its profile',
    told: 'is in its profile',
  }),
  referenceRequest: reading(83, 'The event of a reference', {
    executor: 'has the request id of its execution',
    none: 'has an empty request id',
  }),
  undoneReference: reading(84, 'A reference whose execution was undone', {
    cancelled: 'has status 4',
    failed: 'has status 3',
  }),
  lastMoment: reading(89, 'The moment To', { included: 'is included', excluded: 'is excluded' }),
  feesBack: reading(91, 'The fees of a payment that is undone', { back: 'come back', kept: 'stay' }),
  bankReceiver: reading(92, 'The receiver of a bank transfer in lists', {
    rib: 'is the RIB',
    name: 'is the name',
  }),
  beneficiarySearch: reading(93, 'Search of beneficiaries', {
    all: 'reads all fields',
    name: 'reads the name',
  }),
  secondRegistration: reading(95, 'A second registration before the code', {
    refused: 'is refused with 20009',
    replaces: 'replaces the first one',
  }),
  paidReference: reading(111, 'A reference that is executed twice', {
    refused: 'is refused with 90122',
    repeated: 'answers as it did, and pays once',
  }),
  operationSearch: reading(112, 'search of all operations', {
    sides: 'reads sender and receiver, too',
    text: 'reads reference and reason',
  }),
  referenceForm: reading(114, 'A reference for cash', {
    digits: 'is 12 digits',
    letter: 'begins with a letter',
  }),
  agentOperations: reading(117, 'The operations of an agent alone', {
    listed: 'are in /api/operations/all',
    absent: 'are in no list',
  }),
  heldPayment: reading(120, 'A payment that is only authorised', {
    hidden: 'cannot be read by its merchant',
    shown: 'can be read by its merchant',
  }),
  refundOperation: reading(121, 'operationId in the answer to a refund', {
    refund: 'is the refund',
    payment: 'is the payment',
  }),
  sameDeposit: reading(125, 'The same deposit twice', {
    accepted: 'makes two references',
    refused: 'is refused with 90122',
  }),
  holderNames: reading(128, 'BeneficiaryName', {
    any: 'can have any letter',
    letters: 'can have letters and spaces',
  }),
  answerDates: reading(129, 'The Date header of answers', {
    wallet: 'is of the clock of operations',
    machine: 'is of another clock',
  }),
  reopenedId: reading(132, 'The id of a number that is opened again', {
    new: 'is another',
    same: 'is the same',
  }),
  topUpAmounts: reading(133, 'A top-up', {
    range: 'is of 5 to 1000 DH',
    listed: 'is of 10, 20, 50 or 100 DH',
  }),
  recipientName: reading(134, 'The preview of a transfer', {
    hidden: 'shows no name',
    told: 'shows the name of the recipient',
  }),
} as const;

type Named = typeof READINGS;
export type ReadingName = keyof Named;
export type Readings = { readonly [Name in ReadingName]: keyof Named[Name]['values'] };

const NAMES = Object.keys(READINGS) as ReadingName[];
const valuesOf = (name: ReadingName) => Object.keys(READINGS[name].values) as [string, ...string[]];

export const READINGS_DEFAULT = Object.fromEntries(
  NAMES.map((name) => [name, valuesOf(name)[0]]),
) as unknown as Readings;

/** How each is set. */
export const READING_SWITCHES = Object.fromEntries(
  NAMES.map((name) => [name, z.enum(valuesOf(name)).optional()]),
) as unknown as { readonly [Name in ReadingName]: z.ZodOptional<z.ZodType<Readings[Name], Readings[Name]>> };
