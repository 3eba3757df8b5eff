import { known, last, machine, type Remembered } from './kit/conversation.ts';

interface Keeping extends Remembered {
  payment: string;
}

/** The receipt of a payment as a file to keep, in a chat. */
export const receipt = machine<Keeping>({
  id: 'receipt',
  context: ({ input }) => ({ payment: known(input.filled?.payment) }),
  initial: 'shown',
  states: {
    shown: last(({ payment }) => ({ key: 'receipt.file', document: { kind: 'receipt', id: payment } })),
  },
});
