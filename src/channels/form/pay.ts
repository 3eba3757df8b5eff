import type { Context } from 'hono';
import { html } from 'hono/html';
import type { CardLinkSeen } from '../../conversation/card-links.ts';
import type { Engine } from '../../conversation/engine.ts';
import type { Language, Sentence } from '../../conversation/incoming.ts';
import { isForgeable } from '../../http/origin.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { centimes } from '../../wallet/money.ts';
import { browserLanguage } from '../web/browser-language.ts';
import { cardFields, readCard } from './card.ts';
import type { Wrong } from './entry.ts';
import { endingPage, LABELS, questionPage, sentencePage, submit, toBankPage } from './page.ts';

export interface PayOptions {
  readonly cardLinks: Pick<Engine, 'cardLink' | 'payCardLink'>;
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly now?: () => number;
}

/** `GET /pay/:link`: whom and how much. Opening it uses nothing up, however often a messenger fetches it for a preview. */
export async function showPay(c: Context, options: PayOptions): Promise<Response> {
  const link = await options.cardLinks.cardLink(idIn(c));
  return link ? ask(c, options, link) : gone(c);
}

/**
 * `POST /pay/:link`: the card goes from the request to the one call, and nowhere else. The link is whose who has it: there is no
 * cookie that another site could use, and the origin is looked at all the same.
 */
export async function takePay(c: Context, options: PayOptions): Promise<Response> {
  if (isForgeable(c)) return c.text('wrong origin\n', 403);
  if (!c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded'))
    return c.text('not a form\n', 415);
  const link = await options.cardLinks.cardLink(idIn(c));
  if (!link) return gone(c);
  if (link.state !== 'open') return closed(c, options, link, link.state);
  const { now = Date.now } = options;
  const read = readCard('card', new URLSearchParams(await c.req.text()), now());
  if ('wrong' in read) return ask(c, options, link, read);
  const paid = await options.cardLinks.payCardLink(idIn(c), read.card);
  switch (paid?.kind) {
    case undefined:
      return gone(c);
    case 'bank':
      return c.html(toBankPage({ language: browserLanguage(c) }, paid.link));
    case 'closed':
      // Somebody else has just begun to pay by it.
      return closed(c, options, link, paid.state === 'used' ? 'unsure' : 'over');
    case 'refused': {
      const after = await options.cardLinks.cardLink(idIn(c));
      return after ? ask(c, options, after, { why: paid.why }) : gone(c);
    }
    case 'taken':
      return says(c, options, {
        key: link.isFloat ? 'float-card.paid' : 'card-payment.paid',
        values: valuesOf(link),
      });
    case 'unsure':
      return says(c, options, {
        key: link.isFloat ? 'float-card.unsure' : 'card-payment.unsure',
        values: valuesOf(link),
      });
  }
}

const CLOSED = {
  payment: { used: 'card-payment.used', unsure: 'card-payment.unsure', over: 'card-payment.over' },
  float: { used: 'float-card.used', unsure: 'float-card.unsure', over: 'float-card.over' },
} as const;

interface Again extends Partial<Wrong> {
  readonly why?: Sentence;
}

function ask(c: Context, options: PayOptions, link: CardLinkSeen, { wrong, why }: Again = {}) {
  if (link.state !== 'open') return closed(c, options, link, link.state, why);
  const language = browserLanguage(c);
  const labels = LABELS[language];
  const key = link.isFloat
    ? 'float-card.toPay'
    : link.isReserved
      ? 'card-payment.toReserve'
      : 'card-payment.toPay';
  const page = questionPage({
    language,
    text: textOf(options, { key, values: valuesOf(link) }, language),
    why: why && textOf(options, why, language),
    fields: html`${cardFields('card', labels, wrong ?? [], false)}${submit(labels.pay)}`,
    token: `pay/${idIn(c)}`,
    launch: '',
    hint: link.isFloat ? labels.cardOnce : labels.linkOnce,
  });
  return c.html(page, wrong || why ? 422 : 200);
}

/** It cannot be paid any more: why, after what has just happened. */
function closed(
  c: Context,
  options: PayOptions,
  link: CardLinkSeen,
  state: Exclude<CardLinkSeen['state'], 'open'>,
  why?: Sentence,
) {
  const language = browserLanguage(c);
  const said = [
    ...(why ? [why] : []),
    { key: CLOSED[link.isFloat ? 'float' : 'payment'][state], values: valuesOf(link) },
  ];
  const text = said.map((each) => textOf(options, each, language)).join(' ');
  return c.html(sentencePage({ language }, text), 410);
}

function says(c: Context, options: PayOptions, sentence: Sentence) {
  const language = browserLanguage(c);
  return c.html(sentencePage({ language }, textOf(options, sentence, language)));
}

function gone(c: Context) {
  return c.html(endingPage({ language: browserLanguage(c) }, 'gone'), 410);
}

function textOf({ renderer }: PayOptions, sentence: Sentence, language: Language): string {
  return renderer.chat({ ...sentence, expects: 'nothing' }, language).text;
}

function valuesOf({ amount, fees, merchant, isFloat }: CardLinkSeen): NonNullable<Sentence['values']> {
  if (!isFloat) return { amount: { money: amount }, merchant: { name: merchant } };
  const total = centimes(amount + fees);
  return {
    amount: { money: amount },
    fees: { money: fees },
    total: { money: total },
    code: { code: merchant },
  };
}

function idIn(c: Context): string {
  return c.req.param('link') ?? '';
}
