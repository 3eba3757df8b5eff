import type { Expected, Screen, Values } from '../../../../machines/kit/screen.ts';
import { isNearly, normalised } from '../../../wallet/letters.ts';
import { wordsIn } from '../../shortcuts/spelling.ts';

/** The labels of a screen's buttons in every language: a customer may write in another one than they read. */
export type LabelsOf = (screen: Screen) => readonly { readonly id: string; readonly label: string }[];

/** The meaning of a label: a choice of the screen, or one of the moves that every chat has below it. */
export type Labelled =
  | { readonly kind: 'choice'; readonly id: string }
  | { readonly kind: 'way'; readonly to: Way }
  /** It could be two of them. */
  | { readonly kind: 'either' };
type Way = 'back' | 'menu' | 'help' | 'cancel';

/** The buttons that chats show besides a screen's own, and the word that gives up. */
const WAYS: Screen = {
  key: 'nav.menu',
  expects: 'nothing',
  choices: [
    { id: 'back', key: 'nav.back' },
    { id: 'menu', key: 'nav.menu' },
    { id: 'cancel', key: 'pay.cancel' },
    { id: 'help', key: 'nav.help' },
  ],
};
/** If any word may be the answer, help may be one: the reason of a transfer. */
const WAYS_FROM_WORDS: Screen = { ...WAYS, choices: WAYS.choices?.slice(0, 3) ?? [] };
const YES_WORDS = 'oui|yes|نعم|ايه|اه|iyeh';
const NO_WORDS = 'non|no|لا|la|non merci|pas maintenant|not now|ماشي دابا|ليس الان|machi daba';
const SAVE_WORDS = 'enregistrer|sauvegarder|save|save it|حفظ|احفظ|سجل';
/**
 * Other words for a choice. A consent is explicit: a word that says so, or that answers the question with yes. A payment is
 * asked about with yes or no before its PIN. `ok` is typed to go on, and is asked back. To decline takes nothing, and any word for it
 * does.
 */
const SAID_AS_WELL: Readonly<Record<string, string>> = {
  'consent.agree': [
    "oui|yes|d'accord|نعم|واخا|wakha|accepte|je les accepte|j'accepte les conditions|je suis d'accord|agree|accept|i accept|i agree to them",
    'موافق|موافقة|انا موافق|انا موافقة|اقبل|كنوافق|متافق|متفق|kanwafe9|mwafe9|mtafe9|mettafe9',
  ].join('|'),
  'consent.decline':
    "non|refuse|no|لا|je n'accepte pas|i dont agree|i don't agree|ما موافقش|مموافقش|ma mwafe9ch|mamwafe9ch",
  'voucher.me': "moi|pour moi|c'est pour moi|for me|me|ليا|لي|لنفسي|liya",
  'voucher.gift': [
    "un cadeau|cadeau|c'est un cadeau|offrir|je veux offrir|pour offrir|à offrir|a gift|it's a gift|for somebody else|هدية|كادو|kado",
    ...[
      'ma soeur',
      'mon frère',
      'ma mère',
      'mon père',
      'maman',
      'papa',
      'un ami',
      'une amie',
      'ma femme',
      'mon mari',
    ]
      .concat(['ma fille', 'mon fils', 'mon cousin', 'ma cousine', 'un proche', "quelqu'un"])
      .flatMap((who) => [`pour ${who}`, `c'est pour ${who}`]),
    ...['my sister', 'my brother', 'my mother', 'my father', 'a friend', 'my wife', 'my husband', 'my son']
      .concat(['my daughter', 'someone', 'mum', 'mom', 'dad'])
      .flatMap((who) => [`for ${who}`, `it's for ${who}`]),
    'لختي|لخويا|لماما|لبابا|لصاحبي|لصاحبتي|لزوجتي|لزوجي|l khti|l khoya|l mama',
  ].join('|'),
  'onboarding.change': [
    "il y a une faute|il y a une faute dans mon nom|il y a une erreur|il y a une erreur dans mon nom|c'est faux|ce n'est pas mon nom",
    "je veux corriger|corriger|correction|mon nom est faux|erreur dans mon nom|faute dans mon nom|non|ce n'est pas juste|c'est pas juste",
    ...['', ' de prénom', ' de nom', ' dans mon nom', ' de cin'].flatMap((what) => [
      `je me suis trompé${what}`,
      `je me suis trompée${what}`,
    ]),
    "there is a mistake|there is a mistake in my name|my name is wrong|correct it|it's wrong|wrong name|no|هناك خطأ|كاين غلط|اسمي غلط|تصحيح|لا|الاسم خطأ|خطأ في الاسم",
  ].join('|'),
  'top-up.anotherOperator': [
    "c'est pas le bon opérateur|pas le bon opérateur|ce n'est pas le bon opérateur|mauvais opérateur|je me suis trompé d'opérateur|changer d'opérateur",
    'wrong operator|not the right operator|المشغل خاطئ|مشغل اخر|تغيير المشغل',
  ].join('|'),
  'beneficiaries.save': SAVE_WORDS,
  'beneficiaries.saveMerchant': SAVE_WORDS,
  'bill-payment.keep': SAVE_WORDS,
  'bill-payment.another':
    'autre|une autre|autre facture|autre société|another|other|another bill|another company|فاتورة أخرى|شركة أخرى|مؤسسة أخرى',
  // It leads to the page of the PIN.
  'bill-payment.paySelected': `${YES_WORDS}|valider|continuer|confirmer|terminer|c'est bon|ok|continue|confirm|done|تاكيد|متابعة|واخا`,
  'pay.confirm': YES_WORDS,
  'onboarding.confirm': YES_WORDS,
  'pay.no': NO_WORDS,
  'pay.cancel': NO_WORDS,
};
/** The operators' names in Arabic script: they are shown as the operators write them. */
const OPERATORS_IN_ARABIC: Readonly<Record<string, string>> = {
  Inwi: 'انوي|اينوي|إنوي',
  Orange: 'اورنج|اورونج|اورانج',
  'Maroc Telecom': 'اتصالات المغرب|اتصالات|ماروك تيليكوم',
};
/** Words before an answer, and behind it, that change nothing of it: `oui, j'accepte`, `annuler svp`. */
const BEFORE_ANSWER = /^(?:oui|yes|نعم|ايه|اه|iyeh|ok)$/;
const BEHIND_ANSWER = /^(?:svp|stp|merci|please|thanks|شكرا|عافاك|3afak|afak)$/;
/** The choices that say yes: nobody's wrong key or half a label is taken for one. */
export const YES: ReadonlySet<string> = new Set(['confirm', 'agree']);
/** Without a letter it is a number, and an answer or none. */
const HAS_LETTER = /\p{L}/u;
/** Words are an answer: only a label that is written as it stands there is taken for its button. */
const WORDS: ReadonlySet<Expected> = new Set<Expected>(['field', 'password', 'name', 'search']);

