import { describe, expect, test } from 'vitest';
import { addBatch, listBatches } from '../../src/conversation/payouts/batch.ts';
import { centimes } from '../../src/wallet/money.ts';
import { nationalNumber } from '../../src/wallet/phone.ts';
import { CHATS, type Customer, LOST, ok, testOn, theWorld } from '../kit/world.ts';
import { formOf, sendsFiles } from './card-forms.ts';
import { bindsAtMenu, boundAtMenu, PRINCIPAL, unbound } from './principal-orders.ts';

const world = theWorld({ bot: 'webhook', form: true });
const gives = async (name: string) => {
  const { principal } = world.engine.desk;
  const line = `${nationalNumber(world.customer().phone)};Salma Idrissi;10;${name}`;
  const given = await principal?.giveFile(new TextEncoder().encode(line), `${name}.csv`, {
    id: 'nadia',
    name: 'Nadia',
  });
  if (given?.kind !== 'given') throw new Error('not given');
  await world.passes(1_000);
  return given.id;
};
const opens = (who: Customer) => who.chooses('principal').chooses('payouts');
const asked = (who: Customer) => opens(who).chooses('give').sees('payouts.askFile');
const csv = (text: string | Uint8Array<ArrayBuffer>, name = 'salaires.csv') => new File([text], name);
const line = (of: string) => `${nationalNumber(world.customer().phone)};Salma Idrissi;10;${of}`;
const idOf = (who: Customer) => {
  const { choices = [] } = who.reply().screen;
  return choices[0]?.id ?? '';
};

describe('files of payouts in a chat', () => {
  testOn(CHATS)('are read, and released once with the PIN, on %s', async (channel) => {
    const id = await gives(`salaires-${channel}`);
    const [salma, karim] = [boundAtMenu(world, channel), boundAtMenu(world, channel)];
    for (const who of [salma, karim])
      await who
        .chooses('principal')
        .chooses('payouts')
        .sees('payouts.list')
        .chooses(id)
        .sees('payouts.shown-ready', {
          file: `salaires-${channel}`,
          amount: 1_000,
          payments: 1,
          refused: 0,
        });
    await salma.chooses('release').sees('payouts.askPin', { amount: 1_000 });
    await salma.enters().sees('payouts.released');
    await karim.chooses('release').enters().sees('payouts.list').isTold('payouts.notNow');
    await salma.after(30_000).hears('payouts.doneNow', { lines: 1 });
    await karim.goes('menu').chooses('principal').chooses('payouts').chooses(id).sees('payouts.went-done');
    await karim.goes('back').goes('back').sees('principal.choose');
  });

  testOn(CHATS)(
    'a low float is named before the PIN with its current amount, and the file is released all the same, on %s',
    async (channel) => {
      const id = await gives(`avance-${channel}`);
      const salma = boundAtMenu(world, channel).chooses('principal').chooses('payouts').chooses(id);
      await salma.sees('payouts.shown-ready');
      const has = (balance: number) =>
        salma.meanwhile(() =>
          world.wallet.next('principalAgent', ok({ code: PRINCIPAL, balance: centimes(balance) })),
        );
      await has(250).chooses('release').sees('payouts.short', { float: 250, missing: 750 });
      await salma.goes('back').sees('payouts.shown-ready', { float: 250 });
      await has(999).chooses('release').sees('payouts.short', { missing: 1 });
      await salma.chooses('look').sees('payouts.list').chooses(id);
      // Just enough is enough, and a wallet that does not answer keeps nobody.
      await has(1_000).chooses('release').sees('payouts.askPin').chooses('cancel').sees('payouts.list');
      await salma.chooses(id).chooses('release').sees('payouts.askPin').goes('back');
      await salma.meanwhile(() => world.wallet.next('principalAgent', LOST)).chooses('release');
      await salma.sees('payouts.askPin').goes('back');
      await has(0).chooses('release').chooses('anyway').sees('payouts.askPin').enters();
      await salma.sees('payouts.released');
      await salma.after(30_000).hears('payouts.doneNow', { paid: 1, sum: 1_000 });
    },
  );

  test('there may be none, or nobody to read them from', async () => {
    const other = boundAtMenu(world).chooses('principal');
    await other.meanwhile(() => world.wallet.next('principalAgent', LOST)).chooses('payouts');
    await other.sees('payouts.unavailable');
    expect(world.errors).toEqual([]);
  });
});

