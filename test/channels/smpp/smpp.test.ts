import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createSmpp } from '../../../src/channels/smpp/open.ts';
import { type BindSettings, readBind } from '../../../src/channels/smpp/settings.ts';
import { createTake } from '../../../src/channels/ussd/take.ts';
import { type Lease, leased, OWN } from '../../../src/conversation/lease.ts';
import { openSqliteStore } from '../../../src/store/sqlite.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { fakeConversations, fakeLog, keyRenderer, reply, secrets } from '../fakes.ts';
import { startDriveSmpp } from './drive-smpp.ts';
import { type Smsc, startSmsc, textFields, textOf } from './smsc.ts';

const PHONE = '212612345678';
const PIN = '7391';
let running: Smsc[] = [];

afterEach(async () => {
  await Promise.all(running.map((each) => each.kill()));
  running = [];
});

/** An SMSC, and Wasl's channel bound to it. */
async function bound(query = 'from=WASL', more: { smsc?: Smsc; also?: Smsc; lease?: Lease } = {}) {
  const smsc = more.smsc ?? (await startSmsc());
  if (!running.includes(smsc)) running.push(smsc);
  const conversations = fakeConversations();
  const logged = fakeLog();
  const settings = [smsc, ...(more.also ? [more.also] : [])].map(
    ({ port }) => readBind(`smpp://wasl:the%20pass@127.0.0.1:${port}?${query}`) as BindSettings,
  );
  const options = { conversations, renderer: keyRenderer, secrets, language: 'fr', log: logged.log } as const;
  const take = createTake(options);
  const came: unknown[] = [];
  const smpp = createSmpp({ binds: settings, lease: () => more.lease ?? OWN, log: logged.log });
  smpp.open({
    ussd: { take: (request) => take(request, 'smpp'), serviceCode: '*123#', log: logged.log },
    sms: async (from, text) => void came.push([from, text]),
    receipt: async (of, receipt) => void came.push([of, receipt]),
  });
  onTestFinished(() => smpp.close());
  const link = more.lease ? undefined : (await smsc.next('bind')).link;
  // Its answer has been read as well.
  await expect.poll(() => logged.lines.length >= settings.length || more.lease).toBeTruthy();
  const dials = (fields: object = {}) => smsc.tell({ do: 'deliver', ...dialFields, ...fields });
  const answers = (text: string, fields: object = {}) =>
    dials({ ussd_service_op: 18, short_message: Buffer.from(text).toString('hex'), ...fields });
  return { smsc, smpp, conversations, logged, came, link, dials, answers };
}

const dialFields = {
  ...{ source_addr: PHONE, source_addr_ton: 1, source_addr_npi: 1, destination_addr: '123' },
  ...{ service_type: 'USSD', ussd_service_op: 1, its_session_info: '0a00', ...textFields('*123#') },
};

/** What was sent, once all of it has come. */
async function submitted(smsc: Smsc, count: number) {
  const all = () => smsc.told.filter(({ did }) => did === 'submit');
  await expect.poll(() => all().length).toBe(count);
  return all();
}

test('binds with its name, password and type', async () => {
  const { smsc } = await bound('for=ussd&type=USSD');
  expect(smsc.told.find(({ did }) => did === 'bind')).toMatchObject({
    name: 'wasl',
    password: 'the pass',
    type: 'USSD',
  });
});

test('a dial is answered by a page on its own link, and an answer by the next one', async () => {
  const { smsc, conversations, dials, answers, link } = await bound();
  dials();
  expect((await smsc.next('answered')).status).toBe(0);
  const page = await smsc.next('submit');
  expect(page).toMatchObject({
    link,
    to: PHONE,
    from: '123',
    op: 2,
    type: 'USSD',
    coding: 0,
    info: '0a00',
    ton: 1,
  });
  expect(textOf(page)).toBe('fr menu.choose 1/1');
  answers('1');
  await smsc.next('submit');
  expect(conversations.heard.map(({ address, inputs }) => [address, inputs])).toEqual([
    ['ussd:+212612345678', []],
    ['ussd:+212612345678', [{ type: 'said', text: '1' }]],
  ]);
  expect(new Set(conversations.heard.map(({ dialog }) => dialog)).size).toBe(1);
  conversations.reply = reply({ key: 'transfer.done', expects: 'nothing' });
  answers(PIN);
  expect(await smsc.next('submit')).toMatchObject({ op: 17 });
});

