import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { RecordsDown } from '../../src/records/records.ts';
import type { Settings } from '../../src/records/settings.ts';
import type { Store, Write } from '../../src/store/store.ts';
import { createAccess } from '../../src/support/access/access.ts';
import { type Account, accountIn } from '../../src/support/access/account.ts';
import {
  ACCOUNTS,
  CHECK_MS,
  COPIED,
  SUPPORT_PARTITION,
  USED_MS,
} from '../../src/support/access/account-book.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import { settingsMissing, takeOlderSettings } from '../../src/support/older-settings.ts';
import { type AuditPlace, anAudit, PLACES, SECRETS_KEY } from './audit/kit.ts';

const admin = (id: string, more: Partial<Account> = {}): Account => ({
  id,
  name: id.toUpperCase(),
  role: 'admin',
  epoch: 0,
  confirmed: true,
  ...more,
});
type Entry = { readonly id: string; readonly name: string };

/** The console on a store and records, and a process of the release before, which has only the store. */
function theConsole(it: () => AuditPlace) {
  const deps = (store: Store = it().store) => ({
    ...it(),
    store,
    settings: it().records().settings,
    now: it().clock.now,
  });
  const accounts = (store?: Store) => createAccounts(deps(store));
  const documents = (...keys: readonly string[]) => it().store.read(SUPPORT_PARTITION, keys);
  async function write(key: string, to: (value: never) => unknown): Promise<void> {
    const [doc] = await documents(key);
    const value = JSON.stringify(to(JSON.parse(doc?.value ?? 'null') as never));
    expect(
      await it().store.commit(SUPPORT_PARTITION, { writes: [{ key, version: doc?.version ?? 0, value }] }),
    ).toBe(true);
  }
  return {
    accounts,
    documents,
    write,
    older: (...all: readonly Account[]) =>
      write(ACCOUNTS, (book) => ({
        ...(book as object),
        ...Object.fromEntries(all.map((each) => [each.id, each])),
      })),
    olderList: (kind: string, ...all: readonly Entry[]) => write(`support:${kind}`, () => ({ all })),
    /** Writes the copy of the accounts, and the note about it, as somebody without a key can. */
    forge: async (to: (book: object) => object, note: (copied: object, of: number) => object) => {
      await write(ACCOUNTS, to);
      const version = (await documents(ACCOUNTS))[0]?.version ?? 0;
      await write(COPIED, (copied) => note(copied, version));
    },
    take: () => takeOlderSettings(deps()),
    missing: () => settingsMissing(deps()),
    /** As SQL has it, and as the copy has it. */
    both: async (id: string) => {
      const { all } = await it().records().settings.of('account');
      const row = all.find((each) => each.id === id);
      const [doc] = await documents(ACCOUNTS);
      return [row && (JSON.parse(row.value) as Account), accountIn(JSON.parse(doc?.value || '{}'), id)];
    },
    listed: async (kind: string) =>
      (await it().records().settings.of(kind)).all.map(({ value }) => (JSON.parse(value) as Entry).name),
  };
}

