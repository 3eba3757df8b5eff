import { parseJson } from '../../http/json.ts';
import { collection } from '../../wallet/published/collection.ts';
import { errorsPage, llms, sectionPage, webhooksPage } from '../../wallet/published/llms.ts';
import { openApi } from '../../wallet/published/openapi.ts';
import type { Published } from '../../wallet/published/published.ts';
import { record } from '../../wallet/published/record.ts';
import { referencePage } from '../../wallet/published/reference.ts';
import { componentSchemas } from '../../wallet/published/schemas.ts';
import { SECTIONS } from '../../wallet/published/sections.ts';
import { testDataText } from '../desk/test-data-text.ts';
import type { Sandbox, SandboxOptions } from '../sandbox.ts';

/** When the examples ran, and by which seed: they are the same every time. */
const EXAMPLES_AT = Date.parse('2026-09-01T09:00:00Z');
const EXAMPLES_SEED = 'published';
/** The address at which they ran. Answers then have the address of the sandbox that shows them. */
const EXAMPLES_ORIGIN = 'https://sandbox.example';
/** Webhooks are only written down: nobody listens on the discard port. */
const NOBODY = 'http://127.0.0.1:9/';

/** Given by the sandbox itself: this file cannot import what serves it. */
export type OpenSandbox = (options: SandboxOptions) => Sandbox;

/** Runs the walks in a sandbox of their own, and writes down what was answered and announced. */
async function runExamples(open: OpenSandbox) {
  const sandbox = open({
    file: ':memory:',
    seed: EXAMPLES_SEED,
    clock: { now: () => EXAMPLES_AT },
    webhookUrl: NOBODY,
  });
  try {
    const { app, apiKey } = sandbox;
    const recorded = await record(SECTIONS, {
      send: (request) => app.fetch(request),
      origin: EXAMPLES_ORIGIN,
      apiKey,
    });
    const sent = sandbox.deliveries().map(({ event, body }): [string, unknown] => [event, parseJson(body)]);
    return { recorded, events: Object.fromEntries(sent) };
  } finally {
    await sandbox.close();
  }
}

let examples: ReturnType<typeof runExamples> | undefined;

/** Everything that is published, as it reads where the sandbox is reached. */
export async function publicationAt(origin: string, apiKey: string, open: OpenSandbox) {
  examples ??= runExamples(open);
  const { recorded, events } = await examples;
  const all: Published = {
    sections: SECTIONS,
    recorded: recorded.map((each) => ({
      ...each,
      target: each.target.replace(EXAMPLES_ORIGIN, origin),
      answer: moved(each.answer, origin),
    })),
    events,
    schemas: componentSchemas(),
    origin,
    apiKey,
    sandbox: testDataText(origin, apiKey),
  };

  return {
    openApi: () => openApi(all),
    collection: () => collection(all),
    reference: () => referencePage(all),
    llms: () => llms(all),
    /** A section by its id, `errors`, `webhooks` or `sandbox`. Undefined for any other. */
    page(id: string): string | undefined {
      if (id === 'sandbox') return all.sandbox;
      if (id === 'errors') return errorsPage();
      if (id === 'webhooks') return webhooksPage(all);
      const section = SECTIONS.find((each) => each.id === id);
      return section && sectionPage(section, all);
    },
  };
}

function moved(answer: unknown, origin: string): unknown {
  return answer && JSON.parse(JSON.stringify(answer).replaceAll(EXAMPLES_ORIGIN, origin));
}