test('Arabic goes out in UCS-2, and comes in so', async () => {
  const { smsc, conversations, dials, answers } = await bound();
  conversations.reply = reply({ key: 'مرحبا' as never, expects: 'amount' });
  dials();
  const page = await smsc.next('submit');
  expect([page.coding, textOf(page)]).toEqual([8, 'fr مرحبا 1/1']);
  answers('', { data_coding: 8, short_message: Buffer.from('رصيد', 'utf16le').swap16().toString('hex') });
  await smsc.next('submit');
  expect(conversations.heard.at(-1)?.inputs).toEqual([{ type: 'said', text: 'رصيد' }]);
});

test.each([
  ['counted', '0a00', '0a02', '0a03', 17],
  ['6d', '0a02', '0a02', '0a03', 23],
])('a dialogue as %s has it', async (ussd, dialled, asked, ended, endOp) => {
  const { smsc, conversations, dials, answers } = await bound(`for=ussd&ussd=${ussd}`);
  dials({ its_session_info: dialled });
  expect((await smsc.next('submit')).info).toBe(asked);
  conversations.reply = reply({ key: 'transfer.done', expects: 'nothing' });
  answers('1', { its_session_info: dialled });
  expect(await smsc.next('submit')).toMatchObject({ info: ended, op: endOp });
  expect(new Set(conversations.heard.map(({ dialog }) => dialog)).size).toBe(1);
});

test('an SMSC that counts its messages may repeat one, which is known', async () => {
  const { smsc, conversations, dials, answers } = await bound('for=ussd&ussd=counted');
  dials({ its_session_info: '0a00' });
  await smsc.next('submit');
  for (const info of ['0a04', '0a04', '0a08']) {
    answers('1', { its_session_info: info });
    await smsc.next('submit');
  }
  const [, first, again, later] = conversations.heard.map(({ id }) => id);
  expect([again === first, later === first]).toEqual([true, false]);
});

test.each([
  ['the SMSC says so (0x81)', '', { ussd_service_op: 0x81 }],
  ['the last bit says so', 'for=ussd&ussd=6d', { ussd_service_op: 18, its_session_info: '0a01' }],
  ['the link is cut', '', undefined],
])('a dialogue is over when %s', async (_, query, fields) => {
  const { smsc, conversations, dials } = await bound(query || 'from=WASL');
  dials();
  await smsc.next('submit');
  const before = conversations.ended.length;
  if (fields) dials(fields);
  else smsc.tell({ do: 'cut' });
  await expect.poll(() => conversations.ended.length).toBe(before + 1);
});

test('with two SMSCs each dialogue is answered where it came from', async () => {
  const other = await startSmsc();
  running.push(other);
  const { smsc, dials } = await bound('for=ussd', { also: other });
  other.tell({ do: 'deliver', ...dialFields, source_addr: '212612345679' });
  dials();
  expect((await other.next('submit')).to).toBe('212612345679');
  expect((await smsc.next('submit')).to).toBe(PHONE);
});

test('with held=one the process that has the lease binds, and the next one once it stops', async () => {
  const store = await openSqliteStore({ directory: newDirectory() });
  onTestFinished(() => store.close());
  const smsc = await startSmsc();
  const process = () => bound('for=ussd&held=one', { smsc, lease: leased(store, 'the bind') });
  const first = await process();
  await smsc.next('bind');
  await process();
  // Longer than a bind takes.
  for (let i = 0; i < 5; i++) {
    first.dials();
    await smsc.next('submit');
  }
  await first.smpp.close();
  await smsc.next('closed');
  await smsc.next('bind');
  const order = smsc.told.map(({ did }) => did).filter((did) => ['bind', 'closed'].includes(did));
  expect(order).toEqual(['bind', 'closed', 'bind']);
});

