import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GATEWAYS } from '../src/channels/ussd/gateways.ts';
import { SETTINGS } from '../src/config.ts';
import { CHANNEL_NAMES } from '../src/conversation/channel.ts';
import { MACHINES } from '../src/conversation/chart/machines.ts';
import { PAYMENT_KINDS } from '../src/payments/payments.ts';
import { BILL_MAGIC } from '../src/sandbox/bills/magic.ts';
import { TEST_CARDS } from '../src/sandbox/cards/test-cards.ts';
import { MAGIC } from '../src/sandbox/faults/magic.ts';
import { SEEDED } from '../src/sandbox/partners/seed.ts';
import { BANK_MAGIC } from '../src/sandbox/transfers/bank-magic.ts';
import { nationalNumber } from '../src/wallet/phone.ts';
import { LONGEST } from './kit/longest.ts';
import {
  commitLoopsIn,
  functionsIn,
  interfacesIn,
  type Parsed,
  parse,
  uncheckedJsonIn,
} from './kit/syntax.ts';
import { filesIn, importsOf, ROOT, readText } from './kit/tree.ts';

/**
 * The allowed imports between rooms (ARCHITECTURE.md). A room is a folder or a file, and the most specific one counts.
 * `type ` allows types only. A room may always import itself, and nothing that is not listed.
 */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  machines: ['machines/kit', 'src/payments', 'src/wallet', 'src/wallet/contract'],
  'machines/kit': ['src/payments', 'src/wallet', 'src/wallet/contract'],
  'src/payments': ['type machines/kit', 'src/wallet', 'src/wallet/contract'],
  'src/wallet': ['type src/wallet/contract'],
  'src/wallet/open': ['src/wallet', 'src/wallet/client'],
  'src/wallet/contract': [],
  'src/wallet/client': ['src/wallet', 'src/wallet/contract'],
  'src/help': [],
  'src/wallet/published': ['src/help', 'src/wallet', 'src/wallet/client', 'src/wallet/contract'],
  'src/store': [],
  'src/records': ['src/conversation', 'src/push', 'src/store', 'src/wallet'],
  'src/records/commands': [
    'src/records',
    'type src/commands',
    'src/screen',
    'src/config',
    'src/conversation',
    'src/store',
    'src/support',
    'src/wallet',
  ],
  'src/conversation': [
    'src/correlation',
    'machines',
    'machines/kit',
    'machines/kit/choice-numbers',
    'src/payments',
    'src/pdf',
    'src/store',
    'src/wallet',
    'src/wallet/contract',
  ],
  'src/pdf': ['src/threads'],
  'src/pdf/write': [],
  'src/threads': [],
  'src/screen': [
    'machines/kit/choice-numbers',
    'type machines/kit',
    'type src/conversation',
    'src/screen/gsm7',
    'src/wallet',
  ],
  // Written by the renderer, read by the engine.
  'machines/kit/choice-numbers': ['type machines/kit'],
  // The alphabet of SMS and USSD.
  'src/screen/gsm7': [],
  // Limits of lists, for every channel.
  'src/screen/lists': ['src/screen'],
  'src/http': [],
  'src/channels': [
    'src/conversation',
    // The simulator page names the types of the sandbox that it stands beside.
    'type src/channels/doors',
    'type src/push',
    'type src/screen',
    'src/screen/gsm7',
    'src/screen/lists',
    'src/http',
    'src/pdf/write',
    'src/threads',
    'src/wallet',
    'locales',
  ],
  'src/channels/open': [
    'src/channels',
    'src/channels/doors',
    'src/conversation',
    'src/push',
    'type src/screen',
    'src/store',
  ],
  'src/channels/doors': [
    'type src/base',
    'src/channels',
    'type src/config',
    'src/conversation',
    'src/http',
    'type src/push',
    'type src/sandbox',
    'type src/wallet',
  ],
  'src/push': ['type machines/kit', 'src/conversation', 'src/store'],
  'src/support': [
    'type machines/kit',
    'src/conversation',
    'src/screen',
    'src/http',
    'src/payments',
    'type src/records',
    'src/store',
    'src/wallet',
    'locales',
  ],
  'src/support/main': [
    'src/help',
    'src/support',
    'src/config',
    'src/conversation',
    'src/http',
    'src/records',
    'src/store',
  ],
  'src/webhooks': [
    'src/conversation',
    'src/http',
    'src/payments',
    'src/store',
    'src/wallet',
    'src/wallet/contract',
  ],
  'src/metrics/open': ['src/log', 'src/metrics', 'src/conversation', 'src/http', 'type src/store'],
  'src/metrics': [
    'src/correlation',
    'src/conversation',
    'src/store',
    'type src/wallet',
    'src/wallet/contract',
    'type src/webhooks',
  ],
  'src/sandbox': [
    'src/http',
    'src/pdf/write',
    'src/wallet',
    'src/wallet/contract',
    'src/wallet/published',
    'locales',
  ],
  'src/sandbox/main': ['src/help', 'src/sandbox', 'src/config'],
  'src/program': [
    'src/channels',
    'src/check',
    'src/commands',
    'src/config',
    'src/conversation',
    'src/log',
    'src/records/commands',
  ],
  'src/commands': ['src/config', 'src/wallet'],
  'src/check': [
    'src/config',
    'src/conversation',
    'src/records',
    'src/store',
    'src/support',
    'src/wallet/client',
  ],
  // Settings name channels, gateways and kinds of payments.
  'src/config': ['src/channels', 'src/conversation', 'src/payments'],
  'src/correlation': [],
  'src/log': ['src/correlation'],
  'src/log/lines': [],
  'src/log/thrown': [],
};
/** The two files that join the rooms may open every door. */
const JOINS = new Set(['src/main.ts', 'src/base.ts']);
/** How a room is opened (`open(config, base)`) may name the settings and the base. */
const OPENED_WITH = new Set(['src/config', 'src/base']);
/** Any room may use these to write into the log. */
const SAID_WITH = new Set(['src/log/lines', 'src/log/thrown']);
/** Machines run nothing and know nothing but their own words ("pure machines"). */
const MACHINE_PACKAGES = ['xstate'];
/** Those of what they import: the contract is written in it. */
const CONTRACT_PACKAGES = ['zod'];
/** The parts of JavaScript that machines may use: the same answer at any time and place. */
const PURE = new Set(
  `Array BigInt Boolean Error Infinity JSON Map NaN Number Object Promise RegExp Set String Symbol TextDecoder TextEncoder
  Uint8Array isNaN undefined`.split(/\s+/),
);
const GLOBALS = [...Object.getOwnPropertyNames(globalThis), 'require'];
const IMPURE = new RegExp(
  [
    // Any other global by its name, unless that is a property's, or a type's of our own.
    `(?<![\\w$.'-]|interface )(?:${GLOBALS.filter((name) => !PURE.has(name) && !/^(?:Date|Math)$/.test(name)).join('|')})(?![\\w$'<-]|\\??:)`,
    'import\\.meta',
    'import\\(',
    '\\bMath\\b(?!\\.(?:abs|ceil|floor|max|min|round|trunc)\\()',
    '(?<!new )\\bDate\\b(?!\\.(?:parse|UTC)\\()',
    'new Date(?!\\(\\s*[^\\s)])',
  ].join('|'),
);

