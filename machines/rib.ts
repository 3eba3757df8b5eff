import { reading } from './kit/reading.ts';

/** The customer reads the wallet's RIB, to be paid from a bank, after the PIN. */
export const rib = reading({
  id: 'rib',
  words: ['rib', 'mon rib', 'my rib', 'bank details', 'ريب', 'رقم الحساب البنكي', 'رقم حساب بنكي'],
  reads: 'readProfile',
  shows: ({ fullName, rib }, own) =>
    rib === undefined
      ? { key: own('none') }
      : { key: own('shown'), values: { name: { name: fullName }, rib: { hidden: rib } } },
});