describe.each(PLACES)('what the release before has set, on %s', (place) => {
  const it = anAudit(place);
  const { accounts, documents, older, olderList, take, missing, both, listed } = theConsole(it);
  const support = { id: 't1', name: 'Support' };

  test('moves into the records once, and a check says what has not arrived', async () => {
    await older(admin('nadia'), admin('omar', { role: 'agent' }));
    await olderList('teams', support);
    await olderList('filters:omar', { id: 'f1', name: 'Mine' });
    expect(await missing()).toEqual([ACCOUNTS, 'support:teams', 'support:filters:omar']);
    await take();
    expect(await missing()).toEqual([]);
    expect(await both('nadia')).toEqual([admin('nadia'), admin('nadia')]);
    expect([await listed('teams'), await listed('filters:omar')]).toEqual([['Support'], ['Mine']]);
    const before = await documents(ACCOUNTS, 'support:teams');
    await take();
    expect(await documents(ACCOUNTS, 'support:teams'), 'the release before finds all of it').toEqual(before);
  });

  test('is taken by two processes that start at once', async () => {
    await older(admin('nadia'));
    await olderList('labels', support);
    await Promise.all([take(), take(), take()]);
    expect([await missing(), await listed('labels')]).toEqual([[], ['Support']]);
  });

  test('and what it sets while both releases run comes too, entry by entry', async () => {
    await older(admin('nadia'), admin('badr'), admin('carla'));
    await olderList('teams', support, { id: 't2', name: 'Fraud' });
    await take();
    await it()
      .records()
      .settings.change('teams', () => ({
        writes: [
          { id: 't3', value: JSON.stringify({ id: 't3', name: 'New' }) },
          { id: 't1', value: JSON.stringify({ id: 't1', name: 'Support, renamed by the new release' }) },
        ],
        result: undefined,
      }));
    await olderList('teams', support, { id: 't4', name: 'Older' });
    await older(admin('badr', { disabled: true, epoch: 1 }), admin('carla', { epoch: 3 }));
    await take();
    expect(await listed('teams')).toEqual(['Support, renamed by the new release', 'New', 'Older']);
    expect(await both('badr')).toMatchObject([{ disabled: true }, { disabled: true }]);
    // Nobody can tell its changes from a forger's: of an account it takes only what shuts somebody out.
    expect(await both('carla'), 'her sign-ins end').toEqual([
      admin('carla', { epoch: 1 }),
      admin('carla', { epoch: 1 }),
    ]);
  });

  test('an account that the newer release has changed is as it is there for the older one', async () => {
    await older(admin('nadia'), admin('badr'));
    await take();
    expect(await accounts().disable('badr', 'nadia')).toEqual({ ok: true });
    const [doc] = await documents(ACCOUNTS);
    expect(JSON.parse(doc?.value ?? '')).toMatchObject({ badr: { disabled: true, epoch: 1 } });
  });
});

describe.each(PLACES)('an account that somebody has forged in the store, on %s', (place) => {
  const it = anAudit(place);
  const { accounts, documents, forge, older, take, both } = theConsole(it);
  const now = () => it().clock.now();
  const options = () => ({ ...it(), now, secure: false, sandbox: false });
  const makesAdmin = (book: object) => ({ ...book, omar: admin('omar') });
  const begin = async () => {
    await older(admin('nadia'), admin('omar', { role: 'viewer' }));
    await take();
  };
  const theirs = () => admin('omar', { role: 'viewer' });

  test.each<readonly [what: string, forged: (copied: object, version: number) => object]>([
    ['without its note', (copied) => copied],
    ['with the version in its note', (copied, of) => ({ ...copied, of })],
    ['as one that is ahead', (copied, of) => ({ ...copied, of, isAhead: true })],
    ['as one of a later state', (copied, of) => ({ ...copied, of, version: 1_000 })],
    ['as the release before writes it', (copied, of) => ({ ...copied, of, mac: undefined })],
  ])('gives nobody a right once SQL is back: %s', async (_, forged) => {
    await begin();
    await forge(makesAdmin, forged);
    await accounts().compare();
    expect(await both('omar')).toEqual([theirs(), theirs()]);
    await forge((book) => ({ ...book, mallory: admin('mallory') }), forged);
    await accounts().compare();
    expect(await both('mallory')).toEqual([undefined, undefined]);
  });

  test('gives nobody a right while SQL is away, and its owner comes in again once it is back', async () => {
    await begin();
    const sql = awayAtTimes(it);
    const { signIn, role } = doorFor(it, 'omar', sql.settings);
    const cookie = await signIn();
    expect(await role(cookie)).toBe('viewer');
    sql.isAway = true;
    expect(await role(cookie), 'the copy is his').toBe('viewer');
    await forge(makesAdmin, (copied, of) => ({ ...copied, of }));
    expect(await role(cookie)).toBe('nobody');
    sql.isAway = false;
    expect(await role(cookie)).toBe('viewer');
  });

  test('is on no page: the accounts are read from SQL, or not at all', async () => {
    await begin();
    const sql = awayAtTimes(it);
    const all = createAccounts({ ...options(), settings: sql.settings });
    const forged = async () => {
      await forge(makesAdmin, (copied, of) => ({ ...copied, of }));
      return all;
    };
    expect(await (await forged()).find('omar')).toEqual(theirs());
    expect(await (await forged()).all()).toEqual([admin('nadia'), theirs()]);
    sql.isAway = true;
    await forged();
    for (const read of [() => all.find('omar'), () => all.all(), () => all.ofSetUp('a token')])
      await expect(read()).rejects.toThrow(RecordsDown);
  });

  test('does not keep an administrator from shutting somebody out while SQL is away', async () => {
    await begin();
    const away = createAccounts({ ...options(), settings: { of: isDown, change: isDown } as never });
    expect(await away.disable('omar', 'nadia')).toEqual({ ok: true });
    const [, copied] = await documents(ACCOUNTS, COPIED);
    expect(JSON.parse(copied?.value ?? '')).toMatchObject({ isAhead: true });
    await accounts().compare();
    expect(await both('omar')).toMatchObject([{ disabled: true }, { disabled: true }]);
    expect(JSON.parse((await documents(COPIED))[0]?.value ?? '')).not.toHaveProperty('isAhead');
  });
});