test('an enquiry of the SMSC is answered', async () => {
  const { smsc } = await bound();
  smsc.tell({ do: 'enquire' });
  await smsc.next('alive');
});

test('binds again after the link was cut, and after the SMSC was killed', async () => {
  const { smsc, dials } = await bound();
  smsc.tell({ do: 'cut' });
  await smsc.next('bind');
  dials();
  await smsc.next('submit');
  await smsc.kill();
  const again = await startSmsc(smsc.port);
  running.push(again);
  await again.next('bind');
});

test('a page that the SMSC turns away for now is sent again, and one that it refuses is not', async () => {
  const { smsc, conversations, dials, logged } = await bound();
  smsc.tell({ do: 'set', status: 0x58, once: 1 });
  dials();
  expect((await smsc.next('submit')).status).toBe(0x58);
  expect((await smsc.next('submit')).status).toBe(0);
  smsc.tell({ do: 'set', status: 0x45, once: 1 });
  const before = conversations.ended.length;
  dials();
  expect((await smsc.next('submit')).status).toBe(0x45);
  await expect.poll(() => conversations.ended.length).toBe(before + 2);
  expect(logged.lines.join()).toContain('A USSD page could not be sent');
});

test('no more requests wait for an answer than the window has places', async () => {
  const { smsc, dials } = await bound('for=ussd&window=3');
  smsc.tell({ do: 'set', silent: 1 });
  for (let i = 0; i < 10; i++) dials({ source_addr: `21261234567${i}`, its_session_info: `0b0${i}` });
  for (let i = 0; i < 3; i++) await smsc.next('submit');
  for (let i = 0; i < 10; i++) await smsc.next('answered');
  expect(smsc.told.filter(({ did }) => did === 'submit')).toHaveLength(3);
});

test('closing answers what has come, and says goodbye', async () => {
  const { smsc, smpp, dials } = await bound();
  dials();
  await smsc.next('answered');
  await smpp.close();
  await smsc.next('closed');
  const order = smsc.told.map(({ did }) => did).filter((did) => ['submit', 'unbind', 'closed'].includes(did));
  expect(order).toEqual(['submit', 'unbind', 'closed']);
});

test('a refused password is said, without the password', async () => {
  const smsc = await startSmsc();
  smsc.tell({ do: 'set', bind: 0x0e });
  await smsc.next('set');
  const { logged } = await bound('from=WASL', { smsc });
  await expect.poll(() => logged.lines.join()).toContain('"code":14');
  expect(logged.lines.join()).not.toContain('the pass');
});

test.each<[string, string, string, object[]]>([
  ['one part of 160', 'udh', 'e'.repeat(160), [{ class: 0, receipt: 1 }]],
  [
    '161 in two',
    'udh',
    'e'.repeat(161),
    [
      { class: 0x40, receipt: 0 },
      { class: 0x40, receipt: 1 },
    ],
  ],
  ['71 of Arabic in two', 'udh', 'ر'.repeat(71), [{ coding: 8 }, { coding: 8 }]],
  ['with TLVs', 'sar', 'e'.repeat(161), [{ sar: 1, class: 0 }, { sar: 2 }]],
  ['as one payload', 'payload', 'e'.repeat(300), [{ payload: '65'.repeat(300), short: '' }]],
])('an SMS goes out: %s', async (_, long, text, parts) => {
  const { smsc, smpp } = await bound(`from=WASL&long=${long}`);
  const ids: string[] = [];
  expect(await smpp.send?.(msisdn(PHONE), text, (id) => ids.push(id))).toBe('accepted');
  const sent = await submitted(smsc, parts.length);
  expect(sent).toMatchObject(parts.map((part) => ({ to: PHONE, from: 'WASL', fromTon: 5, ton: 1, ...part })));
  expect(ids).toEqual([sent.at(-1)?.id]);
  const bodies = sent.map((each) =>
    each.class === 0x40 ? { ...each, short: `${each.short}`.slice(12) } : each,
  );
  expect(bodies.map(textOf).join('')).toBe(text);
});

