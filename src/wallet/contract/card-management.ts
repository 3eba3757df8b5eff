import { z } from 'zod';
import { expiryDate } from './card-cash-in.ts';
import { endpoint } from './endpoint.ts';
import {
  dateTime,
  dateTimeOrNull,
  decimal,
  operationStatus,
  paged,
  pageNumber,
  pageSize,
  phone,
} from './fields.ts';
import { codes, ifAny, reads } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'cards:manage';

/** Partner API v2.3, "Card management (beta)": the four enumerations. */
export const CARD_TYPES = { PHYSICAL: 1, VIRTUAL: 2, DIGITAL: 3 } as const;
export const DELIVERY_STATUSES = {
  PENDING: 1,
  SENT_TO_PERSONALIZATION: 2,
  READY_FOR_DELIVERY: 3,
  DELIVERED: 4,
} as const;
export const CARD_STATUSES = {
  ISSUED: 1,
  ACTIVATED: 2,
  BLOCKED: 3,
  SUSPENDED: 4,
  EXPIRED: 5,
  CANCELLED: 6,
} as const;
export const APPLICATION_STATUSES = { PENDING: 1, VALIDATED: 2, REJECTED: 3 } as const;

/** Not shown in v2.3: the ways of paying that the services of a card allow. */
export const CARD_CHANNELS = { ATM: 'ATM', ONLINE: 'ONLINE', POS: 'POS' } as const;

const cardType = codes(CARD_TYPES);
const cardStatus = codes(CARD_STATUSES);
const deliveryStatus = codes(DELIVERY_STATUSES);
const applicationStatus = codes(APPLICATION_STATUSES);
export type CardType = z.output<typeof cardType>;
export type CardStatus = z.output<typeof cardStatus>;
export type DeliveryStatus = z.output<typeof deliveryStatus>;
export type ApplicationStatus = z.output<typeof applicationStatus>;

/** "The full field lists of program, application and card records are not shown": fields are open question 55. */
const program = z.object({
  id: z.int(),
  name: z.string(),
  cardType,
  isVirtual: z.boolean(),
  schemaId: z.int(),
  schema: z.string(),
  validityMonths: z.int(),
});
const application = z.object({
  id: z.int(),
  customerId: z.int(),
  phoneNumber: phone,
  cardProgramId: z.int(),
  status: applicationStatus,
  rejectionReason: ifAny(z.string().nullable()),
  createdAt: dateTime,
  decidedAt: dateTimeOrNull,
  /** The card that was issued when the application was validated. */
  cardId: ifAny(z.int().nullable()),
});
const services = z.object({
  allowAtm: z.boolean(),
  allowOnline: z.boolean(),
  allowPos: z.boolean(),
  contactlessEnabled: z.boolean(),
});
const issuedCard = z.object({
  id: z.int(),
  maskedPan: z.string(),
  expiryDate: reads(z.string(), expiryDate),
  customerId: z.int(),
  accountId: z.int(),
  phoneNumber: phone,
  cardProgramId: z.int(),
  cardType,
  isVirtual: z.boolean(),
  schemaId: z.int(),
  cardStatus,
  deliveryStatus,
  /** The reason given with the last block, suspension or cancellation. */
  reason: ifAny(z.string().nullable()),
  ...services.shape,
  createdAt: dateTime,
});
/** Not shown in v2.3 either. */
const cardTransaction = z.object({
  id: z.int(),
  cardId: z.int(),
  amount: decimal,
  merchant: z.string(),
  /** The service of the card that it used. */
  channel: codes(CARD_CHANNELS),
  transactionDate: dateTime,
  transactionStatus: reads(z.int(), operationStatus),
});

const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ collection: z.array(item), count: z.int().min(0) });
const applications = listOf(application);
const ofId = { params: z.object({ id: z.int() }) };
const ofCard = { ...ofId, query: z.object({ PhoneNumber: phone }), data: issuedCard };
const withReason = z.object({ Reason: z.string().max(200).optional() });

/** Partner API v2.3, "Card management (beta)". */
export const cardManagement = {
  listCardPrograms: endpoint('GET', '/api/cards/programs', scope, {
    query: z.object(paged),
    data: listOf(program),
  }),
  createCardApplication: endpoint('POST', '/api/cards/applications', scope, {
    query: z.object({ PhoneNumber: phone, cardProgramId: z.int() }),
    data: application,
  }),
  listCardApplications: endpoint('GET', '/api/cards/applications', scope, {
    query: z.object({ status: applicationStatus.optional(), ...paged }),
    data: applications,
  }),
  listCustomerCardApplications: endpoint('GET', '/api/cards/applications/customer', scope, {
    query: z.object({ phoneNumber: phone, ...paged }),
    data: applications,
  }),
  validateCardApplication: endpoint('PUT', '/api/cards/applications/{id}/validate', scope, {
    ...ofId,
    data: application,
  }),
  rejectCardApplication: endpoint('PUT', '/api/cards/applications/{id}/reject', scope, {
    ...ofId,
    body: z.object({ reason: z.string().max(200).optional() }),
    data: application,
  }),
  listCards: endpoint('GET', '/api/cards', scope, {
    query: z.object({
      pageNumber,
      pageSize,
      customerId: z.int().optional(),
      accountId: z.int().optional(),
      cardProgramId: z.int().optional(),
      status: cardStatus.optional(),
      isVirtual: z.boolean().optional(),
      schemaId: z.int().optional(),
      deliveryStatusId: deliveryStatus.optional(),
    }),
    data: listOf(issuedCard),
  }),
  readCard: endpoint('GET', '/api/cards/{id}', scope, { ...ofId, data: issuedCard }),
  activateCard: endpoint('PUT', '/api/cards/{id}/activate', scope, ofCard),
  blockCard: endpoint('PUT', '/api/cards/{id}/block', scope, { ...ofCard, body: withReason }),
  suspendCard: endpoint('PUT', '/api/cards/{id}/suspend', scope, { ...ofCard, body: withReason }),
  reactivateCard: endpoint('PUT', '/api/cards/{id}/reactivate', scope, ofCard),
  /** Final. */
  cancelCard: endpoint('PUT', '/api/cards/{id}/cancel', scope, { ...ofCard, body: withReason }),
  setCardServices: endpoint('PUT', '/api/cards/{id}/services', scope, {
    ...ofCard,
    body: services,
    data: z.boolean(),
  }),
  listCardTransactions: endpoint('GET', '/api/card-transactions/card/{cardId}', scope, {
    params: z.object({ cardId: z.int() }),
    query: z.object({
      PhoneNumber: phone,
      PageSize: pageSize,
      PageNumber: pageNumber,
      From: dateTime.optional(),
      To: dateTime.optional(),
    }),
    data: listOf(cardTransaction),
  }),
};
