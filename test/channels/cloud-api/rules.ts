import {
  ActionButtons,
  ActionContactRequest,
  ActionCTA,
  ActionFlow,
  ActionList,
  Body,
  Button,
  Document,
  Header,
  Image,
  Interactive,
  ListSection,
  Row,
  Text,
} from 'whatsapp-api-js/messages';
import { z } from 'zod';

/** How the Cloud API refuses a request. */
export class Refused extends Error {
  readonly code: number;
  readonly status: number;

  constructor(code: number, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const TEXT_MAX_CHARS = 4_096;
const CAPTION_MAX_CHARS = 1_024;

const said = z.string().min(1);
const action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('button'),
    header: z.unknown().optional(),
    body: z.strictObject({ text: said }),
    action: z.strictObject({
      buttons: z.array(
        z.strictObject({ type: z.literal('reply'), reply: z.strictObject({ id: said, title: said }) }),
      ),
    }),
  }),
  z.strictObject({
    type: z.literal('list'),
    body: z.strictObject({ text: said }),
    action: z.strictObject({
      button: said,
      sections: z.array(
        z.strictObject({
          title: said.optional(),
          rows: z.array(z.strictObject({ id: said, title: said, description: said.optional() })),
        }),
      ),
    }),
  }),
  z.strictObject({
    type: z.literal('cta_url'),
    body: z.strictObject({ text: said }),
    action: z.strictObject({
      name: z.literal('cta_url'),
      parameters: z.strictObject({ display_text: said, url: z.url({ protocol: /^https?$/ }) }),
    }),
  }),
  z.strictObject({
    type: z.literal('request_contact_info'),
    body: z.strictObject({ text: said }),
    action: z.strictObject({ name: z.literal('request_contact_info') }),
  }),
  z.strictObject({
    type: z.literal('flow'),
    body: z.strictObject({ text: said }),
    action: z.strictObject({ name: z.literal('flow'), parameters: z.record(z.string(), z.unknown()) }),
  }),
]);
type Action = z.output<typeof action>;

const file = z.strictObject({
  id: said,
  caption: z.string().max(CAPTION_MAX_CHARS).optional(),
  filename: said.optional(),
});
const message = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.strictObject({ preview_url: z.boolean(), body: said.max(TEXT_MAX_CHARS) }),
  }),
  z.strictObject({ type: z.literal('interactive'), interactive: action }),
  z.strictObject({ type: z.literal('image'), image: file }),
  z.strictObject({ type: z.literal('document'), document: file }),
  z.strictObject({ type: z.literal('template'), template: z.record(z.string(), z.unknown()) }),
]);
export type Shown = z.output<typeof message>;

/** Reads a message as the Cloud API would, with the limits of `whatsapp-api-js`. Throws `Refused` for one that it refuses. */
export function readShown(sent: object): Shown {
  const read = message.safeParse(sent);
  if (!read.success) throw new Refused(131009, `Parameter value is not valid: ${read.error.message}`);
  try {
    build(read.data);
  } catch (error) {
    throw new Refused(131009, `Parameter value is not valid: ${String(error)}`);
  }
  return read.data;
}

/** The same message, built by another's classes: they throw for what breaks a limit. */
function build(shown: Shown): unknown {
  if (shown.type === 'text') return new Text(shown.text.body, shown.text.preview_url);
  if (shown.type === 'image') return new Image(shown.image.id, true, shown.image.caption);
  if (shown.type === 'document')
    return new Document(shown.document.id, true, shown.document.caption, shown.document.filename);
  return shown.type === 'interactive' ? buildInteractive(shown.interactive) : undefined;
}

function buildInteractive(asked: Action): unknown {
  const body = new Body(asked.body.text);
  switch (asked.type) {
    case 'button': {
      const [first, ...others] = asked.action.buttons.map(
        ({ reply: { id, title } }) => new Button(id, title),
      );
      if (!first) throw new Error('no button');
      return new Interactive(new ActionButtons(first, ...others), body, headerOf(asked.header));
    }
    case 'list': {
      const sections = asked.action.sections.map(({ title, rows }) => {
        const [row, ...more] = rows.map(({ id, title, description }) => new Row(id, title, description));
        if (!row) throw new Error('no row');
        return new ListSection(title, row, ...more);
      });
      const [section, ...others] = sections;
      if (!section) throw new Error('no section');
      return new Interactive(new ActionList(asked.action.button, section, ...others), body);
    }
    case 'cta_url': {
      const { display_text, url } = asked.action.parameters;
      return new Interactive(new ActionCTA(display_text, url), body);
    }
    case 'request_contact_info':
      return new Interactive(new ActionContactRequest(), body);
    case 'flow':
      return new Interactive(new ActionFlow(asked.action.parameters as never), body);
  }
}

function headerOf(header: unknown): Header | undefined {
  if (header === undefined) return undefined;
  const { type, image, document } = z
    .strictObject({ type: z.enum(['image', 'document']), image: file.optional(), document: file.optional() })
    .parse(header);
  if (type === 'image') return new Header(new Image(image?.id ?? '', true));
  return new Header(new Document(document?.id ?? '', true, undefined, document?.filename));
}

/** What a person reads of a message. */
export function textOf(shown: Shown): string {
  if (shown.type === 'text') return shown.text.body;
  if (shown.type === 'interactive') return shown.interactive.body.text;
  if (shown.type === 'image') return shown.image.caption ?? '';
  return shown.type === 'document' ? (shown.document.caption ?? '') : JSON.stringify(shown.template);
}

/** What can be pressed below it. */
export function buttonsOf(
  shown: Shown,
): readonly { readonly id: string; readonly title: string; readonly description?: string }[] {
  if (shown.type !== 'interactive') return [];
  const asked = shown.interactive;
  if (asked.type === 'button') return asked.action.buttons.map(({ reply }) => reply);
  if (asked.type !== 'list') return [];
  return asked.action.sections
    .flatMap(({ rows }) => rows)
    .map(({ description, ...row }) => ({ ...row, ...(description !== undefined && { description }) }));
}

/** The address that it opens. */
export function linkOf(shown: Shown): string | undefined {
  return shown.type === 'interactive' && shown.interactive.type === 'cta_url'
    ? shown.interactive.action.parameters.url
    : undefined;
}
