import type { Operator } from '../../wallet/contract/telco.ts';
import { normalised } from '../../wallet/letters.ts';
import asks from '../../wallet/question-words.json' with { type: 'json' };
import type { Language } from '../incoming.ts';
import { wordsIn } from './spelling.ts';
import concepts from './vocabulary/concepts.json' with { type: 'json' };
import darija from './vocabulary/darija.json' with { type: 'json' };
import lists from './vocabulary/lists.json' with { type: 'json' };
import phrases from './vocabulary/phrases.json' with { type: 'json' };
import sayings from './vocabulary/sayings.json' with { type: 'json' };

/*
 * The words that customers use, as data in `vocabulary/`: anybody who speaks the language can mend them. They are in French,
 * English, Arabic script (standard and Darija) and Darija in Latin letters. They are words to understand, not sentences to
 * say.
 */

/** Each line holds several names or phrases, with a `|` between two of them. */
type Lines = readonly string[];

/**
 * The customers' phrases for the bot's abilities, by deed: a conversation, or a move. `{a,b} c` stands for `a c` and `b c`.
 * A phrase holds the words that carry the meaning, without the words of `CARRIERS`. Behind an `=` those words count: `=send
 * me my rib` is not `send rib`.
 *
 * - `urgent`: customers who were robbed or cheated, or whose money has not arrived. The help freezes, suspends a card and
 *   calls a person.
 * - `wrong-debit`: what was paid twice, or debited for no reason. A person looks at it.
 * - `undo`, `wrong-number`: customers who want a payment back, or have paid somebody else. No payment can be taken back here.
 * - `other-number`: those who want to pay another number than they have given. Nothing is paid yet.
 * - `wrong-amount`, `other-amount`: the same of an amount.
 * - `cards` has the phrase for a card to be activated again: customers who have suspended a lost card are told to do so
 *   once they find it.
 */
export const PHRASES_OF: Readonly<Record<string, Lines>> = phrases;

/**
 * Lines that ask for something only where they stand alone: `une personne` is also who is paid, `j'ai bien reçu` thanks, and `bloquer` may
 * be about a card or a payment beside another word.
 */
export const WHOLE_OF: Readonly<Record<string, string>> = lists.whole;

/** Words that name the person, or the complaint to one. Other words for help lead to the page with that choice. */
export const PERSONS = listed(lists.persons);

/** The same in Darija written with Latin letters, where vowels are anybody's guess: compared by their consonants. */
export const DARIJA_OF: Readonly<Record<string, Lines>> = darija;

/**
 * Things with many names, each list in French, English, Arabic script and Darija in Latin letters: `<card>` in a saying
 * stands for any of them. A `-` marks the stem of a verb of Darija, which takes the prefixes of the present.
 */
export const CONCEPTS = concepts;

/**
 * The deed that is asked for where these words come together: as they stand, behind a `~` in any order, behind a `#`
 * beside a mobile number, behind a `$` beside an amount.
 */
export const SAYINGS: Readonly<Record<string, string>> = sayings;

/** Words that only English has. */
const ENGLISH = listed(lists.english);

/** Words of greeting and of thanks. Beside another request they carry nothing. */
export const GREETINGS = listed(lists.greetings);
export const THANKS = listed(lists.thanks);
/** Without one of these nobody has thanked. */
export const THANKING = listed(lists.thanking);

/** Words that agree and ask for nothing. They never confirm a payment. */
export const FINE = wordLists(lists.fine);
export const FAREWELLS = wordLists(lists.farewells);

/** For the writer, the recipient, or politeness. None of them may change the request. */
export const CARRIERS = listed([...lists.carriers, asks.questions, asks.wishes]);

/** With one of these words the customer may want the opposite. */
export const NEGATIONS = listed([...lists.negations, asks.reasons]);

/** Words of money that was sent, and of its arrival. With a "not" beside them it is missing. */
export const INCOME = listed(lists.income);
export const SENT_MONEY = listed([CONCEPTS.money, ...lists.sentMoney, ...lists.income]);
export const ARRIVING = listed(lists.arriving);
/** In one word, or in two that are joined here: `ما جاوش`, `has not come`. */
export const NOT_ARRIVED: readonly RegExp[] = [
  /^(?:ما|م)?[تي]?وصل\p{L}*ش$/u,
  /^(?:ma?)?t?w[aei]?s+[aei]?l\w*ch$/,
  /^و?(?:maj(?:a|at|aw)(?:ni)?(?:ch)?|ما(?:جا|بان)[تو]?(?:ني)?ش?|maban\w*ch)$/,
  /^(?:not|never)(?:come|came)$|^nevergot$/,
];

