import { data, type Section } from '../section.ts';

const order = { PhoneNumber: '{{customer}}', Amount: 120 };

export const references: Section = {
  id: 'references',
  title: 'Reference-based cash-in / cash-out',
  about:
    'A customer asks for a reference and takes it to an agent or a network counter, which executes it. A reference works once and expires. In the sandbox the partner calls the network’s endpoints itself.',
  operations: {
    requestCashIn: 'A reference to pay cash into the wallet with.',
    requestCashOut: 'A reference to take cash out of the wallet with.',
    requestBillNetworkCashIn: 'A reference for the counters of the bill network: `BILLREF-…`.',
    readCashInRequest: 'A cash-in by its reference.',
    readCashOutRequest: 'A cash-out by its reference.',
    executeAgentCashIn: 'An agent takes the cash and credits the wallet.',
    executeAgentCashOut: 'An agent gives the cash and debits the wallet.',
    executeNetworkCashIn: 'A network’s counter takes the cash; `cashin.network.executed` follows.',
    executeNetworkCashOut: 'A network’s counter gives the cash; `cashout.network.executed` follows.',
  },
  walk: [
    { call: 'requestCashIn', body: order, keeps: { cashIn: data('reference') } },
    { call: 'readCashInRequest', query: { Reference: '{{cashIn}}' } },
    { call: 'executeAgentCashIn', body: { Code: '{{retailAgent}}', Reference: '{{cashIn}}' } },
    {
      call: 'executeAgentCashIn',
      title: 'A reference works once.',
      body: { Code: '{{retailAgent}}', Reference: '{{cashIn}}' },
      refused: 422,
    },
    { call: 'requestCashOut', body: order, keeps: { cashOut: data('reference') } },
    { call: 'executeAgentCashOut', body: { Code: '{{retailAgent}}', Reference: '{{cashOut}}' } },
    { call: 'readCashOutRequest', query: { Reference: '{{cashOut}}' } },
    {
      call: 'requestCashIn',
      title: 'For a network’s counter.',
      body: order,
      keeps: { cashIn: data('reference') },
    },
    {
      call: 'executeNetworkCashIn',
      query: { withContext: false },
      body: { reference: '{{cashIn}}', entity: 'Counter 12' },
    },
    {
      call: 'requestCashOut',
      title: 'For a network’s counter.',
      body: order,
      keeps: { cashOut: data('reference') },
    },
    { call: 'executeNetworkCashOut', body: { reference: '{{cashOut}}', entity: 'Counter 12' } },
    {
      call: 'requestBillNetworkCashIn',
      body: { ...order, Description: 'Cash-in' },
      keeps: { billReference: data('reference') },
    },
    { call: 'readCashInRequest', title: 'Of the bill network.', query: { Reference: '{{billReference}}' } },
  ],
};
