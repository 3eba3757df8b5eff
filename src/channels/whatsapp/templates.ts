import { z } from 'zod';
import { LANGUAGES, type Language, type Push } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { Message } from './api.ts';
import TEMPLATE from './templates.json' with { type: 'json' };

const CALL_MAX_MS = 10_000;
/** The body of a template holds so many characters with its values (facts C5). */
const VALUE_MAX_CHARS = 900;

const listed = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      language: z.string(),
      status: z.string(),
      components: z.array(z.object({ type: z.string(), text: z.string().optional() })).catch([]),
    }),
  ),
});

/**
 * A message outside the 24 hours: the approved template in the customer's language, with the sentence as its value. Undefined
 * for a message that others must not read in a notification, or that is too long.
 */
export function templateOf(
  { screen, language, isSecret, isPrivate }: Push,
  renderer: Pick<Renderer, 'chat'>,
): Message | undefined {
  if (isSecret || isPrivate) return undefined;
  // A value has no line ends and no rows of spaces, and the words of the template follow it.
  const said = renderer.chat(screen, language).text.replaceAll(/\s+/g, ' ').trim();
  const text = /[\p{L}\p{N}\u2069]$/u.test(said) ? `${said}.` : said;
  if (text === '' || text.length > VALUE_MAX_CHARS) return undefined;
  const body = { type: 'body', parameters: [{ type: 'text', text }] };
  return {
    type: 'template',
    template: { name: TEMPLATE.name, language: { code: language }, components: [body] },
  };
}

interface Account {
  readonly apiRoot: string;
  readonly token: string;
  readonly businessId: string;
}

/**
 * Compares the templates of the account with ours, in a line for each language, and submits those that are missing where
 * that is asked. Rejects with a sentence where Meta does not answer.
 */
export async function compareTemplates(
  account: Account,
  submits: boolean,
): Promise<{ readonly lines: readonly string[]; readonly isWell: boolean }> {
  const { data } = listed.parse(await call(account, `?fields=name,status,language,components&limit=200`));
  const rows = await Promise.all(
    LANGUAGES.map(async (language) => {
      const theirs = data.find(({ name, language: code }) => name === TEMPLATE.name && code === language);
      const line = (says: string) => `${TEMPLATE.name} (${language}): ${says}`;
      if (!theirs && !submits) return { line: line('is missing'), isWell: false };
      if (!theirs) {
        await call(account, '', creation(language));
        return { line: line('was submitted, and waits for Meta'), isWell: true };
      }
      const text = theirs.components.find(({ type }) => type.toUpperCase() === 'BODY')?.text;
      const isSame = text === TEMPLATE.bodies[language];
      return {
        line: line(isSame ? theirs.status : `${theirs.status}, with other words than ours`),
        isWell: isSame && theirs.status === 'APPROVED',
      };
    }),
  );
  return { lines: rows.map(({ line }) => line), isWell: rows.every(({ isWell }) => isWell) };
}

function creation(language: Language): object {
  return {
    name: TEMPLATE.name,
    category: TEMPLATE.category,
    language,
    components: [
      {
        type: 'BODY',
        text: TEMPLATE.bodies[language],
        example: { body_text: [[TEMPLATE.examples[language]]] },
      },
    ],
  };
}

async function call({ apiRoot, token, businessId }: Account, query: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${apiRoot}/${businessId}/message_templates${query}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(CALL_MAX_MS),
  });
  if (answer.ok) return answer.json();
  const { error } = (await answer.json().catch(() => ({}))) as { error?: { code?: unknown } };
  throw new Error(`Meta refuses the templates (${answer.status}, code ${Number(error?.code)})`);
}
