/** The shape of one place in a document: its JSON types, whether it is always there, and the words of a closed list. */
interface Format {
  readonly types: readonly string[];
  /** Every document that has what it is part of has it. */
  readonly always: boolean;
  /** Where it is a word that a reader must know (`kind`, `state`, …): those that were met. */
  readonly words?: readonly string[];
}

/** The formats of everything that is stored, by kind of document and path: `session conversation.state`. */
export type Formats = Readonly<Record<string, Format>>;

/** Fields whose value a reader must know. `kind` is noted at its object. */
const WORDS = /(?:^|\.)(?:state|outcome|as)$/;
/** Places that belong to a conversation's own charts, and have no other reader. */
const OPAQUE = /(?:^|\.)(?:conversation|suspended)\.(?:context|state|timers)\b/;
/** Objects whose keys are names that vary: the values of a sentence, processes by their id. */
const TABLES = /(?:^|\.)(?:values|timers|processes|steps|sealed|sentences|claims)$/;

interface Place {
  readonly types: Set<string>;
  readonly words: Set<string>;
  times: number;
}

/** Formats as a file has them: one place on each line. */
export function written(formats: Formats): string {
  const lines = Object.entries(formats).map(
    ([name, format]) => `${JSON.stringify(name)}: ${JSON.stringify(format)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Collects the formats of documents. */
export function createFormats() {
  const places = new Map<string, Place>();
  return {
    /** @param kind of document: the first word of its key */
    add: (kind: string, value: unknown): void => visit(places, kind, '', value),
    formats: (): Formats =>
      Object.fromEntries([...places].map(([name, place]) => [name, formatOf(places, name, place)])),
  };
}

function visit(places: Map<string, Place>, kind: string, path: string, value: unknown): void {
  if (OPAQUE.test(path)) return;
  const place = placeAt(places, `${kind} ${path}`);
  place.times++;
  place.types.add(typeOf(value));
  if (typeof value === 'string' && WORDS.test(path)) place.words.add(value);
  if (Array.isArray(value)) for (const each of value) visit(places, kind, `${path}[]`, each);
  else if (typeof value === 'object' && value !== null) visitFields(places, kind, path, value);
}

function visitFields(places: Map<string, Place>, kind: string, path: string, value: object): void {
  // The kind tells alternatives apart.
  const tag = 'kind' in value && typeof value.kind === 'string' ? `(${value.kind})` : '';
  if (tag) {
    placeAt(places, `${kind} ${path}`).words.add(tag.slice(1, -1));
    placeAt(places, `${kind} ${path}${tag}`).times++;
  }
  for (const [name, field] of Object.entries(value)) {
    const at = TABLES.test(path) ? '*' : name;
    visit(places, kind, path || tag ? `${path}${tag}.${at}` : at, field);
  }
}

function placeAt(places: Map<string, Place>, name: string): Place {
  const place = places.get(name) ?? { types: new Set(), words: new Set(), times: 0 };
  places.set(name, place);
  return place;
}

function formatOf(places: Map<string, Place>, name: string, { types, words, times }: Place): Format {
  const parent = places.get(parentOf(name)) ?? { times };
  return {
    types: [...types].sort(),
    always: !name.endsWith('[]') && !name.endsWith('*') && times === parent.times,
    ...(words.size > 0 && { words: [...words].sort() }),
  };
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

/** The places of either. */
export function merged(one: Formats, other: Formats): Formats {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const both = [one[name], other[name]].filter((each) => each !== undefined);
      const words = union(both.map((each) => each.words ?? []));
      const always = both.every((each) => each.always);
      return [
        name,
        { types: union(both.map(({ types }) => types)), always, ...(words.length > 0 && { words }) },
      ];
    }),
  );
}

/** Why a release that knows the formats of `before` could not read what one with those of `after` writes: a sentence for each. */
export function breaksIn(before: Formats, after: Formats): string[] {
  return Object.entries(after)
    .flatMap(([name, { types, words = [] }]) => {
      const known = before[name];
      if (!known) return [];
      const newTypes = types.filter((type) => !known.types.includes(type));
      const newWords = words.filter((word) => !known.words?.includes(word));
      return [
        ...newTypes.map((type) => `${name} is ${type}, and was ${known.types.join(' or ')}`),
        ...newWords.map((word) => `${name} is ${word}, which was not known`),
      ];
    })
    .concat(missingIn(before, after));
}

/** Places that were always there and no longer are. */
function missingIn(before: Formats, after: Formats): string[] {
  return Object.entries(before)
    .filter(([name, { always }]) => always && after[parentOf(name)] !== undefined && !after[name]?.always)
    .map(([name]) => `${name} was always there, and is not`);
}

function parentOf(name: string): string {
  return name.replace(/(?:\.|(?<= ))[^.[\]()]+$/, '');
}

function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort();
}
