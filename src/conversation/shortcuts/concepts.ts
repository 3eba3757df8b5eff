/**
 * Things with many names, each list in French, English, Arabic script and Darija in Latin letters: `<card>` in a saying
 * stands for any of them. A `-` marks the stem of a verb of Darija, which takes the prefixes of the present. These are
 * words to understand, not sentences to say.
 */
export const CONCEPTS = {
  send: 'envoyer|envoie|envoye|envoyez|envoi|transferer|transfere|transfert|virer|vire|virement|verser|send|transfer|move|wire|ارسال|ارسل|تحويل|حول|حوالة|-صيفط|-سيفط|-رسل|-حول|-بعث|-sift|-sifet|-sayfet|-7awel|-hawel|-rsel|-b3at|-nvirer',
  give: 'donner|donne|passer|passe|prete|preter|give|lend|عطي|اعط|-عطي|3ti|n3ti',
  money:
    'argent|largent|sous|fric|thune|thunes|monnaie|fonds|money|cash|funds|فلوس|فلوسي|مال|اموال|نقود|flous|flouss|lflous|flousi|lflouss',
  cash: 'cash|espece|especes|liquide|liquidite|كاش|نقد|نقدا|نقدي|lcash|lkach',
  have: 'ai|jai|have|got|عندي|3ndi|3endi',
  left: 'reste|restant|left|remain|remaining|remains|بقا|بقي|بقى|باقي|تبقى|بقات|b9a|bqa|ba9i|baqi',
  howMuch: 'combien|cb|much|شحال|كم|ch7al|chhal',
  wallet:
    'portefeuille|wallet|محفظة|محفظتي|lportefeuille|lwallet|compte|account|حساب|حسابي|كونط|lcompte|l7sab',
  balance: 'solde|balance|رصيد|رصيدي|صولد|rasid|rassid|raside|lrasid',
  phone:
    'telephone|tel|portable|mobile|phone|sim|numero|gsm|تيليفون|تليفون|هاتف|هاتفي|tilifoun|tilifon|tilifone|lportable',
  credit: 'credit|unites|airtime|top up|صولد|lcredit',
  recharge:
    'recharge|recharger|rechargez|topup|تعبئة|شحن|روشارج|-شارجي|-rechargi|-charji|-chargi|rocharge|tcharja',
  data: 'internet|data|connexion|انترنت|كونيكسيون|connexion|lconnexion|linternet',
  plan: 'forfait|pass|plan|bundle|mobile|باس',
  operator: 'inwi|orange|iam|انوي|اورنج|telecom',
  pay: 'payer|paye|paie|paies|khlas|payez|regler|regle|acquitter|pay|settle|اداء|دفع|ادفع|خلاص|تسديد|-خلص|-خلصها|-khelles|-5elles|-kheles|-khelsha|khlass|-khlesha|-khelles',
  bill: 'facture|factures|bill|bills|invoice|impaye|impayes|فاتورة|فواتير|فواتيري|factura|facturat|fatoura|fawatir|fwater',
  service:
    'electricite|lelectricite|eau|leau|courant|lydec|redal|amendis|radeema|radeef|onee|wifi|fixe|vignette|electricity|water|internet|tax|taxes|كهرباء|ضو|ماء|ما|ليدك|ليديك|ريضال|امانديس|ضريبة|لافينييت|dow|do|lma|tricinti|trisinti|lvignette',
  biller: 'vignette|لافينييت|lydec|ليدك|ليديك|redal|ريضال|amendis|امانديس|radeema|radeef|onee|cnss',
  owe: 'dois|owe|خاصني|khassni|khasni',
  arrive: 'arrive|arrivee|recu|arrived|received|reached|وصل|وصلات|وصلو|wsel|wslo|wslat|weslat',
  fee: 'frais|fee|fees|commission|commissions|charges|رسوم|عمولة|مصاريف التحويل|lfrais|lcommission|lfree',
  cost: 'charge|katakhdo|كتاخدو|coute|coutent|couter|cost|costs|تكلفة|يكلف|كيكلف|kaykellef|kaykelf',
  spend: 'depense|depenses|spend|spent|spending|صرفت|مصاريف|sreft|srft',
  add: 'mettre|met|mets|ajouter|ajoute|charger|alimenter|recharger|deposer|depose|depot|verser|add|put|load|deposit|fund|ايداع|اودع|-نحط|-حط|-دخل|-عمر|-زيد|-7et|-7ot|-dakhel|-dakhal|-3emer|-3mer|-zid',
  withdraw: 'retirer|retire|retrait|withdraw|withdrawal|withdrawals|سحب|-سحب|-جبد|-jbed|-s7ab|-retiri',
  takeOut: 'recuperer|recupere|sortir|get|take|-خرج|-حيد|-kherrej|-kherej|-7ayed',
  drawOut: 'take out|نخرج|نخرجو|nkherrej|nkherej|nkharrej|nkharej',
  bank: 'bank|banque|bancaire|cih|attijari|attijariwafa|bmce|bmci|chaabi|populaire|barid|rib|iban|بنك|لبنك|بنكي|تجاري|ريب|لريب|banka|lbanka',
  card: 'carte|cartes|card|cards|visa|mastercard|cb|بطاقة|بطاقتي|كارط|لاكارط|بلاكارط|carte|lacarte|lcarte|lcarta|lacarta|lcartat',
  lose: 'perdu|perdue|perdre|vole|volee|disparu|disparue|introuvable|lost|stolen|stole|took|missing|ضاع|ضاعت|ضاعو|فقدت|سرق|سرقت|سرقو|سرقوا|تسرق|تسرقات|تلفات|لقيتش|مالقيتش|da3|da3t|da3et|tsra9|tsre9|tsr9at|tsrqat|tsre9at|sr9o|tlfat|telfat|tlef|mal9itch',
  stop: 'bloquer|bloque|bloquez|geler|suspendre|opposition|arreter|arretez|block|freeze|suspend|stop|وقف|وقفو|اوقف|اوقفو|تجميد|-جمد|-حبس|-7bes|بلوكي|-we99ef|-wa9ef|we9fo|bloki|bloqiw|blokiw|-bloki|jammdo|jemmed|-jammed',
  all: 'tout|toute|everything|كلشي|كل شيء|kolchi|kulchi',
  someone:
    'quelqu un|quelquun|someone|somebody|anybody|person|humain|شي واحد|واحد|شخص|chi wahed|chi wa7ed|wahed|wahd|wa7ed',
  uses: 'utilise|utiliser|using|uses|used|كيستعمل|كيستخدم|يستعمل|kaysta3mel|kayst3mel',
  code: 'code|codes|رموز|pin|mot passe|password|كود|رمز|رمزي|رمزا|كلمة|lcode|lpin',
  forget:
    'oublie|souviens plus|rappelle plus|forgot|forgotten|remember|نسيت|عقلتش|ماعقلتش|nsit|ma3qeltch|ma3e9eltch',
  reset: 'reinitialiser|reset|recover',
  change: 'changer|change|modifier|update|switch|تغيير|تبديل|-بدل|-bedel|-beddel',
  again: 'revoir|retrouver|again|عاود|-عاود|-3awed|n3awed',
  voucher:
    'voucher|vouchers|gift card|carte cadeau|cartes cadeaux|bon achat|bons achat|بطاقة هدية|قسيمة|قسائم|قسائمي|bon',
  brand: 'netflix|playstation|psn|steam|itunes|google play|نتفليكس|بلايستيشن',
  where: 'ou|where|فين|اين|fin',
  order: 'commander|demander|order|request|get|طلب|-طلب|-tlob|-tleb',
  limit: 'plafond|limite|limites|limit|سقف|حد|حد اقصى|بلافون|lplafond',
  raise: 'augmenter|relever|raise|increase|higher|رفع|زيادة|-طلع|-زيد|-telle3|tal3o|-tel3|-zid|passer|go',
  level: 'niveau|level|مستوى|lniveau',
  saved:
    'enregistre|enregistree|enregistrees|enregistres|sauvegardee|saved|stored|محفوظة|مسجلة|msejla|mesjla',
  erase: 'supprimer|effacer|retirer|delete|remove|حذف|مسح|7eyed|-7ayed',
  reference:
    'reference|references|ref|مرجع|مراجع|ريفيرونس|ريفرونس|ريفيرانس|ريفيرونص|lreference|lmaraji3|mraji3',
  cashing: 'depot|retrait|deposit|withdrawal|ايداع|سحب|lidaa3',
  documents: 'document|documents|papiers|justificatifs|papers|وثائق|وثائقي|اوراق|lwra9|wra9|lwata2i9',
  client: 'client|cliente|customer|كليان|زبون|lclient|client',
  paysMe: 'payer|paie|paye|pay|يخلصني|يخلصوني|يؤدي|ykhellesni|ykhelsouni|ykhlesni',
  paid: 'paye|payee|paid',
  qr: 'qr',
  shop: 'magasin|boutique|commercant|marchand|epicier|vendeur|caisse|shop|store|till|merchant|grocer|حانوت|تاجر|متجر|l7anout|lhanout|7anout|lcaisse|tajer',
  talk: 'parler|joindre|contacter|talk|speak|تحدث|-هضر|-nhder|-hder|-hdar',
  language:
    'arabe|francais|anglais|arabic|french|english|عربية|فرنسية|انجليزية|bl3erbia|bl3arbia|l3arbia|fransawia',
  talkIn: 'parler|parle|speak|talk|-هضر|-hder|-hdar',
  chat: 'chat|conversation|discussion|محادثة',
  unlink: 'deconnecter|delier|dissocier|detacher|disconnect|unlink|فصل|الغاء ربط|fsel|-fsel',
  close: 'fermer|cloturer|supprimer|resilier|close|delete|اغلاق|حذف|-سد|-sed|ssed|-ssed',
  contact: 'contact|contacts|beneficiaire|beneficiaires|destinataires|recipients|مستفيدين|مستفيدون|جهات',
} as const satisfies Readonly<Record<string, string>>;

