import { z } from 'zod';
import type { Answer } from '../answer.ts';
import { API } from '../contract/api.ts';
import {
  APPLICATION_STATUSES,
  CARD_STATUSES,
  CARD_TYPES,
  DELIVERY_STATUSES,
} from '../contract/card-management.ts';
import { refusalCode } from '../contract/errors.ts';
import { dateTime, STATUSES } from '../contract/fields.ts';
import type {
  ApplicationState,
  CardAction,
  CardApplication,
  CardKind,
  CardProgram,
  CardState,
  CardTransaction,
  DeliveryState,
  IssuedCard,
} from '../issued-cards.ts';
import { fromDecimal } from '../money.ts';
import { type Msisdn, readPhone } from '../phone.ts';
import { momentOf } from '../times.ts';
import type { Call, IssuedCardCalls } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, UNREADABLE, words, yes } from './read.ts';
import { readingOf } from './tolerant.ts';

/** No customer has more programmes to choose from, applications or cards than fit on one page of this size. */
const LIST_SIZE = 50;

/**
 * "The full field lists of program, application and card records are not shown" (open question 55): they are read
 * tolerantly. One record that cannot be read hides no other, least of all a lost card that is to be suspended.
 */
const records = z.object({ collection: z.array(z.unknown()) });
const INFO = readingOf(API.customerInfo, 'id');
const TOLERANT = {
  listCardPrograms: { ...API.listCardPrograms, data: records },
  listCustomerCardApplications: { ...API.listCustomerCardApplications, data: records },
  createCardApplication: { ...API.createCardApplication, data: z.unknown() },
  listCards: { ...API.listCards, data: records },
  readCard: { ...API.readCard, data: z.unknown() },
  listCardTransactions: { ...API.listCardTransactions, data: records },
} as const;
const CHANGES = {
  activate: { ...API.activateCard, data: z.unknown() },
  block: { ...API.blockCard, data: z.unknown() },
  suspend: { ...API.suspendCard, data: z.unknown() },
  reactivate: { ...API.reactivateCard, data: z.unknown() },
  cancel: { ...API.cancelCard, data: z.unknown() },
} as const;
/** The calls that take a reason. */
const WITH_REASON: readonly CardAction[] = ['block', 'suspend', 'cancel'];

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);
const flag = z.boolean().nullish().catch(undefined);
const program = z.object({ id: z.int(), name: text, cardType: number });
const application = z.object({ id: z.int(), cardProgramId: number, status: number, rejectionReason: text });
const card = z.object({
  id: z.int(),
  maskedPan: text,
  customerId: number,
  phoneNumber: text,
  cardProgramId: number,
  cardType: number,
  cardStatus: number,
  deliveryStatus: number,
  allowAtm: flag,
  allowOnline: flag,
  allowPos: flag,
  contactlessEnabled: flag,
});
const allServices = z.object({
  allowAtm: z.boolean(),
  allowOnline: z.boolean(),
  allowPos: z.boolean(),
  contactlessEnabled: z.boolean(),
});
const transaction = z.object({
  amount: z.number(),
  transactionDate: dateTime,
  merchant: text,
  transactionStatus: number,
});

const KINDS: Readonly<Record<number, CardKind>> = {
  [CARD_TYPES.PHYSICAL]: 'physical',
  [CARD_TYPES.VIRTUAL]: 'virtual',
  [CARD_TYPES.DIGITAL]: 'digital',
};
const APPLICATIONS: Readonly<Record<number, ApplicationState>> = {
  [APPLICATION_STATUSES.PENDING]: 'pending',
  [APPLICATION_STATUSES.VALIDATED]: 'accepted',
  [APPLICATION_STATUSES.REJECTED]: 'rejected',
};
const STATES: Readonly<Record<number, CardState>> = {
  [CARD_STATUSES.ISSUED]: 'issued',
  [CARD_STATUSES.ACTIVATED]: 'active',
  [CARD_STATUSES.BLOCKED]: 'blocked',
  [CARD_STATUSES.SUSPENDED]: 'suspended',
  [CARD_STATUSES.EXPIRED]: 'expired',
  [CARD_STATUSES.CANCELLED]: 'cancelled',
};
const DELIVERIES: Readonly<Record<number, DeliveryState>> = {
  [DELIVERY_STATUSES.PENDING]: 'preparing',
  [DELIVERY_STATUSES.SENT_TO_PERSONALIZATION]: 'producing',
  [DELIVERY_STATUSES.READY_FOR_DELIVERY]: 'ready',
  [DELIVERY_STATUSES.DELIVERED]: 'delivered',
};