const CODE = filesIn(['machines', 'src']);
const TEXTS = ['.ts', '.js', '.css', '.html'];

/** A function fits on a screen. */
const FUNCTION_LINES_MAX = 60;
/** A test, or a group of them, is read at one sitting. */
const TEST_LINES_MAX = 120;
/** The files that join the parts of the process, and of the engine. */
const JOINING = ['src/main.ts', 'src/base.ts', 'src/conversation/engine.ts'];
const JOINING_LINES_MAX = 250;
/** Shorter lines may be said twice: titles, rows of dashes. */
const SENTENCE_MIN = 50;

/** Members of one interface, and those that may be absent: more of them are groups that have no name yet. */
const MEMBERS_MAX = 20;
const OPTIONAL_MAX = 15;
/** The interfaces that are larger, with what they may have at most. This list only shrinks. */
const LARGE: Readonly<Record<string, readonly [members: number, optional: number]>> = {
  'src/base.ts Base': [21, 0],
  'src/conversation/session/session.ts Session': [30, 26],
  'src/sandbox/cards/payment.ts CardPayment': [26, 0],
  'src/sandbox/operations/operation.ts Operation': [27, 0],
};
/** Files that name a channel. This list only shrinks. */
const NAME_CHANNELS: readonly string[] = [
  'src/channels/open.ts',
  'src/config.ts',
  'src/config/report.ts',
  'src/conversation/channel.ts',
  'src/store/fragments.ts',
];
/** Files that name a conversation or a way to pay of others. This list only shrinks. */
const NAME_CONVERSATIONS: readonly string[] = [
  'machines/kit/agent-cash.ts',
  'machines/kit/received-payment.ts',
  'machines/kit/submenu.ts',
  'src/conversation/card-links.ts',
  'src/conversation/desk/open.ts',
  'src/conversation/effects/agent-day.ts',
  'src/conversation/intents/taken-payments.ts',
  'src/conversation/open.ts',
  'src/conversation/payouts/guard.ts',
  'src/conversation/payouts/run.ts',
  'src/conversation/screens.ts',
  'src/conversation/shortcuts/not-an-order.ts',
  'src/conversation/shortcuts/plain-text.ts',
  'src/conversation/shortcuts/shortcut.ts',
  'src/conversation/shortcuts/understand.ts',
  'src/conversation/turn/read/typed-request.ts',
  'src/conversation/turn/think/follow.ts',
  'src/conversation/turn/think/step-env.ts',
  'src/payments/card-refund.ts',
  'src/payments/card-settlement.ts',
  'src/payments/float-card.ts',
  'src/payments/payments.ts',
  'src/store/fragments.ts',
  'src/support/arrivals.ts',
];

