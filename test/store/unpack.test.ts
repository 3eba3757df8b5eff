import { expect, test } from 'vitest';
import { unpack } from '../../src/store/unpack.ts';

const KEY = 'session:ussd:+212612345678';

/** As Wasl 0.3 stored them, and what they say. */
test.each([
  [
    'an idle session',
    '\x07rMOIgOx5aNmJMhUd\b8\t\x1daIJlXox\n\x1b!\x02V',
    '{"seen":["rMOIgOx5aNmJMhUd"],"screen":8,"page":0,"at":1795457120817,"wallet":"+212612345678","linked":true,"language":"ar"}',
  ],
  [
    'a payment',
    '\r\x1epcpnWFhOSoWxTnbHdrms4A\x0e\x1c698765432 20000\x0f\x1daIJlXox\x107}],"to\x05\x1b#\x04again":[\x1b$,\x1daIJlXoy]}',
    '{"entries":[{"id":"a5ca6758-584e-4a85-b14e-76c776b9ace0","alike":"transfer +212698765432 20000","at":1795457120817,"state":"done","operationId":7}],"to":"+212698765432","again":[1795457120817,1795457120818]}',
  ],
  ['codes that a customer typed', '{"text\x05é ه"}\x1f\x1b!\x1f\x1c', '{"text":"é ه"}\x1b!\x1c'],
  ['plain JSON', '{"colour":7}', '{"colour":7}'],
])('reads %s of 0.3', (_, stored, text) => {
  expect(unpack(stored, KEY)).toBe(text);
});

test.each(['\x01', '\x01 ', '\x03\x7f', '\x1b', '\x1b!', '\x1c12', '\x1d', '\x1e', '\x1f', '\x00'])(
  'reads a damaged text as far as it goes: %j',
  (damaged) => {
    expect(unpack(`{"a":1}${damaged}`, KEY)).toMatch(/^\{"a":1\}/);
  },
);
