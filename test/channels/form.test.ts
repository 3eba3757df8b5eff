import { afterEach, describe, expect, test } from 'vitest';
import type { Sealed } from '../../machines/kit/secret.ts';
import { launchedBy } from '../../src/channels/telegram/launch.ts';
import { channelOf } from '../../src/conversation/channel.ts';
import { formToken, readFormToken } from '../../src/conversation/session/form.ts';
import { languageOfTest } from '../kit/rotation.ts';
import { CREDITORS, goesTo, known } from '../machines/bill-orders.ts';
import { type BotCustomer, createBotCustomer } from './bot-api/customer.ts';
import { buttonsOf } from './bot-api/person.ts';
import { HOST, launchOf, nextTokenIn, pageOf, sent, theFormStage, tokenOf } from './form-kit.ts';

const { stage, logged, routes } = theFormStage();
const PIN = '7391';
const someone = (language = languageOfTest()) =>
  createBotCustomer(stage, stage.world.customer({ pin: PIN }).phone, language);
const launch = (fatima: BotCustomer) => launchOf(stage.api.token, fatima.person.id, stage.world.clock.now());
const open = (token: string) => pageOf(routes().request(`${HOST}/form/${token}`.replace('/form', '')));
const send = (token: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  pageOf(routes().request(`${HOST}/${token}`, sent(fields, headers)));

/** At a PIN's prompt: in a box, as who waits for a customer waits for what they do. */
async function prompted(): Promise<{ readonly fatima: BotCustomer }> {
  const fatima = someone();
  await fatima.arrives().sees('unlocking.askPin').enters(PIN).sees('menu.choose');
  await fatima.chooses('balance').sees('balance.askPin');
  return { fatima };
}
/** How often the wallet was asked for a PIN. */
const logins = ({ phone }: BotCustomer) => stage.world.wallet.calls(phone, 'login').length;

afterEach(() => {
  expect(stage.api.broken()).toEqual([]);
  expect(logged.lines.join()).not.toContain(PIN);
});

describe('the form', () => {
  test('takes a PIN as the keypad does: the chat goes on, and the page closes', async () => {
    const { fatima } = await prompted();
    const page = await open(tokenOf(fatima));
    expect(page.status).toBe(200);
    const { text } = stage.world.renderer.chat(fatima.reply().screen, fatima.language);
    expect(page.html).toContain(text.split('\n')[0]);
    const given = await send(tokenOf(fatima), { secret: PIN, launch: launch(fatima) });
    expect([given.status, given.html]).toEqual([200, expect.stringContaining('data-page="given"')]);
    await fatima.hears('balance.shown');
    expect(fatima.person.menus(), 'the keypad is gone').toHaveLength(1);
  });

  test('asks again after a wrong PIN, in the page and in the chat', async () => {
    const { fatima } = await prompted();
    const wrong = await send(tokenOf(fatima), { secret: '1111', launch: launch(fatima) });
    expect(wrong.status).toBe(200);
    await fatima.hears('balance.askPin');
    const right = await send(nextTokenIn(wrong), { secret: PIN, launch: launch(fatima) });
    expect(right.html).toContain('data-page="given"');
    await fatima.hears('balance.shown');
  });

  test('leads through a change of the PIN, one secret after the other', async () => {
    const fatima = someone();
    await fatima.arrives().enters(PIN).sees('menu.choose');
    await fatima.chooses('account').chooses('pin-change').sees('pin-change.askOldPin');
    let token = tokenOf(fatima);
    for (const secret of [PIN, '4826', '4826']) {
      const page = await send(token, { secret, launch: launch(fatima) });
      expect(page.status).toBe(200);
      token = nextTokenIn(page);
    }
    expect(token).toBe('');
    await fatima.hears('pin-change.changedUntil');
  });

  test.each(['/menu', '/solde', '98', '4242424242424242', 'annuler'])(
    'takes a password as it is, also %s, which would mean something else in the chat',
    async (password) => {
      const fatima = someone('fr');
      await fatima.arrives().enters(PIN).sees('menu.choose').walks(goesTo(CREDITORS.cnss)).says('9876543');
      await fatima.sees('bill-payment.ask', { label: "Code d'accès" });
      await send(tokenOf(fatima), { secret: password, launch: launch(fatima) });
      const [, { sealed }] = (await known(stage.world, fatima)).answers as [unknown, { sealed: Sealed }];
      expect(stage.world.secrets.open(sealed, fatima.address, stage.world.clock.now())).toBe(password);
    },
  );

  test('takes a whole SMS that was pasted for its code, in a field that is long enough', async () => {
    const fatima = someone();
    await fatima.opens().sees('linking.askPhone').says(fatima.phone).sees('linking.askCode');
    const sms = stage.world.sms(fatima.phone).at(-1) ?? '';
    const max = /id="secret"[^>]*maxlength="(\d+)"/.exec((await open(tokenOf(fatima))).html)?.[1];
    expect(sms.length).toBeLessThanOrEqual(Number(max));
    await send(tokenOf(fatima), { secret: sms, launch: launch(fatima) });
    await fatima.hears('unlocking.askPin');
  });

  test('takes the code of an SMS, in any script', async () => {
    const fatima = someone('ar');
    await fatima.opens().sees('linking.askPhone').says(fatima.phone).sees('linking.askCode');
    const code = /(\d{3})-(\d{3})/.exec(stage.world.sms(fatima.phone).at(-1) ?? '') ?? [];
    const eastern = `${code[1]} ${code[2]}`.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
    await send(tokenOf(fatima), { secret: eastern, launch: launch(fatima) });
    await fatima.hears('unlocking.askPin');
  });

  test.each(['', '739', '73911', 'abcd', '73 9a'])(
    'text that is no PIN (%j) is asked again, and counts as no try',
    async (secret) => {
      const { fatima } = await prompted();
      const token = tokenOf(fatima);
      const again = await send(token, { secret, launch: launch(fatima) });
      expect([again.status, again.html]).toEqual([422, expect.stringContaining('role="alert"')]);
      // The address and Telegram's signature have any digits in them.
      const said = again.html
        .replaceAll(/action="[^"]*"/g, '')
        .replaceAll(token, '')
        .replaceAll(/<input type="hidden"[^>]*>/g, '');
      expect(secret === '' || !said.includes(secret), 'the typed text is not shown again').toBe(true);
      expect((await send(token, { secret: PIN, launch: launch(fatima) })).status).toBe(200);
    },
  );
});

describe('the page of the form', () => {
  test('a PIN that is given on it is stored nowhere', async () => {
    const { fatima } = await prompted();
    await send(tokenOf(fatima), { secret: PIN, launch: launch(fatima) });
    await fatima.hears('balance.shown');
    // Moments and ids have any digits in them.
    expect(await stage.world.everythingStored()).not.toMatch(new RegExp(`(?<![\\w+-])${PIN}(?![\\w-])`));
  });

  test('forbids caches, foreign scripts and any frame but Telegram’s', async () => {
    const { fatima } = await prompted();
    const { headers, html } = await open(tokenOf(fatima));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBeNull();
    const policy = headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy.toSorted()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-src 'none'",
        'frame-ancestors https://web.telegram.org',
      ].toSorted(),
    );
    expect([...html.matchAll(/(?:src|href)="([^"]+)"/g)].every(([, url]) => url?.startsWith('/form/'))).toBe(
      true,
    );
  });

  test('has each digit once, in an order of its own each time', async () => {
    const { fatima } = await prompted();
    const token = tokenOf(fatima);
    const orders = new Set<string>();
    for (let i = 0; i < 6; i++) {
      const keys = [...(await open(token)).html.matchAll(/data-key="(\d)"/g)].map(([, digit]) => digit);
      expect(keys.toSorted().join('')).toBe('0123456789');
      orders.add(keys.join(''));
    }
    expect(orders.size).toBeGreaterThan(4);
  });

  test('without https there is none, and the keypad is', async () => {
    const { createScribe } = await import('../../src/channels/telegram/write.ts');
    const { fatima } = await prompted();
    const { markup } = createScribe(stage.world.renderer).write({ ...fatima.reply(), form: 'telegram.x' });
    const texts = buttonsOf({ markup } as never).map((button) => Object.keys(button).sort().join());
    expect(new Set(texts)).toEqual(new Set(['callback_data,text']));
  });
});

