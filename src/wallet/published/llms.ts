import { API, API_HEADERS, type ApiName } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { DOCUMENTED_ERRORS, ERRORS } from '../contract/errors.ts';
import { WEBHOOK_HEADERS } from '../contract/webhooks.ts';
import { answerText, curl } from './curl.ts';
import { type Field, fieldsOf } from './fields.ts';
import { ABOUT, examplesOf, OPERATIONS_SHOWN, type Published, VERSION } from './published.ts';
import type { Recorded } from './record.ts';
import { answerName, bodySchema, parametersOf, ref } from './schemas.ts';
import { CLOCK, type Section } from './section.ts';
import { page } from './values.ts';
import { EVENTS } from './webhooks.ts';

const text = (name: string, values: Readonly<Record<string, string>>) =>
  page(new URL(`public/${name}`, import.meta.url), values);

/** `llms.txt`: the whole API on one page, with a link for each section. */
export function llms({ sections }: Published): string {
  const lines = sections.map(
    ({ id, title, operations }) =>
      `- [${title}](/llms/${id}.md): ${Object.keys(operations)
        .map((name) => `\`${name}\``)
        .join(', ')}`,
  );
  return text('llms.md', {
    version: VERSION,
    about: ABOUT,
    operations: OPERATIONS_SHOWN,
    ...API_HEADERS,
    webhookKey: WEBHOOK_HEADERS.key,
    sections: lines.join('\n'),
  });
}

/** One section: each operation with its fields and with requests that really ran. */
export function sectionPage(section: Section, published: Published): string {
  const operations = (Object.entries(section.operations) as [ApiName, string][]).map(([name, summary]) =>
    operationText(name, summary, published),
  );
  const parts = [
    `# ${section.title}\n`,
    `${section.about}\n`,
    ...asidesOf(section, published),
    ...operations,
  ];
  return parts.join('\n');
}

/** The needs of the sandbox besides the API, each kind once: such as a phone or a payer. No example moves a clock. */
function asidesOf({ id }: Section, published: Published): readonly string[] {
  const asides = published.recorded.flatMap((each) =>
    each.section === id && 'aside' in each.step && each.step.target !== CLOCK
      ? [[each.step.aside, each] as const]
      : [],
  );
  return [...new Map(asides)].map(
    ([what, each]) => `In the sandbox: ${what}.\n\n${example(each, published)}`,
  );
}

function operationText(name: ApiName, summary: string, published: Published): string {
  const endpoint: Endpoint = API[name];
  const { schemas } = published;
  const inPath = (key: string) => (key in endpoint.params.shape ? ' (path)' : '');
  return [
    `## ${name}\n`,
    `\`${endpoint.method} ${endpoint.path}\` · ${summary} Scope \`${endpoint.scope}\`.\n`,
    table(
      'Parameters',
      fieldsOf(parametersOf(name), schemas).map((field) => ({
        ...field,
        name: `${field.name}${inPath(field.name)}`,
      })),
    ),
    table(endpoint.multipart ? 'Form' : 'Body', fieldsOf(bodySchema(name), schemas)),
    endpoint.bare || endpoint.binary
      ? `Answers ${endpoint.status} ${endpoint.bare ? 'without a body' : 'with the file'}.\n`
      : table(
          `Answer ${endpoint.status}${endpoint.envelope ? ', in `data`' : ', at the root'}`,
          fieldsOf(ref(answerName(name)), schemas),
        ),
    ...examplesOf(name, published).map((each) => example(each, published)),
  ]
    .filter(Boolean)
    .join('\n');
}

function example(recorded: Recorded, published: Published): string {
  const { status, step } = recorded;
  const title = step.title ? `${step.title}\n\n` : '';
  return `${title}\`\`\`sh\n${curl(recorded, published)}\n\`\`\`\n\n${status}:\n\n\`\`\`json\n${answerText(recorded)}\n\`\`\`\n`;
}

function table(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, isRequired, means, rules }) =>
      `| ${name ? `\`${name}\`` : '(the value itself)'} | ${type} | ${isRequired ? 'required' : ''} | ${[means, rules].filter(Boolean).join(' ').replaceAll('|', '\\|')} |`,
  );
  return `${title}:\n\n| field | type | | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Every error code there is. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([name, error]) => {
    const status = 'status' in error ? error.status : 400;
    const source = name in DOCUMENTED_ERRORS ? 'v2.3' : 'sandbox';
    return `| ${error.code} | ${status} | ${error.means} | ${source} |`;
  });
  return text('errors.md', { rows: rows.join('\n') });
}

/** Every event, with a body that was really sent where the walk made one happen. */
export function webhooksPage({ events, schemas }: Published): string {
  const kinds = EVENTS.map(({ kind, means, schema }) => {
    const sent = events[kind]
      ? `Sent:\n\n\`\`\`json\n${JSON.stringify(events[kind], undefined, 2)}\n\`\`\`\n`
      : '';
    return `## ${kind}\n\n${means}\n\n${table('In `data`', fieldsOf(schema, schemas))}\n${sent}`;
  });
  return text('webhooks.md', { ...WEBHOOK_HEADERS, kinds: kinds.join('\n') });
}
