import { CONCEPTS } from './concepts.ts';

/**
 * The customers' phrases for the bot's abilities, by deed: a conversation, or a move. They are in French, English,
 * Arabic script (standard and Darija) and Darija in Latin letters. `{a,b} c` stands for `a c` and `b c`. A phrase holds
 * the words that carry the meaning, without the words of `CARRIERS`. Behind an `=` those words count: `=send me my rib`
 * is not `send rib`. These are words to understand, not sentences to say.
 */
export const PHRASES_OF: Readonly<Record<string, readonly string[]>> = {
  thaw: [
    'degeler|degele|degelez|degeles|unfreeze|unfreezing|thaw|{degeler,degele,degelez,debloquer,debloque,debloquez,reactiver} {paiements,compte,portefeuille}',
    '{unfreeze,unblock,thaw,reactivate} {payments,account,wallet}|{nfek,fek,n7el,hell} {blocage,lblocage,tajmid,compte,lcompte}|ndegeler|ndebloki {compte,lcompte}',
    '{فك,نفك,رفع,الغاء,حيد} {تجميد,توقيف,بلوكاج,ايقاف}|{فك,نفك} تجميد {حساب,محفظة,اداءات}',
  ],
  transfer: [
    'transfer|send|sending|envoyer|envoie|envoies|envoi|envoyez|envoye|transferer|transfert|transferez|virer|vire',
    '{send,give,transfer} {money,cash}|money transfer|{envoyer,donner,transferer} argent|argent envoyer|transfert argent',
    '{donner,envoyer} {sous,fric}|envoi argent|send someone|pay someone',
    'ارسال|ارسل|تحويل|حول|حوالة|صيفط|نصيفط|نرسل|نحول|بعث|نبعث|ارسال مال|تحويل مال|{صيفط,نصيفط,نرسل,نحول,بعث,نعطي} فلوس',
    'envois|سيفط|نسيفط|{سيفط,نسيفط} فلوس',
  ],
  balance: [
    'balance|solde|see balance|account balance|wallet balance|solde compte|solde portefeuille|combien ai compte|combien reste|reste combien',
    'combien argent|combien argent reste|combien ai|much have|much money have|much left|much money left|much wallet|much money',
    'رصيد|رصيدي|شحال عندي|شحال بقا|شحال بقى|كم عندي|كم بقي|كم تبقى|كم رصيدي|رصيد حساب|رصيد محفظة|عندي فلوس|صولد',
    'combien {wallet,portefeuille}|whats wallet|have money left|any money left|combien solde|شحال {كاين,باقي,بقات} عندي|شحال {باقي,بقات}|شحال بقات فلوس|كم محفظتي|صولد',
  ],
  'top-up': [
    'topup|top up|recharge|recharger|rechargez|airtime|{acheter,mettre} {credit,recharge}|{credit,recharge} telephonique|recharge telephone',
    '{top up,recharge,recharger} {phone,mobile,line,number,telephone,portable,ligne,numero,internet}|mobile top up|plus credit|plus solde telephone',
    '{buy,add,phone,more,out} credit|buy {airtime,data,phone credit}|add credit phone|ran out credit|pass internet|recharge {inwi,orange,iam,maroc telecom}',
    'تعبئة|عبئ|شحن|روشارج|نشارجي|شارجي|{تعبئة,شحن} {هاتف,هاتفي,رصيد}|{نعمر,نشارجي,شارجي} تيليفون|سالا صولد|شراء تعبئة',
    '=عمر ليا|=عمر لي|=عمرلي|=عمر ليا تيليفون|=3mer liya|=3mer lia|=3emer liya|=3emmer liya|=3ammer liya',
    'تعبئة {اتصالات مغرب,انوي,اورنج}|{عبي,عبئ,نعبي} {رصيد,صولد}',
    '{met,mets,mettez} credit|عمر تيليفون|نشري روشارج|recharger tel',
  ],
  'bill-payment': [
    'bill|bills|facture|factures|{pay,settle,have} {bill,bills,invoice}|bill payment|bill pay|{payer,regler,paiement} {facture,factures}',
    '{pay,payer,regler} {electricity,water,electricite,eau,lydec,redal,amendis,vignette,impots,taxes}|{electricity,water,internet,phone} bill',
    'payer {eau electricite,electricite eau}|facture {lydec,redal,amendis,eau,electricite,internet,telephone}|pay {electricity,water,phone,internet} bill',
    'فاتورة|فواتير|{اداء,دفع,تسديد,خلص,نخلص} {فاتورة,فواتير,ضو,ماء,كهرباء,ضريبة}|ضو',
    '{اداء,دفع} فاتورة {ماء,كهرباء}|فاتورة {ماء,كهرباء,انترنت}',
    'vignette|{pay,payer} {wifi,wifi bill,radeema,redal}|{خلص,نخلص} {ليديك,ويفي}|=خلص ما|=نخلص ما|فاتورة {ليديك,هاتف}|لافينييت',
  ],
  voucher: [
    'voucher|vouchers|gift card|gift cards|{bon,bons} achat|carte cadeau|cartes cadeaux|cheque cadeau|bon cadeau|shopping voucher',
    'carte {netflix,google play,playstation,steam,itunes}|{netflix,google play,playstation,steam,itunes} card|{buy,acheter} {voucher,bon achat,gift card,carte cadeau}',
    'قسيمة|قسائم|قسيمة شراء|قسائم شراء|شراء قسيمة|بطاقة هدية|بطاقات هدايا|كارط كادو',
    'carte psn|get voucher|كارط {بلايستيشن,نتفليكس}',
  ],
  'merchant-payment': [
    'merchant|merchants|commercant|{pay,payer,paiement} {merchant,shop,store,grocer,commercant,marchand,magasin,boutique,epicier}',
    'merchant payment|{scan,scanner} {qr,qr code,code qr}|{pay,payer} {qr,qr code,code qr}|pay {in,at} {shop,store}|payer {dans,en,au} {magasin,boutique}',
    'تاجر|{اداء,دفع,خلص,نخلص} {تاجر,حانوت,مول حانوت}|{مسح,سكاني,نسكاني} {رمز,كود} qr|اداء لدى تاجر',
    '{pay,payer} {shopkeeper,trader,seller,vendeur}|{shop,magasin,boutique} {pay,payer}|حانوت نخلص|ادفع متجر|{اداء,دفع} متجر',
  ],
  'receive-payment': [
    'encaisser|encaissement|encaisser paiement|qr code|code qr|mon qr|my qr|{afficher,show} {qr,qr code}',
    '{receive,request,collect} payment|get paid|receive|recevoir paiement|استلام اداء|استلام|نتخلص|رمز qr',
    'encaisse|encaissez|encaisser client|{generer,generate} qr|faire payer client|{collect,charge customer}|{نستخلص,استخلاص}|{رمز,كود} qr ديالي',
  ],
  statement: [
    'statement|history|operations|releve|historique|transactions|mini statement|account statement|releve compte',
    '{transaction,payment} history|historique {operations,transactions,paiements}|{last,recent,latest,dernieres,derniers,list,liste} {transactions,operations,paiements,mouvements}',
    'mouvements|{what,have} spent|did spend|what spend|ai depense|كشف|كشف عمليات|كشف حساب|عمليات|عملياتي|سجل عمليات|تاريخ عمليات|{اخر,آخر} عمليات|شنو صرفت|فين مشاو فلوسي',
    '{operations,paiements,transactions} {cours,attente}|{pending,current} {operations,payments,transactions}|{عمليات,اداءات} {جارية,معلقة}',
    'last payments|{releve,statement} {mois,month}|history transfers|historique envois|{transactions,operations,depenses} {mois,semaine,month,week}|وريني عمليات|شنو درت',
  ],
  account: [
    'account|compte|manage account|gerer compte|settings|account settings|parametres|reglages|حساب|حسابي|اعدادات',
  ],
  'voucher-codes': ['قسائمي'],
  nothing: [
    'credit|loan|pret|emprunt|كريدي|قرض|سلف|kridi',
    '=id card|carte {identite,nationale,grise,vitale,visite,postale,sejour}|{post,business,sim,memory} card|بطاقة {تعريف,وطنية,رمادية}',
    '=compte sur|=count on|=mon remboursement|=my refund|=remboursez moi|=refund me|=envoie mon cv|=envoyer mon cv|=envoyer un cv|=send my cv|=deposer mon cv|=deposer un cv',
  ],
  profile: [
    '=numero de compte client|=numero client|=customer number|profile|profil|details|personal information|information|informations|infos|donnees|coordonnees|account details|niveau compte',
    'معلوماتي|بياناتي|معلومات|معلوماتي شخصية|ملف شخصي|ملفي شخصي',
  ],
  'pin-change': [
    'pin|{change,modify,update,new,changer,modifier,nouveau} {pin,code,pin code,code pin,secret code,code secret}|changement {pin,code pin}',
    '{تغيير,تبديل,بدل,نبدل} {رمز,رمزي,كود} سري|{بدل,نبدل,تغيير} {كود,رمز}',
    '{autre,different,nouveau} {pin,code,code pin}|{كود,رمز} جديد|رمزا سريا جديدا',
  ],
  'pin-reset': [
    '{forgot,forgotten,lost,reset,remember} {pin,pin code,code}|{pin,code} forgotten|{oublie,perdu,reinitialiser,rappelle} {pin,code,code pin,code secret}',
    '{pin,code,code pin,code secret} {oublie,oubliee}|{dont,don’t,cant,can’t} remember pin|rappelle plus code pin|{نسيت,فقدت} {رمز,رمزي,كود}|{نسيت,فقدت} {رمز,رمزي,كود} سري|عقلتش كود',
    'mot passe oublie|oublie mot passe|{dont,don’t} remember code|not remember {pin,code}|connais plus {pin,code}|نسيت {قن,قن سري,كلمة سر}|اتذكر رمز|لا اتذكر رمز سري',
  ],
  closing: [
    '{close,delete,fermer,cloturer,supprimer} {account,wallet,compte,portefeuille}|resilier|{اغلاق,حذف,نسد} {محفظتي,محفظة,حساب,حسابي,كونط}',
  ],
  unlink: [
    'unlink|unlink chat|disconnect|log out|logout|sign out|dissocier|dissocier conversation|delier|delier compte|deconnecter|deconnexion',
    'الغاء ربط|الغاء ربط محادثة|تسجيل خروج|خروج',
  ],
  language: [
    'language|langue|{change,changer} {language,langue}|{speak,parler} {arabic,french,english,arabe,francais,anglais}|arabic|french|english',
    'arabe|francais|anglais|switch {french,arabic,english}|لغة|{تغيير,بدل} لغة|فرنسية|عربية|انجليزية|بدل لغة فرنسية',
  ],
  help: [
    '=comment ca marche|=ca marche comment|=how does it work|=comment ca fonctionne|=كيفاش كيخدم هادشي|help|aide|aidez|mode emploi|au secours|secours|need help|besoin aide|comment marche|how work|does work|instructions|commands|commandes',
    'peux faire|{you,can} do|what do|ne comprends pas|comprends pas|don’t understand|dont understand|que faites',
    'مساعدة|ساعدني|ساعدوني|عاونني|عاونوني|فهمتش|لم افهم|ماذا تفعل|ماذا يمكن تفعل|شنو تدير|شنو كتقدر تدير|كيفاش كيخدم',
  ],
  // Customers who were robbed or cheated, or whose money has not arrived: the help freezes, suspends a card and calls a person.
  urgent: [
    'arnaque|arnaques|arnaquer|arnaquee|escroquerie|escroc|escroque|fraude|fraud|scam|scams|scammed|scammer|hacked|robbed|piratage|vole|vole argent|vole sous|suis fait {arnaquer,voler,escroquer}',
    'argent {disparu,envole}|disparu argent|money {disappeared,gone,vanished}|فلوسي {مشات,مشاو,ضاعت,ضاعو,اختفت}|{مشات,ضاعت,ضاعو,اختفت} {فلوسي,فلوس}|flousi {mchat,mchaw,daw}',
    '{stole,stolen,took} money|money stolen|نصب|احتيال|نصاب|سرقني|سرقوني|تسرقت|{سرقو,سرق,سرقوا,سرقات} {فلوس,فلوسي,مال}|واحد سرقني|{نصب,نصبو} عليا|واحد نصب',
    'sr9ni|sr9oni|sre9ni|tsre9t|{sr9o,sre9,tsre9o,tsr9o} {flous,flousi,lflous}|{wahed,wa7ed} {sr9ni,sre9ni,nsab}|nsab|nsabo|nsseb|nesbo|nasb|lnasb',
  ],
  adviser: [
    '=j ai un probleme|=j ai un souci|=i have a problem|=un probleme|agent|adviser|advisor|human|conseiller|humain|customer {service,support}|support|call center|service client|{talk,speak} {agent,someone,human,person,adviser,advisor}',
    '{parler,contacter,joindre} {conseiller,humain,agent,service client}|parler quelqu un|complaint|complain|reclamation|deposer reclamation|have problem|ai probleme|contact adviser',
    'مستشار|موظف|شكاية|عندي مشكل|عندي مشكلة|لدي مشكلة|خدمة زبناء|{تحدث,نهضر} {مستشار,شخص,شي واحد}',
    '=conseiller ou reclamation|=adviser or complaint|=مستشار أو شكاية|passez conseiller|personne reelle|real person|=call me|someone call|{تكلم,تحدث} موظف|عيطو',
  ],
  menu: [
    'menu|main menu|menu principal|accueil|home|start|{back,retour} menu|قائمة|قائمة رئيسية|رئيسية|منيو|رجوع قائمة',
  ],
  back: [
    'back|go back|previous|return|previous page|retour|revenir|arriere|page precedente|رجوع|ارجع|رجع|وراء|سابق',
  ],
  cancel: [
    'cancel|stop|abort|never mind|nevermind|annuler|annule|abandonner|laisse tomber|annuler demande|الغاء|الغي|الغ|الغ عملية|حبس|صافي حبس|بلاش',
  ],
  'cash-in': [
    'verser {cash,especes,liquide}|deposit|depot|cash in|deposer|versement|{make,faire} {deposit,depot}|deposit {money,cash}|{deposer,verser,ajouter} argent|depot argent',
    '{load,add,fund,put} {money,wallet}|{add,put} money wallet|{alimenter,charger} {compte,portefeuille}|mettre argent compte|mettre argent',
    'ايداع|ايداع مال|ايداع نقدي|{نحط,ندخل} فلوس|{تعبئة,شحن} محفظة|نعمر {كونط,محفظة}',
    '{deposer,depot} {cash,especes}|verser|verser compte|put {money,cash}|اودع|نحط|نزيد فلوس|نزيد فلوس حساب|ديبو|depot agent',
  ],
  'cash-out': [
    'withdraw|withdrawal|cash out|retrait|retirer|{withdraw,get,take out} {money,cash}|take money out|{make,faire} {withdrawal,retrait}|{retirer,sortir,retrait} argent|get cash',
    'سحب|سحب مال|سحب نقدي|نجبد|{نجبد,نخرج} فلوس',
    '{retirer,retrait} {cash,especes}|retire|cash withdrawal|withdrawal agent|جبد|روتري',
  ],
  'bank-transfer': [
    'bank transfer|wire transfer|virement|virement bancaire|faire virement|virement {rib,banque}|{send,transfer,envoyer} {rib,bank,bank account}',
    'envoyer banque|تحويل بنكي|تحويل بنك|تحويل حساب بنكي|تحويل rib|فيرمون|تحويلا بنكيا',
    '{send,transfer,wire} money {bank,bank account,cih,attijari,bmce,chaabi,rib}|wire {bank,bank account}|wire|{envoyer,transferer} argent {banque,rib,cih,attijari}|{transfert,virement,transfer} {bancaire,banque,compte bancaire,cih,attijari}',
    '{صيفط,نصيفط,نحول,نرسل} {بنك,ريب}|{نصيفط,نحول,نرسل,تحويل} {فلوس,مال} بنك|تحويل حسابي بنكي|تحويل {حسابي,حساب}|بنك',
  ],
  beneficiaries: [
    'beneficiaries|beneficiaires|{manage,list,liste,gerer} {beneficiaries,beneficiaires}|contacts|saved recipients|مستفيدون|مستفيدين|لائحة مستفيدين|جهات اتصال',
    'beneficiary|beneficiaire|{add,remove,delete,new} {beneficiary,recipient,saved recipient}|{ajouter,supprimer,nouveau} beneficiaire|مستفيد|{اضافة,نزيد,حذف,وريني} {مستفيد,مستفيدين}|مستفيد جديد|مستفيدون مسجلون',
  ],
  upgrade: [
    'upgrade|upgrade {account,level}|{increase,raise} limit|limit|level|plafond|niveau|{augmenter,quel} {plafond,niveau}|passer niveau|niveau 2|سقف|سقفي|{رفع,زيادة} {سقف,سقفي}|مستوى|بلافون|نطلع بلافون',
    'augmentation plafond|{higher,low} limit|{رفع,نزيد,زيادة} {سقف,مستوى}',
  ],
  cards: [
    'card|cards|carte|cartes|bank card|carte bancaire|{activate,activer} {card,carte}|بطاقتي|بطاقاتي|تفعيل بطاقة|كارط',
    '{unblock,debloquer} card|{unblock,debloquer} carte',
    // Customers who have suspended a lost card are told to do this once they find it.
    '{reactivate,reactivating,reactiver,reactivez,reactive} {card,carte}|reactivation carte|{اعادة,اعادت,نعاود} تفعيل {بطاقة,بطاقتي,كارط}|{اعيدو,فعل,نفعل} {بطاقة,بطاقتي,كارط}',
  ],
  'card-payments': [
    '{reserved,blocked,held} {amount,amounts}|{montant,montants} reserves|montant reserve|{release,collect} {reservation,reservations,reserved amount,reserved amounts}',
    '{liberer,libere,liberez,encaisser,annuler} {reservation,reservations,montant reserve,montants reserves}|liberation reservation',
    '{مبلغ محجوز,مبالغ محجوزة}|{الغاء,تحصيل,نحيد,نلغي} {حجز,مبلغ محجوز,مبالغ محجوزة}',
  ],
  documents: [
    'kyb|{dossier,documents,file,documents for} kyb|kyb {dossier,documents}|ملف kyb|{وثائق,وثيقة} kyb',
  ],
  'card-order': [
    '{order,new} card|{commander,nouvelle} carte|طلب بطاقة|بطاقة جديدة',
    '{request,order} bank card|{demander,commander} {carte,carte bancaire}|request card|{نكوموندي,طلب} كارط|طلب بطاقة بنكية',
  ],
  'lost-card': [
    '{lost,stolen} card|card {lost,stolen}|card was stolen|block card|carte {perdue,volee}|{perdu,vole,bloquer,opposition} carte|bloquer carte bancaire|opposition',
    '{ضاعت,فقدت,سرقت,تسرقات,ايقاف,بلوكي} {بطاقتي,كارط,بطاقة}',
    '{lost,stolen,block,stole} {card,bank card}|{cant,not} find card|someone stole card|card {has been stolen,been stolen}|{perte,vol,retrouve plus} carte|carte ete volee|perdu carte bancaire',
    '{ضاعت,فقدت,سرقت,تسرقات,تلفات,سرقو,نبلوكي,لقيتش,تعرض} {بطاقتي,كارط,بطاقة}|{كارط,بطاقة,بطاقتي} {ضاعت,تلفات,تسرقات,مفقودة,مسروقة,ضائعة}|سرقت مني بطاقة',
  ],
  freeze: [
    'freeze|freeze {account,wallet}|{block,bloquer} {account,wallet,compte,portefeuille}|geler|gele|geler compte|phone was stolen|lost phone|{vole,perdu} telephone',
    'تجميد|وقف|{تجميد,وقف,بلوكي} {حساب,محفظتي,محفظة}|تسرق تيليفون',
    'suspend {account,wallet}|suspendre {compte,portefeuille}|gelez|gelez compte|phone {is lost,lost,stolen}|{stole,lost} phone|bloquez tout|{جمد,جمدو,نجمد,وقفو,وقف} {حساب,كونط,محفظة}|{سرقو,ضاع} {تيليفون,هاتفي}',
  ],
  rib: [
    '=send me my rib|=give me my rib|=envoyez moi mon rib|=envoie moi mon rib|=صيفط ليا ريب ديالي',
    '=numero de compte|=account number|=رقم حساب|=رقم الحساب|=رقم حسابي|releve identite bancaire|كشف هوية بنكية|{تعريف,هوية} بنكي|{whats,find,trouver,besoin,donnez,donne,give,نلقا,رمز} {rib,ريب}',
  ],
  'card-cash-in': [
    '{add,load,deposit} {money,wallet} {card,bank card}|{load,deposit} {card,bank card}|{alimenter,charger} {portefeuille,compte} {carte,carte bancaire}|{alimenter,depot,deposer} {carte,carte bancaire}|{تعبئة,شحن} محفظة بطاقة|{شارجي,نشارجي} كارط|ايداع بطاقة بنكية|ايداع بطاقة',
  ],
};