/** The button whose label was typed, letter for letter but for case, accents and signs; undefined where there is none. */
export function labelled(text: string, screen: Screen, labelsOf: LabelsOf): Labelled | undefined {
  // A password is nobody's to compare with anything.
  if (!HAS_LETTER.test(text) || screen.expects === 'password') return undefined;
  const words = labelWords(text);
  const all = [buttons(screen, labelsOf), alsoSaid(screen)];
  const called = (said: readonly string[]) =>
    all.map((some) => some.filter(({ label }) => isSame(said, label))).find((some) => some.length > 0);
  return only(called(words) ?? called(answerIn(words)) ?? []);
}

/** A yes or a no that was typed where no button says either. */
export function saidToGoOn(text: string): boolean | undefined {
  const words = answerIn(labelWords(text));
  const isSaid = (key: string) =>
    SAID_AS_WELL[key]?.split('|').some((said) => isSame(words, labelWords(said)));
  if (isSaid('pay.no')) return false;
  return isSaid('pay.confirm') || BEFORE_ANSWER.test(labelWords(text).join(' ')) ? true : undefined;
}

/** The words behind a no: `envoie à maman` of `non, envoie à maman`. */
export function behindNo(text: string): string | undefined {
  return /^(?:non|no|لا)[\s,،.!]+(?=.*(?:\p{L}|\p{Nd}{5}))(.+)$/iu.exec(text.trim())?.[1];
}