/** Words for the PIN, and for what became of it where somebody else knows it: `ai donne`, `m a demande`. */
export const PIN_WORDS = listed(lists.pinWords);
export const GIVEN_AWAY = linesOf(lists.givenAway);
/** An operation, and that the writer has not made it. */
export const OPERATIONS = listed([...lists.sentMoney, CONCEPTS.money, lists.operations]);
export const NOT_MINE = linesOf(lists.notMine);
/** That something was paid, the words that deny its effect, and that the payment has changed nothing. */
export const PAID = linesOf(lists.paid);
export const DENYING = listed(lists.denying);
export const OWED_STILL = linesOf(lists.owedStill);

/**
 * Words for what was paid, by the way to pay, the surest first: a top-up is sent as well. `numbered`: that a number was wrong says only that
 * there was one.
 */
export const PAID_AS: Readonly<Record<string, string>> = lists.paidAs;

/** The operators of top-ups by their names. */
export const OPERATORS_NAMED = Object.entries(lists.operators).map(
  ([id, names]) => [Number(id) as Operator, listed([names])] as const,
);

/** Behind one of these a figure is no amount: `depuis 2 jours`, `3 fois`. */
export const COUNTED = listed(lists.counted);

/** Beside one of these words an amount is not exact: `environ 200`, `some 200`, `شي 200`. */
export const VAGUE = listed(lists.vague);

/** Words between two things of which a customer wants one. */
export const ALTERNATIVES = listed(lists.alternatives);

/** Words between two things of which a customer wants both. */
export const AND = listed(lists.and);

/** Words before the person or the place that something goes to. */
export const TOWARDS_SOMEBODY = listed(lists.towardsSomebody);

/** Words that are near to one of a deed, and mean something else. */
export const LOOKALIKES = listed(lists.lookalikes);

/** Words that begin much else: `carte postale` asks for no card. */
export const TOO_COMMON = listed(lists.tooCommon);

/** Words for the last one: a payment that is over. */
export const LAST_ONES = listed(lists.last);

/** Words that a second order in one line has, as they are typed. */
export const SECOND_ORDER = lists.secondOrder;

/** Words for the last recipient. */
export const THE_SAME = listed(lists.theSame);

/** Words that stand for somebody who was named before: nobody is called so. */
export const PRONOUNS = listed(lists.pronouns);

/** Words between a payment and whom it was for: `l'envoi d'Amina`, `الفلوس ديال يوسف`. */
export const OF = listed(lists.of);

/** Words that stand where a complaint names somebody, and name nobody. */
export const NO_NAMES = listed([...lists.noNames, ...Object.values(lists.daysAgo)]);

/** Days by how long ago they are, the longest phrases first: `avant hier` has `hier` in it. */
export const DAYS_AGO = Object.entries(lists.daysAgo)
  .map(([days, phrases]) => [Number(days), linesOf([phrases])] as const)
  .sort(([a], [b]) => b - a);

/** Behind the number of days. */
export const DAYS = listed(lists.days);

/** Words for a time. */
export const TIMES = listed(lists.times);

/** Words for the person who is paid. */
export const RELATIVES = listed(lists.relatives);

/** Each of the words, in the form that lines are compared in. */
export function listed(lines: Lines): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split('|')).map(normalised));
}

/** Each of the phrases by its words. */
export function wordLists(lines: Lines): readonly (readonly string[])[] {
  return lines.flatMap((line) => line.split('|')).map((name) => wordsIn(normalised(name)));
}

/** Each of the phrases as it stands in a line of words. */
function linesOf(lines: Lines): readonly string[] {
  return wordLists(lines).map((words) => words.join(' '));
}

/** The language of a customer's words. Darija in Latin letters is answered in French. */
export function languageOfWords(text: string): Language {
  if (/\p{Script=Arabic}/u.test(text)) return 'ar';
  return wordsIn(normalised(text)).some((word) => ENGLISH.has(word)) ? 'en' : 'fr';
}
