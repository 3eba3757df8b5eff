import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The lists that follow from the folders, so that no name is kept by hand: the sentences of `locales/fr`, the machines of `machines/`
 * and the ways to pay of `src/payments`. `npm run generate` writes them, and `test/generated.test.ts` checks that they are fresh.
 */

/** Spoken by pages, and by nobody in a conversation. */
const PAGES = ['console', 'form', 'identity', 'identity-provider', 'simulator', 'three-ds'];
/** The sentences that every way to pay has beside its own. */
const SHARED = 'payment';
/** What a file says of the noun of its payments, and nobody says to a customer (`src/screen/shared-sentences.ts`). */
const OF_NOUN = ['brief', 'gender'];
/**
 * The medium and the plural form that i18next chooses by, and what says that a sentence does without the operator's facts
 * (`src/screen/operator-facts.ts`).
 */
const VARIANT = /(?:_(?:ussd|sms|brief|short|zero|one|two|few|many|other|unset))+$/;
const NOTE = 'Written by `npm run generate`, not by hand.';

interface Method {
  readonly file: string;
  readonly kind: string;
  readonly order: string;
  readonly name: string;
}

/** The generated files of a tree, by their paths from its root. */
export function generatedIn(root: string): Readonly<Record<string, string>> {
  return {
    'machines/kit/sentence-names.ts': sentenceNames(root),
    'src/conversation/chart/machine-list.ts': machineList(root),
    'src/payments/list.ts': paymentList(root),
  };
}

/** The files that a conversation or a way to pay still lacks, each in a sentence. */
export function missingIn(root: string): string[] {
  const machines = machinesIn(root).map(({ id }) => id);
  const languages = namesIn(root, 'locales');
  const spoken = new Set([...machines, ...methodsIn(root).map(({ kind }) => kind)]);
  for (const language of languages) for (const file of localesOf(root, language)) spoken.add(file);
  const needed = [
    ...[...spoken].flatMap((file) => languages.map((language) => `locales/${language}/${file}.json`)),
    ...machines.map((id) => `test/machines/${id}.test.ts`),
  ];
  return needed.filter((path) => !existsSync(join(root, path))).map((path) => `${path} is missing`);
}

function sentenceNames(root: string): string {
  const files = localesOf(root, 'fr');
  const shared = namesOf(root, SHARED);
  const readings = machinesIn(root).filter(({ path }) => / = reading\(\{/.test(textOf(root, path)));
  const namesIn = (file: string) => {
    const own = namesOf(root, file);
    const isPayment = own.includes('called');
    const names = isPayment ? [...own.filter((name) => !OF_NOUN.includes(name)), ...shared] : own;
    return [...new Set(names)].map((name) => `'${name}'`);
  };
  const types = (some: readonly string[]) =>
    some.map((file) => `  '${file}': ${namesIn(file).join(' | ')};`).join('\n');
  const isReading = (file: string) => readings.some(({ id }) => id === file);
  const conversations = files.filter((file) => ![...PAGES, SHARED].includes(file) && !isReading(file));
  return `/* ${NOTE} */

/** The names of the sentences that conversations and channels say, by file, as French has them. */
export const SENTENCES = {
${conversations.map((file) => `  '${file}': [${namesIn(file).join(', ')}],`).join('\n')}
} as const;

/** Those of conversations that only read. */
export interface ReadingNames {
${types(files.filter(isReading))}
}

/** Those of the support console's pages. */
export interface ConsoleNames {
${types(['console'])}
}
`;
}

function machineList(root: string): string {
  const rows = machinesIn(root).map(({ id, path }) => `export { ${camelCase(id)} } from '../../../${path}';`);
  return `/* ${NOTE} */\n\n${rows.join('\n')}\n`;
}

function paymentList(root: string): string {
  const methods = methodsIn(root);
  const imports = methods.map(
    ({ file, order, name }) => `import { type ${order}, ${name} } from './${file}';`,
  );
  const rows = methods.map(({ kind, name }) => `  '${kind}': ${name},`);
  return `/* ${NOTE} */

${imports.join('\n')}
import type { PaymentMethod } from './payment.ts';

/** A money movement as the customer asked for it. */
export type Order = ${methods.map(({ order }) => order).join(' | ')};

/** Every way to pay, by its kind, which is the id of the machine that makes it where it names no other. */
export const PAYMENTS = {
${rows.join('\n')}
} satisfies { readonly [Kind in Order['kind']]: PaymentMethod<Extract<Order, { kind: Kind }>> };
`;
}

/** Each is a file, or a folder with a file of its name. */
function machinesIn(root: string): { readonly id: string; readonly path: string }[] {
  return namesIn(root, 'machines')
    .filter((name) => name !== 'kit')
    .map((name) => name.replace(/\.ts$/, ''))
    .map((id) => ({ id, file: `machines/${id}.ts`, inFolder: `machines/${id}/${id}.ts` }))
    .map(({ id, file, inFolder }) => ({ id, path: existsSync(join(root, file)) ? file : inFolder }));
}

/** The files of `src/payments` that have a whole method, which names its order. */
function methodsIn(root: string): Method[] {
  return namesIn(root, 'src/payments').flatMap((file) => {
    const text = textOf(root, `src/payments/${file}`);
    const order = /^\} satisfies PaymentMethod<(\w+)>;/m.exec(text)?.[1];
    const kind = file.replace(/\.ts$/, '');
    return order === undefined ? [] : [{ file, kind, order, name: camelCase(kind) }];
  });
}

function localesOf(root: string, language: string): string[] {
  return namesIn(root, `locales/${language}`).map((file) => file.replace(/\.json$/, ''));
}

/** The sentences of a French file without their variants, each once. */
function namesOf(root: string, file: string): string[] {
  const table = JSON.parse(textOf(root, `locales/fr/${file}.json`)) as Readonly<Record<string, string>>;
  return [...new Set(Object.keys(table).map((name) => name.replace(VARIANT, '')))];
}

function namesIn(root: string, folder: string): string[] {
  const stem = (name: string) => name.replace(/\.\w+$/, '');
  return readdirSync(join(root, folder)).sort((one, other) => (stem(one) < stem(other) ? -1 : 1));
}

function textOf(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