function answerIn(words: readonly string[]): readonly string[] {
  const [first = '', ...more] = words;
  const rest = BEFORE_ANSWER.test(first) || /^(?:et|and)$/.test(first) ? more : words;
  return BEHIND_ANSWER.test(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest;
}

/**
 * The button whose label was meant, with one wrong key in all of it. Never one that says yes to a payment or to the terms, nor one of a list of
 * people or amounts that can change. Wasl does not guess what would move money.
 */
export function nearlyLabelled(text: string, screen: Screen, labelsOf: LabelsOf): Labelled | undefined {
  if (!HAS_LETTER.test(text) || WORDS.has(screen.expects)) return undefined;
  const words = labelWords(text);
  const all = buttons(screen, labelsOf);
  const near = all.filter(({ label }) => isNear(words, label));
  const isUnsure = near.some((button) => !button.isWay && isGuarded(button, screen));
  if (near.length > 0) return isUnsure ? undefined : only(near);
  return screen.expects === 'choice' ? (partly(words, screen, all) ?? ofThis(words, screen, all)) : undefined;
}

/** The one choice whose label stands before the thing that the page is about: `bloquer définitivement ma carte`. */
function ofThis(words: readonly string[], screen: Screen, all: readonly Button[]): Labelled | undefined {
  const [, said] =
    /^(?:(?:je (?:veux|voudrais)|i want to) )?(.+?)(?: (?:ma|mon|mes|cette|cet|my|this) \S+)?$/.exec(
      words.join(' '),
    ) ?? [words.join(' '), ''];
  if (said === words.join(' ')) return undefined;
  return only(all.filter((button) => !isGuarded(button, screen) && button.label.join(' ') === said));
}

/** True for a way, a yes, and a row of people or amounts that can change: half of its words is not enough. */
function isGuarded({ id, isWay }: Button, { choices = [] }: Screen): boolean {
  return isWay || YES.has(id) || choices.some((choice) => choice.id === id && choice.listed);
}

/**
 * The one choice in whose label all the words stand: `passeport` for the passport of a list of documents, `par carte` for a deposit by
 * card, `payer` below the bills that are ticked. The figures among them are its first ones: `payer 85` is not 178,85 DH.
 */
function partly(words: readonly string[], screen: Screen, all: readonly Button[]): Labelled | undefined {
  if (screen.choices?.some(({ id }) => id === 'confirm')) return undefined;
  // A digit alone may be the number of a row.
  if (words.some((word) => /^\d$/.test(word))) return undefined;
  const said = words
    .map(unarticled)
    .filter((word) => /\d/.test(word) || (word.length >= PART_CHARS_MIN && !BESIDE.has(word)));
  if (!said.some((word) => HAS_LETTER.test(word))) return undefined;
  const isPart = ({ label, isWay }: Button) =>
    !isWay &&
    said.every((word) => label.some((other) => unarticled(other) === word)) &&
    figuresOf(label).startsWith(figuresOf(said));
  const found = all.filter(isPart);
  const [id, ...more] = new Set(found.map(({ id }) => id));
  const isFree = id !== undefined && more.length === 0 && !found.some((button) => isGuarded(button, screen));
  return isFree ? { kind: 'choice', id } : undefined;
}

function figuresOf(words: readonly string[]): string {
  return words.filter((word) => /\d/.test(word)).join(' ');
}

function unarticled(word: string): string {
  return word.replace(/^ال(?=.{3})/, '');
}

/** Shorter words say nothing by themselves: `de`, `or`, `ou`. */
const PART_CHARS_MIN = 3;
const BESIDE: ReadonlySet<string> = new Set(['mon', 'mes', 'les', 'des', 'une', 'the']);

interface Button {
  readonly id: string;
  readonly label: readonly string[];
  readonly isWay: boolean;
}

function buttons(screen: Screen, labelsOf: LabelsOf): Button[] {
  const named = (shown: Screen, isWay: boolean) =>
    labelsOf(shown)
      .map(({ id, label }) => ({ id, label: labelWords(label), isWay }))
      // On a page the way back is a sign.
      .filter(({ label }) => label.length > 0);
  const own = screen.choices ? named(screen, false) : [];
  return [...own, ...named(screen.expects === 'field' ? WAYS_FROM_WORDS : WAYS, true)];
}

function alsoSaid({ choices = [], takesWords }: Screen): Button[] {
  // If going on is offered first, a yes goes on. A person reads it where words are for them.
  const goesOn = choices[0]?.id === 'continue' && !takesWords;
  return choices.flatMap(({ id, key, values }, place) =>
    (SAID_AS_WELL[key] ?? operatorIn(values) ?? (goesOn && place === 0 ? YES_WORDS : ''))
      .split('|')
      .filter(Boolean)
      .map((said) => ({ id, label: labelWords(said), isWay: false })),
  );
}

function operatorIn({ operator }: Values = {}): string | undefined {
  return operator && 'name' in operator ? OPERATORS_IN_ARABIC[operator.name] : undefined;
}

function only(found: readonly Button[]): Labelled | undefined {
  const [first, ...more] = found;
  if (!first) return undefined;
  // A choice that is called as a move is, such as the help of the menu, is the choice.
  const choices = found.filter(({ isWay }) => !isWay);
  if (new Set((choices.length > 0 ? choices : found).map(({ id }) => id)).size > 1) return { kind: 'either' };
  const [{ id, isWay } = first] = choices.length > 0 ? choices : [first, ...more];
  return isWay ? { kind: 'way', to: id as Way } : { kind: 'choice', id };
}

/** Letters and digits alone: a label may have a sign or a picture in it that no keyboard has. */
export function labelWords(text: string): string[] {
  return wordsIn(normalised(text).replaceAll(/[^\p{L}\p{N}\s]/gu, ' '));
}

function isSame(words: readonly string[], label: readonly string[]): boolean {
  return words.length === label.length && words.every((word, i) => word === label[i]);
}

/** One word is not quite what stands there, and it has no digit in it. */
function isNear(words: readonly string[], label: readonly string[]): boolean {
  const [other, ...more] = words.flatMap((word, i) => (word === label[i] ? [] : [i]));
  if (words.length !== label.length || other === undefined || more.length > 0) return false;
  const [typed = '', wanted = ''] = [words[other], label[other]];
  return !/\d/.test(typed + wanted) && isNearly(typed, wanted);
}
