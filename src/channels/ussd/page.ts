import type { Reply } from '../../conversation/incoming.ts';
import type { Page, UssdLimits } from '../../screen/pages.ts';
import type { Renderer } from '../../screen/renderer.ts';

/** The page of a reply that the handset shows, as large as its gateway takes it. Missed messages come first. */
export function pageOf({ ussd }: Pick<Renderer, 'ussd'>, reply: Reply, limits?: UssdLimits): Page {
  const missed = reply.missed.map(({ screen }) => screen);
  // Nothing can be answered below the last words of a session.
  const screen = endsWith(reply)
    ? ({ ...reply.screen, expects: 'nothing', choices: [] } as const)
    : reply.screen;
  return ussd(screen, reply.language, reply.page, limits, missed);
}

/** True where the session ends with this reply, once all of its pages were shown: a last screen can offer something. */
export function endsWith({
  rests,
  screen: { expects, choices = [] },
}: Pick<Reply, 'rests' | 'screen'>): boolean {
  return expects === 'nothing' ? choices.length === 0 : rests;
}
