import { html } from 'hono/html';
import type { Watched } from '../../conversation/desk/desk.ts';
import type { Language } from '../../conversation/incoming.ts';
import { may } from '../access/roles.ts';
import type { Html } from '../layout.ts';
import { type Fact, maskContext } from '../masks.ts';
import { callName } from '../names.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import { around, code, innards, named, placePart, row, timeLeft, type View } from './parts.ts';

/** How many facts of a conversation are listed: a catalog that it holds would fill the page. */
const FACTS_MAX = 60;

/** The facts that a conversation remembers, by the name that the machines have for them. */
const FACTS: Readonly<Record<string, ConsoleKey>> = {
  amount: 'console.amount',
  balance: 'console.factBalance',
  cin: 'console.factCin',
  fees: 'console.fees',
  firstName: 'console.factFirstName',
  from: 'console.factFrom',
  kind: 'console.kind',
  language: 'console.language',
  lastName: 'console.factLastName',
  operationId: 'console.operation',
  operator: 'console.factOperator',
  phone: 'console.factPhone',
  reference: 'console.factReference',
  to: 'console.payee',
  total: 'console.factTotal',
  wallet: 'console.wallet',
};

/** The state of the conversation, and who has taken it over. */
export function statePart(watched: Watched, view: View): Html {
  const { machine, state, suspended, call, waiting, owner, provenBy } = watched;
  const { language, who } = view;
  return html`${
    owner &&
    html`<p class="note ${owner.id === who.id ? 'good' : 'busy'}">${
      owner.id === who.id
        ? say(language, 'console.youOwn')
        : say(language, 'console.ownedBy', { agent: { name: owner.name } })
    } ${around(owner.id === who.id ? 'console.leaseLeft' : 'console.leaseLeftOther', timeLeft(owner.until, view), view)}</p>`
  }<dl class="rows">
${row('console.stands', machine ? placePart(`${machine}.${state}`, view) : say(language, 'console.noConversation'), view)}
${row('console.numberProof', say(language, keyIn('proof', provenBy ?? 'none')), view)}
${suspended && row('console.interrupted', placePart(suspended, view), view)}
${call && row('console.callUnderWay', named(callName(call.src, language), `${call.src} ${call.ref}`), view)}
${waiting > 0 && row('console.messagesWaiting', String(waiting), view)}
</dl>`;
}

/** The facts that the conversation remembers, masked. Those without a name in words are folded, for agents who may see the machines. */
export function contextPart({ context }: Watched, view: View): Html {
  const { language, sight, who } = view;
  const facts = maskContext(context ?? {}, sight, FACTS_MAX);
  const named = facts.filter(({ path }) => factName(path, language) !== '');
  const list = (of: readonly Fact[], nameOf: (path: string) => Html | string) =>
    html`<dl class="facts" tabindex="0">${of.map(
      ({ path, shown, isSealed }) =>
        html`<div><dt>${nameOf(path)}</dt><dd>${isSealed ? html`<span class="badge">${say(language, 'console.sealed')}</span>` : html`<bdi>${shown}</bdi>`}</dd></div>`,
    )}</dl>`;
  const isInside = may(who.role, 'seeMachines') && facts.length > named.length;
  return html`${named.length > 0 ? list(named, (path) => factName(path, language)) : html`<p class="empty">${say(language, 'console.noFacts')}</p>`}${
    isInside && innards(list(facts, code), view)
  }`;
}

function factName(path: string, language: Language): string {
  const key = FACTS[path.slice(path.lastIndexOf('.') + 1)];
  return key ? say(language, key) : '';
}
