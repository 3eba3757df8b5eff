/** The pages that all peers show: those of Wasl's transfer in French. A peer adds `CON` or `END`. */

export const STATE_KEPT_SECONDS = 1_800;

export const PAGES = {
  menu: [
    'Votre portefeuille',
    '1. Envoyer de l’argent',
    '2. Solde',
    '3. Recharge',
    '4. Paiement de factures',
    '5. Bons d’achat',
    '98 Suite',
  ].join('\n'),
  askRecipient: 'Numero du destinataire ?\n0 Retour\n00 Menu',
  badNumber: 'Numero non valable. Exemple : 0612345678.\n0 Retour',
  askAmount: (to: string) => `Montant à envoyer au ${local(to)}, en DH ?\n0 Retour\n00 Menu`,
  askPin: (to: string, amount: number, total: number) =>
    `Envoi de ${amount},00 DH au ${local(to)}\nTotal ${total} DH\nTapez votre code PIN pour confirmer\n0 Retour\n00 Menu`,
  wrongPin: 'Code PIN incorrect.\n0 Retour',
  sent: (to: string, amount: number) => `Votre envoi de ${amount},00 DH au ${local(to)} est en cours.`,
  refused: 'Votre envoi a été refusé.',
  away: 'Le service ne répond pas pour le moment.',
} as const;

/** The international form of a number as customers type it, else nothing. */
export function international(typed: string): string | undefined {
  return /^0[67]\d{8}$/.test(typed) ? `+212${typed.slice(1)}` : undefined;
}

function local(phone: string): string {
  return phone.replace('+212', '0');
}
