import { html } from 'hono/html';
import { z } from 'zod';
import { jsonColumn } from '../../core/json-column.ts';
import type { Delivery } from '../../webhooks/webhooks.ts';
import { operationFile } from '../books.ts';
import {
  attemptsOf,
  deliveriesOf,
  EVENT_KINDS,
  FORGERS_KEY,
  findDelivery,
  forgedProperties,
} from '../webhook-acts.ts';
import { at, type Visit } from './frame.ts';
import {
  act,
  badge,
  choice,
  facts,
  field,
  form,
  type Html,
  json,
  live,
  panel,
  type Tone,
  table,
  when,
} from './parts.ts';

const deliveryBody = jsonColumn(
  'deliveries.body',
  z.looseObject({ data: z.record(z.string(), z.unknown()).optional() }),
);

const STATES: Readonly<Record<Delivery['state'], readonly [text: string, tone: Tone]>> = {
  due: ['waiting', 'wait'],
  delivered: ['delivered', 'good'],
  dead: ['given up', 'bad'],
};
const HOUR_MS = 60 * 60_000;

export function stateBadge(state: Delivery['state']): Html {
  return badge(...STATES[state]);
}

function acts({ id, state }: Delivery): Html {
  const call = `POST /sandbox/webhooks/${id}`;
  return html`<div class="acts">${act('Send again', call, { act: 'resend' })}${act('Duplicate', call, { act: 'duplicate' })}${
    state === 'due'
      ? html`${act('Delay 1 h', call, { act: 'delay', ms: HOUR_MS })}${act('Drop', call, { act: 'drop' })}`
      : ''
  }</div>`;
}

export function webhooksPage(visit: Visit): Html {
  const { deps, tenant } = visit;
  const deliveries = deliveriesOf(deps.core, tenant);
  const address = tenant.webhookUrl
    ? html`They go to <code>${tenant.webhookUrl}</code>.`
    : html`This partner has no address for webhooks, so none are written. <a href="${at(visit, 'settings')}">Give it one</a>.`;
  return html`<p class="lead">${address} Only a 200 ends the attempts; they come after 1, 5, 30 and 60 minutes, then every 6 hours, for 72.</p>
${live(
  'webhooks',
  table(
    ['Event', 'State', 'Attempts', 'Last answer', 'Next or last', 'Do'],
    deliveries.map((each) => [
      html`<a href="${at(visit, `webhooks/${each.id}`)}">${each.event}</a>${each.key === null ? '' : html` ${badge('forged')}`}`,
      stateBadge(each.state),
      each.attempts,
      each.lastAnswer ?? '–',
      when(each.dueAt),
      acts(each),
    ]),
    'No webhook yet.',
  ),
)}
${forging(visit, forgedProperties(deps.core.clock.now()))}`;
}

function forging(visit: Visit, properties: object, event = 'transfer.received'): Html {
  const kinds = EVENT_KINDS.map((each) => [each, each] as const);
  return panel(
    'Forge one',
    form('POST /sandbox/webhooks', 'Send it', [
      choice('Event', 'event', kinds, event),
      field('Key', 'key', {
        value: FORGERS_KEY,
        hint: 'What it carries as X-Api-Key. Put the partner’s own key to see what a leak would do.',
      }),
      field('Properties', 'properties', { type: 'json', value: JSON.stringify(properties, null, 2) }),
    ]),
    visit.tenant.webhookUrl
      ? 'An event that nothing has given rise to. A good partner does not believe it.'
      : 'Nobody will hear it: the partner has no address.',
  );
}

/** One event with all that was tried. Undefined where there is none. */
export function webhookPage(visit: Visit, id: number): Html | undefined {
  const { deps, tenant } = visit;
  const delivery = findDelivery(deps.core, tenant, id);
  if (!delivery) return undefined;
  const body = deliveryBody.read(delivery.body);
  const { EventId: _, WebhookId: __, ...properties } = body.data ?? {};
  const { OperationId: paidBy } = properties;
  const operation =
    typeof paidBy === 'number' && paidBy !== 0 ? operationFile(deps.core, tenant, paidBy) : undefined;
  return html`${live('webhook', [
    panel(
      delivery.event,
      html`${facts([
        ['State', stateBadge(delivery.state)],
        ['WebhookId', delivery.webhookId],
        ['Goes to', delivery.url ?? tenant.webhookUrl ?? 'nowhere'],
        [
          'X-Api-Key',
          html`${delivery.key ?? tenant.webhookKey ?? ''}${delivery.key === null ? '' : html` ${badge('forged')}`}`,
        ],
        ['Last answer', delivery.lastAnswer ?? undefined],
        [delivery.state === 'due' ? 'Next attempt' : 'Was due', when(delivery.dueAt)],
        [
          'Operation',
          operation && html`<a href="${at(visit, `operations/${operation.id}`)}">${operation.reference}</a>`,
        ],
      ])}${acts(delivery)}`,
    ),
    panel(
      'Attempts',
      table(
        ['Time', 'Answer'],
        attemptsOf(deps.core, delivery).map((each) => [
          when(each.at),
          badge(each.answer, each.answer === '200' ? 'good' : 'bad'),
        ]),
        'None yet.',
      ),
    ),
  ])}
${panel('Payload', json(body))}
${forging(visit, properties, delivery.event)}`;
}