/** Lines that ask for something only where they stand alone: `une personne` is also who is paid, and `j'ai bien reçu` thanks. */
export const WHOLE_OF: Readonly<Record<string, string>> = {
  statement:
    'recu|recus|un recu|le recu|mon recu|mes recus|dernier recu|mon dernier recu|mes derniers recus|receipt|receipts|my receipt|my receipts|last receipt|وصولات|وصولاتي|الوصل|اخر وصل|اخر الوصولات|لوصل',
  adviser: 'personne|une personne|une vraie personne|person|a person|someone|شخص|شي واحد',
};

/** Words that name the person, or the complaint to one. Other words for help lead to the page with that choice. */
export const PERSONS: readonly string[] = [
  'conseiller|conseillere|adviser|advisor|human|humain|person|personne|someone|quelqu|complaint|complain|reclamation',
  'مستشار|شخص|شكاية|واحد|موظف|chikaya|nchki|mostachar',
];

/** The same in Darija written with Latin letters, where vowels are anybody's guess: compared by their consonants. */
export const DARIJA_OF: Readonly<Record<string, readonly string[]>> = {
  transfer: [
    'sift|nsift|nsifet|sifet|n7awel|7wel|nersel|rsel|b3at|nb3at|{sift,nsift,n7awel,nersel,nb3at,b3at,n3ti,envoyer} flous|nsift argent|ndir transfert',
    'siftli|{sifet,nsifet} flous',
  ],
  balance: [
    'rassid|solde|sold|ch7al 3ndi|ch7al b9a|ch7al solde|ch7al compte|3ndi flous|ch7al 3ndi flous|ch7al 3ndi compte|chhal 3ndi|chhal bqa',
    'ch7al {wallet,lwallet}|ch7al mazal|ch7al mazal 3ndi|chhal baqi|n3raf solde',
  ],
  'top-up': [
    'recharge|nrecharge|rechargi|nrechargi|chargi|nchargi|rocharge|recharj|ta3bi2a|ta3bia|{charger,3emer,n3emer,nrechargi} telephone|n3emer tilifoun|solde telephone|sala solde telephone|3mmer|nechri recharge|ndir recharge',
    '{rechargi,nrechargi,chargi} {nmra,nemra}|3emmer tilifoun|{sift,nsift} recharge|carte recharge|salaw unités|nrechargé tilifoun',
  ],
  'bill-payment': [
    'factura|fatoura|facture|fawatir|{nkhelles,khelles,khlass} {factura,facture,fatoura,dow,lma,internet,lydec,lma w dow}|lma w dow|facture {dow,lma,wifi,lydec}',
    '{nkhelles,khelles} {wifi,radeema,tilifoun,lfactura,lfatoura}|{lfatoura,fatoura} dow|nkhelles dow o lma|vignette',
  ],
  voucher: ['carte cadeau|bon dachat'],
  'merchant-payment': [
    '{nkhelles,khelles} {moul l7anout,l7anout,moul lhanout,lhanout,commercant,lmarchand,qr}|{nscanni,scanner} qr',
    '{l7anout,lhanout} nkhelles|nkhelles lqr',
  ],
  'receive-payment': [
    'ntkhelles|nched flous|qr dyali|qr',
    'werrini qr|encaissi|encaisser|nched flous client',
  ],
  statement: [
    'l3amaliyat|akhir l3amaliyat|chno sreft|fin mchaw flousi|historique|relevé',
    'l7araka|fin mcha flousi|chno dert',
  ],
  account: ['compte|lcompte|7sabi|l7sab'],
  profile: ['ma3loumati|lm3loumat|infos|profil'],
  'pin-change': ['{nbedel,bedel,changer} {code,lcode,pin,code pin,code secret}', 'code jdid'],
  'pin-reset': [
    '{nsit,tlef} {code,lcode,pin,code pin}|ma3qeltch code|ma3qeltch',
    'nsit mot passe|b9itch 3a9el|b9itch 3a9el 3la lcode',
  ],
  closing: ['{nsed,sed,nferme} {compte,lcompte}', '{nsed,nhayed} {lwallet,wallet,compte,lcompte}'],
  unlink: ['nkhrej|deconnecter'],
  language: ['lougha|logha|{bedel,beddel} {lougha,logha}|l3arbiya'],
  help: [
    '3awnni|3aweni|3awnouni|mosa3ada|mafhemtch|ma fhemtch|kifach kheddam|chno katdir|chno t9der dir|katdir',
  ],
  adviser: [
    'nhder chi wa7ed|nhder conseiller|nchki|chikaya|3ndi mouchkil|3ndi probleme|mostachar',
    '3ayto|yjawbni',
  ],
  menu: ['lmenu|rje3 menu|la9i2ima'],
  back: ['rje3|lor|rje3 lor'],
  cancel: ['7bes|hbes|safi 7bes|annuli|khelliha'],
  'cash-in': [
    'n7et|{n7et,ndakhel} flous|ndir depot|{n3emer,3emer} {compte,lcompte}|i7da3|depot',
    'n7ot lflous|n7et compte|n7et flous lcompte|nzid flous|nzid flous compte|nversi flous|depot 3nd agent',
  ],
  'cash-out': [
    'njbed|jbed|{njbed,jbed,nkherrej,ns7ab} flous|ndir retrait|s7ab|ns7ab',
    'nretiri|nretirer|{nretiri,nretirer} flous|njbed lcash',
  ],
  'bank-transfer': [
    'virement|ndir virement|{nsift,sift,n7awel,virement} {rib,banka}',
    '{nsift,sift,n7awel} flous {banka,lbanka,compte,compte bancaire}|nvirer banka|nvirer',
  ],
  beneficiaries: [
    'beneficiaires|mostafidin',
    '{nzid,nhayed,werrini} beneficiaire|{nzid,nhayed,werrini} beneficiaires|beneficiaire',
  ],
  upgrade: ['plafond|{ntelle3,telle3,nzid} plafond|niveau', '{nzid,ntelle3} niveau'],
  cards: [
    'carte|lcarta|activer carte',
    'nactivi {carte,lcarte,lacarte}',
    '{reactiver,nreactivi,nreactiver,n3awed nactivi} {carte,lacarte,lcarte}',
  ],
  'card-payments': ['{nlibirer,liberer,nhayed} {reservation,lreservation}|flous {reservi,reserves}'],
  'card-order': ['ncommande carte', 'ncommandi carte'],
  'lost-card': [
    '{tlfat,dat,tsr9at,bloquer,nbloki,bloki} carte|carte tsre9at',
    '{telfat,tlfat,dre9t,sr9o,mal9itch,nbloquer,da3et,nwe99ef} {carte,lacarte,lcarte}|carte {tlfat,tser9at}',
  ],
  freeze: [
    '{we99ef,wa9ef,bloki,nbloki,jemmed} {compte,lcompte}|tsre9 telephone',
    '{njemmed,ngeler,nwe99ef,geler} {compte,lcompte}|{sr9o,tlef} {telephone,tilifoun}|nwe99ef kolchi',
  ],
  rib: [
    '=sift liya rib dyali|=3tini rib dyali|{nl9a,fin,howa,werrini} rib|fin nl9a rib|chno howa rib|nmra lcompte',
  ],
  'card-cash-in': ['{n3emer,3emer} {compte,lcompte} {carte,lacarte}|{n7et,ndakhel} flous {carte,lacarte}'],
};

