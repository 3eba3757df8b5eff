import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import TEMPLATE from '../../src/channels/whatsapp/templates.json' with { type: 'json' };
import { compareTemplates, templateOf } from '../../src/channels/whatsapp/templates.ts';
import { listening } from '../../src/http/listening.ts';
import { centimes } from '../../src/wallet/money.ts';
import { DAY_MS, theWorld } from '../kit/world.ts';
import { textOf } from './cloud-api/rules.ts';
import { push } from './fakes.ts';

describe('a message outside the 24 hours', () => {
  const world = theWorld({ whatsapp: true, templates: true });
  const toldTo = ({ address }: { address: string }) =>
    world.whatsapp.api.sent.filter(
      ({ to, shown }) => `whatsapp:${to}` === address && shown.type === 'template',
    );

  test('is said by the template in the language of its reader, once', async () => {
    const fatima = world.customer({ channel: 'whatsapp', language: 'ar' });
    await fatima.isAtMenu();
    await world.passes(DAY_MS + 60_000);
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(fatima.phone).says('20').enters();
    await world.passes(1_500);
    await world.passes(60_000);
    const [told, ...others] = toldTo(fatima);
    expect(others).toEqual([]);
    expect(told?.shown).toMatchObject({ template: { name: TEMPLATE.name, language: { code: 'ar' } } });
    expect(told && textOf(told.shown)).toMatch(/20,00\u2069 درهم/);
    expect(told && textOf(told.shown)).not.toMatch(/\\n|\\t| {2,}/);
    expect(told?.about).toBe(fatima.address);
  });

  test('has all the letters of French, unlike an SMS', () => {
    const screen = {
      ...({ key: 'received.money', expects: 'nothing' } as const),
      values: { amount: { money: centimes(5_000) }, reference: { text: '17' } },
    };
    const message = templateOf({ ...push('received'), screen, language: 'fr' }, world.renderer);
    expect(JSON.stringify(message)).toMatch(/Vous avez reçu 50,00 DH. Référence : \u206817\u2069\./);
  });
});

describe('wasl whatsapp-templates', () => {
  /** The templates of an account at Meta. */
  async function account(data: object[]) {
    const submitted: { name: string; language: string }[] = [];
    const app = new Hono()
      .get('/v24.0/777777/message_templates', (c) => c.json({ data }))
      .post('/v24.0/777777/message_templates', async (c) => {
        submitted.push(await c.req.json());
        return c.json({ id: '1', status: 'PENDING' });
      })
      .all('*', (c) => c.json({ error: { code: 190, message: 'no' } }, 401));
    const server = await listening(app, 0, '127.0.0.1');
    onTestFinished(() => server.close());
    const at = { apiRoot: `${server.url}/v24.0`, token: 'x', businessId: '777777' };
    return { at, submitted };
  }
  const theirs = (
    language: 'fr' | 'ar' | 'en',
    status: string,
    text: string = TEMPLATE.bodies[language],
  ) => ({
    ...{ name: TEMPLATE.name, language, status },
    components: [{ type: 'BODY', text }],
  });

  test('says what is approved, what is missing and what has other words', async () => {
    const { at, submitted } = await account([
      theirs('fr', 'APPROVED'),
      theirs('en', 'APPROVED', 'Hello {{1}}'),
    ]);
    expect(await compareTemplates(at, false)).toEqual({
      isWell: false,
      lines: [
        'wasl_news (fr): APPROVED',
        'wasl_news (ar): is missing',
        'wasl_news (en): APPROVED, with other words than ours',
      ],
    });
    expect(submitted).toEqual([]);
  });

  test('submits what is missing, with an example', async () => {
    const { at, submitted } = await account([theirs('fr', 'APPROVED'), theirs('ar', 'PENDING')]);
    const { lines } = await compareTemplates(at, true);
    expect(lines).toContain('wasl_news (en): was submitted, and waits for Meta');
    expect(submitted).toMatchObject([
      {
        language: 'en',
        category: 'UTILITY',
        components: [{ text: TEMPLATE.bodies.en, example: { body_text: [[TEMPLATE.examples.en]] } }],
      },
    ]);
  });

  test('says the code where Meta refuses', async () => {
    const { at } = await account([]);
    await expect(compareTemplates({ ...at, businessId: '1' }, false)).rejects.toThrow('(401, code 190)');
  });
});