/** Each attack has a prompt of its own. Afterwards the prompt is unchanged and takes the right PIN. */
const OTHERS_TOKEN = '1:another-bots-token';
const ATTACKS: readonly (readonly [
  what: string,
  status: number,
  attack: (fatima: BotCustomer) => Promise<{ readonly status: number }>,
])[] = [
  ['no launch data', 403, (it) => send(tokenOf(it), { secret: PIN })],
  ['launch data without a signature', 403, (it) => send(tokenOf(it), { secret: PIN, launch: unsigned(it) })],
  [
    'launch data of another customer',
    403,
    (it) => send(tokenOf(it), { secret: PIN, launch: launchOf(stage.api.token, 4, stage.world.clock.now()) }),
  ],
  [
    'launch data of another bot',
    403,
    (it) =>
      send(tokenOf(it), {
        secret: PIN,
        launch: launchOf(OTHERS_TOKEN, it.person.id, stage.world.clock.now()),
      }),
  ],
  [
    'launch data in which the user was changed',
    403,
    (it) =>
      send(tokenOf(it), {
        secret: PIN,
        launch: launchOf(stage.api.token, 4, stage.world.clock.now()).replace(
          '%22id%22%3A4',
          `%22id%22%3A${it.person.id}`,
        ),
      }),
  ],
  [
    'launch data of an hour ago',
    403,
    (it) =>
      send(tokenOf(it), {
        secret: PIN,
        launch: launchOf(stage.api.token, it.person.id, stage.world.clock.now() - 3_600_000),
      }),
  ],
  [
    'launch data of tomorrow',
    403,
    (it) =>
      send(tokenOf(it), {
        secret: PIN,
        launch: launchOf(stage.api.token, it.person.id, stage.world.clock.now() + 86_400_000),
      }),
  ],
  [
    'another site’s page',
    403,
    (it) => send(tokenOf(it), { secret: PIN, launch: launch(it) }, { origin: 'https://evil.example' }),
  ],
  [
    'a page without an origin',
    403,
    (it) => send(tokenOf(it), { secret: PIN, launch: launch(it) }, { origin: 'null' }),
  ],
  [
    'a body as text',
    415,
    (it) => send(tokenOf(it), { secret: PIN, launch: launch(it) }, { 'content-type': 'text/plain' }),
  ],
  [
    'a body as JSON',
    415,
    (it) => send(tokenOf(it), { secret: PIN, launch: launch(it) }, { 'content-type': 'application/json' }),
  ],
  [
    'a body in parts',
    415,
    (it) =>
      send(
        tokenOf(it),
        { secret: PIN, launch: launch(it) },
        { 'content-type': 'multipart/form-data; boundary=x' },
      ),
  ],
  [
    'a body that is far too long',
    413,
    (it) =>
      send(
        tokenOf(it),
        { secret: PIN, launch: launch(it), more: 'x'.repeat(10_000) },
        { 'content-length': '10100' },
      ),
  ],
  ['no token', 404, () => open('')],
  ['a token that somebody made up', 410, (it) => send('telegram.AAAA', { secret: PIN, launch: launch(it) })],
  [
    'a token with a letter changed',
    410,
    (it) => send(changed(tokenOf(it)), { secret: PIN, launch: launch(it) }),
  ],
  [
    'a token in another channel’s name',
    410,
    (it) => send(tokenOf(it).replace('telegram', 'web'), { secret: PIN, launch: launch(it) }),
  ],
  [
    'something else of ours that is sealed',
    410,
    (it) =>
      send(`telegram.${stage.world.secrets.seal(`1 ${it.address}`, it.address, stage.world.clock.now())}`, {
        secret: PIN,
        launch: launch(it),
      }),
  ],
  [
    'a token of a screen that is gone',
    410,
    async (it) => {
      const token = tokenOf(it);
      await it.goes('menu').chooses('balance').sees('balance.askPin');
      return send(token, { secret: PIN, launch: launch(it) });
    },
  ],
  ['a path that climbs', 404, () => open('public/../../../etc/passwd')],
];

