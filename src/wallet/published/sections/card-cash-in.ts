import { card, confirms3ds, data, type Section } from '../section.ts';

const PhoneNumber = '{{customer}}';

export const cardCashIn: Section = {
  id: 'card-cash-in',
  title: 'Card cash-in',
  about:
    'Money comes from a bank card into a wallet. Where the answer says `redirect`, open `redirectionURL` in a browser: 3D Secure ends at `acceptUrl` or `declineUrl` with `RESPONSE_CODE` (0 is a success), `REASON_CODE` and `OPERATION`. `cashin.card.authorized` follows. With `keepAlive` the card is saved.',
  operations: {
    previewCardCashIn: 'What a cash-in by card would cost.',
    executeCardCashIn: 'Credits a customer’s wallet from a card.',
    executeSavedCardCashIn: 'Credits a customer’s wallet from a saved card.',
    previewAgentCardCashIn: 'What a cash-in by card would cost an agent.',
    executeAgentCardCashIn: 'Credits an agent’s wallet from a card.',
  },
  walk: [
    { call: 'previewCardCashIn', query: { PhoneNumber }, body: { Amount: 150 } },
    {
      call: 'executeCardCashIn',
      query: { phoneNumber: PhoneNumber },
      body: {
        ...card,
        amount: 150,
        keepAlive: true,
        cardName: 'My card',
        acceptUrl: 'https://shop.example/accepted',
        declineUrl: 'https://shop.example/declined',
        externalReference: 'ORDER-118',
      },
      keeps: { redirectionURL: data('redirectionURL') },
    },
    confirms3ds(),
    {
      call: 'executeCardCashIn',
      title: 'A card that its issuer declines.',
      query: { phoneNumber: PhoneNumber },
      body: { ...card, pan: '4000000000000002', amount: 150, '3dSecure': false },
      refused: 400,
    },
    {
      call: 'listCustomerCards',
      title: 'The card was saved.',
      query: { PhoneNumber },
      keeps: { savedCard: data('collection', 0, 'customerBankCardId') },
    },
    {
      call: 'executeSavedCardCashIn',
      params: { cardId: '{{savedCard}}' },
      query: { PhoneNumber },
      body: { Cvv: '123', Amount: 40 },
    },
    { call: 'previewAgentCardCashIn', query: { code: '{{agent}}' }, body: { Amount: 500 } },
    {
      call: 'executeAgentCardCashIn',
      query: { code: '{{agent}}' },
      body: { ...card, amount: 500, '3dSecure': false },
    },
  ],
};
