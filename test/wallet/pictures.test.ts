import { expect, test } from 'vitest';
import { asked, FATIMA, ok } from './answering.ts';

test.each<[string, unknown, string | undefined]>([
  ['a path', '/img/1.png', '/img/1.png'],
  ['a web address', 'https://cdn.test/a b'.replace(' ', '%20'), 'https://cdn.test/a%20b'],
  ['one without TLS', 'HTTP://cdn.test/1', 'HTTP://cdn.test/1'],
  ['spaces around it', ' /img/1.png ', '/img/1.png'],
  ['another host in disguise', '//evil.test/1.png', undefined],
  ['with a backslash', '/\\evil.test/1.png', undefined],
  ['with a tab, which browsers skip', '/\t/evil.test/1.png', undefined],
  ['with a control character', '/\u0001/1.png', undefined],
  ['a script', 'javascript:alert(1)', undefined],
  ['data', 'data:image/svg+xml,<svg/>', undefined],
  ['a file', 'file:///etc/passwd', undefined],
  ['a name', 'logo.png', undefined],
  ['no host', 'https://', undefined],
  ['a root alone', '/', undefined],
  ['nothing', '', undefined],
  ['null', null, undefined],
])('a picture: %s', async (_, image, picture) => {
  const body = { data: { collection: [{ id: 1, name: 'x', image }], count: 1 } };
  const { answer } = await asked(200, body, (wallet) => wallet.voucherBrands(FATIMA));
  expect(answer).toEqual(ok({ entries: [{ id: 1, name: 'x', ...(picture && { picture }) }], count: 1 }));
});