function unsigned(fatima: BotCustomer): string {
  const fields = new URLSearchParams(launch(fatima));
  fields.delete('hash');
  return fields.toString();
}

function changed(token: string): string {
  const at = token.length - 8;
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}

describe('an attack on the form', () => {
  test.each(ATTACKS)(
    '%s (%i) asks the wallet nothing, and the prompt is as it was',
    async (_, status, attack) => {
      const { fatima } = await prompted();
      const before = logins(fatima);
      expect((await attack(fatima)).status).toBe(status);
      expect(logins(fatima)).toBe(before);
      await fatima.sees('balance.askPin');
      expect((await send(tokenOf(fatima), { secret: PIN, launch: launch(fatima) })).status).toBe(200);
      await fatima.hears('balance.shown');
    },
  );

  test('a form that is sent again asks the wallet once', async () => {
    const { fatima } = await prompted();
    const token = tokenOf(fatima);
    const fields = { secret: PIN, launch: launch(fatima) };
    const before = logins(fatima);
    const both = await Promise.all([send(token, fields), send(token, fields)]);
    expect(both.map(({ status }) => status)).toContain(200);
    expect((await send(token, fields)).status).toBe(410);
    expect((await open(token)).status).toBe(410);
    expect(logins(fatima)).toBe(before + 1);
  });

  test('a form that is late is no form any more', async () => {
    const { fatima } = await prompted();
    const token = tokenOf(fatima);
    stage.world.clock.ahead += 121_000;
    expect((await open(token)).status).toBe(410);
    expect((await send(token, { secret: PIN, launch: launch(fatima) })).status).toBe(410);
  });

  test('says only that it failed while the store is down, and the log has no PIN', async () => {
    const { fatima } = await prompted();
    const token = tokenOf(fatima);
    stage.world.weather.isDown = true;
    const down = await send(token, { secret: PIN, launch: launch(fatima) });
    stage.world.weather.isDown = false;
    expect([down.status, down.html]).toEqual([503, expect.stringContaining('data-page="sentence"')]);
    logged.lines.length = 0;
  });
});