test('no part ends between an escape and its character, or inside an emoji', async () => {
  const { smsc, smpp } = await bound('from=1234&long=sar');
  for (const text of [`${'e'.repeat(152)}€${'e'.repeat(20)}`, `${'ر'.repeat(66)}😀${'ر'.repeat(9)}`]) {
    await smpp.send?.(msisdn(PHONE), text);
  }
  const [one, two, three, four] = await submitted(smsc, 4);
  expect([`${one?.short}`.length / 2, `${two?.short}`.slice(0, 4)]).toEqual([152, '1b65']);
  expect([three && textOf(three), four && textOf(four).slice(0, 2)]).toEqual(['ر'.repeat(66), '😀']);
  expect(one?.fromTon).toBe(3);
});

test.each([
  [0x0b, 'refused'],
  [0x45, 'later'],
  [0x08, 'later'],
])('an SMS answered by status %i is %s', async (status, answer) => {
  const { smsc, smpp } = await bound();
  smsc.tell({ do: 'set', status });
  await smsc.next('set');
  expect(await smpp.send?.(msisdn(PHONE), 'text')).toBe(answer);
});

test('without a link an SMS waits', async () => {
  const { smsc, smpp } = await bound();
  await smsc.kill();
  await expect.poll(() => smpp.send?.(msisdn(PHONE), 'text')).toBe('later');
});

const RECEIPT = (id: string, stat: string) =>
  Buffer.from(
    `id:${id} sub:001 dlvrd:001 submit date:2611290101 done date:2611290102 stat:${stat} err:000 text:x`,
  ).toString('hex');

test.each([
  ['as it was', 'decimal', (id: string) => id],
  ['in decimal, of a hexadecimal one', 'hex', (id: string) => `${Number.parseInt(id, 16)}`],
  ['in hexadecimal, of a decimal one', 'decimal', (id: string) => Number(id).toString(16).toUpperCase()],
  ['with zeros before it', 'decimal', (id: string) => `000${id}`],
])('a receipt names its SMS %s', async (_, ids, write) => {
  const { smsc, smpp, came } = await bound();
  smsc.tell({ do: 'set', ids });
  await smsc.next('set');
  const sent: string[] = [];
  await smpp.send?.(msisdn(PHONE), 'text', (id) => sent.push(id));
  const fields = { source_addr: PHONE, destination_addr: 'WASL', esm_class: 4 };
  smsc.tell({ do: 'deliver', ...fields, short_message: RECEIPT(write(sent[0] ?? ''), 'DELIVRD') });
  await expect.poll(() => came).toEqual([[`+${PHONE}`, { id: sent[0], status: 'delivered' }]]);
});

test.each([
  ['undeliverable', { short_message: RECEIPT('7', 'UNDELIV') }, 'failed'],
  ['expired, by its TLVs', { receipted_message_id: '7', message_state: 3 }, 'failed'],
  [
    'TLVs count more than the text',
    { short_message: RECEIPT('9', 'EXPIRED'), receipted_message_id: '7', message_state: 2 },
    'delivered',
  ],
  ['accepted: nothing is decided', { short_message: RECEIPT('7', 'ACCEPTD') }, undefined],
  ['no id', { short_message: Buffer.from('stat:DELIVRD').toString('hex') }, undefined],
  ['nothing at all', {}, undefined],
])('a receipt: %s', async (_, fields, status) => {
  const { smsc, came } = await bound();
  smsc.tell({ do: 'deliver', source_addr: PHONE, destination_addr: 'WASL', esm_class: 4, ...fields });
  expect((await smsc.next('answered')).status).toBe(0);
  expect(came).toEqual(status ? [[`+${PHONE}`, { id: '7', status }]] : []);
});

