import { assign } from 'xstate';
import { labelled } from '../../src/payments/bill-labels.ts';
import { decisions } from '../kit/choosing.ts';
import { conversation, screen } from '../kit/conversation.ts';
import type { Sealed } from '../kit/secret.ts';
import { about, type PayingBills } from './bill.ts';
import { answered, askFor, isOffered, offer, type Question, questionsOf, readAnswer } from './form.ts';

/** The ways on from the form. Each is the name of a state. */
interface FormExits {
  /** The state that "back" leads to from the first question: `choosingReceivable`, where there is more than one. */
  readonly before: string;
  readonly left: string;
}

const { createStateConfig } = conversation<PayingBills>();
const decide = decisions<PayingBills>();

/**
 * Asks the questions of a creditor's form, one a screen. With all answers it goes to `readingUnpaid`, or to
 * `previewing` where the bills are chosen already and only a password was asked again.
 */
export function fillingIn({ before, left }: FormExits) {
  return { fillingIn: goingOn(before), offering, asking, askingWhatWasMeant: askingWhatWasMeant(left) };
}

/** Leads on in the form: to a question, before its first one, or past its last. */
function goingOn(before: string) {
  return decide(
    { if: ({ at = 0, receivables = [] }) => at < 0 && receivables.length > 1, target: 'choosingReceivable' },
    { if: ({ at = 0 }) => at < 0, target: before },
    // Nobody has seen the questions of a kept contract.
    { if: (context) => context.kept !== undefined && !isFilled(context), target: before },
    { if: (context) => isFilled(context) && context.order !== undefined, target: 'previewing' },
    { if: isFilled, target: 'readingUnpaid' },
    { if: mayBeSkipped, target: 'offering' },
    'asking',
  );
}

/** The answer is typed. */
const saying = createStateConfig({
  on: {
    said: [
      {
        guard: ({ event, context }) => readAnswer(questionOf(context).field, event.text).ok,
        target: 'fillingIn',
        actions: assign(({ event, context }) => fillText(context, event.text)),
      },
      { actions: assign(({ event, context }) => fillText(context, event.text)) },
    ],
  },
});

/** A question that may be skipped. Whoever types its answer at once is not asked twice. */
const offering = createStateConfig({
  tags: 'resumable',
  meta: screen((c) => offer(questionOf(c), about(c))),
  on: {
    ...saying.on,
    chose: [
      {
        guard: ({ event }) => event.choice === 'skip',
        target: 'fillingIn',
        actions: assign(({ context }) => fill(context)),
      },
      { target: 'asking' },
    ],
    back: { target: 'fillingIn', actions: assign(({ context }) => goBack(context)) },
  },
});

const asking = createStateConfig({
  tags: 'resumable',
  meta: screen((c) => askFor(questionOf(c), about(c))),
  on: {
    ...saying.on,
    gave: [
      {
        guard: ({ event }) => event.wellFormed,
        target: 'fillingIn',
        actions: assign(({ event, context }) => fill(context, { sealed: event.secret })),
      },
      { actions: assign({ notice: { key: 'bill-payment.emptyAnswer' } }) },
    ],
    chose: {
      target: 'fillingIn',
      actions: assign(({ event, context }) => fillChoice(context, event.choice)),
    },
    typedMove: {
      guard: ({ event, context }) => readAnswer(questionOf(context).field, event.text).ok,
      target: 'askingWhatWasMeant',
      actions: assign(({ event: { text, leads } }) => ({ typed: text, leads })),
    },
    back: { target: 'fillingIn', actions: assign(({ context }) => goBack(context)) },
  },
});

/** On every other screen this text means "back" or "menu". Here it may be the answer. */
function askingWhatWasMeant(left: string) {
  return createStateConfig({
    tags: 'resumable',
    meta: screen((c) => ({
      key: c.leads === 'menu' ? 'bill-payment.askWhetherMenu' : 'bill-payment.askWhetherBack',
      values: { ...about(c), label: labelled(questionOf(c).field.label), typed: { code: c.typed ?? '' } },
      choices: [
        { id: 'answer', key: 'bill-payment.isAnswer', values: { typed: { code: c.typed ?? '' } } },
        { id: 'leave', key: c.leads === 'menu' ? 'bill-payment.toMenu' : 'bill-payment.toBack' },
      ],
      expects: 'choice',
    })),
    on: {
      chose: [
        {
          guard: ({ event }) => event.choice === 'answer',
          target: 'fillingIn',
          actions: assign(({ context }) => fillText(context, context.typed ?? '')),
        },
        { guard: ({ context }) => context.leads === 'menu', target: left },
        { target: 'fillingIn', actions: assign(({ context }) => goBack(context)) },
      ],
      back: 'asking',
    },
  });
}

function questionOf({ form = [], at = 0 }: PayingBills): Question {
  const question = questionsOf(form)[at];
  if (!question) throw new Error('a bill form was asked past its end');
  return question;
}

/** False for a form that only shows something. */
export function asks({ form = [] }: PayingBills): boolean {
  return questionsOf(form).length > 0;
}

/** True once every question has its answer. */
function isFilled({ form = [], at = 0 }: PayingBills): boolean {
  return at >= questionsOf(form).length;
}

/** True where the question that comes is one that may be skipped. */
function mayBeSkipped(context: PayingBills): boolean {
  return isOffered(questionOf(context));
}

export const BEGINNING = { at: 0, again: undefined, order: undefined } as const;
export const EMPTY_FORM = { ...BEGINNING, answers: [] } as const;

/** The context with an answer to the question that is asked, or without one, at the question after it. */
function fill(context: PayingBills, answer?: Answer): Partial<PayingBills> {
  const { form = [], at = 0, again, order } = context;
  const { name } = questionOf(context).field;
  const answers = answered(context.answers ?? [], name, answer && { name, ...answer });
  const questions = questionsOf(form);
  const next = again ? nextPassword(questions, at + 1) : at + 1;
  return { answers, at: next, ...(order?.kind === 'bill-payment' && { order: { ...order, answers } }) };
}

/** Goes to the question before. Everything found by the old answers is searched again. */
function goBack({ at = 0 }: PayingBills): Partial<PayingBills> {
  return { at: at - 1, again: undefined, order: undefined };
}

/** From the bills back to the last question. */
export function reopen({ form = [] }: PayingBills): Partial<PayingBills> {
  return { at: questionsOf(form).length - 1, again: undefined, order: undefined };
}

/** The sealed passwords can no longer be opened, so only they are asked again (secrets pass through). */
export function askPasswords({ form = [], answers = [] }: PayingBills): Partial<PayingBills> {
  const kept = answers.filter((answer) => 'value' in answer);
  return { at: nextPassword(questionsOf(form), 0), answers: kept, again: true };
}

function nextPassword(questions: readonly Question[], from: number): number {
  const next = questions.findIndex(({ field }, i) => i >= from && field.kind === 'password');
  return next === -1 ? questions.length : next;
}

type Answer = { readonly value: string } | { readonly sealed: Sealed };

/** Reads the typed text as the value to send. Text that does not fit shows the question again with the expected format. */
function fillText(context: PayingBills, text: string): Partial<PayingBills> {
  const reading = readAnswer(questionOf(context).field, text);
  return reading.ok ? fill(context, { value: reading.value }) : { notice: reading.why };
}

function fillChoice(context: PayingBills, choice: string): Partial<PayingBills> {
  const value = questionOf(context).field.options[Number(choice)];
  return choice === 'skip' || value === undefined ? fill(context) : fill(context, { value });
}
