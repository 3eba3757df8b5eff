import type { BackTo, CardDetails, CardPaymentRequest } from '../bank-cards.ts';
import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { fromDecimal, toDecimal } from '../money.ts';
import type { BankCardCalls, Execution } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, previewed } from './read.ts';

/** More cards than any customer saves. */
const CARDS_MAX = 50;

/** Partner API v2.3, "Card cash-in" and "Tokenized cards". */
export function bankCardCalls(send: Send): BankCardCalls {
  return {
    async previewCardCashIn({ wallet, amount }, call) {
      const request = { query: { PhoneNumber: wallet }, body: { Amount: toDecimal(amount) } };
      return previewed(amount, await send(API.previewCardCashIn, request, call));
    },
    async cashInByCard(order, call) {
      const { wallet, amount, card } = order;
      if ('id' in card) {
        const request = {
          params: { cardId: card.id },
          query: { PhoneNumber: wallet },
          body: { Cvv: card.cvv, Amount: toDecimal(amount) },
        };
        return mapped(await send(API.executeSavedCardCashIn, request, call), executed);
      }
      const request = { query: { phoneNumber: wallet }, body: cardBody(card, order) };
      return mapped(await send(API.executeCardCashIn, request, call), executed);
    },
    async savedCards(wallet, call) {
      const query = { PhoneNumber: wallet, PageSize: CARDS_MAX, PageNumber: 1 };
      return mapped(await send(API.listCustomerCards, { query }, call), ({ collection }) =>
        collection.map(({ customerBankCardId: id, maskedPan, scheme }) => ({
          id,
          last4: maskedPan.slice(-4),
          ...(scheme && { scheme }),
        })),
      );
    },
    async deleteSavedCard({ wallet, card }, call) {
      const request = { params: { cardId: card }, query: { phoneNumber: wallet } };
      return mapped(await send(API.deleteCustomerCard, request, call), () => true as const);
    },
  };
}

/** The body of every payment by a typed card, for any receiver. */
export function cardBody(
  card: CardDetails,
  {
    amount,
    reference,
    backTo,
  }: Pick<CardPaymentRequest, 'amount' | 'reference'> & { readonly backTo?: BackTo },
) {
  return {
    firstName: card.firstName,
    lastName: card.lastName,
    cvv: card.cvv,
    amount: toDecimal(amount),
    pan: card.pan,
    expiryDate: card.expiry,
    keepAlive: card.keep,
    '3dSecure': true,
    autoCapture: true,
    allowInternationalCards: false,
    externalReference: reference,
    ...(backTo && {
      acceptUrl: backTo.accepted,
      declineUrl: backTo.declined,
      notificationUrl: backTo.notified,
    }),
  };
}

/** Before 3D Secure there is no operation, and nothing is final. */
export function executed(result: Data<typeof API.executeCardCashIn>): Execution {
  const { operationId, redirect, redirectionURL, feesAmount } = result;
  const isAddress =
    URL.canParse(redirectionURL ?? '') && /^https?:$/.test(new URL(redirectionURL ?? '').protocol);
  return {
    ...(operationId && { operationId }),
    ...(typeof feesAmount === 'number' && { fees: fromDecimal(feesAmount) }),
    ...(redirect && redirectionURL && isAddress && { redirect: redirectionURL }),
  };
}
