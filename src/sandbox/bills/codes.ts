import { BILL_CODES } from '../../wallet/contract/bills.ts';

/** The code is not shown in v2.3, nor is it where amounts are. */
export const CURRENCY = 'MAD';

const MESSAGES: Readonly<Record<string, string>> = {
  [BILL_CODES.DONE]: 'ACCEPTE',
  [BILL_CODES.CREDITOR_UNKNOWN]: 'CREANCIER INCONNU OU INACTIF',
  [BILL_CODES.NOTHING_TO_PAY]: 'AUCUNE FACTURE A PAYER',
  [BILL_CODES.FIELD_MISSING]: 'CHAMP OBLIGATOIRE MANQUANT OU INVALIDE',
  [BILL_CODES.ALREADY_PROCESSED]: 'DEJA TRAITE',
  [BILL_CODES.TECHNICAL_ERROR]: 'ERREUR TECHNIQUE',
  '909': 'EN COURS DE TRAITEMENT',
  '910': 'EN ATTENTE DU CREANCIER',
};

/**
 * How every answer of the bill network begins. Its own refusals come inside HTTP 200 (Partner API v2.3, "Errors" 4). The
 * words of `msg` are not shown but for ACCEPTE.
 */
export function networkResult(codeRetour: string): { codeRetour: string; msg: string } {
  return { codeRetour, msg: MESSAGES[codeRetour] ?? `CODE ${codeRetour}` };
}