/** The settings in SQL, which is away whenever a test says so. */
function awayAtTimes(it: () => AuditPlace) {
  const state = { isAway: false };
  const settings = {
    of: (kind: string) => (state.isAway ? isDown() : it().records().settings.of(kind)),
    change: (kind: string, to: never) => (state.isAway ? isDown() : it().records().settings.change(kind, to)),
  } as Settings;
  return Object.assign(state, { settings });
}

/** A process, and the browser of one account. */
function doorFor(it: () => AuditPlace, id: string, settings: Settings) {
  const options = { ...it(), now: it().clock.now, secure: false, sandbox: false };
  const access = createAccess({ ...options, accounts: createAccounts({ ...options, settings }) });
  const door = new Hono()
    .get('/in', async (c) => {
      (await access.enter(id, (account) => account ?? 'notFound'))?.give(c);
      return c.text('in');
    })
    .get('/', async (c) => c.text((await access.whoIs(c, 'fr'))?.role ?? 'nobody'));
  return {
    signIn: async () => (await door.request('/in')).headers.getSetCookie()[0]?.split(';')[0] ?? '',
    role: async (cookie: string) => (await door.request('/', { headers: { cookie } })).text(),
  };
}

describe.each(PLACES)('accounts of before that somebody has put back into the store, on %s', (place) => {
  const it = anAudit(place);
  const { accounts, documents, older, take, write } = theConsole(it);
  /** Omar was an administrator, and has kept the documents of that time. */
  const begin = async () => {
    await older(admin('nadia'), admin('omar'));
    await take();
    const sql = awayAtTimes(it);
    const [door, another] = [doorFor(it, 'omar', sql.settings), doorFor(it, 'omar', sql.settings)];
    const cookie = await door.signIn();
    expect([await door.role(cookie), await another.role(cookie)]).toEqual(['admin', 'admin']);
    const keys = [ACCOUNTS, COPIED];
    const before = await documents(...keys);
    expect(await accounts().setRole('omar', 'viewer', 'nadia')).toEqual({ ok: true });
    const commits = async (writes: readonly Write[]) =>
      expect(await it().store.commit(SUPPORT_PARTITION, { writes })).toBe(true);
    const putBack = async () => {
      const there = await documents(...keys);
      await commits(keys.map((key, i) => ({ key, version: there[i]?.version ?? 0, value: null })));
      const write = (key: string, i: number) => ({
        ...{ key, version: 0 },
        ...{ next: before[i]?.version ?? 0, value: before[i]?.value ?? null },
      });
      await commits(keys.map(write));
    };
    const roleAfterStart = () => doorFor(it, 'omar', sql.settings).role(cookie);
    const [role, roleElsewhere] = [() => door.role(cookie), () => another.role(cookie)];
    return { sql, putBack, role, roleElsewhere, roleAfterStart };
  };

  test('give nobody a right where the process has seen newer ones, whether SQL is there or away', async () => {
    const { sql, putBack, role } = await begin();
    expect(await role()).toBe('nobody');
    await putBack();
    expect(await role()).toBe('nobody');
    await putBack();
    sql.isAway = true;
    expect(await role()).toBe('nobody');
  });

  test('give nobody a right once they are ten seconds old, not even for one request', async () => {
    const { putBack, roleElsewhere } = await begin();
    for (let time = 1; time <= 3; time++) {
      it().clock.ahead += CHECK_MS;
      await putBack();
      expect(await roleElsewhere()).toBe('nobody');
    }
  });

  test('give nobody a right in a process that has started while SQL is away, once they were not in use for two minutes', async () => {
    const { sql, putBack, roleAfterStart } = await begin();
    sql.isAway = true;
    await putBack();
    it().clock.ahead += USED_MS;
    expect(await roleAfterStart()).toBe('nobody');
    await write(COPIED, (note) => ({ ...(note as object), used: it().clock.now() }));
    expect(await roleAfterStart(), 'nor where somebody says that they were').toBe('nobody');
  });
});

