/** Nothing forgets a record or its history without asking for holds: each statement and method that can is known here. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { TABLES } from '../../scripts/reference/personal-data.ts';

/** Removes records, changes or what is kept of removed records, or empties changes. */
const FORGETS =
  /DELETE \$\{found\}|DELETE FROM (?:"?\$\{CHANGE_TABLE\}|\$\{table\}|\$\{quoteName|"?gone\b|change\b)|contents? = (?:NULL|\?)/g;

/** How many statements a file has, and where a hold stops them. `test/features/holds/conformance.ts` proves it. */
const KNOWN = new Map<string, readonly [count: number, why: string]>([
  ['postgres/statements/removal.ts', [1, 'commit/removal.ts asks before it removes']],
  ['postgres/statements/erased.ts', [1, 'only of records that commit/erasing.ts has erased']],
  [
    'postgres/statements/changes.ts',
    [4, 'log.ts asks before it sweeps; a record that is restored or erased is no more removed'],
  ],
  ['books/feeds/syncs.ts', [1, 'a mark of a row in a sync is no content of a record']],
  ['books/emptying.ts', [1, 'accounts.ts asks before emptying begins']],
  ['postgres/accounts.ts', [1, 'asks before emptying begins']],
  ['sqlite/statements/records.ts', [1, 'commit/removal.ts and erasing.ts ask before']],
  ['sqlite/statements/changes.ts', [3, 'log.ts asks before; restoring forgets nothing']],
  ['sqlite/erasing.ts', [1, 'asks before it forgets']],
  ['sqlite/commit/change-rows.ts', [1, 'accounts.ts asks before emptying begins']],
]);

it('every statement that forgets records or their history is one that holds can stop', () => {
  const found = globSync('src/store/**/*.ts').flatMap((path) => {
    const { length } = [...readFileSync(path, 'utf8').matchAll(FORGETS)];
    return length === 0 ? [] : [[path.replace('src/store/', ''), length] as const];
  });
  assert.deepEqual(
    new Map(found.sort()),
    new Map([...KNOWN].map(([path, [count]]) => [path, count] as const).sort()),
    'ask for holds in the commit that runs it, prove that in test/features/holds/conformance.ts, and name it here',
  );
});

it('every statement of a book that removes content takes it out of the files of SQLite, too', () => {
  const statement = /(erasing\()?\s*(?:\([^)]*\) =>\s*)?[`']DELETE FROM (\w+)/g;
  const found = globSync('src/store/books/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(statement)].map(([, erases, table = '']) => {
      return { path, table, erases: erases !== undefined, content: TABLES[table]?.content };
    }),
  );
  assert.ok(found.length > 20, `${found.length} statements`);
  assert.deepEqual(
    found.filter(({ erases, content }) => content !== undefined && !erases),
    [],
  );
});

/** The methods of a store's contract that work on records: which of them forget, and where each asks for holds. */
const METHODS = [
  {
    file: 'store.ts',
    of: 'Store',
    forget: ['remove'],
    // `commit` takes changes to the log. Receipts are answers, which go within a day.
    others: [
      ...['commit', 'commitEach', 'poll', 'find', 'findAll', 'findPair', 'list', 'count'],
      ...['receipt', 'purgeReceipts', 'snapshot', 'seenTime', 'noteTime', 'rewrittenTime'],
      ...['checkWritable', 'learn', 'close'],
    ],
  },
  {
    file: 'account-book.ts',
    of: 'AccountBook',
    forget: ['beginEmptying'],
    // `emptySome` goes on with what began while nothing was held.
    others: [
      'create',
      'list',
      'find',
      'rename',
      'pins',
      'close',
      'reopen',
      'contents',
      'emptySome',
    ],
  },
  {
    file: '../books/erasures.ts',
    of: 'ErasingBook',
    forget: ['erase', 'dropHistory'],
    // `forget` empties what is erased.
    others: [
      ...['forget', 'find', 'refuses', 'liftAged', 'hasLostKeys', 'progress'],
      ...['countBelow', 'sealedAs', 'traces', 'keeperOf'],
      ...['dropRemembered', 'countLost', 'giveUpLost'],
    ],
  },
  {
    file: 'log.ts',
    of: 'ChangeLog',
    forget: ['sweep'],
    others: [
      ...[
        'follow',
        'next',
        'back',
        'read',
        'last',
        'lastUpTo',
        'doneSince',
        'positions',
        'of',
        'gone',
      ],
      ...['removals', 'removed'],
    ],
  },
];

for (const { file, of, forget, others } of METHODS) {
  it(`every method of ${of} that forgets asks for holds, and is proved to`, () => {
    const text = readFileSync(`src/store/promises/${file}`, 'utf8');
    const found = new RegExp(`interface ${of}\\s([^{]*)\\{(.*?)\\n\\}`, 's').exec(text);
    const [, picked = '', body = ''] = found ?? [];
    const own = [...body.matchAll(/^ {2}(\w+)\??\(/gm), ...picked.matchAll(/'(\w+)'/g)];
    const names = own.map(([, name = '']) => name);
    assert.ok(names.length > 5, `${names.length} methods`);
    assert.deepEqual(
      names.filter((name) => !forget.includes(name) && !others.includes(name)),
      [],
      'name it here, and if it forgets, ask for holds in its commit',
    );
    const proofs = readFileSync('test/features/holds/conformance.ts', 'utf8');
    // `erasing` of the support calls `erase`.
    for (const name of forget.filter((name) => names.includes(name)))
      assert.match(proofs, new RegExp(`\\b${name === 'erase' ? 'erasing' : name}\\(`), name);
  });
}
