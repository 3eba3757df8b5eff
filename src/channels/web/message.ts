import { z } from 'zod';
import { type Input, LANGUAGES, type Language } from '../../conversation/incoming.ts';

/** Far above any sentence a customer writes. A screen's own reader decides whether a text is too long for it. */
const TEXT_MAX_CHARS = 1_000;

const language = z.enum(LANGUAGES as [Language, ...Language[]]);
const envelope = {
  /** Made by the page, once for each thing the customer does: a repeat after a lost answer changes nothing. */
  id: z.string().regex(/^[\w-]{8,64}$/),
  /** The screen that a button belongs to. */
  answers: z.int().nonnegative().optional(),
  /** The page's language, for a customer never seen before. */
  guess: language.optional(),
};

const message = z.union([
  z.strictObject({ ...envelope, text: z.string().max(TEXT_MAX_CHARS) }),
  z.strictObject({ ...envelope, choice: z.string().min(1).max(100) }),
  z.strictObject({ ...envelope, went: z.enum(['back', 'menu', 'cancel', 'help', 'language']) }),
  z.strictObject({ ...envelope, language }),
  z.strictObject({ ...envelope, opened: z.literal(true) }),
]);

export interface Message {
  readonly id: string;
  readonly answers?: number;
  readonly guess?: Language;
  readonly input: Input;
}

/** The data that come with a photo, in the address that it is sent to. */
const photoQuery = z.strictObject({
  ...envelope,
  answers: z.coerce.number().pipe(z.int().nonnegative()).optional(),
});

/** Reads the page's data about a photo. Undefined for all else. */
export function readPhotoQuery(query: Readonly<Record<string, string>>): Omit<Message, 'input'> | undefined {
  const read = photoQuery.safeParse(query);
  if (!read.success) return undefined;
  const { id, answers, guess } = read.data;
  return { id, ...(answers !== undefined && { answers }), ...(guess && { guess }) };
}

/** Reads the page's message: exactly one of `text`, `choice`, `went`, `language`, `opened`. Undefined for all else. */
export function readMessage(body: unknown): Message | undefined {
  const read = message.safeParse(body);
  if (!read.success) return undefined;
  const { id, answers, guess } = read.data;
  return {
    id,
    ...(answers !== undefined && { answers }),
    ...(guess && { guess }),
    input: input(read.data),
  };
}

function input(data: z.infer<typeof message>): Input {
  if ('text' in data) return { type: 'said', text: data.text };
  if ('choice' in data) return { type: 'chose', choice: data.choice };
  if ('went' in data) return { type: 'went', to: data.went };
  if ('language' in data) return { type: 'speaks', language: data.language };
  return { type: 'opened' };
}
