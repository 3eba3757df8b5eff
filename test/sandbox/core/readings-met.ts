import { TEST_CARDS } from '../../../src/sandbox/cards/test-cards.ts';
import type { ReadingName } from '../../../src/sandbox/core/readings.ts';
import { MAGIC } from '../../../src/sandbox/faults/magic.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';
import type { ApiName } from '../../../src/wallet/contract/api.ts';
import { ask, order, SRM, search } from '../bills/bill-kit.ts';
import { AGENT, CAFE, card, held, paid } from '../cards/cards-kit.ts';
import {
  balanceOf,
  call,
  FATIMA,
  KHADIJA,
  lastOtp,
  NOBODY,
  NOON,
  newcomer,
  type Said,
  send,
  transfer,
  YOUSSEF,
} from '../kit.ts';
import { receiver } from '../receiver.ts';

/** How a partner meets a reading, and what its first and its other value come to. */
export type Met = readonly [(wallet: Sandbox) => Promise<unknown>, first: unknown, other: unknown];

export const HOUR_MS = 3_600_000;
const BANK = ribWith('011519', 50_005_000);
const SHOP = '+212655555555';
export const brief = ({ status, body }: Said) => `${status} ${body?.errorCode ?? ''}`.trim();
/** The answer to a call in short: its status, and its error code if it has one. */
const briefly = (name: ApiName, given: object) => async (w: Sandbox) =>
  brief(await call(w, name, { ...given }));
const data = async (w: Sandbox, name: ApiName, given: object = {}) =>
  (await call(w, name, { ...given })).body.data;
const amina = { firstName: 'Amina', lastName: 'Bennani', cin: 'AB12345', walletType: 'P' };

export async function registered(w: Sandbox, more: object = {}): Promise<void> {
  await call(w, 'registerCustomer', { phoneNumber: NOBODY, ...amina, ...more });
  const code = lastOtp(w, NOBODY);
  await call(w, 'confirmCustomer', { phoneNumber: NOBODY, code, autoActivate: true });
}

/** What happens, as webhooks tell it. */
export async function told(w: Sandbox, act: () => Promise<unknown>, status = 200) {
  const partner = await receiver(status);
  w.setWebhook(partner.url, 'k');
  await act();
  await w.clock.advance(5 * 60_000);
  return partner.received;
}
const topUp = (to: string) => ({ recipientPhoneNumber: to, amount: 20, operator: 1, rechargeType: 0 });
const own = (to: string) => ({ customerPhoneNumber: FATIMA, ...topUp(to) });

function upload(w: Sandbox, docType: number, more: object = {}): Promise<Said> {
  const body = new FormData();
  body.append('kycDocuments[0].docType', String(docType));
  body.append('kycDocuments[0].docFront', new File(['%PDF-1'], 'scan', { type: 'application/pdf' }));
  return send(w, 'uploadMerchantDocuments', { body, ...more });
}

async function saved(w: Sandbox): Promise<Said> {
  await paid(w, 10, { keepAlive: true });
  const [{ customerBankCardId: cardId }] = (await data(w, 'listCustomerCards', { PhoneNumber: CAFE }))
    .collection;
  return call(w, 'executeSavedCardPayment', { PhoneNumber: CAFE, cardId, Cvv: '731', Amount: 5 });
}

/** A captured payment of 80 DH: what the card lets the merchant have is 50. */
async function captured(w: Sandbox) {
  const { ids } = await held(w, 80);
  return data(w, 'captureCardPayment', { ...ids, Amount: 50 });
}

async function issued(w: Sandbox): Promise<object> {
  const { id } = await data(w, 'createCardApplication', { PhoneNumber: YOUSSEF, cardProgramId: 2 });
  const { cardId } = await data(w, 'validateCardApplication', { id });
  return { id: cardId, PhoneNumber: YOUSSEF, Reason: 'perdue' };
}

const deposit = async (w: Sandbox) =>
  (await data(w, 'requestCashIn', { PhoneNumber: FATIMA, Amount: 30 })).reference;
const billReference = (w: Sandbox, FeesPercent = 0) =>
  data(w, 'requestBillNetworkCashIn', { PhoneNumber: FATIMA, Amount: 100, FeesPercent });
const countOf = async (w: Sandbox, name: ApiName, given: object = {}) => (await data(w, name, given)).count;
const beneficiary = async (w: Sandbox, more: object = {}) => {
  const body = { name: 'Ma soeur', phoneNumber: KHADIJA, ...more };
  return (await send(w, 'createBeneficiary', { query: { phoneNumber: YOUSSEF }, body })).body.data;
};
const bank = (more: object) => ({
  CustomerPhoneNumber: FATIMA,
  Amount: 10,
  Rib: BANK,
  BeneficiaryName: 'Omar',
  Reason: 'Loyer',
  ...more,
});