/** Words of greeting and of thanks. Beside another request they carry nothing. */
export const GREETINGS: readonly string[] = [
  'hello|hi|hey|good|morning|evening|afternoon|there|bonjour|bonsoir|salut|coucou|slt|bjr|cc|tous',
  'سلام|عليكم|ورحمه|ورحمة|الله|صباح|مساء|خير|نور|مرحبا|اهلا|salam|slm|3likom|3alaykom|alaykoum|ahlan|sba7|msa|lkhir|labas|cv',
];
export const THANKS: readonly string[] = [
  'thanks|thank|thx|merci|beaucoup|you|very|much|o|great|super|parfait|ok|bien|a lot|very much|جزيلا|شكرا|تشكر|بارك|فيك|يخلف|بزاف|يجازيك|infiniment|jazilan|jazila',
  'chokran|choukran|bzaf|barak|laho|allaho|fik|lah|ykhlef|tbarkellah|3lik|bcp|lot|gentil|cheers|yrham|lwalidin|يرحم|والدين',
];
/** Without one of these nobody has thanked. */
export const THANKING: readonly string[] = [
  'thanks|thank|thx|merci|شكرا|تشكر|بارك|يخلف|يجازيك|chokran|choukran|barak|ykhlef|tbarkellah|cheers|yrham|يرحم',
];

