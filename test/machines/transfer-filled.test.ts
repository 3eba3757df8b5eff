import { describe, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { theWorld } from '../kit/world.ts';

/** A wallet of another provider: any number that the sandbox does not know. */
const ELSEWHERE = msisdn('0655000000');

describe('a transfer said in one line', () => {
  const world = theWorld();
  const said = (line: string) => world.customer({ channel: 'web' }).isAtMenu().says(line);

  test('a number and an amount: the confirmation comes next, and back asks as ever', async () => {
    const fatima = said('/transfer 0655000000 150');
    await fatima.sees('transfer.askPinOpenLoop', { to: ELSEWHERE, amount: 15_000 });
    await fatima.goes('back').sees('transfer.askAmount', { to: ELSEWHERE });
    await fatima.goes('back').sees('transfer.askRecipient');
    await fatima.says('0655000001').sees('transfer.askAmount', { to: '+212655000001' });
  });

  test('only an amount: the number is asked, and a number that cannot be paid is asked again', async () => {
    const fatima = said('envoyer 150');
    await fatima.sees('transfer.askRecipient');
    await fatima.says(MAGIC.noWallet).sees('transfer.askRecipient').isTold('problem.90013');
    await fatima.says(ELSEWHERE).sees('transfer.askPinOpenLoop', { amount: 15_000 });
  });

  test('only a number', () => said('envoyer à 0655000000').sees('transfer.askAmount', { to: ELSEWHERE }));

  test('to oneself: the number is asked, and the amount is kept', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    await fatima.says(`/transfer 0${fatima.phone.slice(4)} 150`).sees('transfer.askRecipient');
    await fatima.isTold('transfer.toYourself');
    await fatima.says(ELSEWHERE).sees('transfer.askPinOpenLoop', { amount: 15_000 });
  });
});
