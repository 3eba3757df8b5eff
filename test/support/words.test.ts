import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHANNEL_NAMES } from '../../src/conversation/channel.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { plain } from '../../src/screen/marks.ts';
import type { Role } from '../../src/support/access/roles.ts';
import { auditPage } from '../../src/support/audit/audit-page.ts';
import { AUDITED } from '../../src/support/audit/deeds.ts';
import { layout } from '../../src/support/layout.ts';
import { sentence } from '../../src/support/pages/parts.ts';

const ASKED = { by: '', act: '', on: '', about: '', end: '', from: '', to: '' };

describe.each(LANGUAGES)('the audit in %s', (language) => {
  const page = auditPage({
    who: { id: 'sara', name: 'Sara', role: 'supervisor', csrf: '', language } as never,
    asked: ASKED,
    page: { entries: [] },
    sessionPage: () => '',
    because: () => undefined,
  });
  const [, select = ''] = /<select name="act">(.*?)<\/select>/s.exec(String(page)) ?? [];
  const options = [...select.matchAll(/<option value="(\w+)" >([^<]+)</g)];

  test('offers every act once, in groups with titles', () => {
    expect(options.map(([, act]) => act).toSorted()).toEqual([...AUDITED].toSorted());
    const outside = select.replace(/<optgroup label="[^"]+">.*?<\/optgroup>/gs, '');
    expect(outside.match(/<option/g), 'only "any" is in no group').toHaveLength(1);
  });

  test('names each act as a thing, not as a clause', () => {
    const clauses = options.filter(([, , name = '']) =>
      /^(?:a |\p{Ll}|اقترح|وافق|سحب اقتراحا|أودع)/u.test(name),
    );
    expect(clauses.map(([, , name]) => name)).toEqual([]);
  });
});

test('French goes on in small letters after a colon, but for an abbreviation', () => {
  expect(plain(sentence('done-write', 'fr'))).toBe("C'est fait : message envoyé au client.");
  expect(plain(sentence('done-write', 'en'))).toBe('Done: Message sent to the customer.');
});

test('each channel has a colour of its own in the charts', () => {
  const style = readFileSync(new URL('../../src/support/public/charts.css', import.meta.url), 'utf8');
  for (const channel of CHANNEL_NAMES) expect(style, channel).toMatch(new RegExp(`\\.is-${channel}\\b`));
});

describe.each(LANGUAGES)('the menu in %s', (language) => {
  const menuOf = (role: Role) =>
    String(layout({ language, who: { id: 'a', name: 'A', role, csrf: '', language } as never }, '')``);
  test('leads a supervisor to teams, labels and rules, and no agent', () => {
    expect(menuOf('supervisor')).toContain('href="/support/organisation"');
    expect(menuOf('agent')).not.toContain('/organisation');
  });
});
