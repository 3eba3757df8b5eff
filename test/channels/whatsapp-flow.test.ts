import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createInputIds } from '../../src/channels/digest.ts';
import { sealFlow } from '../../src/channels/simulator/flow.ts';
import { flowRoutes, openFlow } from '../../src/channels/whatsapp/flow.ts';
import { createScribe, urlButton } from '../../src/channels/whatsapp/write.ts';
import { PIN, theWorld } from '../kit/world.ts';
import { readShown } from './cloud-api/rules.ts';
import { fakeLog } from './fakes.ts';

const APP_SECRET = '0123456789abcdef0123456789abcdef';
const keys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

describe('the Flow for secrets', () => {
  const world = theWorld({ whatsapp: true });
  const { publicKey, privateKey } = keys();
  const log = fakeLog();
  const endpoint = () =>
    flowRoutes({
      ...{ conversations: world.engine, renderer: world.renderer, inputIds: createInputIds(world.secrets) },
      ...{ appSecret: APP_SECRET, privateKey, log: log.log },
    });

  /** What a phone with WhatsApp does: it encrypts for the key that Meta has, and reads the answer back. */
  async function phone(clear: object, { key = publicKey, secret = APP_SECRET } = {}) {
    const { body, opened } = sealFlow(clear, key);
    const digest = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'x-hub-signature-256': `sha256=${digest}`, 'content-type': 'application/json' };
    const answer = await endpoint().request('/', { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 200) return { status: answer.status };
    return { status: 200, json: opened(text) };
  }

  async function asked() {
    const fatima = world.customer({ channel: 'whatsapp', language: 'fr', balance: '1234.50' });
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    return { fatima, token: fatima.reply().form ?? '' };
  }

  test('a PIN that is given there answers the screen, and the next one comes into the chat', async () => {
    const { fatima, token } = await asked();
    const first = await phone({ action: 'INIT', flow_token: token });
    expect(first.json).toMatchObject({ screen: 'SECRET', data: { question: expect.any(String) } });
    const wrong = await phone({ action: 'data_exchange', flow_token: token, data: { secret: '12' } });
    expect(wrong.json).toMatchObject({ screen: 'SECRET', data: { error_message: expect.any(String) } });
    const given = await phone({ action: 'data_exchange', flow_token: token, data: { secret: PIN } });
    expect(given.json).toEqual({
      screen: 'SUCCESS',
      data: { extension_message_response: { params: { flow_token: token } } },
    });
    await world.engine.close();
    await fatima.sees('balance.shown', { balance: 123_450 });
    const again = await phone({ action: 'data_exchange', flow_token: token, data: { secret: PIN } });
    expect(again.status).toBe(427);
    expect(JSON.stringify([first, wrong, given])).not.toContain(PIN);
    expect(log.lines.join()).not.toContain(PIN);
  });

  test.each([
    ['a ping', { action: 'ping' }, { data: { status: 'active' } }],
    [
      'an error notice',
      { action: 'data_exchange', flow_token: 'x', data: { error: 'bad', error_message: 'x' } },
      { data: { acknowledged: true } },
    ],
  ])('%s is answered', async (_, clear, answer) => {
    expect(await phone(clear)).toEqual({ status: 200, json: answer });
  });

  test('what is not ours is refused by its status', async () => {
    const { token } = await asked();
    const init = { action: 'INIT', flow_token: token };
    expect(await phone(init, { secret: 'f'.repeat(32) })).toEqual({ status: 432 });
    expect(await phone(init, { key: keys().publicKey })).toEqual({ status: 421 });
    expect(await phone({ action: 'INIT', flow_token: 'whatsapp.secret.forged' })).toEqual({ status: 427 });
    await world.passes(3 * 60_000);
    expect(await phone(init)).toEqual({ status: 427 });
  });

  test('a PIN is asked for by the Flow, and a card or a password on the page', () => {
    const byLink = (_: unknown, text: string) => urlButton(text, 'Page', 'https://wasl.test/form/x');
    const openForm = openFlow('123456', () => 'Page', byLink);
    const { write } = createScribe({ renderer: world.renderer, openForm });
    const kindOf = (expects: 'pin' | 'card' | 'password') => {
      const screen = { key: 'balance.askPin', expects } as const;
      const [last] = write({ screen, language: 'fr', screenId: 1, form: 'x' }).slice(-1);
      const shown = readShown(last ?? {});
      return shown.type === 'interactive' ? shown.interactive.type : shown.type;
    };
    expect([kindOf('pin'), kindOf('card'), kindOf('password')]).toEqual(['flow', 'cta_url', 'cta_url']);
  });
});
