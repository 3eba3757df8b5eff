/** The sentences of one file, by their names. */
type Sentences = Readonly<Record<string, string>>;

/** The file of the sentences that every way to pay has: what is said of a payment on its way, and of how it ended. */
const SHARED = 'payment';
/** `{{masculine|feminine}}`: what agrees with the payment's noun. Either may be empty: `refusé{{|e}}`. */
const AGREEMENT = /\{\{([^{}|]*)\|([^{}|]*)\}\}/g;

/**
 * Adds the shared sentences to each way to pay, so that each is written once in a language. In them, `{{payment}}` is
 * the payment's name from its own file (`called`; `{{Payment}}` at the beginning of a sentence) and `{{brief}}` its
 * short name (`brief`). Other placeholders stay. Words that agree with the noun follow its `gender`, which a file names
 * only where it is feminine. A sentence or variant of the file itself wins.
 * @param files every file of one language. A way to pay is one that has `called`
 * @returns the files without the shared one, and without `brief` and `gender`, which nobody says
 * @throws for a file that has `called` and not `brief`
 */
export function withSharedSentences(files: Readonly<Record<string, Sentences>>): Record<string, Sentences> {
  const { [SHARED]: shared = {}, ...others } = files;
  return Object.fromEntries(
    Object.entries(others).map(([file, own]) => [
      file,
      own.called === undefined ? own : completed(file, own, shared),
    ]),
  );
}

function completed(file: string, own: Sentences, shared: Sentences): Sentences {
  const { gender, brief, ...spoken } = own;
  const { called } = own;
  if (called === undefined || brief === undefined) throw new Error(`${file} lacks a name for its payments`);
  const words: Sentences = { payment: called, Payment: capitalised(called), brief };
  const isOwn = (name: string) => own[stem(name)] !== undefined;
  const added = Object.entries(shared)
    .filter(([name]) => !isOwn(name))
    .map(([name, sentence]) => {
      const agreed = sentence.replace(AGREEMENT, gender === 'feminine' ? '$2' : '$1');
      return [
        name,
        agreed.replace(/\{\{(payment|Payment|brief)\}\}/g, (_, word: string) => words[word] ?? ''),
      ];
    });
  return { ...Object.fromEntries(added), ...spoken };
}

/** A name without the medium: `failed_ussd` is a variant of `failed`. */
function stem(name: string): string {
  return name.replace(/_(?:ussd|sms|brief|short)$/, '');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
