import { normalised, plain } from '../../wallet/letters.ts';
import { NUMBER } from './plain-text.ts';
import { wordsIn } from './spelling.ts';

/** Conversations in which money goes to another person. A request for the writer is the other way round there. */
const OUTGOING: ReadonlySet<string> = new Set(['transfer', 'bank-transfer', 'merchant-payment']);

const words = (list: string): string => list.replaceAll(' ', '|');
const DONE = words(
  'envoye transfere vire verse depose retire recharge charge alimente paye regle encaisse donne prete passe rendu mis recu pris sorti recupere credite debite ajoute fait effectue acquitte rembourse ete',
);
/** Stems of Darija in Latin letters, as loosely as they are spelt. The ending of the past comes behind them. */
const STEMS =
  's[aeiy]*f+[aei]*t r+s+[ae]*l b3[ae]*t (?:7|h)[ae]*w+[ae]*l jb[ae]*d s(?:7|h)[ae]*b (?:kh|5)[ae]*l+[ae]*s 3[ae]*m+[ae]*r [ks]?red+'.replaceAll(
    ' ',
    '|',
  );
const ARABIC_STEMS = words(
  'صيفط سيفط رسل ارسل بعث حول خلص جبد سحب استلم توصل دفع اديت اودع اضف سدد عط عمر خرج',
);

/** Words that say that it is over. Lines are plain: lower case, Latin digits, without accents and hamzas. */
const PAST: readonly RegExp[] = [
  // French: `j'ai envoyé`, `on m'a bien rechargé`, `a envoyé`, `g déposé`.
  new RegExp(
    `(?:^| )(?:g|jai|ai|as|a|avons|avez|ont|avais|avait|avions|aviez|avaient|est|ete)(?: (?:deja|bien|lui|leur|encore|juste|tout|ete|aussi|hier|pas|meme))* (?:${DONE})(?:e|s|es)?(?: |$)`,
  ),
  /(?:^| )(?:viens|vient|venons|venez|viennent) (?:d|de)(?: |$)/,
  /(?:^| )(?:hier|avant hier|yesterday|ago|البارح|البارحه|البارحة|امس|lbare7|lbareh|lbar7)(?: |$)/,
  // English.
  /(?:^| )(?:sent|withdrew|withdrawn|deposited|transferred|transfered|wired|recharged|received|loaded|topped|added|gave|given|took|did|made|been|already)(?: |$)/,
  /(?:^|(?<!(?:^| )(?:get|getting|be)) )paid(?: |$)/,
  // Arabic: `أرسلت`, `صيفطتها`, `درت`, `تم إرسال`.
  new RegExp(`(?:^| )و?(?:${ARABIC_STEMS})(?:ت|نا|ات)(?:و|ي|ها|ه|هم|لو|لها|له|لهم|ليه|ليها|لك|ليك)?(?: |$)`),
  /(?:^| )(?:تم|تمت|لقد|قد|سبق|درت|دارت|دار|حطيت|شارجيت|عبيت|عبات|وصلني|وصلتني|وصلاتني|اديت|اعطيت|عطيت|زدت|ديجا|فيريت)(?: |$)/,
  // Darija in Latin letters: `siftt`, `jbedt`, `khelleset`, `7ettit`, `rechargit`.
  new RegExp(`(?:^| )(?:${STEMS})(?:e?t|na|at)(?:i|o|h|ha|hom|lo|lha|lih|liha|lek|lik|lhom)?(?: |$)`),
  /(?:^| )(?:dert|drt|dart|3tit|7ett?it|7ttit|7tit|7ett|7etet|dakhelt|zedt|zdt|(?:re)?char[gj]it|virit|versit|retirit|deja|weslni|wselni|weslatni|jatni|jani)(?: |$)/,
];

/**
 * A participle by itself, as its accent tells it from the order: `envoyé 100 à …`. Without one it is how many write `envoyez`, but for
 * what nobody orders: `reçu`. Behind a wish it is a verb as people type it: `je veux envoyé`.
 */
