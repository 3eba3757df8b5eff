import { live, type Scene } from './crash-history.ts';
import { type Points, playPoints } from './crash-suite.ts';
import { inTurn } from './turn.ts';

/** A death after a read and before any write leaves the same store as a death before the read. Those take turns. */
const afterRead = (moment: string, again = '') => inTurn(`transfer ${again}`, moment);

/** At least 40 moments of a transfer. The other kinds of payment share its later part (crash-kinds.test.ts). */
const POINTS: readonly Points<Scene>[] = [
  {
    scene: { called: 'before the claim: the payment is made once, by the next process' },
    made: 1,
    points: [
      'after commit of transfer.askingAmount',
      'after previewTransfer',
      'after commit of transfer.askingPin',
      'before commit of claim login',
      'after commit of claim login',
      'login arrives',
      'login is executed',
      'after login',
      ...afterRead('after operations #2'),
      'before commit of claim pay',
      ['after login', 'after login'],
    ],
  },
  {
    scene: { called: 'after the claim, before the wallet has it: never sent again' },
    made: 0,
    points: [
      'after commit of claim pay',
      'before transfer',
      'transfer arrives',
      ['after commit of claim pay', 'before commit of intent not-found'],
      ['transfer arrives', 'after commit of intent not-found'],
    ],
  },
  {
    scene: { called: 'after the wallet has it: made once, and known' },
    made: 1,
    points: [
      'transfer arrives late',
      'transfer is executed',
      'after transfer',
      'before commit of transfer.processing',
      'after commit of transfer.processing',
      'before operation',
      ...afterRead('after operation'),
      'before commit of intent succeeded',
      'after commit of intent succeeded',
      'before delivery of transfer.done',
      'after delivery of transfer.done',
      'after commit of transfer.settled told',
      'before operation #2',
      'after operation #2',
      ['transfer arrives late', 'before commit of intent succeeded'],
      ['before operation', 'after operation #2'],
      ['after transfer', 'after commit of intent succeeded'],
      ['after commit of intent succeeded', 'after delivery of transfer.done'],
    ],
  },
  {
    scene: {
      called: 'the answer is lost and no webhook comes: found in the list',
      wire: 'loses answers',
      webhooks: false,
    },
    made: 1,
    points: [
      'before commit of transfer.notConfirmed',
      'after commit of transfer.notConfirmed',
      'after lease of intent',
      'before operations #3',
      ...afterRead('after operations #3'),
      'before commit of intent accepted',
      'after commit of intent accepted',
      'before operation',
      ...afterRead('after operation', 'again'),
      'before commit of intent succeeded',
      'after commit of intent succeeded',
      ['before commit of intent accepted', 'after commit of intent accepted'],
    ],
  },
  {
    scene: { called: 'the request is lost: watched until the horizon', wire: 'loses requests' },
    made: 0,
    points: [
      'after transfer',
      'after commit of transfer.notConfirmed',
      'after commit of intent unknown',
      'before commit of intent not-found',
      'after commit of intent not-found',
      'after delivery of transfer.notFound',
    ],
  },
  {
    scene: { called: 'the webhook is faster than the answer', wire: 'brings the webhook first' },
    made: 1,
    points: [
      'transfer is executed and told',
      'before operation',
      'after transfer',
      'after commit of intent succeeded',
    ],
  },
  {
    scene: { called: 'the transfer fails after it was accepted', fails: true },
    made: 1,
    points: [
      'before commit of intent failed',
      'after commit of intent failed',
      'before delivery of transfer.failed',
      'after delivery of transfer.failed',
    ],
  },
  {
    scene: { called: 'the operation stays open: a timer speaks', settles: false },
    made: 1,
    points: [
      'after lease of session',
      'before commit of transfer.notConfirmed to tell',
      'after commit of transfer.notConfirmed to tell',
    ],
  },
];

playPoints('T1: kill -9', live, POINTS);
