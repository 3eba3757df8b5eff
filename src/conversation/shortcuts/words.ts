import type { Period } from '../../../machines/kit/effects.ts';
import { READINGS } from '../chart/readings.ts';

/**
 * The customers' names for the conversations, in each language, beside the ids of their machines, which links use.
 * Conversations that only read declare their own. They are compared without case, accents, hamzas and vowel marks.
 * These are words to understand, not sentences to say.
 */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(READINGS.map(({ id, words }) => [id, words])),
  transfer: [
    ...['transfer', 'send', 'send money', 'pay'],
    ...['envoyer', 'envoyer de l argent', 'envoie', 'envoi', 'transférer', 'transfert', 'transférez'],
    ...['إرسال', 'إرسال المال', 'أرسل', 'تحويل', 'حول', 'صيفط'],
  ],
  'top-up': [
    ...['topup', 'top-up', 'top up', 'recharge', 'recharger', 'rechargez'],
    ...['تعبئة', 'تعبئه', 'عبئ', 'شحن'],
  ],
  'bill-payment': [
    ...['bill', 'bills', 'pay bill', 'pay bills', 'bill payment'],
    ...[
      'facture',
      'factures',
      'payer facture',
      'payer une facture',
      'payer ma facture',
      'paiement de factures',
    ],
    ...['فاتورة', 'فواتير', 'أداء الفواتير', 'أداء فاتورة', 'الفواتير'],
  ],
  voucher: [
    ...['voucher', 'vouchers', 'gift card', 'gift cards'],
    ...['bon', 'bons', 'bon d achat', 'bons d achat', 'carte cadeau'],
    ...['قسيمة', 'قسيمة شراء', 'قسائم', 'قسائم الشراء'],
  ],
  'voucher-codes': [
    ...['voucher codes', 'my voucher codes'],
    ...['codes de mes bons', 'code de mon bon', 'revoir mes bons', 'revoir le code de mon bon'],
    ...['رموز قسائمي', 'رموز القسائم', 'رمز القسيمة'],
  ],
  'merchant-payment': [
    ...['merchant', 'merchants', 'pay merchant', 'pay a merchant', 'pay shop', 'pay a shop'],
    ...[
      'commerçant',
      'payer commerçant',
      'payer un commerçant',
      'payer le commerçant',
      'paiement commerçant',
    ],
    ...['تاجر', 'أداء لتاجر', 'أداء للتاجر', 'أداء لدى تاجر', 'الأداء لتاجر', 'الأداء لدى تاجر'],
  ],
  'card-cash-in': [
    ...['deposit by card', 'deposit card', 'card deposit', 'load by card', 'cash in card'],
    ...['dépôt carte', 'dépôt par carte', 'déposer par carte', 'déposer carte', 'recharger par carte'],
    ...['إيداع بالبطاقة', 'ايداع بطاقة', 'الإيداع بالبطاقة'],
  ],
  'saved-cards': [
    ...['saved cards', 'my saved cards', 'mes cartes enregistrées', 'cartes enregistrées'],
    ...['بطاقاتي المسجلة', 'البطاقات المسجلة'],
  ],
  'bank-transfer': [
    ...['bank transfer', 'transfer to a bank', 'wire', 'wire transfer'],
    ...['virement', 'virements', 'virement bancaire', 'virer', 'virer de l argent', 'faire un virement'],
    ...['تحويل بنكي', 'التحويل البنكي', 'تحويل إلى البنك'],
  ],
  beneficiaries: [
    ...['beneficiaries', 'saved recipients', 'my recipients', 'my saved recipients'],
    ...['bénéficiaire', 'bénéficiaires', 'mes bénéficiaires'],
    ...['المستفيدون', 'المستفيدين', 'مستفيدون'],
  ],
  'receive-payment': [
    ...['receive', 'receive payment', 'receive a payment', 'my qr', 'my qr code'],
    ...['encaisser', 'encaisser un paiement', 'encaissement', 'mon qr', 'mon qr code'],
    ...['استلام أداء', 'استلام الأداء', 'رمز qr'],
  ],
  'cash-in': [
    ...['cash in', 'cashin', 'deposit', 'deposit cash', 'pay in', 'pay in cash'],
    ...['dépôt', 'dépôt espèces', 'dépôt en espèces', 'déposer', 'déposer de l argent', 'déposer espèces'],
    ...['إيداع', 'إيداع المال', 'إيداع نقدي', 'أودع'],
    // An agent's words for a customer's.
    ...['customer deposit', 'customer cash in', 'deposit for customer', 'deposit for a customer'],
    ...['dépôt client', 'dépôt pour client', 'dépôt pour un client', 'إيداع زبون', 'إيداع لزبون'],
  ],
  'cash-out': [
    ...['cash out', 'cashout', 'withdraw', 'withdraw cash', 'withdrawal'],
    ...['retrait', 'retrait espèces', 'retrait en espèces', 'retirer', 'retirer de l argent'],
    ...['سحب', 'سحب المال', 'سحب نقدي', 'اسحب'],
    ...['customer withdrawal', 'customer cash out', 'withdrawal for customer', 'withdrawal for a customer'],
    ...['retrait client', 'retrait pour client', 'retrait pour un client', 'سحب زبون', 'سحب لزبون'],
  ],
  references: [
    ...['my references', 'references'],
    ...['mes références', 'références'],
    ...['مراجعي', 'المراجع'],
    ...['check reference', 'check a reference', 'verify reference', 'verify a reference'],
    ...['vérifier référence', 'vérifier une référence', 'vérifier la référence'],
    ...['تحقق من مرجع', 'تحقق من المرجع', 'التحقق من مرجع', 'التحقق من المرجع'],
  ],
  takings: [
    ...['takings', 'my takings', 'sales'],
    ...['recette', 'recettes', 'mes recettes', 'ma recette'],
    ...['المداخيل', 'مداخيلي', 'مداخيل'],
  ],
  'merchant-refund': [
    ...['refund', 'refund a customer', 'give back'],
    ...['rembourser', 'rembourser un client', 'remboursement'],
    ...['إرجاع المبلغ', 'إرجاع مبلغ', 'استرجاع'],
  ],
  agent: ['i am an agent', 'i m an agent', 'je suis agent', 'je suis un agent', 'أنا وكيل'],
  'card-payments': [
    ...['card payments', 'card payment', 'reservations'],
    ...['paiements par carte', 'paiements carte', 'paiement par carte', 'réservations'],
    ...['الأداءات بالبطاقة', 'أداءات بالبطاقة', 'أداء بالبطاقة'],
  ],
  'card-payment': [
    ...['payment link', 'new payment link', 'link to pay'],
    ...['lien de paiement', 'nouveau lien de paiement', 'lien pour payer'],
    ...['رابط أداء', 'رابط الأداء', 'رابط للأداء'],
  ],
  cash: ['espèces', 'dépôt et retrait', 'deposit and withdrawal', 'الإيداع والسحب'],
  balance: ['balance', 'my balance', 'solde', 'mon solde', 'رصيد', 'الرصيد', 'رصيدي'],
  statement: [
    ...['statement', 'history', 'operations', 'relevé', 'mon relevé', 'historique'],
    ...['كشف', 'كشف العمليات', 'العمليات', 'عمليات'],
  ],
  account: ['account', 'my account', 'compte', 'mon compte', 'حساب', 'حسابي', 'الحساب'],
  shopping: ['shopping', 'achats', 'mes achats', 'مشتريات', 'المشتريات'],
  profile: ['my profile', 'my details', 'profil', 'mon profil', 'mes informations', 'معلوماتي'],
  'pin-change': [
    ...['pin', 'change pin', 'change my pin'],
    ...['changer code pin', 'changer mon code pin', 'changer de code pin'],
    ...['تغيير الرمز السري', 'تغيير رمزي السري'],
  ],
  'pin-reset': [
    ...['forgotten pin', 'forgot pin', 'forgot my pin', 'reset pin', 'reset my pin'],
    ...['pin oublié', 'code pin oublié', 'code oublié'],
    ...['نسيت الرمز السري', 'نسيت رمزي السري'],
  ],
  cards: [
    ...['card', 'cards', 'my card', 'my cards'],
    ...['carte', 'cartes', 'ma carte', 'mes cartes'],
    ...['بطاقتي', 'بطاقاتي', 'بطاقة', 'البطاقة'],
  ],
  'card-order': [
    ...['order card', 'order a card', 'new card'],
    ...['commander carte', 'commander une carte', 'nouvelle carte'],
    ...['طلب بطاقة', 'بطاقة جديدة'],
  ],
  'lost-card': [
    ...['lost card', 'stolen card', 'block card', 'block my card', 'lost my card', 'i lost my card'],
    ...['my card is lost', 'my card was stolen', 'suspend my card'],
    ...['carte perdue', 'carte volée', 'carte perdue ou volée', 'bloquer carte', 'bloquer ma carte'],
    ...['j ai perdu ma carte', 'perdu ma carte', 'on m a volé ma carte', 'opposition', 'suspendre ma carte'],
    ...[
      'ضاعت بطاقتي',
      'ضاعت لي بطاقتي',
      'سرقت بطاقتي',
      'بطاقة ضائعة',
      'بطاقة مسروقة',
      'توقيف بطاقتي',
      'توقيف البطاقة',
    ],
  ],
  freeze: [
    ...['freeze', 'freeze payments', 'freeze my payments', 'freeze my account', 'freeze my wallet'],
    ...['geler', 'gèle', 'gelez', 'geler mes paiements', 'geler mon compte', 'bloquer mon compte'],
    ...['bloquer mon portefeuille', 'geler mon portefeuille', 'bloquer mes paiements'],
    ...['وقف', 'أوقف', 'تجميد', 'جمد', 'تجميد المحفظة', 'تجميد محفظتي', 'إيقاف الأداءات', 'وقف الأداءات'],
    ...['تجميد أداءاتي', 'تجميد الأداءات'],
  ],
  rating: [
    ...['it s settled', 'it is settled', 'my request is settled', 'problem solved', 'my problem is solved'],
    ...['c est réglé', 'c est résolu', 'problème réglé', 'problème résolu', 'ma demande est réglée'],
    ...['تم الحل', 'تم حل المشكل', 'تم حل مشكلتي', 'طلبي قد حل', 'مشكلتي محلولة', 'تحل المشكل'],
  ],
  upgrade: [
    ...['level', 'my level', 'limit', 'my limit', 'upgrade'],
    ...['niveau', 'mon niveau', 'plafond', 'mon plafond', 'augmenter mon plafond', 'augmenter plafond'],
    ...['مستوى الحساب', 'مستواي', 'السقف', 'سقف', 'رفع السقف'],
  ],
  closing: ['close wallet', 'close my wallet', 'fermer mon portefeuille', 'إغلاق محفظتي', 'إغلاق المحفظة'],
  'link-chat': ['link a chat', 'relier une conversation', 'ربط محادثة'],
  unlink: [
    ...['unlink this chat', 'dissocier', 'dissocier cette conversation'],
    ...['إلغاء ربط هذه المحادثة', 'إلغاء ربط المحادثة'],
  ],
};

/** The days of which a merchant may ask the takings, by their names. */
export const PERIODS: readonly (readonly [Period, readonly string[]])[] = [
  ['today', ['today', 'of today', 'aujourd hui', 'du jour', 'jour', 'اليوم']],
  ['yesterday', ['yesterday', 'of yesterday', 'hier', 'd hier', 'أمس', 'البارحة']],
  ['week', ['week', 'this week', '7 days', 'semaine', 'de la semaine', '7 jours', 'الأسبوع', '7 أيام']],
];

/** Words too common to begin a line that goes on: `bon courage` asks for no voucher. */
export const ALONE: readonly string[] = ['bon', 'bons'];

/** Words that carry nothing, between the amount and the recipient. */
export const FILLERS: readonly string[] = [
  ...['to', 'for', 'of', 'the', 'me', 'my', 'number', 'please'],
  ...['à', 'au', 'vers', 'pour', 'de', 'le', 'la', 'du', 'numéro', 'moi', 'svp'],
  ...['إلى', 'ل', 'لرقم', 'رقم', 'من', 'مبلغ', 'لي', 'ليا'],
];