describe('a file of payouts given in a chat', () => {
  testOn(CHATS)(
    'are given on the form, and released by another number than the one that gave them, on %s',
    async (channel) => {
      const [salma, karim] = [boundAtMenu(world, channel), boundAtMenu(world, channel)];
      await salma.walks(asked);
      const text = `\ufeffNuméro;Nom;Montant;Motif\r\n${line(`chat-${channel}`)}\r\n`;
      expect(await sendsFiles(formOf(world, salma), { table: csv(text, `paie-${channel}.csv`) })).toBe(200);
      await salma.hears('payouts.shown-checking', { file: `paie-${channel}`, lines: 1 });
      await world.passes(1_000);
      await opens(salma.goes('menu')).sees('payouts.list');
      const id = idOf(salma);
      await salma.chooses(id).sees('payouts.shownOwn').offers('look');
      await opens(karim).chooses(id).sees('payouts.shown-ready', { amount: 1_000, payments: 1 });
      await karim.chooses('release').enters().sees('payouts.released');
      await karim.after(30_000).hears('payouts.doneNow', { lines: 1 });
      // A released file is released once, and given once.
      await opens(karim.goes('menu')).chooses(id).sees('payouts.went-done', { paid: 1, sum: 1_000 });
      await karim.offers('look');
      await karim.goes('menu').walks(asked);
      expect(await sendsFiles(formOf(world, karim), { table: csv(text, 'autre.csv') })).toBe(200);
      await karim.hears('payouts.list');
    },
  );

  test.each<[string, string | Uint8Array<ArrayBuffer>, readonly string[]]>([
    ['a line too short', '0655000001;Salma;10', ['columns']],
    [
      'several wrong lines',
      '12;Salma;10;x\n0655000001;7;10;x\n0655000001;Salma;1.500;x',
      ['account', 'name', 'amount'],
    ],
    ['headings alone', 'Numéro;Nom;Montant;Motif', ['empty']],
    ['what is no text', new Uint8Array([0x50, 0x4b, 3, 4, 0]), ['notText']],
    [
      'too many lines',
      Array.from({ length: 1_001 }, (_, i) => `0655000001;Salma;10;n${i}`).join('\n'),
      ['tooMany'],
    ],
  ])('a file with %s is refused with all its errors', async (_case, text, why) => {
    const salma = boundAtMenu(world);
    await salma.walks(asked);
    expect(await sendsFiles(formOf(world, salma), { table: csv(text) })).toBe(200);
    await world.rests();
    const [push] = await world.engine.waiting(salma.address);
    expect(push?.screen).toMatchObject({ key: 'payouts.askFile', notice: { key: 'payouts.wrong' } });
    const { lines } = push?.screen.notice?.values ?? {};
    const said = lines && 'lines' in lines ? lines.lines.map(({ values }) => values?.why) : [];
    expect(said).toEqual(why.map((each) => ({ say: `payouts.wrong-${each}` })));
  });
});