/** The readings of everything but the customer's first steps. A row for each. */
export const MET_LATER = {
  otherEvents: [async (w) => (await told(w, () => call(w, 'executeTopUp', own(YOUSSEF)))).length, 0, 1],
  docTypes: [async (w) => brief(await upload(w, 5)), '200', '400 90133'],
  autoCapture: [
    async (w) => {
      const { operationId } = (await paid(w, 10)).body.data;
      return w.executions().find((each) => each.operationId === operationId)?.status;
    },
    2,
    1,
  ],
  customData: [
    async (w) => {
      const body = {
        query: { phoneNumber: CAFE },
        body: card(10, { '3dSecure': false, externalReference: 'mine' }),
      };
      const [event] = await told(w, () => send(w, 'executeCardPayment', body, { 'C-Request-Id': 'request' }));
      return event?.data.CustomData;
    },
    'mine',
    'request',
  ],
  payeeWithoutName: [
    async (w) => [
      brief(await call(w, 'readStaticQr')),
      brief(await call(w, 'executeCardPayment', card(10))),
      brief(await call(w, 'executeAgentCardCashIn', card(10))),
    ],
    ['200', '200', '200'],
    ['400 10001', '400 10001', '400 10001'],
  ],
  cardPreview: [
    async (w) => (await data(w, 'previewCardPayment', { PhoneNumber: CAFE, Amount: 5 })).type,
    5,
    24,
  ],
  beneficiaryId: [
    async (w) => {
      const made = await beneficiary(w);
      const { collection } = await data(w, 'listBeneficiaries', { PhoneNumber: YOUSSEF });
      return [Object.keys(made)[0], Object.keys(collection[0])[0]];
    },
    ['id', 'id'],
    ['beneficiaryId', 'beneficiaryId'],
  ],
  billReferences: [
    async (w) => brief(await call(w, 'readCashInRequest', { Reference: (await billReference(w)).reference })),
    '200',
    '400 90120',
  ],
  blockedCard: [
    async (w) => {
      const which = await issued(w);
      await call(w, 'blockCard', { ...which });
      return brief(await call(w, 'reactivateCard', { ...which }));
    },
    '422 90304',
    '200',
  ],
  billPreview: [
    async (w) => {
      const found = await search(w, SRM, '12345678');
      return Object.keys((await call(w, 'previewBill', order(SRM, '12345678', found))).body).includes('data');
    },
    false,
    true,
  ],
  globalParams: [
    async (w) => {
      const found = await search(w, SRM, '12345678');
      return brief(await call(w, 'previewBill', order(SRM, '12345678', found)));
    },
    '200',
    '400 90022',
  ],
  voucherKeyword: [
    async (w) => {
      const { collection } = await data(w, 'listVouchers', { phoneNumber: FATIMA });
      const keyword = collection.find(
        (each: { name: string; brandName: string }) => !each.name.includes(each.brandName),
      );
      return (await countOf(w, 'listVouchers', { phoneNumber: FATIMA, keyword: keyword.description })) > 0;
    },
    true,
    false,
  ],
  topUpCatalog: [async (w) => (await data(w, 'topUpCatalog', topUp(YOUSSEF))).length > 0, true, false],
  topUpStatuses: [
    async (w) => {
      await call(w, 'executeTopUp', own(MAGIC.topUpWaits));
      return (await data(w, 'listTopUps', { phoneNumber: FATIMA }))[0].status;
    },
    0,
    1,
  ],
  formatChamp: [
    async (w) => (await ask(w, 'readBillForm', SRM)).body.creancierParams[0].formatChamp,
    'N',
    '',
  ],
  documents: [
    async (w) => {
      w.addCustomer(newcomer(SHOP, 900, { walletType: 'C', level: 1 }));
      return brief(await upload(w, 5, { query: { phoneNumber: SHOP } }));
    },
    '200',
    '400 90133',
  ],
  levelEvent: [
    async (w) => {
      const events = await told(w, async () => {
        await call(w, 'startIdentification', { PhoneNumber: KHADIJA });
        await call(w, 'requestUpgrade', { PhoneNumber: KHADIJA, AccountLevel: 4 });
      });
      return events.map(({ data: { OperationType, Amount } }) => [OperationType, Amount]);
    },
    [[0, 0]],
    [[undefined, undefined]],
  ],
  beneficiaries: [
    async (w) => {
      const { id } = await beneficiary(w, { rib: BANK });
      const other = { CustomerPhoneNumber: YOUSSEF, BeneficiaryId: id };
      return [
        brief(await call(w, 'previewTransfer', { ...transfer(YOUSSEF, FATIMA, 1), BeneficiaryId: id })),
        brief(await call(w, 'previewBankTransfer', bank({ ...other, Rib: ribWith('011519', 7) }))),
      ];
    },
    ['400 90150', '400 90150'],
    ['200', '200'],
  ],
  retailFloat: [
    async (w) => {
      const who = { PhoneNumber: NOBODY, Name: 'Tabac', FirstName: 'Ali', LastName: 'Filali', Cin: 'AB1234' };
      const { code: Code } = await data(w, 'createRetailAgent', who);
      return brief(await call(w, 'executeAgentCashIn', { Code, Reference: await deposit(w) }));
    },
    '200',
    '400 90010',
  ],
  agentNull: [
    async (w) => {
      await call(w, 'updateRetailAgent', { code: 'RA-2001', Address: null });
      return (await data(w, 'readRetailAgent', { code: 'RA-2001' })).Address;
    },
    '12, rue des Orangers, Casablanca',
    null,
  ],
  problemDetails: [briefly('updateRetailAgent', { code: 'RA-9', Name: 'Tabac' }), '400 90140', '400'],
  merchantLevel: [
    async (w) => {
      await registered(w, { walletType: 'C' });
      return (await data(w, 'customerInfo', { phoneNumber: NOBODY })).accountLevel;
    },
    1,
    4,
  ],
  internationalCards: [
    async (w) => brief(await paid(w, 5, { pan: TEST_CARDS.international.pan })),
    '400 90202',
    '200',
  ],
  refusedCard: [async (w) => brief(await paid(w, 5, { pan: TEST_CARDS.declined.pan })), '200', '400 90203'],
  savedCards: [async (w) => (await saved(w)).body.data.redirect, true, false],
  captureEvent: [async (w) => (await told(w, () => captured(w))).length, 1, 2],
  expiredPage: [
    async (w) => {
      const partner = await receiver();
      await call(w, 'executeCardPayment', {
        phoneNumber: CAFE,
        ...card(5, { notificationUrl: partner.url }),
      });
      await w.clock.advance(HOUR_MS);
      return partner.received.length;
    },
    1,
    0,
  ],
  cardPrice: [
    async (w) => [
      (await data(w, 'previewCardPayment', { PhoneNumber: CAFE, Amount: 50 })).feesAmount,
      (await paid(w, 50)).body.data.feesAmount,
    ],
    [0, 0],
    [0.5, 0.5],
  ],
  refundAmount: [async (w) => (await captured(w)).refundAmount, 30, 50],
  ribKey: [briefly('previewBankTransfer', bank({ Rib: `${BANK.slice(0, -2)}99` })), '400 90102', '200'],
  chargebacks: [
    async (w) => {
      const { operationId } = await data(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 20));
      await w.clock.advance(HOUR_MS);
      const back = {
        SourcePhoneNumber: YOUSSEF,
        DestinationPhoneNumber: FATIMA,
        Description: 'Contestation',
      };
      return brief(
        await call(w, 'executeChargeback', { ...back, Amount: 5, OriginalOperationId: operationId }),
      );
    },
    '200',
    '422 90113',
  ],
  cashOutFunds: [
    async (w) => {
      const said = await call(w, 'requestCashOut', { PhoneNumber: FATIMA, Amount: 9_000 });
      const reference = said.body?.data?.reference ?? '';
      return [brief(said), brief(await call(w, 'executeNetworkCashOut', { reference }))];
    },
    ['400 90010', '400 10001'],
    ['200', '400 90010'],
  ],
  counterEvents: [
    async (w) => {
      const [event] = await told(w, async () =>
        call(w, 'executeNetworkCashIn', { reference: await deposit(w) }),
      );
      return event?.data.SecondaryAccountNumber;
    },
    FATIMA,
    null,
  ],
  includeDetails: [
    async (w) => {
      await call(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1));
      return 'reason' in (await data(w, 'listAllOperations', { includeDetails: true })).collection[0];
    },
    true,
    false,
  ],
  feesPercent: [async (w) => (await billReference(w, 2)).amount, 100, 98],
  emptyFields: [
    async (w) => {
      const body = { name: 'Ma soeur', phoneNumber: KHADIJA, email: '' };
      return brief(await send(w, 'createBeneficiary', { query: { phoneNumber: FATIMA }, body }));
    },
    '400 90001',
    '200',
  ],
  cardSender: [
    async (w) => {
      await call(w, 'executeCardCashIn', { phoneNumber: FATIMA, ...card(5, { '3dSecure': false }) });
      return (await data(w, 'listOperations', { PhoneNumber: FATIMA })).collection[0].sender;
    },
    '**** 4242',
    '',
  ],
  repeatedBlock: [
    async (w) => {
      const which = await issued(w);
      await call(w, 'blockCard', { ...which });
      return brief(await call(w, 'blockCard', { ...which }));
    },
    '422 90304',
    '200',
  ],
  cardsListed: [
    async (w) => {
      await issued(w);
      return countOf(w, 'listCards', {
        customerId: (await data(w, 'customerInfo', { phoneNumber: YOUSSEF })).id,
      });
    },
    1,
    2,
  ],
  walletType: [
    async (w) => (await data(w, 'customerInfo', { phoneNumber: CAFE })).walletType,
    undefined,
    'C',
  ],
  referenceRequest: [
    async (w) => {
      const reference = await deposit(w);
      const [event] = await told(w, () =>
        call(w, 'executeNetworkCashIn', { reference }, { 'C-Request-Id': 'till' }),
      );
      return event?.data.CRequestId;
    },
    'till',
    '',
  ],
  lastMoment: [
    async (w) => {
      await call(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1));
      return countOf(w, 'listOperations', { PhoneNumber: FATIMA, To: new Date(NOON).toISOString() });
    },
    1,
    0,
  ],
  feesBack: [
    async (w) => {
      await call(w, 'executeTransfer', transfer(FATIMA, MAGIC.failsLater, 200));
      await call(w, 'executeTransfer', transfer(FATIMA, MAGIC.reversal, 200));
      await w.clock.advance(HOUR_MS);
      return [await balanceOf(w, FATIMA), w.checkLedger().balanced];
    },
    [3500, true],
    [3492, true],
  ],
  bankReceiver: [async (w) => (await data(w, 'executeBankTransfer', bank({}))).receiver, BANK, 'Omar'],
  beneficiarySearch: [
    async (w) => {
      await beneficiary(w, { email: 'soeur@exemple.ma' });
      return countOf(w, 'listBeneficiaries', { PhoneNumber: YOUSSEF, Search: 'exemple.ma' });
    },
    1,
    0,
  ],
  secondRegistration: [
    async (w) => {
      await call(w, 'registerCustomer', { phoneNumber: NOBODY, ...amina });
      const said = await call(w, 'registerCustomer', { phoneNumber: NOBODY, ...amina, firstName: 'Hind' });
      return [brief(said), (await data(w, 'customerInfo', { phoneNumber: NOBODY })).firstName];
    },
    ['400 20009', 'Amina'],
    ['202', 'Hind'],
  ],
  paidReference: [
    async (w) => {
      const order = { Code: 'RA-2001', Reference: await deposit(w) };
      await call(w, 'executeAgentCashIn', order);
      return [brief(await call(w, 'executeAgentCashIn', order)), await balanceOf(w, FATIMA)];
    },
    ['422 90122', 3530],
    ['200', 3530],
  ],
  operationSearch: [
    async (w) => {
      await call(w, 'executeTransfer', transfer(FATIMA, YOUSSEF, 1));
      return countOf(w, 'listAllOperations', { search: YOUSSEF });
    },
    1,
    0,
  ],
  referenceForm: [async (w) => /^\d{12}$/.test(await deposit(w)), true, false],
  agentOperations: [
    async (w) => {
      await call(w, 'executeTopUpB2b', { code: AGENT, ...topUp(YOUSSEF) });
      return countOf(w, 'listAllOperations');
    },
    1,
    0,
  ],
  heldPayment: [
    async (w) => {
      const { operationId: id } = await held(w, 10);
      return brief(await call(w, 'readOperation', { PhoneNumber: CAFE, id }));
    },
    '400 90016',
    '200',
  ],
  refundOperation: [
    async (w) => {
      const { operationId } = (await paid(w, 10)).body.data;
      const refund = { PhoneNumber: CAFE, OperationId: operationId, RefundAmount: 5 };
      return (await data(w, 'refundCardPayment', refund)).operationId === operationId;
    },
    false,
    true,
  ],
  sameDeposit: [
    async (w) => {
      await deposit(w);
      return briefly('requestCashIn', { PhoneNumber: FATIMA, Amount: 30 })(w);
    },
    '200',
    '422 90122',
  ],
  holderNames: [briefly('previewBankTransfer', bank({ BeneficiaryName: 'O. Alami' })), '200', '400 90001'],
  reopenedId: [
    async (w) => {
      const idNow = async () => {
        await registered(w);
        return (await data(w, 'customerInfo', { phoneNumber: NOBODY })).id;
      };
      const before = await idNow();
      await call(w, 'unregisterCustomer', { PhoneNumber: NOBODY, Reason: 3 });
      return (await idNow()) === before;
    },
    false,
    true,
  ],
  topUpAmounts: [briefly('previewTopUp', { ...own(YOUSSEF), amount: 30 }), '200', '400 90015'],
  recipientName: [
    async (w) => (await data(w, 'previewTransfer', transfer(FATIMA, YOUSSEF, 1))).operation.recipientName,
    undefined,
    'Youssef Benali',
  ],
} as const satisfies Partial<Record<ReadingName, Met>>;