test.each([
  ['a word', { short_message: Buffer.from('SOLDE').toString('hex') }, 'SOLDE'],
  [
    'Arabic',
    { data_coding: 8, short_message: Buffer.from('رصيد', 'utf16le').swap16().toString('hex') },
    'رصيد',
  ],
  ['a payload', { message_payload: Buffer.from('AIDE').toString('hex') }, 'AIDE'],
  ['Spanish shift', { esm_class: 0x40, short_message: '03240102611b09' }, 'aç'],
  ['the first part of two', { esm_class: 0x40, short_message: '0500030102014149' }, 'AI'],
  ['Latin', { data_coding: 3, short_message: Buffer.from('arrêt', 'latin1').toString('hex') }, 'arrêt'],
])('an SMS comes in: %s', async (_, fields, text) => {
  const { smsc, came } = await bound();
  smsc.tell({ do: 'deliver', source_addr: PHONE, destination_addr: '1234', ...fields });
  await expect.poll(() => came).toEqual([[`+${PHONE}`, text]]);
});

test('an SMSC without transceivers has a bind for SMS out, and one for SMS in', async () => {
  const out = await bound('for=sms-out&from=WASL');
  const { smsc, came } = await bound('for=sms-in', { smsc: out.smsc });
  expect(await out.smpp.send?.(msisdn(PHONE), 'text')).toBe('accepted');
  expect(textOf(await smsc.next('submit', ({ link }) => link === out.link))).toBe('text');
  smsc.tell({ do: 'deliver', source_addr: PHONE, destination_addr: '1234', ...textFields('SOLDE') });
  await expect.poll(() => came).toEqual([[`+${PHONE}`, 'SOLDE']]);
});

const FRAME = (length: number, id: number, body = '') =>
  [length, id, 0, 99].map((each) => each.toString(16).padStart(8, '0')).join('') + body;

test.each([
  ['a command that nobody knows', FRAME(16, 0x777), 'nack'],
  ['a bind from the wrong side', FRAME(16, 0x9), 'nack'],
  ['a deliver_sm that ends in its middle', FRAME(20, 0x5, '00010139'), undefined],
  ['unknown TLVs', FRAME(33 + 12, 0x5, `${'00'.repeat(17)}${'7777ffff0102'}${'140200020101'}`), undefined],
  ['a TLV without its value', FRAME(33 + 4, 0x5, `${'00'.repeat(17)}05010001`), undefined],
  ['a text longer than its PDU', FRAME(33, 0x5, `${'00'.repeat(16)}fa`), undefined],
  ['a frame of 4 GB', FRAME(0xffffffff, 0x5), 'bind'],
  ['a frame of nothing', FRAME(0, 0x5), 'bind'],
  ['a frame of 4 bytes', FRAME(4, 0x5), 'bind'],
  ['noise', 'deadbeef'.repeat(40), 'bind'],
])('%s ends no process and is no turn', async (_, hex, answer) => {
  const { smsc, conversations, dials } = await bound();
  smsc.tell({ do: 'raw', hex });
  // The link that has lost its frame is dropped, and bound again.
  if (answer) await smsc.next(answer);
  dials();
  expect(textOf(await smsc.next('submit'))).toBe('fr menu.choose 1/1');
  expect(conversations.heard).toHaveLength(1);
});

test('ten thousand requests at once end no process, and each is answered', async () => {
  const { smsc, dials } = await bound('for=ussd&window=100');
  for (let i = 0; i < 10_000; i++) {
    const phone = `2126${String(10_000_000 + i)}`;
    dials({ source_addr: phone, its_session_info: (i % 65_536).toString(16).padStart(4, '0') });
  }
  const answered = () => smsc.told.filter(({ did }) => did === 'answered');
  await expect.poll(() => answered().length).toBe(10_000);
  expect(answered().every(({ status }) => status === 0 || status === 0x58)).toBe(true);
  dials();
  await smsc.next('submit', ({ to }) => to === PHONE);
});

