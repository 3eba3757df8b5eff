import type { Context } from 'hono';
import { channelOf } from '../../conversation/channel.ts';
import type { Desk } from '../../conversation/desk/desk.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { TurnRecord } from '../../conversation/record/record.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { PlayedWallet } from '../doors.ts';
import { addressesOf } from './phone-app.ts';

/** The newest turns of this process, in memory only. */
const TURNS_KEPT = 300;
const ENTRIES_MAX = 60;

type CallMade = ReturnType<PlayedWallet['requests']>[number];
type WebhookTried = ReturnType<PlayedWallet['attempts']>[number];

/** The sources of these events. All of them exist only beside the sandbox. */
export interface BehindSources {
  /** Tells of every turn as its record has it: without secrets. */
  readonly watch: Desk['watch'];
  readonly calls: () => readonly CallMade[];
  readonly webhooks: () => readonly WebhookTried[];
  /** The chat of the browser that asks. */
  readonly visitor: (c: Context) => Address | undefined;
  readonly log: Log;
}

type Turn = TurnRecord & { readonly id: number };

/**
 * Shows the events behind the page's phones: `GET ?phone=…&phone=…&seen=…` gives the newest turns of their
 * conversations, the calls that Wasl has made for them and the webhooks about them, the oldest first. It answers 204
 * where the page has `seen` them all.
 */
export function createBehind(sources: BehindSources): (c: Context) => Response {
  const turns: Turn[] = [];
  let count = 0;
  const turn = (record: TurnRecord) => {
    turns.push({ ...record, id: ++count });
    if (turns.length > TURNS_KEPT) turns.shift();
  };
  sources
    .watch({ turn, missed: () => {} })
    .catch((error) => sources.log.say('The simulator does not see turns', thrown(error)));
  return (c) => {
    const phones = (c.req.queries('phone') ?? []).flatMap((text) => readPhone(text) ?? []);
    const entries = entriesOf(sources, turns, phones, sources.visitor(c));
    const seen = entries.map(({ id }) => id).join();
    return seen === c.req.query('seen') ? c.body(null, 204) : c.json({ seen, entries });
  };
}

function entriesOf(
  { calls, webhooks }: BehindSources,
  turns: readonly Turn[],
  phones: readonly Msisdn[],
  chat: Address | undefined,
) {
  const addresses = new Set([chat, ...phones.flatMap((phone) => [`ussd:${phone}`, ...addressesOf(phone)])]);
  const own = turns.filter(({ address }) => addresses.has(address));
  const refs = new Set(own.flatMap(({ ran }) => ran.map(({ ref }) => ref)));
  const isAbout = (text: string) => phones.some((phone) => text.includes(phone.slice(1)));
  const isOwn = ({ requestId, query, body }: CallMade) =>
    refs.has(requestId) || isAbout(JSON.stringify([query, body]));
  const all = [
    ...own.flatMap(turnEntries),
    ...calls().filter(isOwn).map(callEntry),
    ...webhooks()
      .filter(({ body }) => isAbout(body))
      .map(webhookEntry),
  ];
  return all.sort((a, b) => a.at - b.at).slice(-ENTRIES_MAX);
}

/** The cause of the turn, at its start, and the screen that the customer was shown, at its end. */
function turnEntries({ id, at, ms, address, event, from, to, screen, said }: Turn) {
  const of = { channel: channelOf(address), address };
  const shows = [screen.key, ...(said ?? []).map(({ key }) => key)];
  return [
    { id: `turn-${id}`, kind: 'event' as const, at: at - ms, ...of, event },
    { id: `screen-${id}`, kind: 'screen' as const, at, ...of, from, to, shows, durationMs: ms },
  ];
}

function callEntry({ id, requestId: _ours, query, path, ...call }: CallMade) {
  const asked = query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : '';
  const { at, durationMs } = call;
  return { ...call, id: `call-${id}`, kind: 'call' as const, path: path + asked, at: at - durationMs };
}

function webhookEntry({ id, body, ...tried }: WebhookTried) {
  return { ...tried, id: `webhook-${id}`, kind: 'webhook' as const, body: JSON.parse(body) as unknown };
}