describe.each(PLACES)('accounts of now while SQL is away, on %s', (place) => {
  const it = anAudit(place);
  const { older, take } = theConsole(it);

  test('let their owners into a process that starts, as long as they are in use, and into one that knows them', async () => {
    await older(admin('nadia'), admin('omar'));
    await take();
    const sql = awayAtTimes(it);
    const door = doorFor(it, 'omar', sql.settings);
    const cookie = await door.signIn();
    expect(await door.role(cookie)).toBe('admin');
    sql.isAway = true;
    for (let minutes = 0; minutes < 5; minutes++) {
      it().clock.ahead += USED_MS / 2;
      expect(await door.role(cookie)).toBe('admin');
    }
    it().clock.ahead += USED_MS / 2;
    expect(await doorFor(it, 'omar', sql.settings).role(cookie), 'after a start').toBe('admin');
    it().clock.ahead += 2 * USED_MS;
    expect(await doorFor(it, 'omar', sql.settings).role(cookie), 'nobody has used them').toBe('nobody');
    expect(await door.role(cookie), 'where they are known').toBe('admin');
    expect(await doorFor(it, 'omar', sql.settings).role(cookie), 'after a start').toBe('admin');
  });
});

describe.each(PLACES)('four eyes go by the records and not by their copy, on %s', (place) => {
  const it = anAudit(place);
  const { accounts, forge, older, take } = theConsole(it);
  const omar = () => admin('omar', { madeBy: 'badr' });
  const begin = async () => {
    const { confirmed: _no, ...carla } = admin('carla');
    await older(admin('nadia'), admin('badr'), omar(), carla, admin('dina', { role: 'viewer' }));
    await take();
  };
  const away = () =>
    createAccounts({ ...it(), now: it().clock.now, settings: { of: isDown, change: isDown } as never });

  test.each<readonly [what: string, proposer: string, approver: string, forged: Account, why: string]>([
    ['a right of the proposer', 'dina', 'nadia', admin('dina'), 'proposerGone'],
    ['a confirmation', 'carla', 'nadia', admin('carla'), 'sameAgent'],
    ['another maker', 'omar', 'badr', admin('omar', { madeBy: 'nadia' }), 'sameAgent'],
    ['a new account', 'mallory', 'nadia', admin('mallory'), 'sameAgent'],
  ])('where somebody has forged %s', async (_, proposer, approver, forged, why) => {
    await begin();
    await forge(
      (book) => ({ ...book, [forged.id]: forged }),
      (copied, of) => ({ ...copied, of }),
    );
    const refuses = (all = accounts()) => all.refusesApproval(proposer, approver, 'managePrincipal');
    await expect(refuses(away())).rejects.toThrow(RecordsDown);
    expect(await refuses()).toBe(why);
  });

  test('and two persons approve, until the proposer is shut out, also while SQL is away', async () => {
    await begin();
    const refuses = () => accounts().refusesApproval('omar', 'nadia', 'managePrincipal');
    expect(await refuses()).toBeUndefined();
    await away().disable('omar', 'nadia');
    expect(await refuses()).toBe('proposerGone');
  });
});

