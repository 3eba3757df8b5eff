import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { multipartIn } from '../../src/http/multipart.ts';

/** The fields that are read from a request, files with their names and sizes. Undefined if it is no form. */
async function readAs(init: RequestInit) {
  const app = new Hono();
  let read: unknown;
  app.post('/', async (c) => {
    const form = await multipartIn(c);
    read = form && (await Promise.all([...form].map(async ([name, value]) => [name, await said(value)])));
    return c.text('ok');
  });
  expect((await app.request('/', { method: 'POST', ...init })).status).toBe(200);
  return read;
}

async function said(value: File | string) {
  return typeof value === 'string' ? value : [value.name, [...new Uint8Array(await value.arrayBuffer())]];
}

/** A body by hand, with the boundary `b`. */
function raw(body: string, type = 'multipart/form-data; boundary=b') {
  return readAs({ body, headers: { 'content-type': type } });
}
const HEAD = 'content-disposition: form-data; name="file"';

describe('a form with files', () => {
  test('is read as a browser writes it', async () => {
    const form = new FormData();
    form.append('launch', 'é\r\n--b=1');
    form.append('file', new File([new Uint8Array([0, 13, 10, 45, 45, 255])], 'reçu "1".png'));
    expect(await readAs({ body: form })).toEqual([
      ['launch', 'é\r\n--b=1'],
      ['file', ['reçu "1".png', [0, 13, 10, 45, 45, 255]]],
    ]);
  });

  test('of a file whose name is no UTF-8 loses nothing of the file', async () => {
    const head = Buffer.from(`--b\r\n${HEAD}; filename="re\xe7u.csv"\r\n\r\n`, 'latin1');
    const body = Buffer.concat([head, Buffer.from('hello world\r\n--b--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect(await readAs({ body: new Uint8Array(body), headers })).toEqual([
      ['file', [expect.stringMatching(/^re.u\.csv$/), [...Buffer.from('hello world')]]],
    ]);
  });

  test.each([
    ['nothing in it', '--b--\r\n', []],
    [
      'a boundary in quotes',
      `--b\r\n${HEAD}\r\n\r\nx\r\n--b--`,
      [['file', 'x']],
      'multipart/form-data; boundary="b"',
    ],
    ['no file chosen', `--b\r\n${HEAD}; filename=""\r\n\r\n\r\n--b--`, [['file', ['', []]]]],
    ['a part that is empty', `--b\r\n${HEAD}\r\n\r\n\r\n--b--`, [['file', '']]],
    ['a line like its boundary in a part', `--b\r\n${HEAD}\r\n\r\n\r\n--a\r\n--b--`, [['file', '\r\n--a']]],
  ] as const)('with %s is read', async (_, body, fields, type?: string) => {
    expect(await raw(body, type)).toEqual(fields);
  });

  test.each([
    ['no boundary', '', 'multipart/form-data'],
    ['another boundary than it says', '--c--'],
    ['no end', `--b\r\n${HEAD}\r\n\r\nx`],
    ['a part without a name', '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--'],
    [
      'a head without an end',
      `--b\r\n${HEAD}${'a'.repeat(5_000)}\r\n\r\nx\r\n--b--`.replace('"file"', '"file'),
    ],
    ['eleven parts', `${`--b\r\n${HEAD}\r\n\r\nx\r\n`.repeat(11)}--b--`],
    ['ten megabytes of empty parts', `${`--b\r\n${HEAD}\r\n\r\n\r\n`.repeat(190_000)}--b--`],
    ['a text', 'hello', 'text/plain'],
  ] as const)('with %s is none', async (_, body, type?: string) => {
    expect(await raw(body, type)).toBeUndefined();
  });
});
