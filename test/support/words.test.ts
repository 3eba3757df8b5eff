import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { auditPage } from '../../src/support/audit/audit-page.ts';
import { AUDITED } from '../../src/support/audit/deeds.ts';

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
