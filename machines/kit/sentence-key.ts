import type { SENTENCES } from './sentence-names.ts';

/** The files that a customer's conversation speaks from, but for those of conversations that only read. */
export type LocaleFile = keyof typeof SENTENCES;

/** The names of the sentences in one file, a way to pay's with those that all of them share. */
export type NameIn<Page extends LocaleFile> = (typeof SENTENCES)[Page][number];

export type FilesWith<Name extends string> = {
  [Page in LocaleFile]: Name extends NameIn<Page> ? Page : never;
}[LocaleFile];

/** Every sentence that a customer can be told, `<file>.<name>`: what `Sentence.key` may be. */
export type SentenceKey = { [Page in LocaleFile]: `${Page}.${NameIn<Page>}` }[LocaleFile];