describe('the page for files of payouts', () => {
  test('a page is used once, takes one file only, and closes after ten minutes', async () => {
    const salma = boundAtMenu(world);
    await salma.walks(asked);
    const form = formOf(world, salma);
    expect(await sendsFiles(form, {})).toBe(422);
    expect(await sendsFiles(form, { table: csv('') })).toBe(422);
    expect(await sendsFiles(form, { table: csv('x'.repeat(500_001)) })).toBe(422);
    expect(await sendsFiles(form, { table: csv('x'.repeat(600_000)) })).toBe(413);
    const table = csv(line('once'));
    const [one, two] = await Promise.all([sendsFiles(form, { table }), sendsFiles(form, { table })]);
    expect([one, two].sort()).toEqual([200, 410]);
    await salma.hears('payouts.shown-checking');
    expect(await sendsFiles(form, { table })).toBe(410);
    await salma.goes('menu').walks(asked);
    const late = formOf(world, salma);
    await salma.photographs().sees('payouts.askFile').isTold('payouts.onThePage');
    await world.passes(11 * 60_000);
    expect(await sendsFiles(late, { table: csv(line('late')) })).toBe(410);
    await opens(salma.goes('menu')).sees('payouts.list');
  });

  test.each([
    ['fr', 'Ce fichier est trop lourd, rien n&#39;a été envoyé', '500 000 octets au plus'],
    ['ar', 'هذا الملف كبير جدا', '500000'],
    ['en', 'This file is too large, and nothing was sent', '500,000 bytes at most'],
  ] as const)(
    'a page in the language of the chat refuses a file that is far too large: %s',
    async (language, says, limit) => {
      const salma = bindsAtMenu(world, world.customer({ channel: 'web', language }).isAtMenu());
      await salma.walks(asked);
      const form = formOf(world, salma);
      const body = new FormData();
      body.append('table', csv('x'.repeat(600_000)));
      const answer = await fetch(form, { method: 'POST', headers: { origin: new URL(form).origin }, body });
      const html = (await answer.text()).replaceAll(/[\u00a0\u202f]/g, ' ');
      expect([answer.status, html]).toEqual([413, expect.stringContaining(says)]);
      expect(html).toContain(limit);
      expect(html).toContain(`lang="${language}"`);
      // The page is there still.
      expect(await sendsFiles(form, { table: csv(line(`after-${language}`)) })).toBe(200);
    },
  );

  test('an unexpected file in the chat leads to the page for files', async () => {
    const salma = boundAtMenu(world);
    await salma.sendsTable().sees('payouts.askFile').isTold('payouts.onThePage');
    expect(await sendsFiles(formOf(world, salma), { table: csv(line('by the way')) })).toBe(200);
    await salma.hears('payouts.shown-checking').goes('menu');
    // Not in the middle of a payment.
    await salma.says('/transfer 0655000000 50').sees('transfer.askPinOpenLoop').sendsTable();
    await salma.sees('transfer.askPinOpenLoop').isTold('nav.photoLater');
    const other = world.customer({ channel: 'web' });
    await other.isAtMenu().sendsTable().sees('menu.choose').isTold('nav.noFile');
  });

  test('an unbound number gives no file, and a number named by the giver of a file does not release it', async () => {
    const [salma, karim] = [boundAtMenu(world), boundAtMenu(world)];
    await salma.walks(asked);
    const form = formOf(world, salma);
    await salma.meanwhile(() => unbound(world, salma.phone));
    const before = await world.engine.desk.principal?.files();
    expect(await sendsFiles(form, { table: csv(line('gone')) })).toBe(200);
    await salma.hears('payouts.unavailable');
    expect(await world.engine.desk.principal?.files()).toEqual(before);
    // `boundAtMenu`: Aicha has named them all, and Badr has agreed.
    const { principal } = world.engine.desk;
    const file = new TextEncoder().encode(line('named'));
    await principal?.giveFile(file, 'paie.csv', { id: 'aicha', name: 'Aicha' });
    await world.passes(1_000);
    await opens(karim)
      .chooses((await principal?.files())?.[0]?.id ?? '')
      .sees('payouts.shownNamed');
    await karim.offers('look');
    await karim.says('1').sees('payouts.list');
    expect(world.errors).toEqual([]);
  });
});

describe('many files of payouts in a chat', () => {
  testOn(CHATS)(
    'each file that waits is found, however many newer ones there are, on %s',
    async (channel) => {
      const id = await gives(`premier-${channel}`);
      for (let newer = 1; newer <= 9; newer++) await gives(`suivant-${channel}-${newer}`);
      const salma = boundAtMenu(world, channel);
      await opens(salma).sees('payouts.list');
      const first = salma.reply().screen.choices ?? [];
      await salma.chooses('more').sees('payouts.list');
      expect(first.map((each) => each.id)).not.toContain(id);
      await salma.chooses(id).sees('payouts.shown-ready', { file: `premier-${channel}` });
      await salma.chooses('look').sees('payouts.list').goes('back').sees('payouts.list');
      expect(salma.reply().screen.choices).toEqual(first);
      await salma.goes('back').sees('principal.choose');
    },
  );

  test('no file is skipped where others are paid meanwhile', async () => {
    const last = await gives('dernier');
    const others: string[] = [];
    for (let i = 0; i < 16; i++) others.push(await gives(`autre-${i}`));
    const [salma, karim] = [boundAtMenu(world, 'web'), boundAtMenu(world, 'web')];
    await opens(salma).sees('payouts.list').chooses('more');
    for (const id of others.slice(-3))
      await opens(karim.goes('menu')).chooses(id).chooses('release').enters().sees('payouts.released');
    await salma.after(30_000).chooses('more').chooses(last).sees('payouts.shown-ready', { file: 'dernier' });
  });
});

test('a hundred newer files that are over do not drop one that waits from the list', async () => {
  const { store } = world;
  const lines = [{ name: 'Salma', amount: centimes(1_000), reason: 'paie' }] as never;
  const file = (id: string, state: 'ready' | 'done') =>
    ({
      ...{
        id,
        code: 'PA-77',
        fileName: id,
        at: world.clock.now(),
        by: { account: 'nadia' },
        state,
        count: 1,
        sum: 1_000,
      },
      ...{ checked: 1, next: 0, fees: 0, payable: { count: 1, sum: 1_000 } },
    }) as never;
  await addBatch(store, file('waits', 'ready'), lines);
  for (let newer = 0; newer < 101; newer++) await addBatch(store, file(`over-${newer}`, 'done'), lines);
  const listed = (await listBatches(store, 'PA-77')).map(({ id }) => id);
  expect([listed.length, listed.at(-1)]).toEqual([101, 'waits']);
});
