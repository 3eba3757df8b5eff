import type { Sentence } from '../../../machines/kit/screen.ts';
import { referenceIn, shortName, type Told as ToldTo } from '../town/heard.ts';
import type { ModelWallet } from './model-wallet.ts';
import type { Line } from './person.ts';
import type { Moved } from './wallet-ledger.ts';

/** One sentence that a customer has read, on a screen, among missed messages, or in a message of its own. */
export interface Told extends ToldTo {
  /** When the input came in that it answers. Otherwise equal to `at`. */
  readonly askedAt: number;
  readonly line: Line;
  readonly how: 'screen' | 'missed' | 'pushed';
}

/** Faults of voucher codes: each must reach its buyer, nobody else, and every customer who was promised one. */
export function codeFaults(scene: {
  readonly told: readonly Told[];
  readonly wallet: Pick<ModelWallet, 'moved'>;
  readonly losses: number;
}): string[] {
  const { told, wallet, losses } = scene;
  const came = codesIn(told);
  const strayed = came.filter(
    ({ line, code }) => !wallet.moved.some((each) => each.code === code && each.order.from === line.phone),
  );
  // A failover may take back a promise that the customer has read.
  const promised = losses > 0 ? [] : told.filter(({ sentence }) => sentence.key === 'voucher.done');
  const missed = promised.filter(
    ({ line, sentence }) =>
      !told.some((each) => each.line === line && each.sentence.key === 'voucher.codeExpired') &&
      !came.some((each) => each.code === operationIn(sentence, wallet.moved)?.code),
  );
  return [
    ...strayed.map(({ line, code }) => `${line.address} was sent ${code}, which is not theirs`),
    ...missed.map(({ line, sentence }) => `${line.address} never got the code of ${referenceIn(sentence)}`),
  ];
}

/** Every voucher code that was told, and to whom. */
export function codesIn(told: readonly Told[]): { line: Line; code: string }[] {
  return told.flatMap(({ sentence, line }) => {
    const { code } = sentence.values ?? {};
    return code && 'hidden' in code ? [{ line, code: code.hidden }] : [];
  });
}

function operationIn(sentence: Sentence, moved: readonly Moved[]): Moved | undefined {
  const reference = referenceIn(sentence);
  return (
    moved.find(({ id, order }) => String(id) === reference || order.reference === reference) ??
    moved.find(({ requestId }) => shortName(requestId) === reference)
  );
}
