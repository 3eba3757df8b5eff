import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';

// Asks a wallet with little memory, and says what came of it.
const [url = ''] = process.argv.slice(2);
const wallet = createWallet({ url, apiKey: 'key', timeoutMs: 60_000 });
const order = {
  from: msisdn('0600000001'),
  to: msisdn('0600000002'),
  amount: centimes(200_00),
  reason: 'test',
};
process.send?.(await wallet.transfer(order, { requestId: 'r' }), () => process.exit());