/** Words that agree and ask for nothing. They never confirm a payment. */
export const FINE: readonly string[] = [
  'ok|okay|okey|oki|okk|kk|d accord|daccord|dac|tres bien|bien recu|parfait|super|nickel|cool|entendu|compris|ca marche|top|genial|great|perfect|fine|all right|alright|got it|good|nice|understood|no problem|pas de probleme|pas de souci',
  'ماشي مشكل|ماشي مشكيل|machi mochkil|mochkil makaynch|واخا|وخا|صافي|مزيان|تمام|حسنا|طيب|اوكي|ممتاز|جيد|wakha|waxa|w5a|safi|mzyan|mezyan|mziane|tamam|top',
];
export const FAREWELLS: readonly string[] = [
  'take care|bye|bye bye|goodbye|good bye|au revoir|aurevoir|a bientot|a plus|a plus tard|a demain|bonne journee|bonne soiree|bonne nuit|adieu|ciao|tchao|see you|see you later|good night|have a good day',
  'في امان الله|الله يعاون|lay3awen|lah y3awen|مع السلامة|بسلامة|بالسلامة|وداعا|الى اللقاء|تصبح على خير|تهلا|تهلاو|يومك سعيد|bslama|beslama|bessalama|m3a slama|thalla|tehla|thallaw|tsba7 3la khir|layla sa3ida',
];

