import { data, type Section } from '../section.ts';

const PhoneNumber = '{{customer}}';

export const operations: Section = {
  id: 'operations',
  title: 'Reading operations',
  about:
    'An operation is a business action: type, amount, fees, direction (1 credit, 2 debit) and status (1 open, 2 completed, 3 failed, 4 cancelled). Lists answer `collection`, one page, and `count`, all there are.',
  operations: {
    listOperations: 'The operations of a customer, newest first.',
    readOperation: 'One operation, as its customer sees it.',
    listAllOperations: 'The operations of all customers of the partner.',
  },
  walk: [
    {
      call: 'executeTransfer',
      title: 'An operation to read.',
      body: {
        CustomerPhoneNumber: PhoneNumber,
        Amount: 60,
        Reason: 'Lunch',
        RecipientPhoneNumber: '{{recipient}}',
      },
    },
    {
      call: 'listOperations',
      query: { PhoneNumber, PageSize: 2, OperationType: [3, 5], From: '2026-01-01T00:00:00Z' },
      keeps: { operation: data('collection', 0, 'operationId') },
    },
    { call: 'readOperation', params: { id: '{{operation}}' }, query: { PhoneNumber } },
    {
      call: 'readOperation',
      title: 'An operation of somebody else.',
      params: { id: 999999 },
      query: { PhoneNumber },
      refused: 400,
    },
    { call: 'listAllOperations', query: { pageSize: 2, operationStatus: [2], from: '2026-01-01T00:00:00Z' } },
  ],
};
