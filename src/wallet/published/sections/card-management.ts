import { data, type Section } from '../section.ts';

const PhoneNumber = '{{customer}}';
const ofCard = { params: { id: '{{card}}' }, query: { PhoneNumber } };

export const cardManagement: Section = {
  id: 'card-management',
  title: 'Card management (beta)',
  about:
    'A customer applies for a card of a programme; a validated application becomes a card: 1 issued, 2 activated, 3 blocked, 4 suspended, 5 expired, 6 cancelled. Programmes and applications are paged by `page` and `take`, cards by `pageNumber` and `pageSize`.',
  operations: {
    listCardPrograms: 'The card programmes there are.',
    createCardApplication: 'Applies for a card.',
    listCardApplications: 'All applications.',
    listCustomerCardApplications: 'The applications of a customer.',
    validateCardApplication: 'Accepts an application: the card is issued.',
    rejectCardApplication: 'Rejects an application, with a reason.',
    listCards: 'All cards.',
    readCard: 'One card.',
    activateCard: 'Activates an issued card.',
    blockCard: 'Blocks a card.',
    suspendCard: 'Suspends a card.',
    reactivateCard: 'Reactivates a suspended card.',
    cancelCard: 'Cancels a card, for good.',
    setCardServices: 'What a card may be used for.',
    listCardTransactions: 'What was paid with a card.',
  },
  walk: [
    { call: 'listCardPrograms', query: { take: 2 }, keeps: { program: data('collection', 0, 'id') } },
    {
      call: 'createCardApplication',
      query: { PhoneNumber, cardProgramId: '{{program}}' },
      keeps: { application: data('id') },
    },
    {
      call: 'rejectCardApplication',
      params: { id: '{{application}}' },
      body: { reason: 'The address is missing' },
    },
    {
      call: 'createCardApplication',
      title: 'Once more.',
      query: { PhoneNumber, cardProgramId: '{{program}}' },
      keeps: { application: data('id') },
    },
    {
      call: 'validateCardApplication',
      params: { id: '{{application}}' },
      keeps: { card: data('cardId') },
    },
    {
      call: 'validateCardApplication',
      title: 'It is decided already.',
      params: { id: '{{application}}' },
      refused: 422,
    },
    { call: 'listCardApplications', query: { status: 3, page: 1, take: 2 } },
    { call: 'listCustomerCardApplications', query: { phoneNumber: PhoneNumber, take: 2 } },
    { call: 'activateCard', ...ofCard },
    { call: 'readCard', params: ofCard.params },
    {
      call: 'setCardServices',
      ...ofCard,
      body: { allowAtm: true, allowOnline: false, allowPos: true, contactlessEnabled: true },
    },
    { call: 'suspendCard', ...ofCard, body: { Reason: 'Mislaid' } },
    { call: 'reactivateCard', ...ofCard },
    { call: 'listCardTransactions', params: { cardId: '{{card}}' }, query: { PhoneNumber, PageSize: 5 } },
    { call: 'blockCard', ...ofCard, body: { Reason: 'Stolen' } },
    { call: 'cancelCard', ...ofCard, body: { Reason: 'Stolen' } },
    { call: 'reactivateCard', title: 'A cancelled card stays so.', ...ofCard, refused: 422 },
    { call: 'listCards', query: { pageSize: 2, status: 6 } },
  ],
};
