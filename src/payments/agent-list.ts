import { STATUSES } from '../wallet/contract/fields.ts';
import type { Operation } from '../wallet/wallet.ts';
import { type Ended, type FindEnv, type Followed, OPERATIONS_PAGE_SIZE } from './payment.ts';

/** How many pages of the list one operation is looked for on. */
const PAGES_MAX = 20;
const ENDS: Readonly<Partial<Record<number, Ended>>> = {
  [STATUSES.COMPLETED]: 'succeeded',
  [STATUSES.FAILED]: 'failed',
  [STATUSES.CANCELED]: 'failed',
};

/**
 * Reads an agent's payment where no customer's list shows it: the status of its event, and the list of all operations.
 * @param on the side of the agent
 */
export function inAgentList(
  type: number,
  on: Operation['direction'],
): Required<Pick<Followed<{ readonly code: string }>, 'endByEvent' | 'read'>> {
  return {
    endByEvent: (_order, status) => ENDS[status],
    async read({ code }, id, { api, call }: Pick<FindEnv, 'api' | 'call'>) {
      for (let page = 1; page <= PAGES_MAX; page++) {
        const filter = { code, types: [type], page, pageSize: OPERATIONS_PAGE_SIZE };
        const answer = await api.agentOperations(filter, call);
        if (answer.kind !== 'ok') return answer;
        const found = answer.value.operations.find((each) => each.id === id);
        if (found) return { kind: 'ok', value: { ...found, direction: on } };
        if (answer.value.operations.length === 0 && !answer.value.leftOut) break;
      }
      return { kind: 'refused', code: 'http404', description: '' };
    },
  };
}
