import type { HelpOffer } from '../../../machines/kit/conversation.ts';
import { isDirham } from '../../wallet/dirham.ts';
import { readPhone } from '../../wallet/phone.ts';
import { readSpokenNumber } from '../../wallet/spoken-number.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import { isForWriter } from './not-an-order.ts';
import { isCarrier, isIn, isKnown } from './phrases.ts';
import { saysPaid } from './trouble.ts';
import {
  ARRIVING,
  CONCEPTS,
  COUNTED,
  DAYS,
  DAYS_AGO,
  INCOME,
  listed,
  NEGATIONS,
  NO_NAMES,
  NOT_ARRIVED,
  OF,
  PAID_AS,
  RELATIVES,
  SENT_MONEY,
  TOWARDS_SOMEBODY,
} from './vocabulary.ts';

type About = Pick<HelpOffer, 'of' | 'filled' | 'daysAgo'>;

const WAYS_NAMED = Object.entries(PAID_AS).map(
  ([way, names]) => [way as keyof typeof PAID_AS & NonNullable<HelpOffer['of']>, listed([names])] as const,
);
const FIGURE = /^-?\d[\d.,]*(?:\D*)$/;
/** A name has two words at most: what follows them says what has happened. */
const NAME_WORDS_MAX = 2;
/** Money that was to come to the writer: `لم يصلني`, `ما جاوني`, `لم أستلم`. */
const TO_ME =
  /^(?:و?ما|م)?[تي]?(?:و?صل|جا)\p{L}*نيش?$|^(?:نتوصل|اتوصل|توصلت|استلم)|^(?:ma)?(?:w[aei]?s+[aei]?l|ja)\w*ni(?:ch)?$/u;
const I_RECEIVE =
  /(?:^| )(?:j|je|jai|g|i)(?: (?:n|ne|ai|ve|pas|toujours|encore|jamais|rien|have|did|do|not|never|still))* (?:recu\w*|recois|receive\w*|got)(?: |$)/;
const BALANCE = listed([CONCEPTS.balance]);
/** Money that was taken, from whom it may be. */
const DEBITED =
  /^(?:debit|prelev|charged|billed|deducted|ت?خصم|ت?قطع|اقتطع|t?kh[ae]?s+[ae]?m|t?9[ae]?t+[ae]?3)/;
/** `ليوسف`, but not `لم` or `للمحل`. */
const TO_WHOM = /^ل(?![اإأل])(?=[\u0600-\u06ff]{3})/;

/**
 * The part of a complaint that tells its payment: the way, the recipient, the amount and the day.
 * @param why a number was wrong, money has not come, or a payment is wanted back
 */
export function aboutPayment(
  words: readonly string[],
  numbers: readonly string[],
  why: 'wrongNumber' | 'missing' | 'undo',
): { readonly about?: About } {
  const to = readPhone(numbers.at(-1) ?? '');
  const daysAgo = daysIn(words);
  const figures = words.flatMap((word, place) => {
    const behind = words[place + 1] ?? '';
    const isMoney = isDirham(behind) || /\D$/.test(word);
    return FIGURE.test(word) && !isIn(COUNTED, behind) ? [{ word, isMoney }] : [];
  });
  const money = figures.filter(({ isMoney }) => isMoney);
  const [figure, ...more] = money.length > 0 ? money : figures;
  const amount = figure && more.length === 0 ? readAmount(figure.word) : undefined;
  const named = WAYS_NAMED.find(
    ([way, names]) =>
      (way !== 'numbered' || why === 'wrongNumber') &&
      words.some((word, place) => isIn(names, word) || names.has(words.slice(place, place + 3).join(' '))),
  );
  const paid = isPaid(words) ? 'paid' : undefined;
  const payee = to ? undefined : payeeIn(words);
  const isOwn = named !== undefined && named[0] !== 'transfer';
  const isIncoming = why === 'missing' && !to && !isOwn && isExpected(words);
  const of = isIncoming ? 'incoming' : figure && !amount?.ok ? 'unclearFigure' : (named?.[0] ?? paid);
  const filled = {
    ...(to && { to }),
    ...(amount?.ok && { amount: amount.centimes }),
    ...(payee && { payee }),
  };
  const about = {
    ...(of && { of }),
    ...(Object.keys(filled).length > 0 && { filled }),
    ...(daysAgo !== undefined && { daysAgo }),
  };
  return Object.keys(about).length > 0 ? { about } : {};
}

/** True where the writer waits for money, or says that the balance is wrong. */
function isExpected(words: readonly string[]): boolean {
  if (words.some((word) => isIn(BALANCE, word) || isIn(INCOME, word))) return true;
  // `li` is "to me", and "which" as well.
  const line = words.filter((word) => word !== 'li').join(' ');
  const isMine = words.some((word) => TO_ME.test(word)) || I_RECEIVE.test(line) || isForWriter(line);
  return isMine && !isPaid(words);
}

/** The writer has paid, so nothing was to come to them. */
function isPaid(words: readonly string[]): boolean {
  return words.some((word) => DEBITED.test(word)) || saysPaid(words);
}

/** `hier`, `il y a trois jours`, `قبل يومين`: so many days before today. */
function daysIn(words: readonly string[]): number | undefined {
  const line = ` ${words.join(' ')} `;
  const named = DAYS_AGO.find(([, phrases]) => phrases.some((phrase) => line.includes(` ${phrase} `)));
  if (named) return named[0];
  const place = words.findIndex((word) => DAYS.has(word));
  return place > 0 ? readSpokenNumber(words[place - 1] ?? '') : undefined;
}

/** The recipient of the money, as the customer calls them: `à Maman`, `ديال يوسف`, `ليوسف`, `ma soeur n'a rien reçu`. */
function payeeIn(words: readonly string[]): string | undefined {
  const isName = (word: string) => /^\p{L}{3,}$/u.test(word) && (RELATIVES.has(word) || !saysMore(word));
  for (const [place, word] of words.entries()) {
    if (TOWARDS_SOMEBODY.has(word) || OF.has(word)) {
      const behind = words.slice(place + 1).filter((each) => !isCarrier(each));
      const end = behind.findIndex((each) => !isName(each));
      const name = behind.slice(0, end < 0 ? NAME_WORDS_MAX : Math.min(end, NAME_WORDS_MAX));
      if (name.length > 0) return name.join(' ');
    }
    const whom = word.replace(TO_WHOM, '');
    if (RELATIVES.has(word) || (whom !== word && isName(word) && isName(whom))) return whom;
  }
  return undefined;
}

/** A word that is part of what happened, or of the day, and no name. */
function saysMore(word: string): boolean {
  const lists = [NEGATIONS, SENT_MONEY, ARRIVING, COUNTED, NO_NAMES, ...WAYS_NAMED.map(([, names]) => names)];
  return (
    /^(?:ال|وال|[فب]ال)/.test(word) ||
    isCarrier(word) ||
    isKnown(word) ||
    lists.some((list) => isIn(list, word)) ||
    NOT_ARRIVED.some((form) => form.test(word))
  );
}
