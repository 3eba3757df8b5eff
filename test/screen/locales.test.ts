import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { allKeys, loadLocales, sentences } from '../../src/screen/locales.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { placeholders } from '../../src/screen/template.ts';
import { SAMPLE_LOCALES } from './sample.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wasl-locales-'));
  mkdirSync(join(directory, 'fr'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('the real locales have the words for moving in every language, short enough to stand on a page', () => {
  createRenderer();
  for (const language of LANGUAGES) {
    for (const word of ['back', 'menu', 'more', 'help']) {
      expect(sentences(language).get(`nav.${word}`), `${language} nav.${word}`).toMatch(/^.{1,8}$/u);
    }
  }
});

test('keys carry the name of their file', () => {
  expect(allKeys('fr', SAMPLE_LOCALES)).toContain('sample.tries_ussd_one');
  expect(allKeys('en', SAMPLE_LOCALES)).toContain('nav.back');
  expect(allKeys('de', SAMPLE_LOCALES)).toEqual([]);
  expect(sentences('en', SAMPLE_LOCALES).get('sample.send')).toBe('Send money');
});

test('placeholders are listed once, sorted', () => {
  expect(placeholders('{{b}} {{ a }} {{b}}')).toEqual(['a', 'b']);
  expect(placeholders('none')).toEqual([]);
});

test.each([
  ['not JSON', '{'],
  ['a nested table', '{"a": {"b": "c"}}'],
  ['a number', '{"a": 1}'],
  ['an empty sentence', '{"a": ""}'],
  ['null', 'null'],
])('a file with %s stops the start', (_, text) => {
  writeFileSync(join(directory, 'fr', 'bad.json'), text);
  expect(() => loadLocales(directory)).toThrow('bad.json');
});

test('other files are left alone', () => {
  writeFileSync(join(directory, 'fr', 'notes.txt'), 'x');
  writeFileSync(join(directory, 'fr', 'good.json'), '{"a": "b"}');
  expect(loadLocales(directory)).toEqual({ fr: { good: { a: 'b' } } });
});
