import type { Reply } from '../conversation/incoming.ts';

const COPIED = ['reference', 'rib', 'code', 'link'] as const;

/** A text that somebody takes elsewhere: a reference, a RIB, a voucher's code, a link to pay. */
export interface Copyable {
  readonly what: (typeof COPIED)[number];
  readonly text: string;
  /** It is shown only once its customer asks for it. */
  readonly isHidden: boolean;
}

/** Lists the values of a screen that get a button to copy them. Only values that the text shows count. */
export function copyableIn({ values = {} }: Reply['screen'], shown: string): Copyable[] {
  return COPIED.flatMap((what) => {
    const value = values[what];
    const isHidden = value !== undefined && 'hidden' in value;
    const text = textOf(what, value);
    return text !== undefined && shown.includes(text) ? [{ what, text, isHidden }] : [];
  });
}

/** A text without the line that only names a page, where a link beside it opens that page. */
export function withoutAddress(text: string, reads: { readonly url: string } | undefined): string {
  const isAddress = (line: string) => reads !== undefined && line.includes(reads.url);
  return text
    .split('\n')
    .filter((line) => !isAddress(line))
    .join('\n');
}

/** The number of an error is called `code` too, and nobody copies that. */
function textOf(what: Copyable['what'], value: NonNullable<Reply['screen']['values']>[string] | undefined) {
  if (value && 'hidden' in value) return value.hidden;
  return value && 'code' in value && what !== 'code' ? value.code : undefined;
}