/** For the writer, the recipient, or politeness. None of them may change the request. */
export const CARRIERS: readonly string[] = [
  'i|d|m|me|my|you|your|it|this|the|a|an|of|for|to|in|on|at|with|by|from|is|s|what|are|do|does|can|could|would|like|want|need|please|how|tell|show|see|view|check|let|some|here|now|current|number|was|am|be',
  'je|j|jveu|jeveux|savoir|dis|dites|tu|il|on|vous|moi|toi|mon|ma|mes|ton|ta|le|la|les|l|un|une|des|du|de|d|a|au|aux|en|vers|pour|sur|dans|par|avec|chez|qu|que|quel|quelle|est|ce|c|quoi|ca|sont|ete|quels|quelles|maintenant|vite|rapidement|urgent|tout de suite',
  'veux|voudrais|souhaite|peux|peut|puis|dois|aimerais|faut|svp|stp|s|te|plait|sil|plaît|voir|consulter|afficher|donne|donnez|montre|connaitre|verifier|comment|faire|numero|acheter|dh|dhs|mad|dirham|dirhams|t',
  'اريد|ارغب|احتاج|بغيت|من|فضلك|عافاك|عفاك|الى|على|في|ف|ل|ب|د|ديال|ديالي|الخاص|بي|هذه|هذا|ما|هو|هي|كيف|كيفاش|واش|نقدر|ندير|نشوف|نعرف|شوف|عطيني|عرض|معرفة|اود|اطلاع|رؤية|ليا|لي|مبلغ|رقم|درهم|دراهم|درهما|مع|شي',
  'pls|plz|u|ur|wanna|gonna|id|slt|jveux|jvx|jvoudrais|vx|px|g|koi|besoin|jai|ai|bien|whats|مني|منا|عافاكم|المرجو|خاصني|ان|انا|شوية|كنبغي|وريني|ورينا|هادشي|دابا|الان|اليوم|ضروري|بسرعة|ليه|ليها|داك|هاد',
  'khassni|khasni|bghina|nchof|nchouf|nshouf|dir|had|hadi|hada|men|mn|hna|chwiya|chno|chnou|b',
  'bghit|werini|wariini|wrini|3afak|3fak|afak|dyal|dyali|d|f|b|l|n|liya|lia|wach|n9der|kifach|kifash|chouf|nchouf|n3ref|3tini|wari|warini|werrini|n3raf|les|m3a|dh|chi|daba|lih|liha|dyalha|dyalo',
];