describe('a token', () => {
  const { secrets } = { secrets: () => stage.world.secrets };
  test.each([
    ['a phone: a link would train people to be phished', 'ussd:+212612345678', 'pin'],
    ['the web chat, which has a field', 'web:abcdefgh', 'pin'],
    ['a screen that asks for no secret', 'telegram:42', 'amount'],
    ['a list', 'telegram:42', 'choice'],
  ] as const)('is not made for %s', (_, address, expects) => {
    expect(formToken({ address, screen: 7 }, expects, secrets(), Date.now())).toBeUndefined();
  });

  test.each(['pin', 'newPin', 'otp', 'password'] as const)(
    'is made for %s, and says nothing in clear',
    (expects) => {
      const address = 'telegram:42';
      const token = formToken({ address, screen: 7 }, expects, secrets(), 1_000) ?? '';
      expect(token).toMatch(/^telegram\.secret\.[\w-]{60,120}$/);
      expect(readFormToken(token, secrets(), 1_000)).toEqual({ address, screen: 7 });
      expect(readFormToken(token, secrets(), 121_001)).toBeUndefined();
      expect(channelOf(address)).toBe('telegram');
    },
  );
});

test('launch data are checked as Telegram signs them (the vector that tma.js publishes)', () => {
  const token = '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8';
  const data =
    'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2';
  expect(launchedBy(token, data, 1_662_771_700_000)).toBe('telegram:279058397');
  expect(launchedBy(token, data, 1_662_775_700_000)).toBeUndefined();
  expect(launchedBy(`${token}x`, data, 1_662_771_700_000)).toBeUndefined();
});
