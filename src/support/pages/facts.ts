import { html } from 'hono/html';
import type { Watched } from '../../conversation/desk/desk.ts';
import type { Language } from '../../conversation/incoming.ts';
import { may } from '../access/roles.ts';
import type { Html } from '../layout.ts';
import { maskContext } from '../masks.ts';
import { callName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { around, code, named, placePart, timeLeft, type View } from './parts.ts';

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
export function statePart({ machine, state, suspended, call, waiting, owner }: Watched, view: View): Html {
  const { language, who } = view;
  const row = (key: ConsoleKey, value: Html | string) =>
    html`<div><dt>${say(language, key)}</dt><dd>${value}</dd></div>`;
  return html`${
    owner &&
    html`<p class="note ${owner.id === who.id ? 'good' : 'busy'}">${
      owner.id === who.id
        ? say(language, 'console.youOwn')
        : say(language, 'console.ownedBy', { agent: { name: owner.name } })
    } ${around(owner.id === who.id ? 'console.leaseLeft' : 'console.leaseLeftOther', timeLeft(owner.until, view), view)}</p>`
  }<dl class="rows">
${row('console.stands', machine ? placePart(`${machine}.${state}`, view) : say(language, 'console.noConversation'))}
${suspended && row('console.interrupted', placePart(suspended, view))}
${call && row('console.callUnderWay', html`${named(callName(call.src, language), call.src)} <code dir="ltr" class="ref" title="${call.ref}">${call.ref}</code>`)}
${waiting > 0 && row('console.messagesWaiting', String(waiting))}
</dl>`;
}

/** The facts that the conversation remembers, masked. */
export function contextPart({ context }: Watched, { language, sight, who }: View): Html {
  // Facts without a name in words are shown only to agents who may see the machines.
  const isFor = (path: string) => may(who.role, 'seeMachines') || factName(path, language) !== '';
  const facts = maskContext(context ?? {}, sight, FACTS_MAX).filter(({ path }) => isFor(path));
  if (facts.length === 0) return html`<p class="empty">${say(language, 'console.noFacts')}</p>`;
  return html`<dl class="facts" tabindex="0">${facts.map(
    ({ path, shown, isSealed }) =>
      html`<div><dt>${factName(path, language)} ${code(path)}</dt><dd>${isSealed ? html`<span class="badge">${say(language, 'console.sealed')}</span>` : html`<bdi>${shown}</bdi>`}</dd></div>`,
  )}</dl>`;
}

function factName(path: string, language: Language): string {
  const key = FACTS[path.slice(path.lastIndexOf('.') + 1)];
  return key ? say(language, key) : '';
}
