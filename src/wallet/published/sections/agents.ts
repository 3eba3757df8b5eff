import { data, type Section } from '../section.ts';

const params = { code: '{{newAgent}}' };

export const agents: Section = {
  id: 'agents',
  title: 'Agents',
  about:
    'Retail agents load and unload wallets at their counters. The principal agent is the partner itself: its float pays for debit operations.',
  operations: {
    listRetailAgents: 'The retail agents of a principal agent.',
    readRetailAgent: 'One retail agent.',
    createRetailAgent: 'Adds a retail agent.',
    updateRetailAgent:
      'Changes a retail agent; what is left out or null stays. Errors 400 and 401 are problem details.',
    readPrincipalAgent: 'A principal agent and its account.',
  },
  walk: [
    {
      call: 'createRetailAgent',
      body: {
        PhoneNumber: '+212661000077',
        Name: 'Hanout Centre',
        FirstName: 'Said',
        LastName: 'Mansouri',
        Cin: 'CD45678',
        Address: '12, rue des Orangers, Fès',
      },
      keeps: { newAgent: data('code') },
    },
    { call: 'updateRetailAgent', params, body: { Name: 'Hanout du Centre', Email: 'said@mail.example' } },
    {
      call: 'updateRetailAgent',
      title: 'An address that is none.',
      params,
      body: { Email: 'said' },
      refused: 400,
    },
    { call: 'readRetailAgent', params },
    { call: 'listRetailAgents', query: { Code: '{{agent}}', PageSize: 2 } },
    { call: 'readPrincipalAgent', params: { code: '{{agent}}' } },
  ],
};