/** With one of these words the customer may want the opposite. */
export const NEGATIONS: readonly string[] = [
  'not|dont|never|cannot|cant|without|no|nothing|minus|less|why|too|wrong',
  'ne|n|pas|jamais|sans|rien|non|aucun|moins|pourquoi|trop|fausse|faux|chere|cher',
  'لا|لن|لم|ليس|بدون|والو|بغيتش|تصيفطش|علاش|لماذا|غالي|غاليه|غالية',
  'mabghitch|bghitch|walo|ma|tsiftch|machi|bla|3lach|ghali|ghalya|mazal',
];

/** Words of money that was sent, and of its arrival. With a "not" beside them it is missing. */
export const SENT_MONEY: readonly string[] = [
  CONCEPTS.money,
  'destinataire|recipient|مستفيد|virement|transfert|envoi|paiement|versement|somme|montant|transfer|payment|مبلغ|مبالغ|تحويل|حوالة|bla9a|l7awala|lvirement|ltransfert',
];
export const ARRIVING: readonly string[] = [
  'arrive|arrivee|arrives|arrivees|arriver|recu|recue|recus|recois|arrived|receive|received|reached|تصل|يصل|وصل|وصلت|وصلات|وصلو|وصلني|تصلني|يصلني|تصله|يصله|توصل|توصلت|توصلنا|اتوصل|استلم|استلمت|يستلم|wsel|wslat|weslat|wslo|wslou|wslatni|wslni',
];
export const NOT_ARRIVED: readonly RegExp[] = [
  /^(?:ما|م)?[تي]?وصل\p{L}*ش$/u,
  /^(?:ma?)?t?w[aei]?s+[aei]?l\w*ch$/,
];