const DONE_ALONE =
  /(?<!\p{L})(?:(?<!(?:veu[xt]|vx|voudrais|aimerais|souhaite|peu[xt]|puis|dois|doit|faut|besoin d[e'’])\s*)(?:envoy|transf[eé]r|vir|vers|d[eé]pos|retir|recharg|charg|aliment|pay|r[eé]gl|encaiss|donn|pr[eê]t|pass|r[eé]cup[eé]r|cr[eé]dit|d[eé]bit|rembours|acquitt)é|re[çc]u)e?s?(?!\p{L})/iu;

/** Words that say that it is for the writer. */
const TO_ME: readonly RegExp[] = [
  // `envoie-moi`, `send me`, but not `aide-moi à envoyer` or `moi je veux envoyer`.
  /(?:^|(?<!(?:^| )(?:let|help|aide|aider|aidez|laisse|laissez|permets|permettez|excuse|excusez|dis|dites)) )(?:me|moi)(?! (?:je|j|aussi)(?: |$))(?: |$)/,
  // `il m'envoie`, but not `I'm sending`.
  /(?:^|(?<!(?:^| )i) )m(?: |$)/,
  /(?:^| )(?:us|liya|lia|lya|li|lina|ليا|لي|لينا|لنا|عطيني|عطني|اعطني|اعطيني|عطاني|عطاوني|3tini|3tani|3tawni)(?: |$)/,
  /(?:^| )\p{L}*(?:envoy|envoi|vir|transfer|donn|pass|vers|pay|pret)\p{L}* nous(?: |$)/u,
  // `sifetliya`, `صيفطليا`.
  /(?:^| )\p{L}*(?:f+[aei]*t|صيفطو?|سيفطو?|رسلو?|بعثو?|حولو?|دفعو?)(?:liya|lia|lya|ليا|لي|لنا|لينا)(?: |$)/u,
  // `de 06…`, `mn 3nd 06…`. Before anything else `de` stands for an amount.
  /(?:^| )(?:de|du|from|mn|min|men|من)(?: (?:chez|la part de|la part du|3nd|3end|and|عند|الرقم|رقم|numero|le numero|number|the number))* #/,
];

/**
 * Tells whether a line speaks of something that has been done, or of money for the writer: `j'ai envoyé 100 à …`, `on
 * m'a envoyé 100 de …`, `sifet liya 100`. Neither is an order to pay, so nothing of it may be filled into that
 * conversation.
 */
export function isNoOrder(text: string, machine: string): boolean {
  if (DONE_ALONE.test(text.normalize('NFC'))) return true;
  const line = wordsIn(plain(text).replaceAll(NUMBER, ' # ')).join(' ');
  return PAST.some((past) => past.test(line)) || (OUTGOING.has(machine) && isForWriter(line));
}

/** True for words about money that comes to the writer: `on m'a envoyé`, `sift liya`. */
export function isForWriter(line: string): boolean {
  return TO_ME.some((me) => me.test(line));
}

const LATER = new RegExp(
  `(?:^| )(?:${[
    ...[
      'demain',
      'plus tard',
      '(?:semaine|mois) prochaine?',
      '(?:chaque|tous les) (?:mois|semaines?|jours?)',
    ],
    ...['tomorrow', 'later', 'next (?:week|month)', 'every (?:day|week|month)'],
    ...['ghe?dd?a', 'lghe?dd?', 'mn b3d', 'men be3d', 'kol chhe?r'],
    ...[
      'غدا',
      'بعد غد',
      'غدوه',
      'غده',
      'من بعد',
      'لاحقا',
      'كل (?:شهر|اسبوع|يوم)',
      '(?:الاسبوع|الشهر) القادم',
    ],
  ].join('|')})(?: |$)`,
);

/** Tells whether a line asks for a payment on another day. Nothing goes out today by surprise. */
export function isForLater(text: string): boolean {
  return LATER.test(wordsIn(normalised(text)).join(' '));
}
