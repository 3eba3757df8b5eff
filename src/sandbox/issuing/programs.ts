import { CARD_TYPES, type CardType } from '../../wallet/contract/card-management.ts';

/** A kind of card that a partner can have issued. All are invented. */
export interface Program {
  readonly id: number;
  readonly name: string;
  readonly cardType: CardType;
  readonly schemaId: number;
  readonly schema: string;
  readonly validityMonths: number;
}

const VISA = { schemaId: 1, schema: 'VISA' } as const;
const MASTERCARD = { schemaId: 2, schema: 'MASTERCARD' } as const;

/** Every partner of the sandbox has these. */
export const PROGRAMS: readonly Program[] = [
  { id: 1, name: 'Carte Zellige (test)', cardType: CARD_TYPES.PHYSICAL, ...VISA, validityMonths: 36 },
  { id: 2, name: 'Carte Zellige Web (test)', cardType: CARD_TYPES.VIRTUAL, ...VISA, validityMonths: 12 },
  {
    id: 3,
    name: 'Carte Zellige Mobile (test)',
    cardType: CARD_TYPES.DIGITAL,
    ...MASTERCARD,
    validityMonths: 24,
  },
];

/** Virtual is what no machine makes: not shown in v2.3 how `isVirtual` goes with the three types. */
export function isVirtual(type: CardType): boolean {
  return type !== CARD_TYPES.PHYSICAL;
}
