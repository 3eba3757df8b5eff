import type { Reply, SentenceKey } from '../conversation/incoming.ts';

/** The hints in the empty field of a question that is answered in words. */
const PLACEHOLDERS: Partial<Readonly<Record<Reply['screen']['expects'], SentenceKey>>> = {
  amount: 'telegram.typeAmount',
  phone: 'telegram.typePhone',
  account: 'telegram.typeAccount',
  name: 'telegram.typeName',
  nationalId: 'telegram.typeNationalId',
  otp: 'telegram.typeCode',
  reference: 'telegram.typeReference',
  search: 'telegram.typeSearch',
  field: 'telegram.typeAnswer',
  password: 'telegram.typePassword',
};

/** The hint in the empty field of a chat. Undefined where buttons answer. */
export function placeholderOf({ expects }: Pick<Reply['screen'], 'expects'>): SentenceKey | undefined {
  return PLACEHOLDERS[expects];
}
