import { z } from 'zod';
import { type Input, LANGUAGES, type Language } from '../../conversation/incoming.ts';

/** Far above any sentence a customer writes. A screen's own reader decides whether a text is too long for it. */
const TEXT_MAX_CHARS = 1_000;

const language = z.enum(LANGUAGES as [Language, ...Language[]]);
const envelope = {
  /** Made by the page, once for each thing the customer does: a repeat after a lost answer changes nothing. */
  id: z.string().regex(/^[\w-]{8,64}$/),
  /** The screen that a button belongs to. */
  answers: z.int().nonnegative().exactOptional(),
  /** The page's language, for a customer never seen before. */
  guess: language.exactOptional(),
};

const message = z.union([
  z
    .strictObject({ ...envelope, text: z.string().max(TEXT_MAX_CHARS) })
    .transform(({ text, ...sent }) => ({ ...sent, input: { type: 'said' as const, text } })),
  z
    .strictObject({ ...envelope, choice: z.string().min(1).max(100) })
    .transform(({ choice, ...sent }) => ({ ...sent, input: { type: 'chose' as const, choice } })),
  z
    .strictObject({ ...envelope, went: z.enum(['back', 'menu', 'cancel', 'help', 'language']) })
    .transform(({ went, ...sent }) => ({ ...sent, input: { type: 'went' as const, to: went } })),
  z.strictObject({ ...envelope, language }).transform(({ language: spoken, ...sent }) => ({
    ...sent,
    input: { type: 'speaks' as const, language: spoken },
  })),
  z
    .strictObject({ ...envelope, opened: z.literal(true) })
    .transform(({ opened: _, ...sent }) => ({ ...sent, input: { type: 'opened' as const } })),
]);

/** The data that come with a photo, in the address that it is sent to. */
const photoQuery = z.strictObject({
  ...envelope,
  answers: z.coerce.number().pipe(z.int().nonnegative()).exactOptional(),
});

export interface Message extends z.output<typeof photoQuery> {
  readonly input: Input;
}

/** Reads the page's data about a photo. Undefined for all else. */
export function readPhotoQuery(query: Readonly<Record<string, string>>): Omit<Message, 'input'> | undefined {
  return photoQuery.safeParse(query).data;
}

/** Reads the page's message: exactly one of `text`, `choice`, `went`, `language`, `opened`. Undefined for all else. */
export function readMessage(body: unknown): Message | undefined {
  return message.safeParse(body).data;
}
