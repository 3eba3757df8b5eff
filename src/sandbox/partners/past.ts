import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Core, Request, Tenant } from '../core/core.ts';
import { isRefusal } from '../core/refusal.ts';
import { findCustomer } from '../customers/customer.ts';
import { handle } from '../handlers.ts';
import { PROVIDER_ID } from '../vouchers/catalog.ts';
import { SEEDED } from './seed.ts';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

type Call = 'executeTransfer' | 'executeTopUp' | 'listUnpaid' | 'executeBill' | 'executeVoucher';
type RequestOf<N extends Call> = Partial<Pick<Request<Api[N]>, 'query' | 'body'>>;
/** Calls an operation as a partner would. */
type Ask = <N extends Call>(name: N, request: RequestOf<N>) => z.input<Api[N]['data']>;
type PastCall = (ask: Ask) => void;

const [FATIMA = '', YOUSSEF = '', KHADIJA = ''] = SEEDED.map(({ phone }) => phone);
/** Invented, like the customers: wallets of another provider. */
const MOTHER = '+212600000021';
const BROTHER = '+212600000022';
/** A creditor whose bills are paid by contract numbers alone. */
const UTILITY = { creancierId: '1001', creanceId: '01' };

function transfer(from: string, to: string, dirhams: number, reason: string): PastCall {
  const body = { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: dirhams, Reason: reason };
  return (ask) => ask('executeTransfer', { body });
}

function topUp(
  from: string,
  to: string,
  amount: number,
  operator: 1 | 2 | 3,
  productCode?: number,
): PastCall {
  const order = { customerPhoneNumber: from, recipientPhoneNumber: to, amount, operator };
  return (ask) => ask('executeTopUp', { body: { ...order, rechargeType: productCode ? 1 : 0, productCode } });
}

function voucher(from: string, to: string, beneficiaryName: string, providerSkuId: string): PastCall {
  const whose = { customerPhoneNumber: from, destinationPhoneNumber: to, beneficiaryName };
  return (ask) => ask('executeVoucher', { body: { ...whose, providerSkuId, providerId: PROVIDER_ID } });
}

/** Pays all bills of a contract that were due then. */
function bills(phoneNumber: string, valChamp: string): PastCall {
  const creancierVals = [{ nomChamp: 'numContrat', valChamp }];
  return (ask) => {
    const unpaid = ask('listUnpaid', { query: { phoneNumber, ...UTILITY }, body: { creancierVals } });
    const { refTxNetwork, globalParams, impayesParams } = unpaid as z.output<Api['listUnpaid']['data']>;
    ask('executeBill', {
      query: { phoneNumber },
      body: {
        ...UTILITY,
        refTxNetwork: refTxNetwork ?? '',
        totalPayment: true,
        listeArticleSelectionnes: impayesParams ?? [],
        creancierVals,
        globalParams: globalParams ?? [],
      },
    });
  };
}

/** How many days ago, at what time, who did what. Oldest first. */
const PAST_CALLS: readonly (readonly [daysAgo: number, time: string, call: PastCall])[] = [
  [41, '09:12', transfer(FATIMA, MOTHER, 400, 'Famille')],
  [38, '18:40', topUp(KHADIJA, KHADIJA, 100, 3)],
  [33, '12:05', topUp(FATIMA, FATIMA, 50, 1, 1114)],
  [30, '20:31', transfer(YOUSSEF, KHADIJA, 120, 'Dîner')],
  [27, '10:47', voucher(FATIMA, FATIMA, 'Fatima Zahra', 'SOUK-100')],
  [24, '16:02', transfer(KHADIJA, FATIMA, 300, 'Remboursement')],
  [21, '08:55', topUp(YOUSSEF, YOUSSEF, 20, 2)],
  [19, '15:18', bills(FATIMA, '20457813')],
  [16, '13:20', topUp(FATIMA, MOTHER, 20, 1)],
  [12, '19:08', voucher(KHADIJA, FATIMA, 'Fatima Zahra', 'LIVRE-200')],
  [9, '11:33', transfer(FATIMA, YOUSSEF, 150, 'Courses')],
  [7, '10:09', bills(KHADIJA, '20981146')],
  [6, '17:26', topUp(KHADIJA, BROTHER, 30, 3, 3107)],
  [4, '21:14', voucher(YOUSSEF, BROTHER, 'Anas', 'JEU-50')],
  [3, '09:48', transfer(YOUSSEF, FATIMA, 80, 'Taxi')],
  [1, '14:37', topUp(FATIMA, BROTHER, 10, 3, 3103)],
];

/**
 * Gives the first customers a past, so that a newcomer finds a statement and recent numbers. Each deed is a call of the
 * Partner API with the clock turned back. There are no webhooks, because a new partner has no address for them yet. The
 * costs of the deeds are paid in again, so that everyone has the balance of the seed.
 */
export function giveAPast(core: Core, tenant: Tenant): void {
  const now = core.clock.now();
  for (const [daysAgo, time, call] of PAST_CALLS) {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const at = now - (now % DAY_MS) - daysAgo * DAY_MS + (hours * 60 + minutes) * MINUTE_MS;
    const then = {
      ...core,
      clock: { ...core.clock, now: () => at },
      settings: { ...core.settings, settleAfterMs: 0 },
    };
    call((name, request) => ask(then, tenant, name, request));
  }
  for (const { phone, balance } of SEEDED) payInAgain(core, tenant, phone, balance);
}

/** Calls an operation. Throws where it is refused, for then the past cannot have been so. */
function ask<N extends Call>(core: Core, tenant: Tenant, name: N, request: RequestOf<N>) {
  const blank = { tenant, requestId: '', struck: {}, origin: '', params: {}, query: {}, body: {} };
  const answer = handle(core, name, { ...blank, ...request } as unknown as Request<Api[N]>);
  if (isRefusal(answer)) throw new Error(`the past cannot be: ${name} is refused, ${answer.refused}`);
  return answer as z.input<Api[N]['data']>;
}

function payInAgain(core: Core, tenant: Tenant, phone: string, balance: Centimes): void {
  const customer = findCustomer(core, tenant, phone);
  if (customer) core.ledger.bring(tenant.id, core.clock.now(), customer.account, balance);
}