/**
 * The deed that is asked for where these words come together: as they stand, behind a `~` in any order, behind a `#`
 * beside a mobile number, behind a `$` beside an amount.
 */
export const SAYINGS: Readonly<Record<string, string>> = {
  transfer: '~<send> <money>|<give> <money>|#<send>|#<give>',
  'bank-transfer':
    '~<send> <bank>|~<send> <money> <bank>|<send> <money> <wallet> <bank>|<send> <wallet> <bank>|<send> <money> <wallet> <wallet> <bank>',
  balance:
    '~<howMuch> <left>|~<howMuch> <have>|~<howMuch> <have> <wallet>|<howMuch> <left> <wallet>|<howMuch> <have> <left>|<have> <wallet>|<left> <wallet>|<howMuch> <wallet>|<balance> <wallet>',
  'top-up':
    '~<recharge> <phone>|~<credit> <phone>|~<balance> <phone>|<add> <phone>|~<recharge> <operator>|<plan> <data>|<data> <phone>|<data> <operator>|~<add> <recharge>|<add> <credit> <phone>',
  'bill-payment':
    '<pay> <bill>|<pay> <service>|<pay> <biller>|<pay> <service> <service>|~<bill> <service>|<bill> <service> <service>|<pay> <bill> <service>|<bill> <pay>|<howMuch> <owe> <service>|<howMuch> <owe> <pay> <service>|<biller>',
  statement: '<money> <arrive>|<arrive> <money>|<send> <arrive>|<spend>|<arrive> <money> <send>',
  fees: '<fee>|<send> <fee>|<withdraw> <fee>|<howMuch> <fee>|<fee> <send>|<fee> <withdraw>|<howMuch> <fee> <send>|<howMuch> <fee> <withdraw>|<howMuch> <cost>|<howMuch> <cost> <send>|<cost> <send>|<howMuch> <cost> <withdraw>|<cost> <withdraw>',
  'cash-in': '~<add> <cash>|<add> <money> <wallet>|<add> <cash> <wallet>|~<add> <wallet>',
  'card-cash-in':
    '~<add> <money> <card>|~<add> <card>|~<add> <wallet> <card>|<add> <money> <wallet> <card>|<add> <money> <card> <bank>|<add> <wallet> <card> <bank>|<add> <card> <bank>|<add> <money> <card> <card>',
  'cash-out':
    '<withdraw>|<withdraw> <money>|<takeOut> <money>|<withdraw> <cash>|<takeOut> <cash>|<withdraw> <money> <cash>|<takeOut> <money> <cash>|$<drawOut>',
  'merchant-payment': '~<pay> <shop>|<pay> <qr>',
  voucher: '~<brand> <card>|~<brand> <voucher>',
  'voucher-codes':
    '<lose> <code> <voucher>|~<again> <voucher>|<again> <code> <voucher>|<code> <voucher>|<lose> <voucher>',
  cards: '~<where> <card>|~<where> <card> <arrive>',
  'card-order': '<order> <card>|<order> <card> <bank>',
  'lost-card':
    '~<lose> <card>|~<stop> <card>|~<lose> <card> <bank>|<stop> <card> <bank>|~<lose> <card> <stop>|<stop> <card> <lose>|~<someone> <lose> <card>',
  freeze:
    '~<lose> <phone>|~<stop> <wallet>|<stop> <all>|~<lose> <phone> <stop> <all>|<someone> <uses> <wallet>|<lose> <phone> <stop>|<someone> <uses> <wallet> <all> <stop>|<someone> <uses> <wallet> <stop> <all>',
  'pin-reset': '<forget> <code>|<lose> <code>|<reset> <code>|<code> <forget>',
  'pin-change': '<change> <code>',
  beneficiaries: '~<saved> <contact>',
  upgrade: '<raise> <limit>|<raise> <level>|<raise> <limit> <wallet>|<howMuch> <limit>|<limit> <wallet>',
  'receive-payment': '<client> <paysMe>|<qr> <paysMe>|<qr> <paid>',
  references:
    '<reference>|<reference> <paid>|~<where> <reference>|~<reference> <cashing>|~<code> <cashing>|<again> <code> <cashing>',
  'saved-cards': '~<saved> <card>|<erase> <saved> <card>|<erase> <card> <saved>',
  documents: '<send> <documents>|<documents>',
  adviser: '<talk> <someone>',
  language: '<talkIn> <language>',
  unlink: '<unlink> <chat>|<unlink> <chat> <wallet>',
  closing: '<close> <wallet>',
};
