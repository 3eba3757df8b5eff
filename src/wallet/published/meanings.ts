import texts from './meanings.json' with { type: 'json' };

/*
 * The meaning of each field of the contract: prose, as data in `meanings.json`. Unit, format and source are added when it is
 * published (`described.ts`). A text that begins with `!` is about something that v2.3 does not show.
 */

type Texts = Readonly<Record<string, string>>;

/** By name, in any case: the meaning wherever `OWN_MEANINGS` has no other. */
export const MEANINGS: Texts = texts.fields;

/** By the name of a shape or operation: where a field of it means something else. */
export const OWN_MEANINGS: Readonly<Record<string, Texts>> = texts.fieldsOf;

/** The meaning of an answer that is no object. */
export const ANSWER_MEANINGS: Texts = texts.answers;

/** The meaning of each code, and where v2.3 shows it. By the names of `client/codes.ts`. */
export const CODE_MEANINGS: Readonly<
  Record<string, { readonly from?: string | undefined; readonly means: string }>
> = texts.codes;
