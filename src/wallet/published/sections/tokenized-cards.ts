import { card, data, type Section } from '../section.ts';

const PhoneNumber = '{{customer}}';
const ofAgent = { params: { cardId: '{{agentCard}}' }, query: { code: '{{agent}}' } };

export const tokenizedCards: Section = {
  id: 'tokenized-cards',
  title: 'Tokenized cards',
  about:
    'Cards that were saved by a payment with `keepAlive`: of customers and merchants by number, of agents by code.',
  operations: {
    listCustomerCards: 'The saved cards of a customer.',
    readCustomerCard: 'One saved card of a customer.',
    deleteCustomerCard: 'Forgets a saved card of a customer.',
    listAgentCards: 'The saved cards of an agent.',
    readAgentCard: 'One saved card of an agent.',
    renameAgentCard: 'Gives a saved card another label.',
    deleteAgentCard: 'Forgets a saved card of an agent, for good.',
  },
  walk: [
    {
      call: 'executeCardCashIn',
      title: 'A payment that saves the card.',
      query: { phoneNumber: PhoneNumber },
      body: { ...card, amount: 20, '3dSecure': false, keepAlive: true, cardName: 'Savings' },
    },
    {
      call: 'listCustomerCards',
      query: { PhoneNumber, PageSize: 5 },
      keeps: { savedCard: data('collection', 0, 'customerBankCardId') },
    },
    { call: 'readCustomerCard', params: { id: '{{savedCard}}' }, query: { PhoneNumber } },
    { call: 'deleteCustomerCard', params: { cardId: '{{savedCard}}' }, query: { phoneNumber: PhoneNumber } },
    {
      call: 'executeAgentCardCashIn',
      title: 'A payment of an agent that saves the card.',
      query: { code: '{{agent}}' },
      body: { ...card, amount: 20, '3dSecure': false, keepAlive: true, cardName: 'Counter' },
    },
    {
      call: 'listAgentCards',
      query: { code: '{{agent}}', pageSize: 5 },
      keeps: { agentCard: data('collection', 0, 'customerTokenizedCardId') },
    },
    { call: 'renameAgentCard', ...ofAgent, body: { cardName: 'Counter 12' } },
    { call: 'readAgentCard', ...ofAgent },
    { call: 'deleteAgentCard', ...ofAgent },
    { call: 'readAgentCard', title: 'It is gone.', ...ofAgent, refused: 400 },
  ],
};