function roomOf(path: string): string | undefined {
  return Object.keys({ ...DOORS, locales: [], 'src/base': [] })
    .filter((room) => path.startsWith(`${room}/`) || path.startsWith(`${room}.`))
    .sort((a, b) => b.length - a.length)[0];
}

describe('the doors between the rooms', () => {
  test('every file is in a room', () => {
    expect(CODE.filter((path) => !JOINS.has(path) && !roomOf(path))).toEqual([]);
  });

  test('no import goes through a closed one', () => {
    const wrong = CODE.filter((path) => !JOINS.has(path)).flatMap((path) =>
      importsOf(path)
        .filter(({ isLocal, to, typesOnly }) => {
          if (!isLocal) return false;
          const [here = '', there = ''] = [roomOf(path), roomOf(to)];
          const open = DOORS[here]?.includes(there) || (typesOnly && DOORS[here]?.includes(`type ${there}`));
          if (SAID_WITH.has(there)) return false;
          if (typesOnly && OPENED_WITH.has(there) && path.endsWith('/open.ts')) return false;
          return here !== there && !open;
        })
        .map(({ to, typesOnly }) => `${path} -> ${typesOnly ? 'type ' : ''}${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no imports run in a circle', () => {
    const cycles = cyclesIn([...CODE, ...filesIn(['bench'])]);
    expect(cycles.map((cycle) => cycle.join(' -> '))).toEqual([]);
  });

  test('machines import no network, no clock, no disk', () => {
    const reached = withImports(CODE.filter((path) => path.startsWith('machines/')));
    expect(reached).toEqual(expect.arrayContaining(['src/wallet/money.ts', 'src/payments/payments.ts']));
    const packages = reached.flatMap((path) => {
      const allowed = path.startsWith('machines/') ? MACHINE_PACKAGES : CONTRACT_PACKAGES;
      return importsOf(path).flatMap(({ isLocal, typesOnly, to }) =>
        isLocal || typesOnly || allowed.includes(to) ? [] : [`${path} -> ${to}`],
      );
    });
    expect(packages).toEqual([]);
    const impure = reached.flatMap((path) => {
      const [found] = IMPURE.exec(withoutComments(readText(path))) ?? [];
      return found ? [`${path}: ${found}`] : [];
    });
    expect(impure).toEqual([]);
  });

  test('the rooms of the engine are opened in one direction', () => {
    const order = [
      'desk',
      'turn',
      'effects',
      'references',
      'intents',
      'pending',
      'record',
      'cases',
      'session',
      'chart',
    ];
    const roomIn = (path: string) => /^src\/conversation\/(\w+)\//.exec(path)?.[1] ?? '';
    const wrong = CODE.flatMap((path) =>
      importsOf(path)
        .filter(({ isLocal, typesOnly }) => isLocal && !typesOnly)
        .filter(
          ({ to }) => order.includes(roomIn(to)) && order.indexOf(roomIn(to)) < order.indexOf(roomIn(path)),
        )
        .map(({ to }) => `${path} -> ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('a phase of a turn is built on the phases before it, and knows none after it', () => {
    // The files of `turn/` itself begin a turn, and call the phases.
    const phases = ['read', 'think', 'commit', 'finish', undefined];
    const phaseOf = (path: string) => /^src\/conversation\/turn\/(?:(\w+)\/)?[\w-]+\.ts$/.exec(path);
    const climbs = CODE.flatMap((path) =>
      importsOf(path).flatMap(({ to }) => {
        const [here, there] = [phaseOf(path), phaseOf(to)];
        const isClimb = here && there && phases.indexOf(there[1]) > phases.indexOf(here[1]);
        return isClimb ? [`${path} -> ${to}`] : [];
      }),
    );
    expect(climbs).toEqual([]);
    expect(CODE.filter((path) => !phases.includes(phaseOf(path)?.[1]))).toEqual([]);
  });

  test('a turn knows no desk, and of the cases only the updates that its commit carries', () => {
    const carried = 'src/conversation/cases/of-turn.ts';
    const known = CODE.filter((path) => path.startsWith('src/conversation/turn/')).flatMap((path) =>
      importsOf(path)
        .filter(({ to }) => /^src\/conversation\/(?:desk|cases)\//.test(to) && to !== carried)
        .map(({ to }) => `${path} -> ${to}`),
    );
    expect(known).toEqual([]);
  });

  test('machines do not know the digits of navigation: the channel and the engine read them', () => {
    const machines = CODE.filter((path) => path.startsWith('machines/'));
    expect(machines.filter((path) => /'(?:00|98|99)'|=== '0'/.test(readText(path)))).toEqual([]);
  });

  test('only the programs read the environment', () => {
    expect(CODE.filter((path) => withoutComments(readText(path)).includes('process.env'))).toEqual([
      'src/main.ts',
      'src/sandbox/cli.ts',
      'src/sandbox/main.ts',
      'src/support/main.ts',
    ]);
  });
});

describe('a name', () => {
  /** The code outside some files that has one of these names in quotes, as a regular expression finds it. */
  const naming = (names: readonly string[], pattern: (name: string) => string, own: RegExp) =>
    CODE.filter((path) => !own.test(path)).filter((path) => {
      const code = withoutComments(readText(path));
      return names.some((name) => !path.includes(`/${name}`) && new RegExp(pattern(name)).test(code));
    });

  test('of a channel is used by its own files and its list: others ask for its abilities', () => {
    const pattern = (name: string) => `['"\`]${name}:|(?:[!=]== |includes\\()['"\`]${name}['"\`]`;
    // The simulator plays two of them.
    expect(naming(CHANNEL_NAMES, pattern, /^src\/channels\/simulator\//)).toEqual(NAME_CHANNELS);
  });

  test('of a channel is in no regular expression, and has its colour in the figures of the console', () => {
    const listed = CODE.filter((path) => /\(\?:[^)]*\b(?:ussd\|web|web\|telegram)\b/.test(readText(path)));
    expect(listed).toEqual([]);
    const colours = readText('src/support/public/charts.css');
    expect(CHANNEL_NAMES.filter((name) => !colours.includes(`.is-${name}`))).toEqual([]);
  });

  test('of each table of channels is in the recipe for a chat channel', () => {
    const tables = CODE.filter((path) => /Record<\s*ChannelName,/.test(readText(path)));
    const recipe = readText('CONTRIBUTING.md');
    expect(tables.length).toBeGreaterThan(4);
    expect(tables.filter((path) => !recipe.includes(`\`${path}\``))).toEqual([]);
  });

  test('of an ability that depends on time is read in one place: others ask whether it holds now', () => {
    const asking = CODE.filter((path) => /\bpushes\b/.test(withoutComments(readText(path))));
    expect(asking).toEqual(['src/conversation/channel.ts']);
  });

  test('of a gateway is in the dialect’s own file', () => {
    const names = GATEWAYS.map(({ name }) => name);
    expect(
      naming(names, (name) => `['"\`/]${name}['"\`/?]`, /^src\/channels\/ussd\/africas-talking/),
    ).toEqual([]);
  });

  test('of a conversation or a way to pay is in its own file, and in no new one', () => {
    // A name of one word is a word of other things, too. The wallet calls references as their conversations are called.
    const names = [...new Set([...Object.keys(MACHINES), ...PAYMENT_KINDS])].filter(
      (name) => name.includes('-') && name !== 'cash-in' && name !== 'cash-out',
    );
    const pattern = (name: string) => `['"\`]${name}['"\`]|['"\`]${name}['"\`]:`;
    const own =
      /^(?:machines\/(?!kit\/)|machines\/kit\/(?:claims|sentence-names)|src\/payments\/list|src\/sandbox\/)/;
    expect(naming(names, pattern, own)).toEqual(NAME_CONVERSATIONS);
  });
});

test('no function and no type is named by a bare participle or "news": its name says what it gives', () => {
  const bare = 'told|given|heard|shown|left|meant|news|asking';
  const declared = new RegExp(`\\b(?:function|class|interface|type) (?:${bare})\\b`, 'i');
  expect(CODE.filter((path) => declared.test(withoutComments(readText(path))))).toEqual([]);
});

describe('files', () => {
  test('that join others stay short: their parts are opened elsewhere', () => {
    const lines = (path: string) => readText(path).split('\n').length;
    expect(JOINING.filter((path) => lines(path) > JOINING_LINES_MAX)).toEqual([]);
  });

  test('that the tests begin with, as they take longest, exist', () => {
    expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('export nothing that nobody else imports', () => {
    // The packed client and the packed sandbox are used by others.
    const own = CODE.filter((path) => !path.startsWith('src/wallet/') && path !== 'src/sandbox/library.ts');
    const imported = new Set(
      filesIn(['machines', 'src', 'test', 'bench', 'tools'])
        .flatMap(importsOf)
        .flatMap(({ to, names }) => names.map((name) => `${to}: ${name}`)),
    );
    const unused = own.flatMap((path) =>
      [...readText(path).matchAll(/^export (?:async )?(?:const|function\*?|interface|type|class) (\w+)/gm)]
        .map(([, name]) => `${path}: ${name}`)
        .filter((it) => !imported.has(it) && !imported.has(`${path}: *`)),
    );
    expect(unused).toEqual([]);
  });

  test('their names are kebab-case', () => {
    const names = filesIn(['machines', 'src', 'locales', 'test', 'bench'], ['']);
    expect(names.filter((path) => !/^[a-z\d/-]+(\.test|\.d)?\.[a-z]+$/.test(path))).toEqual([]);
  });
});

describe('functions', () => {
  const code = parse(CODE);
  /** The findings in each file, as `path: name`, each once. */
  const named = (find: (file: Parsed) => readonly string[]) => [
    ...new Set(code.flatMap((file) => find(file).map((name) => `${file.path}: ${name}`))),
  ];

  test('are all looked at', () => {
    expect(code.map(({ path }) => path).sort()).toEqual(CODE);
    expect(code.flatMap(functionsIn).length).toBeGreaterThan(CODE.length);
  });

  test('fit on a screen', () => {
    const long = named((file) =>
      functionsIn(file).flatMap(({ name, lines }) => (lines > FUNCTION_LINES_MAX ? name : [])),
    );
    expect(long).toEqual([]);
  });

  test('of the tests are read at one sitting', () => {
    const long = parse(filesIn(['test'])).filter((file) =>
      functionsIn(file).some(({ lines }) => lines > TEST_LINES_MAX),
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test('change stored documents by `update`, which gives up some time, and not by a loop of their own', () => {
    // The sandbox has a database of its own, with transactions.
    const others = /^src\/(?:store|sandbox)\//;
    const loops = named((file) => (others.test(file.path) ? [] : commitLoopsIn(file)));
    expect(loops).toEqual([]);
  });

  test('check the JSON that they read', () => {
    expect(named(uncheckedJsonIn)).toEqual([]);
  });
});

describe('an interface', () => {
  const all = parse(CODE).flatMap((file) => interfacesIn(file).map((each) => ({ ...each, path: file.path })));
  const isLarge = ({ members, optional }: (typeof all)[number]) =>
    members > MEMBERS_MAX || optional > OPTIONAL_MAX;

  test('has so few members that a reader keeps them in mind', () => {
    const grown = all.filter(isLarge).filter(({ path, name, members, optional }) => {
      const [membersMax = MEMBERS_MAX, optionalMax = OPTIONAL_MAX] = LARGE[`${path} ${name}`] ?? [];
      return members > membersMax || optional > optionalMax;
    });
    expect(
      grown.map(({ path, name, members, optional }) => `${path} ${name}: ${members}, ${optional}`),
    ).toEqual([]);
  });

  test('is taken off the list of exceptions when it is small', () => {
    const large = new Set(all.filter(isLarge).map(({ path, name }) => `${path} ${name}`));
    expect(Object.keys(LARGE).filter((each) => !large.has(each))).toEqual([]);
  });
});

describe('every machine', () => {
  test('in machines/ is one that the engine knows: a file, or a folder with its parts', () => {
    const found = new Set(CODE.flatMap((path) => conversationOf(path) ?? []));
    expect([...found].sort()).toEqual(Object.keys(MACHINES).sort());
  });

  test('keeps its parts to itself', () => {
    const taken = CODE.flatMap((path) =>
      importsOf(path)
        .filter(({ isLocal, to }) => isLocal && isPart(to) && conversationOf(to) !== conversationOf(path))
        .map(({ to }) => `${path} -> ${to}`),
    );
    expect(taken).toEqual([]);
  });

  test('has in machines/kit only parts that another one, or another room, needs too', () => {
    const users = new Map<string, Set<string>>();
    for (const path of CODE.filter((each) => !each.startsWith('machines/kit/'))) {
      const user = conversationOf(path) ?? roomOf(path) ?? path;
      for (const to of kitFilesOf(path)) users.set(to, (users.get(to) ?? new Set()).add(user));
    }
    const kit = CODE.filter((path) => path.startsWith('machines/kit/'));
    const used = (path: string) => [...(users.get(path) ?? [])];
    const isShared = (path: string) =>
      used(path).length > 1 || used(path).some((user) => user.startsWith('src/'));
    expect(kit.filter((path) => !isShared(path)).map((path) => `${path}: ${used(path)}`)).toEqual([]);
  });
});

describe('the documentation', () => {
  test('docs/operator/settings.md has a row for every setting, and none for another', () => {
    const rows = [...readText('docs/operator/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(rows.sort()).toEqual([...SETTINGS].sort());
  });

  test('docs/integrator/sandbox.md lists the seeded customers and every magic number, contract, RIB and card', () => {
    const page = readText('docs/integrator/sandbox.md');
    const numbers = [...SEEDED.map(({ phone }) => phone), ...Object.values(MAGIC)];
    const contracts = Object.values(BILL_MAGIC).map(({ contract }) => contract);
    const ribs = Object.values(BANK_MAGIC).map(({ rib }) => rib);
    const cards = Object.values(TEST_CARDS).map(({ pan }) => pan);
    const missing = [
      ...numbers.map((phone) => nationalNumber(phone as never)),
      ...contracts,
      ...ribs,
      ...cards,
    ].filter((number) => !page.includes(number));
    expect(missing).toEqual([]);
  });

  test('every fact and question that a comment cites exists', () => {
    const documents = {
      facts: readText('docs/contributor/facts.md'),
      'open question': readText('docs/api-open-questions.md'),
    };
    const cited = citations(/\b([Ff]acts|[Oo]pen question) ([A-H]\d?\b|\d+)/g);
    expect(cited.length).toBeGreaterThan(0);
    const missing = cited.filter(({ found: [, kind = '', number = ''] }) => {
      const text = documents[kind.toLowerCase() as keyof typeof documents];
      return !new RegExp(`^(?:\\| |#+ )?${number}(?:\\.| \\||:)`, 'm').test(text);
    });
    expect(missing).toEqual([]);
  });

  test('rules are cited by a name that their document has, never by a number', () => {
    expect(citations(/\b(?:[Dd]esign )?[Rr]ules? \d+/g)).toEqual([]);
    const named = citations(/(ARCHITECTURE\.md|docs\/safety(?:-\w+)?\.md), "([^"]+)"/g);
    expect(named.length).toBeGreaterThan(0);
    const unknown = named.filter(
      ({ found: [, document = '', name = ''] }) =>
        !new RegExp(`(?:^#+ |\\*\\*)${name}`, 'm').test(readText(document)),
    );
    expect(unknown).toEqual([]);
  });

  test('each rule of docs/safety.md, and each hazard beside it, names tests that exist', () => {
    const tests = filesIn(['test']);
    const isThere = ({ path, title }: { path: string; title: string }) =>
      tests.includes(path) && readText(path).includes(title);
    const isGuarded = (text: string) => guardsIn(text).length > 0 && guardsIn(text).every(isThere);

    // A rule is an item with a name in bold, up to the next item, heading or paragraph.
    const rules = ['safety.md', 'safety-customers.md', 'safety-secrets.md'].flatMap((path) => [
      ...readText(`docs/${path}`).matchAll(/^- \*\*([^*]+)\*\*.*\n(?: {2}.*\n)*/gm),
    ]);
    expect(rules.length).toBeGreaterThan(40);
    expect(rules.filter(([text]) => !isGuarded(text)).map(([, name]) => name)).toEqual([]);

    const hazards = [
      ...readText('docs/safety-hazards.md').matchAll(/^\| (?!hazard|-)([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
    ];
    expect(hazards.length).toBeGreaterThan(60);
    expect(hazards.filter(([, , , guard = '']) => !isGuarded(guard)).map(([, name]) => name)).toEqual([]);
  });

  test('every file that ARCHITECTURE.md names exists', () => {
    const named = [...readText('ARCHITECTURE.md').matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(10);
    const files = filesIn(['machines', 'src', 'test']);
    expect(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
  });

  test('no line stands twice in a document, as after a merge', () => {
    const twice = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...filesIn(['docs'], ['.md'])].flatMap(
      (path) => {
        const lines = readText(path).split('\n');
        return lines
          .filter((line, i) => line.length > SENTENCE_MIN && lines.indexOf(line) < i)
          .map((line) => `${path}: ${line}`);
      },
    );
    expect(twice).toEqual([]);
  });

  test('CHANGELOG.md tells of this version, and every relative link leads somewhere', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    expect(readText('CHANGELOG.md')).toContain(`## ${version}`);
    const broken = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...filesIn(['docs'], ['.md'])].flatMap(
      (path) =>
        [...readText(path).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
          .map(([, link = '']) => join(ROOT, path, '..', link))
          .filter((target) => !existsSync(target)),
    );
    expect(broken).toEqual([]);
  });
});

test('the lock file installs on every machine: it agrees with package.json and has every optional package', () => {
  type Package = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Package> };
  const ours = JSON.parse(readText('package.json')) as Package;
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    expect(packages['']?.[kind], kind).toEqual(ours[kind]);
  }
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => !packages[`node_modules/${name}`]);
  expect(missing).toEqual([]);
});

/** The tests that a text names: a path in code, then one or more titles in it. */
function guardsIn(text: string): { path: string; title: string }[] {
  return [...text.matchAll(/`([^`]+)`((?:,? “[^”]+”)+)/g)].flatMap(([, path = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ path, title })),
  );
}

/** The conversation that a file of machines/ belongs to: it is the file, or the folder that it lies in. */
function conversationOf(path: string): string | undefined {
  const [, name] = /^machines\/(?!kit\/)([^/.]+)/.exec(path) ?? [];
  return name;
}

/** True for a file in a conversation's folder that is not the conversation itself. */
function isPart(path: string): boolean {
  const [, folder, file] = /^machines\/(?!kit\/)([^/]+)\/([^/]+)\.ts$/.exec(path) ?? [];
  return folder !== file;
}

/** The files of machines/kit that a file needs, also for types, and their own needs. */
function kitFilesOf(path: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (from: string) => {
    for (const { isLocal, to } of importsOf(from)) {
      if (!isLocal || !to.startsWith('machines/kit/') || found.has(to)) continue;
      found.add(to);
      visit(to);
    }
  };
  visit(path);
  return found;
}

/** Some files and everything of ours that runs when they are loaded. */
function withImports(paths: readonly string[]): string[] {
  const reached = new Set(paths);
  for (const path of reached) {
    for (const { isLocal, typesOnly, to } of importsOf(path)) if (isLocal && !typesOnly) reached.add(to);
  }
  return [...reached];
}

/** Every cycle of run-time imports, lazy ones too, that a search through these files comes upon. */
function cyclesIn(files: readonly string[]): string[][] {
  const finished = new Set<string>();
  const cycles: string[][] = [];
  function visit(path: string, way: readonly string[]): void {
    const start = way.indexOf(path);
    if (start >= 0) cycles.push([...way.slice(start), path]);
    if (start >= 0 || finished.has(path)) return;
    for (const { isLocal, typesOnly, to } of importsOf(path))
      if (isLocal && !typesOnly && to.endsWith('.ts')) visit(to, [...way, path]);
    finished.add(path);
  }
  for (const path of files) visit(path, []);
  return cycles;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
}

/** The citations in comments and texts of the code, with their files. */
function citations(pattern: RegExp) {
  return filesIn(['machines', 'src', 'test', 'bench'], TEXTS)
    .filter((path) => path !== 'test/tidy.test.ts')
    .flatMap((path) => [...readText(path).matchAll(pattern)].map((found) => ({ path, found: [...found] })));
}
