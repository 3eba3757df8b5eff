import { identityTicket } from '../identity.ts';
import { counter } from '../session/counter.ts';
import type { Outgoing } from '../session/session.ts';
import { sealLink } from '../session/unseal.ts';
import type { EffectOf } from './effect.ts';
import { gatewayCharges } from './registration.ts';

/** Links that are sent to one wallet in an hour: an SMS costs money and patience. */
const IDENTITY_LINKS_MAX = 5;
const LINKS = counter({ name: 'identity-links', max: IDENTITY_LINKS_MAX, ms: 3_600_000 });

/** Sends the link as a message of its own: hidden in a chat until it is looked at, and by SMS where nothing can be pushed. */
export const sendIdentityLink: EffectOf<'sendIdentityLink'> = {
  kind: 'guarded',
  claim: ({ wallet }, _input, { now }) => LINKS.count(wallet, now()),
  async run({ wallet, level }, env) {
    const { secrets, address, served, now } = env;
    const identityPage = served.identityPage();
    const spent = await env.budgets.charge(gatewayCharges(env));
    if (spent || identityPage === undefined) return { kind: 'later' };
    const link = `${identityPage}#${identityTicket(secrets, { wallet, level }, now())}`;
    return { kind: 'sent', link: sealLink(secrets, link, address, now()) };
  },
  settle(_known, output, { ref, now }) {
    if (output.kind !== 'sent' || !output.link) return { output };
    const message: Outgoing = {
      id: `identity-${ref}`,
      screen: { key: 'upgrade.link', expects: 'nothing' },
      sealed: { link: output.link },
      sealedAs: 'link',
      money: false,
      tries: 0,
      tryAt: now(),
    };
    return { output: { kind: 'sent' }, say: [message] };
  },
};
