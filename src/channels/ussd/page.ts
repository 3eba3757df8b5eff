import type { Reply } from '../../conversation/incoming.ts';
import type { Page, UssdLimits } from '../../screen/pages.ts';
import type { Renderer } from '../../screen/renderer.ts';

/** The page of a reply that the handset shows, as large as its gateway takes it: what was missed comes first. */
export function pageOf({ ussd }: Pick<Renderer, 'ussd'>, reply: Reply, limits?: UssdLimits): Page {
  const missed = reply.missed.map(({ screen }) => screen);
  return ussd(reply.screen, reply.language, reply.page, limits, missed);
}
