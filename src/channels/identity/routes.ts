import { type Context, Hono } from 'hono';
import { z } from 'zod';
import ar from '../../../locales/ar/identity.json' with { type: 'json' };
import en from '../../../locales/en/identity.json' with { type: 'json' };
import fr from '../../../locales/fr/identity.json' with { type: 'json' };
import type { Engine } from '../../conversation/engine.ts';
import type { Begun } from '../../conversation/identity.ts';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { bodyAtMost } from '../../http/body-limit.ts';
import { files, LOOK, pageWithLabels } from '../../http/files.ts';
import { parseJson } from '../../http/json.ts';
import { sameOrigin } from '../../http/origin.ts';
import { OWN_FILES_ONLY, pageHeaders } from '../../http/page-headers.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Renderer } from '../../screen/renderer.ts';

const DIRECTORY = new URL('./public/', import.meta.url);
const PAGE = pageWithLabels(new URL('identity.html', DIRECTORY), { fr, ar, en });
const BODY_MAX_BYTES = 2 * 1024;

const asked = z.strictObject({ link: z.string().max(500), language: z.enum([...LANGUAGES]) });

interface IdentityOptions {
  readonly identifications: Pick<Engine, 'beginIdentification' | 'requestUpgrade'>;
  readonly renderer: Pick<Renderer, 'chat'>;
  /**
   * The operator's page around the identity provider's web SDK, shown in a frame of ours (docs/operator/connecting.md, "Checking
   * identities"). Not shown in v2.3: whether the provider has one (open question 81).
   */
  readonly providerPage: string;
  /** Served over https (by a proxy in front of us). */
  readonly secure: boolean;
  readonly log: Log;
}

/**
 * The page on which a customer's identity is checked. The link carries its data in the fragment, which browsers send to
 * nobody. The page's script reads it, and posts it to `/begin` and, once the customer has scanned, to `/done`. The
 * identity provider's token goes from the answer to the frame, through the memory of the page and nowhere else.
 */
export function identityRoutes(options: IdentityOptions): Hono {
  const { providerPage, secure, log } = options;
  const provider = new URL(providerPage).origin;
  const app = new Hono();
  app.onError((error, c) => {
    log.say('A request failed', { channel: 'identity', ...thrown(error) });
    return c.json({ says: '' }, 503);
  });
  app.use(
    pageHeaders(
      { ...OWN_FILES_ONLY, frameSrc: [provider], formAction: ["'none'"] },
      {
        ...{ strictTransportSecurity: secure, referrerPolicy: 'same-origin', xFrameOptions: 'DENY' },
        permissionsPolicy: { camera: ['self', provider], microphone: ['self', provider] },
      },
    ),
  );
  app.route('/public', files(LOOK, ['palette.css', 'look.css', 'sheet.css', 'icon.svg']));
  app.route('/public', files(DIRECTORY, ['identity.css', 'identity.js']));
  app.get('/', (c) => c.html(PAGE));
  app.use('/:step', sameOrigin, bodyAtMost(BODY_MAX_BYTES));
  app.post('/begin', (c) => begin(c, options));
  app.post('/done', (c) => done(c, options));
  return app;
}

async function begin(c: Context, options: IdentityOptions): Promise<Response> {
  const order = await orderIn(c);
  if (!order) return c.json({ end: 'gone' }, 400);
  const begun = await options.identifications.beginIdentification(order.link);
  if (begun.kind === 'begun') return c.json({ page: options.providerPage, ...begun.value });
  return begun.kind === 'gone'
    ? c.json({ end: 'gone' }, 410)
    : c.json({ end: 'refused', says: said(options.renderer, begun.why, order.language) }, 409);
}

async function done(c: Context, { identifications, renderer }: IdentityOptions): Promise<Response> {
  const order = await orderIn(c);
  if (!order) return c.json({ end: 'gone' }, 400);
  const asked = await identifications.requestUpgrade(order.link);
  return asked.kind === 'refused'
    ? c.json({ end: 'refused', says: said(renderer, asked.why, order.language) }, 409)
    : c.json({ end: asked.kind }, asked.kind === 'gone' ? 410 : 200);
}

async function orderIn(c: Context) {
  return asked.safeParse(parseJson(await c.req.text())).data;
}

type Refused = Extract<Begun, { kind: 'refused' }>;

function said(renderer: Pick<Renderer, 'chat'>, why: Refused['why'], language: Language): string {
  return renderer.chat({ ...why, expects: 'nothing' }, language).text;
}
