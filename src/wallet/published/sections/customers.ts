import { readOtp, type Section } from '../section.ts';

const newcomer = '{{newcomer}}';

export const customers: Section = {
  id: 'customers',
  title: 'Customers',
  about:
    'A customer registers, confirms the number with a code sent by SMS and chooses a PIN. From then on the wallet can pay.',
  operations: {
    customerStatus:
      'Where a number stands: 0 no wallet, 1 not confirmed, 2 confirmed, 3 active, 4 and 5 locked.',
    customerDefault: 'Whether this wallet is the default one of its number at the national switch.',
    registerCustomer: 'Registers a customer. A one-time code goes to the number by SMS.',
    confirmCustomer: 'Confirms a registration with the one-time code.',
    resendOtp: 'Sends a new one-time code; for a confirmed customer, one to reset the PIN with.',
    loginCustomer:
      'Checks a PIN. Each wrong one takes an attempt away, and the last one locks the wallet for now.',
    createPin: 'Sets the first PIN of a confirmed customer, which makes the wallet active.',
    changePin: 'Changes the PIN of a customer who knows it.',
    resetPin: 'Sets a new PIN with a one-time code.',
    customerBalance: 'The balance, in dirhams.',
    customerInfo: 'The profile: names, balance, RIB, account level and status.',
    unregisterCustomer: 'Closes an empty wallet.',
  },
  walk: [
    { call: 'customerStatus', query: { PhoneNumber: newcomer } },
    {
      call: 'registerCustomer',
      body: {
        phoneNumber: newcomer,
        firstName: 'Amina',
        lastName: 'Berrada',
        cin: 'BE123456',
        walletType: 'P',
      },
    },
    { call: 'resendOtp', query: { phoneNumber: newcomer } },
    {
      call: 'confirmCustomer',
      title: 'A wrong code is refused.',
      body: { phoneNumber: newcomer, code: '000-000' },
      refused: 400,
    },
    readOtp(newcomer),
    { call: 'confirmCustomer', body: { phoneNumber: newcomer, code: '{{otp}}' } },
    { call: 'createPin', body: { phoneNumber: newcomer, pin: '2580' } },
    {
      call: 'loginCustomer',
      title: 'A wrong PIN costs an attempt.',
      body: { phoneNumber: newcomer, pin: '0000' },
      refused: 400,
    },
    { call: 'loginCustomer', body: { phoneNumber: newcomer, pin: '2580' } },
    { call: 'changePin', body: { phoneNumber: newcomer, oldPin: '2580', newPin: '1379' } },
    { call: 'resendOtp', title: 'A code to reset the PIN with.', query: { phoneNumber: newcomer } },
    readOtp(newcomer),
    { call: 'resetPin', body: { phoneNumber: newcomer, otp: '{{otp}}', pin: '2468' } },
    { call: 'customerDefault', query: { phoneNumber: newcomer } },
    { call: 'customerBalance', query: { phoneNumber: '{{customer}}' } },
    { call: 'customerInfo', query: { phoneNumber: '{{customer}}' } },
    {
      call: 'customerInfo',
      title: 'A number without a wallet.',
      query: { phoneNumber: '+212600000099' },
      refused: 400,
    },
    { call: 'unregisterCustomer', body: { PhoneNumber: newcomer, Reason: 3 } },
    { call: 'customerStatus', title: 'The number is free again.', query: { PhoneNumber: newcomer } },
  ],
};