/** Partner API v2.3, "Card management (beta)": the calls of the customer. The calls of the issuer are not here. */
export function issuedCardCalls(send: Send): IssuedCardCalls {
  return {
    async cardPrograms(call) {
      const query = { page: 1, take: LIST_SIZE };
      const answer = await send(TOLERANT.listCardPrograms, { query }, call);
      return mapped(answer, ({ collection }) => readable(program, collection).map(toProgram));
    },
    async cardApplications(phone, call) {
      const query = { phoneNumber: phone, page: 1, take: LIST_SIZE };
      const answer = await send(TOLERANT.listCustomerCardApplications, { query }, call);
      return mapped(answer, ({ collection }) => readable(application, collection).map(toApplication));
    },
    async applyForCard({ phone, programId }, call) {
      const query = { PhoneNumber: phone, cardProgramId: programId };
      const answer = await send(TOLERANT.createCardApplication, { query }, call);
      if (answer.kind !== 'ok') return answer;
      const read = application.safeParse(answer.value);
      return read.success ? { kind: 'ok', value: toApplication(read.data) } : UNREADABLE;
    },
    issuedCards: (phone, call) => listOwn(send, phone, call),
    issuedCard: (phone, id, call) => readOwn(send, phone, id, call),
    async changeCard({ phone, id, action, reason }, call) {
      const query = { PhoneNumber: phone };
      const body = WITH_REASON.includes(action)
        ? { body: reason === undefined ? {} : { Reason: reason } }
        : {};
      return yes(await send(CHANGES[action], { params: { id }, query, ...body }, call));
    },
    async setCardServices({ phone, id, services }, call) {
      const query = { PhoneNumber: phone };
      const answer = await send(API.setCardServices, { params: { id }, query, body: services }, call);
      // "Returns true/false": the meaning of a success that says false is not shown, so the card is read again.
      return answer.kind === 'ok' && !answer.value ? UNREADABLE : yes(answer);
    },
    async cardTransactions(phone, id, { page, pageSize } = {}, call) {
      const query = { PhoneNumber: phone, PageNumber: page, PageSize: pageSize };
      const answer = await send(TOLERANT.listCardTransactions, { params: { cardId: id }, query }, call);
      return mapped(answer, ({ collection }) => readable(transaction, collection).map(toTransaction));
    },
  };
}

/** Without `customerId` the list is the partner's: it is never asked for, and each record must be this customer's. */
async function listOwn(send: Send, phone: Msisdn, call?: Call): Promise<Answer<readonly IssuedCard[]>> {
  const customerId = await customerIdOf(send, phone, call);
  if (customerId.kind !== 'ok') return customerId;
  const query = { customerId: customerId.value, pageNumber: 1, pageSize: LIST_SIZE };
  const answer = await send(TOLERANT.listCards, { query }, call);
  return mapped(answer, ({ collection }) =>
    readable(card, collection)
      .filter((each) => isOf(each, customerId.value, phone))
      .map(toCard),
  );
}

/** One card. The call names no customer: another's is refused as the wallet refuses it elsewhere. */
async function readOwn(send: Send, phone: Msisdn, id: number, call?: Call): Promise<Answer<IssuedCard>> {
  const [customerId, answer] = await Promise.all([
    customerIdOf(send, phone, call),
    send(TOLERANT.readCard, { params: { id } }, call),
  ]);
  if (customerId.kind !== 'ok') return customerId;
  if (answer.kind !== 'ok') return answer;
  const read = card.safeParse(answer.value);
  if (!read.success) return UNREADABLE;
  if (!isOf(read.data, customerId.value, phone))
    return { kind: 'refused', code: refusalCode('issuedCardUnknown'), description: '' };
  return { kind: 'ok', value: toCard(read.data) };
}

/** The `id` of the profile, which v2.3 shows and a wallet may leave out: without it no card can be told to be theirs. */
async function customerIdOf(send: Send, phone: Msisdn, call?: Call): Promise<Answer<number>> {
  const info = await send(INFO, { query: { phoneNumber: phone } }, call);
  if (info.kind !== 'ok') return info;
  const { id } = info.value;
  return typeof id === 'number' ? { kind: 'ok', value: id } : UNREADABLE;
}

/** True where a record says itself that it is this customer's, and nothing in it says otherwise. */
function isOf({ customerId, phoneNumber }: z.output<typeof card>, customer: number, phone: Msisdn): boolean {
  const says = [
    ...(typeof customerId === 'number' ? [customerId === customer] : []),
    ...(typeof phoneNumber === 'string' ? [readPhone(phoneNumber) === phone] : []),
  ];
  return says.length > 0 && says.every(Boolean);
}

/** The records of a list that can be read. */
function readable<T>(record: z.ZodType<T>, collection: readonly unknown[]): T[] {
  return collection.flatMap((each) => {
    const read = record.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

function toProgram({ id, name, cardType }: z.output<typeof program>): CardProgram {
  return { id, ...words('name', name), ...known('kind', KINDS, cardType) };
}

function toApplication(said: z.output<typeof application>): CardApplication {
  const { id, cardProgramId, status, rejectionReason } = said;
  return {
    id,
    ...(typeof cardProgramId === 'number' && { programId: cardProgramId }),
    state: APPLICATIONS[status ?? 0] ?? 'unknown',
    ...words('reason', rejectionReason),
  };
}

function toCard(said: z.output<typeof card>): IssuedCard {
  const { id, maskedPan, cardProgramId, cardType, cardStatus, deliveryStatus } = said;
  const last4 = /\d{4}$/.exec(maskedPan?.trim() ?? '')?.[0];
  const services = allServices.safeParse(said);
  return {
    id,
    state: STATES[cardStatus ?? 0] ?? 'unknown',
    ...(last4 !== undefined && { last4 }),
    ...(typeof cardProgramId === 'number' && { programId: cardProgramId }),
    // Nobody makes or hands over a card without plastic.
    ...(cardType === CARD_TYPES.PHYSICAL && known('delivery', DELIVERIES, deliveryStatus)),
    ...(services.success && { services: services.data }),
  };
}

function toTransaction(said: z.output<typeof transaction>): CardTransaction {
  return {
    amount: fromDecimal(said.amount),
    at: momentOf(said.transactionDate),
    ...words('merchant', said.merchant),
    declined: said.transactionStatus === STATUSES.FAILED || said.transactionStatus === STATUSES.CANCELED,
  };
}

/** A field by the document's name for its number. Nothing for a number that it does not show. */
function known<N extends string, T>(
  name: N,
  names: Readonly<Record<number, T>>,
  said: number | null | undefined,
): { [K in N]?: T } {
  const value = names[said ?? 0];
  return (value === undefined ? {} : { [name]: value }) as { [K in N]?: T };
}