test('no line of the log has a PIN, a number or a text', async () => {
  const { smsc, logged, dials, answers } = await bound();
  dials();
  await smsc.next('submit');
  smsc.tell({ do: 'set', status: 0x45 });
  answers(PIN);
  await smsc.next('submit');
  smsc.tell({ do: 'raw', hex: FRAME(20, 0x5, Buffer.from(PIN).toString('hex')) });
  smsc.tell({ do: 'raw', hex: FRAME(0xffffffff, 0x5, Buffer.from(PIN).toString('hex')) });
  await smsc.next('bind');
  const log = logged.lines.join('\n');
  expect(log).toContain('A USSD page could not be sent');
  for (const secret of [PIN, '612345678', 'menu.choose', 'the pass']) expect(log).not.toContain(secret);
});

test.each([
  ['', 'addresses'],
  ['http://wasl:pass@host', 'smpp://'],
  ['smpp://host:2775', 'name'],
  ['smpp://wasl@host', 'password'],
  [`smpp://${'w'.repeat(16)}:pass@host`, 'name'],
  ['smpp://wasl:pass@host', 'from='],
  ['smpp://wasl:pass@host?from=a-name-of-more-than-11', 'from='],
  ['smpp://wasl:pass@host?for=mms', 'for='],
  ['smpp://wasl:pass@host?for=sms-out', 'from='],
  ['smpp://wasl:pass@host?for=ussd&window=0', 'window'],
  ['smpp://wasl:pass@host?for=ussd&window=ten', 'window'],
  ['smpp://wasl:pass@host?for=ussd&ussd=huawei', 'ussd='],
  ['smpp://wasl:pass@host?from=1234&held=one', 'held=one'],
  ['smpp://wasl:pass@host?for=ussd&type=more-than-twelve', 'type'],
  ['smpp://wasl:pass@host?for=ussd&widow=3', 'widow'],
])('the bind %s is refused, by a sentence that does not quote its password', (text, why) => {
  const read = readBind(text);
  expect(read).toEqual(expect.stringContaining(why));
  expect(read).not.toContain('pass@');
});

const MESSAGES = 200;
const SENT = 20;

if (process.env.LONG === '1') {
  // It takes as long as the time between two enquiries and the wait for an answer.
  test('a link whose SMSC is frozen is found dead, and bound again', async () => {
    const { smsc, logged } = await bound();
    smsc.freeze(true);
    await expect.poll(() => logged.lines.join()).toContain('An SMPP bind is not there');
    smsc.freeze(false);
    await smsc.next('bind');
  });

  test("Kannel's drive_smpp: every message and enquiry is answered, SMS go out, and the binds end in order", async () => {
    const { port, count, lines, ended } = await startDriveSmpp(MESSAGES);
    const { log, lines: logged } = fakeLog();
    const binds = ['sms-in', 'sms-out&from=WASL'].map(
      (use) => readBind(`smpp://foo:bar@127.0.0.1:${port}?for=${use}`) as BindSettings,
    );
    const smpp = createSmpp({ binds, lease: () => OWN, log });
    smpp.open({
      ussd: { take: () => Promise.reject(new Error('no USSD')), serviceCode: '*123#', log },
      sms: async () => {},
      receipt: async () => {},
    });
    await expect.poll(() => logged.filter((line) => line.includes('An SMPP bind is there')).length).toBe(2);
    for (let i = 0; i < SENT; i++)
      expect(await smpp.send?.(msisdn('0612345678'), `message ${i}`)).toBe('accepted');
    expect(await smpp.send?.(msisdn('0612345678'), 'e'.repeat(161))).toBe('accepted');
    await expect.poll(() => count('PDU of type deliver_sm_resp')).toBe(MESSAGES);
    await expect.poll(() => count('PDU of type enquire_link_resp')).toBe(MESSAGES);
    expect(count('PDU of type submit_sm')).toBe(SENT + 2);
    expect(lines.join('\n')).toContain(`short_message = <message ${SENT - 1}>`);
    await smpp.close();
    await ended;
    expect(count('PDU of type unbind')).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toMatch(/garbage|unpacking failed|Unhandled|PANIC/);
  });
}