/** Beside one of these words an amount is not exact: `environ 200`, `some 200`, `شي 200`. */
export const VAGUE: readonly string[] = [
  'some|about|around|roughly|approximately|approx|almost|nearly|couple|few|dozens|hundreds|thousands|half|max|maximum|least',
  'environ|peu|pres|quelque|quelques|autour|alentours|presque|dizaine|vingtaine|trentaine|quarantaine|cinquantaine|centaine|dizaines|centaines|milliers|demi|moins',
  'تقريبا|حوالي|زهاء|نحو|قرابة|بضع|بضعة|شي|شوية|نص|نصف|تقريب',
  'chi|chwiya|ta9riban|taqriban|t9riban|hawali|7awali|noss|nos|noç',
];

/** Words between two things of which a customer wants one. */
export const ALTERNATIVES: readonly string[] = ['or|ou|او|أو|ولا|wla|aw|ola'];

/** Words between two things of which a customer wants both. */
export const AND: readonly string[] = ['et|puis|and|then|و|ثم|o|w|ou mn b3d'];

/** Words before the person or the place that something goes to. */
export const TOWARDS_SOMEBODY: readonly string[] = ['a|au|aux|vers|pour|chez|to|for|l|ل|الى|عند|3nd|lil'];

/** Words that are near to one of a deed, and mean something else. */
export const LOOKALIKES: readonly string[] = [
  'vraiment|argent|retard|content|contente|merci|message|messages|chargeur|chargeurs|soldes',
];

/** Words for the person who is paid. */
export const RELATIVES: readonly string[] = [
  'soeur|frere|mere|pere|maman|papa|cousin|cousine|ami|amie|oncle|tante|fils|fille|femme|mari|copain|copine|pote|voisin',
  'sister|brother|mother|father|mum|mom|dad|friend|wife|husband|son|daughter|uncle|aunt|neighbour',
  'khti|khtia|khoya|khouya|mama|baba|lwalida|lwalid|sa7bi|sa7bti|mrati|rajli|weldi|wldi|bnti|3ammi|khali|jari|nmra|nemra|lnmra',
  'ختي|اختي|خويا|اخي|ماما|امي|بابا|ابي|والدة|واليدة|واليد|صاحبي|صاحبتي|مراتي|زوجتي|راجلي|زوجي|ولدي|ابني|بنتي|ابنتي|عمي|خالي|صديقي|جاري',
];