describe.each(PLACES)('a sign-in that somebody has rewritten in the store lets nobody in, on %s', (place) => {
  const it = anAudit(place);
  const { accounts, documents, older, take, write } = theConsole(it);
  interface Browser {
    readonly key: string;
    readonly cookie: string;
  }
  type SignIn = Readonly<Record<'account' | 'mac', string> & Record<'epoch' | 'at' | 'seen', number>>;
  const MINUTE_MS = 60_000;
  const stored = async ({ key }: Browser) => JSON.parse((await documents(key))[0]?.value ?? 'null') as SignIn;

  /** A process, with the keys of its `SECRETS_KEY`. */
  function doorOf(secrets = it().secrets) {
    const keys: string[] = [];
    const store: Store = {
      ...it().store,
      commit: (partition, asked) => {
        keys.push(...(asked.writes ?? []).map(({ key }) => key));
        return it().store.commit(partition, asked);
      },
    };
    const options = { store, secrets, now: it().clock.now, secure: false, sandbox: false };
    const access = createAccess({ ...options, accounts: accounts(store) });
    const door = new Hono()
      .get('/in/:id', async (c) => {
        (await access.enter(c.req.param('id'), (account) => account ?? 'notFound'))?.give(c);
        return c.text('in');
      })
      .get('/', async (c) => c.text((await access.whoIs(c, 'fr'))?.id ?? 'nobody'));
    return {
      async signIn(id: string): Promise<Browser> {
        const answer = await door.request(`/in/${id}`);
        const key = keys.findLast((each) => each.startsWith('support-session:')) ?? '';
        return { key, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
      },
      who: async ({ cookie }: Browser) => (await door.request('/', { headers: { cookie } })).text(),
    };
  }

  const begin = async () => {
    await older(admin('nadia', { epoch: 1 }), admin('omar', { role: 'viewer' }));
    await take();
  };

  test.each<readonly [what: string, to: (his: SignIn, hers: SignIn, another: SignIn) => object]>([
    ['another account', (his) => ({ ...his, account: 'nadia', epoch: 1 })],
    ['another account, with her digest', (his, { mac }) => ({ ...his, account: 'nadia', epoch: 1, mac })],
    ['all of her sign-in', (_, hers) => hers],
    ['all of that of his other browser', (_, __, another) => another],
    ['a later beginning', (his) => ({ ...his, at: his.at + MINUTE_MS })],
    ['a later use', (his) => ({ ...his, seen: his.seen + MINUTE_MS })],
    ['no digest, as the release before writes it', (his) => ({ ...his, mac: undefined })],
    ['an empty digest', (his) => ({ ...his, mac: '' })],
  ])('with %s', async (_, to) => {
    await begin();
    const { signIn, who } = doorOf();
    const [his, another, hers] = [await signIn('omar'), await signIn('omar'), await signIn('nadia')];
    expect(await who(his)).toBe('omar');
    const [one, two] = [await stored(hers), await stored(another)];
    await write(his.key, (own: SignIn) => to(own, one, two));
    expect([await who(his), await who(another), await who(hers)]).toEqual(['nobody', 'omar', 'nadia']);
  });

  test('with the epoch of an account whose sign-ins have ended', async () => {
    await begin();
    const { signIn, who } = doorOf();
    const his = await signIn('omar');
    await accounts().endAll('omar');
    await write(his.key, (own: SignIn) => ({ ...own, epoch: 1 }));
    expect(await who(his)).toBe('nobody');
  });

  test('but its owner stays in while it is used and the key is replaced', async () => {
    await begin();
    const his = await doorOf().signIn('omar');
    const { seen } = await stored(his);
    it().clock.ahead += 2 * MINUTE_MS;
    const next = doorOf(createSecrets('the next secrets key of the tests, 32', SECRETS_KEY));
    expect(await next.who(his)).toBe('omar');
    expect((await stored(his)).seen).toBe(seen + 2 * MINUTE_MS);
    expect([await next.who(his), await doorOf().who(his)]).toEqual(['omar', 'omar']);
    expect(await doorOf(createSecrets('another key that nobody has replaced')).who(his)).toBe('nobody');
  });
});

const isDown = () => Promise.reject(new RecordsDown('away'));

describe.each(PLACES)('a disabled account stays disabled, on %s', (place) => {
  const it = anAudit(place);
  const { accounts, documents, older, take, both } = theConsole(it);
  const isOut = async () =>
    expect(await both('badr')).toMatchObject([
      { disabled: true, epoch: 1 },
      { disabled: true, epoch: 1 },
    ]);
  /** It has compared the copy, has changed the records, and writes no more. */
  const dying = (): Store => {
    let commits = 1;
    return {
      ...it().store,
      commit: async (...asked) => {
        if (commits-- > 0) return it().store.commit(...asked);
        throw new Error('killed');
      },
    };
  };
  const diesWhileDisabling = () =>
    expect(accounts(dying()).disable('badr', 'nadia')).rejects.toThrow('killed');
  const begin = async () => {
    await older(admin('nadia'), admin('badr'));
    await take();
  };

  test('where the process dies between the records and the store', async () => {
    await begin();
    await diesWhileDisabling();
    expect(await both('badr')).toMatchObject([{ disabled: true }, { epoch: 0 }]);
    await accounts().compare();
    await isOut();
  });

  test('where a process of the release before changes it in between', async () => {
    await begin();
    await diesWhileDisabling();
    await older(admin('badr', { epoch: 1, language: 'fr' }));
    await accounts().compare();
    await isOut();
  });

  test('where another one changes it in the records, and dies before the copy', async () => {
    await begin();
    await expect(accounts(dying()).setRole('badr', 'viewer', 'nadia')).rejects.toThrow('killed');
    await older(admin('badr', { epoch: 1, disabled: true }));
    await accounts().compare();
    expect(await both('badr')).toMatchObject([
      { disabled: true, role: 'viewer', epoch: 2 },
      { disabled: true, role: 'viewer', epoch: 2 },
    ]);
  });

  test.each([
    ['no copy', ACCOUNTS, '{"badr":'],
    ['a copy of another shape', ACCOUNTS, '{"badr":{"id":"badr"}}'],
    ['no note about the copy', COPIED, '?'],
    ['a version that no database counts to', COPIED, '{"version":1e300,"of":1,"at":0}'],
  ])('where somebody has written %s into the store', async (_, key, value) => {
    await begin();
    await accounts().disable('badr', 'nadia');
    const [doc] = await documents(key);
    const writes = [{ key, version: doc?.version ?? 0, value }];
    expect(await it().store.commit(SUPPORT_PARTITION, { writes })).toBe(true);
    await accounts().compare();
    await isOut();
    expect(await accounts().find('nadia')).toEqual(admin('nadia'));
  });

  test('where the records are put back to what they were before', async () => {
    await begin();
    await accounts().disable('badr', 'nadia');
    await it().inRecords(`UPDATE "settingKind" SET version = 1 WHERE kind = 'account';
      UPDATE setting SET value = '${JSON.stringify(admin('badr'))}' WHERE kind = 'account' AND id = 'badr';`);
    await accounts().compare();
    await isOut();
    await accounts().enable('badr', 'nadia');
    await accounts().compare();
    expect(await both('badr')).toEqual([admin('badr', { epoch: 2 }), admin('badr', { epoch: 2 })]);
  });

  test('where the store is put back to what it was before', async () => {
    await begin();
    const [book, copied] = await documents(ACCOUNTS, COPIED);
    await accounts().disable('badr', 'nadia');
    const [now, nowCopied] = await documents(ACCOUNTS, COPIED);
    // A store that is put back has the versions of before, too.
    const of = (now?.version ?? 0) + 1;
    const writes = [
      { key: ACCOUNTS, version: now?.version ?? 0, next: of, value: book?.value ?? null },
      {
        key: COPIED,
        version: nowCopied?.version ?? 0,
        value: JSON.stringify({ ...JSON.parse(copied?.value ?? ''), of }),
      },
    ];
    expect(await it().store.commit(SUPPORT_PARTITION, { writes })).toBe(true);
    await accounts().compare();
    await isOut();
  });

  test('where the store is wiped', async () => {
    await begin();
    await accounts().disable('badr', 'nadia');
    const writes = await Promise.all(
      [ACCOUNTS, COPIED].map(async (key) => {
        const [doc] = await documents(key);
        return { key, version: doc?.version ?? 0, value: null };
      }),
    );
    expect(await it().store.commit(SUPPORT_PARTITION, { writes })).toBe(true);
    await accounts().compare();
    await isOut();
  });
});
